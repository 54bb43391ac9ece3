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

// tileHeaps is how many heaps, after the largest, make up a tile of rows.
const tileHeaps = 3

// maxRows is the largest number of rows of a table: 8 GiB.
const maxRows = 1 << 32

// EightHeapsBytes is the size of the table of eight full heaps, with 2^32 positions.
const EightHeapsBytes = 512 << 20

// ErrTooLarge is returned for a board with more positions than a table can have.
var ErrTooLarge = errors.New("the board has too many positions")

// An axis is a heap of the board as a digit of the number of a row or a tile.
type axis struct {
	heap   int // number of the heap on the board
	size   int // its sticks on the board
	stride int // change of the number for a stick
}

// A Table has a bit for every position of a board: whether the player to move loses.
// It is safe for concurrent use.
type Table struct {
	rules nim.Rules
	board nim.Heaps
	bit   axis     // the largest heap, which numbers the bits of a row
	rows  []axis   // axes that number the rows of a tile
	tiles []axis   // axes that number the tiles
	used  int      // rows of a tile
	tile  int      // the same, padded to a multiple of 16 bytes
	count int      // tiles
	lost  []uint16 // rows
	total uint64   // lost positions
}

// newTable returns the table of a board without memory for its rows. Its positions are
// those with no heap larger than on the board.
func newTable(board Position) (*Table, error) {
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
	t.rows = axes[:min(tileHeaps, len(axes))]
	t.tiles = axes[len(t.rows):]
	t.used = setStrides(t.rows)
	t.tile = (t.used + 7) / 8 * 8
	t.count = setStrides(t.tiles)
	if t.count > maxRows/t.tile {
		return nil, fmt.Errorf("%w: heaps: %s: more than 2^32 rows of 16", ErrTooLarge,
			board.Heaps.Format(board.Heaps.Used(), ";"))
	}
	return t, nil
}

// setStrides sets the strides of axes and returns how many numbers they span, at most
// maxRows+1.
func setStrides(axes []axis) int {
	n := 1
	for i := range axes {
		axes[i].stride = n
		n = min(n*(axes[i].size+1), maxRows+1)
	}
	return n
}

// TableBytes returns the size of the table of a board. The error is ErrInput or
// ErrTooLarge.
func TableBytes(board Position) (int64, error) {
	t, err := newTable(board)
	if err != nil {
		return 0, err
	}
	return 2 * int64(t.count) * int64(t.tile), nil
}

// NewTable solves all positions of a board on threads of the CPU. If progress is not
// nil, it is called with the share of the board that is solved, by one goroutine at a
// time. The error is ErrInput, ErrTooLarge, or the cause of ctx.
func NewTable(ctx context.Context, board Position, threads int, progress func(part float64)) (*Table, error) {
	t, err := newTable(board)
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
			if worker == 0 && progress != nil {
				progress(float64(from+j) / float64(len(order)))
			}
		})
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
	}
	t.total = total.Load()
	return t, nil
}

// layers returns the tiles ordered by the number of sticks in the heaps that number
// them, so that moves lead back. Tiles with n sticks are order[starts[n]:starts[n+1]].
func (t *Table) layers() (order []uint32, starts []int) {
	maxSticks := 0
	for _, a := range t.tiles {
		maxSticks += a.size
	}
	starts = make([]int, maxSticks+2)
	sticks := make([]uint16, t.count)
	for tile := range sticks {
		for _, a := range t.tiles {
			sticks[tile] += uint16(a.digit(tile))
		}
		starts[sticks[tile]+1]++
	}
	for i := range maxSticks + 1 {
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

// digit returns the sticks of the heap in a number.
func (a axis) digit(number int) int { return number / a.stride % (a.size + 1) }

// solveTile solves a tile, after all tiles that its moves lead to. It returns the
// number of its lost positions.
func (t *Table) solveTile(tile int) (lost int) {
	limit := t.rules.Limit()
	rows := t.lost[tile*t.tile:][:t.tile]
	// A row first collects the positions that are won by a move to another tile.
	for _, a := range t.tiles {
		for take := 1; take <= min(a.digit(tile), limit); take++ {
			orInto(rows, t.lost[(tile-take*a.stride)*t.tile:][:t.tile])
		}
	}
	if tile == 0 && t.rules.Misere {
		rows[0] |= 1 // without sticks the player to move has won
	}
	t.solveRows(rows)
	for _, row := range rows[:t.used] {
		lost += bits.OnesCount16(row)
	}
	clear(rows[t.used:])
	return lost
}

// solveRows solves the rows of a tile, given the positions that moves to other tiles
// win.
func (t *Table) solveRows(rows []uint16) {
	var sizes [tileHeaps]int
	for i, a := range t.rows {
		sizes[i] = a.size
	}
	limit, bound := t.rules.Limit(), uint16(2<<t.bit.size-1)
	if limit >= t.bit.size { // the limit binds in no heap
		solveUnlimited(rows, sizes, bound)
		return
	}
	row, plane := 0, (sizes[0]+1)*(sizes[1]+1)
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
					won |= rows[row-take*plane]
				}
				rows[row] = lostOf(won, bound, limit)
				row++
			}
		}
	}
}

// solveUnlimited is solveRows without a limit of sticks per move: the union of the rows
// of all smaller heaps is carried along.
func solveUnlimited(rows []uint16, sizes [tileHeaps]int, bound uint16) {
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

// orInto sets the bits of rows that are set in others.
func orInto(rows, others []uint16) {
	for i, o := range others[:len(rows)] {
		rows[i] |= o
	}
}

// lostOf returns the lost positions of a row: the smallest one that is not won, and of
// the larger ones those out of its reach.
func lostOf(won, bound uint16, limit int) (lost uint16) {
	for free := ^won & bound; free != 0; {
		lowest := free & -free
		lost |= lowest
		free &^= lowest<<1<<limit - lowest
	}
	return lost
}

// index returns the row and the bit of a position.
func (t *Table) index(h nim.Heaps) (row int, bit int) {
	for _, a := range t.tiles {
		row += h.Size(a.heap) * a.stride
	}
	row *= t.tile
	for _, a := range t.rows {
		row += h.Size(a.heap) * a.stride
	}
	return row, h.Size(t.bit.heap)
}

// Contains reports whether a position is in the table: it has the same rules and no
// heap larger than on the board.
func (t *Table) Contains(p Position) bool {
	for heap := range nim.MaxHeaps {
		if p.Heaps.Size(heap) > t.board.Size(heap) {
			return false
		}
	}
	return p.Rules == t.rules
}

// Lost reports whether the player to move loses a position of the table.
func (t *Table) Lost(h nim.Heaps) bool {
	row, bit := t.index(h)
	return t.lost[row]>>bit&1 != 0
}

// Best returns the value and a move of a position of the table. Nodes counts the
// positions that were looked up.
func (t *Table) Best(h nim.Heaps) Result {
	r := Result{Value: Loss}
	if h == 0 {
		r.Value = terminalValue(t.rules)
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

// Positions returns the number of positions of the table, and how many of them are
// lost.
func (t *Table) Positions() (all, lost uint64) {
	all = 1
	for heap := range nim.MaxHeaps {
		all *= uint64(t.board.Size(heap) + 1)
	}
	return all, t.total
}
