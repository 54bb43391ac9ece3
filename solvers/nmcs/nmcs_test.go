package nmcs_test

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"gamebots/solvers/nmcs"
	"gamebots/solvers/nmcs/snake/cube"
)

// plainBoard is a board without the optional interfaces of games.
type plainBoard struct{ b *cube.Board }

func (s *plainBoard) AppendMoves(m []nmcs.Move) []nmcs.Move { return s.b.AppendMoves(m) }
func (s *plainBoard) Play(m nmcs.Move)                      { s.b.Play(m) }
func (s *plainBoard) CopyFrom(from *plainBoard)             { s.b.CopyFrom(from.b) }
func (s *plainBoard) Score() int                            { return s.b.Score() }

func newBoard() *cube.Board      { return cube.New(6) }
func newPlainBoard() *plainBoard { return &plainBoard{newBoard()} }

// TestAbilities compares searches of a game that implements the optional interfaces and of
// one that does not.
func TestAbilities(t *testing.T) {
	for level := range 3 {
		t.Run(fmt.Sprint(level), func(t *testing.T) {
			fast := nmcs.NewSearch(newBoard, 2, 3)
			plain := nmcs.NewSearch(newPlainBoard, 2, 3)
			for run := range uint64(5) {
				want, _ := plain.Run(t.Context(), newPlainBoard(), level, nmcs.RunKey(1, run))
				got, completed := fast.Run(t.Context(), newBoard(), level, nmcs.RunKey(1, run))
				if !completed || !reflect.DeepEqual(got, want) || fast.Work != plain.Work ||
					len(got.Moves) != got.Score {
					t.Fatalf("run %d: %v, want %v; work %v, want %v", run, got, want, fast.Work, plain.Work)
				}
			}
		})
	}
}

// TestLevelOne compares with a plain implementation of level 1.
func TestLevelOne(t *testing.T) {
	for run := range uint64(20) {
		key := nmcs.RunKey(4, run)
		stream := key.Stream(0)
		b, best := newBoard(), []nmcs.Move(nil)
		for played := 0; ; played++ {
			moves := b.AppendMoves(nil)
			if len(moves) == 0 {
				break
			}
			for _, m := range moves {
				next := newBoard()
				next.CopyFrom(b)
				next.Play(m)
				line := append(slices.Clone(best[:played]), m)
				for legal := next.AppendMoves(nil); len(legal) > 0; legal = next.AppendMoves(nil) {
					chosen := legal[stream.Below(len(legal))]
					next.Play(chosen)
					line = append(line, chosen)
				}
				if len(line) > len(best) {
					best = line
				}
			}
			b.Play(best[played])
		}
		got, _ := nmcs.NewSearch(newBoard, 1, 1).Run(t.Context(), newBoard(), 1, key)
		if !slices.Equal(got.Moves, best) {
			t.Fatalf("run %d: %v, want %v", run, got.Moves, best)
		}
	}
}

func workers() map[string]func() nmcs.Worker {
	return map[string]func() nmcs.Worker{
		"nmcs": func() nmcs.Worker { return nmcs.NewNested(newBoard, newBoard(), 2, 2) },
	}
}

// TestRun gets the same tally with any number of threads, and when it continues after it was
// stopped.
func TestRun(t *testing.T) {
	for name, newWorker := range workers() {
		t.Run(name, func(t *testing.T) {
			var want nmcs.Tally
			nmcs.Run(t.Context(), &want, nmcs.Options{Seed: 1, MaxRuns: 12, Threads: 1}, newWorker, nil)
			if mean, stderr := want.Mean(); want.Runs != 12 || mean < 15 || stderr <= 0 || stderr > 3 {
				t.Fatalf("%d runs, mean %v ± %v", want.Runs, mean, stderr)
			}
			var got nmcs.Tally
			stopped := 0
			for got.Runs < 12 {
				ctx, stop := context.WithCancel(t.Context())
				goal := got.Runs + 4
				nmcs.Run(ctx, &got, nmcs.Options{Seed: 1, MaxRuns: 12, Threads: 1 + 2*(stopped%2)}, newWorker, func() {
					if got.Runs >= goal {
						stop()
					}
				})
				stop()
				stopped++
			}
			// Work of runs that were made again counts twice.
			if got.Work.Steps < want.Work.Steps {
				t.Errorf("work %v, want %v at least", got.Work, want.Work)
			}
			got.Work = want.Work
			if !reflect.DeepEqual(got, want) || stopped < 2 {
				t.Errorf("after %d stops %v, want %v", stopped, got, want)
			}
		})
	}
}

// TestStopped stops a search: its best line so far is legal.
func TestStopped(t *testing.T) {
	for name, newWorker := range workers() {
		ctx, stop := context.WithCancel(t.Context())
		var got nmcs.Tally
		nmcs.Run(ctx, &got, nmcs.Options{Seed: 1, Threads: 1}, newWorker, stop)
		line := got.Best
		b := newBoard()
		for _, m := range line.Moves {
			if !slices.Contains(b.AppendMoves(nil), m) {
				t.Fatalf("%s: %v is no game", name, line.Moves)
			}
			b.Play(m)
		}
		if b.Score() != line.Score || line.Score == 0 {
			t.Errorf("%s: score %d of %v", name, line.Score, line.Moves)
		}
	}
}

// TestStoppedInALeaf stops within a leaf, which may have a million playouts.
func TestStoppedInALeaf(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	s := nmcs.NewSearch(newBoard, 0, 1_000_000)
	line, completed := s.Run(ctx, newBoard(), 0, nmcs.RunKey(1, 0))
	if completed || line.Score == 0 || s.Work.Playouts > 1000 {
		t.Errorf("%d edges after %d playouts, completed %v", line.Score, s.Work.Playouts, completed)
	}
}

func TestStream(t *testing.T) {
	s := nmcs.RunKey(1, 2).Stream(0)
	var drawn [7]int
	const n = 70_000
	for range n {
		drawn[s.Below(7)]++
	}
	chi := 0.0
	for _, k := range drawn {
		d := float64(k) - n/7
		chi += d * d / (n / 7)
	}
	if chi > 22.5 { // one in a thousand, for 6 degrees of freedom
		t.Errorf("drawn %v: chi² %v", drawn, chi)
	}
	seen := map[nmcs.Stream]bool{}
	for run := range uint64(100) {
		for slot := range 10 {
			for ply := range 10 {
				seen[nmcs.RunKey(1, run).Child(ply, 3).Stream(slot)] = true
			}
		}
	}
	if len(seen) != 10_000 {
		t.Errorf("%d different streams of 10000", len(seen))
	}
}
