package cudalib

import (
	"errors"
	"fmt"

	"gamebots/cudalib/driver"
)

// NashMaxSupport is how many strategies a player may have for the kernels of
// supports.
const NashMaxSupport = 24

// NashPayoffs are a game as the kernels of supports take it: positive payoffs of
// the row player row by row, and of the column player column by column.
type NashPayoffs struct {
	Rows, Cols int
	A, BT      []float64
}

// NashProgram is one of the kernels of supports.
type NashProgram int

const (
	NashTree   NashProgram = iota // ours
	NashNguyen                    // a block has a row support, its threads share column supports
	NashGrosu                     // a thread has a pair
)

const (
	nashSupportThreads = 512     // of Nguyen's and Grosu's, as Nguyen has it
	nashTreeThreads    = 128     // a block
	nashMaxPairs       = 1 << 24 // that one launch may leave
	nashGrosuBlocks    = 1 << 20 // a launch
)

// NashSupport looks at pairs of supports on a device. It is used by one goroutine
// at a time.
type NashSupport struct {
	*launcher
	game                        NashPayoffs
	program                     NashProgram
	pivoting                    uint32
	threads, blocks             int
	nguyen, grosu, tree, second *driver.Kernel

	a, bt, memory    driver.Buffer[float64]
	rowSets, colSets driver.Buffer[uint32]
	count, work      driver.Buffer[uint32]
	pairs, seconds   driver.Buffer[uint64]
	maxPairs         int
}

// NewNashSupport puts a game on a device, with room for sets of strategies of any
// size. Threads are those of a block, 0 for what is usual. Pivoting is that of the
// programs of others: partial, none, or butterflies instead.
func NewNashSupport(d *Device, g NashPayoffs, p NashProgram, threads int, pivoting uint32) (*NashSupport, error) {
	if g.Rows < 1 || g.Cols < 1 || g.Rows > NashMaxSupport || g.Cols > NashMaxSupport || len(g.A) != g.Rows*g.Cols || len(g.BT) != len(g.A) {
		return nil, fmt.Errorf("nash: %d by %d strategies: kernels of supports take 1 to %d: %w", g.Rows, g.Cols, NashMaxSupport, errors.ErrUnsupported)
	}
	n := &NashSupport{launcher: newLauncher(d, "nash_support"), game: g, program: p, threads: threads, pivoting: pivoting}
	if threads == 0 {
		n.threads = nashSupportThreads
	}
	n.nguyen, _ = n.kernel("nash_nguyen", n.threads)
	n.grosu, _ = n.kernel("nash_grosu", n.threads)
	n.second, _ = n.kernel("nash_second", nashTreeThreads)
	n.tree, n.blocks = n.kernel("nash_tree", nashTreeThreads)
	rowSets, colSets := binomialPeak(g.Rows), binomialPeak(g.Cols)
	n.a, n.bt = alloc[float64](n.launcher, len(g.A)), alloc[float64](n.launcher, len(g.A))
	n.rowSets, n.colSets = alloc[uint32](n.launcher, rowSets), alloc[uint32](n.launcher, colSets)
	n.count, n.work = alloc[uint32](n.launcher, 2), alloc[uint32](n.launcher, 1)
	n.maxPairs = min(nashMaxPairs, rowSets*colSets)
	n.pairs, n.seconds = alloc[uint64](n.launcher, n.maxPairs), alloc[uint64](n.launcher, n.maxPairs)
	if p == NashTree {
		// More warps than there are groups of row supports for have no work.
		n.blocks = min(n.blocks, (rowSets*g.Cols+nashTreeThreads-1)/nashTreeThreads)
		levels := 0
		for k := 1; k <= min(g.Rows, g.Cols); k++ {
			levels = max(levels, max(1, k-1)*k)
		}
		n.memory = alloc[float64](n.launcher, levels*(g.Cols+1)*n.blocks*nashTreeThreads)
	}
	if n.err == nil {
		n.err = errors.Join(n.a.Upload(n.stream, g.A), n.bt.Upload(n.stream, g.BT))
	}
	if n.err != nil {
		return nil, errors.Join(n.err, n.Close())
	}
	return n, nil
}

// binomialPeak is the number of subsets of the size of which there are most.
func binomialPeak(n int) int {
	c := 1
	for k := 1; k <= n/2; k++ {
		c = c * (n - k + 1) / k
	}
	return c
}

// ErrNashDependent is a game with columns that are dependent within rounding,
// whose supports the kernel leaves to the CPU.
var ErrNashDependent = errors.New("nash: columns that are dependent within rounding")

// Search returns the pairs of supports of k strategies that floats do not rule out:
// rows in the lower half of a number and columns in the upper. The sets are all of
// k, in any order; it is called for each k, and look after each launch with the
// part of the pairs that were looked at.
func (n *NashSupport) Search(k int, rowSets, colSets []uint32, look func(part float64) error) (pairs []uint64, err error) {
	rows, cols := n.rowSets.Slice(0, len(rowSets)), n.colSets.Slice(0, len(colSets))
	if err := errors.Join(rows.Upload(n.stream, rowSets), cols.Upload(n.stream, colSets), n.count.Zero(n.stream)); err != nil {
		return nil, err
	}
	game := []driver.Arg{driver.U32(uint32(n.game.Rows)), driver.U32(uint32(n.game.Cols)), driver.U32(uint32(k))}
	out := []driver.Arg{n.pairs.Arg(), n.count.Arg(), driver.U32(uint32(n.maxPairs))}
	switch n.program {
	case NashNguyen:
		args := append(append(game, n.a.Arg(), n.bt.Arg(), rows.Arg(), cols.Arg(), driver.U32(uint32(len(colSets))), driver.U32(n.pivoting)), out...)
		err = n.nguyen.Launch(n.stream, driver.Grid{Blocks: len(rowSets), Threads: n.threads}, args...)
	case NashGrosu:
		total := uint64(len(rowSets)) * uint64(len(colSets))
		for from := uint64(0); from < total && err == nil; from += nashGrosuBlocks * uint64(n.threads) {
			blocks := min(nashGrosuBlocks, (total-from-1)/uint64(n.threads)+1)
			args := append(append(game, n.a.Arg(), n.bt.Arg(), rows.Arg(), cols.Arg(), driver.U32(uint32(len(colSets))), driver.U64(from), driver.U64(total), driver.U32(n.pivoting)), out...)
			err = n.grosu.Launch(n.stream, driver.Grid{Blocks: int(blocks), Threads: n.threads}, args...)
		}
	default:
		return n.searchTree(k, rowSets, game, look)
	}
	if err != nil {
		return nil, err
	}
	pairs, err = n.download(n.pairs)
	return pairs, err
}

// treeChunk is how many row supports a launch of our kernel goes through, so that
// what it leaves has room.
const treeChunk = 1 << 15

// searchTree looks at all pairs for the row player's part, and at those that are
// left for the column player's.
func (n *NashSupport) searchTree(k int, rowSets []uint32, game []driver.Arg, look func(float64) error) ([]uint64, error) {
	var all []uint64
	for from := 0; from < len(rowSets); from += treeChunk {
		chunk := n.rowSets.Slice(from, min(from+treeChunk, len(rowSets)))
		if err := errors.Join(n.count.Zero(n.stream), n.work.Zero(n.stream)); err != nil {
			return nil, err
		}
		args := append(game[:3:3], n.a.Arg(), chunk.Arg(), driver.U32(uint32(chunk.Len())), n.work.Arg(), n.memory.Arg(),
			n.seconds.Arg(), n.count.Arg(), driver.U32(uint32(n.maxPairs)))
		if err := n.tree.Launch(n.stream, driver.Grid{Blocks: n.blocks, Threads: nashTreeThreads}, args...); err != nil {
			return nil, err
		}
		var counts [2]uint32
		if err := n.count.Download(n.stream, counts[:]); err != nil {
			return nil, err
		}
		if counts[1] > 0 {
			return nil, ErrNashDependent
		}
		if int(counts[0]) > n.maxPairs {
			return nil, fmt.Errorf("nash: %d pairs are left, and there is room for %d", counts[0], n.maxPairs)
		}
		if counts[0] > 0 {
			if err := n.count.Zero(n.stream); err != nil {
				return nil, err
			}
			args := append(game[:3:3], n.bt.Arg(), n.seconds.Arg(), driver.U32(counts[0]), n.pairs.Arg(), n.count.Arg(), driver.U32(uint32(n.maxPairs)))
			blocks := min(int(counts[0]-1)/nashTreeThreads+1, 1<<16)
			if err := n.second.Launch(n.stream, driver.Grid{Blocks: blocks, Threads: nashTreeThreads}, args...); err != nil {
				return nil, err
			}
			pairs, err := n.download(n.pairs)
			if err != nil {
				return nil, err
			}
			all = append(all, pairs...)
		}
		if look != nil {
			if err := look(float64(min(from+treeChunk, len(rowSets))) / float64(len(rowSets))); err != nil {
				return all, err
			}
		}
	}
	return all, nil
}

// download returns the pairs that the last kernel left.
func (n *NashSupport) download(from driver.Buffer[uint64]) ([]uint64, error) {
	var counts [2]uint32
	if err := n.count.Download(n.stream, counts[:]); err != nil {
		return nil, err
	}
	if int(counts[0]) > n.maxPairs {
		return nil, fmt.Errorf("nash: %d pairs are left, and there is room for %d", counts[0], n.maxPairs)
	}
	if counts[0] == 0 {
		return nil, nil
	}
	pairs := make([]uint64, counts[0])
	return pairs, from.Slice(0, len(pairs)).Download(n.stream, pairs)
}
