package main

import (
	"context"
	"fmt"
	"runtime"

	"gamebots/hexproto/havannah"
	"gamebots/hexproto/nim"
	"gamebots/internal/rng"
	"gamebots/solvers/hexnet"
	"gamebots/solvers/hexsearch"
	"gamebots/solvers/minimax"
	"gamebots/solvers/nmcs/snake"
	"gamebots/solvers/selfplay"
)

// signMinimax searches Nim and Havannah in every way.
func signMinimax(ctx context.Context, method methods) {
	h := method("")
	board := must(havannah.New(3))
	for _, o := range []minimax.Options{
		{Plain: true}, {}, {Unbounded: true}, {TableBits: 16}, {Deepen: true, TableBits: 16},
		{Split: true, Threads: runtime.NumCPU(), Every: true},
	} {
		for _, rules := range []nim.Rules{{}, {Misere: true, MaxTake: 3}} {
			o.Depth = 5
			r := must(minimax.Search(ctx, func() *minimax.Nim { return minimax.NewNim(rules, nim.Rows(4)) }, o))
			fmt.Fprintln(h, r)
		}
		o.Depth = 3
		r := must(minimax.Search(ctx, func() *minimax.Havannah { return minimax.NewHavannah(board) }, o))
		fmt.Fprintln(h, r)
	}
}

// smallNet is the network of signatures.
var smallNet = hexnet.Config{Blocks: 2, Channels: 16}

// planes returns planes of boards. Their values do not matter to the time.
func planes(s *hexnet.Shape, boards int) []uint8 {
	stream := rng.Stream(1)
	all := make([]uint8, boards*s.Cells*hexnet.Planes)
	for i := range all {
		all[i] = uint8(stream.IntN(2) * hexnet.Unit)
	}
	return all
}

// signHexnet values boards by a network, and lets it learn.
func signHexnet(_ context.Context, method methods) {
	const side, number = 4, 8
	h := method("")
	grid := must(havannah.GridOf(side))
	shape, draws := hexsearch.ShapeOf(grid), rng.Stream(2)
	boards := planes(shape, number)
	targets := hexnet.Targets{
		Reply: make([]int16, number), Structure: make([]int8, number*shape.Cells),
		Value: make([]float32, number), Kinds: make([]uint8, number),
	}
	for range number * shape.Cells {
		targets.Policy = append(targets.Policy, 1/float32(shape.Cells))
	}
	for i := range number {
		targets.Reply[i], targets.Value[i] = int16(draws.IntN(shape.Cells)), float32(draws.IntN(3)-1)
		targets.Kinds[i] = uint8(draws.IntN(4))
	}
	trainer := hexnet.NewTrainer(hexnet.NewState(hexnet.New(smallNet, 1)), runtime.NumCPU())
	for range 3 {
		losses := must(trainer.Step(shape, boards, &targets, 1e-3))
		fmt.Fprintf(h, "%.6f ", losses.Total()) // a loss has a logarithm, which machines round differently
	}
	state := must(trainer.State())
	sign(h, state.Net.Parameters, state.Average, state.Momentum, state.Variance)
	var o hexnet.Outputs
	check(hexnet.NewEvaluator(state.Net, shape, runtime.NumCPU()).Evaluate(boards, &o))
	sign(h, o.Policy, o.Reply, o.Own, o.Other, o.Value, o.Kinds)
}

// signGumbel plays games of Havannah by a network that has learned nothing.
func signGumbel(_ context.Context, method methods) {
	h := method("")
	for _, side := range []int{3, 4} {
		board := must(havannah.New(side))
		shape := hexsearch.ShapeOf(board.Grid())
		e := hexnet.NewEvaluator(hexnet.New(smallNet, 1), shape, runtime.NumCPU())
		s, random := hexsearch.NewSearch(board.Grid()), rng.Stream(side)
		policy := make([]float32, shape.Cells+1) // the swap is the last move
		var o hexnet.Outputs
		for move := 0; move < 12 && !board.Over(); move++ {
			for s.Start(board, 48, &random); s.Next(); {
				check(e.Evaluate(s.Planes(), &o))
				s.Set(&o, 0)
			}
			s.Policy(policy)
			fmt.Fprintln(h, s.Best(), s.Proof(), s.Value())
			sign(h, policy)
			check(board.Play(s.Move(s.Best())))
		}
	}
}

// signSelfplay lets a network learn from games against itself.
func signSelfplay(_ context.Context, method methods) {
	h := method("")
	settings := selfplay.Settings{Config: smallNet, Sides: []int{3, 4}, Seed: 1, Games: 8}
	t := must(selfplay.New(settings, selfplay.Options{Threads: runtime.NumCPU()}))
	defer t.Close() // nothing is left to be written
	for range 4 {
		must(t.Step())
	}
	net := must(t.Net())
	fmt.Fprintln(h, t.Played())
	sign(h, net.Parameters)
}

// signNMCS signs nested searches for snakes.
func signNMCS(ctx context.Context, method methods) {
	var t snake.Tally
	s := snake.Settings{Dimension: 7, Level: 2, Leaf: 1}
	check(snake.Run(ctx, &t, s, 4, runtime.NumCPU(), nil))
	sign(method("nmcs"), append(t.Best.Moves, snake.Move(t.Work.Steps)))
}
