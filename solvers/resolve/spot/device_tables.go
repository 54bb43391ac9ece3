package spot

import (
	"cmp"
	"slices"

	"gamebots/acpc/card"
	"gamebots/cudalib/spotgpu"
)

// forDevice returns what the kernels need.
func (s *Solver) forDevice() spotgpu.Game {
	to := spotgpu.Game{Start: s.reach, Regrets: s.regrets.floats, Sums: s.sums.floats}
	for k := s.first; k < numStreets; k++ {
		x := s.streets[k].forDevice(s.payoffs[k])
		if k > s.first {
			for _, d := range to.Streets[len(to.Streets)-1].Deals {
				x.Segments[d.Segment].Origins = d.Slots
			}
		}
		s.addHands(&x, k)
		to.Streets = append(to.Streets, x)
	}
	for key, l := range s.locks {
		x := &to.Streets[key.street-s.first]
		if x.LockOf == nil {
			x.LockOf = make([]uint32, len(s.boards[key.street])*x.Nodes)
		}
		x.LockOf[key.board*x.Nodes+int(key.node)] = uint32(len(to.Locks) + 1)
		to.Locks = append(to.Locks, l...)
	}
	return to
}

// forDevice returns the betting of a street. The reach of all batches is side by side.
func (st *street) forDevice(pays []payoffs) (x spotgpu.Street) {
	var ends [2][]deviceEnd // by the player who is valued
	for i := range st.batches {
		t := &st.batches[i]
		roots := t.roots
		for j := t.first; j < t.last; j++ {
			n := &st.nodes[j]
			slots := [2]uint32{uint32(x.Slots[0]) + uint32(n.slot[0]), uint32(x.Slots[1]) + uint32(n.slot[1])}
			if len(roots) > 0 && j == roots[0] {
				x.Segments = append(x.Segments, spotgpu.Segment{Decisions: uint32(len(x.Decisions)), Root: uint32(j), Slots: slots})
				roots = roots[1:]
			}
			switch n.kind {
			case decision:
				children, last := st.nodes[n.first:][:n.actions], uint32(0)
				for last < uint32(n.actions) && (children[last].kind == fold || children[last].kind == showdown) {
					last++
				}
				x.Decisions = append(x.Decisions, spotgpu.Decision{
					Node: uint32(j), Actor: uint32(n.actor), Actions: uint32(n.actions), First: uint32(n.first), Row: uint32(n.row),
					In: slots[n.actor], Out: uint32(x.Slots[n.actor]) + uint32(children[0].slot[n.actor]), Last: last,
				})
			case fold, showdown:
				for p := range ends {
					ends[p] = append(ends[p], newDeviceEnd(slots[1-p], uint32(j), n.kind == fold, pays[j][p]))
				}
			case deal:
				x.Deals = append(x.Deals, spotgpu.Deal{Node: uint32(j), Segment: uint32(n.first), Slots: slots})
			}
		}
		for p := range x.Slots {
			x.Slots[p] += int(t.slots[p])
		}
	}
	for p := range ends {
		x.Folds[p], x.Showdowns[p] = bySequence(ends[p])
	}
	x.Nodes = len(st.nodes)
	x.Segments = append(x.Segments, spotgpu.Segment{Decisions: uint32(len(x.Decisions))})
	return x
}

// deviceEnd is an end after a sequence of the other player, which has a slot.
type deviceEnd struct {
	slot uint32
	spotgpu.End
}

func newDeviceEnd(slot, node uint32, folded bool, p payoff) deviceEnd {
	e := deviceEnd{slot, spotgpu.End{Node: node, Worse: p.worse, NotBetter: p.notBetter, All: p.all}}
	if folded {
		e.Fold = 1
	}
	return e
}

// bySequence puts ends after the same sequence together, those of a sequence with folds only
// apart from the others.
func bySequence(ends []deviceEnd) (folds, showdowns spotgpu.Ends) {
	slices.SortStableFunc(ends, func(a, b deviceEnd) int { return cmp.Compare(a.slot, b.slot) })
	for len(ends) > 0 {
		n, to := 0, &folds
		for ; n < len(ends) && ends[n].slot == ends[0].slot; n++ {
			if ends[n].Fold == 0 {
				to = &showdowns
			}
		}
		to.Sequences = append(to.Sequences, spotgpu.Sequence{Slot: ends[0].slot, Ends: uint32(len(to.Ends))})
		for _, e := range ends[:n] {
			to.Ends = append(to.Ends, e.End)
		}
		ends = ends[n:]
	}
	for _, e := range []*spotgpu.Ends{&folds, &showdowns} {
		for full := len(e.Sequences) == 0; !full; full = len(e.Sequences)%spotgpu.Side == 1 { // sequences without ends fill a block
			e.Sequences = append(e.Sequences, spotgpu.Sequence{Slot: e.Sequences[0].Slot, Ends: uint32(len(e.Ends))})
		}
	}
	return folds, showdowns
}

// addHands adds the boards of a street.
func (s *Solver) addHands(x *spotgpu.Street, k int) {
	before := make([]uint32, len(s.boards[k]))
	if k > s.first {
		for i, b := range s.boards[k-1] {
			for _, d := range b.deals {
				before[d.board] = uint32(i)
			}
		}
	}
	var reach, values uint64
	for i, b := range s.boards[k] {
		lists := [2]handLists{b.hands[0].lists(), b.hands[1].lists()}
		for p := range b.hands {
			h := &b.hands[p]
			to := spotgpu.Hands{
				Entries: uint64(s.base[k][p][i].at), Reach: reach, Values: values, Size: uint32(len(h.holes)), Width: uint32(h.width), Before: before[i],
				From: uint32(len(x.From)), Terms: uint32(len(x.Terms)), Maps: uint32(len(x.Maps)), Orders: uint32(len(x.Orders)), Starts: uint32(len(x.Starts)), Places: uint32(len(x.Places)),
			}
			if k > s.first {
				x.From = append(x.From, h.from[0]...)
			}
			for _, d := range b.deals {
				for _, place := range s.boards[k+1][d.board].hands[p].from {
					x.Terms = append(x.Terms, uint32(d.board))
					x.Maps = append(x.Maps, h.undo(place)...)
				}
			}
			to.NumTerms = uint32(len(x.Terms)) - to.Terms
			x.Orders = append(x.Orders, lists[p].orders...)
			x.Starts = append(x.Starts, lists[p].starts[:]...)
			x.Places = append(x.Places, b.placesAmong(&lists[1-p], p)...)
			x.Hands = append(x.Hands, to)
			reach += uint64(x.Slots[p]) * uint64(h.width)
		}
		values += uint64(x.Nodes) * uint64(max(b.hands[0].width, b.hands[1].width))
	}
}

// undo returns, by hand on a board, its place among the hands that places of them are given of;
// of hands that a symmetry makes equal that of the first one.
func (h *hands) undo(places []uint16) []uint16 {
	all := make([]uint16, len(h.holes))
	for i := range all {
		all[i] = absent
	}
	for i, x := range places {
		all[x] = uint16(i)
	}
	return h.symmetric(all)
}

// symmetric returns places by hand, with the same for hands that a symmetry makes equal.
func (h *hands) symmetric(all []uint16) []uint16 {
	if h.canonical == nil {
		return all
	}
	same := make([]uint16, len(all))
	for i, first := range h.canonical {
		same[i] = all[first]
	}
	return same
}

// handLists are hands of a player in the order in which their reach is added: all of them, and
// those with each card, list by list.
type handLists struct {
	orders []uint16
	starts [spotgpu.NumLists + 1]uint32
}

func (h *hands) lists() (l handLists) {
	for i := range h.holes {
		l.orders = append(l.orders, uint16(i))
	}
	for c := range uint8(card.DeckSize) {
		l.starts[1+c] = uint32(len(l.orders))
		for i, x := range h.holes {
			if x[0] == c || x[1] == c {
				l.orders = append(l.orders, uint16(i))
			}
		}
	}
	l.starts[spotgpu.NumLists] = uint32(len(l.orders))
	return l
}

// sum returns the place of the sum of the first n hands of a list. Each list has one sum more
// than hands.
func (l *handLists) sum(list, n int) uint16 { return uint16(int(l.starts[list]) + list + n) }

// placesAmong returns the sums that each hand of a player reads, of the lists of the other player.
func (b *board) placesAmong(l *handLists, player int) []spotgpu.Place {
	own, other := &b.hands[player], &b.hands[1-player]
	places := make([]spotgpu.Place, len(own.holes))
	for i, x := range own.holes {
		places[i].Same = own.same[i]
		for j, c := range x {
			places[i].List[j] = 1 + uint16(c)
		}
	}
	var below [spotgpu.NumLists]int // hands of the lists in lower groups
	i, j := 0, 0
	for _, g := range b.groups[player] {
		upTo := below
		for ; j < int(g.other); j++ {
			x := other.holes[j]
			upTo[0]++
			upTo[1+x[0]]++
			upTo[1+x[1]]++
		}
		for ; i < int(g.own); i++ {
			for m, list := range []int{0, 1 + int(own.holes[i][0]), 1 + int(own.holes[i][1])} {
				places[i].Worse[m] = l.sum(list, below[list])
				places[i].NotBetter[m] = l.sum(list, upTo[list])
			}
		}
		below = upTo
	}
	if own.canonical == nil {
		return places
	}
	same := make([]spotgpu.Place, len(places))
	for i, first := range own.canonical {
		same[i] = places[first]
	}
	return same
}
