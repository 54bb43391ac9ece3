package cudalib

import (
	"errors"
	"fmt"

	"gamebots/cudalib/driver"
)

// NashGames are games of one size whose equilibria are searched by labels, as the
// manual of solvers/nash says.
type NashGames struct {
	Rows, Cols int // strategies of the players, 64 at most
	Order      uint32
	// Roots has for each game the tableaux of P and of Q column by column, each
	// with its columns for constants and for what is forgotten, and then the probe
	// of P and of Q.
	Roots []float64
}

// rootLen is how many numbers a game has in Roots.
func (g NashGames) rootLen() int {
	return g.Cols*(g.Rows+nashFirst) + g.Rows*(g.Cols+nashFirst) + 2*(g.Rows+g.Cols)
}

// NashLeaf is where a search ended: which labels of a game are in Q, rows from bit
// 0 and columns behind them.
type NashLeaf struct {
	Game uint32
	InQ  [2]uint64
}

// NashCounts are what a search did.
type NashCounts struct {
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

// NashLimits bound what a search takes. Zero values are what is fast.
type NashLimits struct {
	Blocks int    // warps
	Tasks  int    // in the list that warps take them from
	Budget uint32 // nodes of a warp in one launch
}

// Nash searches games by labels. It is used by one goroutine at a time.
type Nash struct {
	*launcher
	games  NashGames
	limits NashLimits
	labels *driver.Kernel
	grid   driver.Grid
	num    int // of games

	roots, saved                  driver.Buffer[float64]
	control, ready, tasks, stacks driver.Buffer[uint32]
	totals, leaves                driver.Buffer[uint64]
	maxEntries, maxSaved          int
}

// NewNash makes room on a device for so many games, which have the size and the
// order of g.
func NewNash(d *Device, g NashGames, games int, limits NashLimits) (*Nash, error) {
	if g.Rows < 1 || g.Cols < 1 || g.Rows+g.Cols > nashLabels || games < 1 {
		return nil, fmt.Errorf("%d games of %d by %d strategies", games, g.Rows, g.Cols)
	}
	n := &Nash{launcher: newLauncher(d, "nash"), games: g, limits: limits}
	n.games.Roots = nil // the device has them
	n.labels, _ = n.kernel("nash_labels", warp)
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
	n.roots = alloc[float64](n.launcher, games*g.rootLen())
	n.saved = alloc[float64](n.launcher, n.grid.Blocks*n.maxSaved)
	n.stacks = alloc[uint32](n.launcher, n.grid.Blocks*n.maxEntries*nashEntryWords)
	n.control, n.ready = alloc[uint32](n.launcher, nashWords), alloc[uint32](n.launcher, n.limits.Tasks)
	n.tasks = alloc[uint32](n.launcher, n.limits.Tasks*nashTaskWords)
	n.totals, n.leaves = alloc[uint64](n.launcher, 5), alloc[uint64](n.launcher, 3*n.maxLeaves())
	if n.err != nil {
		return nil, errors.Join(n.err, n.Close())
	}
	return n, nil
}

// Put puts games on the device, in the place of those before.
func (n *Nash) Put(g NashGames) error {
	each := n.games.rootLen()
	if g.Rows != n.games.Rows || g.Cols != n.games.Cols || g.Order != n.games.Order || len(g.Roots) == 0 || len(g.Roots)%each != 0 || len(g.Roots) > n.roots.Len() {
		return fmt.Errorf("%d numbers for games of %d by %d strategies, where there is room for %d of %d by %d",
			len(g.Roots), g.Rows, g.Cols, n.roots.Len(), n.games.Rows, n.games.Cols)
	}
	n.num = len(g.Roots) / each
	return n.roots.Slice(0, len(g.Roots)).Upload(n.stream, g.Roots)
}

func (n *Nash) maxLeaves() int { return min(nashMaxLeaves, 4*n.limits.Tasks) }

// setGrid has a warp a block, as many as the device runs at the same time.
func (n *Nash) setGrid() {
	if n.err != nil {
		return
	}
	g, l := n.games, n.games.Rows+n.games.Cols
	bytes := 8*((g.Cols|1)*(g.Rows+nashFirst)+(g.Rows|1)*(g.Cols+nashFirst)+6*l) + 2*(up8(g.Rows)+up8(g.Cols)) + nashLabels
	blocks := n.limits.Blocks
	if blocks == 0 {
		var resident int
		resident, n.err = n.labels.Resident(warp, bytes)
		blocks = max(1, resident*n.device.Info().Multiprocessors)
	}
	n.grid = driver.Grid{Blocks: blocks, Threads: warp, Shared: bytes}
}

func up8(n int) int { return (n + 7) / 8 * 8 }

// Search goes through the trees of the games that were put there and returns their leaves, in no
// order. After each launch it calls look, if there is one, with what was done until
// then, and ends early when that returns an error.
func (n *Nash) Search(look func(NashCounts) error) ([]NashLeaf, NashCounts, error) {
	tasks := make([]uint32, n.num*nashTaskWords) // a root each
	for game := range n.num {
		tasks[game*nashTaskWords] = uint32(game)
	}
	var counts NashCounts
	if err := n.totals.Zero(n.stream); err != nil {
		return nil, counts, err
	}
	leaves := uint32(0)
	for len(tasks) > 0 {
		control := make([]uint32, nashWords)
		err := n.device.Do(func() error { return n.launch(tasks, leaves, control) })
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
func (n *Nash) launch(tasks []uint32, leaves uint32, control []uint32) error {
	num := len(tasks) / nashTaskWords
	ready := make([]uint32, num)
	for i := range ready {
		ready[i] = 1
	}
	control[nashTail], control[nashOutstanding], control[nashNumLeaves] = uint32(num), uint32(num), leaves
	if err := errors.Join(n.ready.Zero(n.stream), n.ready.Slice(0, num).Upload(n.stream, ready),
		n.tasks.Slice(0, len(tasks)).Upload(n.stream, tasks), n.control.Upload(n.stream, control)); err != nil {
		return err
	}
	if err := n.labels.Launch(n.stream, n.grid, driver.U32(uint32(n.games.Rows)), driver.U32(uint32(n.games.Cols)), driver.U32(n.games.Order),
		n.roots.Arg(), n.control.Arg(), n.totals.Arg(), n.ready.Arg(), n.tasks.Arg(), driver.U32(uint32(n.limits.Tasks)), driver.U32(n.limits.Budget),
		n.leaves.Arg(), driver.U32(uint32(n.maxLeaves())), n.stacks.Arg(), n.saved.Arg(),
		driver.U32(uint32(n.maxEntries)), driver.U32(uint32(n.maxSaved))); err != nil {
		return err
	}
	return n.control.Download(n.stream, control)
}

// ErrNashStuck is a simplex search that did not end.
var ErrNashStuck = errors.New("nash: a simplex search that did not end")

func (n *Nash) problem(control []uint32) error {
	switch control[nashProblem] {
	case 1:
		return fmt.Errorf("nash: more than %d tasks are waiting", n.limits.Tasks)
	case 2:
		return fmt.Errorf("nash: more than %d leaves", n.maxLeaves())
	case 3:
		return ErrNashStuck
	}
	return nil
}

func (n *Nash) count() (NashCounts, error) {
	var t [5]uint64
	err := n.totals.Download(n.stream, t[:])
	return NashCounts{t[0], t[1], t[2], t[3], t[4]}, err
}

// left returns the tasks that nobody has taken.
func (n *Nash) left(control []uint32) ([]uint32, error) {
	if control[nashOutstanding] == 0 {
		return nil, nil
	}
	num := int(control[nashTail])
	ready, tasks := make([]uint32, num), make([]uint32, num*nashTaskWords)
	if err := errors.Join(n.ready.Slice(0, num).Download(n.stream, ready), n.tasks.Slice(0, len(tasks)).Download(n.stream, tasks)); err != nil {
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

func (n *Nash) found(num uint32) ([]NashLeaf, error) {
	if num == 0 {
		return nil, nil
	}
	words := make([]uint64, 3*num)
	if err := n.leaves.Slice(0, len(words)).Download(n.stream, words); err != nil {
		return nil, err
	}
	leaves := make([]NashLeaf, num)
	for i := range leaves {
		leaves[i] = NashLeaf{uint32(words[3*i]), [2]uint64{words[3*i+1], words[3*i+2]}}
	}
	return leaves, nil
}
