package nashgpu

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gamebots/cudalib/driver"
	"gamebots/cudalib/launch"
	ptx "gamebots/cudalib/ptx/nash"
)

// MaxStrategies is how many strategies a player may have for the kernels of
// supports.
const MaxStrategies = 24

// Payoffs are a game as the kernels of supports take it: positive payoffs of
// the row player row by row, and of the column player column by column.
type Payoffs struct {
	Rows, Cols int
	A, BT      []float64
}

// Method is one of the kernels of supports.
type Method int

const (
	Exchange Method = iota // ours
	Nguyen                 // a block has a row support, its threads share column supports
	Grosu                  // a thread has a pair
)

const (
	nashSupportThreads = 512     // of Nguyen's and Grosu's, as Nguyen has it
	nashAnewThreads    = 64      // a block
	nashMostGroups     = 4       // row supports of a warp
	nashMaxPairs       = 1 << 22 // that one launch may leave
	nashGrosuBlocks    = 1 << 20 // a launch
)

// A CoveringWalk is a walk through column supports of one size, so that each of them
// is on it or differs in one column from one that is. It has parts, which begin at
// Starts and have the Steps up to Ends: places of columns that leave, and times 256
// of those that enter, where both have the order of their numbers at the start.
type CoveringWalk struct {
	Starts, Ends []uint32
	Steps        []uint16
}

// Tuning is how kernels of supports run, for comparison. Zero values are what
// is usual.
type Tuning struct {
	Threads  int    // of a block of Nguyen's and Grosu's kernels
	Pivoting uint32 // of theirs: partial, none, or butterflies instead
	Doubles  bool   // no intervals in floats of 32 bits in ours
}

// Supports looks at pairs of supports on a device. It is used by one goroutine
// at a time.
type Supports struct {
	gpu                           *launch.Launcher
	game                          Payoffs
	program                       Method
	tuning                        Tuning
	nguyen, grosu, walk, anewPair *driver.Kernel

	a, bt, probe, atProbe driver.Buffer[float64]
	rowSets, colSets      driver.Buffer[uint32]
	count, left           driver.Buffer[uint32] // of pairs found; of job, pairs left and unclear
	pairs, lefts, unclear driver.Buffer[uint64]
	maxPairs              int

	// Anew counts pairs that were solved for anew, as a tableau did not rule them out.
	Anew uint64
}

// NewSupports puts a game on a device, with room for sets of strategies of any
// size.
func NewSupports(d *driver.Device, g Payoffs, p Method, t Tuning) (*Supports, error) {
	if g.Rows < 1 || g.Cols < 1 || g.Rows > MaxStrategies || g.Cols > MaxStrategies || len(g.A) != g.Rows*g.Cols || len(g.BT) != len(g.A) {
		return nil, fmt.Errorf("nash: %d by %d strategies: kernels of supports take 1 to %d: %w", g.Rows, g.Cols, MaxStrategies, errors.ErrUnsupported)
	}
	if t.Threads == 0 {
		t.Threads = nashSupportThreads
	}
	n := &Supports{gpu: launch.New(d, ptx.Modules, "supports", "exchange"), game: g, program: p, tuning: t}
	n.nguyen, _ = n.gpu.Kernel("nash_nguyen", t.Threads)
	n.grosu, _ = n.gpu.Kernel("nash_grosu", t.Threads)
	n.anewPair, _ = n.gpu.Kernel("nash_anew", nashAnewThreads)
	n.walk, _ = n.gpu.Kernel("nash_exchange", launch.Warp)
	rowSets, colSets := binomialPeak(g.Rows), binomialPeak(g.Cols)
	n.a, n.bt = launch.Upload(n.gpu, g.A), launch.Upload(n.gpu, g.BT)
	n.rowSets, n.colSets = launch.Alloc[uint32](n.gpu, rowSets), launch.Alloc[uint32](n.gpu, colSets)
	n.count, n.left = launch.Alloc[uint32](n.gpu, 1), launch.Alloc[uint32](n.gpu, 3)
	n.maxPairs = min(nashMaxPairs, rowSets*colSets)
	n.pairs = launch.Alloc[uint64](n.gpu, n.maxPairs)
	if p == Exchange {
		n.lefts, n.unclear = launch.Alloc[uint64](n.gpu, n.maxPairs), launch.Alloc[uint64](n.gpu, n.maxPairs)
		probe, atProbe := make([]float64, g.Cols), make([]float64, g.Rows)
		for c := range probe {
			_, probe[c] = math.Modf(float64(c+1) * math.Phi)
			for r := range atProbe {
				atProbe[r] += g.A[r*g.Cols+c] * probe[c]
			}
		}
		n.probe, n.atProbe = launch.Upload(n.gpu, probe), launch.Upload(n.gpu, atProbe)
	}
	if n.gpu.Err != nil {
		return nil, errors.Join(n.gpu.Err, n.Close())
	}
	return n, nil
}

// Close frees what is on the device.
func (n *Supports) Close() error { return n.gpu.Close() }

// binomialPeak is the number of subsets of the size of which there are most.
func binomialPeak(n int) int {
	c := 1
	for k := 1; k <= n/2; k++ {
		c = c * (n - k + 1) / k
	}
	return c
}

// ErrTooManyPairs is a game of which so many pairs of supports are left that there
// is no room for them: a degenerate one.
var ErrTooManyPairs = errors.New("nash: no room for all pairs of supports that are left")

// Search returns the pairs of supports of k strategies that floats do not rule out:
// rows in the lower half of a number and columns in the upper. The sets are all of
// k, in any order, and the cover is of the columns' where there are more than k. It
// is called for each k, and look after each launch with the part of the pairs that
// were looked at.
func (n *Supports) Search(k int, rowSets, colSets []uint32, cover CoveringWalk, look func(part float64) error) (pairs []uint64, err error) {
	rows, cols := n.rowSets.Slice(0, len(rowSets)), n.colSets.Slice(0, len(colSets))
	if err := errors.Join(rows.Upload(n.gpu.Stream, rowSets), cols.Upload(n.gpu.Stream, colSets), n.count.Zero(n.gpu.Stream)); err != nil {
		return nil, err
	}
	game := []driver.Arg{driver.U32(uint32(n.game.Rows)), driver.U32(uint32(n.game.Cols)), driver.U32(uint32(k))}
	out := []driver.Arg{n.pairs.Arg(), n.count.Arg(), driver.U32(uint32(n.maxPairs))}
	switch n.program {
	case Nguyen:
		args := append(append(game, n.a.Arg(), n.bt.Arg(), rows.Arg(), cols.Arg(), driver.U32(uint32(len(colSets))), driver.U32(n.tuning.Pivoting)), out...)
		err = n.nguyen.Launch(n.gpu.Stream, driver.Grid{Blocks: len(rowSets), Threads: n.tuning.Threads}, args...)
	case Grosu:
		total, threads := uint64(len(rowSets))*uint64(len(colSets)), uint64(n.tuning.Threads)
		for from := uint64(0); from < total && err == nil; from += nashGrosuBlocks * threads {
			blocks := min(nashGrosuBlocks, (total-from-1)/threads+1)
			args := append(append(game, n.a.Arg(), n.bt.Arg(), rows.Arg(), cols.Arg(), driver.U32(uint32(len(colSets))), driver.U64(from), driver.U64(total), driver.U32(n.tuning.Pivoting)), out...)
			err = n.grosu.Launch(n.gpu.Stream, driver.Grid{Blocks: int(blocks), Threads: n.tuning.Threads}, args...)
		}
	default:
		return n.exchange(k, rowSets, cover, game, look)
	}
	if err != nil {
		return nil, err
	}
	return n.download()
}

// A launch of our kernel goes through exchangeChunk row supports, or through
// chunkTableaux of all of them, so that what it leaves has room: of tableaux mostly
// less than one in a hundred.
const (
	exchangeChunk = 1 << 14
	chunkTableaux = 1 << 27
)

// exchange goes along the cover with all row supports, and solves anew what that
// leaves.
func (n *Supports) exchange(k int, rowSets []uint32, cover CoveringWalk, game []driver.Arg, look func(float64) error) (pairs []uint64, err error) {
	var starts, ends driver.Buffer[uint32]
	var steps driver.Buffer[uint16]
	if k < n.game.Cols {
		starts, ends, steps = launch.Upload(n.gpu, cover.Starts), launch.Upload(n.gpu, cover.Ends), launch.Upload(n.gpu, append(cover.Steps, 0))
		if n.gpu.Err != nil {
			return nil, n.gpu.Err
		}
	}
	each := max(1, min(exchangeChunk, chunkTableaux/max(1, len(cover.Starts)+len(cover.Steps))))
	for from := 0; from < len(rowSets); from += each {
		to := min(from+each, len(rowSets))
		chunk := n.rowSets.Slice(from, to)
		if k < n.game.Cols {
			err = errors.Join(n.left.Zero(n.gpu.Stream), n.launchWalk(k, chunk, starts, ends, steps, game))
		} else {
			err = n.allColumns(rowSets[from:to])
		}
		var left [3]uint32
		if err := errors.Join(err, n.left.Download(n.gpu.Stream, left[:])); err != nil {
			return nil, err
		}
		if max(left[1], left[2]) > uint32(n.maxPairs) {
			return nil, ErrTooManyPairs
		}
		neighbours := k * (n.game.Cols - k)
		n.Anew += uint64(left[1]) + uint64(left[2])*uint64(1+neighbours)
		if err := errors.Join(n.count.Zero(n.gpu.Stream), n.solveAnew(game, n.lefts, left[1], 0), n.solveAnew(game, n.unclear, left[2], neighbours)); err != nil {
			return nil, err
		}
		found, err := n.download()
		if err != nil {
			return nil, err
		}
		pairs = append(pairs, found...)
		if look != nil {
			if err := look(float64(to) / float64(len(rowSets))); err != nil {
				return pairs, err
			}
		}
	}
	slices.Sort(pairs)
	return slices.Compact(pairs), nil
}

// launchWalk goes along the cover with some row supports.
func (n *Supports) launchWalk(k int, rowSets, starts, ends driver.Buffer[uint32], steps driver.Buffer[uint16], game []driver.Arg) error {
	width := n.game.Cols - k
	groups := min(nashMostGroups, launch.Warp/width)
	bytes := 8*(n.game.Rows*(launch.Warp+3*groups)+groups*k*(n.game.Cols+2)) + (k+15)/16*16 + width
	resident, err := n.walk.Resident(launch.Warp, bytes)
	if err != nil {
		return err
	}
	jobs := (rowSets.Len() + groups - 1) / groups * starts.Len()
	filter := uint32(1)
	if n.tuning.Doubles {
		filter = 0
	}
	most := driver.U32(uint32(n.maxPairs))
	args := append(game[:3:3], driver.U32(uint32(groups)), driver.U32(filter), n.a.Arg(), n.probe.Arg(), n.atProbe.Arg(), rowSets.Arg(), driver.U32(uint32(rowSets.Len())),
		starts.Arg(), ends.Arg(), steps.Arg(), driver.U32(uint32(starts.Len())), n.left.Slice(0, 1).Arg(),
		n.lefts.Arg(), n.left.Slice(1, 2).Arg(), most, n.unclear.Arg(), n.left.Slice(2, 3).Arg(), most)
	return n.walk.Launch(n.gpu.Stream, driver.Grid{Blocks: min(jobs, max(1, resident*n.gpu.Device.Info().Multiprocessors)), Threads: launch.Warp, Shared: bytes}, args...)
}

// allColumns leaves the only column support that has all of them.
func (n *Supports) allColumns(rowSets []uint32) error {
	left := make([]uint64, len(rowSets))
	for i, rows := range rowSets {
		left[i] = (1<<n.game.Cols-1)<<32 | uint64(rows)
	}
	return errors.Join(n.lefts.Slice(0, len(left)).Upload(n.gpu.Stream, left), n.left.Upload(n.gpu.Stream, []uint32{0, uint32(len(left)), 0}))
}

// solveAnew solves for pairs and so many neighbours of each.
func (n *Supports) solveAnew(game []driver.Arg, from driver.Buffer[uint64], num uint32, neighbours int) error {
	if num == 0 {
		return nil
	}
	blocks := min((int(num)*(1+neighbours)-1)/nashAnewThreads+1, 1<<16)
	args := append(game[:3:3], n.a.Arg(), n.bt.Arg(), from.Arg(), driver.U32(num), driver.U32(uint32(neighbours)), n.pairs.Arg(), n.count.Arg(), driver.U32(uint32(n.maxPairs)))
	return n.anewPair.Launch(n.gpu.Stream, driver.Grid{Blocks: blocks, Threads: nashAnewThreads}, args...)
}

// download returns the pairs that the last kernel left.
func (n *Supports) download() ([]uint64, error) {
	var count [1]uint32
	if err := n.count.Download(n.gpu.Stream, count[:]); err != nil {
		return nil, err
	}
	if int(count[0]) > n.maxPairs {
		return nil, ErrTooManyPairs
	}
	if count[0] == 0 {
		return nil, nil
	}
	pairs := make([]uint64, count[0])
	return pairs, n.pairs.Slice(0, len(pairs)).Download(n.gpu.Stream, pairs)
}
