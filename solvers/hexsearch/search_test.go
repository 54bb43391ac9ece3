package hexsearch_test

import (
	"slices"
	"testing"

	"gamebots/hexproto/havannah"
	"gamebots/internal/rng"
	"gamebots/solvers/hexnet"
	"gamebots/solvers/hexsearch"
	"gamebots/solvers/mcts"
)

func boardOf(t *testing.T, text string) *havannah.Board {
	t.Helper()
	r, err := havannah.ParseRecord(text)
	if err != nil {
		t.Fatal(err)
	}
	return &r.Board
}

// run searches a board by a network, and returns the number of evaluations.
func run(
	s *hexsearch.Search, b *havannah.Board, evaluations int, random *rng.Stream,
	outputs func(planes []uint8) *hexnet.Outputs,
) (n int) {
	for s.Start(b, evaluations, random); s.Next(); n++ {
		s.Set(outputs(s.Planes()), 0)
	}
	return n
}

// value returns a network that has a value for every position, and uniform logits.
func value(v float32) func([]uint8) *hexnet.Outputs {
	return func(planes []uint8) *hexnet.Outputs {
		return &hexnet.Outputs{Policy: make([]float32, len(planes)/hexnet.Planes), Value: []float32{v}}
	}
}

// The second player swaps a first stone that the network thinks is strong, and no other. A
// stone that was set up cannot be swapped.
func TestSwap(t *testing.T) {
	for _, test := range []struct {
		position string
		value    float32
		swaps    bool
	}{
		{"side=4 : d4", -0.8, true},
		{"side=4 : d4", 0.8, false},
		{"side=4 aw=d4 pl=black :", -0.8, false},
	} {
		b := boardOf(t, test.position)
		s := hexsearch.NewSearch(b.Grid())
		run(s, b, 1, nil, value(test.value))
		if got := s.Move(s.Best()) == havannah.Swap; got != test.swaps {
			t.Errorf("%s with value %v: move %d, swap %v", test.position, test.value, s.Best(), got)
		}
	}
}

// Threats are seen without an evaluation: a win, a forced move and a loss.
func TestProofsCostNothing(t *testing.T) {
	for _, test := range []struct {
		position, move string
		proof          mcts.Proof
	}{
		{"side=4 : a1 d1 a2 d2 a3 d4", "a4", mcts.Win},
		{"side=4 : a1 d1 a2 d2 a3", "a4", mcts.Unknown},
		{"side=4 aw=a1,a2,a3,b1,c1 ab=g5,g6,f3,f5 pl=black :", "d1", mcts.Loss},
	} {
		b := boardOf(t, test.position)
		s := hexsearch.NewSearch(b.Grid())
		n := run(s, b, 10, nil, value(0))
		if move := b.Grid().Format(s.Move(s.Best())); n != 0 || move != test.move || s.Proof() != test.proof {
			t.Errorf("%s: %d evaluations, move %s, proof %d", test.position, n, move, s.Proof())
		}
	}
}

// A batch has the positions that Next goes to one by one, on any number of threads.
func TestNextBatch(t *testing.T) {
	b := boardOf(t, "side=5 : c3 d5 e5 b2")
	g := b.Grid()
	size := g.NumCells * hexnet.Planes
	answer := func(planes []uint8) *hexnet.Outputs {
		o := value(0.1)(planes)
		for i, plane := range planes {
			o.Policy[i/hexnet.Planes] += float32(plane) / hexnet.Unit
		}
		return o
	}
	for _, threads := range []int{1, 3} {
		one, batch := hexsearch.NewSearch(g), hexsearch.NewSearch(g)
		randomOne, randomBatch := rng.Stream(1), rng.Stream(1)
		batch.Threads, one.InFlight, batch.InFlight = threads, 4, 4
		one.Start(b, 300, &randomOne)
		most := 0
		for batch.Start(b, 300, &randomBatch); ; {
			n := batch.NextBatch(20)
			for i := range n {
				if !one.Next() || !slices.Equal(one.Planes(), batch.Planes()[i*size:][:size]) {
					t.Fatalf("%d threads: another position %d of a batch of %d", threads, i, n)
				}
			}
			for i := range n {
				o := answer(batch.Planes()[i*size:][:size])
				one.Set(o, 0)
				batch.Set(o, 0)
			}
			if most = max(most, n); n == 0 {
				break
			}
		}
		if one.Next() || one.Best() != batch.Best() || randomOne != randomBatch || most < 20 {
			t.Errorf("%d threads: moves %d and %d, batches of up to %d", threads, one.Best(), batch.Best(), most)
		}
	}
}

// Under whatever symmetry the network sees a position, its answer is for the cells of the
// board.
func TestSymmetries(t *testing.T) {
	const other = 1 // the plane of the opponent's stones
	b := boardOf(t, "side=4 aw=a2 pl=black :")
	g := b.Grid()
	stone, beside := 1, 2 // a2, which has twelve images, and a3
	s, random, seen := hexsearch.NewSearch(g), rng.Stream(3), map[int]bool{}
	prefersBeside := func(planes []uint8) *hexnet.Outputs {
		o := value(0)(planes)
		for i, image := range hexsearch.Symmetries(g) {
			if planes[int(image[stone])*hexnet.Planes+other] != 0 {
				o.Policy[image[beside]] = 30
				seen[i] = true
			}
		}
		return o
	}
	for range 30 {
		run(s, b, 1, &random, prefersBeside)
		if got := s.Move(s.Best()); got != havannah.Move(beside) {
			t.Fatalf("move %s, not %s", g.Format(got), g.Format(havannah.Move(beside)))
		}
	}
	if len(seen) < havannah.NumSymmetries/2 {
		t.Errorf("%d symmetries were seen", len(seen))
	}
}
