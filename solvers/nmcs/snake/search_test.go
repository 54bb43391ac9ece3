package snake

import (
	"errors"
	"path/filepath"
	"reflect"
	"testing"

	"gamebots/internal/testkit"
)

// A GPU is used for searches that it can make and that have many runs.
func TestDeviceWorthwhile(t *testing.T) {
	for _, c := range []struct {
		runs uint64
		want string // "" if it is used
	}{
		{0, ""}, {1000, ""}, {999, "a GPU gains from 1000 runs on"},
	} {
		o := SearchOptions{Settings: Settings{Dimension: 6, Level: 1, Leaf: 1}, MaxRuns: c.runs}
		if got, reason := o.DeviceWorthwhile(); got != (c.want == "") || !got && reason != c.want {
			t.Errorf("%d runs: %v: %s", c.runs, got, reason)
		}
	}
}

// TestSearchContinues makes runs in two searches with a checkpoint.
func TestSearchContinues(t *testing.T) {
	o := SearchOptions{
		Settings:   Settings{Dimension: 6, Level: 1, Leaf: 1, Seed: 3},
		Threads:    2,
		Checkpoint: filepath.Join(t.TempDir(), "six.checkpoint"),
	}
	var want Tally
	if err := Run(t.Context(), &want, o.Settings, 20, 1, nil); err != nil {
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
		best := s.Best()
		if Check(Rules{Dimension: o.Dimension}, best) != nil || len(best) != s.Tally.Best.Score {
			t.Errorf("%v is not the best of %v", best, s.Tally.Best)
		}
	}
	o.Seed++
	var wrong *CheckpointError
	if _, err := NewSearch(o); !errors.As(err, &wrong) || wrong.Path != o.Checkpoint {
		t.Errorf("a checkpoint of another seed: %v", err)
	}
}

// Mean lengths spread over the seeds as is stated.
func TestSpreadMeans(t *testing.T) {
	testkit.Spread(t, "dimension 5", 100, func(seed uint64) map[string]testkit.Stated {
		var tally Tally
		s := Settings{Dimension: 5, Level: 1, Leaf: 1, Seed: seed}
		if err := Run(t.Context(), &tally, s, 100, 1, nil); err != nil {
			t.Fatal(err)
		}
		mean, stderr := tally.Mean()
		return map[string]testkit.Stated{"mean": {Result: mean, StandardError: stderr, Interval95: 1.984 * stderr}}
	})
}
