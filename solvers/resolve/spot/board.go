package spot

import (
	"cmp"
	"slices"

	"gamebots/acpc/card"
	"gamebots/acpc/hand"
	"gamebots/internal/parallel"
	"gamebots/solvers/cfr/abstraction"
)

// A board is a set of board cards, up to names of suits that make no difference.
type board struct {
	cards card.Set
	// symmetries are the renamings of suits under which the board, each deal so far and the
	// ranges stay the same, the identity first.
	symmetries []abstraction.Renaming
	hands      [2]hands   // of the players
	deals      []nextCard // the cards that can come next, one of each kind
	groups     [2][]group // on the river, for the player whose hands are valued
}

// nextCard is a card that can come next, and those that differ from it in names of suits only.
type nextCard struct {
	board int // of the next street
	// renamings lead from the card to the others, the identity first.
	renamings []abstraction.Renaming
}

// hands are what a player may hold on a board, on the river from the worst hand to the best.
type hands struct {
	holes []hole
	width int // of vectors over the hands: padded to a multiple of lanes
	// same is the place of each hand among the other player's, and one past those if the
	// other player has not got it.
	same []uint16
	// from is the place of each hand on the board before, and of what it becomes by the
	// renamings of the deal: those of the first renaming first, which is the identity.
	from [][]uint16
	// canonical is the first hand that each hand becomes by a symmetry of the board; nil if
	// there is no symmetry.
	canonical []uint16
}

// hole is two hole cards, the higher number first.
type hole [2]uint8

func holeOf(s card.Set) (h hole) {
	i := 0
	for c := range s.All() {
		h[i] = uint8(c)
		i++
	}
	return h
}

func (h hole) set() card.Set { return card.SetOf(card.Card(h[0]), card.Card(h[1])) }

// index numbers hole cards.
func (h hole) index() int { return int(h[0])*(int(h[0])-1)/2 + int(h[1]) }

const numHoles = card.DeckSize * (card.DeckSize - 1) / 2

// A group ends where the hands on a river that tie end, in the order of their rank: of the
// player whose hands are valued and of the other.
type group struct{ own, other uint16 }

// newBoards lists the boards of a spot by street.
func newBoards(s *Spot, first card.Set, symmetries []abstraction.Renaming, threads int) (boards [numStreets][]*board) {
	root := &board{cards: first, symmetries: symmetries}
	for p, r := range s.Ranges {
		root.hands[p].holes = held(first, func(hole card.Set) bool { return r.Weight(hole) > 0 || s.Offer.has(p, hole) })
	}
	root.finish(len(s.Board) == 5)
	k := s.first()
	boards[k] = []*board{root}
	for ; k < river && s.Leaves == nil; k++ {
		next := make([][]*board, len(boards[k]))
		parallel.For(threads, len(next), func(_, i int) { next[i] = boards[k][i].children(k+1 == river) })
		n := 0
		for i, children := range next {
			for j := range children {
				boards[k][i].deals[j].board = n
				n++
			}
			boards[k+1] = append(boards[k+1], children...)
		}
	}
	return boards
}

// held returns the hands that a player may have and that a board leaves.
func held(board card.Set, may func(hole card.Set) bool) (holes []hole) {
	for high := range uint8(card.DeckSize) {
		for low := range high {
			h := hole{high, low}
			if set := h.set(); set&board == 0 && may(set) {
				holes = append(holes, h)
			}
		}
	}
	return holes
}

// children lists the boards after the next card.
func (b *board) children(last bool) (all []*board) {
	done := b.cards
	for c := range card.Card(card.DeckSize) {
		if done.Has(c) {
			continue
		}
		child := &board{cards: b.cards | c.Bit()}
		var d nextCard
		for _, r := range b.symmetries {
			switch to := r.Of(c.Bit()); {
			case to == c.Bit():
				child.symmetries = append(child.symmetries, r)
				if len(d.renamings) == 0 {
					d.renamings = append(d.renamings, r)
				}
			case done&to == 0:
				d.renamings = append(d.renamings, r)
			}
			done |= r.Of(c.Bit())
		}
		for p := range child.hands {
			child.hands[p].deal(&b.hands[p], c.Bit(), d.renamings)
		}
		child.finish(last)
		b.deals = append(b.deals, d)
		all = append(all, child)
	}
	return all
}

// deal lists the hands of a board that some cards leave.
func (h *hands) deal(before *hands, dealt card.Set, renamings []abstraction.Renaming) {
	place := before.places()
	h.from = make([][]uint16, len(renamings))
	for i, x := range before.holes {
		if x.set()&dealt != 0 {
			continue
		}
		h.holes = append(h.holes, x)
		h.from[0] = append(h.from[0], uint16(i))
		for j, r := range renamings[1:] {
			h.from[j+1] = append(h.from[j+1], place[holeOf(r.Of(x.set())).index()])
		}
	}
}

// absent is the place of hands that a player has not got.
const absent = 1<<16 - 1

// places returns the place of each hand by its index.
func (h *hands) places() *[numHoles]uint16 {
	var place [numHoles]uint16
	for i := range place {
		place[i] = absent
	}
	for i, x := range h.holes {
		place[x.index()] = uint16(i)
	}
	return &place
}

// finish fills what follows from the hands of both players, and sorts them on the river.
func (b *board) finish(last bool) {
	var ranks [2][]int
	if last {
		for p := range b.hands {
			ranks[p] = b.hands[p].sort(b.cards)
		}
		b.groups[0] = groupsOf(ranks[0], ranks[1])
		b.groups[1] = groupsOf(ranks[1], ranks[0])
	}
	for p := range b.hands {
		own, other := &b.hands[p], &b.hands[1-p]
		own.width = max(lanes, (len(own.holes)+lanes-1)/lanes*lanes)
		place := other.places()
		for _, x := range own.holes {
			own.same = append(own.same, min(place[x.index()], uint16(len(other.holes))))
		}
		if len(b.symmetries) > 1 {
			place := own.places()
			for _, x := range own.holes {
				first := uint16(absent)
				for _, r := range b.symmetries {
					first = min(first, place[holeOf(r.Of(x.set())).index()])
				}
				own.canonical = append(own.canonical, first)
			}
		}
	}
}

// sort sorts the hands by their ranks on a river, and returns these.
func (h *hands) sort(board card.Set) []int {
	type ranked struct{ rank, from int }
	order := make([]ranked, len(h.holes))
	for i, x := range h.holes {
		order[i] = ranked{hand.ACPC.Rank(board | x.set()), i}
	}
	slices.SortFunc(order, func(x, y ranked) int { return cmp.Or(cmp.Compare(x.rank, y.rank), cmp.Compare(x.from, y.from)) })
	ranks := make([]int, len(order))
	holes := make([]hole, len(order))
	for i, x := range order {
		ranks[i], holes[i] = x.rank, h.holes[x.from]
	}
	for j, from := range h.from {
		sorted := make([]uint16, len(order))
		for i, x := range order {
			sorted[i] = from[x.from]
		}
		h.from[j] = sorted
	}
	h.holes = holes
	return ranks
}

// groupsOf returns the groups of hands with ascending ranks.
func groupsOf(own, other []int) (groups []group) {
	for i, j := 0, 0; i < len(own) || j < len(other); {
		var rank int
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
		groups = append(groups, group{uint16(i), uint16(j)})
	}
	return groups
}
