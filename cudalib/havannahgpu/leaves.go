package havannahgpu

import (
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"gamebots/cudalib/driver"
	"gamebots/cudalib/internal/launch"
)

// A Stone is one on the path from a root to a leaf.
type Stone struct {
	Cell  int
	Black bool
}

// A Leaf is a position that games are played from.
type Leaf struct {
	Stones []Stone // beside those of the root
	Alone  bool    // without the stones of the root
	Turn   uint8   // the player who moves first: 0 white, 1 black
	Number uint64  // number of the first game, in the stream of random numbers
}

// A LeavesShape is the capacity of a Leaves.
type LeavesShape struct {
	Leaves  int // leaves of a batch
	Games   int // from each leaf
	Batches int // under way at a time
}

// Leaves plays random games from the leaves of a search tree, as the Rollout of
// solvers/playout does, and counts where each player put stones. Several batches
// can be under way; they come back in order. One goroutine uses it at a time.
//
// A search has little to do but wait for a batch, so nothing is copied: the kernel
// reads leaves from the host's memory, and writes their results there.
type Leaves struct {
	triangulation
	gpu   *launch.Launcher
	shape LeavesShape

	markRoot        *launch.Kernel[markRootParams]
	play            *launch.Kernel[playParams]
	threads, shared int // threads and shared memory of a block
	atOnce          int // games

	board, root driver.Buffer[uint32]
	numbers     driver.Buffer[uint16]
	position    driver.Buffer[uint16] // stones of the root, then its empty cells
	stones      int                   // stones of the root
	stoneWords  []uint32              // white stone of each cell as the kernel reads it

	batches         []batch
	started, waited int
}

// A batch is the memory of a batch that can be under way.
type batch struct {
	stream        *driver.Stream
	jobs, results driver.Pinned[uint32] // jobs and results of the leaves, see leaves.cu
	done          driver.Pinned[uint32] // number of the last batch whose results are there, for each leaf
	number        uint32
	counts        []LeafCounts // counts of the most leaves
	leaves        int
}

// The parameters of the kernels of leaves.cu.
type (
	markRootParams struct {
		Marks, Board         driver.Buffer[uint32]
		Stones               driver.Buffer[uint16]
		NumStones, Triangles uint32
	}
	playParams struct {
		Results, Done                 driver.Pinned[uint32]
		Board                         driver.Buffer[uint32]
		Cells, Empty                  driver.Buffer[uint16]
		Root                          driver.Buffer[uint32]
		Jobs                          driver.Pinned[uint32]
		Pitch                         uint32 // words from a leaf's job to the next
		Triangles, NumCells, NumEmpty uint32
		Seed                          uint64
		Games, AtOnce                 uint32
		Permanent                     uint32
		Batch                         uint32
	}
)

// The first word of a leaf's job, from the lowest bit: the number of its stones,
// who moves, whether the stones of the root are there.
const (
	noIndex = 0xffff // index of a stone's cell in the list of empty cells
	turnBit = 1 << 16
	rootBit = 1 << 17
)

const (
	maxLeafGames = 128 // most games of a block at a time
	jobHead      = 3   // words of a job before its stones
	laneExtra    = 5   // words of a lane that are not for triangles
	listExtra    = 2   // words of a list that are not for cells
	// maxGames is how many games' points a counter holds.
	maxGames = 1<<15 - 1
	// pollTime is how long the host polls for results before it asks the driver, which
	// takes longer to answer.
	pollTime = 500 * time.Microsecond
)

// NewLeaves puts a board on a device. Its cells are in the order of their numbers.
func NewLeaves(d *driver.Device, board []Cell, s LeavesShape) (*Leaves, error) {
	if s.Leaves < 1 || s.Games < 1 || s.Games > maxGames || s.Batches < 1 {
		return nil, fmt.Errorf("%d batches of %d leaves with %d games each cannot be", s.Batches, s.Leaves, s.Games)
	}
	h := &Leaves{triangulation: triangulate(board), gpu: launch.New(d, Modules, "leaves"), shape: s,
		stoneWords: make([]uint32, len(board))}
	h.markRoot = launch.Find[markRootParams](h.gpu, "havannah_mark_root")
	h.play = launch.Find[playParams](h.gpu, "havannah_leaves")
	h.block()
	n := len(board)
	h.board, h.root = launch.Upload(h.gpu, h.rows), launch.Alloc[uint32](h.gpu, 2*h.triangles)
	h.numbers, h.position = launch.Upload(h.gpu, h.cells), launch.Alloc[uint16](h.gpu, n)
	for range s.Batches {
		b := batch{
			stream: launch.Keep(h.gpu, d.NewStream),
			// The path to a leaf has each cell once.
			jobs: launch.AllocPinned[uint32](h.gpu, s.Leaves*jobPitch(n)), results: launch.AllocPinned[uint32](h.gpu,
				s.Leaves*h.words()), done: launch.AllocPinned[uint32](h.gpu, s.Leaves),
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
	return launch.Finish(h.gpu, h)
}

// Close frees the memory on the device.
func (h *Leaves) Close() error { return h.gpu.Close() }

// words returns how many words of results a leaf has.
func (h *Leaves) words() int { return 1 + 2*len(h.cells) }

// jobPitch returns how many words there are from a leaf's job to the next, where no
// leaf has more stones: a multiple of the words that a warp reads at a time.
func jobPitch(stones int) int {
	return launch.Whole(jobHead + stones)
}

// block decides how many games a block plays at a time, all of a leaf or as many as there is room for: by two threads
// each, while a third one draws cells.
func (h *Leaves) block() {
	if h.gpu.Err != nil {
		return
	}
	const word = 4
	n := len(h.cells)
	whole := func(x, of int) int { return (x + of - 1) / of * of }
	size := func(games int) (threads, bytes int) {
		players, drawers := whole(2*games, launch.Warp), whole(games, launch.Warp)
		halves := whole(n, 8) / 2 // words for a cell each
		ofBlock := 16*h.triangles + 2*h.triangles + h.triangles + 4 + halves + 4 + 8*h.triangles + 4 + 16 + players +
			whole(jobHead+n, 4) + 2*halves
		return players + drawers,
			word * (ofBlock + players*(h.triangles+laneExtra) + drawers*((n+1)/2+listExtra))
	}
	available := h.gpu.Device.Info().SharedPerBlock
	for h.atOnce = min(h.shape.Games, maxLeafGames); ; h.atOnce-- {
		h.threads, h.shared = size(h.atOnce)
		if h.shared <= available || h.atOnce == 1 {
			break
		}
	}
	if h.shared > available {
		h.gpu.Err = fmt.Errorf("a game with %d bytes of shared memory of %d cannot be", h.shared, available)
	}
}

// SetRoot sets the position that leaves are reached from, whatever its turn. No
// batch may be under way.
func (h *Leaves) SetRoot(p Position) error {
	if len(p.Stones) != len(h.cells) || h.started != h.waited {
		return fmt.Errorf("%d cells of %d, with %d batches under way", len(p.Stones), len(h.cells), h.started-h.waited)
	}
	stones, empty, listed := p.lists(h.cells)
	for cell, index := range listed {
		h.stoneWords[cell] = uint32(h.cells[cell]) | uint32(index)<<16
	}
	h.stones = len(stones)
	return h.gpu.Device.Do(func() error {
		return errors.Join(
			h.position.Upload(h.gpu.Stream, append(stones, empty...)),
			h.markRoot.Launch(h.gpu.Stream, driver.Grid{Blocks: 1, Threads: launch.Warp,
				Shared: 4 * (8*h.triangles + launch.Warp*(h.triangles+laneExtra))},
				markRootParams{Marks: h.root, Board: h.board, Stones: h.position, NumStones: uint32(h.stones),
					Triangles: uint32(h.triangles)}),
			h.gpu.Stream.Sync())
	})
}

// Start begins a batch: the shape's number of games from each of some leaves, with
// permanent stones as the Rollout of solvers/playout has them.
func (h *Leaves) Start(leaves []Leaf, seed uint64, permanent int) error {
	if len(leaves) < 1 || len(leaves) > h.shape.Leaves || h.started-h.waited == h.shape.Batches {
		return fmt.Errorf("%d leaves in a batch of %d, %d of %d batches under way", len(leaves), h.shape.Leaves,
			h.started-h.waited, h.shape.Batches)
	}
	b := &h.batches[h.started%h.shape.Batches]
	b.leaves = len(leaves)
	b.number++
	stones := 0
	for _, l := range leaves {
		stones = max(stones, len(l.Stones))
	}
	jobs, pitch := b.jobs.Data(), jobPitch(stones)
	for i, l := range leaves {
		head := uint32(len(l.Stones)) | uint32(l.Turn)*turnBit
		if !l.Alone {
			head |= rootBit
		}
		job := jobs[i*pitch:][:pitch]
		job[0], job[1], job[2] = head, uint32(l.Number), uint32(l.Number>>32)
		for k, s := range l.Stones {
			stone := h.stoneWords[s.Cell]
			if s.Black {
				stone |= blackStone
			}
			job[jobHead+k] = stone
		}
	}
	params := playParams{
		Results: b.results, Done: b.done, Board: h.board, Cells: h.numbers,
		Empty: h.position.Slice(h.stones, h.position.Len()), Root: h.root,
		Jobs: b.jobs, Pitch: uint32(pitch), Triangles: uint32(h.triangles), NumCells: uint32(len(h.cells)),
		NumEmpty: uint32(len(h.cells) - h.stones),
		Seed:     seed, Games: uint32(h.shape.Games), AtOnce: uint32(h.atOnce),
		Permanent: uint32(permanent), Batch: b.number,
	}
	h.started++
	return h.play.Launch(b.stream, driver.Grid{Blocks: len(leaves), Threads: h.threads, Shared: h.shared}, params)
}

// LeafCounts are the results of the games from a leaf. Taken has the player who
// moved first at 0.
type LeafCounts struct {
	Points uint32 // points of the player who moved first: 2 for a win, 1 for a draw
	// Taken has for each cell the number of games in which the player put a stone
	// there, and the player's points in these in the upper 16 bits.
	Taken [2][]uint32
}

// Wait waits for the oldest batch that is under way, and returns the results of its
// leaves. They are valid until the shape's number of batches has been started
// again.
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

// wait waits until the results of all leaves are there. A device that fails writes
// nothing: the driver knows.
func (b *batch) wait() error {
	done := b.done.Data()[:b.leaves]
	asked := false
	start := time.Now()
	for polls := 1; len(done) > 0; polls++ {
		switch {
		case atomic.LoadUint32(&done[0]) == b.number:
			done = done[1:]
		case asked:
			return fmt.Errorf("a kernel ended without results of %d leaves", len(done))
		case polls%64 == 0 && time.Since(start) > pollTime:
			if err := b.stream.Sync(); err != nil {
				return err
			}
			asked = true
		}
	}
	return nil
}
