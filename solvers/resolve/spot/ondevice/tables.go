package ondevice

import (
	"gamebots/cudalib/spotgpu"
	"gamebots/internal/parallel"
	"gamebots/solvers/resolve/spot/internal/layout"
)

// builder puts together what the kernels need of a spot.
type builder struct {
	spotgpu.Game
	spot  *layout.Start
	slots [layout.NumStreets][][2]uint32 // slots of the players' reach by node
}

// newBuilder returns what the kernels need.
func newBuilder(s *layout.Start) *builder {
	b := &builder{Game: spotgpu.Game{First: s.First, Entries: s.Size.At, Parts: layout.Parts}, spot: s}
	if s.Packed {
		b.Scales = s.Size.Scale
	}
	for k := s.First; k < layout.NumStreets; k++ {
		b.addStreet(k)
		b.addHands(k)
	}
	b.addLocks()
	for k := range b.Streets {
		x := &b.Streets[k]
		x.Segments = append(x.Segments, spotgpu.Segment{Decisions: uint32(len(x.Decisions))})
	}
	return b
}

// addStreet adds the betting of a street. The reach of all batches is side by side.
func (b *builder) addStreet(k int) {
	st, x := &b.spot.Streets[k], &b.Streets[k]
	x.Nodes = len(st.Nodes)
	slots := make([][2]uint32, len(st.Nodes))
	b.slots[k] = slots
	for i := range st.Batches {
		t := &st.Batches[i]
		for j := t.First; j < t.Last; j++ {
			for p := range x.Slots {
				slots[j][p] = uint32(x.Slots[p]) + uint32(st.Nodes[j].Slot[p])
			}
		}
		roots := t.Roots
		for j := t.First; j < t.Last; j++ {
			if len(roots) > 0 && j == roots[0] {
				x.Segments = append(x.Segments, spotgpu.Segment{
					Decisions: uint32(len(x.Decisions)), Root: uint32(j), Slots: slots[j],
				})
				roots = roots[1:]
			}
			switch n := &st.Nodes[j]; n.Kind {
			case layout.Decision:
				x.Decisions = append(x.Decisions, decisionOf(st, slots, j))
			case layout.Deal:
				x.Deals = append(x.Deals, spotgpu.Deal{Node: uint32(j), Segment: uint32(n.First)})
			}
		}
		for p := range t.Ends {
			for _, e := range t.Ends[p] {
				list := &x.Folds[p]
				if st.Nodes[e.Node].Kind == layout.Showdown {
					list = &x.Showdowns[p]
				}
				*list = append(*list, endOf(e, slots[e.Node][1-p], b.spot.Payoffs[k], p))
			}
			x.Slots[p] += int(t.Slots[p])
		}
	}
	if k > b.spot.First {
		for j := range b.spot.Streets[k-1].Nodes {
			if n := &b.spot.Streets[k-1].Nodes[j]; n.Kind == layout.Deal {
				x.Segments[n.First].Origins = b.slots[k-1][j]
			}
		}
	}
	for p := range x.Folds {
		x.Folds[p], x.Showdowns[p] = padded(x.Folds[p]), padded(x.Showdowns[p])
	}
}

func decisionOf(st *layout.Street, slots [][2]uint32, node int32) spotgpu.Decision {
	n, last := &st.Nodes[node], uint32(0)
	for last < uint32(n.Actions) && st.Nodes[n.First+int32(last)].Ends() {
		last++
	}
	return spotgpu.Decision{
		Node: uint32(node), Actor: uint16(n.Actor), Actions: n.Actions,
		First: uint32(n.First), Row: uint32(n.Row), Order: uint32(n.Order),
		In: slots[node][n.Actor], Out: slots[n.First][n.Actor], Last: last,
	}
}

// endOf returns an ending for a player, to which the other player's reach has a slot.
func endOf(e layout.Ending, slot uint32, pays []layout.Payoffs, player int) spotgpu.End {
	p := pays[e.Node][player]
	x := spotgpu.End{
		Slot: slot, Node: uint32(e.Node), Fold: spotgpu.Nothing, Worse: p.Worse, NotBetter: p.NotBetter, All: p.All,
	}
	if e.Fold != layout.NoFold {
		x.Fold, x.Loss = uint32(e.Fold), pays[e.Fold][player].All
	}
	return x
}

// padded adds ends that are nowhere, up to a multiple of Side.
func padded(ends []spotgpu.End) []spotgpu.End {
	for len(ends)%spotgpu.Side > 0 {
		ends = append(ends, spotgpu.End{Slot: ends[0].Slot, Node: spotgpu.Nothing, Fold: spotgpu.Nothing})
	}
	return ends
}

// addLocks adds the locked probabilities.
func (b *builder) addLocks() {
	for key, l := range b.spot.Locks {
		st := &b.spot.Streets[key.Street]
		hands := b.Streets[key.Street].Hands[2*key.Board:][:2]
		if hands[0].Locks == spotgpu.Nothing {
			hands[0].Locks, hands[1].Locks = uint32(len(b.LockOf)), uint32(len(b.LockOf))
			b.LockOf = append(b.LockOf, make([]uint32, len(st.Nodes))...)
		}
		b.LockOf[int(hands[0].Locks)+int(key.Node)] = uint32(len(b.Locks) + 1)
		b.Locks = append(b.Locks, l...)
		given := spotgpu.Given{Entries: make([]float32, len(l))}
		given.At = b.spot.Decision(key.Street, key.Board, &st.Nodes[key.Node]).At
		for i, p := range l {
			given.Entries[i] = max(0, p)
		}
		b.Given = append(b.Given, given)
	}
}

// addHands adds the boards of a street.
func (b *builder) addHands(k int) {
	x, boards := &b.Streets[k], b.spot.Boards[k]
	before := make([]uint32, len(boards))
	if k == b.spot.First {
		before[0] = spotgpu.Nothing
	} else {
		for i, up := range b.spot.Boards[k-1] {
			for _, d := range up.Deals {
				before[d.Board] = uint32(i)
			}
		}
	}
	var next spotgpu.Hands
	for i, board := range boards {
		for p := range board.Hands {
			h, base, y := &board.Hands[p], b.spot.Base[k][p][i], next
			size := uint32(len(h.Holes))
			y.Entries, y.Scales, y.Place = uint64(base.At), uint64(base.Scale), uint32(base.At)
			y.Size, y.Width, y.Before, y.Locks = size, uint32(h.Width), before[i], spotgpu.Nothing
			y.Number = uint32(i)
			if b.spot.Unweighted {
				y.Unweighted = 1
			}
			if k == b.spot.First {
				y.From = uint32(len(b.Start))
				b.Start = append(b.Start, b.spot.Reach[p]...)
			} else {
				next.From += size
			}
			for _, d := range board.Deals {
				y.NumTerms += uint32(len(b.spot.Boards[k+1][d.Board].Hands[p].From))
			}
			next.Terms, next.Maps = next.Terms+y.NumTerms, next.Maps+y.NumTerms*size
			next.Orders, next.Starts = next.Orders+3*size, next.Starts+spotgpu.NumLists+1
			next.Places += size
			x.Hands = append(x.Hands, y)
		}
	}
	x.From, x.Terms, x.Maps = make([]uint16, next.From), make([]uint32, next.Terms), make([]uint16, next.Maps)
	x.Orders, x.Starts = make([]uint16, next.Orders), make([]uint32, next.Starts)
	x.Places = make([]spotgpu.Place, next.Places)
	parallel.For(b.spot.Threads, len(boards), func(_, i int) { b.fillHands(k, i) })
}

// fillHands fills what the hands on a board point into.
func (b *builder) fillHands(k, i int) {
	x, board := &b.Streets[k], b.spot.Boards[k][i]
	hands := x.Hands[2*i:][:2]
	for p := range board.Hands {
		h, y := &board.Hands[p], &hands[p]
		if k > b.spot.First {
			copy(x.From[y.From:], h.From[0])
		}
		terms, maps := x.Terms[y.Terms:][:0], x.Maps[y.Maps:]
		for _, d := range board.Deals {
			for _, place := range b.spot.Boards[k+1][d.Board].Hands[p].From {
				undo(h, place, maps[len(terms)*len(h.Holes):][:len(h.Holes)])
				terms = append(terms, uint32(d.Board))
			}
		}
		setLists(h, x.Starts[y.Starts:][:spotgpu.NumLists+1], x.Orders[y.Orders:])
	}
	for p := range board.Hands {
		setPlaces(board, x.Starts[hands[1-p].Starts:], p, x.Places[hands[p].Places:][:hands[p].Size])
	}
}

// undo sets, by hand on a board, its place among the hands that places of them are given of;
// of hands that a symmetry makes equal that of the first one.
func undo(h *layout.Hands, places, all []uint16) {
	for i := range all {
		all[i] = layout.Absent
	}
	for i, x := range places {
		all[x] = uint16(i)
	}
	symmetrise(h, all)
}

// symmetrise gives hands that a symmetry makes equal the value of the first of them.
func symmetrise[T any](h *layout.Hands, all []T) {
	for i, first := range h.Canonical { // not after the first one
		all[i] = all[first]
	}
}

// setLists sets the hands of a player in the order in which their reach is added, and where the lists of them start:
// all of them, and those with each card, list by list.
func setLists(h *layout.Hands, starts []uint32, orders []uint16) {
	var next [spotgpu.NumLists + 1]uint32
	next[1] = uint32(len(h.Holes))
	for _, x := range h.Holes {
		next[2+x[0]]++
		next[2+x[1]]++
	}
	for i := range next[1:] {
		next[1+i] += next[i]
	}
	copy(starts, next[:])
	for i, x := range h.Holes {
		for _, list := range [...]uint8{0, 1 + x[0], 1 + x[1]} {
			orders[next[list]] = uint16(i)
			next[list]++
		}
	}
}

// setPlaces sets the sums that each hand of a player reads, of the lists of the other player that start at these
// places. Each list has one sum more than hands.
func setPlaces(b *layout.Board, starts []uint32, player int, places []spotgpu.Place) {
	own, other := &b.Hands[player], &b.Hands[1-player]
	for i, x := range own.Holes {
		places[i] = spotgpu.Place{List: [2]uint16{1 + uint16(x[0]), 1 + uint16(x[1])}, Same: own.Same[i]}
	}
	sum := func(list uint8, n int) uint16 { return uint16(int(starts[list]) + int(list) + n) }
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
			for m, list := range [...]uint8{0, 1 + own.Holes[i][0], 1 + own.Holes[i][1]} {
				places[i].Worse[m] = sum(list, below[list])
				places[i].NotBetter[m] = sum(list, upTo[list])
			}
		}
		below = upTo
	}
	symmetrise(own, places)
}
