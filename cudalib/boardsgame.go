package cudalib

import "slices"

// BoardsGame is a betting tree of two players, as two programs: for each player
// the operations of a walk over it.
type BoardsGame struct {
	Rounds, Cards int // Cards is how many the deck has
	TwoCards      bool
	Hands         int // at most, on a board
	Nodes         []BoardsNode
	Programs      [2]BoardsProgram // by player
	Entries       int
	Strategies    int // the length of the array of strategies
}

// BoardsNode is a decision.
type BoardsNode struct {
	First, Width   int // the entry of the first bucket's first action, and how far the next bucket's is
	Actions, Actor int
	Round          int
	Strategy       int // of the first action: by action and bucket
	Buckets        int
	Sums           [2]int // by player who walks: the first place of what is found
	Places         int    // for each action
}

// BoardsProgram is what a walk for a player does. Its parts can be done at the
// same time, but for the last, which comes after them.
type BoardsProgram struct {
	Ops   []BoardsOp
	Parts []int     // where each part starts, and one more
	Ends  []float32 // three for each end: what the player gets with the best hand, with another, and with one as good
	Sums  int       // how many sums a walk finds
	Depth int       // of the stacks
}

// BoardsOp is an operation. To is a sum, an end or a part.
type BoardsOp struct {
	Kind         BoardsKind
	Depth, Round int
	First        bool
	Strategy, To int
}

// BoardsKind is what an operation does, see kernels/boards.cu.
type BoardsKind int

// The kinds of operations.
const (
	BoardsPlay BoardsKind = iota
	BoardsScan
	BoardsEnd
	BoardsGain
	BoardsSum
	BoardsAdd
	BoardsResult
	BoardsStore
	BoardsLoad
)

// boardsRow is how many hands with one card there is room for.
const boardsRow = 64

// Words returns the length of a board in a feed.
func (g *BoardsGame) Words() int {
	return 8 + 3*g.width() + g.Cards*boardsRow/2 + g.Rounds*(3*g.width()+4)
}

// width is how many hands there is room for, those of all threads of a block.
func (g *BoardsGame) width() int { return boardsSpan * boardsThreads(g.Hands) }

// BoardsHand is a hand on a board: the places of its cards in the deck, the
// second -1 where it has only one, its rank, and by round its bucket and the
// bucket's place among those of the board.
type BoardsHand struct {
	Cards  [2]int
	Rank   int32
	Bucket []int32
	Place  []int32
}

// Write writes a board into a feed. The hands are in the order of their ranks,
// and places by round are how many buckets they have.
func (g *BoardsGame) Write(words []uint32, hands []BoardsHand, places []int) {
	clear(words)
	words[0] = uint32(len(hands))
	next := words[8:]
	take := func(n int) (part []uint32) {
		part, next = next[:n], next[n:]
		return part
	}
	all, first, second, list := take(g.width()), take(g.width()), take(g.width()), take(g.Cards*boardsRow/2)
	none := uint32(g.width()) // a hand that never comes
	for i := range list {
		list[i] = none | none<<16
	}
	var with [64]uint32 // by card, how many hands
	for from := 0; from < len(hands); {
		to := from
		for to < len(hands) && hands[to].Rank == hands[from].Rank {
			to++
		}
		before := with
		for h := from; h < to; h++ {
			for _, c := range hands[h].Cards {
				if c >= 0 {
					word := &list[(c*boardsRow+int(with[c]))/2]
					shift := with[c] % 2 * 16
					*word = *word&^(0xffff<<shift) | uint32(h)<<shift
					with[c]++
				}
			}
		}
		for h := from; h < to; h++ {
			all[h] = uint32(from) | uint32(to)<<16
			for k, out := range [][]uint32{first, second} {
				if c := hands[h].Cards[k]; c >= 0 {
					row := uint32(c * boardsRow)
					out[h] = row + before[c] | (row+with[c])<<16
				} else {
					out[h] = uint32(g.Cards*boardsRow) * (1 | 1<<16)
				}
			}
		}
		from = to
	}
	for r := range g.Rounds {
		words[4+r] = uint32(places[r])
		bucket, position, start := take(g.width()), take(g.width()), take(g.width()+4)
		for h := range hands {
			bucket[h] = uint32(hands[h].Bucket[r])
			start[hands[h].Place[r]+1]++
		}
		for k := range places[r] {
			start[k+1] += start[k]
		}
		free := slices.Clone(start[:places[r]])
		for h := range position {
			position[h] = uint32(h) // behind those of all buckets
			if h < len(hands) {
				p := hands[h].Place[r]
				position[h] = free[p]
				free[p]++
			}
		}
	}
}

// Merge returns how the sums of a batch are added up: buckets, by round and board
// the buckets of the board in the order of their places.
func (g *BoardsGame) Merge(buckets [][][]int32) []uint32 {
	merge := make([]uint32, 2*g.Rounds)
	var items []uint64
	for r := range g.Rounds {
		items = items[:0]
		for board, has := range buckets[r] {
			for place, b := range has {
				items = append(items, uint64(b)<<32|uint64(board)<<16|uint64(place))
			}
		}
		slices.Sort(items)
		var found, start []uint32
		for i, x := range items {
			if i == 0 || x>>32 != items[i-1]>>32 {
				found, start = append(found, uint32(x>>32)), append(start, uint32(i))
			}
		}
		merge[2*r], merge[2*r+1] = uint32(len(found)), uint32(len(merge))
		merge = append(append(append(merge, found...), start...), uint32(len(items)))
		for _, x := range items {
			merge = append(merge, uint32(x))
		}
	}
	return merge
}

// boardsThreads is how many threads a block has, for boardsSpan hands each.
func boardsThreads(hands int) int { return (hands + boardsSpan*warp - 1) / (boardsSpan * warp) * warp }

const boardsSpan = 4
