package nimsolver

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"sync/atomic"

	"gamebots/hexproto/nim"
	"gamebots/internal/parallel"
)

// The heaps of a board by their part in a table, largest first: one makes a row
// of 16 bits, the next three a tile of rows, and the others number the tiles.
const inner = 3

// maxRows is how many rows a table may have: 8 GiB of them.
const maxRows = 1 << 32

// EightFullHeaps is how many bytes the table of 2^32 positions takes.
const EightFullHeaps = 512 << 20

// ErrTooLarge is a board with more positions than a table can have.
var ErrTooLarge = errors.New("the board has too many positions")

// axis is one of the heaps that number rows or tiles.
type axis struct {
	heap  int // of the board
	size  int // its sticks at most
	place int // what a stick adds to the number
}

// Table knows of every position of a board whether it is lost for the player to
// move. Any goroutine may use it.
type Table struct {
	rules nim.Rules
	board nim.Heaps
	bit   axis   // the heap of rows
	rows  []axis // of a tile
	tiles []axis
	used  int // rows of a tile
	tile  int // the same, padded to 16 bytes
	count int // tiles
	lost  []uint16
	total uint64
}

// newTable returns a table of all positions that have no more sticks in any heap
// than a board, without what is lost.
func newTableOf(board Position) (*Table, error) {
	if err := board.Rules.Check(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInput, err)
	}
	t := &Table{rules: board.Rules, board: board.Heaps}
	var axes []axis
	for heap := range nim.MaxHeaps {
		if size := board.Heaps.Size(heap); size > 0 {
			axes = append(axes, axis{heap: heap, size: size})
		}
	}
	slices.SortStableFunc(axes, func(a, b axis) int { return b.size - a.size })
	if len(axes) > 0 {
		t.bit, axes = axes[0], axes[1:]
	}
	t.rows = axes[:min(inner, len(axes))]
	t.tiles = axes[len(t.rows):]
	t.used = number(t.rows)
	t.tile = (t.used + 7) / 8 * 8
	t.count = number(t.tiles)
	if t.count > maxRows/t.tile {
		return nil, fmt.Errorf("%w: heaps: %s: more than 2^32 rows of 16", ErrTooLarge, board.Heaps.Format(board.Heaps.Used(), ";"))
	}
	return t, nil
}

// number numbers what axes span and returns how much that is, up to maxRows+1.
func number(axes []axis) int {
	n := 1
	for i := range axes {
		axes[i].place = n
		n = min(n*(axes[i].size+1), maxRows+1)
	}
	return n
}

// Bytes returns the memory that the table of a board takes.
func Bytes(board Position) (int64, error) {
	t, err := newTableOf(board)
	if err != nil {
		return 0, err
	}
	return 2 * int64(t.count) * int64(t.tile), nil
}

// Solve finds out which positions of a board are lost, on a number of threads.
// Tell, if not nil, is told again and again, by one goroutine at a time, which
// part of the board is solved. The error is ErrInput, ErrTooLarge, or the
// context's cause.
func Solve(ctx context.Context, board Position, threads int, tell func(part float64)) (*Table, error) {
	t, err := newTableOf(board)
	if err != nil {
		return nil, err
	}
	t.lost = make([]uint16, t.count*t.tile)
	order, layers := t.layers()
	var total atomic.Uint64
	for i, from := range layers[:len(layers)-1] {
		layer := order[from:layers[i+1]]
		parallel.For(threads, len(layer), func(worker, j int) {
			if ctx.Err() != nil {
				return
			}
			total.Add(uint64(t.solveTile(int(layer[j]))))
			if worker == 0 && tell != nil {
				tell(float64(from+j) / float64(len(order)))
			}
		})
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
	}
	t.total = total.Load()
	return t, nil
}

// layers returns the tiles in an order in which moves lead back, and where in it
// the tiles begin that are so many sticks away from the end, and it ends.
func (t *Table) layers() (order []uint32, starts []int) {
	most := 0
	for _, a := range t.tiles {
		most += a.size
	}
	starts = make([]int, most+2)
	sticks := make([]uint16, t.count)
	for tile := range sticks {
		for _, a := range t.tiles {
			sticks[tile] += uint16(a.digit(tile))
		}
		starts[sticks[tile]+1]++
	}
	for i := range most + 1 {
		starts[i+1] += starts[i]
	}
	order = make([]uint32, t.count)
	next := slices.Clone(starts)
	for tile, s := range sticks {
		order[next[s]] = uint32(tile)
		next[s]++
	}
	return order, starts
}

// digit returns how many sticks of its heap a number stands for.
func (a axis) digit(number int) int { return number / a.place % (a.size + 1) }

// solveTile solves a tile after all that its moves lead to, and returns how many
// of its positions are lost.
func (t *Table) solveTile(tile int) (lost int) {
	limit := t.rules.Limit()
	rows := t.lost[tile*t.tile:][:t.tile]
	// First a row is what is won because it was lost in another tile.
	for _, a := range t.tiles {
		for take := 1; take <= min(a.digit(tile), limit); take++ {
			or(rows, t.lost[(tile-take*a.place)*t.tile:][:t.tile])
		}
	}
	if tile == 0 && t.rules.Misere {
		rows[0] |= 1 // who faces no stick has won
	}
	t.solveRows(rows)
	for _, row := range rows[:t.used] {
		lost += bits.OnesCount16(row)
	}
	clear(rows[t.used:])
	return lost
}

// solveRows solves the rows of a tile, of which is known what moves in other
// heaps win.
func (t *Table) solveRows(rows []uint16) {
	var sizes [inner]int
	for i, a := range t.rows {
		sizes[i] = a.size
	}
	limit, bound := t.rules.Limit(), uint16(2<<t.bit.size-1)
	if limit >= t.bit.size { // and so the size of every heap
		solveUnlimited(rows, sizes, bound)
		return
	}
	row, wide := 0, (sizes[0]+1)*(sizes[1]+1)
	for z := range sizes[2] + 1 {
		for y := range sizes[1] + 1 {
			for x := range sizes[0] + 1 {
				won := rows[row]
				for take := 1; take <= min(x, limit); take++ {
					won |= rows[row-take]
				}
				for take := 1; take <= min(y, limit); take++ {
					won |= rows[row-take*(sizes[0]+1)]
				}
				for take := 1; take <= min(z, limit); take++ {
					won |= rows[row-take*wide]
				}
				rows[row] = smallest(won, bound, limit)
				row++
			}
		}
	}
}

// solveUnlimited is solveRows where a move takes any number: what all smaller
// heaps have lost can be carried along.
func solveUnlimited(rows []uint16, sizes [inner]int, bound uint16) {
	row := 0
	var smallerZ [nim.MaxSize + 1][nim.MaxSize + 1]uint16
	for range sizes[2] + 1 {
		var smallerY [nim.MaxSize + 1]uint16
		for y := range sizes[1] + 1 {
			smallerX := uint16(0)
			line := &smallerZ[y&nim.MaxSize]
			for x := range min(sizes[0]+1, len(line)) {
				won := rows[row] | smallerX | smallerY[x] | line[x]
				lost := ^won & (won + 1) & bound
				rows[row] = lost
				smallerX |= lost
				smallerY[x] |= lost
				line[x] |= lost
				row++
			}
		}
	}
}

// or makes a row lost, or won, where another is.
func or(rows, others []uint16) {
	for i, o := range others[:len(rows)] {
		rows[i] |= o
	}
}

// smallest returns what is lost of a row: of what is not won yet the smallest,
// and of the rest what is not within the limit of something lost.
func smallest(won, bound uint16, limit int) (lost uint16) {
	for free := ^won & bound; free != 0; {
		least := free & -free
		lost |= least
		free &^= least<<1<<limit - least
	}
	return lost
}

// index returns where a position's bit is.
func (t *Table) index(h nim.Heaps) (row int, bit int) {
	for _, a := range t.tiles {
		row += h.Size(a.heap) * a.place
	}
	row *= t.tile
	for _, a := range t.rows {
		row += h.Size(a.heap) * a.place
	}
	return row, h.Size(t.bit.heap)
}

// Knows says whether a position is in the table: the rules are the same and no
// heap is larger than the board's.
func (t *Table) Knows(p Position) bool {
	for heap := range nim.MaxHeaps {
		if p.Heaps.Size(heap) > t.board.Size(heap) {
			return false
		}
	}
	return p.Rules == t.rules
}

// Lost says whether the player to move loses a position of the board.
func (t *Table) Lost(h nim.Heaps) bool {
	row, bit := t.index(h)
	return t.lost[row]>>bit&1 != 0
}

// Best returns value and move of a position of the board. The nodes are the
// positions that were looked up.
func (t *Table) Best(h nim.Heaps) Result {
	r := Result{Value: Loss}
	if h == 0 {
		r.Value = over(t.rules)
		return r
	}
	for i, m := range t.rules.AppendMoves(h, nil) {
		r.Nodes++
		if t.Lost(h.Take(m)) {
			r.Move, r.Value = m, Win
			return r
		}
		if i == 0 {
			r.Move = m
		}
	}
	return r
}

// Positions returns how many positions the table knows, and how many of them are
// lost.
func (t *Table) Positions() (all, lost uint64) {
	all = 1
	for heap := range nim.MaxHeaps {
		all *= uint64(t.board.Size(heap) + 1)
	}
	return all, t.total
}
