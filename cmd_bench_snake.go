package main

import (
	"context"
	"encoding/binary"
	"hash/fnv"
	"runtime"

	"gamebots/solvers/nmcs"
	"gamebots/solvers/nmcs/morpion"
	"gamebots/solvers/nmcs/snake"
)

// signNMCS searches snakes in every way, and Morpion Solitaire.
func signNMCS(ctx context.Context) (uint64, error) {
	h := fnv.New64a()
	add := func(moves ...nmcs.Move) error { return binary.Write(h, binary.LittleEndian, moves) }
	for _, s := range []snake.Settings{
		{Rules: snake.Rules{Dimension: 7}, Algorithm: snake.NMCS, Level: 2, Leaf: 1},
		{Rules: snake.Rules{Dimension: 9}, Algorithm: snake.NMCS, Level: 1, Leaf: 3, Policy: nmcs.FavourForced},
		{Rules: snake.Rules{Dimension: 6, Coil: true}, Algorithm: snake.NMCS, Level: 2, Leaf: 1},
		{Rules: snake.Rules{Dimension: 6}, Algorithm: snake.NRPA, Level: 2, Iterations: 20},
	} {
		var t nmcs.Tally
		if err := snake.Run(ctx, &t, s, 4, runtime.NumCPU(), nil); err != nil {
			return 0, err
		}
		if err := add(append(t.Best.Moves, nmcs.Move(t.Work.Steps))...); err != nil {
			return 0, err
		}
	}
	beam := snake.Settings{Rules: snake.Rules{Dimension: 7}, Algorithm: snake.BeamSearch, Width: 500}
	found, _, err := snake.Beam(ctx, beam, runtime.NumCPU(), nil)
	if err != nil {
		return 0, err
	}
	if _, err := h.Write(found); err != nil {
		return 0, err
	}
	line, _ := nmcs.NewSearch(morpion.New, 1, 1, nmcs.Uniform).Run(ctx, morpion.New(), 1, nmcs.RunKey(1, 1))
	return h.Sum64(), add(line.Moves...)
}
