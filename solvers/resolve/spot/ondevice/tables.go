package ondevice

import (
	"slices"

	"gamebots/cudalib/spotgpu"
	"gamebots/internal/parallel"
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
	b := &builder{Game: spotgpu.Game{Parts: layout.Parts}}
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
	next := spotgpu.Hands{
		From: uint32(len(x.From)), Terms: uint32(len(x.Terms)), Maps: uint32(len(x.Maps)),
		Orders: uint32(len(x.Orders)), Starts: uint32(len(x.Starts)), Places: uint32(len(x.Places)),
	}
	for i, board := range to.Boards[k] {
		for p := range board.Hands {
			h, base, y := &board.Hands[p], to.Base[k][p][i], next
			size := uint32(len(h.Holes))
			y.Entries, y.Scales, y.Place = uint64(to.entries+base.At), uint64(to.scales+base.Scale), uint32(base.At)
			y.Size, y.Width, y.Before, y.Locks = size, uint32(h.Width), before[i], spotgpu.Nothing
			y.Number = uint32(i)
			if to.Unweighted {
				y.Unweighted = 1
			}
			if k == to.First {
				y.From = uint32(len(b.Start))
				b.Start = append(b.Start, to.Reach[p]...)
			} else {
				next.From += size
			}
			for _, d := range board.Deals {
				y.NumTerms += uint32(len(to.Boards[k+1][d.Board].Hands[p].From))
			}
			next.Terms, next.Maps = next.Terms+y.NumTerms, next.Maps+y.NumTerms*size
			next.Orders, next.Starts = next.Orders+3*size, next.Starts+spotgpu.NumLists+1
			next.Places += size
			x.Hands = append(x.Hands, y)
		}
	}
	x.From, x.Terms, x.Maps = extend(x.From, next.From), extend(x.Terms, next.Terms), extend(x.Maps, next.Maps)
	x.Orders, x.Starts = extend(x.Orders, next.Orders), extend(x.Starts, next.Starts)
	x.Places = extend(x.Places, next.Places)
	parallel.For(to.Threads, len(to.Boards[k]), func(_, i int) { b.fillHands(to, k, i) })
}

// extend makes an array so long.
func extend[T any](array []T, n uint32) []T {
	if array == nil { // the first spot: nothing is set twice
		return make([]T, n)
	}
	return slices.Grow(array, int(n)-len(array))[:n]
}

// fillHands fills what the hands on a board point into.
func (b *builder) fillHands(to *placed, k, i int) {
	x, board := &b.Streets[k], to.Boards[k][i]
	hands := x.Hands[2*(to.boards[k]+i):][:2]
	for p := range board.Hands {
		h, y := &board.Hands[p], &hands[p]
		if k > to.First {
			copy(x.From[y.From:], h.From[0])
		}
		terms, maps := x.Terms[y.Terms:][:0], x.Maps[y.Maps:]
		for _, d := range board.Deals {
			for _, place := range to.Boards[k+1][d.Board].Hands[p].From {
				undo(h, place, maps[len(terms)*len(h.Holes):][:len(h.Holes)])
				terms = append(terms, uint32(len(b.Streets[k+1].Hands)/2+d.Board))
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
