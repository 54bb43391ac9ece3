package mcts

import (
	"slices"
	"sync"
	"testing"
)

// advisedTicTacToe is tic-tac-toe with an adviser that likes one move everywhere and values
// all positions alike. It counts how often it was asked about each.
type advisedTicTacToe struct {
	*ticTacToe
	likes Move
	prior float32
	value float32

	mutex sync.Mutex
	asked map[[2]uint16]int
}

func (g *advisedTicTacToe) Expander() Expander {
	return &ticTacToeAdviser{ticTacToeExpander{root: g.ticTacToe}, g}
}

type ticTacToeAdviser struct {
	ticTacToeExpander
	game *advisedTicTacToe
}

func (a *ticTacToeAdviser) Advise(path []Move, moves []Candidate) ([]Candidate, float32, bool) {
	a.Candidates(path, nil)
	a.game.mutex.Lock()
	a.game.asked[a.now.now]++
	a.game.mutex.Unlock()
	return append(moves, Candidate{Move: a.game.likes, Prior: a.game.prior}), a.game.value, true
}

// advised runs a search with an adviser who is asked after 20 simulations.
func advised(t *testing.T, g *advisedTicTacToe, simulations, batch, threads int) *Search {
	t.Helper()
	g.ticTacToe, g.asked = &ticTacToe{}, map[[2]uint16]int{}
	s := New(g, &randomPlayouts{game: g.ticTacToe, threads: threads},
		Options{AdviseAfter: 20, Batch: batch, Threads: 1 + threads, Memory: 1 << 20})
	if err := s.Run(t.Context(), simulations); err != nil {
		t.Fatal(err)
	}
	return s
}

// A move that the adviser likes is tried more, and all the same loses its bonus with time.
func TestAdvisedPrior(t *testing.T) {
	visits := func(prior float32) int {
		g := &advisedTicTacToe{likes: 1, prior: prior, value: 0.5}
		for _, s := range advised(t, g, 100, 1, 0).Stats() {
			if s.Move == 1 {
				return s.Simulations
			}
		}
		return 0
	}
	without, with := visits(0), visits(2)
	if with < 2*without || with < 50 {
		t.Errorf("%d simulations of a move that is liked, %d without the prior", with, without)
	}
	if best := advised(t, &advisedTicTacToe{likes: 1, prior: 2, value: 0.5}, 5000, 1, 0).Best(); best == 1 {
		t.Errorf("the search plays the weaker move that is liked")
	}
}

// The adviser's value of the positions after moves changes the values of those moves.
func TestAdvisedValue(t *testing.T) {
	rootValue := func(v float32) float32 {
		s := advised(t, &advisedTicTacToe{value: v}, 300, 1, 0)
		return slices.Max(s.tree.stat(s.tree.root, value))
	}
	if good, bad := rootValue(0), rootValue(1); good < bad+0.01 {
		t.Errorf("the best value is %v where the opponent loses everywhere, %v where it wins", good, bad)
	}
}

// The adviser is asked about the root, also after a move, and about each other position once
// it has 20 simulations, and the tree does not depend on threads.
func TestAsked(t *testing.T) {
	var first []float32
	for threads := range 3 {
		g := &advisedTicTacToe{likes: 2, prior: 0.3, value: 0.4}
		s := advised(t, g, 2000, 32, threads)
		tree := appendTree(nil, s.tree, s.tree.root)
		if threads == 0 {
			first = tree
		} else if !slices.Equal(tree, first) {
			t.Errorf("%d threads grow another tree", threads+1)
		}
		if g.asked[[2]uint16{}] != 1 || len(g.asked) < 10 || len(g.asked) > 400 {
			t.Errorf("asked %d times about the root, and about %d positions", g.asked[[2]uint16{}], len(g.asked))
		}
		root := len(g.asked)
		s.Advance(s.Stats()[8].Move)
		if got := len(g.asked); got != root && got != root+1 || g.asked[g.root] != 1 {
			t.Errorf("asked %d times about the root after a move", g.asked[g.root])
		}
	}
}
