package cfrgpu

// A Game is a game of two players with one hole card or two, in flat arrays as
// solvers/cfr lays it out. Vectors have a number for each bucket of a round, and
// are padded to multiples of Lanes.
type Game struct {
	HoleCards int
	Rounds    []Round
	Nodes     []Node
	Segments  []Segment
	Entries   int // the length of the arrays of regrets and of strategies
	Scales    int // how many scales 16-bit arrays have
}

const (
	// Lanes is the number of buckets that are added up together.
	Lanes = 8
	// MaxColumns is how many buckets a block works on, at most.
	MaxColumns = 128
)

// A Round is a betting round and its cards.
type Round struct {
	Stride                 int // buckets, padding included
	FirstSegment, Segments int // the segments of this round

	// By bucket: the one that it refines in the round before; the first bucket of its
	// board, and how many times Lanes the board has; a [Pair] of where the buckets
	// that tie with it start and end on its board; how many hands it holds; its part
	// in the value of the bucket that it refines.
	Up, Board, Groups, Ties []uint32
	Size                    []float32
	Weight                  []float64
	// The buckets of the next round that refine bucket h are
	// Children[ChildStart[h]:ChildStart[h+1]].
	ChildStart, Children []uint32
	// The sum over the children of bucket h consists of the partial sums from
	// PartialStart[h] to PartialStart[h+1]. Partial sum i is over the children from
	// Partials[i] to Partials[i+1].
	PartialStart, Partials []uint32
	// Parts are the first and the last bucket, exclusive, of each part of the boards
	// that a block takes. With one hole card a part is at most MaxColumns buckets, or
	// one board; with two it is one board.
	Parts []uint32

	// With two hole cards: how many hands there are with one card on a board; lists
	// of the buckets of these hands, in ascending order, counted from the board's
	// first and padded to multiples of Lanes; by board which lists are its own; and
	// by bucket the lists of both cards of its canonical hand.
	Hands      int
	Lists      []uint16
	BoardLists []BoardLists
	Cards      [][2]CardPosition
}

// BoardLists are the lists of a board: the first, and how many there are.
type BoardLists struct{ First, Cards int }

// CardPosition is a hand's position among the hands with one of its cards: the index
// of the list's first sum (a list has Hands+1 sums), and how many hands of the list
// are worse and not better.
type CardPosition struct{ List, Worse, NotBetter uint16 }

// Pair packs two 16-bit numbers into a word, the first into the lower half.
func Pair(first, second uint32) uint32 { return first | second<<16 }

// A Node is a node of the betting tree.
type Node struct {
	Kind           Kind
	Actor, Actions int
	First          int     // the first child, or the segment that a deal leads to
	Amount         float32 // player 0's winnings at a terminal node: at a showdown with the better hand
	Showdown       bool
	// Slot is, by player, which vector of the segment is the player's reach: those at
	// the root come first, then one a node.
	Slot  [2]int
	Entry int // entry of the first action's first bucket; a multiple of Lanes
	Scale int // scale of the first bucket, one for every four buckets; likewise
}

// A Kind is the kind of a node.
type Kind int

const (
	Decision Kind = iota
	Terminal
	Deal
)

// A Segment is a betting round after one sequence of earlier rounds.
type Segment struct {
	Round       int
	First, Last int // nodes
	From        int // the deal that leads here, -1 for none
	Before      int // the segment of that deal
}

// convert rounds numbers to R.
func convert[R float32 | float64](x []float64) []R {
	out := make([]R, len(x))
	for i := range x {
		out[i] = R(x[i])
	}
	return out
}
