package nashgpu

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gamebots/cudalib/driver"
	"gamebots/cudalib/internal/launch"
)

// MaxStrategies is how many strategies a player may have for [Supports].
const MaxStrategies = 24

// Payoffs are a game for the kernels of supports: positive payoffs, of the row
// player row by row and of the column player column by column.
type Payoffs struct {
	Rows, Cols int
	A, BT      []float64
}

// A Method is one of the kernels that go through pairs of supports.
type Method int

const (
	Exchange Method = iota // goes along a covering walk and exchanges columns of a tableau: the fastest
	Nguyen                 // a block has a row support, and its threads share the column supports
	Grosu                  // a thread has a pair
)

const (
	defaultThreads = 512     // threads of a block of Nguyen's and Grosu's kernels, as Nguyen has it
	solveThreads   = 64      // threads of a block that solves pairs
	maxGroups      = 4       // row supports of a warp
	maxPairs       = 1 << 22 // pairs that one launch may leave
	maxGrosuBlocks = 1 << 20 // blocks of a launch
)

// A CoveringWalk is a walk through the column supports of one size: each support is
// on it, or differs in one column from one that is. It has parts: part i begins at
// the support Starts[i], and its steps end before Ends[i]. A step is the index of
// the column that leaves, plus 256 times that of the column that enters. Indices
// count the columns inside and outside the support of the start, in the order of
// their numbers.
type CoveringWalk struct {
	Starts, Ends []uint32
	Steps        []uint16
}

// Tuning changes how kernels of supports run, for comparisons. Zero values are the
// usual ones.
type Tuning struct {
	Threads  int    // threads of a block of Nguyen's and Grosu's kernels
	Pivoting uint32 // how these kernels pivot: partially, not at all, or by butterflies instead
	Doubles  bool   // no 32-bit interval arithmetic in the kernel of Exchange
}

// Supports searches pairs of supports on a device. It is used by one goroutine at
// a time.
type Supports struct {
	gpu      *launch.Launcher
	game     Payoffs
	method   Method
	tuning   Tuning
	nguyen   *launch.Kernel[nguyenParams]
	grosu    *launch.Kernel[grosuParams]
	exchange *launch.Kernel[exchangeParams]
	solve    *launch.Kernel[solveParams]

	supportBuffers
	maxPairs int

	// Solved counts the pairs that were solved one by one, because no tableau ruled
	// them out.
	Solved uint64
}

// supportBuffers are the game, the supports to try and the pairs that were found on the device.
type supportBuffers struct {
	a, bt, probe, atProbe driver.Buffer[float64]
	rowSets, colSets      driver.Buffer[uint32]
	count                 driver.Buffer[uint32] // pairs that were found
	left                  driver.Buffer[uint32] // the next job, and how many pairs are left and unclear
	pairs, lefts, unclear driver.Buffer[uint64]
}

// The parameters of the kernels of supports.cu and exchange.cu.
type (
	sizeParams struct{ Rows, Cols, K uint32 } // K strategies in a support
	outParams  struct {
		Pairs    driver.Buffer[uint64]
		Count    driver.Buffer[uint32]
		MaxPairs uint32
	}
	nguyenParams struct {
		Size              sizeParams
		A, BT             driver.Buffer[float64]
		RowSets, ColSets  driver.Buffer[uint32]
		NumCols, Pivoting uint32
		Out               outParams
	}
	grosuParams struct {
		Size             sizeParams
		A, BT            driver.Buffer[float64]
		RowSets, ColSets driver.Buffer[uint32]
		NumCols          uint32
		From, Total      uint64
		Pivoting         uint32
		Out              outParams
	}
	solveParams struct {
		Size            sizeParams
		A, BT           driver.Buffer[float64]
		From            driver.Buffer[uint64]
		Num, Neighbours uint32
		Out             outParams
	}
	exchangeParams struct {
		Size              sizeParams
		Groups, Filter    uint32
		A, Probe, AtProbe driver.Buffer[float64]
		RowSets           driver.Buffer[uint32]
		NumRows           uint32
		Starts, Ends      driver.Buffer[uint32]
		Steps             driver.Buffer[uint16]
		Parts             uint32
		Job               driver.Buffer[uint32]
		Left, Unclear     outParams
	}
)

// NewSupports puts a game on a device, with room for sets of strategies of any
// size.
func NewSupports(d *driver.Device, g Payoffs, method Method, t Tuning) (*Supports, error) {
	if g.Rows < 1 || g.Cols < 1 || g.Rows > MaxStrategies || g.Cols > MaxStrategies || len(g.A) != g.Rows*g.Cols ||
		len(g.BT) != len(g.A) {
		return nil, fmt.Errorf("nash: %d by %d strategies: kernels of supports take 1 to %d: %w", g.Rows, g.Cols,
			MaxStrategies, errors.ErrUnsupported)
	}
	if t.Threads == 0 {
		t.Threads = defaultThreads
	}
	n := &Supports{gpu: launch.New(d, Modules, "supports", "exchange"), game: g, method: method, tuning: t}
	n.nguyen = launch.Find[nguyenParams](n.gpu, "nash_nguyen")
	n.grosu = launch.Find[grosuParams](n.gpu, "nash_grosu")
	n.solve = launch.Find[solveParams](n.gpu, "nash_solve_pairs")
	n.exchange = launch.Find[exchangeParams](n.gpu, "nash_exchange")
	rowSets, colSets := binomialPeak(g.Rows), binomialPeak(g.Cols)
	n.a, n.bt = launch.Upload(n.gpu, g.A), launch.Upload(n.gpu, g.BT)
	n.rowSets, n.colSets = launch.Alloc[uint32](n.gpu, rowSets), launch.Alloc[uint32](n.gpu, colSets)
	n.count, n.left = launch.Alloc[uint32](n.gpu, 1), launch.Alloc[uint32](n.gpu, 3)
	n.maxPairs = min(maxPairs, rowSets*colSets)
	n.pairs = launch.Alloc[uint64](n.gpu, n.maxPairs)
	if method == Exchange {
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

// Close frees the memory on the device.
func (n *Supports) Close() error { return n.gpu.Close() }

// binomialPeak returns the largest binomial coefficient of n.
func binomialPeak(n int) int {
	c := 1
	for k := 1; k <= n/2; k++ {
		c = c * (n - k + 1) / k
	}
	return c
}

// ErrTooManyPairs is returned for a game that leaves more pairs of supports than
// there is room for: a degenerate one.
var ErrTooManyPairs = errors.New("nash: no room for all pairs of supports that are left")

// Search returns the pairs of supports of k strategies that floating-point
// arithmetic does not rule out: rows in the lower half of a number and columns in
// the upper. The sets are all supports of size k, in any order, and the walk covers
// those of columns where the player has more than k. Progress is called after each
// launch with the part of the pairs that was searched.
func (n *Supports) Search(
	k int, rowSets, colSets []uint32, walk CoveringWalk, progress func(part float64) error,
) (pairs []uint64, err error) {
	rows, cols := n.rowSets.Slice(0, len(rowSets)), n.colSets.Slice(0, len(colSets))
	if err := errors.Join(rows.Upload(n.gpu.Stream, rowSets), cols.Upload(n.gpu.Stream, colSets),
		n.count.Zero(n.gpu.Stream)); err != nil {
		return nil, err
	}
	switch n.method {
	case Nguyen:
		err = n.nguyen.Launch(n.gpu.Stream, driver.Grid{Blocks: len(rowSets), Threads: n.tuning.Threads}, nguyenParams{
			Size: n.size(k), A: n.a, BT: n.bt, RowSets: rows, ColSets: cols, NumCols: uint32(len(colSets)),
			Pivoting: n.tuning.Pivoting, Out: n.out(),
		})
	case Grosu:
		total, threads := uint64(len(rowSets))*uint64(len(colSets)), uint64(n.tuning.Threads)
		for from := uint64(0); from < total && err == nil; from += maxGrosuBlocks * threads {
			blocks := min(maxGrosuBlocks, (total-from-1)/threads+1)
			err = n.grosu.Launch(n.gpu.Stream, driver.Grid{Blocks: int(blocks), Threads: n.tuning.Threads}, grosuParams{
				Size: n.size(k), A: n.a, BT: n.bt, RowSets: rows, ColSets: cols, NumCols: uint32(len(colSets)),
				From: from, Total: total, Pivoting: n.tuning.Pivoting, Out: n.out(),
			})
		}
	default:
		return n.searchByExchange(k, rowSets, walk, progress)
	}
	if err != nil {
		return nil, err
	}
	return n.download()
}

func (n *Supports) size(k int) sizeParams {
	return sizeParams{uint32(n.game.Rows), uint32(n.game.Cols), uint32(k)}
}

func (n *Supports) out() outParams { return outParams{n.pairs, n.count, uint32(n.maxPairs)} }

// A launch of the kernel of Exchange takes exchangeRows row supports, or as many as
// have exchangeTableaux tableaux, so that there is room for the pairs that are left:
// usually less than one for a hundred tableaux.
const (
	exchangeRows     = 1 << 14
	exchangeTableaux = 1 << 27
)

// searchByExchange goes along the walk with all row supports, and solves the pairs
// that this leaves.
func (n *Supports) searchByExchange(
	k int, rowSets []uint32, walk CoveringWalk, progress func(float64) error,
) (pairs []uint64, err error) {
	var cover walkBuffers
	if k < n.game.Cols {
		cover = walkBuffers{launch.Upload(n.gpu, walk.Starts), launch.Upload(n.gpu, walk.Ends),
			launch.Upload(n.gpu, append(walk.Steps, 0))}
		if n.gpu.Err != nil {
			return nil, n.gpu.Err
		}
	}
	each := max(1, min(exchangeRows, exchangeTableaux/max(1, len(walk.Starts)+len(walk.Steps))))
	for from := 0; from < len(rowSets); from += each {
		to := min(from+each, len(rowSets))
		if k < n.game.Cols {
			err = errors.Join(n.left.Zero(n.gpu.Stream), n.launchExchange(k, n.rowSets.Slice(from, to), cover))
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
		n.Solved += uint64(left[1]) + uint64(left[2])*uint64(1+neighbours)
		if err := errors.Join(n.count.Zero(n.gpu.Stream), n.solvePairs(k, n.lefts, left[1], 0),
			n.solvePairs(k, n.unclear, left[2], neighbours)); err != nil {
			return nil, err
		}
		found, err := n.download()
		if err != nil {
			return nil, err
		}
		pairs = append(pairs, found...)
		if progress != nil {
			if err := progress(float64(to) / float64(len(rowSets))); err != nil {
				return pairs, err
			}
		}
	}
	slices.Sort(pairs)
	return slices.Compact(pairs), nil
}

// walkBuffers are a [CoveringWalk] on the device.
type walkBuffers struct {
	starts, ends driver.Buffer[uint32]
	steps        driver.Buffer[uint16]
}

// launchExchange goes along the walk with some row supports.
func (n *Supports) launchExchange(k int, rowSets driver.Buffer[uint32], walk walkBuffers) error {
	width := n.game.Cols - k
	groups := min(maxGroups, launch.Warp/width)
	bytes := 8*(n.game.Rows*(launch.Warp+3*groups)+groups*k*(n.game.Cols+2)) + (k+15)/16*16 + width
	resident, err := n.exchange.Resident(launch.Warp, bytes)
	if err != nil {
		return err
	}
	jobs := (rowSets.Len() + groups - 1) / groups * walk.starts.Len()
	params := exchangeParams{
		Size: n.size(k), Groups: uint32(groups), Filter: 1, A: n.a, Probe: n.probe, AtProbe: n.atProbe,
		RowSets: rowSets, NumRows: uint32(rowSets.Len()),
		Starts: walk.starts, Ends: walk.ends, Steps: walk.steps, Parts: uint32(walk.starts.Len()),
		Job:     n.left.Slice(0, 1),
		Left:    outParams{n.lefts, n.left.Slice(1, 2), uint32(n.maxPairs)},
		Unclear: outParams{n.unclear, n.left.Slice(2, 3), uint32(n.maxPairs)},
	}
	if n.tuning.Doubles {
		params.Filter = 0
	}
	return n.exchange.Launch(n.gpu.Stream,
		driver.Grid{Blocks: min(jobs, max(1, resident*n.gpu.Device.Info().Multiprocessors)), Threads: launch.Warp,
			Shared: bytes}, params)
}

// allColumns leaves the only column support that has all of them.
func (n *Supports) allColumns(rowSets []uint32) error {
	left := make([]uint64, len(rowSets))
	for i, rows := range rowSets {
		left[i] = (1<<n.game.Cols-1)<<32 | uint64(rows)
	}
	return errors.Join(n.lefts.Slice(0, len(left)).Upload(n.gpu.Stream, left),
		n.left.Upload(n.gpu.Stream, []uint32{0, uint32(len(left)), 0}))
}

// solvePairs solves pairs and some neighbours of each.
func (n *Supports) solvePairs(k int, from driver.Buffer[uint64], num uint32, neighbours int) error {
	if num == 0 {
		return nil
	}
	blocks := min((int(num)*(1+neighbours)-1)/solveThreads+1, 1<<16)
	return n.solve.Launch(n.gpu.Stream, driver.Grid{Blocks: blocks, Threads: solveThreads}, solveParams{
		Size: n.size(k), A: n.a, BT: n.bt, From: from, Num: num, Neighbours: uint32(neighbours), Out: n.out(),
	})
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
