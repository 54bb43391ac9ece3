package nmcs_test

import (
	"context"
	"fmt"

	"gamebots/solvers/nmcs"
)

// knight is a knight on a board of five by five squares, which it may enter once each. The
// score is the number of squares entered.
type knight struct {
	square  int
	entered uint32 // a bit per square
	score   int
}

func newKnight() *knight { return &knight{entered: 1, score: 1} }

func (k *knight) AppendMoves(moves []nmcs.Move) []nmcs.Move {
	for _, d := range [8][2]int{{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}} {
		x, y := k.square%5+d[0], k.square/5+d[1]
		if x >= 0 && x < 5 && y >= 0 && y < 5 && k.entered>>(5*y+x)&1 == 0 {
			moves = append(moves, nmcs.Move(5*y+x)) // a move is the square that it enters
		}
	}
	return moves
}

func (k *knight) Play(m nmcs.Move) {
	k.square = int(m)
	k.entered |= 1 << m
	k.score++
}

func (k *knight) CopyFrom(from *knight) { *k = *from }
func (k *knight) Score() int            { return k.score }

// A game of one's own needs four methods.
func Example() {
	search := nmcs.NewSearch(newKnight, 2, 1)
	for level := range 3 {
		best, _ := search.Run(context.Background(), newKnight(), level, nmcs.RunKey(1, 0))
		fmt.Printf("level %d: %d squares\n", level, best.Score)
	}
	// Output:
	// level 0: 16 squares
	// level 1: 23 squares
	// level 2: 24 squares
}

// Runs are counted in a tally.
func ExampleRun() {
	var tally nmcs.Tally
	nmcs.Run(context.Background(), &tally, nmcs.Options{Seed: 1, MaxRuns: 50, Threads: 2}, func() nmcs.Worker {
		return nmcs.NewNested(newKnight, newKnight(), 1, 1)
	}, nil)
	mean, stderr := tally.Mean()
	fmt.Printf("%d runs: mean %.1f ± %.1f, best %d\n", tally.Runs, mean, stderr, tally.Best.Score)
	// Output:
	// 50 runs: mean 23.0 ± 0.2, best 25
}
