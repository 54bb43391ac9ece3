package mccfrgpu

import (
	"math"
	"slices"
	"sync"

	"gamebots/cudalib/internal/launch"
)

// A PublicGame is a betting tree of two players, as two programs: for each player
// the operations of a traversal.
type PublicGame struct {
	Rounds     int
	Cards      int // cards that a board leaves
	TwoCards   bool
	Hands      int // at most, on a board
	Nodes      []PublicNode
	Programs   [2]Program    // programs by player
	Splits     [2]RiverSplit // the same with the last round by buckets
	Entries    int
	Strategies int // the length of the array of strategies
}

// A PublicNode is a decision.
type PublicNode struct {
	First, Width   int // the entry of the first bucket's first action, and the distance to the next bucket's
	Actions, Actor int
	Round          int
	Strategy       int // index of the first action's strategy: by action and bucket
	Buckets        int
	Sums           [2]int // index of the node's first sum, by traversing player
	NumSums        int    // sums of each action
}

// A Program is a traversal for a player. Its parts are independent of each other,
// but for the last, which comes after them.
type Program struct {
	Ops       []Op
	Parts     []int     // where each part starts, and the end of the last
	Terminals []float32 // three for each terminal node: the payoff with the better hand, the worse hand, a tie
	Sums      int       // how many sums a traversal leaves
	Depth     int       // depth of the stacks
}

// A RiverSplit is a traversal whose last round is done by buckets: Down brings the
// other player's reach to the trees of the round, and Up does the rest with their
// values. Roots are numbered: first those of the trees, then Up's parts.
type RiverSplit struct {
	Down, Up Program
	Trees    []RiverTree
}

// A RiverTree is a betting tree of the last round in sequence form. A sequence is an
// action after an earlier sequence of the same player. Sequence 0 is the empty one.
type RiverTree struct {
	Own, Others []Sequence // from number 1 on; those of the traversing player have sums
	Nodes       []ReachSum
	Terminals   []RiverTerminal
}

// A Sequence is an action of a player after the sequence Before. To is the index of
// its first sum.
type Sequence struct{ Before, Strategy, To int }

// A ReachSum is a decision of the other player: the sequence that leads there, and
// the index of the first sum of its reach.
type ReachSum struct{ Sequence, To int }

// A RiverTerminal is a terminal node, with the sequences that lead there and the
// payoffs of the better hand, the worse hand, and a tie.
type RiverTerminal struct {
	Own, Other      int
	Won, Lost, Tied float32
}

// words writes a tree for the kernel, with its terminal nodes in the order of the
// traversing player's sequences.
func (t *RiverTree) words() []uint32 {
	n := func(x int) uint32 { return uint32(x) }
	ends := slices.SortedStableFunc(slices.Values(t.Terminals), func(a, b RiverTerminal) int { return a.Own - b.Own })
	first := func(own int) uint32 {
		i, _ := slices.BinarySearchFunc(ends, own, func(e RiverTerminal, own int) int { return e.Own - own })
		return n(i)
	}
	words := []uint32{n(len(t.Own)), n(len(t.Others)), n(len(t.Nodes)), n(len(ends)), 0, 0, 0, 0}
	for i, s := range t.Own {
		words = append(words, n(s.Before), n(s.Strategy), n(s.To), first(i+1))
	}
	words = append(words, 0, 0, 0, n(len(ends)))
	for _, s := range t.Others {
		words = append(words, n(s.Before), n(s.Strategy))
	}
	for _, d := range t.Nodes {
		words = append(words, n(d.Sequence), n(d.To))
	}
	for _, e := range ends {
		words = append(words, n(e.Own), n(e.Other), math.Float32bits(e.Won), math.Float32bits(e.Lost),
			math.Float32bits(e.Tied))
	}
	return words
}

// An Op is an operation of a [Program]. To is a sum, a terminal node or a root.
type Op struct {
	Kind         OpKind
	Depth, Round int
	First        bool
	Strategy, To int
}

// An OpKind is one of the operations of public.cu.
type OpKind int

const (
	OpPlay       OpKind = iota // the other player takes an action: the next reach is this one times the strategy
	OpScan                     // prepares showdowns with a reach
	OpTotal                    // prepares folds with a reach
	OpTerminal                 // the value of a terminal node
	OpGain                     // the value of the player's action: into the sums, and the node's value
	OpSum                      // the reach at a node of the other player: into the sums
	OpAdd                      // adds a child's value to that of the other player's node
	OpResult                   // the node's value is complete
	OpStore                    // stores the value of a part
	OpLoad                     // loads the value of a part
	OpStoreReach               // stores the reach at the root of a tree of the last round
)

// handsPerCard is how many hands with one card a board has room for.
const handsPerCard = 64

// Words returns the length of a board in a buffer.
func (g *PublicGame) Words() int {
	return 8 + 3*g.width() + g.Cards*handsPerCard/2 + g.Rounds*(3*g.width()+4)
}

// width returns how many hands there is room for: those of all threads of a block.
func (g *PublicGame) width() int { return handsPerThread * blockThreads(g.Hands) }

// A BoardHand is a hand on a board: the indices of its cards in the deck (the second
// is -1 if it has only one), its rank, and by round its bucket and the index of the
// bucket among those of the board.
type BoardHand struct {
	Cards       [2]int
	Rank        int32
	Bucket      []int32
	BucketIndex []int32
}

// BucketsFollowRanks reports whether the buckets of the last round grow with the
// ranks of hands, which are in the order of ranks. Then the last round can be done
// by buckets.
func BucketsFollowRanks(hands []BoardHand) bool {
	for i := 1; i < len(hands); i++ {
		a, b := &hands[i-1], &hands[i]
		last := len(a.BucketIndex) - 1
		if a.BucketIndex[last] > b.BucketIndex[last] || a.Rank == b.Rank && a.BucketIndex[last] != b.BucketIndex[last] {
			return false
		}
	}
	return true
}

// Write writes a board into a buffer. The hands are in the order of their ranks, and
// numBuckets is how many buckets they have, by round.
func (g *PublicGame) Write(words []uint32, hands []BoardHand, numBuckets []int) {
	clear(words)
	words[0] = uint32(len(hands))
	next := words[8:]
	take := func(n int) (part []uint32) {
		part, next = next[:n], next[n:]
		return part
	}
	all, first, second, list := take(g.width()), take(g.width()), take(g.width()), take(g.Cards*handsPerCard/2)
	none := uint32(g.width()) // padding: no hand has this number
	for i := range list {
		list[i] = none | none<<16
	}
	var with [64]uint32 // hands by card
	for from := 0; from < len(hands); {
		to := from
		for to < len(hands) && hands[to].Rank == hands[from].Rank {
			to++
		}
		before := with
		for h := from; h < to; h++ {
			for _, c := range hands[h].Cards {
				if c >= 0 {
					word := &list[(c*handsPerCard+int(with[c]))/2]
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
					row := uint32(c * handsPerCard)
					out[h] = row + before[c] | (row+with[c])<<16
				} else {
					out[h] = uint32(g.Cards*handsPerCard) * (1 | 1<<16)
				}
			}
		}
		from = to
	}
	for r := range g.Rounds {
		words[4+r] = uint32(numBuckets[r])
		bucket, position, start := take(g.width()), take(g.width()), take(g.width()+4)
		for h := range hands {
			bucket[h] = uint32(hands[h].Bucket[r])
			start[hands[h].BucketIndex[r]+1]++
		}
		for k := range numBuckets[r] {
			start[k+1] += start[k]
		}
		free := slices.Clone(start[:numBuckets[r]])
		for h := range position {
			position[h] = uint32(h) // behind those of all buckets
			if h < len(hands) {
				p := hands[h].BucketIndex[r]
				position[h] = free[p]
				free[p]++
			}
		}
	}
}

// Merge returns how the sums of a batch are added up. It is given the buckets of each
// board, in the order of their indices, by round and board. It runs a goroutine for
// each round.
func (g *PublicGame) Merge(buckets [][][]int32) []uint32 {
	rounds := make([][]uint32, g.Rounds)
	count := make([]int, g.Rounds)
	var group sync.WaitGroup
	for r := range g.Rounds {
		group.Go(func() { rounds[r], count[r] = mergeRound(buckets[r]) })
	}
	group.Wait()
	merge := make([]uint32, 2*g.Rounds)
	for r, words := range rounds {
		merge[2*r], merge[2*r+1] = uint32(count[r]), uint32(len(merge))
		merge = append(merge, words...)
	}
	return merge
}

// mergeRound returns the buckets of all boards, for each of them where its items
// start, the end of all items, and the items: a board and a bucket's index there. It also returns
// how many buckets there are.
func mergeRound(buckets [][]int32) (words []uint32, count int) {
	var items []uint64
	for board, has := range buckets {
		for i, b := range has {
			items = append(items, uint64(b)<<32|uint64(board)<<16|uint64(i))
		}
	}
	slices.Sort(items)
	var found, start []uint32
	for i, x := range items {
		if i == 0 || x>>32 != items[i-1]>>32 {
			found, start = append(found, uint32(x>>32)), append(start, uint32(i))
		}
	}
	words = append(append(found, start...), uint32(len(items)))
	for _, x := range items {
		words = append(words, uint32(x))
	}
	return words, len(found)
}

// blockThreads returns how many threads a block has, for handsPerThread hands each.
func blockThreads(hands int) int {
	return (hands + handsPerThread*launch.Warp - 1) / (handsPerThread * launch.Warp) * launch.Warp
}

const handsPerThread = 4
