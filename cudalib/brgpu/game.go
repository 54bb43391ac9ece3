package brgpu

// Game is what the kernels of boards.cu need of a game and of the strategy that
// is answered.
type Game struct {
	Hands    int
	Cards    [][2]uint8 // the positions of each hand's cards in the deck
	Deck     int        // cards
	TwoCards bool       // a hand
	// Rounds is how many rounds come before the last.
	Rounds int
	// Orders has the hands of each canonical board of the last round, in the order of
	// their ranks, RiverHands of them. An entry of a hand is its number (11 bits), the
	// positions of its two cards (6 bits each), in the first of the hands of a rank how many
	// there are (11 bits), and its bucket (30 bits).
	Orders     []uint64
	RiverHands int
	// Renamed has the number that each hand of a canonical board has on a river, by
	// renaming and hand.
	Renamed []uint32
	// Scale makes the mean of the last round's values of their sum over boards.
	Scale   float64
	Players [2]Player
}

// Player is what the kernels need to answer the strategy as one player.
type Player struct {
	// Tables are the opponent's probabilities in the rounds before the last, one table
	// after the other.
	Tables []float32
	Last   Round
	// Before is the round before the last, in games of three rounds and more. Otherwise
	// units are boards of the last round, and their values are those at its start.
	Before *Round
}

// Round is a betting round, see package bestresponse.
type Round struct {
	Width int // lanes
	Parts []Part
	// Reach has the factors of the opponent's reach at the start of the round, by lane.
	Reach [][]Factor
}

// Part is a part of a round.
type Part struct {
	First, Width, Columns, Slots int // First is its first lane
	Table, Pays                  []float32
	Ops                          []Op
	Next                         []uint32 // lane of the next round by deal and lane, see segments.Part
}

// slots returns how many vectors of values an evaluation of the round keeps.
func (r *Round) slots() (slots int) {
	for i := range r.Parts {
		slots = max(slots, r.Parts[i].Slots)
	}
	return slots
}

// Op is an operation. Its kind and mode are those of the kernel's enumerations.
type Op struct {
	Kind, Mode, Slot, Arg, Fold uint32
	// Way and Path are how the opponent comes there: its reach starts Way times the part's width behind the
	// part's lanes.
	Way  uint32
	Path []uint32
}

// Factor is a probability: Index is its place in Player.Tables for bucket 0 of the round,
// Stride the distance to the next bucket's.
type Factor struct{ Round, Index, Stride uint32 }

// Unit is a board, with those of the last round after it.
type Unit struct {
	Count   uint32     // how many boards it stands for
	Buckets [][]uint32 // buckets by round before the last, and hand
	Hands   []uint32
	Classes [][]int32 // hands that are joined
	// Rivers are boards of the last round: the number of a canonical board, of the renaming of the
	// suits that turns its hands into those of the river, and of the boards that it stands for.
	Rivers [][3]uint32
}
