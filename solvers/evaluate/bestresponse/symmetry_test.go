package bestresponse

import (
	"math"
	"testing"

	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/internal/pokertest"
	"gamebots/solvers/policy"
)

// A strategy with other names of its suits loses the same.
func TestRenamedSuits(t *testing.T) {
	renamedSuits(t, layoutOf(t, pokertest.Holdem(t, 4, 2, 1, 1), abstraction.None))
	renamedSuits(t, layoutWith(t, pokertest.NoLimit(t, 20, 4, 2, 1, 1), betting.FCPA, abstraction.None))
}

func renamedSuits(t *testing.T, l *publictree.Layout) {
	t.Helper()
	weights := randomWeights(l, 9)
	// Without symmetric cards a deck has all boards.
	d := newDeck(l.Tree.Game, false)
	boards := [][]board{{d.root()}}
	for round := 1; round < 3; round++ {
		var next []board
		for i := range boards[round-1] {
			next = append(next, d.extend(&boards[round-1][i], round)...)
		}
		boards = append(boards, next)
	}
	rename := abstraction.Renaming{2, 0, 3, 1}
	to := make([]map[int]int, 3) // buckets, by round
	for round, list := range boards {
		to[round] = map[int]int{}
		for i := range list {
			for _, hole := range d.holes {
				if hole&list[i].all != 0 {
					continue
				}
				deal, renamed := abstraction.Deal{Board: list[i].cards, Hole: hole},
					abstraction.Deal{Hole: rename.Of(hole)}
				for k, cards := range deal.Board {
					renamed.Board[k] = rename.Of(cards)
				}
				to[round][l.Buckets.Bucket(round, deal)] = l.Buckets.Bucket(round, renamed)
			}
		}
	}
	renamed := make([]float32, len(weights))
	moved := 0
	for i := range l.Tree.Nodes {
		n := &l.Tree.Nodes[i]
		if n.Kind != betting.Decision {
			continue
		}
		first, stride := l.Entry(int32(i)), l.Buckets.NumBuckets(int(n.Round))
		for from, to := range to[n.Round] {
			if from != to {
				moved++
			}
			for a := range int(n.NumActions) {
				renamed[first+a*stride+to] = weights[first+a*stride+from]
			}
		}
	}
	if moved == 0 {
		t.Fatal("no information set has another name")
	}
	want, got := exact(t, fromWeights(t, l.Index, weights), 2), exact(t, fromWeights(t, l.Index, renamed), 2)
	for p := range want {
		if math.Abs(got[p]-want[p]) > 1e-6*max(float64(l.Tree.Game.MaxBlind()), want[p]) {
			t.Errorf("position %d: %v, before %v", p+1, got[p], want[p])
		}
	}
}

// With the seats of a game exchanged the same strategy loses the same, from the other seat.
func TestExchangedSeats(t *testing.T) {
	g := pokertest.Holdem(t, 4, 2, 1, 1)
	exchanged := *g
	exchanged.Blind[0], exchanged.Blind[1] = g.Blind[1], g.Blind[0]
	for round := range g.NumRounds {
		exchanged.FirstPlayer[round] = 1 - g.FirstPlayer[round]
	}
	l := layoutOf(t, g, abstraction.Lossless)
	weights := randomWeights(l, 4)
	best, other := exact(t, fromWeights(t, l.Index, weights), 2),
		exact(t, fromWeights(t, layoutOf(t, &exchanged, abstraction.Lossless).Index, weights), 2)
	if best[0] == best[1] || best[0] != other[1] || best[1] != other[0] {
		t.Errorf("%v, with exchanged seats %v", best, other)
	}
}

func fromWeights(t *testing.T, x *policy.Index, weights []float32) *Strategy {
	t.Helper()
	s, err := FromWeights(x, weights, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
