package selfplay

import (
	"fmt"

	"gamebots/hexproto/havannah"
	"gamebots/internal/rng"
	"gamebots/solvers/hexnet"
	encoding "gamebots/solvers/hexnet/havannah"
	"gamebots/solvers/playout"
)

// batch is some recorded positions, each under a random symmetry, as a network learns them.
type batch struct {
	grid    *havannah.Grid
	encoder *encoding.Encoder
	planes  []uint8
	targets hexnet.Targets
	policy  []float32 // of a position
	winner  []int8    // of its structure
	plain   []uint8   // its planes
}

func newBatch(g *havannah.Grid) *batch {
	return &batch{grid: g, encoder: encoding.NewEncoder(g), policy: make([]float32, g.NumCells), winner: make([]int8, g.NumCells)}
}

// draw draws positions from a window. An error is that of a window which was read from a
// file.
func (b *batch) draw(w *window, size int, random *rng.Stream) error {
	n := b.grid.NumCells
	b.planes = resize(b.planes, size*n*hexnet.Planes)
	t := &b.targets
	t.Policy, t.Structure = resize(t.Policy, size*n), resize(t.Structure, size*n)
	t.Reply, t.Value, t.Kinds = resize(t.Reply, size), resize(t.Value, size), resize(t.Kinds, size)
	all := encoding.Symmetries(b.grid)
	for i := range size {
		at, turn := w.at(random.IntN(w.size())), all[random.IntN(len(all))]
		if err := b.read(w, at); err != nil {
			return fmt.Errorf("a recorded position: %w", err)
		}
		encoding.Turn(b.planes[i*n*hexnet.Planes:], b.plain, turn, hexnet.Planes)
		encoding.Turn(t.Policy[i*n:], b.policy, turn, 1)
		encoding.Turn(t.Structure[i*n:], b.winner, turn, 1)
		if t.Reply[i] = -1; w.Reply[at] != none {
			t.Reply[i] = turn[w.Reply[at]]
		}
		t.Value[i], t.Kinds[i] = float32(w.Value[at]), w.Kinds[at]
	}
	return nil
}

// resize returns a slice of a length, in the memory of s if there is enough.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// read sets the planes, the policy and the structure of a position of a window.
func (b *batch) read(w *window, at int) error {
	n := b.grid.NumCells
	cells, last := w.Cells[at*n:][:n], int(w.Last[at])
	var own, other []havannah.Move
	for cell, c := range cells {
		b.policy[cell], b.winner[cell] = float32(w.Policy[at*n+cell])/policyUnit, 0
		switch {
		case c&ownStone != 0:
			own = append(own, havannah.Move(cell))
			b.policy[cell] = -1
		case c&otherStone != 0:
			b.policy[cell] = -1
			if cell != last {
				other = append(other, havannah.Move(cell))
			}
		}
		switch {
		case c&ownStructure != 0:
			b.winner[cell] = 1
		case c&otherStructure != 0:
			b.winner[cell] = -1
		}
	}
	board, err := positionOf(b.grid, own, other, last)
	if err != nil {
		return err
	}
	b.plain = b.encoder.Append(b.plain[:0], playout.NewPosition(board))
	return nil
}

// positionOf returns the board with the stones of the player to move, those of the other
// player, and the last one. The game is not over there.
func positionOf(g *havannah.Grid, own, other []havannah.Move, last int) (*havannah.Board, error) {
	board, err := havannah.Setup(g.Side, other, own, havannah.White)
	if err != nil {
		return nil, err
	}
	if err := board.Play(havannah.Move(last)); err != nil {
		return nil, err
	}
	if board.Over() {
		return nil, havannah.ErrOver
	}
	return board, nil
}
