package nimsolver

import (
	"context"
	"errors"
	"fmt"

	"gamebots/cudalib"
	"gamebots/cudalib/nimgpu"
)

// A Version is a way to search on a GPU: 1 to 4 are Fiorella's, 5 is Solve.
type Version int

// The bounds of the versions.
const (
	FirstVersion Version = 1
	SolveVersion Version = 5
)

// A Device searches and solves on a GPU. It must be used by one goroutine.
type Device struct {
	device *cudalib.Device
	gpu    *nimgpu.Solver
}

// NewDevice loads the kernels on a GPU.
func NewDevice(d *cudalib.Device) (*Device, error) {
	gpu, err := nimgpu.NewSolver(d)
	if err != nil {
		return nil, err
	}
	return &Device{d, gpu}, nil
}

// Close frees the device's memory. It does not close the GPU.
func (d *Device) Close() error { return d.gpu.Close() }

// onDevice converts a position.
func (p Position) onDevice() nimgpu.Position {
	return nimgpu.Position{Heaps: uint64(p.Heaps), Limit: p.Rules.Limit(), Misere: p.Rules.Misere}
}

// Search finds the value and the move that the function Search finds, by a version,
// whose nodes it counts. The error is ErrInput or the GPU's.
func (d *Device) Search(v Version, p Position, depth int) (Result, error) {
	switch err := p.check(depth); {
	case err != nil:
		return Result{}, err
	case v < FirstVersion || v > SolveVersion:
		return Result{}, fmt.Errorf("%w: version: %d is not from %d to %d", ErrInput, v, FirstVersion, SolveVersion)
	case v == SolveVersion:
		return solve(p, depth, func(queries []query) ([]int, uint64, error) { return d.runQueries(p, queries) })
	case p.Heaps == 0:
		return Result{Value: terminalValue(p.Rules)}, nil
	}
	a, err := d.gpu.Search(int(v), p.onDevice(), depth)
	if err != nil {
		return Result{}, err
	}
	return Result{p.Rules.AppendMoves(p.Heaps, nil)[a.Move], Value(a.Value), a.Nodes}, nil
}

// runQueries is the function runQueries on the GPU.
func (d *Device) runQueries(p Position, queries []query) (answers []int, nodes uint64, err error) {
	list := make([]nimgpu.Query, len(queries))
	for i, q := range queries {
		list[i] = nimgpu.Query{Heaps: uint64(q.heaps), Depth: q.depth}
	}
	failed, maxMoves, nodes, err := d.gpu.Solve(p.onDevice(), list)
	if err != nil {
		return nil, 0, err
	}
	for i, q := range queries {
		state := newQueryState(p.Rules, q)
		for first := range state.moves {
			for word := range moveWords {
				state.failed[first][word].Store(failed[(i*maxMoves+first)*moveWords+word])
			}
		}
		answers = append(answers, state.answer(p.Rules))
	}
	return answers, nodes, nil
}

// NewTable solves all positions of a board on the GPU and copies the table. The error
// is a [*cudalib.MemoryError] if the GPU has too little memory.
func (d *Device) NewTable(ctx context.Context, board Position) (*Table, error) {
	s, err := d.PrepareTable(board)
	if err != nil {
		return nil, err
	}
	t, err := s.NewTable(ctx)
	return t, errors.Join(err, s.Close())
}

// A DeviceTable is memory for a board on a GPU. The board can be solved any number of
// times, to measure it.
type DeviceTable struct {
	gpu   *nimgpu.Table
	table *Table
}

// PrepareTable allocates memory for a board.
func (d *Device) PrepareTable(board Position) (*DeviceTable, error) {
	t, err := newTable(board)
	if err != nil {
		return nil, err
	}
	b := nimgpu.Board{Bit: t.bit.size, Tile: t.tile, Limit: t.rules.Limit(), Misere: t.rules.Misere}
	for _, a := range t.rows {
		b.Rows = append(b.Rows, nimgpu.Axis{Size: a.size, Stride: a.stride})
	}
	for _, a := range t.tiles {
		b.Tiles = append(b.Tiles, nimgpu.Axis{Size: a.size, Stride: a.stride})
	}
	b.Order, b.Layers = t.layers()
	gpu, err := nimgpu.NewTable(d.device, b)
	if err != nil {
		return nil, err
	}
	return &DeviceTable{gpu, t}, nil
}

// Close frees the board's memory on the GPU.
func (s *DeviceTable) Close() error { return s.gpu.Close() }

// Build solves the board without copying the table. It returns the number of lost
// positions.
func (s *DeviceTable) Build() (lost uint64, err error) { return s.gpu.Solve() }

// NewTable solves the board and copies the table.
func (s *DeviceTable) NewTable(ctx context.Context) (*Table, error) {
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
