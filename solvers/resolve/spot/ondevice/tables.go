package ondevice

import (
	"cmp"
	"slices"

	"gamebots/acpc/card"
	"gamebots/cudalib/spotgpu"
	"gamebots/solvers/resolve/spot/internal/layout"
)

// gameOf returns what the kernels need.
func gameOf(s *layout.Start) spotgpu.Game {
	to := spotgpu.Game{Start: s.Reach, Entries: s.Size.At, Unweighted: s.Unweighted}
	if s.Packed {
		to.Scales = s.Size.Scale
	}
	for k := s.First; k < layout.NumStreets; k++ {
		x := streetOf(&s.Streets[k], s.Payoffs[k])
		if k > s.First {
			for _, d := range to.Streets[len(to.Streets)-1].Deals {
				x.Segments[d.Segment].Origins = d.Slots
			}
		}
		addHands(s, &x, k)
		to.Streets = append(to.Streets, x)
	}
	for key, l := range s.Locks {
		x := &to.Streets[key.Street-s.First]
		if x.LockOf == nil {
			x.LockOf = make([]uint32, len(s.Boards[key.Street])*x.Nodes)
		}
		x.LockOf[key.Board*x.Nodes+int(key.Node)] = uint32(len(to.Locks) + 1)
		to.Locks = append(to.Locks, l...)
		given := spotgpu.Given{Entries: make([]float32, len(l))}
		given.At = s.Decision(key.Street, key.Board, &s.Streets[key.Street].Nodes[key.Node]).At
		for i, p := range l {
			given.Entries[i] = max(0, p)
		}
		to.Given = append(to.Given, given)
	}
	return to
}

// streetOf returns the betting of a street. The reach of all batches is side by side.
func streetOf(st *layout.Street, pays []layout.Payoffs) (x spotgpu.Street) {
	var ends [2][]deviceEnd // ends by the player who is valued
	for i := range st.Batches {
		t := &st.Batches[i]
		roots := t.Roots
		for j := t.First; j < t.Last; j++ {
			n := &st.Nodes[j]
			slots := [2]uint32{uint32(x.Slots[0]) + uint32(n.Slot[0]), uint32(x.Slots[1]) + uint32(n.Slot[1])}
			if len(roots) > 0 && j == roots[0] {
				x.Segments = append(x.Segments, spotgpu.Segment{
					Decisions: uint32(len(x.Decisions)), Root: uint32(j), Slots: slots,
				})
				roots = roots[1:]
			}
			switch n.Kind {
			case layout.Decision:
				children, last := st.Nodes[n.First:][:n.Actions], uint32(0)
				for last < uint32(n.Actions) && children[last].Ends() {
					last++
				}
				x.Decisions = append(x.Decisions, spotgpu.Decision{
					Node: uint32(j), Actor: uint16(n.Actor), Actions: n.Actions,
					First: uint32(n.First), Row: uint32(n.Row), Order: uint32(n.Order),
					In: slots[n.Actor], Out: uint32(x.Slots[n.Actor]) + uint32(children[0].Slot[n.Actor]), Last: last,
				})
			case layout.Fold, layout.Showdown:
				for p := range ends {
					ends[p] = append(ends[p], newDeviceEnd(slots[1-p], uint32(j), n.Kind == layout.Fold, pays[j][p]))
				}
			case layout.Deal:
				x.Deals = append(x.Deals, spotgpu.Deal{Node: uint32(j), Segment: uint32(n.First), Slots: slots})
			}
		}
		for p := range x.Slots {
			x.Slots[p] += int(t.Slots[p])
		}
	}
	for p := range ends {
		x.Folds[p], x.Showdowns[p] = bySequence(ends[p])
	}
	x.Nodes = len(st.Nodes)
	x.Segments = append(x.Segments, spotgpu.Segment{Decisions: uint32(len(x.Decisions))})
	return x
}

// deviceEnd is an end after a sequence of the other player, which has a slot.
type deviceEnd struct {
	Slot uint32
	spotgpu.End
}

func newDeviceEnd(slot, node uint32, folded bool, p layout.Payoff) deviceEnd {
	e := deviceEnd{slot, spotgpu.End{Node: node, Worse: p.Worse, NotBetter: p.NotBetter, All: p.All}}
	if folded {
		e.Fold = 1
	}
	return e
}

// bySequence puts ends after the same sequence together, those of a sequence with folds only
// apart from the others.
func bySequence(ends []deviceEnd) (folds, showdowns spotgpu.Ends) {
	slices.SortStableFunc(ends, func(a, b deviceEnd) int { return cmp.Compare(a.Slot, b.Slot) })
	for len(ends) > 0 {
		n, to := 0, &folds
		for ; n < len(ends) && ends[n].Slot == ends[0].Slot; n++ {
			if ends[n].Fold == 0 {
				to = &showdowns
			}
		}
		to.Sequences = append(to.Sequences, spotgpu.Sequence{Slot: ends[0].Slot, Ends: uint32(len(to.Ends))})
		for _, e := range ends[:n] {
			to.Ends = append(to.Ends, e.End)
		}
		ends = ends[n:]
	}
	for _, e := range []*spotgpu.Ends{&folds, &showdowns} {
		// Sequences without ends fill a block.
		for full := len(e.Sequences) == 0; !full; full = len(e.Sequences)%spotgpu.Side == 1 {
			e.Sequences = append(e.Sequences, spotgpu.Sequence{Slot: e.Sequences[0].Slot, Ends: uint32(len(e.Ends))})
		}
	}
	return folds, showdowns
}

// addHands adds the boards of a street.
func addHands(s *layout.Start, x *spotgpu.Street, k int) {
	before := make([]uint32, len(s.Boards[k]))
	if k > s.First {
		for i, b := range s.Boards[k-1] {
			for _, d := range b.Deals {
				before[d.Board] = uint32(i)
			}
		}
	}
	var reach, values uint64
	for i, b := range s.Boards[k] {
		lists := [2]handLists{listsOf(&b.Hands[0]), listsOf(&b.Hands[1])}
		for p := range b.Hands {
			h := &b.Hands[p]
			to := spotgpu.Hands{
				Entries: uint64(s.Base[k][p][i].At), Scales: uint64(s.Base[k][p][i].Scale),
				Reach: reach, Values: values,
				Size: uint32(len(h.Holes)), Width: uint32(h.Width), Before: before[i],
				From: uint32(len(x.From)), Terms: uint32(len(x.Terms)), Maps: uint32(len(x.Maps)),
				Orders: uint32(len(x.Orders)), Starts: uint32(len(x.Starts)), Places: uint32(len(x.Places)),
			}
			if k > s.First {
				x.From = append(x.From, h.From[0]...)
			}
			for _, d := range b.Deals {
				for _, place := range s.Boards[k+1][d.Board].Hands[p].From {
					x.Terms = append(x.Terms, uint32(d.Board))
					x.Maps = append(x.Maps, undo(h, place)...)
				}
			}
			to.NumTerms = uint32(len(x.Terms)) - to.Terms
			x.Orders = append(x.Orders, lists[p].orders...)
			x.Starts = append(x.Starts, lists[p].starts[:]...)
			x.Places = append(x.Places, placesAmong(b, &lists[1-p], p)...)
			x.Hands = append(x.Hands, to)
			reach += uint64(x.Slots[p]) * uint64(h.Width)
		}
		values += uint64(x.Nodes) * uint64(max(b.Hands[0].Width, b.Hands[1].Width))
	}
}

// undo returns, by hand on a board, its place among the hands that places of them are given of;
// of hands that a symmetry makes equal that of the first one.
func undo(h *layout.Hands, places []uint16) []uint16 {
	all := make([]uint16, len(h.Holes))
	for i := range all {
		all[i] = layout.Absent
	}
	for i, x := range places {
		all[x] = uint16(i)
	}
	return symmetric(h, all)
}

// symmetric returns values by hand, with the same for hands that a symmetry makes equal.
func symmetric[T any](h *layout.Hands, all []T) []T {
	if h.Canonical == nil {
		return all
	}
	same := make([]T, len(all))
	for i, first := range h.Canonical {
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

// listsOf returns the lists of some hands.
func listsOf(h *layout.Hands) (l handLists) {
	for i := range h.Holes {
		l.orders = append(l.orders, uint16(i))
	}
	for c := range uint8(card.DeckSize) {
		l.starts[1+c] = uint32(len(l.orders))
		for i, x := range h.Holes {
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
func placesAmong(b *layout.Board, l *handLists, player int) []spotgpu.Place {
	own, other := &b.Hands[player], &b.Hands[1-player]
	places := make([]spotgpu.Place, len(own.Holes))
	for i, x := range own.Holes {
		places[i].Same = own.Same[i]
		for j, c := range x {
			places[i].List[j] = 1 + uint16(c)
		}
	}
	var below [spotgpu.NumLists]int // hands of the lists in lower groups
	i, j := 0, 0
	for _, g := range b.Groups[player] {
		upTo := below
		for ; j < int(g.Other); j++ {
			x := other.Holes[j]
			upTo[0]++
			upTo[1+x[0]]++
			upTo[1+x[1]]++
		}
		for ; i < int(g.Own); i++ {
			for m, list := range []int{0, 1 + int(own.Holes[i][0]), 1 + int(own.Holes[i][1])} {
				places[i].Worse[m] = l.sum(list, below[list])
				places[i].NotBetter[m] = l.sum(list, upTo[list])
			}
		}
		below = upTo
	}
	return symmetric(own, places)
}
