package publictree

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/internal/pokertest"
)

// randomWeights returns a random strategy, with actions that are never played.
func randomWeights(l *Layout, seed uint64) []float32 {
	random := rand.New(rand.NewPCG(seed, 0))
	weights := make([]float32, l.Entries)
	for i := range weights {
		weights[i] = max(0, random.Float32()-.3)
	}
	return weights
}

// The pieces of a strategy, valued by others and in any order, make the value of
// the whole to the same bits.
func TestPieces(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, name := range []string{"leduc", "rhode-island"} {
		l := prepared(t, pokertest.Game(t, name), abstraction.Lossless)
		weights := randomWeights(l, 4)
		want := NewEvaluator(l, 2).Evaluate(weights)
		if l.Pieces() < 2 {
			t.Fatalf("%s has %d pieces", name, l.Pieces())
		}
		type job struct{ player, from, to int }
		var jobs []job
		for p := range l.Tree.Game.NumPlayers {
			for from := 0; from < l.Pieces(); from += 3 {
				jobs = append(jobs, job{p, from, min(from+3, l.Pieces())})
			}
		}
		workers := []*PieceEvaluator{NewPieceEvaluator(l, weights), NewPieceEvaluator(l, weights)}
		got, err := EvaluatePieces(l, weights, 2, func(take func(int, int, []float64) error) error {
			for i, k := range random.Perm(len(jobs)) {
				j := jobs[k]
				values, err := workers[i%2].Value(j.player, j.from, j.to)
				if err != nil {
					return err
				}
				if err := take(j.player, j.from, values); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v of pieces, %v of the whole, error %v", name, got, want, err)
		}
	}
}

// Values that are missing, come twice, or are of no pieces are refused.
func TestPiecesRefused(t *testing.T) {
	l := prepared(t, pokertest.Game(t, "leduc"), abstraction.Lossless)
	weights := make([]float32, l.Entries)
	worker := NewPieceEvaluator(l, weights)
	for _, bad := range [][3]int{{-1, 0, 1}, {2, 0, 1}, {0, -1, 1}, {0, 2, 1}, {0, 0, l.Pieces() + 1}} {
		if _, err := worker.Value(bad[0], bad[1], bad[2]); err == nil {
			t.Errorf("pieces %v are valued", bad)
		}
	}
	one, err := worker.Value(0, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	for name, give := range map[string]func(take func(int, int, []float64) error) error{
		"missing": func(take func(int, int, []float64) error) error { return take(0, 0, one) },
		"twice": func(take func(int, int, []float64) error) error {
			if err := take(0, 0, one); err != nil {
				t.Error(err)
			}
			return take(0, 0, one)
		},
		"too few":   func(take func(int, int, []float64) error) error { return take(0, 0, one[1:]) },
		"no player": func(take func(int, int, []float64) error) error { return take(2, 0, one) },
		"no piece":  func(take func(int, int, []float64) error) error { return take(0, l.Pieces(), one) },
	} {
		if _, err := EvaluatePieces(l, weights, 1, give); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// At the root the values of the actions, weighted by their probabilities, add up to the
// value of the game.
func TestActionValues(t *testing.T) {
	for _, name := range []string{"kuhn", "leduc", "kuhn-3p"} {
		l := prepared(t, pokertest.Game(t, name), abstraction.Lossless)
		weights := randomWeights(l, 3)
		e := NewEvaluator(l, 2)
		values := e.ActionValues(weights)
		root := &l.Tree.Nodes[0]
		first, stride := l.Entry(0), l.Cards.Rounds[0].Stride
		sum := 0.0
		for b, weight := range l.Cards.Rounds[0].Weight {
			total, value := 0.0, 0.0
			for a := range int(root.NumActions) {
				at := first + a*stride + b
				total += float64(weights[at])
				value += float64(weights[at]) * values[at]
			}
			if weight > 0 {
				sum += weight * value / total
			}
		}
		if want := e.Evaluate(weights).Value[root.Actor]; math.Abs(sum-want) > 1e-9 {
			t.Errorf("%s: the root's actions are worth %g, the game %g", name, sum, want)
		}
	}
}
