package bench

import (
	"context"
	"fmt"
	"runtime"

	"gamebots/internal/memory"
	"gamebots/solvers/cfr"
	"gamebots/solvers/evaluate/belief"
	"gamebots/solvers/resolve"
	"gamebots/solvers/resolve/spot"
)

// flopsWork is the work of bench flops: the betting of flops solved on one thread, from the ranges of
// the strategy that comes with the program for a game.
type flopsWork struct {
	game       string
	flops      []flopCase
	algorithms []string
	iterations []uint64
	timed      uint64 // iterations
}

// flopCase is the betting before a flop, and its cards.
type flopCase struct{ betting, board string }

var fullFlops = flopsWork{
	game:       "holdem-nolimit-2p",
	flops:      []flopCase{{"cc/", "9h8h5c"}, {"r300c/", "Qs7h2c"}, {"r300r900c/", "Ks9d7h"}},
	algorithms: []string{"linear", "dcfr+"},
	iterations: []uint64{50, 100, 200, 400, 800},
	timed:      100,
}

func (w flopsWork) run(ctx context.Context, emit func(Row)) error {
	policy, err := openShipped(w.game)
	if err != nil {
		return err
	}
	defer policy.Close()
	plays := belief.Played(policy, nil)
	player, err := resolve.NewNoLimit(
		resolve.Blueprint{Index: policy.Index, Rounds: policy.Rounds(), Played: plays, Expected: plays},
		resolve.Options{From: resolve.Flop, Threads: 1, Memory: memory.Available()},
	)
	if err != nil {
		return err
	}
	for _, c := range w.flops {
		s, err := policy.Tree.Game.ParseBetting(c.betting)
		if err != nil {
			return err
		}
		board, err := spot.ParseBoard(c.board)
		if err != nil {
			return err
		}
		copy(s.Board[:], board)
		flop, err := player.Spot(ctx, &s)
		if err != nil {
			return err
		}
		if err := w.time(ctx, c, flop, emit); err != nil {
			return err
		}
		flop.Offer = nil // exploitability is for ranges that are known
		for _, algorithm := range w.algorithms {
			if err := w.solve(ctx, c, algorithm, flop, emit); err != nil {
				return err
			}
		}
	}
	return nil
}

// newSolver returns a solver of a flop, which has read the strategy.
func (w flopsWork) newSolver(algorithm string, flop *spot.Spot) (*spot.Solver, error) {
	a, ok := cfr.AlgorithmByName(algorithm)
	if !ok {
		return nil, fmt.Errorf("no algorithm %s", algorithm)
	}
	solver, err := spot.New(flop, spot.Options{Algorithm: a, Threads: 1, Memory: memory.Available()})
	if err != nil {
		return nil, err
	}
	solver.Step()
	return solver, solver.Err()
}

// time emits the time of an iteration as in play.
func (w flopsWork) time(ctx context.Context, c flopCase, flop *spot.Spot, emit func(Row)) error {
	solver, err := w.newSolver(w.algorithms[0], flop)
	if err != nil {
		return err
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	start := threadTime()
	for solver.Iterations() < w.timed+1 {
		if !solver.StepUntil(ctx) {
			return context.Cause(ctx)
		}
	}
	took := (threadTime() - start).Seconds() * 1000 / float64(w.timed)
	emit(Row{Case: c.betting + c.board, Threads: 1, Metric: "iteration", Value: took, Unit: "ms"})
	return nil
}

// solve emits how much of the pot best responses win on a flop after some iterations.
func (w flopsWork) solve(ctx context.Context, c flopCase, algorithm string, flop *spot.Spot, emit func(Row)) error {
	solver, err := w.newSolver(algorithm, flop)
	if err != nil {
		return err
	}
	for _, n := range w.iterations {
		for solver.Iterations() < n {
			if !solver.StepUntil(ctx) {
				return context.Cause(ctx)
			}
		}
		won := 100 * solver.Solution().Exploitability() / float64(flop.Pot)
		emit(Row{Case: c.betting + c.board, Variant: algorithm, X: float64(n), Threads: 1, Metric: "exploitability",
			Value: won, Unit: "% of the pot"})
	}
	return nil
}
