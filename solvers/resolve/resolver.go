package resolve

import (
	"context"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/solvers/evaluate/belief"
	"gamebots/solvers/policy"
)

// A Resolver plays a blueprint, and solves the last rounds of a hand. It is used by one goroutine.
type Resolver interface {
	belief.Player
	// Answer returns what the player does in a state, in which it is to act. Hands that it would
	// not have played to there have no probabilities. Solving may end when the context is done.
	Answer(ctx context.Context, s *acpc.State) (Answer, error)
	// Hand returns the number of hole cards in [belief.Holes].
	Hand(hole card.Set) int
}

// An Answer is what a Resolver does with each hand.
type Answer struct {
	belief.Choices
	// Solved reports whether the choices are solved, and not those of the blueprint. Late
	// reports whether the solution has so few iterations that those of the blueprint are better.
	Solved, Late bool
	// Iterations are those of the solution. Added is the number of bets of the opponent
	// that were put into its tree.
	Iterations uint64
	Added      int
	// Entries are those of the solution, and OnDevice reports whether it was found on a device. Then
	// Exploitability is what best responses win from it on average for the two players, as a part of the
	// pot. The opponent has its choice, see Safety.
	Entries        int64
	OnDevice       bool
	Exploitability float64
}

// New returns the resolver of a policy for its game. The policy is one that [Options.Check] accepts.
func New(p *policy.Policy, o Options) (Resolver, error) {
	if !NoLimitHoldem(p.Tree.Game) {
		return newLastRound(p, o), nil
	}
	return NewNoLimit(Blueprint{
		Index: p.Index, Rounds: p.Rounds(), Played: belief.Played(p, o.Play), Expected: belief.Played(p, nil),
	}, o)
}

// plain is what a resolver plays where nothing is solved.
type plain struct {
	before *belief.Strategy
	holes  []card.Set
	number map[card.Set]int // numbers of holes
}

func newPlain(x *policy.Index, played belief.Probabilities) plain {
	p := plain{belief.NewStrategy(x, played), belief.Holes(x.Tree.Game), map[card.Set]int{}}
	for i, hole := range p.holes {
		p.number[hole] = i
	}
	return p
}

// Hand implements Resolver.
func (p *plain) Hand(hole card.Set) int { return p.number[hole] }

// unsolved returns the answer of the blueprint.
func (p *plain) unsolved(ctx context.Context, s *acpc.State) (Answer, error) {
	c, err := p.before.Choices(ctx, s)
	return Answer{Choices: c}, err
}
