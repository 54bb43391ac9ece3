package mcts_test

import (
	"context"
	"fmt"
	"math/rand/v2"

	"gamebots/solvers/mcts"
)

// countdown is a game in which the players take one to three counters in turn. Who takes
// the last one wins. Move m takes m+1 counters.
type countdown struct{ counters int }

func (g *countdown) NumMoves() int           { return 3 }
func (g *countdown) Advance(m mcts.Move)     { g.counters -= int(m) + 1 }
func (g *countdown) Expander() mcts.Expander { return g } // it has no state of its own

// after returns the counters left after a path from the root.
func (g *countdown) after(path []mcts.Move) int {
	left := g.counters
	for _, m := range path {
		left -= int(m) + 1
	}
	return left
}

func (g *countdown) Candidates(path []mcts.Move, moves []mcts.Candidate) []mcts.Candidate {
	left := g.after(path)
	for m := range min(3, left) {
		c := mcts.Candidate{Move: mcts.Move(m)}
		if m+1 == left {
			c.Proof = mcts.Win
		}
		moves = append(moves, c)
	}
	return moves
}

// randomPlayouts is an evaluator that plays at once, on the calling goroutine.
type randomPlayouts struct{ game *countdown }

func (e randomPlayouts) Start(leaves []*mcts.Leaf, n int) {
	for _, l := range leaves {
		points := uint32(0)
		for i := range n {
			rng := rand.New(rand.NewPCG(l.FirstPlayout+uint64(i), 0))
			turn := 0 // 0 moves first at the leaf
			for left := e.game.after(l.Path); left > 0; turn ^= 1 {
				left -= 1 + rng.IntN(min(3, left))
			}
			if turn == 1 { // player 0 took the last counter
				points += 2
			}
		}
		l.Set(n, points, [2][]uint32{}) // without counts for RAVE
	}
}

func (randomPlayouts) Wait() error     { return nil }
func (randomPlayouts) Read(*mcts.Leaf) {}

// A game of one's own is a Game, an Expander and an Evaluator.
func Example() {
	game := &countdown{counters: 10}
	search := mcts.New(game, randomPlayouts{game}, mcts.Options{RAVE: -1, Explore: 1, Memory: 1 << 20})
	if err := search.Run(context.Background(), 10_000); err != nil {
		fmt.Println(err)
		return
	}
	best := search.Best()
	fmt.Println("take", best+1, "proved:", search.Proof() == mcts.Win)
	search.Advance(best)
	fmt.Println("left:", game.counters, "proved:", search.Proof() == mcts.Loss)
	// Output:
	// take 2 proved: true
	// left: 8 proved: true
}
