package resolve

import (
	"context"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/solvers/evaluate/belief"
	"gamebots/solvers/policy"
	"gamebots/solvers/resolve/spot"
)

// A Player plays a blueprint, and solves the last rounds of a hand. It is used by one
// goroutine.
type Player struct {
	options   Options
	game      *acpc.Game
	blueprint Blueprint
	before    *belief.Strategy // what is played before the first solved round
	trunk     *belief.Reach    // with which hands it leads there
	// continuation is the blueprint after a flop; nil if it lacks rounds.
	continuation *spot.Continuation
	holes        []card.Set
	number       map[card.Set]int // of hole cards

	rounds [acpc.MaxRounds]*round // of the last hand
	// memory is for a solution of each round: that of the options, or less where larger trees
	// took too long.
	memory [acpc.MaxRounds]int64
}

// A Blueprint is the strategy of a Player before the first round that is solved.
type Blueprint struct {
	Index  *policy.Index
	Rounds int // that it has, at least those before
	// Played are the probabilities of the player, and Expected those of the opponent.
	Played, Expected belief.Probabilities
}

// New returns a player of a blueprint. The error is a [*GameError] for a game that cannot be
// solved.
func New(b Blueprint, o Options) (*Player, error) {
	g := b.Index.Tree.Game
	if err := CheckGame(g); err != nil {
		return nil, err
	}
	before := belief.NewStrategy(b.Index, b.Played)
	p := &Player{options: o, game: g, blueprint: b, before: before, trunk: belief.NewReach(before, b.Expected), holes: belief.Holes(g), number: map[card.Set]int{}}
	for i, hole := range p.holes {
		p.number[hole] = i
	}
	if b.Rounds == g.NumRounds {
		p.continuation = spot.NewContinuation(b.Index, spot.Play(b.Played), spot.Play(b.Expected))
	}
	for r := range p.memory {
		p.memory[r] = o.Memory
	}
	return p, nil
}

// Hand returns the number of hole cards in [belief.Holes].
func (p *Player) Hand(hole card.Set) int { return p.number[hole] }

// An Answer is what a Player does with each hand.
type Answer struct {
	belief.Choices
	// Solved reports whether the choices are solved, and not those of the blueprint. Late
	// reports whether the solution has so few iterations that those of the blueprint are better.
	Solved, Late bool
	// Iterations are those of the solution. Added is the number of bets of the opponent
	// that were put into its tree.
	Iterations uint64
	Added      int
}

// Choices implements belief.Player.
func (p *Player) Choices(s *acpc.State) (belief.Choices, error) {
	a, err := p.Answer(context.Background(), s)
	return a.Choices, err
}

// Answer returns what the player does in a state, in which it is to act. Hands that it would
// not have played to there have no probabilities. Solving ends when the context is done, maybe
// before the first iteration. What follows in the hand starts from the solution all the same.
func (p *Player) Answer(ctx context.Context, s *acpc.State) (Answer, error) {
	if s.Round() < p.options.From {
		c, err := p.before.Choices(s)
		return Answer{Choices: c}, err
	}
	r, err := p.enter(ctx, s, s.Round())
	if err != nil {
		return Answer{}, err
	}
	if r.lost() {
		c, err := p.before.Choices(s)
		return Answer{Choices: c}, err
	}
	line := r.line(s)
	path, err := r.solve(ctx, line)
	if err != nil {
		return Answer{}, err
	}
	at := path[len(path)-1]
	strategy, err := r.play(at, line)
	if err != nil {
		return Answer{}, err
	}
	return Answer{p.choices(s, r, strategy), true, r.late(at.solver), at.solver.Iterations(), len(at.spot.Lines)}, nil
}

// Spot returns what is solved in the round of a state, at the player's first decision there.
func (p *Player) Spot(ctx context.Context, s *acpc.State) (*spot.Spot, error) {
	r, err := p.enter(ctx, s, s.Round())
	if err != nil {
		return nil, err
	}
	x := r.spot
	return &x, nil
}

// choices returns the choices of a solved decision in a state.
func (p *Player) choices(s *acpc.State, r *round, strategy *spot.Strategy) (c belief.Choices) {
	for a, row := range strategy.Probabilities {
		taken, legal := s.Fix(r.played(strategy.Actions[a])) // with unequal stacks, all-in may be too little
		if !legal {
			taken = call // a round may have too many actions for another raise
		}
		to := c.Row(taken, len(p.holes))
		for i, hole := range strategy.Hands {
			to[p.number[hole]] += row[i]
		}
	}
	return c
}

// call is the action that checks, too.
var call = acpc.Action{Type: acpc.Call}
