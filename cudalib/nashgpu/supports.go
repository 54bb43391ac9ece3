package nashgpu

import (
	"cmp"
	"errors"
	"fmt"

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
	Nguyen Method = iota // a block has a row support, and its threads share the column supports
	Grosu                // a thread has a pair
)

const (
	defaultThreads = 512     // threads of a block, as Nguyen has it
	maxPairs       = 1 << 22 // pairs that one launch may leave
	maxGrosuBlocks = 1 << 20 // blocks of a launch
)

// Supports searches pairs of supports on a device. It is used by one goroutine at
// a time.
type Supports struct {
	gpu     *launch.Launcher
	game    Payoffs
	method  Method
	threads int // threads of a block
	nguyen  *launch.Kernel[nguyenParams]
	grosu   *launch.Kernel[grosuParams]

	a, bt            driver.Buffer[float64]
	rowSets, colSets driver.Buffer[uint32]
	count            driver.Buffer[uint32] // pairs that were found
	pairs            driver.Buffer[uint64]
	maxPairs         int
}

// The parameters of the kernels of supports.cu.
type (
	sizeParams struct{ Rows, Cols, K uint32 } // K strategies in a support
	outParams  struct {
		Pairs    driver.Buffer[uint64]
		Count    driver.Buffer[uint32]
		MaxPairs uint32
	}
	nguyenParams struct {
		Size             sizeParams
		A, BT            driver.Buffer[float64]
		RowSets, ColSets driver.Buffer[uint32]
		NumCols          uint32
		Pivoting         uint32 // 0 is partial pivoting; the kernels have other kinds that nothing uses
		Out              outParams
	}
	grosuParams struct {
		Size             sizeParams
		A, BT            driver.Buffer[float64]
		RowSets, ColSets driver.Buffer[uint32]
		NumCols          uint32
		From, Total      uint64
		Pivoting         uint32 // as above
		Out              outParams
	}
)

// NewSupports puts a game on a device, with room for sets of strategies of any
// size. Blocks have some threads, or as many as Nguyen's if that is 0.
func NewSupports(d *driver.Device, g Payoffs, method Method, threads int) (*Supports, error) {
	if g.Rows < 1 || g.Cols < 1 || g.Rows > MaxStrategies || g.Cols > MaxStrategies || len(g.A) != g.Rows*g.Cols ||
		len(g.BT) != len(g.A) {
		return nil, fmt.Errorf("nash: %d by %d strategies: kernels of supports take 1 to %d: %w", g.Rows, g.Cols,
			MaxStrategies, errors.ErrUnsupported)
	}
	n := &Supports{gpu: launch.New(d, Modules, "supports"), game: g, method: method,
		threads: cmp.Or(threads, defaultThreads)}
	n.nguyen = launch.Find[nguyenParams](n.gpu, "nash_nguyen")
	n.grosu = launch.Find[grosuParams](n.gpu, "nash_grosu")
	rowSets, colSets := binomialPeak(g.Rows), binomialPeak(g.Cols)
	n.a, n.bt = launch.Upload(n.gpu, g.A), launch.Upload(n.gpu, g.BT)
	n.rowSets, n.colSets = launch.Alloc[uint32](n.gpu, rowSets), launch.Alloc[uint32](n.gpu, colSets)
	n.count = launch.Alloc[uint32](n.gpu, 1)
	n.maxPairs = min(maxPairs, rowSets*colSets)
	n.pairs = launch.Alloc[uint64](n.gpu, n.maxPairs)
	return launch.Finish(n.gpu, n)
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
// the upper. The sets are all supports of size k, in any order.
func (n *Supports) Search(k int, rowSets, colSets []uint32) (pairs []uint64, err error) {
	rows, cols := n.rowSets.Slice(0, len(rowSets)), n.colSets.Slice(0, len(colSets))
	if err := errors.Join(rows.Upload(n.gpu.Stream, rowSets), cols.Upload(n.gpu.Stream, colSets),
		n.count.Zero(n.gpu.Stream)); err != nil {
		return nil, err
	}
	switch n.method {
	case Nguyen:
		err = n.nguyen.Launch(n.gpu.Stream, driver.Grid{Blocks: len(rowSets), Threads: n.threads}, nguyenParams{
			Size: n.size(k), A: n.a, BT: n.bt, RowSets: rows, ColSets: cols, NumCols: uint32(len(colSets)),
			Out: n.out(),
		})
	case Grosu:
		total, threads := uint64(len(rowSets))*uint64(len(colSets)), uint64(n.threads)
		for from := uint64(0); from < total && err == nil; from += maxGrosuBlocks * threads {
			blocks := min(maxGrosuBlocks, (total-from-1)/threads+1)
			err = n.grosu.Launch(n.gpu.Stream, driver.Grid{Blocks: int(blocks), Threads: n.threads}, grosuParams{
				Size: n.size(k), A: n.a, BT: n.bt, RowSets: rows, ColSets: cols, NumCols: uint32(len(colSets)),
				From: from, Total: total, Out: n.out(),
			})
		}
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

// download returns the pairs that were found.
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
