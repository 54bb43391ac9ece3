package records

import (
	"errors"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"gamebots/solvers/nmcs"
	"gamebots/solvers/nmcs/snake"
	"gamebots/solvers/nmcs/snake/cube"
)

// TestSearchContinues makes runs in two searches with a checkpoint.
func TestSearchContinues(t *testing.T) {
	o := SearchOptions{
		Settings: Settings{Settings: snake.Settings{Rules: cube.Rules{Dimension: 6}, Algorithm: snake.NMCS, Level: 1,
			Leaf: 1, Seed: 3}}, Threads: 2,
		Checkpoint: filepath.Join(t.TempDir(), "six.checkpoint"),
	}
	var want nmcs.Tally
	if err := snake.Run(t.Context(), &want, o.Settings.Settings, 20, 1, nil); err != nil {
		t.Fatal(err)
	}
	for _, o.MaxRuns = range []uint64{8, 20} {
		calls := 0
		o.OnProgress = func() { calls++ }
		s, err := NewSearch(o)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Run(t.Context()); err != nil || s.Tally.Runs != o.MaxRuns || calls < 8 {
			t.Fatalf("%d runs, %d calls: %v", s.Tally.Runs, calls, err)
		}
		if s.Tally.Time = 0; o.MaxRuns == 20 && !reflect.DeepEqual(s.Tally, want) {
			t.Errorf("%v, want %v", s.Tally, want)
		}
		if best := s.Best(); cube.Check(o.Rules, best) != nil || len(best) != s.Tally.Best.Score {
			t.Errorf("%v is not the best of %v", best, s.Tally.Best)
		}
	}
	o.Seed++
	var wrong *snake.CheckpointError
	if _, err := NewSearch(o); !errors.As(err, &wrong) || wrong.Path != o.Checkpoint {
		t.Errorf("a checkpoint of another seed: %v", err)
	}
}

// TestSearchMerges makes the runs of a search elsewhere.
func TestSearchMerges(t *testing.T) {
	o := SearchOptions{Settings: Settings{Settings: snake.Settings{Rules: cube.Rules{Dimension: 6},
		Algorithm: snake.NMCS, Level: 1, Leaf: 1}}, Threads: 1, MaxRuns: 12}
	whole, err := NewSearch(o)
	if err != nil {
		t.Fatal(err)
	}
	merged, err := NewSearch(o)
	if err != nil {
		t.Fatal(err)
	}
	for merged.Tally.Runs < o.MaxRuns {
		part := nmcs.Tally{Runs: merged.Tally.Runs}
		if err := snake.Run(t.Context(), &part, o.Settings.Settings, part.Runs+5, 1, nil); err != nil {
			t.Fatal(err)
		}
		if merged.Tally.Merge(part); merged.Progress() != nil {
			t.Fatal("there is no checkpoint to save")
		}
	}
	whole.options.MaxRuns = merged.Tally.Runs
	if err := whole.Run(t.Context()); err != nil || !slices.Equal(whole.Best(), merged.Best()) ||
		whole.Tally.Work != merged.Tally.Work {
		t.Errorf("%v, merged %v: %v", whole.Tally, merged.Tally, err)
	}
}

// TestSearchBeams improves a beam search, and searches by halves.
func TestSearchBeams(t *testing.T) {
	for _, o := range []SearchOptions{
		{Settings: Settings{Settings: snake.Settings{Algorithm: snake.BeamSearch, Width: 20}}, MaxRuns: 5,
			Improve: true},
		{Settings: Settings{Settings: snake.Settings{Algorithm: snake.BeamSearch, Width: 20}}, MaxRuns: 1,
			Improve: true},
		{Settings: Settings{Settings: snake.Settings{Algorithm: snake.BeamSearch, Width: 20}}},
		{Settings: Settings{Settings: snake.Settings{Algorithm: snake.BeamSearch, Width: 20}, Walks: 2}, MaxRuns: 4},
		{Settings: Settings{Settings: snake.Settings{Algorithm: HalfByHalf, Width: 20}, Walks: 1}, MaxRuns: 20},
		{Settings: Settings{Settings: snake.Settings{Algorithm: Walking}, Walks: 2}, MaxRuns: 5},
	} {
		edges := 0
		o.Rules.Dimension, o.Threads, o.OnBeam = 7, 1, func(snake.BeamProgress) { edges++ }
		s, err := NewSearch(o)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Run(t.Context()); err != nil || cube.Check(o.Rules, s.Best()) != nil || len(s.Best()) < 35 {
			t.Errorf("%v: %v, %v", o.Settings, s.Best(), err)
		}
		if want := max(1, o.MaxRuns); o.Algorithm == snake.BeamSearch && (s.Tally.Runs != want || edges < 35) {
			t.Errorf("%v: %d runs, want %d; %d edges", o.Settings, s.Tally.Runs, want, edges)
		}
	}
}

// TestSearchHalvesWithoutCoil tells of beams that found no coil, and of their time.
func TestSearchHalvesWithoutCoil(t *testing.T) {
	calls := 0
	o := SearchOptions{Settings: Settings{Settings: snake.Settings{Rules: cube.Rules{Dimension: 10, Coil: true},
		Algorithm: HalfByHalf, Width: 2}, Walks: 1}, MaxRuns: 1, Threads: 1, OnProgress: func() { calls++ }}
	s, err := NewSearch(o)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Run(t.Context()); err != nil || calls != 3 || s.Best() != nil || s.Tally.Work.Steps == 0 ||
		s.Tally.Time == 0 {
		t.Errorf("%d calls, %v, %v: %v", calls, s.Best(), s.Tally, err)
	}
}
