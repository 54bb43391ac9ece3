package pcsgpu

import (
	"slices"

	"gamebots/cudalib/internal/launch"
)

// Game is what the kernels of pcs.cu need of a game. Arrays by hand have the
// hands that a board leaves, in the order of their ranks; arrays by lane have the betting
// sequences that lead to a round, those of a part next to each other.
type Game struct {
	Boards   int // of a batch
	Hands    int // that a board leaves
	Deck     int // cards
	TwoCards bool
	Apart    bool   // whether each player has a card abstraction of its own
	Widths   []int  // the lanes of each betting round
	Parts    []Part // of all rounds, in their order
	// Of the part of a game that one of several devices has, see [share]: how many devices there
	// are, and the first round that they divide among them.
	devices, divided int
}

// Part has the segments of a betting round that have the same decisions. All have in a limit
// game; in a no-limit game the raises depend on the chips that are left.
type Part struct {
	Round   int
	First   int    // its first lane, of those of its round
	Width   int    // its lanes, a multiple of 32
	Buckets [2]int // of its round, by player
	// Columns are the actions of each player at its decisions in a segment.
	Columns [2]int
	// Next is, by deal and lane, the lane of the next round, None in padding. Paths are, by
	// player and deal, the player's columns on the way there.
	Deals int
	Next  []uint32
	Paths [2][][]uint32
	// From is, by lane, the lane of the round before that it follows and, above 16 bits, the number
	// of the deal there, among those of all parts; None in padding. Link sets it.
	From []uint32
	// Programs value the part for a player, and update its strategy.
	Programs [2]Program
}

// None stands for no lane, and no value.
const None = ^uint32(0)

// The most that there is room for.
const (
	MaxPath    = 8       // actions of a player in a segment
	MaxActions = 15      // of a decision
	MaxLanes   = 1 << 16 // of a round
)

// maxNumber bounds what kernels number in a byte: the columns of a program, and its values.
const maxNumber = 1<<8 - 1

// Program values the segments of a round for a player. Its values are numbered: first those
// at the ends of hands, then those of deals, from the next round, then those of the player's
// decisions.
type Program struct {
	Ends   []End
	Values int       // at ends of hands
	Pays   []float32 // chips by value at an end, and lane
	// Columns are what the value of each of the player's actions is the sum of, Root what that
	// of the segment is. Decisions follow on those that come after them.
	Columns   []Sources
	Root      Sources
	Decisions []Decision
}

// These have the layout of the kernels' structs.
type (
	// End is the opponent's reach after a path of columns, and the numbers of the values that
	// follow from it: of a fold, and of a showdown, or None.
	End struct {
		Length         uint32
		Path           [MaxPath]uint32
		Fold, Showdown uint32
	}
	// Sources are numbers of values.
	Sources struct {
		N    uint32
		From [MaxActions]uint32
	}
	// Decision is a decision of the player, after a path of its columns.
	Decision struct {
		Column, Actions, Length uint32
		Path                    [MaxPath]uint32
	}
)

// Link sets from which lanes those of later rounds follow.
func (g *Game) Link() {
	from := make([][]uint32, len(g.Widths)) // by round and lane
	for r, width := range g.Widths {
		from[r] = slices.Repeat([]uint32{None}, width)
	}
	deals := make([]int, len(from)) // of the round
	for i := range g.Parts {
		p := &g.Parts[i]
		p.From = from[p.Round][p.First:][:p.Width]
		for i, next := range p.Next {
			if p.Round+1 < len(from) && next < uint32(len(from[p.Round+1])) {
				from[p.Round+1][next] = uint32(p.First+i%p.Width) | uint32(deals[p.Round]+i/p.Width)<<16
			}
		}
		deals[p.Round] += p.Deals
	}
}

// sourceWords is how many words [Sources] are packed in: a byte for their number and for each.
const sourceWords = (1 + MaxActions) / 4

// packed returns what the values of the actions and of the segment are sums of, as kernels read it.
func (p *Program) packed() (words []uint32) {
	for _, s := range slices.Concat(p.Columns, []Sources{p.Root}) {
		var row [sourceWords]uint32
		for i, n := range append([]uint32{s.N}, s.From[:s.N]...) {
			row[i/4] |= n << (8 * (i % 4))
		}
		words = append(words, row[:]...)
	}
	return words
}

// Batch is some boards with the hands that they leave.
type Batch struct {
	// Order is by board and hand: the positions of its cards in the deck, 6 bits each (the
	// second is the number of cards where hands have one), and from bit 12 its place in the order
	// from the best rank to the worst, with those of a rank as they are here.
	Order []uint32
	Cards []Cards // of both players, or of each where they are apart
}

// Cards are the buckets of the hands of a batch in a card abstraction.
type Cards struct {
	Buckets []uint32 // by round, board and hand
	Rounds  []Hits
}

// CardsOf returns the buckets of a player.
func (b *Batch) CardsOf(player int) *Cards { return &b.Cards[player%len(b.Cards)] }

// abstractions returns the number of card abstractions.
func (g *Game) abstractions() int {
	if g.Apart {
		return 2
	}
	return 1
}

// Hits are the hands of a batch by bucket: those in bucket Buckets[i] are Hands from
// Starts[i] up to Starts[i+1], with the board above handBits bits.
type Hits struct{ Buckets, Starts, Hands []uint32 }

// HandBits is how many bits the number of a hand has in [Hits].
const HandBits = 11

// Update is how the strategy of a player is changed by a batch.
type Update struct {
	Regret, Sum float32 // the weight of the batch's regrets, and of its strategies
	Floor       bool    // whether regrets below zero become zero
}

// Splits returns among how many warps the hands of a bucket of a player are divided in a part: more
// where they are many, unless they have no room.
func (g *Game) Splits(part, player int) int {
	p, splits := &g.Parts[part], 1
	for splits < maxSplits && g.Boards*g.Hands >= 2*splits*handsPerSplit*p.Buckets[player] && max(p.updateBytes(0, 2*splits), p.updateBytes(1, 2*splits)) <= splitBytes {
		splits *= 2
	}
	return splits
}

// splitBytes is how much shared memory warps have together, if there are several.
const maxSplits, handsPerSplit, splitBytes = 4, 8, 96 << 10

// hitsAtOnce is how many hands the kernel for updates treats at a time.
const hitsAtOnce = 4

// updateBytes returns the shared memory of a block of the kernel for updates.
func (p *Part) updateBytes(player, splits int) int {
	program, columns := &p.Programs[player], p.Columns[player]
	values := program.Values + p.Deals + len(program.Decisions)
	return 4 * (launch.Warp*(splits*(hitsAtOnce*values+columns+1)+columns) + sourceWords*(columns+1) + len(program.Decisions))
}

// Entries returns the number of entries of a player's table in a part, with padding.
func (g *Game) Entries(part, player int) int {
	p := &g.Parts[part]
	return p.Buckets[player] * p.Columns[player] * p.Width
}

// Reach returns the number of elements of the reach in a round, by board, hand and lane.
func (g *Game) Reach(r int) int { return g.Boards * g.Hands * g.Widths[r] }

// roots returns the number of elements of the values at the start of a round: those of other
// devices, too, in the first round that is divided among them.
func (g *Game) roots(r int) int {
	if r == g.divided {
		return g.Reach(r) * max(1, g.devices)
	}
	return g.Reach(r)
}

// Values returns the number of elements of the values at the ends of a part for either player:
// by tile, board, value, hand and lane of the tile.
func (g *Game) Values(part int) int {
	p := &g.Parts[part]
	return g.Boards * g.Hands * p.Width * max(p.Programs[0].Values, p.Programs[1].Values)
}

// Bytes returns the memory that the training takes on one device.
func (g *Game) Bytes() (bytes int64) {
	hands := int64(g.Boards * g.Hands)
	for i := range g.Parts {
		for p := range 2 {
			bytes += 3 * int64(g.Entries(i, p)) // regrets, sums and strategies
		}
		bytes += int64(g.Values(i))
	}
	for r := range g.Widths {
		bytes += 2*int64(g.Reach(r)) + int64(g.roots(r)) + 6*hands*int64(g.abstractions()) // reach of both, values; buckets, hits and entries
	}
	return 4 * (bytes + hands)
}
