package boardwise

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"gamebots/acpc"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/cfr/segment"
	"gamebots/solvers/internal/pokertest"
)

func layout(t testing.TB, g *acpc.Game) *publictree.Layout {
	t.Helper()
	l, err := publictree.Prepare(g, betting.Actions{}, abstraction.Lossless, 4<<30)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func newGame(t testing.TB, l *publictree.Layout) *Game {
	t.Helper()
	g, err := New(l.Tree, l.Cards)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func algorithm(name string) cfr.Algorithm {
	for _, a := range cfr.Algorithms {
		if a.Name == name {
			return a
		}
	}
	panic(name)
}

// A trainer learns what that of package cfr learns, in entries of 32 bits and of 16. The two
// add in different orders, and so part where regrets are zero but for rounding.
func TestLearnsAsTrainer(t *testing.T) {
	few := pokertest.Holdem(t, 4, 2, 1, 1, 1)
	few.MaxRaises = [acpc.MaxRounds]uint8{1, 1, 1, 2}
	for _, g := range []*acpc.Game{pokertest.Game(t, "kuhn"), pokertest.Game(t, "leduc"),
		pokertest.Holdem(t, 4, 2, 2), few} {
		for _, name := range []string{"dcfr", "dcfr+", "dcfr+/16"} {
			t.Run(g.Name+" "+name, func(t *testing.T) {
				l := layout(t, g)
				a := algorithm(strings.TrimSuffix(name, "/16"))
				want := cfr.NewTrainer(l, a, 2)
				a.Quantized = strings.HasSuffix(name, "/16")
				got, e := NewTrainer(newGame(t, l), a, 2), publictree.NewEvaluator(l, 2)
				compare := func(most float64) {
					a, b := got.Evaluate().Exploitability(), e.Evaluate(want.Weights()).Exploitability()
					if !(a < most*b) {
						t.Errorf("exploitability %v after %d iterations, want %v", a, got.Iterations(), b)
					}
				}
				want.Step()
				got.Step()
				compare(1.0001)
				for range 60 {
					want.Step()
					got.Step()
				}
				compare(2)
			})
		}
	}
}

// The best responses and the value are those of the evaluator of package publictree.
func TestEqualsEvaluator(t *testing.T) {
	for _, g := range []*acpc.Game{pokertest.Game(t, "leduc"), pokertest.Holdem(t, 4, 2, 2),
		pokertest.Holdem(t, 3, 3, 1, 1), pokertest.Holdem(t, 4, 2, 1, 1, 1)} {
		t.Run(g.Name, func(t *testing.T) {
			l, a := layout(t, g), algorithm("dcfr+")
			a.Quantized = true
			trainer := NewTrainer(newGame(t, l), a, 2)
			for range 3 {
				trainer.Step()
			}
			weights, err := trainer.Weights(l.Index)
			if err != nil {
				t.Fatal(err)
			}
			got, want := trainer.Evaluate(), publictree.NewEvaluator(l, 2).Evaluate(weights)
			for p := range 2 {
				if tolerance := 1e-5 * float64(g.MaxBlind()); math.Abs(got.Value[p]-want.Value[p]) > tolerance ||
					math.Abs(got.BestResponse[p]-want.BestResponse[p]) > tolerance {
					t.Errorf("position %d: value %v and best response %v, want %v and %v", p+1, got.Value[p],
						got.BestResponse[p], want.Value[p], want.BestResponse[p])
				}
			}
		})
	}
}

// Any number of threads gives the same bits.
func TestThreads(t *testing.T) {
	g, a := newGame(t, layout(t, pokertest.Game(t, "leduc"))), algorithm("dcfr+")
	a.Quantized = true
	one, three := NewTrainer(g, a, 1), NewTrainer(g, a, 3)
	for range 20 {
		one.Step()
		three.Step()
	}
	if a, b := one.Evaluate(), three.Evaluate(); !reflect.DeepEqual(a, b) {
		t.Errorf("%v on one thread, %v on three", a, b)
	}
}

// A packed entry is a number or one of its neighbours, and on average the number.
func TestPack(t *testing.T) {
	for _, x := range []float32{1, 1.0003, 3.14159, 1e-9, 2e8, 12345.678} {
		mean := 0.0
		for random := range uint32(1) << droppedBits {
			y := unpack(pack(x, random))
			if math.Abs(float64(y/x)-1) > 1./1024 {
				t.Fatalf("%v becomes %v", x, y)
			}
			mean += float64(y) / (1 << droppedBits)
		}
		if math.Abs(mean/float64(x)-1) > 1e-6 {
			t.Errorf("%v is %v on average", x, mean)
		}
	}
	for x, want := range map[float32]float32{0: 0, 1e-20: 0, 1e12: unpack(largest)} {
		if got := unpack(pack(x, 0)); got != want {
			t.Errorf("%v becomes %v, want %v", x, got, want)
		}
	}
}

// Games without limit betting for two, and algorithms whose regrets do not fit, are refused.
func TestRefuses(t *testing.T) {
	three := pokertest.Game(t, "kuhn-3p")
	l := layout(t, three)
	if _, err := New(l.Tree, l.Cards); !errors.As(err, new(*segment.GameError)) {
		t.Errorf("three players: %v", err)
	}
	a := algorithm("dcfr")
	if err := Supports(a); err != nil {
		t.Error(err)
	}
	a.Quantized = true
	if Supports(a) == nil || Supports(algorithm("pcfr+")) == nil {
		t.Error("an algorithm is supported whose regrets have no place")
	}
}
