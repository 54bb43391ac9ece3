package playout

import (
	"math/bits"
	"slices"

	"gamebots/hexproto/havannah"
)

// Pair is two empty cells on which two stones of one colour complete a structure that
// neither stone completes alone.
type Pair [2]int16

// surroundings describe an empty cell as one colour sees it.
type surroundings struct {
	border havannah.Border // border of the group that a stone there would belong to
	around uint8           // number of the pattern
	joins  uint8           // groups that it would join, one per run
	groups [3]uint8
}

// joiner is an empty cell on which a stone would connect a group to another one, or to
// the border.
type joiner struct {
	*surroundings
	cell   int16
	slot   int
	groups uint64 // set of the groups modulo 64
}

// Pairs appends the pairs of a colour; empty are the position's empty cells. It reports
// false if one stone of the colour completes a structure. It leaves out rings around own
// stones only: see MayFillRing.
//
// The cells of a pair are neighbours, or both touch one group, which each connects to
// another group or to the border that the cell is on.
func (p *Position) Pairs(c havannah.Colour, empty []EmptyCell, to []Pair) (pairs []Pair, ok bool) {
	s := &p.game.colours[colour(c)]
	clear(p.near[32 : 64*p.grid.Side]) // taken cells form no pairs
	for _, e := range empty {
		at := p.packed[e.Cell]
		near := &p.near[at.slot()]
		if around := s.around(at.slot()); around == 0 {
			near.border = at.border()
		} else if s.probe(at, around, near) != 0 {
			return to, false
		}
	}
	joiners := p.joiners[:0]
	for _, e := range empty {
		at := p.packed[e.Cell]
		slot := at.slot()
		near := &p.near[slot]
		if near.border == 0 && near.joins == 0 {
			continue
		}
		for i, offset := range laterOffsets {
			other := &p.near[(slot+offset)&1023]
			if wins(near.border|other.border) || near.rings(other, i) {
				to = append(to, Pair{e.Cell, p.index[slot+offset]})
			}
		}
		if near.joins < 2 && (near.joins == 0 || at.border() == 0) {
			continue
		}
		j := joiner{near, e.Cell, slot, 0}
		for _, g := range near.groups[:near.joins] {
			j.groups |= 1 << (g & 63)
		}
		for i := range joiners {
			k := &joiners[i]
			if j.groups&k.groups == 0 || slices.Contains(laterOffsets[:], j.slot-k.slot) {
				continue
			}
			if n := near.shared(k.surroundings); n > 1 || n > 0 && wins(near.border|k.border) {
				to = append(to, Pair{k.cell, e.Cell})
			}
		}
		joiners = append(joiners, j)
	}
	p.joiners = joiners[:0]
	return to, true
}

// laterOffsets lead to the neighbours with higher numbers, in slots, and back has the
// grid's directions from those.
var (
	laterOffsets = [...]int{1, 32, 33}
	back         = [...]int{5, 1, 0}
)

func wins(b havannah.Border) bool { return b.Bridge() || b.Fork() }

// shared returns the number of groups that both cells touch.
func (s *surroundings) shared(t *surroundings) (n int) {
	for _, g := range s.groups[:s.joins] {
		for _, h := range t.groups[:t.joins] {
			if g == h {
				n++
			}
		}
	}
	return n
}

// rings reports whether stones on two neighbouring cells, t in a later direction from s,
// close a ring: the second stone touches the group of the first one once more.
func (s *surroundings) rings(t *surroundings, later int) bool {
	for runs := apart[later][t.around&127]; runs != 0; runs &= runs - 1 {
		h := t.groups[bits.TrailingZeros8(runs)]
		for _, g := range s.groups[:s.joins] {
			if g == h {
				return true
			}
		}
	}
	return false
}

// apart has the runs of each pattern that a stone in one of the back directions does not
// touch.
var apart = func() (all [len(back)][128]uint8) {
	for set, runs := range havannah.RunsOf[:1<<havannah.NumNear-1] {
		n := 0
		for d, b := range bitOf {
			n |= set >> d & 1 << b
		}
		for i, first := range runs.First[:runs.N] {
			run := 0 // set of directions, repeated once
			for d := int(first); set>>d&1 != 0; d = (d + 1) % havannah.NumNear {
				run |= (1 | 1<<havannah.NumNear) << d
			}
			for later, d := range back {
				if run>>(d+1)&1 == 0 && run>>(d+havannah.NumNear-1)&1 == 0 {
					all[later][n] |= 1 << i
				}
			}
		}
	}
	return all
}()

// MayFillRing reports whether a stone of a colour on an empty cell may prepare a ring
// around an own stone, to be closed by another stone: a stone beside the cell has four or
// more neighbours of its colour.
func (p *Position) MayFillRing(c havannah.Colour, cell int) bool {
	s, slot := &p.game.colours[colour(c)], p.packed[cell].slot()
	for near := s.around(slot); near != 0; near &= near - 1 {
		if bits.OnesCount32(s.around(slot+int(offsets[bits.TrailingZeros32(near)&7]))) >= 4 {
			return true
		}
	}
	return false
}
