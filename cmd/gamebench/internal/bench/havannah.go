package bench

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"

	"gamebots/cmd/gamebench/internal/published"
	"gamebots/cudalib/havannahgpu"
	"gamebots/hexproto/havannah"
	"gamebots/solvers/playout"
)

// havannahWork is the work of bench havannah.
type havannahWork struct {
	// Random games from the empty board, on the CPU and on a GPU.
	sides []int
	games int // about how many per side, on a GPU

	// Rating all first moves of a side.
	side    int
	perMove []int // playouts after each move

	// On a GPU, the experiments of Werner (2012).
	copies      int   // playouts after each move, to compare amounts of copied data
	blocks      []int // numbers of blocks of one thread each
	threads     []int // per block
	gridPerMove int   // playouts after each move, to compare threads per block
	openings    int   // playouts after each move, to find openings of side 10
	grid        havannahgpu.Grid
}

// fullHavannah is the work of a benchmark.
var fullHavannah = havannahWork{
	sides: []int{4, 5, 6, 8, 10, 13}, games: 60_000_000,
	side: 10, perMove: []int{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000},
	copies: 100, blocks: []int{8, 16, 32, 64, 96, 128, 256, 512}, threads: []int{32, 64, 128, 192, 256, 384, 512},
	gridPerMove: 100_000,
	openings:    1_000_000, // enough to distinguish moves
}

// onCPU measures random games, and the rating of moves by them beside the figures of Werner
// (2012).
func (w havannahWork) onCPU(ctx context.Context, emit func(Row)) error {
	if err := w.benchPlayouts(ctx, emit); err != nil {
		return err
	}
	if err := w.benchRating(ctx, emit); err != nil {
		return err
	}
	return benchOpenings(ctx,
		playout.Options{Playouts: published.WernerOpeningPlayouts, Threads: runtime.NumCPU()}, emit)
}

// allThreads returns one thread, and as many as the machine has processors.
func allThreads() []int { return slices.Compact([]int{1, runtime.NumCPU()}) }

// benchPlayouts measures random games from the empty board.
func (w havannahWork) benchPlayouts(ctx context.Context, emit func(Row)) error {
	for _, side := range w.sides {
		b, err := havannah.New(side)
		if err != nil {
			return err
		}
		perMove := uint64(300_000 / b.Grid().NumCells / side)
		for _, threads := range allThreads() {
			var sum playout.Tally
			t, err := medianTime(func() error {
				ratings, err := playout.Rate(ctx, b, playout.Options{Playouts: perMove, Threads: threads})
				sum = playout.Tally{}
				for _, r := range ratings {
					sum.Add(&r.Tally)
				}
				return err
			})
			if err != nil {
				return err
			}
			n := float64(sum.Playouts())
			for _, r := range []Row{
				{Metric: "speed", Value: n / t.Seconds(), Unit: "playouts/s"},
				{Metric: "time", Value: float64(t.Nanoseconds()) * float64(threads) / float64(sum.Plies),
					Unit: "ns/ply/thread"},
			} {
				r.Case, r.Threads, r.Repeated = fmt.Sprintf("side %d, empty board", side), threads, t.Repeated
				emit(r)
			}
		}
	}
	return nil
}

// benchRating times the rating of all first moves beside the figures of Werner (2012): by the
// number of playouts, and by the number of threads.
func (w havannahWork) benchRating(ctx context.Context, emit func(Row)) error {
	b, err := havannah.New(w.side)
	if err != nil {
		return err
	}
	const few = 10 // playouts a move, for the curve of threads
	werner := from("Werner (2012)", emit)
	byPlayouts := func(emit func(Row), r Row, threads, perMove int) {
		r.Case, r.X, r.Threads, r.Metric, r.Unit = fmt.Sprintf("side %d, all moves, playouts a move", w.side),
			float64(perMove), threads, "time", "s"
		emit(r)
	}
	byThreads := func(emit func(Row), r Row, threads int) {
		r.Case, r.X, r.Metric, r.Unit = fmt.Sprintf("side %d, all moves, %d playouts, threads", w.side, few),
			float64(threads), "time", "s"
		emit(r)
	}
	for _, p := range published.WernerTimes() {
		r := Row{Device: p.Device + " (2012)", Value: p.Seconds}
		if p.Playouts == few {
			byThreads(werner, r, p.Threads)
		} else {
			byPlayouts(werner, r, p.Threads, p.Playouts)
		}
	}
	for _, threads := range allThreads() {
		for _, perMove := range w.perMove {
			t, err := medianTime(func() error {
				_, err := playout.Rate(ctx, b, playout.Options{Playouts: uint64(perMove), Threads: threads})
				return err
			})
			if err != nil {
				return err
			}
			r := Row{Value: t.Seconds(), Repeated: t.Repeated}
			byPlayouts(emit, r, threads, perMove)
			if perMove == few {
				byThreads(emit, r, threads)
			}
		}
	}
	return nil
}

// benchOpenings looks for the best first move of side 10, and for the best reply to the one
// that Werner (2012) found.
func benchOpenings(ctx context.Context, o playout.Options, emit func(Row)) error {
	b, err := havannah.New(10)
	if err != nil {
		return err
	}
	for _, p := range published.WernerOpenings() {
		ratings, err := playout.Rate(ctx, b, o)
		if err != nil {
			return err
		}
		// Werner rates no swap.
		ratings = slices.DeleteFunc(ratings, func(r playout.Rating) bool { return r.Move == havannah.Swap })
		byScore := func(x, y playout.Rating) int { return cmp.Compare(x.Score(), y.Score()) }
		best, worst := slices.MaxFunc(ratings, byScore), slices.MinFunc(ratings, byScore)
		share := func(emit func(Row), device string, threads int, which string, m havannah.Move, score float64) {
			emit(Row{Case: fmt.Sprintf("side 10, %s: %s %s", p.Position, which, b.Grid().Format(m)), Device: device,
				Threads: threads, Metric: "score", Value: 100 * score, Unit: "%"})
		}
		werner := from("Werner (2012)", emit)
		const gpu, of = "GTX 260 (2012)", published.WernerOpeningPlayouts // its number of threads is not known
		share(werner, gpu, 0, "best", havannah.Move(p.Best), float64(p.BestWins)/of)
		share(werner, gpu, 0, "worst", havannah.Move(p.Worst), float64(p.WorstWins)/of)
		share(emit, "", o.Threads, "best", best.Move, best.Score())
		share(emit, "", o.Threads, "worst", worst.Move, worst.Score())
		if err := b.Play(havannah.Move(p.Best)); err != nil {
			return err
		}
	}
	return nil
}

// signHavannah signs ratings of positions of every side.
func signHavannah(ctx context.Context, method methods) error {
	h := method("")
	for side := havannah.MinSide; side <= havannah.MaxSide; side++ {
		b, err := havannah.New(side)
		if err != nil {
			return err
		}
		for _, m := range []havannah.Move{havannah.Move(b.Grid().NumCells / 2), havannah.Swap} {
			ratings, err := playout.Rate(ctx,
				b, playout.Options{Playouts: 8, Seed: uint64(side), Threads: runtime.NumCPU()})
			if err != nil {
				return err
			}
			sign(h, ratings)
			if err := b.Play(m); err != nil {
				return err
			}
		}
	}
	return nil
}
