package poker

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"gamebots/acpc"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/betting"
)

// Style modifies the probabilities of a strategy. Ganzfried, Sandholm and Waugh (AAMAS
// 2012) found that purification and thresholding help a strategy of a coarse abstraction
// against opponents who play outside of it. They harm an exact strategy, which becomes
// predictable.
type Style struct {
	// Purify always plays the most probable action.
	Purify bool
	// Threshold drops less probable actions, but never the most probable one.
	Threshold float64
}

// Strategy plays a trained strategy.
type Strategy struct {
	// OnOffTree, if not nil, is called for every decision outside of the
	// strategy's betting tree.
	OnOffTree func(OffTree)
	// SolveIterations, if not 0, has the last round of a hand solved in play, for the ranges
	// that the strategy leads there, in so many iterations (see CanSolve). The cards are no
	// longer in buckets then.
	SolveIterations int

	policy  *cfr.Policy
	style   Style
	seed    uint64
	random  *rand.Rand
	choices []cfr.Choice
	counts  DecisionCounts

	solution solution // of the last hand
}

// OffTree is a decision outside of the strategy's betting tree, which lacks some raises
// of a no-limit game.
type OffTree struct {
	Hand uint32
	// Raises is the number of opponents' raises in this hand that were mapped to
	// raises of the tree.
	Raises int
	// Unmapped reports whether the hand has no decision at the betting sequence
	// that it was mapped to, for example because a player is all-in there but not in
	// the hand. The player then calls. It has no reason to raise, and its strategy
	// was ready to put in at least as much as the call costs.
	Unmapped bool
}

// DecisionCounts counts the decisions of a player: all of them, those that needed
// translation, those that could not be mapped, and those of rounds that were solved.
type DecisionCounts struct{ Decisions, Translated, Unmapped, Solved int }

// Counts returns the counts of the decisions made so far.
func (p *Strategy) Counts() DecisionCounts { return p.counts }

// NewStrategy returns a player that draws its actions from a policy, with a generator of
// its own. Several players may share a policy.
func NewStrategy(policy *cfr.Policy, style Style, seed uint64) *Strategy {
	return &Strategy{policy: policy.WithBucketCache(), style: style, seed: seed, random: rand.New(rand.NewPCG(seed, 0))}
}

// Act draws an action. There is no silent default: cards that the strategy does not know
// are an error, and so is unknown betting if the tree has all raises. Raises that an
// abstract tree lacks are translated and reported to OnOffTree.
func (p *Strategy) Act(s *acpc.MatchState) (acpc.Action, error) { return p.ActOnState(&s.State) }

// ActOnState is Act for a dealer in the same process. It reads no cards but those of the
// player to act.
func (p *Strategy) ActOnState(s *acpc.State) (acpc.Action, error) {
	p.counts.Decisions++
	if p.SolveIterations > 0 && s.Round() == s.Game().NumRounds-1 {
		choices, solved, err := p.solve(p.choices[:0], s)
		if err != nil {
			return acpc.Action{}, fmt.Errorf("hand %d: %w", s.HandID, err)
		}
		if p.choices = choices; solved {
			p.counts.Solved++
			return p.drawChoice(), nil
		}
	}
	choices, raises, err := p.policy.Translate(p.choices[:0], s, func(i int) float64 {
		// Each action has a random stream of its own, so that all decisions of a
		// hand map a raise to the same one.
		return rand.New(rand.NewPCG(p.seed, uint64(s.HandID)<<16|uint64(i)+1)).Float64()
	})
	if errors.Is(err, betting.ErrNoDecision) {
		p.counts.Unmapped++
		p.notify(OffTree{Hand: s.HandID, Raises: raises, Unmapped: true})
		return acpc.Action{Type: acpc.Call}, nil
	}
	if err != nil {
		return acpc.Action{}, fmt.Errorf("hand %d: %w", s.HandID, err)
	}
	if raises > 0 {
		p.counts.Translated++
		p.notify(OffTree{Hand: s.HandID, Raises: raises})
	}
	p.choices = choices
	return p.drawChoice(), nil
}

// drawChoice draws one of the choices.
func (p *Strategy) drawChoice() acpc.Action {
	if p.style != (Style{}) {
		p.style.Apply(p.choices)
	}
	return draw(p.choices, p.random.Float64())
}

func (p *Strategy) notify(d OffTree) {
	if p.OnOffTree != nil {
		p.OnOffTree(d)
	}
}

// Apply sets the probabilities of dropped actions to zero. It does not normalise the
// others.
func (s Style) Apply(choices []cfr.Choice) {
	best := 0
	for i, c := range choices {
		if c.Probability > choices[best].Probability {
			best = i
		}
	}
	for i, c := range choices {
		if i != best && (s.Purify || float64(c.Probability) < s.Threshold) {
			choices[i].Probability = 0
		}
	}
}

// draw returns the action at x, in [0, 1), of the cumulative distribution. The
// probabilities need not sum to one.
func draw(choices []cfr.Choice, x float64) acpc.Action {
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
