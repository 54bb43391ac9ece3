package train

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/internal/pokertest"
	"gamebots/solvers/policy"
)

// TestSessionInterrupted interrupts trainings at several moments. The state is always kept,
// a strategy only if there were iterations enough, and nothing if there were none.
func TestSessionInterrupted(t *testing.T) {
	for _, test := range []struct {
		at                   uint64 // iterations
		want                 error
		checkpoint, strategy bool
	}{
		{0, context.Canceled, false, false},
		{3, ErrTooShort, true, false},
		{minInterrupted, nil, true, true},
	} {
		file := filepath.Join(t.TempDir(), "kuhn.strategy")
		ctx, interrupt := context.WithCancel(t.Context())
		if test.at == 0 {
			interrupt()
		}
		s := kuhnSession(t, Job{File: file, Goal: Goal{Iterations: 1000}, OnProgress: func(p Progress) {
			if p.Iterations == test.at {
				interrupt()
			}
		}})
		p, err := s.run(ctx)
		if !errors.Is(err, test.want) || p.Iterations != test.at {
			t.Errorf("interrupted after %d iterations: %d, error %v", test.at, p.Iterations, err)
		}
		if exists(s.CheckpointFile()) != test.checkpoint || exists(file) != test.strategy {
			t.Errorf("interrupted after %d iterations: checkpoint %v, strategy %v", test.at, exists(s.CheckpointFile()),
				exists(file))
		}
		again := kuhnSession(t, Job{File: file, Goal: Goal{Iterations: 5}})
		if resumed, err := again.resume(); test.at <= 5 && (err != nil || resumed != test.checkpoint) {
			t.Errorf("interrupted after %d iterations: resumed %v, %v", test.at, resumed, err)
		}
		interrupt()
	}
}

// A goal of few iterations is a strategy all the same.
func TestSessionShortGoal(t *testing.T) {
	file := filepath.Join(t.TempDir(), "kuhn.strategy")
	if _, err := kuhnSession(t, Job{File: file, Goal: Goal{Iterations: 2}}).run(t.Context()); err != nil ||
		!exists(file) {
		t.Errorf("error %v, strategy %v", err, exists(file))
	}
}

func kuhnSession(t *testing.T, j Job) *Session {
	t.Helper()
	training, err := Open(Spec{GameSpec: policy.GameSpec{Game: pokertest.Game(t, "kuhn"), Cards: "lossless"}},
		Options{})
	if err != nil {
		t.Fatal(err)
	}
	return newSession(training, &j)
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return !errors.Is(err, fs.ErrNotExist)
}

// The current strategy is the one that the next iteration plays: what that adds to the sum of
// strategies, in proportion.
func TestEvaluateCurrent(t *testing.T) {
	for _, name := range []string{"cfr", "pcfr+", "cfr/16"} {
		a, err := ParseAlgorithm(name)
		if err != nil {
			t.Fatal(err)
		}
		training, err := Open(Spec{GameSpec: policy.GameSpec{Game: pokertest.Game(t, "leduc"), Cards: "lossless"},
			Algorithm: a}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		trainer := training.Trainer.(*cfr.Trainer)
		for range 20 {
			trainer.Step()
		}
		current := training.EvaluateCurrent()
		before := slices.Clone(trainer.Weights())
		trainer.Step()
		kept := float32(trainer.Algorithm.Discounts(trainer.Iterations()).Average)
		added := slices.Clone(trainer.Weights())
		for i, x := range before {
			added[i] = max(0, added[i]-kept*x)
		}
		want := publictree.NewEvaluator(trainer.Layout, 1).Evaluate(added)
		if current.Value == nil || math.Abs(current.Exploitability()-want.Exploitability()) > 1e-3 ||
			math.Abs(current.Value[0]-want.Value[0]) > 1e-3 {
			t.Errorf("%s: %+v, want %+v", name, current, want)
		}
		if average := training.Evaluate(); math.Abs(current.Exploitability()-average.Exploitability()) < 1e-2 {
			t.Errorf("%s: exploitability %v, as that of the average strategy", name, current.Exploitability())
		}
	}
}
