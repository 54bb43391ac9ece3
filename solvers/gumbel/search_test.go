package gumbel_test

import (
	"math"
	"slices"
	"testing"

	"gamebots/internal/rng"
	"gamebots/solvers/gumbel"
	"gamebots/solvers/mcts"
)

// wythoff is Wythoff's game: two heaps, of which a player takes any number of counters
// from one, or the same number from both. Who takes the last one wins. Move 3n+k takes n+1
// counters from heap 0, heap 1 or both. Only a move that ends the game has a proof.
type wythoff [2]int

const wythoffMoves = 3 * 12

func (w wythoff) after(path []mcts.Move) wythoff {
	for _, m := range path {
		n := int(m)/3 + 1
		if m%3 != 1 {
			w[0] -= n
		}
		if m%3 != 0 {
			w[1] -= n
		}
	}
	return w
}

func (w wythoff) Candidates(path []mcts.Move, moves []mcts.Candidate) []mcts.Candidate {
	at := w.after(path)
	for m := range mcts.Move(wythoffMoves) {
		next := at.after([]mcts.Move{m})
		if min(next[0], next[1]) < 0 {
			continue
		}
		c := mcts.Candidate{Move: m}
		if next == (wythoff{}) {
			c.Proof = mcts.Win
		}
		moves = append(moves, c)
	}
	return moves
}

// lost reports whether the player to move loses: by the golden ratio.
func (w wythoff) lost() bool {
	small, large := min(w[0], w[1]), max(w[0], w[1])
	return small == int(float64(large-small)*math.Phi)
}

// run searches with uniform logits and the given value of positions, and returns the
// number of evaluations.
func run(s *gumbel.Search, w wythoff, evaluations int, random *rng.Stream, value func(wythoff) float32) (n int) {
	s.Start(w, evaluations, random)
	for path, ok := s.Next(); ok; path, ok = s.Next() {
		s.Evaluate(make([]float32, wythoffMoves), value(w.after(path)))
		n++
	}
	return n
}

func exact(w wythoff) float32 {
	if w.lost() {
		return -0.9
	}
	return 0.9
}

func unknown(wythoff) float32 { return 0 }

// With good values a few evaluations find the winning moves among those considered, and
// their policy.
func TestFewEvaluations(t *testing.T) {
	var s gumbel.Search
	policy := make([]float32, wythoffMoves)
	for _, w := range []wythoff{{2, 3}, {5, 4}, {4, 3}, {3, 6}} {
		if n := run(&s, w, 64, nil, exact); n > 64 {
			t.Errorf("%v: %d evaluations", w, n)
		}
		s.Policy(policy)
		sum, good := float32(0), float32(0)
		for m, p := range policy {
			sum += p
			if p > 0 && w.after([]mcts.Move{mcts.Move(m)}).lost() {
				good += p
			}
		}
		if !w.after([]mcts.Move{s.Best()}).lost() || s.Value() < 0.8 || good < 0.9 || math.Abs(float64(sum-1)) > 1e-5 {
			t.Errorf("%v: move %d, value %v, winning moves have %v of %v", w, s.Best(), s.Value(), good, sum)
		}
	}
}

// Without values, many simulations prove small positions, and no proof is wrong.
func TestProofs(t *testing.T) {
	var s gumbel.Search
	random := rng.Stream(1)
	for a := range 7 {
		for b := 1; b < 7; b++ {
			w := wythoff{a, b}
			run(&s, w, 5000, &random, unknown)
			want := mcts.Win
			if w.lost() {
				want = mcts.Loss
			}
			if s.Proof() != want {
				t.Errorf("%v is proved %d, not %d", w, s.Proof(), want)
			}
			if want == mcts.Win && w.after([]mcts.Move{s.Best()}) != (wythoff{}) &&
				!w.after([]mcts.Move{s.Best()}).lost() {
				t.Errorf("%v: move %d does not win", w, s.Best())
			}
			// The line ends the game, or leaves the tree before a move that does.
			end := w.after(s.Line())
			if last := end.Candidates(nil, nil); len(last) > 0 &&
				!slices.ContainsFunc(last, func(c mcts.Candidate) bool { return c.Proof == mcts.Win }) {
				t.Errorf("%v: the line leads to %v", w, end)
			}
		}
	}
}

// A won root costs no evaluation, and neither does a root with one move.
func TestNothingToEvaluate(t *testing.T) {
	var s gumbel.Search
	for _, w := range []wythoff{{0, 1}, {3, 3}} {
		if n := run(&s, w, 10, nil, unknown); n != 0 || s.Proof() != mcts.Win ||
			w.after([]mcts.Move{s.Best()}) != (wythoff{}) {
			t.Errorf("%v: %d evaluations, proof %d, move %d", w, n, s.Proof(), s.Best())
		}
	}
}

// A search that is resized in its first round is that of the new size. Later, what is over stays,
// and the number of evaluations is the new one.
func TestResize(t *testing.T) {
	w, value := wythoff{11, 12}, func(w wythoff) float32 { return float32(w[0]-w[1]) / 20 }
	const size = 200
	var s, want gumbel.Search
	run(&want, w, size, nil, value)
	for _, test := range []struct {
		before, after int // the size at first, and the number of evaluations with it
		same          bool
	}{{1 << 16, 0, true}, {1 << 16, 1, true}, {1 << 16, 30, true}, {60, 3, true}, {60, 55, false}, {2000, 150, false}} {
		s.Start(w, test.before, nil)
		evaluations := 0
		for {
			if evaluations == test.after {
				s.Resize(size)
			}
			path, ok := s.Next()
			if !ok {
				break
			}
			s.Evaluate(make([]float32, wythoffMoves), value(w.after(path)))
			evaluations++
		}
		if evaluations != size {
			t.Errorf("%+v: %d evaluations instead of %d", test, evaluations, size)
		}
		if test.same && (s.Best() != want.Best() || s.Value() != want.Value()) {
			t.Errorf("%+v: move %d with value %v, from the start %d with %v", test, s.Best(), s.Value(),
				want.Best(), want.Value())
		}
	}
	s.Start(w, size, nil)
	s.Resize(1)
	if path, ok := s.Next(); !ok || len(path) > 0 {
		t.Error("the root is not evaluated")
	}
	s.Evaluate(make([]float32, wythoffMoves), 0)
	if _, ok := s.Next(); ok {
		t.Error("more than one evaluation")
	}
}

// The same random stream gives the same search; another one tries other moves.
func TestRandom(t *testing.T) {
	moves := map[mcts.Move]bool{}
	for seed := range 40 {
		var best []mcts.Move
		for range 2 {
			var s gumbel.Search
			random := rng.Stream(seed)
			run(&s, wythoff{8, 11}, 4, &random, unknown)
			best = append(best, s.Best())
		}
		if best[0] != best[1] {
			t.Errorf("seed %d: moves %v", seed, best)
		}
		moves[best[0]] = true
	}
	if len(moves) < 10 {
		t.Errorf("40 seeds play only %d moves", len(moves))
	}
}

// Positions that wait together change nothing: they are after different moves.
func TestWaitTogether(t *testing.T) {
	var alone, together gumbel.Search
	want, got := make([]float32, wythoffMoves), make([]float32, wythoffMoves)
	most := 0
	for seed := range uint64(30) {
		w, logits := wythoff{9, 11}, make([]float32, wythoffMoves)
		value := func(at wythoff) float32 { return float32(rng.At(seed, uint64(100*at[0]+at[1]))>>40)/(1<<23) - 1 }
		random := rng.Stream(seed)
		run(&alone, w, 60, &random, value)
		random = rng.Stream(seed)
		for together.Start(w, 60, &random); ; {
			var waiting []wythoff
			for path, ok := together.Next(); ok; path, ok = together.Next() {
				waiting = append(waiting, w.after(path))
			}
			if most = max(most, len(waiting)); len(waiting) == 0 {
				break
			}
			for _, at := range waiting {
				together.Evaluate(logits, value(at))
			}
		}
		alone.Policy(want)
		together.Policy(got)
		if together.Best() != alone.Best() || !slices.Equal(got, want) {
			t.Errorf("seed %d: move %d with policy %v, not %d with %v", seed, together.Best(), got, alone.Best(), want)
		}
	}
	if most < gumbel.Considered/2 {
		t.Errorf("%d positions wait together", most)
	}
}

// With several positions in flight after a move of the root, batches are larger, and their values
// are as good: the winning moves are found, small positions proved, and all evaluations used.
func TestInFlight(t *testing.T) {
	search := func(s *gumbel.Search, w wythoff, evaluations int, value func(wythoff) float32) (n, most int) {
		var waiting []wythoff
		for s.Start(w, evaluations, nil); ; n++ {
			for len(waiting) < 40 {
				path, ok := s.Next()
				if !ok {
					break
				}
				waiting = append(waiting, w.after(path))
			}
			if len(waiting) == 0 {
				return n, most
			}
			most = max(most, len(waiting))
			s.Evaluate(make([]float32, wythoffMoves), value(waiting[0]))
			waiting = waiting[1:]
		}
	}
	s := gumbel.Search{InFlight: 8}
	policy := make([]float32, wythoffMoves)
	for a := range 9 {
		for b := range 9 {
			w := wythoff{a, b}
			if w == (wythoff{}) {
				continue
			}
			search(&s, w, 1000, exact)
			s.Policy(policy)
			if best := w.after([]mcts.Move{s.Best()}); !w.lost() && best != (wythoff{}) && !best.lost() ||
				s.Value() > 0 == w.lost() {
				t.Errorf("%v: move %d, value %v, policy %v", w, s.Best(), s.Value(), policy)
			}
			if search(&s, w, 5000, unknown); max(a, b) < 6 && (s.Proof() == mcts.Loss) != w.lost() {
				t.Errorf("%v is proved %d", w, s.Proof())
			}
		}
	}
	// A search that ends early prefers visited moves, even if they are bad.
	s.Start(wythoff{11, 12}, 1000, nil)
	for range 5 {
		s.Next()
		s.Evaluate(make([]float32, wythoffMoves), 0.9)
	}
	if s.Value() > 0 {
		t.Errorf("a move without visits is best, with the value %v", s.Value())
	}
	if n, most := search(&s, wythoff{11, 12}, 1000, unknown); n != 1000 || most < 2*gumbel.Considered {
		t.Errorf("%d evaluations, up to %d in flight", n, most)
	}
}

// A search uses all evaluations that it may, unless it proves its root.
func TestBudget(t *testing.T) {
	var s gumbel.Search
	for _, budget := range []int{1, 2, 8, 31, 32, 100} {
		if n := run(&s, wythoff{11, 12}, budget, nil, unknown); n != budget {
			t.Errorf("%d of %d evaluations", n, budget)
		}
	}
}
