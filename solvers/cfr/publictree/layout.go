package publictree

import (
	"slices"

	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/policy"
)

// Layout is an Index over the cards themselves, and the tables that traversals
// with vectors over all buckets need. It does not change after it is made and may
// be shared.
type Layout struct {
	*policy.Index
	Cards *abstraction.Cards
	// Ranges is the reach of each player's buckets at the root, in a subgame; nil is 1 for
	// all. It is to be set before the layout is used, and not on a GPU.
	Ranges [][]float64

	// entry is Entry by node, for decisions only.
	entry []int
	// firstSegment is the first segment of each round, and the number of segments.
	firstSegment []int32
	// parentSegment is, by segment, the segment that it follows.
	parentSegment []int32
	// reachVectors is, by node and player, the vector of the segment's frame that
	// is the player's reach there. The players' vectors at the root of the segment
	// come first, then one a node.
	reachVectors []int32
	// blocks cuts the boards of each round into ranges so small that the vectors
	// of one segment stay in a core's cache.
	blocks [][]abstraction.BoardRange
	// widest is the largest number of nodes in a segment of each round.
	widest []int
	// partialSums cuts the boards of each round but the first into the ranges of
	// the partial sums that means over boards consist of.
	partialSums [][]abstraction.BoardRange
	// scales is, by node, where the scales of a decision's 16-bit entries start,
	// one for every BucketsPerScale buckets, and the number of scales.
	scales []int
	// cardLists are of each round, nil in games that do not use them.
	cardLists []*CardLists
}

// frameFloats is how many floats the vectors of one segment should have at
// most: half of a typical second-level cache.
const frameFloats = 1 << 17

// NewLayout joins a game's betting tree with its cards.
func NewLayout(tree *betting.Tree, cards *abstraction.Cards) *Layout {
	l := &Layout{Index: policy.NewIndex(tree, cards), Cards: cards, entry: make([]int, len(tree.Nodes))}
	n := tree.Game.NumPlayers
	l.reachVectors = make([]int32, len(tree.Nodes)*n)
	l.widest = make([]int, tree.Game.NumRounds)
	l.parentSegment = make([]int32, len(tree.Segments))
	for k, s := range tree.Segments {
		l.widest[s.Round] = max(l.widest[s.Round], int(s.Last-s.First))
		for p := range n {
			l.reachVectors[int(s.First)*n+p] = int32(p)
		}
		for i := s.First; i < s.Last; i++ {
			switch node := &tree.Nodes[i]; node.Kind {
			case betting.Decision:
				l.entry[i] = l.Index.Entry(i)
				for child := node.First; child < node.First+int32(node.NumActions); child++ {
					vectors := l.reachVectors[int(child)*n:][:n]
					copy(vectors, l.reachVectors[int(i)*n:])
					vectors[node.Actor] = int32(n) + child - s.First
				}
			case betting.Deal:
				l.parentSegment[node.First] = int32(k)
			}
		}
	}
	for r := range cards.Rounds {
		first := slices.IndexFunc(tree.Segments, func(s betting.Segment) bool { return s.Round >= r })
		l.firstSegment = append(l.firstSegment, int32(first))
		width := frameFloats / (frameVectors * (l.widest[r] + n))
		if r < tree.Game.NumRounds-1 {
			width = cards.Rounds[r].Stride // see frame
		}
		l.blocks = append(l.blocks, cards.Rounds[r].Cut(width))
		l.partialSums = append(l.partialSums, partialSums(&cards.Rounds[r]))
		if usesCardLists(tree.Game) {
			l.cardLists = append(l.cardLists, newCardLists(cards, r))
		}
	}
	l.firstSegment = append(l.firstSegment, int32(len(tree.Segments)))
	l.scales = make([]int, len(tree.Nodes)+1)
	for i := range tree.Nodes {
		l.scales[i+1] = l.scales[i]
		if n := &tree.Nodes[i]; n.Kind == betting.Decision {
			// A multiple of lanes for each, as entries are.
			scales := cards.Rounds[n.Round].Stride / BucketsPerScale
			l.scales[i+1] += (scales + abstraction.Lanes - 1) / abstraction.Lanes * abstraction.Lanes
		}
	}
	return l
}

// Entry returns the first entry of a decision.
func (l *Layout) Entry(node int32) int { return l.entry[node] }

// BucketsPerScale is how many buckets of a decision share the scale of 16-bit
// entries.
const BucketsPerScale = 4

// Scale returns the first scale of a decision's 16-bit entries.
func (l *Layout) Scale(node int32) int { return l.scales[node] }

// NumScales returns the number of scales of an array of 16-bit entries.
func (l *Layout) NumScales() int { return l.scales[len(l.Tree.Nodes)] }

// Segments returns the first segment of a round, and the number of its segments.
func (l *Layout) Segments(round int) (first, n int32) {
	first = l.firstSegment[round]
	return first, l.firstSegment[round+1] - first
}

// ParentSegment returns the segment that a segment follows, 0 for the first.
func (l *Layout) ParentSegment(segment int) int32 { return l.parentSegment[segment] }

// PartialSums returns the ranges of a round's boards whose values are summed by themselves, when
// values are averaged for the round before.
func (l *Layout) PartialSums(round int) []abstraction.BoardRange { return l.partialSums[round] }

// CardLists returns the tables of a round for terminal values in games of two hole cards, nil for
// other games.
func (l *Layout) CardLists(round int) *CardLists {
	if l.cardLists == nil {
		return nil
	}
	return l.cardLists[round]
}

// The mean over the boards that follow a board is a sum of partial sums: each over
// at least minPartialBoards boards, and at most maxPartialSums of them. That is one
// more addition each on a CPU, and work for more threads on a GPU.
const (
	minPartialBoards = 8
	maxPartialSums   = 64
)

// partialSums cuts the boards of a round for the means that the round before needs.
func partialSums(round *abstraction.Round) (ranges []abstraction.BoardRange) {
	for first := 0; first < len(round.Boards); {
		last := first + 1
		for last < len(round.Boards) && round.Boards[last].Parent == round.Boards[first].Parent {
			last++
		}
		for size := max(minPartialBoards, (last-first+maxPartialSums-1)/maxPartialSums); first < last; {
			end := min(first+size, last)
			b := &round.Boards[end-1]
			ranges = append(ranges, abstraction.BoardRange{
				FirstBoard: first, LastBoard: end,
				First: int(round.Boards[first].First), Last: int(b.First) + b.Width(),
			})
			first = end
		}
	}
	return ranges
}

// ReachVector returns which vector of its segment is a player's reach at a node. The players'
// vectors at the root of the segment come first, then one for each node.
func (l *Layout) ReachVector(node int32, player int) int32 {
	return l.reachVectors[int(node)*l.Tree.Game.NumPlayers+player]
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

// LayoutOf lays the game of a policy out for an Evaluator, if that fits in a budget of bytes. For
// card abstractions without exact best responses the error is a [*NoBestResponseError].
func LayoutOf(p *policy.Policy, budget int64) (*Layout, error) {
	if err := CheckCards(p); err != nil {
		return nil, err
	}
	g, cards := p.Tree.Game, p.Buckets.(*abstraction.Cards)
	size := Measure(g, p.Tree.Shape, cards.Kind)
	if size.Bytes > budget {
		return nil, sizeError(g, cards.Kind, p.Tree.Shape.Betting, size, budget)
	}
	return NewLayout(p.Tree, cards), nil
}

// CheckCards returns a [*NoBestResponseError] for a policy with a card abstraction without exact
// best responses.
func CheckCards(p *policy.Policy) error {
	if _, ok := p.Buckets.(*abstraction.Cards); !ok {
		return &NoBestResponseError{p.Buckets.Name()}
	}
	return nil
}

// NoBestResponseError is the error for a card abstraction, by its name, over which there
// are no exact best responses.
type NoBestResponseError struct{ Cards string }

func (e *NoBestResponseError) Error() string {
	return e.Cards + " cards: exact best responses need a strategy that was trained with lossless cards, or with none"
}
