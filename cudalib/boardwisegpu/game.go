package boardwisegpu

import "gamebots/cudalib/segments"

// Game is what the kernels need of a game of two players, see package boardwise.
type Game struct {
	Rounds []Round
	Packed bool // entries of 16 bits, or 32
}

// Round is a betting round and its boards. Players are numbered 0 and 1.
type Round struct {
	Betting
	Cards  int // cards that a board leaves
	Most   int // buckets of a board
	Boards []Board
	// Hands are the buckets of all hands, by board and in the order of ranks; Lists those with
	// a card, by board and card, List each.
	Hands, Lists []uint32
	List         int
	// By bucket: the sums that it reads; the bucket of the round before, its weight there, and
	// its board.
	Positions   []Position
	Up, BoardOf []uint32
	Weight      []float32
	// The buckets that follow bucket i of the round before are Refined from Follow[i] up to
	// Follow[i+1].
	Follow, Refined []uint32
}

// Betting is the betting of a round, whose segments are lanes of one part.
type Betting struct {
	*segments.Part
	Choices [2][][]Choice // a player's choices on the way to each deal, up to MaxPath
	Passes  [2]Passes     // a player each
}

// None stands for no lane or no slot.
const None = segments.None

// Board is where the buckets and the hands of a board start, and how many there are.
type Board struct{ Row, Rows, Hand, Hands uint32 }

// Position has the places of sums among those of a vector with showdowns: of the hands that
// are worse than a bucket, and not better, of all hands and of those with each of its cards.
type Position struct {
	Worse, NotBetter uint16
	Cards            [2]CardPosition
}

// CardPosition is of the hands with a card: also those of all of them, and the card's number.
type CardPosition struct{ Worse, NotBetter, All, Number uint16 }

// Passes value a segment for a player, one a decision, the last one first. The last pass is that of
// the root.
type Passes struct {
	List  []Pass
	Slots int // vectors over the buckets of a board
	Sums  int // sums of reach, of the vectors of a pass
}

// The most that a pass has.
const (
	MaxActions = 3
	MaxSources = 4
	MaxPath    = 4
	MaxSteps   = 4
	MaxVectors = 4
)

// Kind is the kind of a Source.
type Kind uint32

const (
	Joined   Kind = iota // the value of a decision, in a slot
	Deal                 // the value of the next round
	Fold                 // the value of a fold, from a vector's reach
	Showdown             // against a vector's reach
)

// These have the layout of the kernels' structs.
type (
	// Choice is an action at a decision of a player.
	Choice struct{ Column, Actions, Action uint32 }
	// Step multiplies the opponent's reach by the probabilities of one of its decisions, and stores
	// it in slots, by action. The next step goes on from the choice's action, unless it is fresh:
	// then it starts from the root of the segment. A choice with no actions stores the reach at the
	// root itself.
	Step struct {
		Choice
		Fresh uint32
		Slots [MaxActions]uint32
	}
	// Vector is the opponent's reach in a slot, and the place of its sums.
	Vector struct{ Slot, Sums, Showdown uint32 }
	// Source is a part of the value of an action. Index is of a slot, a deal or a vector, Pay of a
	// value at an end.
	Source struct {
		Kind
		Index, Pay uint32
	}
	// Pass values a decision of the player after a path of its choices, or with no actions the root
	// of the segment. Steps compute the opponent's reach at the ends that its vectors are for.
	// Sources are, by action, what its value is the sum of; Result is the slot for that of the
	// decision.
	Pass struct {
		NumSteps, NumVectors, NumPath, Result uint32
		Own                                   Choice
		Steps                                 [MaxSteps]Step
		Vectors                               [MaxVectors]Vector
		Path                                  [MaxPath]Choice
		NumSources                            [MaxActions]uint32
		Sources                               [MaxActions][MaxSources]Source
	}
)
