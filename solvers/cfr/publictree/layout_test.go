package publictree

import (
	"math"
	"runtime"
	"slices"
	"testing"
	"unsafe"

	"gamebots/acpc"
	"gamebots/internal/memory"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/internal/pokertest"
)

// prepared lays out a game.
func prepared(t testing.TB, g *acpc.Game, kind abstraction.Kind) *Layout {
	t.Helper()
	l, err := Prepare(g, betting.Actions{}, kind, 4<<30)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestSizes counts information sets, and the uniform strategy's exploitability.
func TestSizes(t *testing.T) {
	for _, test := range []struct {
		game     string
		kind     abstraction.Kind
		infoSets int
		uniform  float64
	}{
		{"kuhn", abstraction.Lossless, 12, .4583333333},
		{"kuhn-3p", abstraction.Lossless, 48, 0},
		{"leduc", abstraction.Lossless, 288, 2.373611111},
		{"leduc", abstraction.None, 936, 2.373611111},
		{"rhode-island", abstraction.Lossless, 3937128, 0},
	} {
		l := prepared(t, pokertest.Game(t, test.game), test.kind)
		if n := l.InfoSets(); n != test.infoSets {
			t.Errorf("%s, %v: %d information sets, want %d", test.game, test.kind, n, test.infoSets)
		}
		if test.uniform == 0 {
			continue
		}
		e := NewEvaluator(l, 1).Evaluate(make([]float32, l.Entries))
		if got := e.Exploitability(); math.Abs(got-test.uniform) > 1e-9 {
			t.Errorf("%s, %v: the uniform strategy has exploitability %v, want %v", test.game,
				test.kind, got, test.uniform)
		}
	}
}

// TestTerminalValues compares the fast values of terminal nodes with the sum
// over all deals.
func TestTerminalValues(t *testing.T) {
	for _, g := range []*acpc.Game{pokertest.Game(t, "kuhn"), pokertest.Game(t, "leduc"),
		pokertest.SmallNoLimit(), pokertest.TwoCards()} {
		l := prepared(t, g, abstraction.Lossless)
		quick, slow := NewEvaluator(l, 1), NewEvaluator(l, 1)
		if _, same := quick.traversal.terminals.(*enumerated[float64]); same {
			t.Fatalf("%s has no quick way", g.Name)
		}
		slow.traversal.terminals = newEnumerated[float64](l.Tree.Terminals, l.Cards)
		for seed := range uint64(3) {
			weights := randomWeights(l, seed)
			got, want := quick.Evaluate(weights), slow.Evaluate(weights)
			for p := range got.Value {
				if math.Abs(got.Value[p]-want.Value[p]) > 1e-9 ||
					math.Abs(got.BestResponse[p]-want.BestResponse[p]) > 1e-9 {
					t.Errorf("%s, strategy %d: %v, want %v", g.Name, seed, got, want)
				}
			}
			if sum := got.Value[0] + got.Value[1]; math.Abs(sum) > 1e-9 {
				t.Errorf("%s: values sum to %v", g.Name, sum)
			}
		}
	}
}

// TestEstimate compares the memory that is required beforehand with the bytes that the
// arrays take, in wide trees and in narrow ones.
func TestEstimate(t *testing.T) {
	wide := pokertest.TwoCards()
	wide.Betting, wide.NumRounds, wide.MaxRaises = acpc.NoLimit, 1, [4]uint8{acpc.NoRaiseLimit}
	for _, g := range []*acpc.Game{pokertest.Game(t, "kuhn"), pokertest.Game(t, "leduc"),
		pokertest.Game(t, "rhode-island"), pokertest.SmallNoLimit(), pokertest.TwoCards(), wide} {
		for _, kind := range []abstraction.Kind{abstraction.Lossless, abstraction.None} {
			if g.Name == "rhode-island" && kind == abstraction.None {
				continue // 130M entries
			}
			threads := runtime.GOMAXPROCS(0)
			l := prepared(t, g, kind)
			trained, valued := NewTraversal[float32](l, threads), NewEvaluator(l, threads).traversal
			used := int64(2*4*l.Entries) + traversalBytes(trained) + traversalBytes(valued) // with regrets and sums
			if estimate := Measure(g, l.Tree.Shape, kind).Bytes; estimate < used || estimate > 3*used+1e6 {
				t.Errorf("%s, %v: estimated %s, arrays alone take %s", g.Name, kind, memory.Bytes(estimate),
					memory.Bytes(used))
			}
		}
	}
}

// traversalBytes returns the size of a traversal's vectors.
func traversalBytes[F Float](w *Traversal[F]) int64 {
	floats := 0
	for _, f := range slices.Concat(w.frames, w.workers) {
		floats += len(f.Reach) + len(f.Value) + len(f.Sigma) + len(f.best)
	}
	for k, s := range w.Tree.Segments {
		if s.Round == w.Tree.Game.NumRounds-1 {
			floats += len(w.rootValue[k]) + len(w.rootBest[k])
		}
	}
	return int64(floats) * int64(unsafe.Sizeof(F(0)))
}
