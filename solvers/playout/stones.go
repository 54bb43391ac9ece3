package playout

import (
	"math/bits"

	"gamebots/hexproto/havannah"
)

// A cell is packed into 32 bits: its border in the high half, its row and its
// column of five bits each in the low one. Rows count from 1 here, so that every
// cell has a row above it.
type cell uint32

func pack(g *havannah.Grid, i int) cell {
	return cell(g.Border(i))<<16 | cell(g.Row(i)+1)<<5 | cell(g.Col(i))
}

func (c cell) slot() int               { return int(c & 0x3ff) }
func (c cell) border() havannah.Border { return havannah.Border(c >> 16) }

// stones are those of one colour. Each has the number of the group that it was
// put into, and a group the number of the one that stands for it since they were
// joined, so that two looks find a stone's group without a loop. Joins pay for
// that: those of the fewer groups all get a new number.
//
// Only rows says where stones are. What group says of other cells, and groups
// from numGroups on, are left over from earlier playouts, so that little has to
// be cleared for the next.
//
// Arrays have the sizes that their indices' types or masks allow, so that the
// compiler leaves the checks of bounds out.
type stones struct {
	rows      [32]uint32  // column c is bit c+1
	group     [1024]uint8 // by slot
	groups    [256]group
	numGroups uint8 // founders do not touch, so fewer than half of the cells can be
}

// group is a set of touching stones, or a part of one.
type group struct {
	in     uint8 // the group that stands for the set; it alone has border and size
	next   uint8 // another of those that are in the same, in a circle
	border havannah.Border
	size   uint32 // of such groups
}

// pattern is what a colour has around a cell, and what a stone there would do.
// Its number has a bit a neighbour: two of the row above, two beside (leaving
// one bit unused), two of the row below.
type pattern struct {
	runs    uint8
	founds  uint8    // 1 where there are none
	middles uint8    // neighbours with two more beside them, that a ring may be around
	between uint8    // neighbours without a stone between two with one
	beside  [3]int16 // a neighbour of each run, as the way there in slots
}

// ways are the ways to the neighbours, in slots, by the bit of a pattern.
var ways = [8]int16{-33, -32, -1, 0, 1, 32, 33}

// directions are the grid's, by the bit of a pattern.
var directions = [7]int8{0, 1, 5, -1, 2, 4, 3}

// bitOf has the bit of a pattern by the grid's direction.
var bitOf = func() (bit [havannah.NumNear]int) {
	for b, d := range directions {
		if d >= 0 {
			bit[d] = b
		}
	}
	return bit
}()

var patterns = func() (all [128]pattern) {
	for set, runs := range havannah.RunsOf {
		n := 0
		for d, b := range bitOf {
			n |= set >> d & 1 << b
		}
		p := &all[n]
		p.runs = uint8(runs.N)
		if runs.N == 0 {
			p.founds = 1
		}
		for i, d := range runs.First[:runs.N] {
			p.beside[i] = ways[bitOf[d]]
		}
		twice := set | set<<havannah.NumNear
		for d := range havannah.NumNear {
			switch twice >> ((d + havannah.NumNear - 1) % havannah.NumNear) & 0b111 {
			case 0b111:
				p.middles |= 1 << bitOf[d]
			case 0b101:
				p.between |= 1 << bitOf[d]
			}
		}
	}
	return all
}()

const allAround = 0b1110111

// around returns the number of the pattern around a slot.
func (s *stones) around(slot int) uint32 { return around(&s.rows, slot) }

func around(rows *[32]uint32, slot int) uint32 {
	row, col := slot>>5, slot&31
	above, beside, below := rows[(row-1)&31]>>col, rows[row&31]>>col, rows[(row+1)&31]>>col
	return above&3 | beside&5<<2 | below&6<<4
}

// put puts a stone on an empty cell and returns the structures that it
// completes.
func (s *stones) put(c cell) havannah.Structures { return s.putIn(c, s.around(c.slot())) }

// putIn is put with the number of the pattern around the cell.
func (s *stones) putIn(c cell, around uint32) havannah.Structures {
	slot := c.slot()
	p := &patterns[around&127]
	s.rows[slot>>5&31] |= 2 << (slot & 31)

	// A stone without neighbours founds a group. With others the same is done in
	// vain, because a branch would often be predicted wrongly.
	found := s.numGroups
	s.groups[found] = group{in: found, next: found, size: 1}
	s.group[slot&1023] = found
	s.numGroups += p.founds

	in, ring := s.at(slot+int(p.beside[0])), false
	if p.runs > 1 {
		other := s.at(slot + int(p.beside[1]))
		ring = other == in
		in = s.join(in, other)
		if p.runs > 2 {
			other = s.at(slot + int(p.beside[2]))
			ring = ring || other == in
			in = s.join(in, other)
		}
	}
	s.group[slot&1023] = in
	border := s.groups[in].border | c.border()
	s.groups[in].border = border

	var won havannah.Structures
	if border.Bridge() || border.Fork() {
		won = bordered(border)
	}
	if ring || p.middles != 0 && s.fills(slot, p.middles) {
		won |= havannah.Ring
	}
	return won
}

// at returns the group that stands for the one of a stone.
func (s *stones) at(slot int) uint8 { return s.groups[s.group[slot&1023]].in }

// join makes one of two groups stand for both, and returns it.
func (s *stones) join(a, b uint8) uint8 {
	if a == b {
		return a
	}
	if s.groups[a].size < s.groups[b].size {
		a, b = b, a
	}
	from, to := &s.groups[b], &s.groups[a]
	to.size += from.size
	to.border |= from.border
	for g := from; ; g = &s.groups[g.next] {
		g.in = a
		if g.next == b {
			break
		}
	}
	from.next, to.next = to.next, from.next
	return a
}

// fills says whether one of some neighbours of a slot has neighbours all around.
// (The stone on the slot itself cannot be the first to: those around it were a
// ring already.)
func (s *stones) fills(slot int, which uint8) bool {
	for ; which != 0; which &= which - 1 {
		if s.around(slot+int(ways[bits.TrailingZeros8(which)&7])) == allAround {
			return true
		}
	}
	return false
}

func bordered(b havannah.Border) (won havannah.Structures) {
	if b.Bridge() {
		won |= havannah.Bridge
	}
	if b.Fork() {
		won |= havannah.Fork
	}
	return won
}
