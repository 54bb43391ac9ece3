package nashgpu

import (
	"errors"
	"fmt"

	"gamebots/cudalib/driver"
	"gamebots/cudalib/launch"
	ptx "gamebots/cudalib/ptx/nash"
)

// Games are games of one size whose equilibria are searched by labels, as the
// manual of solvers/nash says.
type Games struct {
	Rows, Cols int // strategies of the players, 64 at most
	Order      uint32
	// Roots has for each game the tableaux of P and of Q column by column, each
	// with its columns for constants and for what is forgotten, and then the probe
	// of P and of Q.
	Roots []float64
}

// rootLen is how many numbers a game has in Roots.
func (g Games) rootLen() int {
	return g.Cols*(g.Rows+nashFirst) + g.Rows*(g.Cols+nashFirst) + 2*(g.Rows+g.Cols)
}

// Leaf is where a search ended: which labels of a game are in Q, rows from bit
// 0 and columns behind them.
type Leaf struct {
	Game uint32
	InQ  [2]uint64
}

// Counts are what a search did.
type Counts struct {
	Nodes, Pivots, Leaves, Doubts uint64
	Done                          uint64 // of games, in units of 2^-60
}

const (
	nashFirst      = 2 // columns before those of variables
	nashLabels     = 128
	nashTaskWords  = 2 + nashLabels/4
	nashEntryWords = 80 // of struct Entry in kernels/nash.cu
	nashMaxTasks   = 1 << 20
	nashMaxLeaves  = 1 << 22
	// nashBudget is how many nodes a warp goes through before it lets the host look
	// in: about a tenth of a second.
	nashBudget = 20000
)

// Words that all warps share, as kernels/nash.cu numbers them.
const (
	nashHead = iota
	nashTail
	nashOutstanding
	nashDraining
	nashNumLeaves
	nashProblem
	nashWords
)

// Limits bound what a search takes. Zero values are what is fast.
type Limits struct {
	Blocks int    // warps
	Tasks  int    // in the list that warps take them from
	Budget uint32 // nodes of a warp in one launch
}

// Labels searches games by labels. It is used by one goroutine at a time.
type Labels struct {
	gpu    *launch.Launcher
	games  Games
	limits Limits
	labels *driver.Kernel
	grid   driver.Grid
	num    int // of games

	roots, saved                  driver.Buffer[float64]
	control, ready, tasks, stacks driver.Buffer[uint32]
	totals, leaves                driver.Buffer[uint64]
	maxEntries, maxSaved          int
}

// NewLabels makes room on a device for so many games, which have the size and the
// order of g.
func NewLabels(d *driver.Device, g Games, games int, limits Limits) (*Labels, error) {
	if g.Rows < 1 || g.Cols < 1 || g.Rows+g.Cols > nashLabels || games < 1 {
		return nil, fmt.Errorf("%d games of %d by %d strategies", games, g.Rows, g.Cols)
	}
	n := &Labels{gpu: launch.New(d, ptx.Modules, "labels"), games: g, limits: limits}
	n.games.Roots = nil // the device has them
	n.labels, _ = n.gpu.Kernel("nash_labels", launch.Warp)
	n.setGrid()
	if n.limits.Tasks == 0 {
		n.limits.Tasks = nashMaxTasks
	}
	n.limits.Tasks = max(n.limits.Tasks, 4*games)
	if n.limits.Budget == 0 {
		n.limits.Budget = nashBudget
	}
	// A branch is on the stack for each label at most, and takes a column of one of
	// the two tableaux with it.
	l := g.Rows + g.Cols
	n.maxEntries = l + 1
	n.maxSaved = max(g.Rows, g.Cols) * (2*nashFirst*(l+1) + l*(l+1)/2)
	n.roots = launch.Alloc[float64](n.gpu, games*g.rootLen())
	n.saved = launch.Alloc[float64](n.gpu, n.grid.Blocks*n.maxSaved)
	n.stacks = launch.Alloc[uint32](n.gpu, n.grid.Blocks*n.maxEntries*nashEntryWords)
	n.control, n.ready = launch.Alloc[uint32](n.gpu, nashWords), launch.Alloc[uint32](n.gpu, n.limits.Tasks)
	n.tasks = launch.Alloc[uint32](n.gpu, n.limits.Tasks*nashTaskWords)
	n.totals, n.leaves = launch.Alloc[uint64](n.gpu, 5), launch.Alloc[uint64](n.gpu, 3*n.maxLeaves())
	if n.gpu.Err != nil {
		return nil, errors.Join(n.gpu.Err, n.Close())
	}
	return n, nil
}

// Close frees what is on the device.
func (n *Labels) Close() error { return n.gpu.Close() }

// Put puts games on the device, in the place of those before.
func (n *Labels) Put(g Games) error {
	each := n.games.rootLen()
	if g.Rows != n.games.Rows || g.Cols != n.games.Cols || g.Order != n.games.Order || len(g.Roots) == 0 || len(g.Roots)%each != 0 || len(g.Roots) > n.roots.Len() {
		return fmt.Errorf("%d numbers for games of %d by %d strategies, where there is room for %d of %d by %d",
			len(g.Roots), g.Rows, g.Cols, n.roots.Len(), n.games.Rows, n.games.Cols)
	}
	n.num = len(g.Roots) / each
	return n.roots.Slice(0, len(g.Roots)).Upload(n.gpu.Stream, g.Roots)
}

func (n *Labels) maxLeaves() int { return min(nashMaxLeaves, 4*n.limits.Tasks) }

// setGrid has a warp a block, as many as the device runs at the same time.
func (n *Labels) setGrid() {
	if n.gpu.Err != nil {
		return
	}
	g, l := n.games, n.games.Rows+n.games.Cols
	bytes := 8*((g.Cols|1)*(g.Rows+nashFirst)+(g.Rows|1)*(g.Cols+nashFirst)+6*l) + 2*(up8(g.Rows)+up8(g.Cols)) + nashLabels
	blocks := n.limits.Blocks
	if blocks == 0 {
		var resident int
		resident, n.gpu.Err = n.labels.Resident(launch.Warp, bytes)
		blocks = max(1, resident*n.gpu.Device.Info().Multiprocessors)
	}
	n.grid = driver.Grid{Blocks: blocks, Threads: launch.Warp, Shared: bytes}
}

func up8(n int) int { return (n + 7) / 8 * 8 }

// Search goes through the trees of the games that were put there and returns their leaves, in no
// order. After each launch it calls look, if there is one, with what was done until
// then, and ends early when that returns an error.
func (n *Labels) Search(look func(Counts) error) ([]Leaf, Counts, error) {
	tasks := make([]uint32, n.num*nashTaskWords) // a root each
	for game := range n.num {
		tasks[game*nashTaskWords] = uint32(game)
	}
	var counts Counts
	if err := n.totals.Zero(n.gpu.Stream); err != nil {
		return nil, counts, err
	}
	leaves := uint32(0)
	for len(tasks) > 0 {
		control := make([]uint32, nashWords)
		err := n.gpu.Device.Do(func() error { return n.launch(tasks, leaves, control) })
		if err == nil {
			err = n.problem(control)
		}
		if err != nil {
			return nil, counts, err
		}
		leaves = control[nashNumLeaves]
		if counts, err = n.count(); err != nil {
			return nil, counts, err
		}
		if tasks, err = n.left(control); err != nil {
			return nil, counts, err
		}
		if look != nil {
			if err := look(counts); err != nil {
				found, _ := n.found(leaves)
				return found, counts, err
			}
		}
	}
	found, err := n.found(leaves)
	return found, counts, err
}

// launch searches from tasks until there are none or a warp's budget is used up.
func (n *Labels) launch(tasks []uint32, leaves uint32, control []uint32) error {
	num := len(tasks) / nashTaskWords
	ready := make([]uint32, num)
	for i := range ready {
		ready[i] = 1
	}
	control[nashTail], control[nashOutstanding], control[nashNumLeaves] = uint32(num), uint32(num), leaves
	if err := errors.Join(n.ready.Zero(n.gpu.Stream), n.ready.Slice(0, num).Upload(n.gpu.Stream, ready),
		n.tasks.Slice(0, len(tasks)).Upload(n.gpu.Stream, tasks), n.control.Upload(n.gpu.Stream, control)); err != nil {
		return err
	}
	if err := n.labels.Launch(n.gpu.Stream, n.grid, driver.U32(uint32(n.games.Rows)), driver.U32(uint32(n.games.Cols)), driver.U32(n.games.Order),
		n.roots.Arg(), n.control.Arg(), n.totals.Arg(), n.ready.Arg(), n.tasks.Arg(), driver.U32(uint32(n.limits.Tasks)), driver.U32(n.limits.Budget),
		n.leaves.Arg(), driver.U32(uint32(n.maxLeaves())), n.stacks.Arg(), n.saved.Arg(),
		driver.U32(uint32(n.maxEntries)), driver.U32(uint32(n.maxSaved))); err != nil {
		return err
	}
	return n.control.Download(n.gpu.Stream, control)
}

// ErrCycling is a simplex search that did not end.
var ErrCycling = errors.New("nash: a simplex search that did not end")

func (n *Labels) problem(control []uint32) error {
	switch control[nashProblem] {
	case 1:
		return fmt.Errorf("nash: more than %d tasks are waiting", n.limits.Tasks)
	case 2:
		return fmt.Errorf("nash: more than %d leaves", n.maxLeaves())
	case 3:
		return ErrCycling
	}
	return nil
}

func (n *Labels) count() (Counts, error) {
	var t [5]uint64
	err := n.totals.Download(n.gpu.Stream, t[:])
	return Counts{t[0], t[1], t[2], t[3], t[4]}, err
}

// left returns the tasks that nobody has taken.
func (n *Labels) left(control []uint32) ([]uint32, error) {
	if control[nashOutstanding] == 0 {
		return nil, nil
	}
	num := int(control[nashTail])
	ready, tasks := make([]uint32, num), make([]uint32, num*nashTaskWords)
	if err := errors.Join(n.ready.Slice(0, num).Download(n.gpu.Stream, ready), n.tasks.Slice(0, len(tasks)).Download(n.gpu.Stream, tasks)); err != nil {
		return nil, err
	}
	var left []uint32
	for i, r := range ready {
		if r == 1 {
			left = append(left, tasks[i*nashTaskWords:(i+1)*nashTaskWords]...)
		}
	}
	return left, nil
}

func (n *Labels) found(num uint32) ([]Leaf, error) {
	if num == 0 {
		return nil, nil
	}
	words := make([]uint64, 3*num)
	if err := n.leaves.Slice(0, len(words)).Download(n.gpu.Stream, words); err != nil {
		return nil, err
	}
	leaves := make([]Leaf, num)
	for i := range leaves {
		leaves[i] = Leaf{uint32(words[3*i]), [2]uint64{words[3*i+1], words[3*i+2]}}
	}
	return leaves, nil
}
