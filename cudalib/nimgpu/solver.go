package nimgpu

import (
	"cmp"
	"embed"
	"errors"
	"fmt"

	"gamebots/cudalib/driver"
	"gamebots/cudalib/internal/launch"
)

// A Position is a position of Nim that is not over.
type Position struct {
	Heaps  uint64 // four bits a heap, the first lowest
	Limit  int    // how many sticks a move takes at most, from 1 to 15
	Misere bool   // the player who takes the last stick loses
}

// An Answer is the result of versions 1 to 4 of the minimax of nim.cu.
type Answer struct {
	Move  int // its number: heap by heap, fewest sticks first
	Value int // -1, 0 or 1
	Nodes uint64
}

// A Query asks which moves of a position that is not over force a win within a depth from 1 to 63.
type Query struct {
	Heaps uint64
	Depth int
}

// WordsPerMove is how many words of a result belong to each move: a bit for each
// reply, 1 if the reply does not refute the move.
const WordsPerMove = (maxMoves + 31) / 32

const (
	maxMoves     = 240 // moves of any position
	maxHeaps     = 16
	entryWords   = maxHeaps + 5 // words of an entry of version 1's stack
	queryThreads = 256          // threads of a block
	maxThreads   = 1024
)

// A Solver searches and solves Nim on a device. One goroutine uses it at a time.
type Solver struct {
	gpu         *launch.Launcher
	version1    *launch.Kernel[params1]
	narrow      kernels[uint32] // for up to eight heaps
	wide        kernels[uint64]
	queryBlocks int

	counts  driver.Buffer[uint64] // nodes, two that nothing reads, and version 4's answer
	board   driver.Buffer[int32]
	pairs   driver.Buffer[int32] // a heap and the sticks taken of it, by move
	moves   driver.Buffer[uint8]
	results driver.Buffer[int32]
	heaps   driver.Buffer[uint64] // heaps of the queries
	depths  driver.Buffer[uint32]

	// These two grow with the queries and the depth.
	won    driver.Buffer[uint32]
	stacks driver.Buffer[int32] // stacks of version 1
}

// kernels are the kernels that exist for positions in 32 bits and in 64 bits.
type kernels[H uint32 | uint64] struct {
	version2 *launch.Kernel[params2[H]]
	version3 *launch.Kernel[params3[H]]
	version4 *launch.Kernel[params4[H]]
	version5 *launch.Kernel[params5]
}

// The parameters of the kernels of nim.cu.
type (
	params1 struct {
		Results      driver.Buffer[int32]
		Counts       driver.Buffer[uint64]
		Board, Moves driver.Buffer[int32]
		Stacks       driver.Buffer[int32]
		Heaps, Depth uint32
		Rules        rules
	}
	params2[H any] struct {
		Results driver.Buffer[int32]
		Counts  driver.Buffer[uint64]
		Heaps   H
		Moves   driver.Buffer[uint8]
		Depth   uint32
		Rules   rules
	}
	params3[H any] struct {
		Results         driver.Buffer[int32]
		Counts          driver.Buffer[uint64]
		Heaps           H
		Moves           driver.Buffer[uint8]
		Depth, MaxMoves uint32
		Rules           rules
	}
	params4[H any] struct {
		Answer, Counts driver.Buffer[uint64]
		Heaps          H
		Depth          uint32
		Rules          rules
	}
	params5 struct {
		Won               driver.Buffer[uint32]
		Counts            driver.Buffer[uint64]
		Heaps             driver.Buffer[uint64]
		Depths            driver.Buffer[uint32]
		Queries, MaxMoves uint32
		From, To          uint32 // moves
		Rules             rules
	}
	rules struct {
		Limit  uint32
		Misere bool
	}
)

func findKernels[H uint32 | uint64](l *launch.Launcher, suffix string) kernels[H] {
	return kernels[H]{
		launch.Find[params2[H]](l, "nim_v2"+suffix),
		launch.Find[params3[H]](l, "nim_v3"+suffix),
		launch.Find[params4[H]](l, "nim_v4"+suffix),
		launch.Find[params5](l, "nim_v5"+suffix),
	}
}

// NewSolver loads the kernels.
func NewSolver(d *driver.Device) (*Solver, error) {
	l := launch.New(d, Modules, "nim")
	n := &Solver{gpu: l, version1: launch.Find[params1](l, "nim_v1"), narrow: findKernels[uint32](l, ""),
		wide: findKernels[uint64](l, "_wide")}
	n.queryBlocks = launch.Blocks(l, n.wide.version5, queryThreads, 0)
	n.counts = launch.Alloc[uint64](l, 4)
	n.board, n.pairs = launch.Alloc[int32](l, maxHeaps), launch.Alloc[int32](l, 2*maxMoves)
	n.moves, n.results = launch.Alloc[uint8](l, maxMoves), launch.Alloc[int32](l, maxMoves)
	n.heaps, n.depths = launch.Alloc[uint64](l, maxMoves), launch.Alloc[uint32](l, maxMoves)
	return launch.Finish(n.gpu, n)
}

// Close frees the memory on the device.
func (n *Solver) Close() error { return n.gpu.Close() }

// A move is a heap and the sticks taken of it.
type move struct{ heap, take int }

// moves returns the moves of a position in their order.
func (p Position) moves() (moves []move) {
	for heap := range maxHeaps {
		for take := 1; take <= min(int(p.Heaps>>(4*heap)&15), p.Limit); take++ {
			moves = append(moves, move{heap, take})
		}
	}
	return moves
}

func (p Position) rules() rules { return rules{uint32(p.Limit), p.Misere} }

// wide reports whether a position takes 64 bits: one of more than eight heaps.
func (p Position) wide() bool { return p.Heaps>>32 != 0 }

// Search looks ahead from a position, to a depth from 1 to 63, by one of the versions 1 to 4. The
// time of a call includes the copies to the device and back.
func (n *Solver) Search(version int, p Position, depth int) (a Answer, err error) {
	err = n.gpu.Device.Do(func() (err error) {
		if err := n.counts.Zero(n.gpu.Stream); err != nil {
			return err
		}
		switch {
		case version == 1:
			a, err = n.search1(p, depth)
		case p.wide():
			a, err = search(n, n.wide, version, p.Heaps, p, depth)
		default:
			a, err = search(n, n.narrow, version, uint32(p.Heaps), p, depth)
		}
		return err
	})
	return a, err
}

// best returns the answer from the values of the moves of the root, which are the
// opponent's, unless they were not launched.
func (n *Solver) best(moves int, launched error) (a Answer, err error) {
	values, counts := make([]int32, moves), make([]uint64, 1)
	if err := cmp.Or(launched, n.results.Slice(0, moves).Download(n.gpu.Stream, values),
		n.counts.Slice(0, 1).Download(n.gpu.Stream, counts)); err != nil {
		return a, err
	}
	a.Value = -2
	for i, v := range values {
		if -int(v) > a.Value {
			a.Value, a.Move = -int(v), i
		}
	}
	a.Nodes = counts[0]
	return a, nil
}

func (n *Solver) search1(p Position, depth int) (Answer, error) {
	moves := p.moves()
	board, heaps := make([]int32, maxHeaps), 0
	for heap := range maxHeaps {
		if board[heap] = int32(p.Heaps >> (4 * heap) & 15); board[heap] > 0 {
			heaps = heap + 1
		}
	}
	pairs := make([]int32, 0, 2*len(moves))
	for _, m := range moves {
		pairs = append(pairs, int32(m.heap), int32(m.take))
	}
	if err := launch.Grow(n.gpu, &n.stacks, len(moves)*len(moves)*(depth-1)*entryWords); err != nil {
		return Answer{}, err
	}
	grid := driver.Grid{Blocks: len(moves), Threads: len(moves)}
	return n.best(len(moves), cmp.Or(
		n.board.Upload(n.gpu.Stream, board), n.pairs.Slice(0, len(pairs)).Upload(n.gpu.Stream, pairs),
		n.version1.Launch(n.gpu.Stream, grid, params1{
			Results: n.results, Counts: n.counts, Board: n.board, Moves: n.pairs, Stacks: n.stacks,
			Heaps: uint32(heaps), Depth: uint32(depth), Rules: p.rules(),
		})))
}

// search runs one of the versions 2 to 4 on a position whose heaps are in H.
func search[H uint32 | uint64](n *Solver, k kernels[H], version int, heaps H, p Position, depth int) (Answer, error) {
	moves := len(p.moves())
	grid := driver.Grid{Blocks: moves, Threads: moves}
	switch version {
	case 2:
		return n.best(moves, cmp.Or(n.uploadMoves(p), k.version2.Launch(n.gpu.Stream, grid, params2[H]{
			Results: n.results, Counts: n.counts, Heaps: heaps, Moves: n.moves, Depth: uint32(depth), Rules: p.rules(),
		})))
	case 3:
		grid.Threads, grid.Shared = min(maxThreads, moves*moves), moves*moves
		if has := n.gpu.Device.Info().SharedPerBlock - 1024; grid.Shared > has {
			return Answer{}, fmt.Errorf("nim: heaps: version 3 needs %d bytes of shared memory a block for %d moves, "+
				"there are %d", grid.Shared, moves, has)
		}
		return n.best(moves, cmp.Or(n.uploadMoves(p), k.version3.Launch(n.gpu.Stream, grid, params3[H]{
			Results: n.results, Counts: n.counts, Heaps: heaps, Moves: n.moves, Depth: uint32(depth),
			MaxMoves: uint32(moves), Rules: p.rules(),
		})))
	}
	counts := make([]uint64, 4)
	err := errors.Join(k.version4.Launch(n.gpu.Stream, grid, params4[H]{
		Answer: n.counts.Slice(3, 4), Counts: n.counts, Heaps: heaps, Depth: uint32(depth), Rules: p.rules(),
	}), n.counts.Download(n.gpu.Stream, counts))
	// The kernel keeps the largest word: the value plus 1, then 255 minus the move.
	word := uint32(counts[3])
	return Answer{Move: 0xff - int(word>>8&0xff), Value: int(word>>16) - 1, Nodes: counts[0]}, err
}

// uploadMoves copies the moves of a position, a byte each.
func (n *Solver) uploadMoves(p Position) error {
	var bytes []uint8
	for _, m := range p.moves() {
		bytes = append(bytes, uint8(m.heap<<4|m.take))
	}
	return n.moves.Slice(0, len(bytes)).Upload(n.gpu.Stream, bytes)
}

// Solve returns which moves of positions, no more than a position has moves, force a win, under the
// rules of p, whose heaps it ignores. Each query has WordsPerMove words for each of its moves, and
// room for as many moves as the query with the most, which is returned too.
func (n *Solver) Solve(p Position, queries []Query) (won []uint32, moves int, nodes uint64, err error) {
	heaps, depths := make([]uint64, len(queries)), make([]uint32, len(queries))
	var union Position
	for i, q := range queries {
		p.Heaps = q.Heaps
		heaps[i], depths[i] = q.Heaps, uint32(q.Depth)
		moves = max(moves, len(p.moves()))
		union.Heaps |= q.Heaps
	}
	kernel := n.narrow.version5
	if union.wide() {
		kernel = n.wide.version5
	}
	won = make([]uint32, len(queries)*moves*WordsPerMove)
	threads := min(queryThreads, moves)
	blocks := n.queryBlocks * queryThreads / launch.Whole(threads)
	counts := make([]uint64, 1)
	if err := launch.Grow(n.gpu, &n.won, len(won)); err != nil {
		return nil, 0, 0, err
	}
	err = n.gpu.Device.Do(func() error {
		if err := errors.Join(n.counts.Zero(n.gpu.Stream), n.won.Slice(0, len(won)).Zero(n.gpu.Stream),
			n.heaps.Slice(0, len(heaps)).Upload(n.gpu.Stream, heaps),
			n.depths.Slice(0, len(depths)).Upload(n.gpu.Stream, depths)); err != nil {
			return err
		}
		for from, to := 0, 1; from < moves; from, to = to, min(2*to, moves) {
			grid := driver.Grid{Blocks: min(len(queries)*(to-from)*moves*moves, blocks), Threads: threads}
			if err := kernel.Launch(n.gpu.Stream, grid, params5{
				Won: n.won, Counts: n.counts, Heaps: n.heaps, Depths: n.depths, Queries: uint32(len(queries)),
				MaxMoves: uint32(moves),
				From:     uint32(from), To: uint32(to), Rules: p.rules(),
			}); err != nil {
				return err
			}
			if to == moves {
				break
			}
		}
		return errors.Join(n.won.Slice(0, len(won)).Download(n.gpu.Stream, won),
			n.counts.Slice(0, 1).Download(n.gpu.Stream, counts))
	})
	return won, moves, counts[0], err
}

// Modules are the compiled kernels, NAME.ptx.gz for each source NAME.cu.
//
//go:embed *.ptx.gz
var Modules embed.FS
