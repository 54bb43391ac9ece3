package experiment

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gamebots/bots/grid"
	"gamebots/configs"
)

// small returns the settings of an experiment of 2 seeds and 3 points on Kuhn, and its plan.
func small(t *testing.T) (configs.Experiment, Plan) {
	t.Helper()
	c := configs.DefaultExperiment()
	c.Experiment.Games, c.Experiment.Seeds, c.Experiment.Points = []string{"kuhn"}, 2, 3
	c.Trainings = []configs.SweptTrainings{
		{Algorithms: []string{"external(8)", "outcome"}, Iterations: 100, First: 1},
		{Algorithms: []string{"cfr+"}, Iterations: 10, First: 1},
	}
	return c, planned(t, c)
}

func planned(t *testing.T, c configs.Experiment) Plan {
	t.Helper()
	p, err := NewPlan(&c)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// complete has the missing runs of a plan done and returns how many they were.
func complete(t *testing.T, r *Results, p Plan) (done int) {
	t.Helper()
	g := &grid.Local{Kinds: grid.Kinds{Kind: Job}, Threads: 2}
	if err := r.Complete(t.Context(), g, p, func() { done++ }); err != nil {
		t.Fatal(err)
	}
	return done
}

func open(t *testing.T, path string) *Results {
	t.Helper()
	r, err := Open(path, "test")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

func TestSpaced(t *testing.T) {
	for _, test := range []struct {
		first, last uint64
		n           int
		want        []uint64
	}{
		{10, 1000, 3, []uint64{10, 100, 1000}},
		{1, 4, 9, []uint64{1, 2, 3, 4}},
		{1, 5, 1, []uint64{5}},
		{10, 5, 4, []uint64{5}},
		{1, 1 << 40, 2, []uint64{1, 1 << 40}},
	} {
		if got := spaced(test.first, test.last, test.n); !slices.Equal(got, test.want) {
			t.Errorf("%d from %d to %d: %v, want %v", test.n, test.first, test.last, got, test.want)
		}
	}
}

// An experiment is done once, and extended by what is missing. A line that was not written to
// its end is done again, and no line is replaced.
func TestComplete(t *testing.T) {
	path := filepath.Join(t.TempDir(), "runs.jsonl")
	c, plan := small(t)
	r := open(t, path)
	if n := complete(t, r, plan); n != 5 {
		t.Errorf("%d runs, want 2 of each algorithm that samples and 1 of cfr+", n)
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append(slices.Clone(before), `{"run":{"game":"kuhn"`...), 0o666); err != nil {
		t.Fatal(err)
	}
	again := open(t, path)
	if n := complete(t, again, plan); n != 0 {
		t.Errorf("%d runs were done again", n)
	}
	c.Experiment.Seeds = 3
	if n := complete(t, again, planned(t, c)); n != 2 {
		t.Errorf("%d runs for one more seed, want 2", n)
	}
	after, err := os.ReadFile(path)
	if err != nil || !bytes.HasPrefix(after, before) || bytes.Count(after, []byte("\n")) != 7 {
		t.Errorf("%v: the file became\n%s", err, after)
	}
	if n := again.OtherVersions(plan); n != 0 {
		t.Errorf("%d runs are of another version", n)
	}
	if later, err := Open(path, "later"); err != nil || later.OtherVersions(plan) != 5 || later.Close() != nil {
		t.Errorf("another version: error %v", err)
	}
	c.Trainings[0].Iterations++
	if missing := again.Missing(planned(t, c)); len(missing) != 6 {
		t.Errorf("%d runs are missing with other iterations, want 6", len(missing))
	}
	for line, want := range map[string]string{
		"x\n": "runs.jsonl:1: not the result of a run",
		`{"run":{"evaluated":[1,2]},"curve":[{}]}` + "\n": "1 evaluations instead of 2",
	} {
		if err := os.WriteFile(path, []byte(line), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(path, ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", line, err, want)
		}
	}
}

// An interruption is an error, and what was done is kept.
func TestInterrupted(t *testing.T) {
	_, plan := small(t)
	r := open(t, filepath.Join(t.TempDir(), "runs.jsonl"))
	ctx, stop := context.WithCancel(t.Context())
	g := &grid.Local{Kinds: grid.Kinds{Kind: Job}, Threads: 1}
	if err := r.Complete(ctx, g, plan, stop); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if missing := len(r.Missing(plan)); missing == 5 || missing == 0 {
		t.Errorf("%d runs are missing", missing)
	}
}

// The means are those of the curves, in mb.
func TestSummarize(t *testing.T) {
	_, plan := small(t)
	r := open(t, filepath.Join(t.TempDir(), "runs.jsonl"))
	complete(t, r, plan)
	rows := r.Summarize(plan)
	if len(rows) != 9 {
		t.Fatalf("%d rows, want 3 of each series", len(rows))
	}
	first, second := r.Curve(plan[0].Runs[0])[2], r.Curve(plan[0].Runs[1])[2]
	mean, half := 500*(first.Exploitability+second.Exploitability),
		12.706*500*math.Abs(first.Exploitability-second.Exploitability)
	if got := rows[2]; got.Iterations != 104 || got.Runs != 2 || math.Abs(got.Average.Mean-mean) > 1e-9 ||
		math.Abs(*got.Average.Interval95-half) > 1e-3*half {
		t.Errorf("after %d iterations of %s: %+v ± %v, want %v ± %v", got.Iterations, got.Algorithm, got,
			*got.Average.Interval95, mean, half)
	}
	if got := rows[8]; got.Iterations != 10 || got.Runs != 1 || got.Average.Interval95 != nil || got.Current == nil ||
		got.Current.Mean == got.Average.Mean {
		t.Errorf("one run: %+v", got)
	}
	var text strings.Builder
	if err := WriteCSV(&text, rows[8:]); err != nil {
		t.Fatal(err)
	}
	if _, line, _ := strings.Cut(text.String(), "\n"); !strings.HasPrefix(line, "kuhn,cfr+,10,1,") ||
		strings.Count(line, ",") != 8 || !strings.HasSuffix(line, ",\n") {
		t.Errorf("as CSV: %q", line)
	}
}

func TestPlanRefuses(t *testing.T) {
	for want, change := range map[string]func(*configs.Experiment){
		"experiment.games: ": func(c *configs.Experiment) { c.Experiment.Games = []string{"nowhere"} },
		"two games have the name kuhn": func(c *configs.Experiment) {
			c.Experiment.Games = []string{"kuhn", "../../configs/games/kuhn.game"}
		},
		"training[2].algorithms: ": func(c *configs.Experiment) { c.Trainings[1].Algorithms = []string{"simplex"} },
		"holdem-limit-2p by cfr+: ": func(c *configs.Experiment) {
			c.Experiment.Games = []string{"holdem-limit-2p"}
			c.Trainings = c.Trainings[1:]
		},
		"noblind has no blinds": func(c *configs.Experiment) {
			c.Experiment.Games = []string{"testdata/noblind.game"}
		},
		"its sets cards have none": func(c *configs.Experiment) {
			c.Experiment.Cards, c.Trainings = "sets", c.Trainings[:1]
		},
		"experiment.actions: kuhn is a": func(c *configs.Experiment) { c.Experiment.Actions = "fcpa" },
		"experiment.cards: ":            func(c *configs.Experiment) { c.Experiment.Cards = "some" },
		"experiment.opponent_actions: external(8) has one betting tree": func(c *configs.Experiment) {
			c.Experiment.Games = []string{"leduc-nolimit"}
			c.Experiment.OpponentActions = "fchpa"
		},
		"experiment.opponent_cards: external(8) has one card abstraction": func(c *configs.Experiment) {
			c.Experiment.OpponentCards = "none"
		},
	} {
		c, _ := small(t)
		change(&c)
		p, err := NewPlan(&c)
		if err == nil {
			err = p.Check()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}
