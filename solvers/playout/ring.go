package playout

import "math/bits"

// rings looks for the stones of a ring. Its fields are a search's memory, kept
// from one to the next.
type rings struct {
	search    uint32
	seen      [1024]uint32 // by slot, the last search that came there
	now, next []reach
}

// reach is a slot at the end of a path, with the stones on it that were there
// before.
type reach struct{ slot, before int16 }

// permanent returns how many stones of a ring that a stone has just closed were
// there before. Of several rings it is one with the fewest new stones.
func (r *rings) permanent(s *stones, slot int, before *[32]uint32) (most int) {
	p := &patterns[s.around(slot)&127]
	for from := 0; from+1 < int(p.runs); from++ {
		most = max(most, r.path(s, slot, from, p, before))
	}
	for m := p.middles; m != 0; m &= m - 1 {
		middle := slot + int(ways[bits.TrailingZeros8(m)&7])
		if s.around(middle) != allAround {
			continue
		}
		n := 0
		for b, way := range ways[:7] {
			if directions[b] >= 0 {
				n += on(before, middle+int(way))
			}
		}
		most = max(most, n)
	}
	return most
}

// path returns how many stones that were there before are on a path between a run
// of a slot's neighbours and a later one, or 0 where there is none: a path that
// goes around the slot, with the fewest new stones.
func (r *rings) path(s *stones, slot, from int, p *pattern, before *[32]uint32) int {
	r.search++
	r.seen[slot&1023] = r.search
	r.now, r.next = r.now[:0], r.next[:0]
	start := slot + int(p.beside[from])
	r.visit(start, 0, before)
	for len(r.now)+len(r.next) > 0 {
		if len(r.now) == 0 {
			r.now, r.next = r.next, r.now
		}
		at := r.now[len(r.now)-1]
		r.now = r.now[:len(r.now)-1]
		for _, to := range p.beside[from+1 : p.runs] {
			if int(at.slot) == slot+int(to) {
				return int(at.before)
			}
		}
		for b, way := range ways[:7] {
			to := int(at.slot) + int(way)
			if directions[b] >= 0 && s.has(to) && r.seen[to&1023] != r.search {
				r.visit(to, at.before, before)
			}
		}
	}
	return 0
}

// visit puts a slot in line: before those behind one more new stone if it is none.
func (r *rings) visit(slot int, n int16, before *[32]uint32) {
	r.seen[slot&1023] = r.search
	if on(before, slot) == 1 {
		r.now = append(r.now, reach{int16(slot), n + 1})
	} else {
		r.next = append(r.next, reach{int16(slot), n})
	}
}

// on returns 1 where a set of stones has one on a slot.
func on(rows *[32]uint32, slot int) int { return int(rows[slot>>5&31] >> (slot & 31) >> 1 & 1) }
