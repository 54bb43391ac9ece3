package poker

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/internal/rng"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/evaluate/belief"
	"gamebots/solvers/policy"
)

// Style modifies the probabilities of a strategy. Ganzfried, Sandholm and Waugh (AAMAS
// 2012) found that purification and thresholding help a strategy of a coarse abstraction
// against opponents who play outside of it. They make it predictable, so that an opponent
// who knows it wins more.
type Style struct {
	// Purify always plays the most probable action. It has no effect beside a Threshold.
	Purify bool
	// Threshold drops less probable actions, but never the most probable one.
	Threshold float64
}

// PolicyPlayer plays a trained strategy.
type PolicyPlayer struct {
	// OnDecision, if not nil, is called for every decision.
	OnDecision func(Decision)

	policy  *policy.Policy
	style   Style
	seed    uint64
	random  rng.Stream // random numbers of the hand
	sizes   rand.PCG   // random numbers by which raises are translated
	choices []policy.Choice
	counts  DecisionCounts

	resolving Resolving // without Resolver if nothing is solved
	bank      bank
}

// NewPolicyPlayer returns a player that draws its actions from a policy. Its draws follow from the
// seed, the number of the hand and its position, so that a player with the same seed acts in the
// same way wherever it plays the same. Several players may share a policy.
func NewPolicyPlayer(p *policy.Policy, style Style, seed uint64) *PolicyPlayer {
	return &PolicyPlayer{policy: p.WithBucketCache(), style: style, seed: seed}
}

// Act draws an action. There is no silent default: cards that the strategy does not know
// are an error, and so is unknown betting if the tree has all raises. Raises that an
// abstract tree lacks are translated.
func (p *PolicyPlayer) Act(ctx context.Context, s *acpc.MatchState) (acpc.Action, error) {
	return p.ActOnState(ctx, &s.State)
}

// ActOnState is Act for a dealer in the same process. It reads no cards but those of the
// player to act.
func (p *PolicyPlayer) ActOnState(ctx context.Context, s *acpc.State) (acpc.Action, error) {
	d := Decision{Hand: s.HandID, Round: s.Round()}
	start := time.Now()
	if p.bank.deal(s.HandID, p.resolving.Time) {
		p.random = rng.Stream(rng.At(rng.At(p.seed, uint64(s.HandID)), uint64(s.Actor())))
	}
	action, err := p.decide(ctx, s, &d)
	if err != nil {
		return action, fmt.Errorf("hand %d: %w", s.HandID, err)
	}
	d.Time = time.Since(start)
	p.bank.saved -= d.Time
	p.counts.add(&d)
	if p.OnDecision != nil {
		p.OnDecision(d)
	}
	return action, nil
}

// decide draws an action, and fills in how.
func (p *PolicyPlayer) decide(ctx context.Context, s *acpc.State, d *Decision) (acpc.Action, error) {
	if p.resolving.Resolver != nil &&
		(s.Round() >= p.resolving.First || s.Round() == 0 && p.policy.Tree.Find(s) < 0) {
		choices, err := p.resolve(ctx, p.choices[:0], s, d)
		if err != nil {
			return acpc.Action{}, err
		}
		if p.choices = choices; d.How == Solved {
			return Draw(p.choices, p.random.Float64()), nil
		}
		if s.Round() >= p.policy.Rounds() {
			d.How = Unmapped
			return defend(s, 0), nil
		}
	}
	number := func(i int) float64 {
		// Each action has a random stream of its own, so that all decisions of a
		// hand map a raise to the same one.
		p.sizes.Seed(p.seed, uint64(s.HandID)<<16|uint64(i)+1)
		return rand.New(&p.sizes).Float64()
	}
	choices, at, err := p.policy.Translate(p.choices[:0], s, number)
	if at != nil && at.Mapped > 0 {
		d.Raises, d.How = at.Mapped, Translated
	}
	if errors.Is(err, betting.ErrNoDecision) {
		d.How = Unmapped
		return defend(s, at.Hand().Spent(s.Actor())), nil
	}
	if err != nil {
		return acpc.Action{}, err
	}
	if p.choices = choices; p.style != (Style{}) {
		p.style.Apply(p.choices)
	}
	return Draw(p.choices, p.random.Float64()), nil
}

// defend returns what is played where the strategy has no decision, see [belief.Defends].
func defend(s *acpc.State, ready int32) acpc.Action {
	hole := card.SetOf(s.Holes[s.Actor()][:s.Game().NumHoleCards]...)
	if belief.Defends(s, ready, hole) {
		return acpc.Action{Type: acpc.Call}
	}
	return acpc.Action{Type: acpc.Fold}
}

// Apply sets the probabilities of dropped actions to zero. It does not normalise the
// others.
func (s Style) Apply(choices []policy.Choice) {
	best := 0
	for i, c := range choices {
		if c.Probability > choices[best].Probability {
			best = i
		}
	}
	for i, c := range choices {
		if i != best && (s.Purify && s.Threshold == 0 || float64(c.Probability) < s.Threshold) {
			choices[i].Probability = 0
		}
	}
}

// DrawBy draws the action of a decision by the probabilities of all, with the random number that a seed has for it.
func DrawBy(seed uint64, m *acpc.MatchState, actions []acpc.Action, probabilities []float64) acpc.Action {
	var choices []policy.Choice
	for k, x := range probabilities {
		choices = append(choices, policy.Choice{Action: actions[k], Probability: float32(x)})
	}
	stream := rng.Stream(rng.At(rng.At(seed, uint64(m.HandID)), uint64(m.NumActions())))
	return Draw(choices, stream.Float64())
}

// Draw returns the action at x, in [0, 1), of the cumulative distribution. The
// probabilities need not sum to one.
func Draw(choices []policy.Choice, x float64) acpc.Action {
	total := 0.0
	for _, c := range choices {
		total += float64(c.Probability)
	}
	x *= total
	last := acpc.Action{}
	for _, c := range choices {
		if c.Probability == 0 {
			continue
		}
		last = c.Action
		if x -= float64(c.Probability); x < 0 {
			break
		}
	}
	return last // the last possible one if rounding leaves a remainder
}
