package nashgpu

import (
	"embed"
	"errors"
	"fmt"
	"slices"

	"gamebots/cudalib/driver"
	"gamebots/cudalib/internal/launch"
)

// Game is a game to search by labels, see solvers/nash.
type Game struct {
	Rows, Cols int // strategies of the players, 128 in all at most
	Order      uint32
	// Roots has the tableaux of P and of Q column by column, each with its two columns
	// for constants and for dropped variables, and then the probe of P and of Q.
	Roots []float64
}

// A Leaf is where a search ended: the labels that are in Q, rows from bit 0 and columns behind them.
type Leaf [2]uint64

// Counts are the work of a search.
type Counts struct {
	Nodes, Pivots, Leaves, Ambiguous uint64
	Done                             uint64 // part of the search space, which is 2^60
}

const (
	extraColumns = 2 // columns of a tableau before those of variables
	maxLabels    = 128
	taskWords    = 2 + maxLabels/4
	entryWords   = 80 // words of struct Entry in labels.cu
	maxTasks     = 1 << 20
	maxLeaves    = 1 << 22
	// defaultBudget is how many nodes a warp goes through before it returns to the
	// host: about a tenth of a second.
	defaultBudget = 20000
)

// Words of Control that all warps share, as labels.cu numbers them.
const (
	controlHead = iota
	controlTail
	controlOutstanding
	controlDraining
	controlLeaves
	controlProblem
	controlWords
)

// Limits bound a search. Zero values are the fastest.
type Limits struct {
	Blocks int    // warps
	Tasks  int    // room in the list that warps take tasks from
	Budget uint32 // nodes of a warp in one launch
}

// Labels searches a game by labels. It is used by one goroutine at a time.
type Labels struct {
	gpu    *launch.Launcher
	game   Game
	limits Limits
	labels *launch.Kernel[labelsParams]
	grid   driver.Grid

	roots, saved                  driver.Buffer[float64]
	control, ready, tasks, stacks driver.Buffer[uint32]
	totals, leaves                driver.Buffer[uint64]
	maxEntries, maxSaved          int
}

// labelsParams are the parameters of nash_labels in labels.cu.
type labelsParams struct {
	Rows, Cols, Order    uint32
	Roots                driver.Buffer[float64]
	Control              driver.Buffer[uint32]
	Totals               driver.Buffer[uint64]
	Ready, Tasks         driver.Buffer[uint32]
	MaxTasks, Budget     uint32
	Leaves               driver.Buffer[uint64]
	MaxLeaves            uint32
	Stacks               driver.Buffer[uint32]
	Saved                driver.Buffer[float64]
	MaxEntries, MaxSaved uint32
}

// NewLabels puts a game on a device.
func NewLabels(d *driver.Device, g Game, limits Limits) (*Labels, error) {
	n := &Labels{gpu: launch.New(d, Modules, "labels"), game: g, limits: limits}
	n.labels = launch.Find[labelsParams](n.gpu, "nash_labels")
	n.setGrid()
	if n.limits.Tasks == 0 {
		n.limits.Tasks = maxTasks
	}
	if n.limits.Budget == 0 {
		n.limits.Budget = defaultBudget
	}
	// A branch is on the stack for each label at most, and takes a column of one of
	// the two tableaux with it.
	l := g.Rows + g.Cols
	n.maxEntries = l + 1
	n.maxSaved = max(g.Rows, g.Cols) * (2*extraColumns*(l+1) + l*(l+1)/2)
	n.roots = launch.Upload(n.gpu, g.Roots)
	n.saved = launch.Alloc[float64](n.gpu, n.grid.Blocks*n.maxSaved)
	n.stacks = launch.Alloc[uint32](n.gpu, n.grid.Blocks*n.maxEntries*entryWords)
	n.control, n.ready = launch.Alloc[uint32](n.gpu, controlWords), launch.Alloc[uint32](n.gpu, n.limits.Tasks)
	n.tasks = launch.Alloc[uint32](n.gpu, n.limits.Tasks*taskWords)
	n.totals, n.leaves = launch.Alloc[uint64](n.gpu, 5), launch.Alloc[uint64](n.gpu, 3*n.leafCapacity())
	return launch.Finish(n.gpu, n)
}

// Close frees the memory on the device.
func (n *Labels) Close() error { return n.gpu.Close() }

func (n *Labels) leafCapacity() int { return min(maxLeaves, 4*n.limits.Tasks) }

// setGrid sets a grid of blocks of a warp, as many as the device runs at the same
// time.
func (n *Labels) setGrid() {
	g, l := n.game, n.game.Rows+n.game.Cols
	bytes := 8*((g.Cols|1)*(g.Rows+extraColumns)+(g.Rows|1)*(g.Cols+extraColumns)+6*l) + 2*(up8(g.Rows)+up8(g.Cols)) +
		maxLabels
	blocks := n.limits.Blocks
	if blocks == 0 {
		blocks = max(1, launch.Blocks(n.gpu, n.labels, launch.Warp, bytes))
	}
	n.grid = driver.Grid{Blocks: blocks, Threads: launch.Warp, Shared: bytes}
}

func up8(n int) int { return (n + 7) / 8 * 8 }

// Search searches the tree, and returns its leaves in no order. After each launch it calls progress, if there is one,
// with the work until then, and ends early when that returns an error.
func (n *Labels) Search(progress func(Counts) error) ([]Leaf, Counts, error) {
	tasks := make([]uint32, taskWords) // the root, of game 0
	var counts Counts
	if err := n.totals.Zero(n.gpu.Stream); err != nil {
		return nil, counts, err
	}
	leaves := uint32(0)
	for len(tasks) > 0 {
		control := make([]uint32, controlWords)
		err := n.gpu.Device.Do(func() error { return n.launch(tasks, leaves, control) })
		if err == nil {
			err = n.problem(control)
		}
		if err != nil {
			return nil, counts, err
		}
		leaves = control[controlLeaves]
		if counts, err = n.count(); err != nil {
			return nil, counts, err
		}
		if tasks, err = n.left(control); err != nil {
			return nil, counts, err
		}
		if progress != nil {
			if err := progress(counts); err != nil {
				found, _ := n.found(leaves)
				return found, counts, err
			}
		}
	}
	found, err := n.found(leaves)
	return found, counts, err
}

// launch searches from tasks until none are left or a warp's budget is used up.
func (n *Labels) launch(tasks []uint32, leaves uint32, control []uint32) error {
	num := len(tasks) / taskWords
	ready := slices.Repeat([]uint32{1}, num)
	control[controlTail], control[controlOutstanding], control[controlLeaves] = uint32(num), uint32(num), leaves
	if err := errors.Join(n.ready.Zero(n.gpu.Stream), n.ready.Slice(0, num).Upload(n.gpu.Stream, ready),
		n.tasks.Slice(0, len(tasks)).Upload(n.gpu.Stream, tasks), n.control.Upload(n.gpu.Stream, control)); err != nil {
		return err
	}
	if err := n.labels.Launch(n.gpu.Stream, n.grid, labelsParams{
		Rows: uint32(n.game.Rows), Cols: uint32(n.game.Cols), Order: n.game.Order, Roots: n.roots,
		Control: n.control, Totals: n.totals, Ready: n.ready, Tasks: n.tasks, MaxTasks: uint32(n.limits.Tasks),
		Budget: n.limits.Budget,
		Leaves: n.leaves, MaxLeaves: uint32(n.leafCapacity()),
		Stacks: n.stacks, Saved: n.saved, MaxEntries: uint32(n.maxEntries), MaxSaved: uint32(n.maxSaved),
	}); err != nil {
		return err
	}
	return n.control.Download(n.gpu.Stream, control)
}

// ErrCycling is returned where the simplex method cycles.
var ErrCycling = errors.New("nash: a simplex search that did not end")

func (n *Labels) problem(control []uint32) error {
	switch control[controlProblem] {
	case 1:
		return fmt.Errorf("nash: more than %d tasks are waiting", n.limits.Tasks)
	case 2:
		return fmt.Errorf("nash: more than %d leaves", n.leafCapacity())
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

// left returns the tasks that no warp has taken.
func (n *Labels) left(control []uint32) ([]uint32, error) {
	if control[controlOutstanding] == 0 {
		return nil, nil
	}
	num := int(control[controlTail])
	ready, tasks := make([]uint32, num), make([]uint32, num*taskWords)
	if err := errors.Join(n.ready.Slice(0, num).Download(n.gpu.Stream, ready),
		n.tasks.Slice(0, len(tasks)).Download(n.gpu.Stream, tasks)); err != nil {
		return nil, err
	}
	var left []uint32
	for i, r := range ready {
		if r == 1 {
			left = append(left, tasks[i*taskWords:(i+1)*taskWords]...)
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
		leaves[i] = Leaf(words[3*i+1 : 3*i+3]) // behind the game's number
	}
	return leaves, nil
}

// Modules are the compiled kernels, NAME.ptx.gz for each source NAME.cu.
//
//go:embed *.ptx.gz
var Modules embed.FS
