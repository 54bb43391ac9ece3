package poker

import (
	"context"
	"slices"
	"time"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/policy"
	"gamebots/solvers/resolve"
)

// Resolving says which rounds of a hand are solved in play, for the ranges with which the players
// come there. The cards are no longer in buckets then.
type Resolving struct {
	resolve.Options
	// Time, if not 0, is how long a hand of no-limit hold'em may be thought about on average:
	// what is left is saved for later hands. Longest is the most that a decision may take.
	// Solutions end early then, and what is played no longer follows from the seed alone.
	Time, Longest time.Duration
}

// maxSolution is the memory for a solution of no-limit hold'em, in bytes. It bounds the time of
// an iteration, too: some tenths of a second of a core.
const maxSolution = 64 << 20

// Prepare returns a policy as a Strategy needs it that solves rounds, if that fits in budget
// bytes of memory. The policy may lack the rounds that are solved, see [resolve.Options.Check],
// which has the errors.
func (o *Resolving) Prepare(p *policy.Policy, budget int64) (*policy.Policy, error) {
	g := p.Tree.Game
	nolimit := resolve.NoLimitHoldem(g)
	if err := o.Check(g, p.Rounds()); err != nil {
		return nil, err
	}
	switch {
	case o.Iterations == 0 || nolimit:
		return p, nil
	case o.Time != 0:
		return nil, &resolve.GameError{Game: g.Name, Msg: "only no-limit hold'em is solved in a given time"}
	}
	return p.Full(budget)
}

// RoundNamed returns the round that settings name, such as "turn", as [resolve.Options] has it: 0
// for "".
func RoundNamed(name string) int { return max(0, slices.Index(betting.RoundNames[:], name)) }

// NewResolving returns a Strategy that solves rounds in play. The policy is that of
// [Resolving.Prepare].
func NewResolving(trained *policy.Policy, style Style, seed uint64, o Resolving) (*Strategy, error) {
	p := NewStrategy(trained, style, seed)
	p.resolving = o
	if o.Iterations == 0 {
		return p, nil
	}
	o.Play, o.Memory = style.Apply, maxSolution
	var err error
	p.resolver, err = resolve.New(p.policy, o.Options)
	return p, err
}

// resolved appends the choices of a decision as they are played, and fills in how it was solved.
// Without choices there was too little time, the strategy would not have played the player's cards to
// here, or the hand is not in its tree.
func (p *Strategy) resolved(dst []policy.Choice, s *acpc.State, d *Decision) ([]policy.Choice, error) {
	ctx := context.Background()
	if p.resolving.Time > 0 {
		limited, cancel := context.WithTimeout(ctx, p.bank.limit(&p.resolving))
		defer cancel()
		ctx = limited
	}
	a, err := p.resolver.Answer(ctx, s)
	if err != nil || !a.Solved {
		return dst, err
	}
	if known := s.Round() < p.policy.Rounds(); a.Late && (known || a.Iterations == 0) {
		d.Late = true
		return dst, nil
	}
	total := 0.0
	hand := p.resolver.Hand(card.SetOf(s.Holes[s.Actor()][:p.policy.Tree.Game.NumHoleCards]...))
	for k, x := range a.Of(hand) {
		dst = append(dst, policy.Choice{Action: a.Actions[k], Probability: float32(x)})
		total += x
	}
	if total > 0 {
		d.How, d.Iterations, d.Added = Solved, int(a.Iterations), a.Added
	}
	return dst, nil
}
