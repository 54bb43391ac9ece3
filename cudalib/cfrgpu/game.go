package cfrgpu

// Game is a game of two players with one hole card or two, in flat arrays as
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
	// Lanes is the number of buckets that are summed up together.
	Lanes = 8
	// MaxColumns is how many buckets a block works on, at most.
	MaxColumns = 128
)

// Round is a betting round and its cards.
type Round struct {
	Stride                 int // buckets, padding included
	FirstSegment, Segments int // of this round

	// By bucket: the one it refines in the round before; the first bucket of
	// its board, and how many times Lanes the board has; where the buckets
	// that tie with it start and end on its board, the end in the upper half;
	// how many hands it holds; its part in the value of the one it refines.
	Up, Board, Groups, Ties []uint32
	Size                    []float32
	Weight                  []float64
	// The buckets of the next round that refine bucket h are
	// Children[ChildStart[h]:ChildStart[h+1]].
	ChildStart, Children []uint32
	// Children are cut into shares, whose sums are added up: those of bucket h are
	// the shares from ShareStart[h] to ShareStart[h+1], and share i has the
	// children from Shares[i] to Shares[i+1].
	ShareStart, Shares []uint32
	// Parts are the first and the last bucket, exclusive, of each part of the
	// boards that a block takes: with one hole card at most MaxColumns of them,
	// or one board; with two one board.
	Parts []uint32

	// With two hole cards: how many hands there are with one card on a board; the
	// buckets of these, in ascending order, counted from the board's first, in
	// lists that are padded to multiples of Lanes; and by board which lists
	// are its own.
	Hands      int
	Lists      []uint16
	BoardLists []BoardLists
	// By bucket, for both cards of its canonical hand, each in a half: the place
	// of the list's first sum, of which there are Hands+1 a list; and, in two
	// bytes each, how many hands of the list are worse and not better.
	Card, Places []uint32
}

// BoardLists are the lists of a board: the first, and how many.
type BoardLists struct{ First, Cards int }

// Node is a node of the betting tree.
type Node struct {
	Kind           Kind
	Actor, Actions int
	First          int     // the first child, or the segment that a deal leads to
	Amount         float32 // what player 0 wins at an end, at a showdown with the better hand
	Showdown       bool
	// Slot is, by player, which vector of the segment is the player's reach:
	// those at the root come first, then one a node.
	Slot  [2]int
	Entry int // of the first action's first bucket; a multiple of Lanes
	Scale int // of the first bucket, of one for every four buckets; likewise
}

// Kind is what happens at a node.
type Kind int

// The kinds of nodes.
const (
	Decision Kind = iota
	Terminal
	Deal
)

// Segment is a betting round after one sequence of earlier rounds.
type Segment struct {
	Round       int
	First, Last int // nodes
	From        int // the deal that leads here, -1 for none
	Before      int // the segment which that is in
}

// floats rounds numbers to 32 bits.
func floats(x []float64) []float32 {
	out := make([]float32, len(x))
	for i := range x {
		out[i] = float32(x[i])
	}
	return out
}
