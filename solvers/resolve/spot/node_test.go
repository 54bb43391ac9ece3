package spot

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gamebots/acpc/card"
	"gamebots/solvers/resolve/spot/internal/layout"
)

// What At says of a point is what the reference finds there, whatever the names of suits.
func TestAt(t *testing.T) {
	s := testSpot(t, "Td9d6hQh", "88,KsJs:0.5,KcJc:0.5,A5s", "QQ,T9s,AsKs,AcKc", 200, 500, "60", "a")
	solver := testSolver(t, s, "dcfr", 20, 1)
	r := newReference(solver)
	for _, line := range []string{"", "x", "b120", "x b120 c 2s", "x b120 c 2c b264", "x-x-Ah-b120"} {
		n, err := solver.Solution().At(line)
		if err != nil {
			t.Fatal(err)
		}
		p, err := solver.find(line)
		if err != nil {
			t.Fatal(err)
		}
		if n.Pot != s.Pot+p.put[0]+p.put[1] || len(n.Board) != len(p.cards) {
			t.Errorf("%q: pot %d, board %v", line, n.Pot, n.Board)
		}
		for player := range 2 {
			other := make([]float64, len(r.holes[1-player]))
			for j, y := range r.holes[1-player] {
				for _, h := range n.Hands[1-player] {
					if h.Hole == y {
						other[j] = h.Weight
					}
				}
			}
			values := r.values(p, player, other)
			for i, x := range r.holes[player] {
				for _, h := range n.Hands[player] {
					if h.Hole != x || h.Opposing < 1e-6 {
						continue
					}
					if want := values[i]/h.Opposing + 100 + float64(p.put[player]); math.Abs(h.Value-want) > 1e-2 {
						t.Errorf("%q: %v wins %g, want %g", line, x, h.Value, want)
					}
					for a, q := range h.Probabilities {
						if want := r.probability(p, &solver.Streets[p.street].Nodes[p.node],
							x, a); math.Abs(q-want) > 1e-6 {
							t.Errorf("%q: %v plays %v with %g, want %g", line, x, n.Actions[a], q, want)
						}
					}
				}
			}
		}
	}
}

// Equities count all boards that can still come.
// TestReached multiplies probabilities along lines, and averages over the next card.
func TestReached(t *testing.T) {
	s := testSpot(t, "QsJh2h8d", "AA,AhKh:0.5,T9s,76s", "KK,AsQs,J9s:0.25,54s", 100, 300, "50,a", "60")
	solution := testSolver(t, s, "dcfr", 30, 1).Solution()
	at := func(line string) *Node {
		n, err := solution.At(line)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	root := at("")
	if root.Reached != 1 {
		t.Errorf("the root is reached in %g", root.Reached)
	}
	p := root.Summary(0).Probabilities
	sum := 0.0
	for a, action := range root.Actions {
		n := at(action.String())
		if math.Abs(n.Reached-p[a]) > 1e-6 {
			t.Errorf("%v is played by %g and leads to a point of %g", action, p[a], n.Reached)
		}
		sum += n.Reached
	}
	if math.Abs(sum-1) > 1e-6 {
		t.Errorf("the actions lead to points of %g together", sum)
	}
	checked := at("x")
	both := checked.Reached * checked.Summary(1).Probabilities[0]
	mean := 0.0
	for _, c := range card.Deck(4, 13) {
		if !slices.Contains(s.Board, c) {
			n := at("x x " + c.String())
			pairs := 0.0
			for _, h := range n.Hands[0] {
				for _, g := range n.Hands[1] {
					if h.Hole&g.Hole == 0 {
						pairs += s.Ranges[0].Weight(h.Hole) * s.Ranges[1].Weight(g.Hole)
					}
				}
			}
			mean += n.Reached * pairs
		}
	}
	pairs := 0.0
	for _, h := range root.Hands[0] {
		for _, g := range root.Hands[1] {
			if h.Hole&g.Hole == 0 {
				pairs += s.Ranges[0].Weight(h.Hole) * s.Ranges[1].Weight(g.Hole)
			}
		}
	}
	if mean /= 44 * pairs; math.Abs(mean-both) > 1e-6 { // 44 rivers of each deal
		t.Errorf("two checks are %g, and their rivers %g", both, mean)
	}
}

func TestEquity(t *testing.T) {
	s := testSpot(t, "QsJh2h", "AhAs", "Th9h", 10, 100, "100", "")
	n, err := testSolver(t, s, "dcfr", 1, 2).Solution().At("")
	if err != nil {
		t.Fatal(err)
	}

	wins := 0.0
	board, own, other := card.SetOf(s.Board...), n.Hands[0][0].Hole, n.Hands[1][0].Hole
	boards := 0
	card.Subsets(card.Deck(4, 13), 2, func(rest card.Set) {
		if rest&(board|own|other) == 0 {
			boards++
			wins += share(board|rest, own, other)
		}
	})
	if got, want := n.Hands[0][0].Equity, wins/float64(boards); boards != 990 || math.Abs(got-want) > 1e-6 {
		t.Errorf("equity %g, want %g of %d boards", got, want, boards)
	}
	if sum := n.Hands[0][0].Equity + n.Hands[1][0].Equity; math.Abs(sum-1) > 1e-6 {
		t.Errorf("equities add up to %g", sum)
	}
}

func TestLineErrors(t *testing.T) {
	solver := testSolver(t, testSpot(t, "Td9d6hQh", "88", "QQ", 200, 500, "60", "a"), "dcfr", 1, 1)
	for line, step := range map[string]string{
		"b60": "b60", "x x x": "x", "x x Td": "Td", "x x 2": "2", "f": "f", "x b120 f": "",
		"x x": "", "x b120 f x": "x",
	} {
		_, err := solver.Solution().At(line)
		if e := (*LineError)(nil); !errors.As(err, &e) || e.Step != step || e.Hint() == "" {
			t.Errorf("%q: %v", line, err)
		}
	}
}

// Locked probabilities are kept in 16 bits, too, beside regrets of millions of chips.
func TestLockBesideLargeRegrets(t *testing.T) {
	s := testSpot(t, "2c3d7h8sTc", "AA,KK,QhJh,QdJd", "99,55,44", 1_000_000, 1_000_000, "100", "")
	s.Menu.Bets[1][layout.River] = nil
	hole, _ := card.ParseSet("9d9c")
	s.Locks = []Lock{{"b1000000", map[card.Set]map[string]float64{hole: {"f": .97, "c": .03}}}}
	solution := testSolver(t, s, "dcfr/16", 100, 1).Solution()
	strategy, err := solution.Strategy(s.Locks[0].Line)
	if err != nil {
		t.Fatal(err)
	}
	if p := strategy.Probabilities[0][slices.Index(strategy.Hands, hole)]; math.Abs(p-.97) > 1e-6 {
		t.Errorf("folds with %g, want .97", p)
	}
	if e := solution.Exploitability(); e > 3000 {
		t.Errorf("exploitability %g", e)
	}
}

// A hand of nearly no weight plays in 16 bits as in 32.
func TestRareHand(t *testing.T) {
	s := testSpot(t, "QsJh2h8c3d", "AA,KK,T9s:1e-36", "QQ,AK,76s", 100, 100, "50,100", "60")
	value := func(algorithm string) float64 {
		n, err := testSolver(t, s, algorithm, 200, 1).Solution().At("")
		if err != nil {
			t.Fatal(err)
		}
		return n.Hands[0][slices.IndexFunc(n.Hands[0], func(h Hand) bool { return h.Hole.String() == "Ts9s" })].Value
	}
	if x, y := value("dcfr"), value("dcfr/16"); math.Abs(x-y) > .1 {
		t.Errorf("the straight is worth %g chips, in 16 bits %g", x, y)
	}
}

// A hand that always folds to a bet makes all hands bet. The other player's best response
// keeps what is locked.
func TestLock(t *testing.T) {
	s := testSpot(t, "2c3d7h8sTc", "AA,KK,QhJh,QdJd", "99", 100, 100, "100", "")
	s.Menu.Bets[1][layout.River] = nil
	folds := map[card.Set]map[string]float64{}
	for _, h := range []string{"9d9c", "9h9c", "9s9c", "9h9d", "9s9d", "9s9h"} {
		hole, _ := card.ParseSet(h)
		folds[hole] = map[string]float64{"f": 1}
	}
	s.Locks = []Lock{{"b100", folds}}
	for _, algorithm := range []string{"dcfr", "dcfr/16"} {
		e := func() Evaluation { s := testSolver(t, s, algorithm, 200, 1); return s.Solution().Evaluate() }()
		if math.Abs(e.Values[0]-100) > .1 || e.Exploitability() > .1 {
			t.Errorf("%s: %+v", algorithm, e)
		}
	}
	for _, wrong := range []Lock{{"b50", folds}, {"b100 f", folds},
		{"b100", map[card.Set]map[string]float64{3: {"f": .5}}}, {"b100", map[card.Set]map[string]float64{3: {"x": 1}}},
		{"b100", map[card.Set]map[string]float64{1: {"f": 1}}}, {"b100", map[card.Set]map[string]float64{7: {"f": 1}}},
		{"b100", map[card.Set]map[string]float64{3: {"f": 1}}}, // not in the range
	} {
		s.Locks = []Lock{wrong}
		if _, err := New(s, Options{Memory: 1 << 30}); err == nil {
			t.Errorf("%v is no error", wrong)
		}
	}
}

// A hand that blocks the other player's whole range has no value and no equity, and no file or offer knows one.
func TestBlocked(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		var weighted []string
		for _, x := range []string{"AsKs", "AsQs", "AsJs", "As9s", "As8s", "AhKh", "AhQh", "AhJh", "Ah9h", "Ah8h"} {
			weighted = append(weighted, fmt.Sprintf("%s:%.4f", x, rng.Float64()))
		}
		s := testSpot(t, "2c3d7c8d", "AsAh,KcKd,QcQd,JcJd", strings.Join(weighted, ","), 100, 500, "50", "60")
		solver := testSolver(t, s, "dcfr", 10, 1)
		path := filepath.Join(t.TempDir(), "a.spot")
		if err := solver.Save(path, 0); err != nil {
			t.Fatal(err)
		}
		saved, err := OpenSaved(path, 1, 1<<30)
		if err != nil {
			t.Fatal(err)
		}
		for _, solution := range []*Solution{solver.Solution(), saved} {
			for _, line := range []string{"", "x b50", "x-x-2h"} {
				n, err := solution.At(line)
				if err != nil {
					t.Fatal(err)
				}
				for _, h := range n.Hands[0] {
					if h.Hole.String() == "AsAh" && (h.Value != 0 || h.Equity != 0 || h.Opposing != 0) {
						t.Fatalf("%q: %+v", line, h)
					}
				}
			}
		}
	}
}
