package minimax_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"gamebots/hexproto/havannah"
	"gamebots/hexproto/nim"
	"gamebots/internal/testkit"
	"gamebots/solvers/minimax"
)

// The numbers of nodes of plain alpha-beta at depth 7, and with a table, unless
// entries lose their slots to others.
var nodes = []struct {
	rows         int
	naive, table uint64
}{{2, 25, 19}, {3, 3335, 341}, {4, 20072, 2352}, {5, 127856, 12607}, {6, 694389, 53262}, {7, 2790886, 0}, {8, 9069866,
	0}}

func TestNimNodes(t *testing.T) {
	for _, c := range nodes {
		for _, o := range []minimax.Options{{}, {TableBits: 20}} {
			if o.TableBits > 0 && c.table == 0 {
				continue
			}
			o.Depth, o.Unbounded = 7, true
			r, err := minimax.Search(t.Context(),
				func() *minimax.Nim { return minimax.NewNim(nim.Rules{}, nim.Rows(c.rows)) }, o)
			want := c.naive
			if o.TableBits > 0 {
				want = c.table
			}
			if err != nil || r.Nodes != want {
				t.Errorf("%d rows, %+v: %d nodes, want %d: %v", c.rows, o, r.Nodes, want, err)
			}
		}
	}
}

func TestNimAgreesWithXOR(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for range 300 {
		r := nim.Rules{Misere: rng.IntN(2) == 0, MaxTake: rng.IntN(5)}
		h := nim.Heaps(0)
		for i := range 1 + rng.IntN(4) {
			h |= nim.Heaps(rng.IntN(6)) << (4 * i)
		}
		res, err := minimax.Search(t.Context(), func() *minimax.Nim { return minimax.NewNim(r, h) },
			minimax.Options{TableBits: 16})
		if err != nil || !res.Proven || (res.Score == minimax.Loss) != r.Lost(h) || res.Score == 0 {
			t.Fatalf("%+v %x: %+v, lost by the rule: %v; %v", r, h, res, r.Lost(h), err)
		}
		if best, _ := r.Best(h); h != 0 && res.Best != best {
			t.Errorf("%+v %x: best move %v, by the rule %v", r, h, res.Best, best)
		}
	}
}

// rateOpenings scores all first moves of a side.
func rateOpenings(t *testing.T, side int) map[string]minimax.Score {
	t.Helper()
	b, err := havannah.New(side)
	if err != nil {
		t.Fatal(err)
	}
	r, err := minimax.Search(t.Context(), func() *minimax.Havannah { return minimax.NewHavannah(b) },
		minimax.Options{Split: true, Every: true, Threads: 2, TableBits: 20})
	if err != nil {
		t.Fatal(err)
	}
	scores := map[string]minimax.Score{}
	for _, rating := range r.Ratings {
		if !rating.Proven {
			t.Errorf("side %d: %s is not proven", side, b.Grid().Format(rating.Move))
		}
		scores[b.Grid().Format(rating.Move)] = rating.Score
	}
	return scores
}

func TestHavannahSide2(t *testing.T) {
	for move, score := range rateOpenings(t, 2) {
		if (score == minimax.Win) != (move != "b2") || score == 0 {
			t.Errorf("%s has score %d", move, score)
		}
	}
}

// A position has the key of its mirror images, and others have other keys.
func TestHavannahKeys(t *testing.T) {
	b, err := havannah.New(3)
	if err != nil {
		t.Fatal(err)
	}
	keys := map[uint64][]string{}
	g := minimax.NewHavannah(b)
	for _, m := range g.AppendMoves(nil) {
		g.Make(m)
		keys[g.Key()] = append(keys[g.Key()], b.Grid().Format(m))
		g.Unmake()
	}
	if got := fmt.Sprint(keys); len(keys) != 4 || !strings.Contains(got, "[a1 a3 c1 c5 e3 e5]") ||
		!strings.Contains(got, "[c3]") {
		t.Errorf("the openings of side 3 are alike in %v", got)
	}
	again := minimax.NewHavannah(b)
	if g.Key() != again.Key() {
		t.Error("the key of the empty board has changed")
	}
}

// The openings of sides 2 and 3 by the thesis that solved them.
func TestReferenceHavannahOpenings(t *testing.T) {
	scores := map[int]map[string]minimax.Score{2: rateOpenings(t, 2), 3: rateOpenings(t, 3)}
	seen := 0
	testkit.EachLine(t, testkit.ReferenceFiles(t, "havannah/solved-openings.txt")[0], func(location, line string) {
		var side int
		var winner string
		if n, _ := fmt.Sscanf(line, "side=%d %s :", &side, &winner); n < 2 || scores[side] == nil {
			return
		}
		_, moves, _ := strings.Cut(line, ":")
		for _, move := range strings.Fields(moves) {
			seen++
			if want := map[string]minimax.Score{"white": minimax.Win,
				"black": minimax.Loss}[winner]; scores[side][move] != want {
				t.Errorf("%s: side %d, %s has score %d, %s wins", location, side, move, scores[side][move], winner)
			}
		}
	})
	if seen != 7+19 {
		t.Errorf("the file has %d openings", seen)
	}
}

func BenchmarkNim(b *testing.B) {
	for _, bits := range []int{0, 20} {
		b.Run(fmt.Sprint("table ", bits), func(b *testing.B) {
			for b.Loop() {
				r, err := minimax.Search(b.Context(),
					func() *minimax.Nim { return minimax.NewNim(nim.Rules{}, nim.Rows(8)) },
					minimax.Options{Depth: 7, Unbounded: true, TableBits: bits})
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(r.Nodes), "nodes")
			}
		})
	}
}
