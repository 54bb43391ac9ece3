package train

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"testing"

	"gamebots/solvers/cfr/segment"
	"gamebots/solvers/evaluate/bestresponse"
	"gamebots/solvers/internal/pokertest"
	"gamebots/solvers/policy"
)

// openSets opens a training whose cards forget the board, so that it is not evaluated in
// vector form.
func openSets(t *testing.T, game string) *Training {
	t.Helper()
	training, err := Open(Spec{GameSpec: policy.GameSpec{Game: pokertest.Game(t, game), Cards: "sets"}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return training
}

// The curve of a training has the exploitability in the game itself, at few points and
// without those that fail.
func TestEvaluateInGame(t *testing.T) {
	training := openSets(t, "leduc")
	calls, failures, broken := 0, []error{}, errors.New("broken")
	session := newSession(training, &Job{
		File: filepath.Join(t.TempDir(), "x"), Goal: Goal{Iterations: 17_000},
		InGame: func(s *bestresponse.Strategy) ([2]float64, error) {
			if calls++; calls == 2 {
				return [2]float64{}, broken
			}
			return bestresponse.New(s).Exact(context.Background(), 1)
		},
		OnEvaluation: func(err error) { failures = append(failures, err) },
	})
	if err := session.evaluateInGame(); err != nil {
		t.Fatal(err)
	}
	p, err := session.run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var points []uint64
	for _, point := range session.meta.Curve {
		points = append(points, point.Iterations)
	}
	if want := []uint64{1000, 16_000, 17_000}; !slices.Equal(points, want) {
		t.Errorf("evaluated after %v iterations, want %v", points, want)
	}
	if !slices.Equal(failures, []error{broken}) {
		t.Errorf("told of %v", failures)
	}
	// Who always calls loses 1.47.
	if x := p.Evaluation.Exploitability(); x < 0.3 || x > 1.4 || *session.strategyMeta(p).Exploitability != x {
		t.Errorf("an exploitability of %v chips", x)
	}
}

// A strategy whose last evaluation failed has no exploitability.
func TestFailedEvaluation(t *testing.T) {
	training := openSets(t, "leduc")
	calls := 0
	session := newSession(training, &Job{
		File: filepath.Join(t.TempDir(), "x"), Goal: Goal{Iterations: 1500},
		InGame: func(*bestresponse.Strategy) ([2]float64, error) {
			if calls++; calls > 1 {
				return [2]float64{}, errors.New("broken")
			}
			return [2]float64{1, 1}, nil
		},
	})
	if err := session.evaluateInGame(); err != nil {
		t.Fatal(err)
	}
	p, err := session.run(t.Context())
	if err != nil || p.Evaluated != 1000 || session.strategyMeta(p).Exploitability != nil {
		t.Errorf("evaluated after %d iterations, in the file %v, error %v", p.Evaluated,
			session.strategyMeta(p).Exploitability, err)
	}
}

func TestEvaluateInGameRefuses(t *testing.T) {
	session := newSession(openSets(t, "kuhn-3p"), &Job{})
	if err := session.evaluateInGame(); !errors.As(err, new(*segment.GameError)) {
		t.Errorf("three players: %v", err)
	}
}
