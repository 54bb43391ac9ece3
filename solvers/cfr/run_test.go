package cfr

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"gamebots/solvers/cfr/abstraction"
)

func always(Progress) bool { return true }

func TestRun(t *testing.T) {
	l := prepared(t, shipped(t, "leduc"), abstraction.Lossless)
	e := NewEvaluator(l, 1)
	p := NewTrainer(l, Algorithms[0], 1).Run(e, Goal{Exploitability: .01}, always)
	if x := p.Evaluation.Exploitability(); x > .01 || x < .005 {
		t.Errorf("exploitability %v, want just under .01", x)
	}
	p = NewTrainer(l, Algorithms[0], 1).Run(e, Goal{Iterations: 77}, always)
	if p.Iterations != 77 || p.Evaluated != 77 {
		t.Errorf("%d iterations, %d evaluated, want 77", p.Iterations, p.Evaluated)
	}
	p = NewTrainer(l, Algorithms[0], 1).Run(e, Goal{}, func(p Progress) bool { return p.Iterations < 13 })
	if p.Iterations != 13 || p.Evaluated != 13 {
		t.Errorf("%d iterations, %d evaluated, want 13", p.Iterations, p.Evaluated)
	}
	p = Run(NewTrainer(l, Algorithms[0], 1), nil, Goal{Iterations: 5, Exploitability: math.Inf(1)}, always)
	if p.Iterations != 5 || p.Evaluated != 0 {
		t.Errorf("not evaluated: %+v", p)
	}
}

// TestResume interrupts trainings again and again, and holds them against one
// that was not: same end, same bits.
func TestResume(t *testing.T) {
	for _, a := range Algorithms {
		for _, goal := range []Goal{{Iterations: 60}, {Exploitability: .3}} {
			l := prepared(t, shipped(t, "leduc"), abstraction.Lossless)
			e := NewEvaluator(l, 1)
			whole := NewTrainer(l, a, 1)
			want := whole.Run(e, goal, always)

			var state bytes.Buffer
			var got Progress
			parts := 0
			for done := false; !done; parts++ {
				trainer := NewTrainer(l, a, 2)
				if parts > 0 {
					if err := trainer.ReadState(&state); err != nil {
						t.Fatal(err)
					}
					if state.Len() > 0 {
						t.Fatalf("%v: %d bytes were not read", a, state.Len())
					}
				}
				done = true
				got = trainer.Run(e, goal, func(p Progress) bool {
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
			if parts < 3 || got.Iterations != want.Iterations || got.Evaluation.Exploitability() != want.Evaluation.Exploitability() {
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
