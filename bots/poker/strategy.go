package poker

import (
	"fmt"
	"math/rand/v2"

	"gamebots/acpc"
	"gamebots/solvers/cfr"
)

// Style is how a strategy's probabilities are played.
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
	policy  *cfr.Policy
	style   Style
	random  *rand.Rand
	choices []cfr.Choice
}

// NewStrategy returns a player of a policy that draws its actions with its own
// generator. Several players may share a policy.
func NewStrategy(policy *cfr.Policy, style Style, seed uint64) *Strategy {
	return &Strategy{policy: policy, style: style, random: rand.New(rand.NewPCG(seed, 0))}
}

// Act draws an action. Cards or betting that the strategy does not know are an
// error, never a silent default.
func (p *Strategy) Act(s *acpc.MatchState) (acpc.Action, error) {
	choices, err := p.policy.Choices(p.choices[:0], &s.State)
	if err != nil {
		return acpc.Action{}, fmt.Errorf("hand %d: %w", s.HandID, err)
	}
	p.choices = choices
	p.style.apply(choices)
	return draw(choices, p.random.Float64()), nil
}

// apply sets the probability of what is not played to zero; the sum of the
// others need not stay one.
func (s Style) apply(choices []cfr.Choice) {
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
