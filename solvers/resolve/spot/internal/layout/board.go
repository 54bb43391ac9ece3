package layout

import (
	"slices"

	"gamebots/acpc/card"
	"gamebots/acpc/hand"
	"gamebots/internal/parallel"
	"gamebots/solvers/cfr/abstraction"
)

// A Board is a set of board cards, up to names of suits that make no difference.
type Board struct {
	Cards card.Set
	// Symmetries are the renamings of suits under which the board, each deal so far and the
	// ranges stay the same, the identity first.
	Symmetries []abstraction.Renaming
	Hands      [2]Hands   // hands by player
	Deals      []NextCard // the cards that can come next, one of each kind
	Groups     [2][]Group // groups of a river, by the player whose hands are valued
}

// NextCard is a card that can come next, and those that differ from it in names of suits only.
type NextCard struct {
	Board int // its number among those of the next street
	// Renamings lead from the card to the others, the identity first.
	Renamings []abstraction.Renaming
}

// Hands are what a player may hold on a board, on the river from the worst hand to the best.
type Hands struct {
	Holes []Hole
	Width int // width of vectors over the hands, a multiple of Lanes
	// Same is the place of each hand among the other player's, and one past those if the
	// other player has not got it.
	Same []uint16
	// From is the place of each hand on the board before, and of what it becomes by the
	// renamings of the deal: those of the first renaming first, which is the identity.
	From [][]uint16
	// Canonical is the first hand that each hand becomes by a symmetry of the board; nil if
	// there is no symmetry.
	Canonical []uint16
}

// Hole is two hole cards, the higher number first.
type Hole [2]uint8

// HoleOf returns two cards as hole cards.
func HoleOf(s card.Set) (h Hole) {
	i := 0
	for c := range s.All() {
		h[i] = uint8(c)
		i++
	}
	return h
}

// Set returns the cards.
func (h Hole) Set() card.Set { return card.SetOf(card.Card(h[0]), card.Card(h[1])) }

// Index numbers hole cards, from 0 to NumHoles-1.
func (h Hole) Index() int { return int(h[0])*(int(h[0])-1)/2 + int(h[1]) }

// NumHoles is the number of hole cards.
const NumHoles = card.DeckSize * (card.DeckSize - 1) / 2

// Sets returns the cards of the hands.
func (h *Hands) Sets() []card.Set {
	sets := make([]card.Set, len(h.Holes))
	for i, x := range h.Holes {
		sets[i] = x.Set()
	}
	return sets
}

// A Group ends where the hands on a river that tie end, in the order of their rank: of the
// player whose hands are valued and of the other.
type Group struct{ Own, Other uint16 }

// NewBoards lists the boards from a first one to a street, by street. May reports whether a player
// may have hole cards, and the symmetries are those of the first board.
func NewBoards(
	first card.Set, last int, may func(player int, hole card.Set) bool, symmetries []abstraction.Renaming, threads int,
) (boards [NumStreets][]*Board) {
	root := &Board{Cards: first, Symmetries: symmetries}
	for p := range root.Hands {
		root.Hands[p].Holes = Held(first, func(hole card.Set) bool { return may(p, hole) })
	}
	k := first.Len() - 3
	root.finish(k == River)
	boards[k] = []*Board{root}
	for ; k < last; k++ {
		next := make([][]*Board, len(boards[k]))
		parallel.For(threads, len(next), func(_, i int) { next[i] = boards[k][i].children(k+1 == River) })
		n := 0
		for i, children := range next {
			for j := range children {
				boards[k][i].Deals[j].Board = n
				n++
			}
			boards[k+1] = append(boards[k+1], children...)
		}
	}
	return boards
}

// Held returns the hands that a player may have and that a board leaves.
func Held(board card.Set, may func(hole card.Set) bool) (holes []Hole) {
	for high := range uint8(card.DeckSize) {
		for low := range high {
			h := Hole{high, low}
			if set := h.Set(); set&board == 0 && may(set) {
				holes = append(holes, h)
			}
		}
	}
	return holes
}

// children lists the boards after the next card.
func (b *Board) children(last bool) (all []*Board) {
	done := b.Cards
	for c := range card.Card(card.DeckSize) {
		if done.Has(c) {
			continue
		}
		child := &Board{Cards: b.Cards | c.Bit()}
		var d NextCard
		for _, r := range b.Symmetries {
			switch to := r.Of(c.Bit()); {
			case to == c.Bit():
				child.Symmetries = append(child.Symmetries, r)
				if len(d.Renamings) == 0 {
					d.Renamings = append(d.Renamings, r)
				}
			case done&to == 0:
				d.Renamings = append(d.Renamings, r)
			}
			done |= r.Of(c.Bit())
		}
		for p := range child.Hands {
			child.Hands[p].deal(&b.Hands[p], c.Bit(), d.Renamings)
		}
		child.finish(last)
		b.Deals = append(b.Deals, d)
		all = append(all, child)
	}
	return all
}

// After returns the river after the last cards. The renamings lead from them to those that differ in
// names of suits only.
func (b *Board) After(dealt card.Set, renamings []abstraction.Renaming) *Board {
	next := &Board{Cards: b.Cards | dealt}
	for p := range next.Hands {
		next.Hands[p].deal(&b.Hands[p], dealt, renamings)
	}
	next.finish(true)
	return next
}

// deal lists the hands of a board that some cards leave.
func (h *Hands) deal(before *Hands, dealt card.Set, renamings []abstraction.Renaming) {
	place := before.Places()
	h.From = make([][]uint16, len(renamings))
	for i, x := range before.Holes {
		if x.Set()&dealt != 0 {
			continue
		}
		h.Holes = append(h.Holes, x)
		h.From[0] = append(h.From[0], uint16(i))
		for j, r := range renamings[1:] {
			h.From[j+1] = append(h.From[j+1], place[HoleOf(r.Of(x.Set())).Index()])
		}
	}
}

// Absent is the place of hands that a player has not got.
const Absent = 1<<16 - 1

// Places returns the place of each hand by its index.
func (h *Hands) Places() *[NumHoles]uint16 {
	var place [NumHoles]uint16
	for i := range place {
		place[i] = Absent
	}
	for i, x := range h.Holes {
		place[x.Index()] = uint16(i)
	}
	return &place
}

// finish fills what follows from the hands of both players, and sorts them on the river.
func (b *Board) finish(last bool) {
	var ranks [2][]uint64
	if last {
		for p := range b.Hands {
			ranks[p] = b.Hands[p].sort(b.Cards)
		}
		b.Groups[0] = groupsOf(ranks[0], ranks[1])
		b.Groups[1] = groupsOf(ranks[1], ranks[0])
	}
	for p := range b.Hands {
		own, other := &b.Hands[p], &b.Hands[1-p]
		own.Width = max(Lanes, (len(own.Holes)+Lanes-1)/Lanes*Lanes)
		place := other.Places()
		own.Same = make([]uint16, len(own.Holes))
		for i, x := range own.Holes {
			own.Same[i] = min(place[x.Index()], uint16(len(other.Holes)))
		}
		if len(b.Symmetries) > 1 {
			place := own.Places()
			for _, x := range own.Holes {
				first := uint16(Absent)
				for _, r := range b.Symmetries {
					first = min(first, place[HoleOf(r.Of(x.Set())).Index()])
				}
				own.Canonical = append(own.Canonical, first)
			}
		}
	}
}

// sort sorts the hands by their ranks on a river, and returns these.
func (h *Hands) sort(board card.Set) []uint64 {
	// With the places of their hands until all are sorted: plain numbers sort fast.
	ranks := make([]uint64, len(h.Holes))
	for i, x := range h.Holes {
		ranks[i] = uint64(hand.ACPC.Rank(board|x.Set()))<<16 | uint64(i)
	}
	slices.Sort(ranks)
	holes := make([]Hole, len(ranks))
	for i, x := range ranks {
		holes[i] = h.Holes[uint16(x)]
	}
	for j, from := range h.From {
		sorted := make([]uint16, len(ranks))
		for i, x := range ranks {
			sorted[i] = from[uint16(x)]
		}
		h.From[j] = sorted
	}
	for i := range ranks {
		ranks[i] >>= 16
	}
	h.Holes = holes
	return ranks
}

// groupsOf returns the groups of hands with ascending ranks.
func groupsOf(own, other []uint64) (groups []Group) {
	for i, j := 0, 0; i < len(own) || j < len(other); {
		var rank uint64
		switch {
		case i == len(own):
			rank = other[j]
		case j == len(other):
			rank = own[i]
		default:
			rank = min(own[i], other[j])
		}
		for i < len(own) && own[i] == rank {
			i++
		}
		for j < len(other) && other[j] == rank {
			j++
		}
		groups = append(groups, Group{uint16(i), uint16(j)})
	}
	return groups
}

// Gather sets the reach of the hands after a deal from the one before it.
func (h *Hands) Gather(to, from []float32) {
	for i, x := range h.From[0] {
		to[i] = from[x]
	}
	clear(to[len(h.Holes):])
}

// Scatter adds the values of the hands after a card, and of what they become by the renamings
// of the deal, to those before it.
func (h *Hands) Scatter(to, from []float32) {
	for _, place := range h.From {
		for i, x := range place {
			to[x] += from[i]
		}
	}
}

// Symmetrise gives hands that a symmetry of the board makes equal the same value, to the bit.
func (h *Hands) Symmetrise(value []float32) {
	for i, first := range h.Canonical {
		value[i] = value[first]
	}
}
