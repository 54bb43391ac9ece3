package resolve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"gamebots/acpc"
	"gamebots/acpc/ranges"
	"gamebots/solvers/evaluate/belief"
	"gamebots/solvers/policy"
	"gamebots/solvers/resolve/spot"
)

// NoLimit is the resolver of no-limit hold'em: it solves flops, turns and rivers by package spot.
type NoLimit struct {
	plain
	options   Options
	game      *acpc.Game
	blueprint Blueprint
	trunk     *belief.Reach // reach of the first solved round by the blueprint
	// continuation is the blueprint from a flop on; nil if it lacks rounds.
	continuation *spot.Continuation

	classes  []ranges.Class         // classes of the holes
	openings map[string]*opening    // solved first rounds
	rounds   [acpc.MaxRounds]*round // solved rounds of the last hand
	// memory is for a solution of each round: that of the options, or less where larger trees
	// took too long.
	memory [acpc.MaxRounds]int64
}

// A Blueprint is the strategy of a resolver before the first round that is solved.
type Blueprint struct {
	Index  *policy.Index
	Rounds int // number of rounds that it has: at least those before the first solved one
	// Played are the probabilities of the player, and Expected those of the opponent.
	Played, Expected belief.Probabilities
}

// NewNoLimit returns the resolver of a blueprint. The error is a [*GameError] for another game.
func NewNoLimit(b Blueprint, o Options) (*NoLimit, error) {
	g := b.Index.Tree.Game
	if !NoLimitHoldem(g) {
		return nil, &GameError{g.Name, "it is not no-limit hold'em with four rounds"}
	}
	stacks := slices.Sorted(slices.Values(g.Stack[:g.NumPlayers]))
	most := int32(spot.MaxChips / len(stacks)) // all stacks may be in the pot, but for what nobody can call
	if stacks[len(stacks)-2] > most {
		return nil, &GameError{g.Name, fmt.Sprintf("it is solved in play with stacks of at most %d chips", most)}
	}
	o.From = o.First(g)
	p := &NoLimit{plain: newPlain(b.Index, b.Played), options: o, game: g, blueprint: b}
	p.before.First, p.openings = p.opened, map[string]*opening{}
	for _, hole := range p.holes {
		cards := slices.Collect(hole.All())
		p.classes = append(p.classes, ranges.ClassOf(cards[0], cards[1]))
	}
	p.trunk = belief.NewReach(p.before, b.Expected)
	if b.Rounds == g.NumRounds {
		p.continuation = spot.NewContinuation(b.Index, spot.Play(b.Played), spot.Play(b.Expected))
	}
	for r := range p.memory {
		p.memory[r] = o.Memory
	}
	return p, nil
}

// Choices implements belief.Player.
func (p *NoLimit) Choices(ctx context.Context, s *acpc.State) (belief.Choices, error) {
	a, err := p.Answer(ctx, s)
	return a.Choices, cmp.Or(err, context.Cause(ctx)) // nothing is late but in Answer
}

// Answer implements Resolver. Solving ends when the context is done, maybe before the first
// iteration. What follows in the hand starts from the solution all the same. A device that fails is left,
// and the round is solved without it in the time that is left.
func (p *NoLimit) Answer(ctx context.Context, s *acpc.State) (Answer, error) {
	a, err := p.answer(ctx, s)
	failed := (*DeviceError)(nil)
	if !errors.As(err, &failed) || p.options.DeviceFailed == nil {
		return a, err
	}
	p.options.DeviceFailed(failed.Err)
	p.options.Device, p.rounds[s.Round()] = nil, nil
	if a, err = p.answer(ctx, s); errors.As(err, &failed) {
		return p.unsolved(ctx, s)
	}
	return a, err
}

func (p *NoLimit) answer(ctx context.Context, s *acpc.State) (Answer, error) {
	if s.Round() == 0 && p.options.Iterations > 0 {
		return p.open(ctx, s)
	}
	if _, two := playersOf(startOf(s, s.Round())); !two || s.Round() < p.options.From {
		return p.unsolved(ctx, s)
	}
	r, err := p.enter(ctx, s, s.Round())
	if err != nil {
		return Answer{}, err
	}
	if r.lost() {
		return p.unsolved(ctx, s)
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
	return Answer{Choices: p.choices(s, r, strategy), Solved: true, Late: r.late(at.solver),
		Iterations: at.solver.Iterations(), Added: len(at.spot.Lines), Entries: at.solver.Entries(),
		OnDevice: at.onDevice, Exploitability: at.exploitability / float64(at.spot.Pot)}, nil
}

// choices returns the choices of a solved decision in a state.
func (p *NoLimit) choices(s *acpc.State, r *round, strategy *spot.Strategy) (c belief.Choices) {
	for a, row := range strategy.Probabilities {
		taken, legal := s.Fix(r.played(strategy.Actions[a])) // all-in may be too little if stacks are unequal
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
