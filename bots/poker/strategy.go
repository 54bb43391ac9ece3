package poker

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"gamebots/acpc"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/betting"
)

// Style modifies the probabilities of a strategy.
type Style struct {
	// Purify plays the likeliest action always. Ganzfried, Sandholm and
	// Waugh (AAMAS 2012) found that this, and a threshold, gain against
	// opponents outside of a coarse abstraction; an exact strategy loses by
	// both, for it becomes predictable.
	Purify bool
	// Threshold drops actions of a smaller probability, if one remains.
	Threshold float64
}

// Strategy plays a trained strategy.
type Strategy struct {
	// OnOffTree, if not nil, is called for every decision outside of the
	// strategy's betting tree.
	OnOffTree func(OffTree)

	policy  *cfr.Policy
	style   Style
	seed    uint64
	random  *rand.Rand
	choices []cfr.Choice
	counts  DecisionCounts
}

// OffTree is a decision outside of a strategy's betting tree, which does not have
// all raises of a no-limit game.
type OffTree struct {
	Hand uint32
	// Raises is how many raises of others in this hand were taken for others
	// that the tree has.
	Raises int
	// Unmapped reports whether the real hand is too far from the betting sequence
	// that it was mapped to, such as when a player is all-in there but not in the
	// real hand. The player then calls: it has no reason to put in more, and its
	// strategy was ready to put in no less.
	Unmapped bool
}

// DecisionCounts counts the decisions of a player.
type DecisionCounts struct{ Decisions, Translated, Unmapped int }

// Counts returns how many decisions were made, and how many of them outside of
// the strategy's betting tree.
func (p *Strategy) Counts() DecisionCounts { return p.counts }

// NewStrategy returns a player of a policy that draws its actions with its own
// generator. Several players may share a policy.
func NewStrategy(policy *cfr.Policy, style Style, seed uint64) *Strategy {
	return &Strategy{policy: policy.WithBucketCache(), style: style, seed: seed, random: rand.New(rand.NewPCG(seed, 0))}
}

// Act draws an action. Cards and, where the strategy's tree has all raises,
// betting that the strategy does not know are an error; raises that an abstract
// tree does not have are translated, and reported: there is no silent default.
func (p *Strategy) Act(s *acpc.MatchState) (acpc.Action, error) { return p.ActOnState(&s.State) }

// ActOnState is Act for the dealer's table in process; it looks at the cards of the
// player to act only.
func (p *Strategy) ActOnState(s *acpc.State) (acpc.Action, error) {
	p.counts.Decisions++
	choices, raises, err := p.policy.Translate(p.choices[:0], s, func(i int) float64 {
		// A stream for each action, so that a raise is taken for the same one
		// at all later decisions of the hand.
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
	if p.style != (Style{}) {
		p.style.Apply(choices)
	}
	return draw(choices, p.random.Float64()), nil
}

func (p *Strategy) notify(d OffTree) {
	if p.OnOffTree != nil {
		p.OnOffTree(d)
	}
}

// Apply sets the probability of what is not played to zero; the sum of the
// others need not stay one.
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

// draw returns the choice at the part x, from 0 up to 1, of all probabilities.
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
	return last // the last possible one where rounding leaves a rest
}
