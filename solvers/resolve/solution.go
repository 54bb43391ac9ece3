package resolve

import (
	"context"
	"errors"
	"fmt"
	"slices"

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
// the pot by linear and 3.4% by dcfr+; with stacks of 6 pots it is 0.5% and 0.3%. On a flop with stacks of 33
// pots best responses win 2.3% from linear and 1.5% from dcfr, and after 200 iterations 0.7% from dcfr+ and 0.5%
// from dcfr.
func algorithm(s *spot.Spot) cfr.Algorithm {
	name := "dcfr+"
	switch {
	case len(s.Board) == 3:
		name = "dcfr"
	case s.Stack > deep*s.Pot:
		name = "linear"
	}
	a, _ := cfr.AlgorithmByName(name)
	return a
}

// minIterations is how many iterations a solution of a round needs to be better than the blueprint.
// Rivers that are solved in 60 win from it, and in 25 they lose (docs/nolimit-bot.md). Before the flop, with stacks of
// 200 big blinds, best responses gain 34 mb after 100 and 17 mb after 200.
const minIterations = 50

// aloneFraction is how many times fewer iterations a solution needs in a round that the blueprint lacks, where
// the player would only call and fold without one. In 8,000 deals from both seats, rivers solved in 25
// iterations win 119 ± 192 mb a hand from the blueprint; in 10 they lose 78 ± 213, in 5 393 ± 261 and in
// 1 700 ± 314, and calls and folds by the cards lose 152 ± 179.
const aloneFraction = 5

// turnIterations are how many a turn on a device should have in its time.
const turnIterations = 100

// After a solution with many times the least iterations the next one may have a tree twice as large.
const many = 4

// solution is a solved round.
type solution struct {
	spot   *spot.Spot
	solver *spot.Solver
	// A device also says how exploitable the solution is for the ranges, in chips, how much memory it needs at least
	// and how fast it was found.
	onDevice                          bool
	exploitability, leastBytes, speed float64
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
	plainest := place == 0 && next.Lines == nil
	if plainest && r.plainest != nil {
		r.path = append(r.path, r.plainest)
		return r.plainest, nil
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
	if place > 0 {
		var err error
		if next.Menu, err = r.nestedMenu(ctx, &next); err != nil {
			return nil, err
		}
	}
	x, err := r.solution(ctx, &next, place)
	if err == nil {
		r.path = append(r.path, x)
		if plainest {
			r.plainest = x
		}
	}
	return x, err
}

// solution solves a spot of the round for a place of the path. On the CPU it starts from the solution before.
func (r *round) solution(ctx context.Context, s *spot.Spot, place int) (*solution, error) {
	if r.onDevice() {
		x, err := r.options.Device.solve(ctx, s, r.spotOptions(), r.kind, r.options.Iterations)
		for ; r.whole && errors.Is(err, spot.ErrDeviceMemory); r.menus = r.menus[1:] {
			if len(r.menus) == 0 {
				return nil, &DeviceError{err}
			}
			if s.Locks != nil && !sameFlop(&s.Menu, &r.menus[0]) {
				continue
			}
			s.Menu = r.menus[0]
			r.spot.Menu = s.Menu
			x, err = r.options.Device.solve(ctx, s, r.spotOptions(), r.kind, r.options.Iterations)
		}
		if err == nil || !errors.Is(err, spot.ErrDeviceMemory) {
			return x, err
		}
	}
	if r.whole {
		return nil, &DeviceError{errGone}
	}
	solver, err := spot.New(s, r.spotOptions())
	if err != nil {
		return nil, err
	}
	if place > 0 {
		err := solver.StartFrom(r.path[place-1].solver)
		if err != nil && !errors.Is(err, spot.ErrOtherState) { // such as one on a device
			return nil, err
		}
	}
	return &solution{spot: s, solver: solver}, r.iterate(ctx, solver)
}

// iterate does the iterations of a solution until the context is done. If it is late, the next
// solution of such a round may take half of the memory, and after many iterations twice as much
// again.
func (r *round) iterate(ctx context.Context, solver *spot.Solver) error {
	for solver.Iterations() < r.options.Iterations && solver.StepUntil(ctx) {
	}
	if err := solver.Err(); err != nil {
		return err
	}
	switch memory := &r.memory[r.index]; {
	case solver.Iterations() < min(minIterations, r.options.Iterations):
		*memory = max(*memory/2, r.options.Memory/32)
	case solver.Iterations() >= min(many*minIterations, r.options.Iterations):
		*memory = min(2**memory, r.options.Memory)
	}
	return nil
}

// late reports whether the time ended before a solution was of use.
func (r *round) late(solver *spot.Solver) bool {
	least := uint64(minIterations)
	switch {
	case r.whole:
		least = wholeLeast
	case r.index >= r.blueprint.Rounds:
		least /= aloneFraction
	}
	return solver.Iterations() < min(least, r.options.Iterations)
}

// lost reports whether the round is a flop that no device can solve, which the blueprint plays.
func (r *round) lost() bool { return r.index == Flop && !r.whole }

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
		at, player := last, 1-r.own
		if r.acts(i) {
			at, player, answers = answers[0], r.own, answers[1:]
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
			after[k] = reach[player][k] * strategy.Probabilities[taken][h]
			total += after[k]
		}
		if total > 0 { // or else the opponent does what it never should: nothing is learned
			reach[player] = after
		}
	}
	return last, reach, nil
}
