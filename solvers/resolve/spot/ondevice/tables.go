package ondevice

import (
	"gamebots/acpc/card"
	"gamebots/cudalib/spotgpu"
	"gamebots/solvers/resolve/spot/internal/layout"
)

// builder puts together what the kernels need of some spots.
type builder struct {
	spotgpu.Game
	spots []placed
}

// placed is a spot, and where it is among the others.
type placed struct {
	*layout.Start
	entries, scales int64                          // places of the first ones
	boards          [layout.NumStreets]int         // numbers of the first boards
	slots           [layout.NumStreets][][2]uint32 // slots of the players' reach by node
}

// gameOf returns what the kernels need, and where the spots are.
func gameOf(starts []*layout.Start) (spotgpu.Game, []placed) {
	b := &builder{}
	for _, s := range starts {
		b.add(s)
	}
	for k := range b.Streets {
		x := &b.Streets[k]
		x.Segments = append(x.Segments, spotgpu.Segment{Decisions: uint32(len(x.Decisions))})
	}
	return b.Game, b.spots
}

// add adds a spot.
func (b *builder) add(s *layout.Start) {
	to := placed{Start: s, entries: b.Entries, scales: b.Scales}
	b.Entries += s.Size.At
	if s.Packed {
		b.Scales += s.Size.Scale
	}
	spot := spotgpu.Spot{First: s.First}
	for k := s.First; k < layout.NumStreets; k++ {
		b.addStreet(&spot, &to, k)
		b.addHands(&spot, &to, k)
	}
	b.addLocks(&to)
	b.Spots, b.spots = append(b.Spots, spot), append(b.spots, to)
}

// addStreet adds the betting of a street. The reach of all batches is side by side.
func (b *builder) addStreet(spot *spotgpu.Spot, to *placed, k int) {
	st, x, part := &to.Streets[k], &b.Streets[k], &spot.Parts[k]
	part.Segments.First, part.Deals.First, part.Nodes = len(x.Segments), len(x.Deals), len(st.Nodes)
	slots := make([][2]uint32, len(st.Nodes))
	to.slots[k] = slots
	var folds, showdowns [2][]spotgpu.End // ends by the player who is valued
	for i := range st.Batches {
		t := &st.Batches[i]
		for j := t.First; j < t.Last; j++ {
			for p := range part.Slots {
				slots[j][p] = uint32(part.Slots[p]) + uint32(st.Nodes[j].Slot[p])
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
				x.Deals = append(x.Deals, spotgpu.Deal{
					Node: uint32(j), Segment: uint32(len(b.Streets[k+1].Segments)) + uint32(n.First),
				})
			}
		}
		for p := range t.Ends {
			for _, e := range t.Ends[p] {
				list := &folds[p]
				if st.Nodes[e.Node].Kind == layout.Showdown {
					list = &showdowns[p]
				}
				*list = append(*list, endOf(e, slots[e.Node][1-p], to.Payoffs[k], p))
			}
			part.Slots[p] += int(t.Slots[p])
		}
	}
	part.Segments.End, part.Deals.End = len(x.Segments), len(x.Deals)
	if k > to.First {
		for j := range to.Streets[k-1].Nodes {
			if n := &to.Streets[k-1].Nodes[j]; n.Kind == layout.Deal {
				x.Segments[part.Segments.First+int(n.First)].Origins = to.slots[k-1][j]
			}
		}
	}
	for p := range folds {
		part.Folds[p] = addEnds(&x.Folds[p], folds[p])
		part.Showdowns[p] = addEnds(&x.Showdowns[p], showdowns[p])
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

// addEnds adds ends, and so many that are nowhere that the next ones follow a multiple of Side.
func addEnds(to *[]spotgpu.End, ends []spotgpu.End) (added spotgpu.Range) {
	added = spotgpu.Range{First: len(*to), End: len(*to) + len(ends)}
	*to = append(*to, ends...)
	for len(*to)%spotgpu.Side > 0 {
		*to = append(*to, spotgpu.End{Slot: ends[0].Slot, Node: spotgpu.Nothing, Fold: spotgpu.Nothing})
	}
	return added
}

// addLocks adds the locked probabilities of a spot.
func (b *builder) addLocks(to *placed) {
	for key, l := range to.Locks {
		st, board := &to.Streets[key.Street], to.boards[key.Street]+key.Board
		hands := b.Streets[key.Street].Hands[2*board:][:2]
		if hands[0].Locks == spotgpu.Nothing {
			hands[0].Locks, hands[1].Locks = uint32(len(b.LockOf)), uint32(len(b.LockOf))
			b.LockOf = append(b.LockOf, make([]uint32, len(st.Nodes))...)
		}
		b.LockOf[int(hands[0].Locks)+int(key.Node)] = uint32(len(b.Game.Locks) + 1)
		b.Game.Locks = append(b.Game.Locks, l...)
		given := spotgpu.Given{Entries: make([]float32, len(l))}
		given.At = to.entries + to.Decision(key.Street, key.Board, &st.Nodes[key.Node]).At
		for i, p := range l {
			given.Entries[i] = max(0, p)
		}
		b.Given = append(b.Given, given)
	}
}

// addHands adds the boards of a street.
func (b *builder) addHands(spot *spotgpu.Spot, to *placed, k int) {
	x, boards := &b.Streets[k], &spot.Parts[k].Boards
	boards.First = len(x.Hands) / 2
	boards.End = boards.First + len(to.Boards[k])
	to.boards[k] = boards.First
	before := make([]uint32, len(to.Boards[k]))
	if k == to.First {
		before[0] = spotgpu.Nothing
	} else {
		for i, up := range to.Boards[k-1] {
			for _, d := range up.Deals {
				before[d.Board] = uint32(to.boards[k-1] + i)
			}
		}
	}
	for i, board := range to.Boards[k] {
		lists := [2]handLists{listsOf(&board.Hands[0]), listsOf(&board.Hands[1])}
		for p := range board.Hands {
			h, base := &board.Hands[p], to.Base[k][p][i]
			y := spotgpu.Hands{
				Entries: uint64(to.entries + base.At), Scales: uint64(to.scales + base.Scale),
				Size: uint32(len(h.Holes)), Width: uint32(h.Width), Place: uint32(base.At),
				Before: before[i], Locks: spotgpu.Nothing, From: uint32(len(x.From)),
				Terms: uint32(len(x.Terms)), Maps: uint32(len(x.Maps)), Orders: uint32(len(x.Orders)),
				Starts: uint32(len(x.Starts)), Places: uint32(len(x.Places)),
			}
			if to.Unweighted {
				y.Unweighted = 1
			}
			if k > to.First {
				x.From = append(x.From, h.From[0]...)
			} else {
				y.From = uint32(len(b.Start))
				b.Start = append(b.Start, to.Reach[p]...)
			}
			for _, d := range board.Deals {
				for _, place := range to.Boards[k+1][d.Board].Hands[p].From {
					x.Terms = append(x.Terms, uint32(len(b.Streets[k+1].Hands)/2+d.Board))
					x.Maps = append(x.Maps, undo(h, place)...)
				}
			}
			y.NumTerms = uint32(len(x.Terms)) - y.Terms
			x.Orders, x.Starts = append(x.Orders, lists[p].orders...), append(x.Starts, lists[p].starts[:]...)
			x.Places = append(x.Places, placesAmong(board, &lists[1-p], p)...)
			x.Hands = append(x.Hands, y)
		}
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
