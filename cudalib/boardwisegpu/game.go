package boardwisegpu

// Game is what the kernels need of a game of two players, see package boardwise.
type Game struct {
	Rounds   []Round
	TwoCards bool // or one hole card
	Packed   bool // entries of 16 bits, or 32
}

// Round is a betting round. Players are numbered 0 and 1.
type Round struct {
	Width   int // the lanes, a multiple of 32
	Columns [2]int
	Cards   int // that a board leaves
	Most    int // buckets of a board
	Boards  []Board
	// By hand: packed as bucket and cards.
	Hands []uint32
	// By bucket: one of its hands, the bucket of the round before, its weight there, and its
	// board.
	RowHands, Up []uint32
	Weight       []float32
	BoardOf      []uint32
	// The buckets that follow bucket i of the round before are Refined from Follow[i] up to
	// Follow[i+1].
	Follow, Refined []uint32
	// Next is, by deal and lane, the lane of the next round, and From, by lane of the round,
	// lane and deal<<16 of the round before; None in padding.
	Next, From []uint32
	// Paths are, by player and deal, up to MaxPath choices.
	Paths    [2][][]Choice
	Programs [2]Program
}

// None stands for no lane or no slot.
const None = ^uint32(0)

// Board is where the buckets and the hands of a board start, and how many there are.
type Board struct{ Row, Rows, Hand, Hands uint32 }

// Program values a segment for a player.
type Program struct {
	Passes []Pass
	Slots  int
	Pays   []float32 // by end and lane
}

// The most that a pass has.
const (
	MaxActions     = 3
	MaxActionSlots = 2
	MaxSources     = 4
	MaxPath        = 4
	MaxSteps       = 4
	MaxEnds        = 6
)

// DealSource marks a source that is a deal and not a slot.
const DealSource = 1 << 16

// These have the layout of the kernels' structs.
type (
	// Choice is an action at a decision of a player.
	Choice struct{ Column, Actions, Action uint32 }
	// Step follows a choice of the opponent.
	Step struct {
		Choice
		Fresh uint32
		Slots [MaxActions][MaxActionSlots]uint32
	}
	// End is a fold or a showdown.
	End struct{ Slot, Pay, Showdown uint32 }
	// Pass values a decision of the player.
	Pass struct {
		NumSteps, NumEnds, NumPath, Result uint32
		Own                                Choice
		Steps                              [MaxSteps]Step
		Ends                               [MaxEnds]End
		Path                               [MaxPath]Choice
		NumSources                         [MaxActions]uint32
		Sources                            [MaxActions][MaxSources]uint32
	}
)
