package minimax_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"gamebots/solvers/minimax"
)

// graph is a random game without cycles: moves lead to larger numbers. It has many
// transpositions.
type graph struct {
	next   [][]int
	scores []minimax.Score
	path   []int
}

func randomGraph(seed uint64, positions int) *graph {
	rng := rand.New(rand.NewPCG(seed, 0))
	g := &graph{next: make([][]int, positions), scores: make([]minimax.Score, positions), path: []int{0}}
	for p := range positions {
		g.scores[p] = minimax.Score(rng.IntN(7) - 3)
		after := positions - p - 1
		for range rng.IntN(5) {
			if after > 0 {
				g.next[p] = append(g.next[p], p+1+rng.IntN(min(after, 8)))
			}
		}
		if len(g.next[p]) == 0 {
			g.scores[p] = []minimax.Score{minimax.Win, 0, minimax.Loss}[rng.IntN(3)]
		}
	}
	return g
}

func (g *graph) at() int                       { return g.path[len(g.path)-1] }
func (g *graph) AppendMoves(moves []int) []int { return append(moves, g.next[g.at()]...) }
func (g *graph) Make(to int)                   { g.path = append(g.path, to) }
func (g *graph) Unmake()                       { g.path = g.path[:len(g.path)-1] }
func (g *graph) Key() uint64                   { return uint64(g.at()) }
func (g *graph) Score() (minimax.Score, bool)  { return g.ScoreAfter(g.at()) }
func (g *graph) ScoreAfter(to int) (minimax.Score, bool) {
	return g.scores[to], len(g.next[to]) == 0
}

// slow hides the StaticEvaluator of a game.
type slow struct{ g *graph }

func (s slow) AppendMoves(moves []int) []int { return s.g.AppendMoves(moves) }
func (s slow) Make(to int)                   { s.g.Make(to) }
func (s slow) Unmake()                       { s.g.Unmake() }
func (s slow) Score() (minimax.Score, bool)  { return s.g.Score() }

// definition returns the score of a position by the definition of minimax, the first
// best move, the number of nodes, and whether it met the depth limit.
func (g *graph) definition(p, depth int) (best minimax.Score, move int, nodes uint64, open bool) {
	if len(g.next[p]) == 0 {
		return g.scores[p], 0, 0, false
	}
	if depth == 0 {
		return g.scores[p], 0, 0, true
	}
	best = 2 * minimax.Loss
	for _, q := range g.next[p] {
		s, _, n, o := g.definition(q, depth-1)
		nodes += n + 1
		open = open || o
		if -s > best {
			best, move = -s, q
		}
	}
	return best, move, nodes, open
}

func TestSearch(t *testing.T) {
	ctx := t.Context()
	wins := 0
	for seed := range uint64(60) {
		g := randomGraph(seed, 40)
		if len(g.next[0]) == 0 {
			continue
		}
		newGame := func() *graph { return &graph{g.next, g.scores, []int{0}} }
		whole, _, _, _ := g.definition(0, 40)
		for _, depth := range []int{1, 2, 3, 5, 8, 0} {
			limit := depth
			if depth == 0 {
				limit = 40
			}
			score, move, nodes, open := g.definition(0, limit)
			if score == minimax.Win {
				wins++
			}
			for _, o := range []minimax.Options{
				{Plain: true},
				{},
				{Unbounded: true},
				{TableBits: 12},
				{TableBits: 12, Unbounded: true},
				{TableBits: 2}, // has no room for most
				{Split: true},
				{Split: true, Threads: 3},
				{Split: true, Threads: 2, TableBits: 8},
				{Split: true, Threads: 3, Every: true, Plain: true},
			} {
				o.Depth = depth
				name := fmt.Sprintf("seed %d, %+v", seed, o)
				r, err := minimax.Search(ctx, newGame, o)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if r.Score != score || r.Best != move {
					t.Errorf("%s: move %d, score %d; by definition %d, %d", name, r.Best, r.Score, move, score)
				}
				if certain := score == minimax.Win || score == minimax.Loss; r.Proven && score != whole ||
					!r.Proven && (certain || !open) {
					t.Errorf("%s: proven is %v, score %d, limit met %v", name, r.Proven, score, open)
				}
				if o.Plain && r.Nodes != nodes {
					t.Errorf("%s: %d nodes, by definition %d", name, r.Nodes, nodes)
				}
				if o.TableBits == 0 {
					plain, err := minimax.Search(ctx, func() slow { return slow{newGame()} }, o)
					if err != nil || plain.Nodes != r.Nodes || plain.Score != r.Score || plain.Best != r.Best {
						t.Errorf("%s: without looking ahead %+v, with %+v: %v", name, plain, r, err)
					}
				}
			}
			testDeepen(t, newGame, g, seed, limit)
		}
	}
	if wins < 50 {
		t.Errorf("only %d searches were of wins", wins)
	}
}

// testDeepen tests that deepening stops at the first depth that proves a score.
func testDeepen(t *testing.T, newGame func() *graph, g *graph, seed uint64, limit int) {
	t.Helper()
	r, err := minimax.Search(t.Context(), newGame, minimax.Options{Depth: limit, Deepen: true, TableBits: 10})
	if err != nil {
		t.Fatal(err)
	}
	want, _, _, _ := g.definition(0, r.Depth)
	whole, _, _, _ := g.definition(0, 40)
	if r.Score != want || r.Proven && r.Score != whole || !r.Proven && r.Depth != limit {
		t.Errorf("seed %d: deepened to %d of %d: %+v, by definition %d, in the whole game %d", seed, r.Depth, limit, r,
			want, whole)
	}
	if s, _, _, _ := g.definition(0, r.Depth-1); r.Depth > 1 && (s == minimax.Win || s == minimax.Loss) {
		t.Errorf("seed %d: deepened to %d, one depth less proves %d", seed, r.Depth, s)
	}
}

// All moves of the root are scored on request, in the same number of nodes
// whatever the number of threads.
func TestRatings(t *testing.T) {
	for seed := range uint64(30) {
		g := randomGraph(seed, 60)
		if len(g.next[0]) == 0 {
			continue
		}
		newGame := func() *graph { return &graph{g.next, g.scores, []int{0}} }
		var first minimax.Result[int]
		for threads := 1; threads <= 4; threads++ {
			p := new(minimax.Progress)
			r, err := minimax.Search(t.Context(), newGame,
				minimax.Options{Split: true, Every: true, Threads: threads, TableBits: 9, Progress: p})
			if err != nil {
				t.Fatal(err)
			}
			// The root's own moves are no searcher's nodes.
			if n := int64(len(r.Ratings)); p.Moves.Load() != n || p.Done.Load() != n || p.Nodes.Load() > r.Nodes ||
				p.Nodes.Load()+uint64(n) < r.Nodes {
				t.Errorf("seed %d: progress %+v of %+v", seed, p, r)
			}
			if threads == 1 {
				first = r
			}
			if r.Nodes != first.Nodes || len(r.Ratings) != len(g.next[0]) {
				t.Errorf("seed %d: %d threads: %+v, one: %+v", seed, threads, r, first)
			}
			for i, rating := range r.Ratings {
				if want, _, _, _ := g.definition(g.next[0][i], 60); rating.Score != -want || !rating.Proven ||
					rating.Move != g.next[0][i] {
					t.Errorf("seed %d: move %d is rated %+v, want %d", seed, g.next[0][i], rating, -want)
				}
			}
		}
	}
}

// stoppingGraph stops its search once a move of the root is done.
type stoppingGraph struct {
	*graph
	progress *minimax.Progress
	stop     func()
}

func (g stoppingGraph) Make(m int) {
	if g.progress.Done.Load() > 0 {
		g.stop()
	}
	g.graph.Make(m)
}

// A search that is stopped returns what it has found of the moves that are done.
func TestStoppedSearchKeepsRatings(t *testing.T) {
	for seed := range uint64(50) {
		g := randomGraph(seed, 60)
		if len(g.next[0]) < 4 {
			continue
		}
		ctx, stop := context.WithCancel(t.Context())
		p := new(minimax.Progress)
		r, err := minimax.Search(ctx, func() stoppingGraph {
			return stoppingGraph{&graph{g.next, g.scores, []int{0}}, p, stop}
		}, minimax.Options{Split: true, Every: true, Threads: 1, Progress: p})
		if n := len(r.Ratings); !errors.Is(err, context.Canceled) || n == 0 || n == len(g.next[0]) {
			t.Fatalf("seed %d: %d of %d moves, %v", seed, n, len(g.next[0]), err)
		}
		for i, rating := range r.Ratings {
			if want, _, _, _ := g.definition(g.next[0][i], 60); rating.Score != -want || rating.Move != g.next[0][i] {
				t.Errorf("seed %d: move %d is rated %+v, want %d", seed, g.next[0][i], rating, -want)
			}
		}
	}
}

func TestSearchRefuses(t *testing.T) {
	g := randomGraph(1, 30)
	for _, c := range []struct {
		o    minimax.Options
		want string
	}{
		{minimax.Options{Depth: -1}, "depth: -1"},
		{minimax.Options{Depth: minimax.MaxDepth + 1}, "depth: 1001"},
		{minimax.Options{TableBits: 99}, "table: "},
		{minimax.Options{TableBits: -1}, "table: "},
		{minimax.Options{TableBits: 9, Plain: true}, "table: "},
		{minimax.Options{Every: true}, "every move"},
		{minimax.Options{Deepen: true}, "depth: "},
	} {
		_, err := minimax.Search(t.Context(), func() *graph { return g }, c.o)
		if !errors.Is(err, minimax.ErrOptions) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %s", c.o, err, c.want)
		}
	}
	if _, err := minimax.Search(t.Context(), func() slow { return slow{g} },
		minimax.Options{TableBits: 9}); !errors.Is(err, minimax.ErrOptions) {
		t.Errorf("a table without keys: %v", err)
	}
}

func TestSearchStops(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("enough")
	cancel(why)
	g := randomGraph(2, 30)
	for _, o := range []minimax.Options{{}, {Split: true, Threads: 2}} {
		if _, err := minimax.Search(ctx, func() *graph { return &graph{g.next, g.scores, []int{0}} },
			o); !errors.Is(err, why) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

func TestSearchOfTheEnd(t *testing.T) {
	g := &graph{next: make([][]int, 1), scores: []minimax.Score{minimax.Loss}, path: []int{0}}
	r, err := minimax.Search(t.Context(), func() *graph { return g }, minimax.Options{Depth: 3})
	if err != nil || r.Score != minimax.Loss || !r.Proven || r.Nodes != 0 {
		t.Errorf("%+v, %v", r, err)
	}
}
