package nimsolver

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"gamebots/cudalib"
	"gamebots/cudalib/nimgpu"
)

// Version is a way to search on a GPU: 1 to 4 are those of Fiorella, 5 is Force.
type Version int

// The versions.
const (
	FirstVersion Version = 1
	ForceVersion Version = 5
)

// Traffic is what a search counts on a GPU beside its nodes: loads and stores of
// threads, of the memory of all and of that of their block.
type Traffic struct{ Global, Shared uint64 }

// Device searches and solves on a GPU. It belongs to one goroutine.
type Device struct {
	device *cudalib.Device
	gpu    *nimgpu.Solver
}

// NewDevice prepares a GPU.
func NewDevice(d *cudalib.Device) (*Device, error) {
	gpu, err := nimgpu.NewSolver(d)
	if err != nil {
		return nil, err
	}
	return &Device{d, gpu}, nil
}

// Close frees what the device needed.
func (d *Device) Close() error { return d.gpu.Close() }

// onDevice returns a position as the GPU has it.
func (p Position) onDevice() nimgpu.Position {
	return nimgpu.Position{Heaps: uint64(p.Heaps), Limit: p.Rules.Limit(), Misere: p.Rules.Misere}
}

// Search finds the value and the move that the function Search finds. The nodes
// are those of the version.
func (d *Device) Search(v Version, p Position, depth int) (Result, Traffic, error) {
	switch err := p.check(depth); {
	case err != nil:
		return Result{}, Traffic{}, err
	case v < FirstVersion || v > ForceVersion:
		return Result{}, Traffic{}, fmt.Errorf("%w: version: %d is not from %d to %d", ErrInput, v, FirstVersion, ForceVersion)
	case v == ForceVersion:
		r, err := force(p, depth, func(questions []question) ([]int, uint64, error) { return d.ask(p, questions) })
		return r, Traffic{}, err
	case p.Heaps == 0:
		return Result{Value: over(p.Rules)}, Traffic{}, nil
	}
	a, err := d.gpu.Search(int(v), p.onDevice(), depth)
	if err != nil {
		return Result{}, Traffic{}, err
	}
	return Result{p.Rules.AppendMoves(p.Heaps, nil)[a.Move], Value(a.Value), a.Nodes}, Traffic{a.Global, a.Shared}, nil
}

// ask answers questions as the function ask does.
func (d *Device) ask(p Position, questions []question) (first []int, nodes uint64, err error) {
	list := make([]nimgpu.Query, len(questions))
	for i, q := range questions {
		list[i] = nimgpu.Query{Heaps: uint64(q.heaps), Depth: q.depth}
	}
	won, most, nodes, err := d.gpu.Force(p.onDevice(), list)
	if err != nil {
		return nil, 0, err
	}
	for i, q := range questions {
		moves := p.Rules.AppendMoves(q.heaps, nil)
		all := inquiry{q, moves, make([][askWords]atomic.Uint32, len(moves))}
		for one := range moves {
			for word := range askWords {
				all.won[one][word].Store(won[(i*most+one)*askWords+word])
			}
		}
		first = append(first, all.first(p.Rules))
	}
	return first, nodes, nil
}

// Solve finds out which positions of a board are lost. The table is a copy; where
// the GPU has too little memory for it the error is a [*cudalib.MemoryError].
func (d *Device) Solve(ctx context.Context, board Position) (*Table, error) {
	s, err := d.Prepare(board)
	if err != nil {
		return nil, err
	}
	t, err := s.Solve(ctx)
	return t, errors.Join(err, s.Close())
}

// A Solution is a board on a GPU. It can be solved any number of times, which is
// of use to measure it.
type Solution struct {
	gpu   *nimgpu.Table
	table *Table
}

// Prepare makes room for a board.
func (d *Device) Prepare(board Position) (*Solution, error) {
	t, err := newTableOf(board)
	if err != nil {
		return nil, err
	}
	b := nimgpu.Board{Bit: t.bit.size, Tile: t.tile, Limit: t.rules.Limit(), Misere: t.rules.Misere}
	for _, a := range t.rows {
		b.Rows = append(b.Rows, nimgpu.Axis{Size: a.size, Place: a.place})
	}
	for _, a := range t.tiles {
		b.Tiles = append(b.Tiles, nimgpu.Axis{Size: a.size, Place: a.place})
	}
	b.Order, b.Layers = t.layers()
	gpu, err := nimgpu.NewTable(d.device, b)
	if err != nil {
		return nil, err
	}
	return &Solution{gpu, t}, nil
}

// Close frees the board's memory on the GPU.
func (s *Solution) Close() error { return s.gpu.Close() }

// Run solves the board and leaves it where it is. It returns how many positions
// are lost.
func (s *Solution) Run() (lost uint64, err error) { return s.gpu.Solve() }

// Solve solves the board and copies it.
func (s *Solution) Solve(ctx context.Context) (*Table, error) {
	t := *s.table
	var err error
	if t.total, err = s.gpu.Solve(); err != nil {
		return nil, err
	}
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	t.lost = make([]uint16, t.count*t.tile)
	return &t, s.gpu.Download(t.lost)
}

// Equal says whether two tables are of the same board and hold the same bits.
func (t *Table) Equal(other *Table) bool {
	return t.rules == other.rules && t.board == other.board && t.total == other.total && slices.Equal(t.lost, other.lost)
}
