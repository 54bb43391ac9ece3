package layout

import "gamebots/solvers/internal/kernels"

// Purpose is the purpose of a pass over a spot.
type Purpose uint8

const (
	Improve Purpose = iota // updates the entries of the player
	Respond                // values a best response to the other player's average strategy
	Average                // values the average strategies of both players
)

// Pass is a traversal of the whole tree for a player.
type Pass struct {
	Purpose   Purpose
	Player    int
	Discounts kernels.Discounts // discounts of Improve
	Iteration uint64            // numbers those of Improve from 0 on
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
	Memory             int64 // the most bytes to allocate, 0 for those that are free
}

// NodeKey names a node on a board.
type NodeKey struct {
	Street, Board int
	Node          int32
}

// Passes does the passes of a solver on a device, which has the entries.
type Passes interface {
	// Traverse does a pass, and copies the values of the player's hands at the root. Without
	// values it does not wait for the device, whose errors a later call returns.
	Traverse(p Pass, values []float32) error
	// SetStart sets the reach of a player's hands at the root.
	SetStart(player int, reach []float32) error
	// StartFrom sets the entries to those of a spot with the same hands, on the same device.
	StartFrom(other Passes) error
	// Sums copies sums of strategies, from those of a decision on: floats, or numbers of 16 bits and their
	// scales.
	Sums(from Place, floats []float32, packed []int16, scales []float32) error
	// Reach and Values copy what the last pass has left at a node, by hand of a player: a reach, which
	// the passes for the other player have, and values at the node and those that follow it.
	Reach(at NodeKey, player int, to []float32) error
	Values(at NodeKey, player int, to []float32) error
	// Bytes is the memory on the device.
	Bytes() int64
	// Sync waits for the device.
	Sync() error
	Close() error
}
