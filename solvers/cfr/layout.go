package cfr

import (
	"slices"

	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
)

// Layout is an Index over the cards themselves, with what walks over vectors of
// all buckets of a round need. It is not changed after it is made and may be
// shared.
type Layout struct {
	*Index
	Cards *abstraction.Cards

	// rounds is where the segments of each round start, and of one more.
	rounds []int32
	// before is, by segment, the segment before it.
	before []int32
	// slots is, by node and player, which vector of the segment's frame is
	// the player's reach there: the players' at the root of the segment come
	// first, then one a node.
	slots []int32
	// parts cuts the boards of each round into groups small enough for the
	// vectors of one segment to stay in a core's cache.
	parts [][]part
	// widest is the largest number of nodes in a segment of each round.
	widest []int
	// shares cuts the boards of each round but the first for means over them.
	shares [][]part
	// scales is, by node, where the scales of a decision's 16-bit numbers start:
	// one for every scaled buckets. Those of a node after the last are the end.
	scales []int
	// hands are of each round, of two players with two hole cards only.
	hands []*hands
}

// part is a group of adjacent boards of a round, and their buckets.
type part struct {
	firstBoard, lastBoard int
	first, last           int
}

func (p part) width() int { return p.last - p.first }

// frameFloats is how many floats the vectors of one segment should have at
// most: half of a typical second-level cache.
const frameFloats = 1 << 17

// NewLayout joins a game's betting tree with its cards.
func NewLayout(tree *betting.Tree, cards *abstraction.Cards) *Layout {
	l := &Layout{Index: NewIndex(tree, cards), Cards: cards}
	n := tree.Game.NumPlayers
	l.slots = make([]int32, len(tree.Nodes)*n)
	l.widest = make([]int, tree.Game.NumRounds)
	l.before = make([]int32, len(tree.Segments))
	for k, s := range tree.Segments {
		l.widest[s.Round] = max(l.widest[s.Round], int(s.Last-s.First))
		for i := s.First; i < s.Last; i++ {
			slots := l.slots[int(i)*n:][:n]
			if i == s.First {
				for p := range slots {
					slots[p] = int32(p)
				}
			} else {
				parent := tree.Nodes[i].Parent
				copy(slots, l.slots[int(parent)*n:][:n])
				slots[tree.Nodes[parent].Actor] = int32(n) + i - s.First
			}
			if n := &tree.Nodes[i]; n.Kind == betting.Deal {
				l.before[n.First] = int32(k)
			}
		}
	}
	for r := range cards.Rounds {
		l.rounds = append(l.rounds, int32(slices.IndexFunc(tree.Segments, func(s betting.Segment) bool { return s.Round >= r })))
		width := frameFloats / (frameVectors * (l.widest[r] + n))
		if r < tree.Game.NumRounds-1 {
			width = cards.Rounds[r].Stride // see frame
		}
		l.parts = append(l.parts, cut(&cards.Rounds[r], width))
		l.shares = append(l.shares, sharesOf(&cards.Rounds[r]))
		if n == 2 && tree.Game.NumHoleCards == 2 {
			l.hands = append(l.hands, newHands(cards, r))
		}
	}
	l.rounds = append(l.rounds, int32(len(tree.Segments)))
	l.scales = make([]int, len(tree.Nodes)+1)
	for i := range tree.Nodes {
		l.scales[i+1] = l.scales[i]
		if n := &tree.Nodes[i]; n.Kind == betting.Decision {
			// A multiple of lanes for each, as entries are.
			scales := cards.Rounds[n.Round].Stride / scaled
			l.scales[i+1] += (scales + abstraction.Lanes - 1) / abstraction.Lanes * abstraction.Lanes
		}
	}
	return l
}

// scaled is how many buckets of a decision share the scale of 16-bit numbers.
const scaled = 4

// numScales returns how many scales an array over all entries has.
func (l *Layout) numScales() int { return l.scales[len(l.Tree.Nodes)] }

// cut groups boards into parts of at most width buckets, or of one board.
func cut(round *abstraction.Round, width int) []part {
	var parts []part
	end := func(board int) int {
		if board+1 < len(round.Boards) {
			return int(round.Boards[board+1].First)
		}
		return round.Stride
	}
	for b := range round.Boards {
		if k := len(parts) - 1; k >= 0 && end(b)-parts[k].first <= width {
			parts[k].lastBoard, parts[k].last = b+1, end(b)
			continue
		}
		parts = append(parts, part{b, b + 1, int(round.Boards[b].First), end(b)})
	}
	return parts
}

// The mean over the boards that a board may become is a sum of sums over some of
// them: of at least fewBoards, and no more than maxShares sums. It is one
// addition more each on a CPU, and work for more threads on a GPU.
const (
	fewBoards = 8
	maxShares = 64
)

// sharesOf cuts the boards of a round for the means that the round before needs.
func sharesOf(round *abstraction.Round) (shares []part) {
	for first := 0; first < len(round.Boards); {
		last := first + 1
		for last < len(round.Boards) && round.Boards[last].Parent == round.Boards[first].Parent {
			last++
		}
		for size := max(fewBoards, (last-first+maxShares-1)/maxShares); first < last; {
			end := min(first+size, last)
			of := &round.Boards[end-1]
			shares = append(shares, part{first, end, int(round.Boards[first].First), int(of.First) + boardWidth(of)})
			first = end
		}
	}
	return shares
}

// slot returns which vector of its segment's frame is a player's reach at a
// node.
func (l *Layout) slot(node int32, player int) int32 {
	return l.slots[int(node)*l.Tree.Game.NumPlayers+player]
}

// InfoSets returns the number of information sets, without padding.
func (l *Layout) InfoSets() int {
	n := 0
	for r := range l.Cards.Rounds {
		n += l.Tree.Shape.Decisions[r] * l.Cards.Rounds[r].Buckets
	}
	return n
}

// UsedEntries returns the number of entries, without padding.
func (l *Layout) UsedEntries() float64 {
	n := 0.0
	for r := range l.Cards.Rounds {
		n += float64(l.Tree.Shape.Actions[r]) * float64(l.Cards.Rounds[r].Buckets)
	}
	return n
}
