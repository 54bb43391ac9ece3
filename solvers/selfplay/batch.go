package selfplay

import (
	"errors"
	"fmt"
	"math"
	"sync/atomic"

	"gamebots/hexproto/havannah"
	"gamebots/internal/parallel"
	"gamebots/internal/rng"
	"gamebots/solvers/hexnet"
	"gamebots/solvers/hexsearch"
	"gamebots/solvers/playout"
)

// batch is some recorded positions, each under a random symmetry, as a network learns them.
type batch struct {
	grid    *havannah.Grid
	readers []*reader // one per thread
	planes  []uint8
	targets hexnet.Targets
	drawn   drawn
	seen    *seen
}

// drawn identifies the step of learning for which a batch was drawn, and how many positions had
// been added to the window by then.
type drawn struct{ step, added uint64 }

// reader reads one recorded position at a time.
type reader struct {
	grid    *havannah.Grid
	encoder *hexsearch.Encoder
	board   *playout.Position
	policy  []float32
	winner  []int8 // 1 or -1 for the player who has a cell of the structure, else 0
	planes  []uint8
}

func newReader(g *havannah.Grid) *reader {
	return &reader{grid: g, encoder: hexsearch.NewEncoder(g), policy: make([]float32, g.NumCells),
		winner: make([]int8, g.NumCells)}
}

// newBatch returns a batch of size positions of a window, drawn on several threads.
func newBatch(g *havannah.Grid, w *window, size, threads int) *batch {
	cells := size * g.NumCells
	b := &batch{grid: g, seen: newSeen(g.NumCells, len(w.Last)), planes: make([]uint8, cells*hexnet.Planes),
		targets: hexnet.Targets{Policy: make([]float32, cells), Structure: make([]int8, cells),
			Reply: make([]int16, size), Value: make([]float32, size), Kinds: make([]uint8, size)}}
	for range max(threads, 1) {
		b.readers = append(b.readers, newReader(g))
	}
	return b
}

// draw draws positions from a window. An error is that of a window which was read from a
// file.
func (b *batch) draw(w *window, random *rng.Stream) error {
	n, t := b.grid.NumCells, &b.targets
	size := len(t.Value)
	seed, all, errs := random.Uint64(), hexsearch.Symmetries(b.grid), make([]error, size)
	parallel.For(len(b.readers), size, func(thread, i int) {
		random, r := rng.Stream(rng.At(seed, uint64(i))), b.readers[thread]
		age, turn := random.IntN(w.size()), all[random.IntN(len(all))]
		at, ordinal := w.at(age), w.Added-uint64(age)
		r.targets(w, at)
		planes := b.seen.planes(at, ordinal)
		if planes == nil {
			if errs[i] = r.describe(w, at); errs[i] != nil {
				return
			}
			planes = r.planes
			b.seen.keep(at, ordinal, planes)
		}
		hexsearch.Turn(b.planes[i*n*hexnet.Planes:], planes, turn, hexnet.Planes)
		hexsearch.Turn(t.Policy[i*n:], r.policy, turn, 1)
		hexsearch.Turn(t.Structure[i*n:], r.winner, turn, 1)
		if t.Reply[i] = -1; w.Reply[at] != none {
			t.Reply[i] = turn[w.Reply[at]]
		}
		t.Value[i], t.Kinds[i] = float32(w.Value[at]), w.Kinds[at]
	})
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("a recorded position: %w", err)
	}
	return nil
}

// targets sets the policy and the structure of a position of a window.
func (r *reader) targets(w *window, at int) {
	n := r.grid.NumCells
	for cell, c := range w.Cells[at*n:][:n] {
		r.policy[cell], r.winner[cell] = float32(w.Policy[at*n+cell])/policyUnit, 0
		if c&(ownStone|otherStone) != 0 {
			r.policy[cell] = -1
		}
		switch {
		case c&ownStructure != 0:
			r.winner[cell] = 1
		case c&otherStructure != 0:
			r.winner[cell] = -1
		}
	}
}

// describe sets the planes of a position of a window.
func (r *reader) describe(w *window, at int) error {
	n := r.grid.NumCells
	var own, other []havannah.Move
	last := int(w.Last[at])
	for cell, c := range w.Cells[at*n:][:n] {
		switch {
		case c&ownStone != 0:
			own = append(own, havannah.Move(cell))
		case c&otherStone != 0 && cell != last:
			other = append(other, havannah.Move(cell))
		}
	}
	board, err := positionOf(r.grid, own, other, last)
	if err != nil {
		return err
	}
	if r.board == nil {
		r.board = playout.NewPosition(board)
	} else {
		r.board.SetRoot(board)
	}
	r.planes = r.encoder.Append(r.planes[:0], r.board)
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

// seen keeps the planes of recorded positions. Each position is drawn several times, and finding
// its threats takes longer than the rest of drawing it. Several goroutines may use it.
type seen struct {
	size     int // bytes of a position
	bytes    []uint8
	ordinals []atomic.Uint64 // ordinals, from 1, of the positions whose planes are kept; 0 for none
}

// coming is the ordinal of a position whose planes are being written.
const coming = math.MaxUint64

func newSeen(numCells, capacity int) *seen {
	size := numCells * hexnet.Planes
	return &seen{size: size, bytes: make([]uint8, size*capacity), ordinals: make([]atomic.Uint64, capacity)}
}

// planes returns the planes of a position, or nil if there are none.
func (s *seen) planes(at int, ordinal uint64) []uint8 {
	if s.ordinals[at].Load() != ordinal {
		return nil
	}
	return s.bytes[at*s.size:][:s.size]
}

// keep keeps the planes of a position, unless another goroutine does.
func (s *seen) keep(at int, ordinal uint64, planes []uint8) {
	if old := s.ordinals[at].Load(); old != ordinal && old != coming && s.ordinals[at].CompareAndSwap(old, coming) {
		copy(s.bytes[at*s.size:], planes)
		s.ordinals[at].Store(ordinal)
	}
}
