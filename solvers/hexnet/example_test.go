package hexnet_test

import (
	"fmt"

	"gamebots/solvers/hexnet"
)

// A network learns what a stone on a board of three cells, which all touch each other, is worth: with it
// the player to move wins, and without it the game is lost.
func Example() {
	shape := hexnet.NewShape(2, 3, func(cell, direction int) int {
		return [3][6]int{{1, 2, 3, 3, 3, 3}, {3, 3, 2, 0, 3, 3}, {3, 3, 3, 3, 0, 1}}[cell][direction]
	})
	boards := make([]uint8, 2*shape.Cells*hexnet.Planes)
	boards[hexnet.Planes] = hexnet.Unit // plane 0 of cell 1 of the first board: the stone
	targets := &hexnet.Targets{
		Policy: make([]float32, 2*shape.Cells), Reply: []int16{-1, -1}, Structure: make([]int8, 2*shape.Cells),
		Value: []float32{1, -1}, Kinds: make([]uint8, 2),
	}
	trainer := hexnet.NewTrainer(hexnet.NewState(hexnet.New(hexnet.Config{Blocks: 1, Channels: 16}, 1)), 1)
	for range 100 {
		if _, err := trainer.Step(shape, boards, targets, 0.01); err != nil {
			fmt.Println(err)
			return
		}
	}
	state, err := trainer.State()
	if err != nil {
		fmt.Println(err)
		return
	}
	var outputs hexnet.Outputs
	if err := hexnet.NewEvaluator(state.Net, shape, 1).Evaluate(boards, &outputs); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%+.1f\n", outputs.Value)
	// Output:
	// [+1.0 -1.0]
}
