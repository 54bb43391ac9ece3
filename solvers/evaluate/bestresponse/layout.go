package bestresponse

import (
	"gamebots/solvers/cfr/segment"
	"gamebots/solvers/internal/vectors"
)

// Game is a game with the strategy that is answered.
type Game struct {
	Cards    [][2]uint8 // the positions of each hand's cards in the deck
	Deck     int        // cards
	TwoCards bool       // a hand
	// Scale makes the mean of the last round's values of their sum over boards.
	Scale float64
	// Orders has the hands of each canonical board of the last round, RiverHands of them, in the
	// order of their ranks, as package vectors has them.
	Orders     []uint64
	RiverHands int
	// Renamed has the number that each hand of a canonical board has on a river, by
	// renaming and hand.
	Renamed []uint32
	// Rounds are by responder.
	Rounds [2][]Round
}

// Round is a betting round for a responder.
type Round struct {
	Parts []*Part
	Width int // the lanes of all parts and ways, with padding
}

// Part is what a responder needs of a part of a round.
type Part struct {
	segment.Part
	Opponent int
	// Ways is how many ways there are in which the opponent may have translated the betting before. The
	// reach of the first is in the part's lanes, that of each further one in Width lanes behind.
	Ways int
	// After has, by deal and the way there, how the opponent comes to it. Its further ways are Behind lanes
	// apart in the next round, by deal and lane as in Next.
	After  [][]Way
	Behind []uint32
	// Table has the opponent's probabilities by bucket, column and lane.
	Table []float32
	Ops   []Op
	// Slots is how many vectors of values an evaluation keeps.
	Slots int
}

// Pays returns the chips of a value at an end, by lane.
func (p *Part) Pays(value uint32) []float32 {
	return p.Programs[1-p.Opponent].Pays[int(value)*p.Width:][:p.Width]
}

// Way is how the opponent comes to a node of a part: in which way at its start, and by which columns.
type Way struct {
	Before uint32
	Path   []uint32
}

// Kind is what an operation computes.
type Kind uint32

const (
	Fold     Kind = iota // a fold of either player
	Showdown             // a showdown
	Call                 // the better one of folding and a showdown
	Deal                 // the value of the next round
	Join                 // the values of another slot
)

// Op computes a vector of values, by hand and lane, and stores it in a slot, or joins it
// with what is there. Way has the columns of the opponent's actions since the start of the round. Arg
// is the number of a value at an end, a deal, or the other slot; Fold that of the value of folding in a
// Call. The columns of a Join are actions of the responder: the other slot is multiplied by their probabilities.
// Devices have none.
type Op struct {
	Kind Kind
	Mode vectors.Mode
	Slot uint32
	Way
	Arg  uint32
	Fold uint32
}

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

// A Valuer values units on a device. It is used by one goroutine at a time.
type Valuer interface {
	// Units returns how many units there is room for, with some to spare.
	Units() int
	// Upload sets a batch: the units of some parts.
	Upload(parts [][]Unit) error
	// Value returns sums for a player: the values of each unit of the batch as often as it counts,
	// by part, hand and lane of the units' round.
	Value(player int) ([]float64, error)
	Close() error
}
