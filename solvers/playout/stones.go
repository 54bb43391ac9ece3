package playout

import (
	"math/bits"

	"gamebots/hexproto/havannah"
)

// cell is a cell in 32 bits: its border in the upper half; its row and column, of five
// bits each, in the lower half. They are its slot. Rows count from 1, so that every cell
// has a row above it.
type cell uint32

func pack(g *havannah.Grid, i int) cell {
	return cell(g.Border(i))<<16 | cell(g.Row(i)+1)<<5 | cell(g.Col(i))
}

func (c cell) slot() int               { return int(c & 0x3ff) }
func (c cell) border() havannah.Border { return havannah.Border(c >> 16) }

// stones are the stones of one colour and their groups. A stone has the number of the group
// that it was put into, and a group the number of its representative since they were
// joined. Two lookups thus find a stone's group without a loop; in return, a join updates
// all groups of the smaller set.
//
// Only rows says where stones are. The entries of group for other cells, and groups from
// numGroups on, are left over from earlier playouts, so that little is cleared between
// playouts.
//
// Arrays have the full range of their index types or masks, so that the compiler omits
// bounds checks.
type stones struct {
	rows      [32]uint32  // column c is bit c+1
	group     [1024]uint8 // group by slot
	groups    [256]group
	numGroups uint8 // stones that found groups do not touch, so there are fewer than half of the cells
}

// group is a set of touching stones, or a part of one.
type group struct {
	in     uint8 // the representative of the set; only its border and size are valid
	next   uint8 // the next group of the set, in a circle
	border havannah.Border
	size   uint32 // groups in the set
}

// pattern is the stones of a colour around a cell, and the effect of a stone there. The
// number of a pattern has a bit per neighbour: two of the row above, two beside (with an
// unused bit between them), two of the row below.
type pattern struct {
	runs    uint8    // runs of adjacent neighbours
	founds  uint8    // 1 if there are no runs: the stone founds a group
	centres uint8    // neighbours between two others, which may be the centre of a ring
	first   [3]int16 // offset to a neighbour of each run
}

// offsets lead to the neighbours, in slots, by the bit of a pattern.
var offsets = [8]int16{-33, -32, -1, 0, 1, 32, 33}

// directions has the grid's direction of each bit of a pattern.
var directions = [7]int8{0, 1, 5, -1, 2, 4, 3}

// bitOf has the bit of each of the grid's directions.
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
			p.first[i] = offsets[bitOf[d]]
		}
		twice := set | set<<havannah.NumNear
		for d := range havannah.NumNear {
			if twice>>((d+havannah.NumNear-1)%havannah.NumNear)&0b111 == 0b111 {
				p.centres |= 1 << bitOf[d]
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

// put puts a stone on an empty cell and returns the structures that it completes.
func (s *stones) put(c cell) havannah.Structures {
	slot := c.slot()
	p := &patterns[s.around(slot)&127]
	s.rows[slot>>5&31] |= 2 << (slot & 31)

	// A stone without neighbours founds a group. For other stones the group is written
	// but not used: a branch here would often be mispredicted.
	found := s.numGroups
	s.groups[found] = group{in: found, next: found, size: 1}
	s.group[slot&1023] = found
	s.numGroups += p.founds

	in, ring := s.at(slot+int(p.first[0])), false
	if p.runs > 1 {
		other := s.at(slot + int(p.first[1]))
		ring = other == in
		in = s.join(in, other)
		if p.runs > 2 {
			other = s.at(slot + int(p.first[2]))
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
	if ring || p.centres != 0 && s.fills(slot, p.centres) {
		won |= havannah.Ring
	}
	return won
}

// at returns the representative of the group of a stone.
func (s *stones) at(slot int) uint8 { return s.groups[s.group[slot&1023]].in }

// join joins the sets of two representatives and returns the new one.
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

// fills reports whether one of some neighbours of a slot has stones all around it. (The
// stone on the slot itself need not be checked: the stones around it were a ring already.)
func (s *stones) fills(slot int, which uint8) bool {
	for ; which != 0; which &= which - 1 {
		if s.around(slot+int(offsets[bits.TrailingZeros8(which)&7])) == allAround {
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
