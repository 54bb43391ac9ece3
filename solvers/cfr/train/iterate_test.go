package train

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"testing"

	"gamebots/acpc"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/internal/pokertest"
)

// prepared lays out a game.
func prepared(t testing.TB, g *acpc.Game, kind abstraction.Kind) *publictree.Layout {
	t.Helper()
	l, err := publictree.Prepare(g, betting.Actions{}, kind, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func always(Progress) bool { return true }

// runTrainer runs a trainer with exact evaluations.
func runTrainer(t *cfr.Trainer, e *publictree.Evaluator, goal Goal, onProgress func(Progress) bool) Progress {
	return Iterate(t, func() publictree.Evaluation { return e.Evaluate(t.Weights()) }, goal, onProgress)
}

// failing is a device that does one iteration and then fails.
type failing struct{ iterations uint64 }

func (f *failing) Step()              { f.iterations++ }
func (f *failing) StepUpTo(uint64)    { f.iterations = 1 }
func (f *failing) Iterations() uint64 { return f.iterations }

func (f *failing) Err() error {
	if f.iterations == 1 {
		return errors.New("failed")
	}
	return nil
}

// TestRunFails ends when a device fails.
func TestRunFails(t *testing.T) {
	if p := Iterate(&failing{}, nil, Goal{Iterations: 10}, always); p.Iterations != 0 {
		t.Errorf("%d iterations on a device that fails", p.Iterations)
	}
}

func TestIterate(t *testing.T) {
	l := prepared(t, pokertest.Game(t, "leduc"), abstraction.Lossless)
	e := publictree.NewEvaluator(l, 1)
	p := runTrainer(cfr.NewTrainer(l, cfr.Algorithms[0], 1), e, Goal{Exploitability: .01}, always)
	if x := p.Evaluation.Exploitability(); x > .01 || x < .005 {
		t.Errorf("exploitability %v, want just under .01", x)
	}
	p = runTrainer(cfr.NewTrainer(l, cfr.Algorithms[0], 1), e, Goal{Iterations: 77}, always)
	if p.Iterations != 77 || p.Evaluated != 77 {
		t.Errorf("%d iterations, %d evaluated, want 77", p.Iterations, p.Evaluated)
	}
	p = runTrainer(cfr.NewTrainer(l, cfr.Algorithms[0], 1), e, Goal{},
		func(p Progress) bool { return p.Iterations < 13 })
	if p.Iterations != 13 || p.Evaluated != 13 {
		t.Errorf("%d iterations, %d evaluated, want 13", p.Iterations, p.Evaluated)
	}
	p = Iterate(cfr.NewTrainer(l, cfr.Algorithms[0], 1), nil, Goal{Iterations: 5, Exploitability: math.Inf(1)}, always)
	if p.Iterations != 5 || p.Evaluated != 0 {
		t.Errorf("not evaluated: %+v", p)
	}
}

// TestResume interrupts trainings again and again, and compares them with one
// that was not: same end, same bits.
func TestResume(t *testing.T) {
	for _, a := range cfr.Algorithms {
		for _, goal := range []Goal{{Iterations: 60}, {Exploitability: .3}} {
			l := prepared(t, pokertest.Game(t, "leduc"), abstraction.Lossless)
			e := publictree.NewEvaluator(l, 1)
			whole := cfr.NewTrainer(l, a, 1)
			want := runTrainer(whole, e, goal, always)

			var state bytes.Buffer
			var got Progress
			parts := 0
			for done := false; !done; parts++ {
				trainer := cfr.NewTrainer(l, a, 2)
				if parts > 0 {
					if err := trainer.ReadState(&state); err != nil {
						t.Fatal(err)
					}
					if state.Len() > 0 {
						t.Fatalf("%v: %d bytes were not read", a, state.Len())
					}
				}
				done = true
				got = runTrainer(trainer, e, goal, func(p Progress) bool {
					done = p.Iterations%7 != 0
					return done
				})
				if err := trainer.WriteState(&state); err != nil {
					t.Fatal(err)
				}
				if done && !slices.Equal(trainer.Weights(), whole.Weights()) {
					t.Errorf("%v, %+v: other bits", a, goal)
				}
			}
			if parts < 3 || got.Iterations != want.Iterations ||
				got.Evaluation.Exploitability() != want.Evaluation.Exploitability() {
				t.Errorf("%v, %+v: %+v in %d parts, want %+v", a, goal, got, parts, want)
			}
		}
	}
}

// Evaluations grow apart, but for the first.
func TestDue(t *testing.T) {
	var got []uint64
	for i := range uint64(30) {
		if firstDue(i) == i {
			got = append(got, i)
		}
	}
	if want := []uint64{1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 18, 22, 27}; !slices.Equal(got, want) {
		t.Errorf("evaluated after %v, want %v", got, want)
	}
}
