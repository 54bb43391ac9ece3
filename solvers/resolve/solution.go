package resolve

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/solvers/cfr"
	"gamebots/solvers/policy"
	"gamebots/solvers/resolve/spot"
)

// deep is the number of pots above which stacks are deep.
const deep = 30

// algorithm returns the one of package cfr that needs the fewest iterations for a spot, up to a
// few hundred. With deep stacks a bad all-in costs so much that it must not be forgotten, as
// dcfr+ does: after 100 iterations of a river with stacks of 100 pots, exploitability is 2.1% of
// the pot by linear and 3.4% by dcfr+; with stacks of 6 pots it is 0.5% and 0.3%. Where cards are
// sampled no iteration must count much: after 100 iterations of a flop with stacks of 11 pots best
// responses win 3.5% of the pot from linear and 17% from dcfr+.
func algorithm(s *spot.Spot) cfr.Algorithm {
	name := "dcfr+"
	if s.Stack > deep*s.Pot || s.Leaves != nil {
		name = "linear"
	}
	a, _ := cfr.AlgorithmByName(name)
	return a
}

// minIterations is how many iterations a solution of a round needs to be better than the blueprint.
// Rivers that are solved in 60 win from it, and in 25 they lose (gamebench solving). Flops,
// with sampled cards, are as far from an equilibrium after twice as many.
var minIterations = [acpc.MaxRounds]uint64{Flop: 100, Turn: 50, River: 50}

// aloneFraction is how many times fewer iterations a solution needs in a round that the blueprint lacks, where
// the player would only call and fold without one. In 8,000 deals from both seats, rivers solved in 25
// iterations win 119 ± 192 mb a hand from the blueprint; in 10 they lose 78 ± 213, in 5 393 ± 261 and in
// 1 700 ± 314, and calls and folds by the cards lose 152 ± 179.
const aloneFraction = 5

// After a solution with many times the least iterations the next one may have a tree twice as large.
const many = 4

// deviceLead is how many iterations a device may be behind.
const deviceLead = 8

// solution is a solved round.
type solution struct {
	spot   *spot.Spot
	solver *spot.Solver
}

// solve returns the solutions by which the player answers its decisions along a line, which
// may end with the round.
func (r *round) solve(ctx context.Context, line []spot.Action) (answers []*solution, err error) {
	var last *solution
	place := 0 // place on the path of the next solution
	for i := range len(line) + 1 {
		if !r.acts(i) {
			continue
		}
		if last == nil || !last.spot.Allows(line[:i]) {
			if last, err = r.nest(ctx, place, line[:i], answers); err != nil {
				return nil, err
			}
			place++
		}
		answers = append(answers, last)
	}
	return answers, nil
}

// nest returns the solution at a place of the path, whose tree has a line, given those that
// answer the player's decisions on the line before.
func (r *round) nest(ctx context.Context, place int, line []spot.Action, before []*solution) (*solution, error) {
	next := r.spot
	if place > 0 {
		next.Lines = r.path[place-1].spot.Lines
	}
	if !next.Allows(line) {
		next.Lines = append(slices.Clip(next.Lines), slices.Clone(line))
	}
	if place < len(r.path) {
		if known := r.path[place]; slices.EqualFunc(known.spot.Lines, next.Lines, slices.Equal) {
			return known, nil
		}
		r.path = r.path[:place]
	}
	for i := range line {
		if !r.acts(i) {
			continue
		}
		at := before[0]
		if before = before[1:]; r.late(at.solver) {
			continue // something else was played
		}
		lock, err := r.lock(at, line[:i])
		if err != nil {
			return nil, err
		}
		next.Locks = append(next.Locks, lock)
	}
	options := r.spotOptions()
	if r.onDevice() {
		options.Device = func(*spot.Solver) (spot.Device, error) { return r.options.Device, nil }
	}
	solver, err := spot.New(&next, options)
	if errors.Is(err, spot.ErrDeviceMemory) {
		solver, err = spot.New(&next, r.spotOptions())
	}
	if err != nil {
		return nil, err
	}
	if err := r.iterate(ctx, solver); err != nil {
		return nil, err
	}
	x := &solution{&next, solver}
	r.path = append(r.path, x)
	return x, nil
}

// iterate does the iterations of a solution until the context is done. If it is late, the next
// solution of such a round may take half of the memory, and after many iterations twice as much
// again.
func (r *round) iterate(ctx context.Context, solver *spot.Solver) error {
	for solver.Iterations() < r.options.Iterations && solver.StepUntil(ctx) {
		if solver.Iterations()%deviceLead == 0 {
			if err := solver.Sync(); err != nil {
				return errors.Join(err, solver.LeaveDevice())
			}
		}
	}
	if err := solver.Err(); err != nil {
		return errors.Join(err, solver.LeaveDevice())
	}
	switch memory := &r.memory[r.index]; {
	case solver.Iterations() < min(minIterations[r.index], r.options.Iterations):
		*memory = max(*memory/2, r.options.Memory/32)
	case solver.Iterations() >= min(many*minIterations[r.index], r.options.Iterations):
		*memory = min(2**memory, r.options.Memory)
	}
	return solver.LeaveDevice()
}

// late reports whether the time ended before a solution was of use.
func (r *round) late(solver *spot.Solver) bool {
	least := minIterations[r.index]
	if r.index >= r.blueprint.Rounds {
		least /= aloneFraction
	}
	return solver.Iterations() < min(least, r.options.Iterations)
}

// lost reports whether the blueprint cannot go on after a flop, which it plays.
func (r *round) lost() bool { return r.index == Flop && r.spot.Leaves == nil }

// unsolved reports whether all decisions of the round are the blueprint's, because they were late
// or nothing could be solved.
func (r *round) unsolved() bool {
	if r.lost() {
		return true
	}
	inTime := func(x *solution) bool { return !r.late(x.solver) }
	return r.index < r.blueprint.Rounds && len(r.path) > 0 && !slices.ContainsFunc(r.path, inTime)
}

// play returns what is played at a decision of a solution: by the player what it makes of it,
// and by the opponent the solution itself.
func (r *round) play(x *solution, line []spot.Action) (*spot.Strategy, error) {
	s, err := x.solver.Solution().Strategy(spot.LineOf(line))
	if err != nil || r.options.Play == nil || !r.acts(len(line)) {
		return s, err
	}
	choices := make([]policy.Choice, len(s.Actions))
	for i := range s.Hands {
		for a, row := range s.Probabilities {
			choices[a].Probability = float32(row[i])
		}
		r.options.Play(choices)
		for a, p := range policy.AppendProbabilities[float64](nil, choices) {
			s.Probabilities[a][i] = p
		}
	}
	return s, nil
}

// lock returns what is played at a decision of a solution as a lock.
func (r *round) lock(x *solution, line []spot.Action) (l spot.Lock, err error) {
	l = spot.Lock{Line: spot.LineOf(line), Hands: map[card.Set]map[string]float64{}}
	strategy, err := r.play(x, line)
	if err != nil {
		return l, err
	}
	for i, hole := range strategy.Hands {
		play := map[string]float64{}
		for a, row := range strategy.Probabilities {
			play[strategy.Actions[a].String()] = row[i]
		}
		l.Hands[hole] = play
	}
	return l, nil
}

// leave returns the solution that held at the end of a round with a line, and with which reach
// the hands of both players come to it. From late solutions nothing is learned.
func (r *round) leave(ctx context.Context, line []spot.Action) (last *solution, reach [2][]float64, err error) {
	answers, err := r.solve(ctx, line)
	if err != nil {
		return nil, reach, err
	}
	reach, last = r.reach, answers[len(answers)-1]
	for i, a := range line {
		at, position := last, 1-r.own
		if r.acts(i) {
			at, position, answers = answers[0], r.own, answers[1:]
		}
		if r.late(at.solver) {
			continue
		}
		strategy, err := r.play(at, line[:i])
		if err != nil {
			return nil, reach, err
		}
		taken := slices.Index(strategy.Actions, a)
		if taken < 0 {
			return nil, reach, fmt.Errorf("the solution lacks %s after %q", a, spot.LineOf(line[:i]))
		}
		after, total := make([]float64, len(r.holes)), 0.0
		for h, hole := range strategy.Hands {
			k := r.number[hole]
			after[k] = reach[position][k] * strategy.Probabilities[taken][h]
			total += after[k]
		}
		if total > 0 { // or else the opponent does what it never should: nothing is learned
			reach[position] = after
		}
	}
	return last, reach, nil
}
