// Search runs Monte-Carlo tree search on a game of one's own, and proves the best move. Two players take one to three
// counters in turn, and the player who takes the last one wins. A game implements mcts.Game and mcts.Expander, and an
// evaluator of leaves mcts.Evaluator.
//
//	go run ./examples/search
package main

import (
	"context"
	"fmt"
	"log"
	"math/rand/v2"

	"gamebots/solvers/mcts"
)

type countdown struct{ counters int }

func (g *countdown) NumMoves() int           { return 3 } // move m takes m+1 counters
func (g *countdown) Advance(m mcts.Move)     { g.counters -= int(m) + 1 }
func (g *countdown) Expander() mcts.Expander { return g }

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

// playouts evaluates leaves by random games.
type playouts struct{ game *countdown }

func (e playouts) Start(leaves []*mcts.Leaf, n int) {
	for _, l := range leaves {
		points := uint32(0) // two for each win of the player to move at the leaf
		for i := range n {
			rng := rand.New(rand.NewPCG(l.FirstPlayout+uint64(i), 0))
			turn := 0
			for left := e.game.after(l.Path); left > 0; turn ^= 1 {
				left -= 1 + rng.IntN(min(3, left))
			}
			if turn == 1 {
				points += 2
			}
		}
		l.Set(n, points, [2][]uint32{})
	}
}

func (playouts) Wait() error     { return nil }
func (playouts) Read(*mcts.Leaf) {}

func main() {
	game := &countdown{counters: 10}
	search := mcts.New(game, playouts{game}, mcts.Options{RAVE: -1, Explore: 1, Memory: 1 << 20})
	if err := search.Run(context.Background(), 10_000); err != nil {
		log.Fatal(err)
	}
	fmt.Println("take", search.Best()+1, "proved:", search.Proof() == mcts.Win)
}
