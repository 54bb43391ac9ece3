package pcsgpu

// Game is what the kernels of kernels/pcs/pcs.cu need of a game. Arrays by hand have the
// hands that a board leaves, in the order of their ranks; arrays by lane have the betting
// sequences that lead to a round.
type Game struct {
	Boards   int // of a batch
	Hands    int // that a board leaves
	Deck     int // cards
	TwoCards bool
	Rounds   []Round
}

// Round is a betting round.
type Round struct {
	Width   int // the lanes, a multiple of 32
	Buckets int
	// Columns are the actions of each player at its decisions in a segment.
	Columns [2]int
	// Next is, by deal and lane, the lane of the next round, None in padding. Paths are, by
	// player and deal, the player's columns on the way there.
	Deals int
	Next  []uint32
	Paths [2][][]uint32
	// From is, by lane, the lane of the round before and the number of the deal there that it
	// follows, above 16 bits; None in padding.
	From []uint32
	// Programs value the round for a player, and update its strategy.
	Programs [2]Program
}

// None stands for no lane, and no value.
const None = ^uint32(0)

// The most that kernels follow.
const (
	MaxPath    = 8        // actions of a player in a segment
	MaxActions = 3        // of a decision
	MaxSources = 3        // of the value of an action
	MaxNumber  = 1<<8 - 1 // of values of a program, and of columns
	MaxLanes   = 1 << 16  // of a round
)

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
		From [MaxSources]uint32
	}
	// Decision is a decision of the player, after a path of its columns.
	Decision struct {
		Column, Actions, Length uint32
		Path                    [MaxPath]uint32
	}
)

// Batch is some boards with the hands that they leave.
type Batch struct {
	// Order is by board and hand: the positions of its cards in the deck, 6 bits each (the
	// second is the number of cards where hands have one), and from bit 12, in the first of
	// the hands of a rank, how many there are.
	Order []uint32
	// Buckets are by round, board and hand.
	Buckets []uint32
	Rounds  []Hits
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

// Splits returns among how many warps the hands of a bucket are divided in a round: more
// where they are many.
func (g *Game) Splits(r int) int {
	splits := 1
	for splits < maxSplits && g.Boards*g.Hands >= 2*splits*handsPerSplit*g.Rounds[r].Buckets {
		splits *= 2
	}
	return splits
}

const maxSplits, handsPerSplit = 4, 8

// Entries returns the number of entries of a player's table in a round, with padding.
func (g *Game) Entries(r, player int) int {
	return g.Rounds[r].Buckets * g.Rounds[r].Columns[player] * g.Rounds[r].Width
}

// Reach returns the number of elements of the reach in a round, by board, hand and lane.
func (g *Game) Reach(r int) int { return g.Boards * g.Hands * g.Rounds[r].Width }

// Values returns the number of elements of the values in a round for either player: by board,
// value at an end or else the segment's, hand and lane.
func (g *Game) Values(r int) int {
	p := &g.Rounds[r].Programs
	return g.Reach(r) * (1 + max(p[0].Values, p[1].Values))
}

// Bytes returns the memory that the training takes.
func (g *Game) Bytes() (bytes int64) {
	for r := range g.Rounds {
		for p := range 2 {
			bytes += 3 * int64(g.Entries(r, p)) // regrets, sums and strategies
			bytes += int64(g.Reach(r))
		}
		bytes += int64(g.Values(r) + 2*g.Boards*g.Hands)
	}
	return 4 * (bytes + int64(g.Boards*g.Hands))
}
