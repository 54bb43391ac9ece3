package nimgpu

import (
	"errors"
	"fmt"

	"gamebots/cudalib/driver"
	"gamebots/cudalib/launch"
	ptx "gamebots/cudalib/ptx/nim"
)

// Position is a position of Solver: four bits a heap, the first lowest, how many
// sticks a move takes at most, and whether taking the last one loses.
type Position struct {
	Heaps  uint64
	Limit  int
	Misere bool
}

// Answer is what versions 1 to 4 of the minimax of kernels/nim.cu find. Move
// is the number of the best one, heap by heap, fewest sticks first. Value is -1,
// 0 or 1. Global and Shared count loads and stores of threads.
type Answer struct {
	Move, Value           int
	Nodes, Global, Shared uint64
}

// Query is which moves of a position, in which sticks are left, force a win
// within a depth of at least 1.
type Query struct {
	Heaps uint64
	Depth int
}

// WordsPerMove is how many words of an answer belong to each move: a bit for each
// move that could follow, 1 if that one does not refute it.
const WordsPerMove = (nimMoves + 31) / 32

// MaxDepth is how far the kernels look ahead at most.
const MaxDepth = 63

const (
	nimMoves      = 240 // at most, of any position
	nimHeaps      = 16
	nimEntryWords = nimHeaps + 5 // of the stack of version 1
	nimThreads    = 256
	nimMaxThreads = 1024
)

// ErrInvalid is wrapped by errors of what the kernels cannot do.
var ErrInvalid = errors.New("nim")

// Solver searches and solves Solver on a device. One goroutine uses it at a time.
type Solver struct {
	gpu          *launch.Launcher
	versions     map[string]*driver.Kernel
	forceBlocks  int
	counts       driver.Buffer[uint64] // three, and version 4's answer
	board, pairs driver.Buffer[int32]
	bytes        driver.Buffer[uint8]
	results      driver.Buffer[int32]
	boards       driver.Buffer[uint64] // of questions
	depths       driver.Buffer[uint32]

	// These two are made when they are needed, and as long as is.
	won    driver.Buffer[uint32]
	stacks driver.Buffer[int32] // of version 1
}

// NewSolver prepares a device.
func NewSolver(d *driver.Device) (*Solver, error) {
	n := &Solver{gpu: launch.New(d, ptx.Modules, "nim"), versions: map[string]*driver.Kernel{}}
	for _, name := range []string{"nim_v1", "nim_v2", "nim_v2_wide", "nim_v3", "nim_v3_wide", "nim_v4", "nim_v4_wide"} {
		n.versions[name], _ = n.gpu.Kernel(name, 1)
	}
	for _, name := range []string{"nim_v5", "nim_v5_wide"} {
		n.versions[name], n.forceBlocks = n.gpu.Kernel(name, nimThreads)
	}
	n.counts = launch.Alloc[uint64](n.gpu, 4)
	n.board, n.pairs = launch.Alloc[int32](n.gpu, nimHeaps), launch.Alloc[int32](n.gpu, 2*nimMoves)
	n.bytes, n.results = launch.Alloc[uint8](n.gpu, nimMoves), launch.Alloc[int32](n.gpu, nimMoves)
	n.boards, n.depths = launch.Alloc[uint64](n.gpu, nimMoves), launch.Alloc[uint32](n.gpu, nimMoves)
	if n.gpu.Err != nil {
		return nil, errors.Join(n.gpu.Err, n.Close())
	}
	return n, nil
}

// Close frees what is on the device.
func (n *Solver) Close() error { return n.gpu.Close() }

// nimMove is a move: a heap, and the sticks taken of it.
type nimMove struct{ heap, take int }

// moves returns the moves of a position in their order.
func (p Position) moves() (moves []nimMove) {
	for heap := range nimHeaps {
		for take := 1; take <= min(int(p.Heaps>>(4*heap)&15), p.Limit); take++ {
			moves = append(moves, nimMove{heap, take})
		}
	}
	return moves
}

func (p Position) misere() driver.Arg {
	if p.Misere {
		return driver.U32(1)
	}
	return driver.U32(0)
}

func (p Position) limit() driver.Arg { return driver.U32(uint32(p.Limit)) }

// wide returns the name of a version's kernel and the position as its argument:
// up to eight heaps take 32 bits, and more take 64.
func (p Position) wide(name string) (string, driver.Arg) {
	if p.Heaps>>32 == 0 {
		return name, driver.U32(uint32(p.Heaps))
	}
	return name + "_wide", driver.U64(p.Heaps)
}

func (p Position) check(depth int) error {
	switch {
	case p.Heaps == 0:
		return fmt.Errorf("%w: heaps: the game is over", ErrInvalid)
	case p.Limit < 1 || p.Limit > 15:
		return fmt.Errorf("%w: max-take: %d is not from 1 to 15", ErrInvalid, p.Limit)
	case depth < 1 || depth > MaxDepth:
		return fmt.Errorf("%w: depth: %d is not from 1 to %d", ErrInvalid, depth, MaxDepth)
	}
	return nil
}

// Search looks ahead from a position by one of the versions 1 to 4. All that it
// needs is copied to the device, and the answer back.
func (n *Solver) Search(version int, p Position, depth int) (Answer, error) {
	if err := p.check(depth); err != nil {
		return Answer{}, err
	}
	versions := []func(Position, []nimMove, int) (Answer, error){n.version1, n.version2, n.version3, n.version4}
	if version < 1 || version > len(versions) {
		return Answer{}, fmt.Errorf("%w: version: %d is not from 1 to %d", ErrInvalid, version, len(versions))
	}
	var a Answer
	err := n.gpu.Device.Do(func() (err error) {
		if err := n.counts.Zero(n.gpu.Stream); err != nil {
			return err
		}
		a, err = versions[version-1](p, p.moves(), depth)
		return err
	})
	return a, err
}

// best makes an answer of what the moves of the root lead to, for the opponent.
func (n *Solver) best(moves int) (a Answer, err error) {
	values, counts := make([]int32, moves), make([]uint64, 3)
	if err := errors.Join(n.results.Slice(0, moves).Download(n.gpu.Stream, values), n.counts.Slice(0, 3).Download(n.gpu.Stream, counts)); err != nil {
		return a, err
	}
	a.Value = -2
	for i, v := range values {
		if -int(v) > a.Value {
			a.Value, a.Move = -int(v), i
		}
	}
	a.Nodes, a.Global, a.Shared = counts[0], counts[1], counts[2]
	return a, nil
}

func (n *Solver) version1(p Position, moves []nimMove, depth int) (Answer, error) {
	board, heaps := make([]int32, nimHeaps), 0
	for heap := range nimHeaps {
		if board[heap] = int32(p.Heaps >> (4 * heap) & 15); board[heap] > 0 {
			heaps = heap + 1
		}
	}
	pairs := make([]int32, 0, 2*len(moves))
	for _, m := range moves {
		pairs = append(pairs, int32(m.heap), int32(m.take))
	}
	if err := launch.Grow(n.gpu, &n.stacks, len(moves)*len(moves)*(depth-1)*nimEntryWords); err != nil {
		return Answer{}, err
	}
	grid := driver.Grid{Blocks: len(moves), Threads: len(moves)}
	if err := errors.Join(n.board.Upload(n.gpu.Stream, board), n.pairs.Slice(0, len(pairs)).Upload(n.gpu.Stream, pairs),
		n.versions["nim_v1"].Launch(n.gpu.Stream, grid, n.results.Arg(), n.counts.Arg(), n.board.Arg(), n.pairs.Arg(), n.stacks.Arg(),
			driver.U32(uint32(heaps)), driver.U32(uint32(depth)), p.limit(), p.misere())); err != nil {
		return Answer{}, err
	}
	return n.best(len(moves))
}

// upload copies moves as bytes.
func (n *Solver) upload(moves []nimMove) error {
	bytes := make([]uint8, len(moves))
	for i, m := range moves {
		bytes[i] = uint8(m.heap<<4 | m.take)
	}
	return n.bytes.Slice(0, len(bytes)).Upload(n.gpu.Stream, bytes)
}

func (n *Solver) version2(p Position, moves []nimMove, depth int) (Answer, error) {
	name, board := p.wide("nim_v2")
	grid := driver.Grid{Blocks: len(moves), Threads: len(moves)}
	if err := errors.Join(n.upload(moves), n.versions[name].Launch(n.gpu.Stream, grid, n.results.Arg(), n.counts.Arg(), board, n.bytes.Arg(),
		driver.U32(uint32(depth)), p.limit(), p.misere())); err != nil {
		return Answer{}, err
	}
	return n.best(len(moves))
}

func (n *Solver) version3(p Position, moves []nimMove, depth int) (Answer, error) {
	name, board := p.wide("nim_v3")
	grid := driver.Grid{Blocks: len(moves), Threads: min(nimMaxThreads, len(moves)*len(moves)), Shared: len(moves) * len(moves)}
	if has := n.gpu.Device.Info().SharedPerBlock - 1024; grid.Shared > has {
		return Answer{}, fmt.Errorf("%w: heaps: version 3 needs %d bytes of shared memory a block for %d moves, there are %d", ErrInvalid, grid.Shared, len(moves), has)
	}
	if err := errors.Join(n.upload(moves), n.versions[name].Launch(n.gpu.Stream, grid, n.results.Arg(), n.counts.Arg(), board, n.bytes.Arg(),
		driver.U32(uint32(depth)), driver.U32(uint32(len(moves))), p.limit(), p.misere())); err != nil {
		return Answer{}, err
	}
	return n.best(len(moves))
}

func (n *Solver) version4(p Position, moves []nimMove, depth int) (a Answer, err error) {
	name, board := p.wide("nim_v4")
	grid := driver.Grid{Blocks: len(moves), Threads: len(moves)}
	counts := make([]uint64, 4)
	if err := errors.Join(n.versions[name].Launch(n.gpu.Stream, grid, n.counts.Slice(3, 4).Arg(), n.counts.Arg(), board,
		driver.U32(uint32(depth)), p.limit(), p.misere()), n.counts.Download(n.gpu.Stream, counts)); err != nil {
		return a, err
	}
	word := uint32(counts[3])
	return Answer{Move: 0xff - int(word>>8&0xff), Value: int(word>>16) - 1, Nodes: counts[0], Global: counts[1], Shared: counts[2]}, nil
}

// Force answers questions about positions under the rules of p, of which it does
// not look at the heaps. The words are those of each question's moves, one
// question after the other, each with room for as many moves as the longest has,
// which is returned too.
func (n *Solver) Force(p Position, questions []Query) (won []uint32, moves int, nodes uint64, err error) {
	if len(questions) == 0 || len(questions) > nimMoves {
		return nil, 0, 0, fmt.Errorf("%w: %d questions are not from 1 to %d", ErrInvalid, len(questions), nimMoves)
	}
	boards, depths := make([]uint64, len(questions)), make([]uint32, len(questions))
	widest := Position{Limit: p.Limit, Misere: p.Misere}
	for i, q := range questions {
		p.Heaps = q.Heaps
		if err := p.check(q.Depth); err != nil {
			return nil, 0, 0, err
		}
		boards[i], depths[i] = q.Heaps, uint32(q.Depth)
		moves = max(moves, len(p.moves()))
		widest.Heaps |= q.Heaps
	}
	name, _ := widest.wide("nim_v5")
	kernel := n.versions[name]
	won = make([]uint32, len(questions)*moves*WordsPerMove)
	threads := min(nimThreads, moves)
	blocks := n.forceBlocks * nimThreads / ((threads + launch.Warp - 1) / launch.Warp * launch.Warp)
	counts := make([]uint64, 1)
	if err := launch.Grow(n.gpu, &n.won, len(won)); err != nil {
		return nil, 0, 0, err
	}
	err = n.gpu.Device.Do(func() error {
		if err := errors.Join(n.counts.Zero(n.gpu.Stream), n.won.Slice(0, len(won)).Zero(n.gpu.Stream),
			n.boards.Slice(0, len(boards)).Upload(n.gpu.Stream, boards), n.depths.Slice(0, len(depths)).Upload(n.gpu.Stream, depths)); err != nil {
			return err
		}
		for from, to := 0, 1; from < moves; from, to = to, min(2*to, moves) {
			grid := driver.Grid{Blocks: min(len(questions)*(to-from)*moves*moves, blocks), Threads: threads}
			if err := kernel.Launch(n.gpu.Stream, grid, n.won.Arg(), n.counts.Arg(), n.boards.Arg(), n.depths.Arg(), driver.U32(uint32(len(questions))),
				driver.U32(uint32(moves)), driver.U32(uint32(from)), driver.U32(uint32(to)), p.limit(), p.misere()); err != nil {
				return err
			}
			if to == moves {
				break
			}
		}
		return errors.Join(n.won.Slice(0, len(won)).Download(n.gpu.Stream, won), n.counts.Slice(0, 1).Download(n.gpu.Stream, counts))
	})
	return won, moves, counts[0], err
}
