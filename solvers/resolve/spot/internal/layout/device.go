package layout

import "gamebots/solvers/internal/vectors"

// Purpose is the purpose of a pass over a spot.
type Purpose uint8

const (
	Improve Purpose = iota // updates the entries of the player
	Respond                // values a best response to the other player's average strategy
	Average                // values the average strategies of both players
)

// Parts is the number of parts of the rivers, which are dealt out to them in their order.
const Parts = 3

// Pass is a traversal of the tree for a player: of all boards, or of those before the river and of a part of the
// rivers, each of which counts for as many as there are Parts.
type Pass struct {
	Purpose Purpose
	Player  int
	Visits  [NumStreets]Visit // one a street; Improve has them alone
	Rotates bool              // leaves out the rivers that are not in Part
	Part    int
}

// Visit is how decisions are improved.
type Visit struct {
	Discounts vectors.Discounts
	Number    uint64 // how often they have been improved before
}

// Skips reports whether a pass leaves out a board of a street.
func (p *Pass) Skips(street, board int) bool {
	return p.Rotates && street == River && board%Parts != p.Part
}

// Weigh lets the values of the boards of a street that are passed count for all.
func (p *Pass) Weigh(street int, values []float32) {
	if p.Rotates && street == River {
		for i := range values {
			values[i] *= Parts
		}
	}
}

// Start is a spot before the first iteration, as a device gets it. It must not change it. All entries
// are 0, but for those that are locked, which are the locked probabilities.
type Start struct {
	*Layout
	Reach [2][]float32 // weights of the ranges, by hand of the first board
	Locks map[NodeKey][]float32
	// Packed is set for entries of 16 bits. Unweighted then leaves the weights of the ranges out of the
	// sums of a player's own strategy.
	Packed, Unweighted bool
	Threads            int // for what is made of it
}

// Table is one of the two tables of entries.
type Table int

const (
	Regrets Table = iota
	Sums          // sums of strategies
)

// NodeKey names a node on a board.
type NodeKey struct {
	Street, Board int
	Node          int32
}

// Passes does the passes of a solver on a device, which has its entries.
type Passes interface {
	// Traverse does a pass. It does not wait for the device, whose errors a later call returns.
	Traverse(p Pass) error
	// Values and Reach copy what the last pass has left at a node, by hand of a player: values, and the reach that
	// passes for the other player have.
	Values(at NodeKey, player int, to []float32) error
	Reach(at NodeKey, player int, to []float32) error
	// SetStart sets the reach of a player's hands at the root.
	SetStart(player int, reach []float32) error
	// Read copies regrets or sums of strategies, from those of a decision on: floats, or numbers of 16 bits and their
	// scales.
	Read(t Table, from Place, floats []float32, packed []int16, scales []float32) error
	// Bytes is the memory on the device, and Least the memory with which the passes would be possible.
	Bytes() int64
	Least() int64
	// Sync waits for the device.
	Sync() error
	Close() error
}
