package havannahgpu

import (
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"gamebots/cudalib/driver"
	"gamebots/cudalib/launch"
	ptx "gamebots/cudalib/ptx/havannah"
)

// Stone is one on the way from a root to a leaf.
type Stone struct {
	Cell  int
	Black bool
}

// Leaf is a position that games are played from.
type Leaf struct {
	Stones []Stone // beside those of the root
	Alone  bool    // or without those
	Last   int     // the cell of the stone that was put last, -1 for none
	Turn   uint8   // who moves first: 0 white, 1 black
	Number uint64  // of the first game, in the stream of random numbers
}

// LeavesShape is what a launcher has room for.
type LeavesShape struct {
	Leaves  int // of a batch
	Games   int // from each leaf
	Batches int // under way at a time
	AtOnce  int // games of a leaf that are played at a time; 0 is all, or as many as there is room for
}

// Leaves plays random games from leaves of a tree, as solvers/playout's
// Rollout says, and counts who put a stone where. Some batches are under way at a
// time, and come back in their order. One goroutine uses it at a time.
//
// A search waits for little else than a batch, so nothing is copied: the kernel reads
// leaves from memory of the host, and writes their results there.
type Leaves struct {
	gpu   *launch.Launcher
	shape LeavesShape
	cells []uint16 // as kernels have them, by ours
	room  int      // words of a mark for each triangle, see kernels/havannah.cuh

	rootKernel, leavesKernel *driver.Kernel
	threads, shared          int // of a block
	atOnce                   int // games

	board, root driver.Buffer[uint32]
	numbers     driver.Buffer[uint16]
	position    driver.Buffer[uint16] // stones of the root, then its empty cells
	stones      int                   // of the root
	coded       []uint32              // by ours, a white stone as the kernel has it

	batches         []havannahBatch
	started, waited int
}

// havannahBatch is what there is of each batch that can be under way.
type havannahBatch struct {
	stream        *driver.Stream
	jobs, results driver.Pinned[uint32] // of the leaves, see kernels/havannah_leaves.cu
	done          driver.Pinned[uint32] // of each leaf the number of the last batch whose results are there
	number        uint32
	counts        []LeafCounts // of all leaves there can be
	leaves        int
}

const (
	havannahNoPlace  = 0xffff
	havannahTurn     = 1 << 16
	havannahFromRoot = 1 << 17
	havannahLast     = 18 // and above: the last stone's cell
	havannahNoLast   = 1<<14 - 1

	havannahLeafGames = 128 // of a block at a time, at most
	havannahLeafHead  = 3   // words of a leaf before its stones
	havannahLaneMore  = 5   // of a lane that are not for triangles
	havannahListMore  = 3   // of a list that are not for cells and triangles
	// havannahMaxGames is how many games' points a counter holds.
	havannahMaxGames = 1<<15 - 1
	// havannahPatience is for how long the host looks for results before it asks
	// the driver, which takes longer to tell.
	havannahPatience = 500 * time.Microsecond
)

// NewLeaves puts a board on a device. Cells are in the order of their
// numbers.
func NewLeaves(d *driver.Device, board []Cell, s LeavesShape) (*Leaves, error) {
	t, err := triangulate(board)
	if err != nil {
		return nil, err
	}
	if s.Leaves < 1 || s.Games < 1 || s.Games > havannahMaxGames || s.Batches < 1 {
		return nil, fmt.Errorf("%d batches of %d leaves with %d games each cannot be", s.Batches, s.Leaves, s.Games)
	}
	h := &Leaves{gpu: launch.New(d, ptx.Modules, "leaves"), shape: s, cells: t.cells, room: t.room, coded: make([]uint32, len(board))}
	h.rootKernel, _ = h.gpu.Kernel("havannah_root", launch.Warp)
	h.leavesKernel, _ = h.gpu.Kernel("havannah_leaves", launch.Warp)
	h.block(s.AtOnce)
	n := len(board)
	h.board, h.root = launch.Alloc[uint32](h.gpu, len(t.rows)), launch.Alloc[uint32](h.gpu, 2*t.room)
	h.numbers, h.position = launch.Alloc[uint16](h.gpu, n), launch.Alloc[uint16](h.gpu, n)
	for range s.Batches {
		pin := func(n int) driver.Pinned[uint32] {
			return launch.AllocPinned[uint32](h.gpu, n)
		}
		b := havannahBatch{
			stream: launch.Keep(h.gpu, d.NewStream),
			// The path to a leaf has each cell once.
			jobs: pin(s.Leaves * havannahPitch(n)), results: pin(s.Leaves * h.words()), done: pin(s.Leaves),
			counts: make([]LeafCounts, s.Leaves),
		}
		if h.gpu.Err != nil {
			break
		}
		clear(b.done.Data())
		for i := range b.counts {
			r := b.results.Data()[i*h.words():]
			b.counts[i].Taken = [2][]uint32{r[1 : 1+n], r[1+n : 1+2*n]}
		}
		h.batches = append(h.batches, b)
	}
	if h.gpu.Err == nil {
		h.gpu.Err = errors.Join(h.board.Upload(h.gpu.Stream, t.rows), h.numbers.Upload(h.gpu.Stream, t.cells))
	}
	if h.gpu.Err != nil {
		return nil, errors.Join(h.gpu.Err, h.Close())
	}
	return h, nil
}

// Close frees what is on the device.
func (h *Leaves) Close() error { return h.gpu.Close() }

// words is how many words of results a leaf has.
func (h *Leaves) words() int { return 1 + 2*len(h.cells) }

// havannahPitch is how many words there are from a leaf to the next in a batch in which
// none has more stones: as many as are read at a time.
func havannahPitch(stones int) int {
	return (havannahLeafHead + stones + launch.Warp - 1) / launch.Warp * launch.Warp
}

// block decides how many games are played at a time, by two threads each, while a third
// one draws cells.
func (h *Leaves) block(games int) {
	if h.gpu.Err != nil {
		return
	}
	const word = 4
	n := len(h.cells)
	whole := func(x, of int) int { return (x + of - 1) / of * of }
	size := func(games int) (threads, bytes int) {
		players, drawers := whole(2*games, launch.Warp), whole(games, launch.Warp)
		halves := whole(n, 8) / 2 // words for a cell each
		ofBlock := 16*h.room + 2*h.room + h.room + 4 + halves + 4 + 8*h.room + 4 + 16 + players + whole(havannahLeafHead+n, 4) + 2*halves
		return players + drawers, word * (ofBlock + players*(h.room+havannahLaneMore) + drawers*((n+1)/2+3*h.room+havannahListMore))
	}
	available := h.gpu.Device.Info().SharedPerBlock
	if h.atOnce = games; games == 0 {
		h.atOnce = min(h.shape.Games, havannahLeafGames)
		for _, bytes := size(h.atOnce); bytes > available && h.atOnce > 1; _, bytes = size(h.atOnce) {
			h.atOnce--
		}
	}
	h.threads, h.shared = size(h.atOnce)
	if h.atOnce < 1 || h.atOnce > havannahLeafGames || h.shared > available {
		h.gpu.Err = fmt.Errorf("%d games at a time with %d bytes of shared memory of %d cannot be", h.atOnce, h.shared, available)
	}
}

// SetRoot sets the position that leaves are reached from, with the player to move
// left out. Nothing may be under way.
func (h *Leaves) SetRoot(p Position) error {
	if len(p.Stones) != len(h.cells) || h.started != h.waited {
		return fmt.Errorf("%d cells of %d, with %d batches under way", len(p.Stones), len(h.cells), h.started-h.waited)
	}
	var stones, empty []uint16
	for cell, colour := range p.Stones {
		place := havannahNoPlace
		switch colour {
		case 0:
			place = len(empty)
			empty = append(empty, h.cells[cell])
		case 1:
			stones = append(stones, h.cells[cell])
		default:
			stones = append(stones, h.cells[cell]|havannahBlack)
		}
		h.coded[cell] = uint32(h.cells[cell]) | uint32(place)<<16
	}
	h.stones = len(stones)
	return h.gpu.Device.Do(func() error {
		return errors.Join(
			h.position.Upload(h.gpu.Stream, append(stones, empty...)),
			h.rootKernel.Launch(h.gpu.Stream, driver.Grid{Blocks: 1, Threads: launch.Warp, Shared: 4 * (8*h.room + launch.Warp*(h.room+havannahLaneMore))},
				h.root.Arg(), h.board.Arg(), h.position.Arg(), driver.U32(uint32(h.stones)), driver.U32(uint32(h.room))),
			h.gpu.Stream.Sync())
	})
}

// Start begins to play the shape's games from each of some leaves, with permanent
// stones and replies as solvers/playout's Rollout says.
func (h *Leaves) Start(leaves []Leaf, seed uint64, permanent int, replies bool) error {
	if len(leaves) < 1 || len(leaves) > h.shape.Leaves || h.started-h.waited == h.shape.Batches {
		return fmt.Errorf("%d leaves in a batch of %d, %d of %d batches under way", len(leaves), h.shape.Leaves, h.started-h.waited, h.shape.Batches)
	}
	b := &h.batches[h.started%h.shape.Batches]
	b.leaves = len(leaves)
	b.number++
	stones := 0
	for _, l := range leaves {
		stones = max(stones, len(l.Stones))
	}
	jobs, pitch := b.jobs.Data(), havannahPitch(stones)
	for i, l := range leaves {
		about := uint32(len(l.Stones)) | uint32(l.Turn)*havannahTurn
		if !l.Alone {
			about |= havannahFromRoot
		}
		last := uint32(havannahNoLast)
		if l.Last >= 0 {
			last = uint32(h.cells[l.Last])
		}
		about |= last << havannahLast
		job := jobs[i*pitch:][:pitch]
		job[0], job[1], job[2] = about, uint32(l.Number), uint32(l.Number>>32)
		for k, s := range l.Stones {
			stone := h.coded[s.Cell]
			if s.Black {
				stone |= havannahBlack
			}
			job[havannahLeafHead+k] = stone
		}
	}
	keep := uint32(0)
	if replies {
		keep = 1
	}
	h.started++
	empty := h.position.Slice(h.stones, h.position.Len())
	return h.leavesKernel.Launch(b.stream, driver.Grid{Blocks: len(leaves), Threads: h.threads, Shared: h.shared},
		b.results.Arg(), b.done.Arg(), h.board.Arg(), h.numbers.Arg(), empty.Arg(), h.root.Arg(), b.jobs.Arg(), driver.U32(uint32(pitch)),
		driver.U32(uint32(h.room)), driver.U32(uint32(len(h.cells))), driver.U32(uint32(len(h.cells)-h.stones)),
		driver.U64(seed), driver.U32(uint32(h.shape.Games)), driver.U32(uint32(h.atOnce)), driver.U32(uint32(permanent)), driver.U32(keep), driver.U32(b.number))
}

// LeafCounts are the results of the games from a leaf. The first of each
// pair is of the player who moved first.
type LeafCounts struct {
	Points uint32 // twice those of the player who moved first: 2 for a win, 1 for a draw
	// Taken has for each cell in how many games the player put a stone there, and
	// in the upper half twice the player's points in these: see Counts.
	Taken [2][]uint32
}

// Counts splits a count of Taken.
func (LeafCounts) Counts(taken uint32) (games, points uint32) {
	return taken & 0xffff, taken >> 16
}

// Wait waits for the batch that was started first of all that have not been waited
// for, and returns the results of its leaves. They hold until as many batches are
// started again as are under way at a time.
func (h *Leaves) Wait() ([]LeafCounts, error) {
	if h.started == h.waited {
		return nil, errors.New("no batch is under way")
	}
	b := &h.batches[h.waited%h.shape.Batches]
	h.waited++
	if err := b.wait(); err != nil {
		return nil, err
	}
	words := h.words()
	for i := range b.counts[:b.leaves] {
		b.counts[i].Points = b.results.Data()[i*words]
	}
	return b.counts[:b.leaves], nil
}

// wait waits until the results of all leaves are there. A device that fails does not
// say so there, but to the driver.
func (b *havannahBatch) wait() error {
	done := b.done.Data()[:b.leaves]
	asked := false
	start := time.Now()
	for polls := 1; len(done) > 0; polls++ {
		switch {
		case atomic.LoadUint32(&done[0]) == b.number:
			done = done[1:]
		case asked:
			return fmt.Errorf("a kernel ended without results of %d leaves", len(done))
		case polls%64 == 0 && time.Since(start) > havannahPatience:
			if err := b.stream.Sync(); err != nil {
				return err
			}
			asked = true
		}
	}
	return nil
}
