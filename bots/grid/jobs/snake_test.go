package jobs

import (
	"context"
	"reflect"
	"slices"
	"testing"

	"gamebots/bots/grid"
	"gamebots/solvers/nmcs/snake"
	"gamebots/solvers/nmcs/snake/cube"
	"gamebots/solvers/nmcs/snake/records"
)

func snakeSearch(t *testing.T, o records.SearchOptions) *records.Search {
	t.Helper()
	o.Rules, o.Threads = cube.Rules{Dimension: 6}, 1
	s, err := records.NewSearch(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

var snakeGrid = &grid.Local{Kinds: grid.Kinds{SnakeRunsKind: SnakeRunsJob, SnakeBeamKind: SnakeBeamJob}, Threads: 3}

// TestSnakeRuns compares runs on a grid with those of a search.
func TestSnakeRuns(t *testing.T) {
	o := records.SearchOptions{
		Settings: records.Settings{Settings: snake.Settings{Algorithm: snake.NMCS, Level: 1, Leaf: 1, Seed: 2}},
		MaxRuns:  200,
	}
	want, got := snakeSearch(t, o), snakeSearch(t, o)
	if err := want.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := SnakeRuns(t.Context(), snakeGrid, got); err != nil {
		t.Fatal(err)
	}
	got.Tally.Time, want.Tally.Time = 0, 0
	if !reflect.DeepEqual(got.Tally, want.Tally) {
		t.Errorf("%v, want %v", got.Tally, want.Tally)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if err := SnakeRuns(ctx, snakeGrid, snakeSearch(t, o)); err != nil {
		t.Errorf("stopped: %v", err)
	}
}

// TestSnakeRestarts finds the same longest snake in any order of the restarts.
func TestSnakeRestarts(t *testing.T) {
	o := records.SearchOptions{
		Settings: records.Settings{Settings: snake.Settings{Algorithm: snake.BeamSearch, Width: 5, Seed: 2}},
		MaxRuns:  3, Improve: true,
	}
	var best []cube.Sequence
	for range 3 {
		s, longer := snakeSearch(t, o), 0
		if err := SnakeRestarts(t.Context(), snakeGrid, s, 20, func(int) { longer++ }); err != nil {
			t.Fatal(err)
		}
		if s.Tally.Runs != 60 || longer == 0 || cube.Check(s.Options().Rules, s.Best()) != nil {
			t.Errorf("%d runs, %d times longer: %v", s.Tally.Runs, longer, s.Best())
		}
		best = append(best, s.Best())
	}
	if !slices.Equal(best[0], best[1]) || !slices.Equal(best[0], best[2]) {
		t.Errorf("different snakes: %v", best)
	}
}
