package resolving

import (
	"context"
	"slices"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/bots/poker"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/evaluate/aivat"
	"gamebots/solvers/evaluate/belief"
	"gamebots/solvers/policy"
	"gamebots/solvers/resolve"
)

// Options say which rounds of a hand are solved in play, for the ranges with which the players
// come there. The cards are no longer in buckets then.
type Options struct {
	resolve.Options
	// TimeLimits are for no-limit hold'em.
	poker.TimeLimits
}

// maxSolution is the memory for a solution of no-limit hold'em, in bytes. It bounds the time of
// an iteration, too: some tenths of a second of a core.
const maxSolution = 64 << 20

// Prepare returns a policy as [New] needs it, if that fits in budget bytes of memory. The policy
// may lack the rounds that are solved, see [resolve.Options.Check], which has the errors.
func (o *Options) Prepare(p *policy.Policy, budget int64) (*policy.Policy, error) {
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

// New returns a player that solves rounds in play. The policy is that of [Options.Prepare].
func New(p *policy.Policy, style poker.Style, seed uint64, o Options) (*poker.PolicyPlayer, error) {
	if o.Iterations == 0 {
		return poker.NewPolicyPlayer(p, style, seed), nil
	}
	o.Play, o.Memory = style.Apply, maxSolution
	r, err := resolve.New(p, o.Options)
	if err != nil {
		return nil, err
	}
	return poker.NewResolving(p, style, seed, poker.Resolving{
		Resolver: &resolver{r, p}, First: o.First(p.Tree.Game), TimeLimits: o.TimeLimits,
	}), nil
}

// NewHandStrategy returns the action probabilities of every hand of a [New] player.
func NewHandStrategy(p *policy.Policy, style poker.Style, o Options) (belief.Player, error) {
	player, err := New(p, style, 0, o)
	if err != nil {
		return nil, err
	}
	return player.HandStrategy(), nil
}

// ForAIVAT returns the strategy of a [New] player for estimates of what it has won. The policy
// must stay open if rounds are solved.
func ForAIVAT(p *policy.Policy, style poker.Style, o Options) (*aivat.Strategy, error) {
	if o.Iterations > 0 {
		o.Threads = 1 // many hands are estimated at a time
		return aivat.PlayedBy(p.Tree.Game, func() (belief.Player, error) {
			return NewHandStrategy(p, style, o)
		}), nil
	}
	if p.Tree.Game.NumPlayers > 2 { // estimates need few of the probabilities
		return aivat.OpenStrategy(p, style.Apply)
	}
	return aivat.ReadStrategy(p, style.Apply)
}

// resolver is a poker.Resolver.
type resolver struct {
	resolve.Resolver
	policy *policy.Policy
}

// Resolve implements poker.Resolver.
func (r *resolver) Resolve(
	ctx context.Context, dst []policy.Choice, s *acpc.State, d *poker.Decision,
) ([]policy.Choice, error) {
	a, err := r.Answer(ctx, s)
	if err != nil || !a.Solved {
		return dst, err
	}
	if a.Late {
		d.Late = true
		return dst, nil
	}
	total := 0.0
	hand := r.Hand(card.SetOf(s.Holes[s.Actor()][:r.policy.Tree.Game.NumHoleCards]...))
	for k, x := range a.Of(hand) {
		dst = append(dst, policy.Choice{Action: a.Actions[k], Probability: float32(x)})
		total += x
	}
	if total > 0 {
		d.How, d.Iterations, d.Added = poker.Solved, int(a.Iterations), a.Added
		d.Entries, d.OnDevice, d.Exploitability = a.Entries, a.OnDevice, a.Exploitability
	}
	return dst, nil
}
