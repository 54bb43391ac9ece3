package cudalib

import (
	"errors"
	"fmt"

	"gamebots/cudalib/driver"
)

// HavannahStone is one on the way from a root to a leaf.
type HavannahStone struct {
	Cell  int
	Black bool
}

// HavannahLeaf is a position that games are played from.
type HavannahLeaf struct {
	Stones []HavannahStone // beside those of the root
	Alone  bool            // or without those
	Turn   uint8           // who moves first: 0 white, 1 black
	Number uint64          // of the first game, in the stream of random numbers
}

// HavannahLeavesShape is what a launcher has room for.
type HavannahLeavesShape struct {
	Leaves  int // of a batch
	Games   int // from each leaf
	Batches int // under way at a time
	Threads int // of a leaf; 0 is as many as there are games, up to 128
}

// HavannahLeaves plays random games from leaves of a tree, as solvers/playout's
// Rollout says, and counts who put a stone where. Some batches are under way at a
// time, and come back in their order. One goroutine uses it at a time.
type HavannahLeaves struct {
	*launcher
	shape HavannahLeavesShape
	cells []uint16 // as kernels have them, by ours
	room  int      // words of a mark for each triangle, see kernels/havannah.cuh

	rootKernel, leavesKernel *driver.Kernel
	threads, shared          int // of a block

	board, root driver.Buffer[uint32]
	numbers     driver.Buffer[uint16]
	position    driver.Buffer[uint16] // stones of the root, then its empty cells
	stones      int                   // of the root
	places      []uint16              // of cells among the empty ones

	batches         []havannahBatch
	started, waited int
}

// havannahBatch is what there is of each batch that can be under way.
type havannahBatch struct {
	stream   *driver.Stream
	in, back driver.Pinned[uint32] // leaves, then their stones; results
	jobs     driver.Buffer[uint32]
	orders   driver.Buffer[uint32]
	results  driver.Buffer[uint32]
	leaves   int
}

const (
	havannahNoPlace  = 0xffff
	havannahTurn     = 1 << 16
	havannahFromRoot = 1 << 17

	havannahLeafThreads = 256 // of a block, unless a shape says otherwise
	havannahLeafWords   = 4
	// havannahMaxGames is how many games' points a counter holds.
	havannahMaxGames = 1<<15 - 1
)

// NewHavannahLeaves puts a board on a device. Cells are in the order of their
// numbers.
func NewHavannahLeaves(d *Device, board []HavannahCell, s HavannahLeavesShape) (*HavannahLeaves, error) {
	t, err := triangulate(board)
	if err != nil {
		return nil, err
	}
	if s.Leaves < 1 || s.Games < 1 || s.Games > havannahMaxGames || s.Batches < 1 {
		return nil, fmt.Errorf("%d batches of %d leaves with %d games each cannot be", s.Batches, s.Leaves, s.Games)
	}
	h := &HavannahLeaves{launcher: newLauncher(d, "havannah_leaves"), shape: s, cells: t.cells, room: t.room, places: make([]uint16, len(board))}
	h.rootKernel, _ = h.kernel("havannah_root", warp)
	h.leavesKernel, _ = h.kernel("havannah_leaves", warp)
	h.block(s.Threads)
	n := len(board)
	h.board, h.root = alloc[uint32](h.launcher, len(t.rows)), alloc[uint32](h.launcher, t.room)
	h.numbers, h.position = alloc[uint16](h.launcher, n), alloc[uint16](h.launcher, n)
	for range s.Batches {
		// The path to a leaf has each cell once.
		in, out := s.Leaves*(havannahLeafWords+n), s.Leaves*h.words()
		pin := func(n int) driver.Pinned[uint32] {
			return keep(h.launcher, func() (driver.Pinned[uint32], error) { return driver.AllocPinned[uint32](d, n) })
		}
		h.batches = append(h.batches, havannahBatch{
			stream: keep(h.launcher, d.NewStream),
			in:     pin(in), jobs: alloc[uint32](h.launcher, in),
			orders:  alloc[uint32](h.launcher, s.Leaves*h.threads*((n+7)/8*4)),
			results: alloc[uint32](h.launcher, out), back: pin(out),
		})
	}
	if h.err == nil {
		h.err = errors.Join(h.board.Upload(h.stream, t.rows), h.numbers.Upload(h.stream, t.cells))
	}
	if h.err != nil {
		return nil, errors.Join(h.err, h.Close())
	}
	return h, nil
}

// words is how many words of results a leaf has.
func (h *HavannahLeaves) words() int { return 1 + 2*len(h.cells) }

// block decides how many threads play from a leaf.
func (h *HavannahLeaves) block(threads int) {
	if h.err != nil {
		return
	}
	const word = 4
	ofBlock, ofWarp := word*(4*h.room+h.room+4+h.room+8*h.room+4), word*warp*(h.room+1)
	available := h.device.Info().SharedPerBlock
	if threads == 0 {
		threads = min(havannahLeafThreads, (h.shape.Games+warp-1)/warp*warp, (available-ofBlock)/ofWarp*warp)
	}
	h.threads, h.shared = threads, ofBlock+threads/warp*ofWarp
	if threads < warp || threads > havannahThreads || threads%warp != 0 || h.shared > available {
		h.err = fmt.Errorf("%d threads a leaf with %d bytes of shared memory of %d cannot be", threads, h.shared, available)
	}
}

// SetRoot sets the position that leaves are reached from, with the player to move
// left out. Nothing may be under way.
func (h *HavannahLeaves) SetRoot(p HavannahPosition) error {
	if len(p.Stones) != len(h.cells) || h.started != h.waited {
		return fmt.Errorf("%d cells of %d, with %d batches under way", len(p.Stones), len(h.cells), h.started-h.waited)
	}
	var stones, empty []uint16
	for cell, colour := range p.Stones {
		h.places[cell] = havannahNoPlace
		switch colour {
		case 0:
			h.places[cell] = uint16(len(empty))
			empty = append(empty, h.cells[cell])
		case 1:
			stones = append(stones, h.cells[cell])
		default:
			stones = append(stones, h.cells[cell]|havannahBlack)
		}
	}
	h.stones = len(stones)
	return h.device.Do(func() error {
		return errors.Join(
			h.position.Upload(h.stream, append(stones, empty...)),
			h.rootKernel.Launch(h.stream, driver.Grid{Blocks: 1, Threads: warp, Shared: 4 * warp * (h.room + 1)},
				h.root.Arg(), h.board.Arg(), h.position.Arg(), driver.U32(uint32(h.stones)), driver.U32(uint32(h.room))),
			h.stream.Sync())
	})
}

// Start begins to play the shape's games from each of some leaves. A ring counts
// only where so many permanent stones are beside its last one.
func (h *HavannahLeaves) Start(leaves []HavannahLeaf, seed uint64, permanent int) error {
	if len(leaves) < 1 || len(leaves) > h.shape.Leaves || h.started-h.waited == h.shape.Batches {
		return fmt.Errorf("%d leaves in a batch of %d, %d of %d batches under way", len(leaves), h.shape.Leaves, h.started-h.waited, h.shape.Batches)
	}
	b := &h.batches[h.started%h.shape.Batches]
	b.leaves = len(leaves)
	in, words := b.in.Data(), havannahLeafWords*len(leaves)
	for i, l := range leaves {
		about := uint32(len(l.Stones)) | uint32(l.Turn)*havannahTurn
		if !l.Alone {
			about |= havannahFromRoot
		}
		copy(in[havannahLeafWords*i:], []uint32{uint32(words), about, uint32(l.Number), uint32(l.Number >> 32)})
		for _, s := range l.Stones {
			stone := uint32(h.cells[s.Cell]) | uint32(h.places[s.Cell])<<16
			if s.Black {
				stone |= havannahBlack
			}
			in[words] = stone
			words++
		}
	}
	h.started++
	empty := h.position.Slice(h.stones, h.position.Len())
	return h.device.Do(func() error {
		return errors.Join(
			b.jobs.Slice(0, words).UploadLater(b.stream, b.in.Slice(0, words)),
			h.leavesKernel.Launch(b.stream, driver.Grid{Blocks: len(leaves), Threads: h.threads, Shared: h.shared},
				b.results.Arg(), b.orders.Arg(), h.board.Arg(), h.numbers.Arg(), empty.Arg(), h.root.Arg(), b.jobs.Arg(),
				driver.U32(uint32(h.room)), driver.U32(uint32(len(h.cells))), driver.U32(uint32(len(h.cells)-h.stones)),
				driver.U64(seed), driver.U32(uint32(h.shape.Games)), driver.U32(uint32(permanent))),
			b.results.Slice(0, len(leaves)*h.words()).DownloadLater(b.stream, b.back.Slice(0, len(leaves)*h.words())))
	})
}

// HavannahLeafCounts are the results of the games from a leaf. The first of each
// pair is of the player who moved first.
type HavannahLeafCounts struct {
	Points uint32 // twice those of the player who moved first: 2 for a win, 1 for a draw
	// Taken has for each cell in how many games the player put a stone there, and
	// in the upper half twice the player's points in these: see Counts.
	Taken [2][]uint32
}

// Counts splits a count of Taken.
func (HavannahLeafCounts) Counts(taken uint32) (games, points uint32) {
	return taken & 0xffff, taken >> 16
}

// Wait waits for the batch that was started first of all that have not been waited
// for, and returns the results of its leaves. They hold until as many batches are
// started again as are under way at a time.
func (h *HavannahLeaves) Wait() ([]HavannahLeafCounts, error) {
	if h.started == h.waited {
		return nil, errors.New("no batch is under way")
	}
	b := &h.batches[h.waited%h.shape.Batches]
	h.waited++
	if err := b.stream.Sync(); err != nil {
		return nil, err
	}
	counts, n := make([]HavannahLeafCounts, b.leaves), len(h.cells)
	for i := range counts {
		r := b.back.Data()[i*h.words():]
		counts[i] = HavannahLeafCounts{r[0], [2][]uint32{r[1 : 1+n], r[1+n : 1+2*n]}}
	}
	return counts, nil
}
