package bench

import (
	"context"
	"fmt"
	"runtime"

	"gamebots/hexproto/havannah"
	"gamebots/hexproto/nim"
	"gamebots/internal/rng"
	search "gamebots/solvers/havannah"
	"gamebots/solvers/hexnet"
	"gamebots/solvers/minimax"
	"gamebots/solvers/nmcs"
	"gamebots/solvers/nmcs/snake"
	"gamebots/solvers/selfplay"
)

// signMinimax searches Nim and Havannah in every way.
func signMinimax(ctx context.Context, method methods) error {
	h := method("")
	board, err := havannah.New(3)
	if err != nil {
		return err
	}
	for _, o := range []minimax.Options{
		{Plain: true}, {}, {Unbounded: true}, {TableBits: 16}, {Deepen: true, TableBits: 16},
		{Split: true, Threads: runtime.NumCPU(), Every: true},
	} {
		for _, rules := range []nim.Rules{{}, {Misere: true, MaxTake: 3}} {
			o.Depth = 5
			r, err := minimax.Search(ctx, func() *minimax.Nim { return minimax.NewNim(rules, nim.Rows(4)) }, o)
			if err != nil {
				return err
			}
			fmt.Fprintln(h, r)
		}
		o.Depth = 3
		r, err := minimax.Search(ctx, func() *minimax.Havannah { return minimax.NewHavannah(board) }, o)
		if err != nil {
			return err
		}
		fmt.Fprintln(h, r)
	}
	return nil
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
func signHexnet(_ context.Context, method methods) error {
	const side, number = 4, 8
	h := method("")
	grid, err := havannah.GridOf(side)
	if err != nil {
		return err
	}
	shape, draws := search.ShapeOf(grid), rng.Stream(2)
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
		losses, err := trainer.Step(shape, boards, &targets, 1e-3)
		if err != nil {
			return err
		}
		signRounded(h, []float64{losses.Total()}) // a loss has a logarithm, which machines round differently
	}
	state, err := trainer.State()
	if err != nil {
		return err
	}
	sign(h, state.Net.Parameters, state.Average, state.Momentum, state.Variance)
	var o hexnet.Outputs
	if err := hexnet.NewEvaluator(state.Net, shape, runtime.NumCPU()).Evaluate(boards, &o); err != nil {
		return err
	}
	sign(h, o.Policy, o.Reply, o.Own, o.Other, o.Value, o.Kinds)
	return nil
}

// signGumbel plays games of Havannah by a network that has learned nothing.
func signGumbel(_ context.Context, method methods) error {
	h := method("")
	for _, side := range []int{3, 4} {
		board, err := havannah.New(side)
		if err != nil {
			return err
		}
		shape := search.ShapeOf(board.Grid())
		e := hexnet.NewEvaluator(hexnet.New(smallNet, 1), shape, runtime.NumCPU())
		s, random := search.NewSearch(board.Grid()), rng.Stream(side)
		policy := make([]float32, shape.Cells+1) // the swap is the last move
		var o hexnet.Outputs
		for move := 0; move < 12 && !board.Over(); move++ {
			for s.Start(board, 48, &random); s.Next(); {
				if err := e.Evaluate(s.Planes(), &o); err != nil {
					return err
				}
				s.Set(&o, 0)
			}
			s.Policy(policy)
			fmt.Fprintln(h, s.Best(), s.Proof(), s.Value())
			sign(h, policy)
			if err := board.Play(s.Move(s.Best())); err != nil {
				return err
			}
		}
	}
	return nil
}

// signSelfplay lets a network learn from games against itself.
func signSelfplay(_ context.Context, method methods) error {
	h := method("")
	settings := selfplay.Settings{Config: smallNet, Sides: []int{3, 4}, Seed: 1, Games: 8}
	t, err := selfplay.New(settings, selfplay.Options{Threads: runtime.NumCPU()})
	if err != nil {
		return err
	}
	defer t.Close() // nothing is left to be written
	for range 4 {
		if _, err := t.Step(); err != nil {
			return err
		}
	}
	net, err := t.Net()
	if err != nil {
		return err
	}
	fmt.Fprintln(h, t.Played())
	sign(h, net.Parameters)
	return nil
}

// signNMCS signs nested searches for snakes.
func signNMCS(ctx context.Context, method methods) error {
	var t nmcs.Tally
	s := snake.Settings{Dimension: 7, Level: 2, Leaf: 1}
	if err := snake.Run(ctx, &t, s, 4, runtime.NumCPU(), nil); err != nil {
		return err
	}
	sign(method("nmcs"), append(t.Best.Moves, nmcs.Move(t.Work.Steps)))
	return nil
}
