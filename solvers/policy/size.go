package policy

import (
	"fmt"
	"strconv"

	"gamebots/internal/memory"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
)

// Size is the size of a game with its abstractions.
type Size struct {
	// Shape is the shape of the betting tree. If it is not complete, all other numbers
	// are lower bounds too.
	Shape betting.Shape

	Buckets  []float64 // buckets by round; with cards that depend on the board, over all boards
	InfoSets float64
	Entries  float64 // one an action of an information set
	// IndexBytes is the memory of the tree and the cards, without any strategy.
	IndexBytes int64
	// Bytes is the memory of an index, or of a training and its evaluation.
	Bytes int64
	// DeviceBytes is the memory of a training on a GPU, where that is another one, else 0.
	DeviceBytes int64
}

// sizeOf returns the size of a game by its betting and the buckets of each round, without memory.
func sizeOf(shape betting.Shape, buckets []float64) Size {
	size := Size{Shape: shape, Buckets: buckets}
	for r, n := range buckets {
		size.InfoSets += float64(shape.Decisions[r]) * n
		size.Entries += float64(shape.Actions[r]) * n
	}
	return size
}

// Fits reports whether a game of the size can be laid out in a budget of bytes.
func (s *Size) Fits(budget int64) bool {
	return s.Shape.Complete && s.Shape.Nodes <= betting.MaxNodes && s.Bytes <= budget
}

// BucketBytes is the memory of a bucket of [abstraction.Cards]: its cards and weights.
const BucketBytes = 100

// Stride returns the greatest number of buckets of a round with their padding, which completes
// the vectors of each board.
func Stride(buckets, boards float64) float64 { return buckets + (abstraction.Lanes-1)*boards }

// SizeError is the error for a game that is too large for the memory.
type SizeError struct {
	Spec   GameSpec
	Size   Size
	Budget int64  // bytes that may be used
	Device string // the device that has the memory, "" for this computer
}

func (e *SizeError) Error() string {
	free := memory.Bytes(e.Budget)
	if e.Device != "" {
		free += " of " + e.Device
	}
	needs := fmt.Sprintf("%s of memory (%s information sets, %s entries)",
		memory.Bytes(e.Size.Bytes), amount(e.Size.InfoSets), amount(e.Size.Entries))
	name, cards := e.Spec.Game.Name, e.Spec.Cards
	switch shape := &e.Size.Shape; {
	case !shape.Complete && e.Size.Bytes <= e.Budget:
		return fmt.Sprintf("%s has over %s betting sequences, too many to count", name, amount(float64(shape.Nodes)))
	case !shape.Complete:
		return fmt.Sprintf("%s has over %s betting sequences: with %s cards these alone need %s, %s are free",
			name, amount(float64(shape.Nodes)), cards, needs, free)
	case shape.Nodes > betting.MaxNodes && e.Size.Bytes <= e.Budget:
		return fmt.Sprintf("%s has %s betting sequences, more than the %s that are possible",
			name, amount(float64(shape.Nodes)), amount(betting.MaxNodes))
	}
	return fmt.Sprintf("%s with %s cards needs %s, %s are free", name, cards, needs, free)
}

// amount formats a count for people.
func amount(n float64) string {
	if n < 1e9 {
		return strconv.FormatFloat(n, 'f', 0, 64)
	}
	return fmt.Sprintf("%.3g", n)
}

// A SizeReport is the size of a game before it is trained, as it is printed.
type SizeReport struct {
	Game        string      `json:"game"`
	Actions     string      `json:"actions,omitempty"`
	Complete    bool        `json:"complete" text:"counted to the end"` // if not, all numbers are larger
	Nodes       int         `json:"nodes" text:"nodes of the betting"`
	Rounds      []RoundSize `json:"rounds"`
	InfoSets    float64     `json:"information_sets" text:",%.15g"`
	Entries     float64     `json:"entries" text:",%.15g"`
	Bytes       memory.Size `json:"bytes" text:"memory for training"`
	DeviceBytes memory.Size `json:"device_bytes,omitempty" text:"memory on a GPU"`
}

// RoundSize is the size of a betting round.
type RoundSize struct {
	Round     int     `json:"round"`
	Decisions int     `json:"decisions"`
	Actions   int     `json:"actions"`
	Buckets   float64 `json:"buckets" text:",%.15g"`
	InfoSets  float64 `json:"information_sets" text:",%.15g"`
	Entries   float64 `json:"entries" text:",%.15g"`
}

// Report returns the size of a game of some name.
func (s *Size) Report(game string) SizeReport {
	r := SizeReport{Game: game, Actions: s.Shape.Betting.Meta(), Complete: s.Shape.Complete, Nodes: s.Shape.Nodes,
		InfoSets: s.InfoSets, Entries: s.Entries, Bytes: memory.Size(s.Bytes), DeviceBytes: memory.Size(s.DeviceBytes)}
	for i, buckets := range s.Buckets {
		decisions, actions := s.Shape.Decisions[i], s.Shape.Actions[i]
		r.Rounds = append(r.Rounds, RoundSize{i + 1, decisions, actions, buckets, float64(decisions) * buckets,
			float64(actions) * buckets})
	}
	return r
}
