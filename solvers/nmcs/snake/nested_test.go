package snake

import (
	"context"
	"reflect"
	"slices"
	"testing"
)

func sixBoard() *Board { return NewBoard(6) }

// TestLevelOne compares with a plain implementation of level 1.
func TestLevelOne(t *testing.T) {
	for run := range uint64(20) {
		key := RunKey(4, run)
		stream := key.Stream(0)
		b, best := sixBoard(), []Move(nil)
		for played := 0; ; played++ {
			moves := b.AppendMoves(nil)
			if len(moves) == 0 {
				break
			}
			for _, m := range moves {
				next := sixBoard()
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
		got, _ := newNested(6, 1, 1).search(t.Context(), sixBoard(), 1, key, true)
		if !slices.Equal(got.Moves, best) {
			t.Fatalf("run %d: %v, want %v", run, got.Moves, best)
		}
	}
}

// sixes are settings whose searches have leaves of several playouts.
var sixes = Settings{Dimension: 6, Level: 2, Leaf: 2, Seed: 1}

// runs makes runs of sixes up to a number.
func runs(ctx context.Context, t *testing.T, tally *Tally, most uint64, threads int, onProgress func()) {
	t.Helper()
	if err := Run(ctx, tally, sixes, most, threads, onProgress); err != nil {
		t.Fatal(err)
	}
}

// TestRun gets the same tally with any number of threads, and when it continues after it was
// stopped.
func TestRun(t *testing.T) {
	var want Tally
	runs(t.Context(), t, &want, 12, 1, nil)
	if mean, stderr := want.Mean(); want.Runs != 12 || mean < 15 || stderr <= 0 || stderr > 3 {
		t.Fatalf("%d runs, mean %v ± %v", want.Runs, mean, stderr)
	}
	var got Tally
	stopped := 0
	for got.Runs < 12 {
		ctx, stop := context.WithCancel(t.Context())
		goal := got.Runs + 4
		runs(ctx, t, &got, 12, 1+2*(stopped%2), func() {
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
}

// TestStopped stops a search: its best line so far is legal.
func TestStopped(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	var got Tally
	runs(ctx, t, &got, 0, 1, stop)
	line := got.Best
	b := sixBoard()
	for _, m := range line.Moves {
		if !slices.Contains(b.AppendMoves(nil), m) {
			t.Fatalf("%v is no snake", line.Moves)
		}
		b.Play(m)
	}
	if b.Score() != line.Score || line.Score == 0 {
		t.Errorf("score %d of %v", line.Score, line.Moves)
	}
}

// TestStoppedInALeaf stops within a leaf, which may have a million playouts.
func TestStoppedInALeaf(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	s := newNested(6, 0, 1_000_000)
	line, completed := s.search(ctx, sixBoard(), 0, RunKey(1, 0), true)
	if completed || line.Score == 0 || s.work.Playouts > 1000 {
		t.Errorf("%d edges after %d playouts, completed %v", line.Score, s.work.Playouts, completed)
	}
}

func TestStream(t *testing.T) {
	s := RunKey(1, 2).Stream(0)
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
	seen := map[Stream]bool{}
	for run := range uint64(100) {
		for slot := range 10 {
			for ply := range 10 {
				seen[RunKey(1, run).Child(ply, 3).Stream(slot)] = true
			}
		}
	}
	if len(seen) != 10_000 {
		t.Errorf("%d different streams of 10000", len(seen))
	}
}
