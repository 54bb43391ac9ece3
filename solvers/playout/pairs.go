package playout

import (
	"math/bits"
	"slices"

	"gamebots/hexproto/havannah"
)

// Pair is two empty cells on which two stones of a colour complete a structure that
// neither does alone.
type Pair [2]int16

// sight is what a colour has around an empty cell.
type sight struct {
	border havannah.Border // of the group that a stone there would be in
	around uint8           // the pattern
	joins  uint8           // how many groups it would join, one of each run
	groups [3]uint8
}

// joiner is an empty cell on which a stone takes more to a group than itself.
type joiner struct {
	*sight
	cell   int16
	slot   int
	groups uint64 // a bit for each, or for several
}

// Pairs appends the pairs of a colour among the position's empty cells. It is not ok
// where the colour completes something with one stone. Rings around own stones alone
// are left out: see Fills.
//
// The two are beside each other, or they are both beside a group, to which each
// then takes another group or the border that it is on itself.
func (p *Position) Pairs(c havannah.Colour, spots []Spot, to []Pair) (pairs []Pair, ok bool) {
	s := &p.game.colours[colour(c)]
	clear(p.sights[32 : 64*p.grid.Side]) // what is not empty goes with nothing
	for _, spot := range spots {
		at := p.packed[spot.Cell]
		saw := &p.sights[at.slot()]
		if around := s.around(at.slot()); around == 0 {
			saw.border = at.border()
		} else if s.would(at, around, saw) != 0 {
			return to, false
		}
	}
	joiners := p.joiners[:0]
	for _, spot := range spots {
		at := p.packed[spot.Cell]
		slot := at.slot()
		saw := &p.sights[slot]
		if saw.border == 0 && saw.joins == 0 {
			continue
		}
		for i, way := range laterWays {
			other := &p.sights[(slot+way)&1023]
			if wins(saw.border|other.border) || saw.rings(other, i) {
				to = append(to, Pair{spot.Cell, p.index[slot+way]})
			}
		}
		if saw.joins < 2 && (saw.joins == 0 || at.border() == 0) {
			continue
		}
		j := joiner{saw, spot.Cell, slot, 0}
		for _, g := range saw.groups[:saw.joins] {
			j.groups |= 1 << (g & 63)
		}
		for i := range joiners {
			k := &joiners[i]
			if j.groups&k.groups == 0 || slices.Contains(laterWays[:], j.slot-k.slot) {
				continue
			}
			if n := saw.shared(k.sight); n > 1 || n > 0 && wins(saw.border|k.border) {
				to = append(to, Pair{k.cell, spot.Cell})
			}
		}
		joiners = append(joiners, j)
	}
	p.joiners = joiners[:0]
	return to, true
}

// laterWays are the ways to neighbours of higher numbers, in slots, and back are the
// grid's directions from there.
var (
	laterWays = [...]int{1, 32, 33}
	back      = [...]int{5, 1, 0}
)

func wins(b havannah.Border) bool { return b.Bridge() || b.Fork() }

// shared returns how many groups a stone on either of two cells would join.
func (s *sight) shared(t *sight) (n int) {
	for _, g := range s.groups[:s.joins] {
		for _, h := range t.groups[:t.joins] {
			if g == h {
				n++
			}
		}
	}
	return n
}

// rings says whether stones on two neighbours close a ring, of which the second is
// one of the later ways from the first: it joins the first's group once more.
func (s *sight) rings(t *sight, way int) bool {
	for runs := apart[way][t.around&127]; runs != 0; runs &= runs - 1 {
		h := t.groups[bits.TrailingZeros8(runs)]
		for _, g := range s.groups[:s.joins] {
			if g == h {
				return true
			}
		}
	}
	return false
}

// apart has, of each pattern, the runs that a stone on one of the ways back would
// not touch.
var apart = func() (all [len(back)][128]uint8) {
	for set, runs := range havannah.RunsOf[:1<<havannah.NumNear-1] {
		n := 0
		for d, b := range bitOf {
			n |= set >> d & 1 << b
		}
		for i, first := range runs.First[:runs.N] {
			run := 0 // as a set of directions, twice
			for d := int(first); set>>d&1 != 0; d = (d + 1) % havannah.NumNear {
				run |= (1 | 1<<havannah.NumNear) << d
			}
			for way, d := range back {
				if run>>(d+1)&1 == 0 && run>>(d+havannah.NumNear-1)&1 == 0 {
					all[way][n] |= 1 << i
				}
			}
		}
	}
	return all
}()

// Fills says whether a stone of a colour on an empty cell may leave a ring around
// one of its own stones to be closed by another stone: one beside it has four of its
// colour around it or more.
func (p *Position) Fills(c havannah.Colour, at int) bool {
	s, slot := &p.game.colours[colour(c)], p.packed[at].slot()
	for near := s.around(slot); near != 0; near &= near - 1 {
		if bits.OnesCount32(s.around(slot+int(ways[bits.TrailingZeros32(near)&7]))) >= 4 {
			return true
		}
	}
	return false
}
