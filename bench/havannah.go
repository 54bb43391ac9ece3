package bench

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"runtime"
	"slices"

	"gamebots/hexproto/havannah"
	"gamebots/solvers/playout"
)

// seedHavannah are the figures of HavannahCUDA: P. Werner, Hochparallele
// Monte-Carlo-Evaluation auf CUDA, HTWK Leipzig 2012, tables 1 and 2. All are
// seconds on side 10 from the empty board, on a GeForce GTX 260 or a Core 2 Duo
// E8400.
var seedHavannah = []struct {
	playouts int // after each of 271 moves
	device   string
	threads  int // of the card, blocks of one thread each
	seconds  float64
}{
	{10, "GTX 260 (2012)", 8, 17.34},
	{10, "GTX 260 (2012)", 16, 9.26},
	{10, "GTX 260 (2012)", 32, 5.49},
	{10, "GTX 260 (2012)", 64, 3.38},
	{10, "GTX 260 (2012)", 96, 2.23},
	{10, "GTX 260 (2012)", 128, 2.06},
	{10, "GTX 260 (2012)", 256, 2.03},
	{100, "Core 2 Duo E8400 (2012)", 1, 96.56},
	{100, "GTX 260 (2012)", 128, 18.67},
	{100, "GTX 260 (2012)", 256, 17.19},
	{100, "GTX 260 (2012)", 512, 12.19},
}

func benchHavannah(ctx context.Context, emit func(Row) error) error {
	for _, step := range []func(context.Context, func(Row) error) error{benchPlayouts, benchRateGame} {
		if err := step(ctx, emit); err != nil {
			return err
		}
	}
	return benchOpeningsOn(ctx, playout.Options{Playouts: seedOpenings, Threads: runtime.NumCPU()}, emit)
}

// benchSides are those of boards that random games are played on, and
// benchPerMove the numbers of them after each move of side 10.
var (
	benchSides   = []int{4, 5, 6, 8, 10, 13}
	benchPerMove = []int{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000}
)

// allThreads are one thread and as many as the machine has.
func allThreads() []int { return slices.Compact([]int{1, runtime.NumCPU()}) }

// benchPlayouts measures random games from the empty board.
func benchPlayouts(ctx context.Context, emit func(Row) error) error {
	for _, side := range benchSides {
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
				{Metric: "time", Value: float64(t.Nanoseconds()) * float64(threads) / float64(sum.Plies), Unit: "ns/ply/thread"},
			} {
				r.Case, r.Threads = fmt.Sprintf("side %d, empty board", side), threads
				if err := emit(r); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// benchRateGame times the rating of all first moves of side 10, beside the
// figures of HavannahCUDA for the same work: against the number of playouts, and
// against that of threads.
func benchRateGame(ctx context.Context, emit func(Row) error) error {
	b, err := havannah.New(10)
	if err != nil {
		return err
	}
	const few = 10 // playouts a move, for the curve of threads
	byPlayouts := func(device string, threads, perMove int, seconds float64) error {
		return emit(Row{Case: "side 10, all moves, playouts a move", X: float64(perMove), Device: device, Threads: threads,
			Metric: "time", Value: seconds, Unit: "s"})
	}
	byThreads := func(device string, threads int, seconds float64) error {
		return emit(Row{Case: fmt.Sprintf("side 10, all moves, %d playouts, threads", few), X: float64(threads), Device: device,
			Metric: "time", Value: seconds, Unit: "s"})
	}
	for _, s := range seedHavannah {
		if s.playouts == few {
			err = byThreads(s.device, s.threads, s.seconds)
		} else {
			err = byPlayouts(s.device, s.threads, s.playouts, s.seconds)
		}
		if err != nil {
			return err
		}
	}
	for _, threads := range allThreads() {
		for _, perMove := range benchPerMove {
			t, err := medianTime(func() error {
				_, err := playout.Rate(ctx, b, playout.Options{Playouts: uint64(perMove), Threads: threads})
				return err
			})
			if err != nil {
				return err
			}
			if err := byPlayouts("", threads, perMove, t.Seconds()); err != nil {
				return err
			}
			if perMove == few {
				if err := byThreads("", threads, t.Seconds()); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// seedOpenings is how many playouts a move HavannahCUDA had for openings, too few
// to tell one from another.
const seedOpenings = 20_000

// benchOpeningsOn looks for the best first move of side 10 and for the best
// reply to the one that HavannahCUDA found.
func benchOpeningsOn(ctx context.Context, o playout.Options, emit func(Row) error) error {
	b, err := havannah.New(10)
	if err != nil {
		return err
	}
	for _, c := range []struct {
		name                                       string
		seedBest, seedWorst, seedBestN, seedWorstN int // cells and wins: table 3, table 4
	}{
		{"first move", 222, 5, 10481, 9739},
		{"reply to 222", 203, 8, 10011, 9299},
	} {
		ratings, err := playout.Rate(ctx, b, o)
		if err != nil {
			return err
		}
		// The thesis rates no swap.
		ratings = slices.DeleteFunc(ratings, func(r playout.Rating) bool { return r.Move == havannah.Swap })
		byScore := func(x, y playout.Rating) int { return cmp.Compare(x.Score(), y.Score()) }
		best, worst := slices.MaxFunc(ratings, byScore), slices.MinFunc(ratings, byScore)
		share := func(device string, threads int, which string, m havannah.Move, score float64) error {
			return emit(Row{Case: fmt.Sprintf("side 10, %s: %s %s", c.name, which, b.Grid().Format(m)), Device: device,
				Threads: threads, Metric: "score", Value: 100 * score, Unit: "%"})
		}
		if err := cmp.Or(
			// How many threads it ran, the thesis does not say.
			share("GTX 260 (2012)", 0, "best", havannah.Move(c.seedBest), float64(c.seedBestN)/seedOpenings),
			share("GTX 260 (2012)", 0, "worst", havannah.Move(c.seedWorst), float64(c.seedWorstN)/seedOpenings),
			share("", o.Threads, "best", best.Move, best.Score()),
			share("", o.Threads, "worst", worst.Move, worst.Score()),
		); err != nil {
			return err
		}
		if err := b.Play(havannah.Move(c.seedBest)); err != nil {
			return err
		}
	}
	return nil
}

// signHavannah rates the moves of positions of every side.
func signHavannah(ctx context.Context) (uint64, error) {
	h := fnv.New64a()
	for side := havannah.MinSide; side <= havannah.MaxSide; side++ {
		b, err := havannah.New(side)
		if err != nil {
			return 0, err
		}
		for _, m := range []havannah.Move{havannah.Move(b.Grid().NumCells / 2), havannah.Swap} {
			ratings, err := playout.Rate(ctx, b, playout.Options{Playouts: 8, Seed: uint64(side), Threads: runtime.NumCPU()})
			if err != nil {
				return 0, err
			}
			if err := binary.Write(h, binary.LittleEndian, ratings); err != nil {
				return 0, err
			}
			if err := b.Play(m); err != nil {
				return 0, err
			}
		}
	}
	return h.Sum64(), nil
}
