package policy

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"

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

// roundSize is the size of a betting round.
type roundSize struct {
	Round     int     `json:"round"`
	Decisions int     `json:"decisions"`
	Actions   int     `json:"actions"`
	Buckets   float64 `json:"buckets"`
	InfoSets  float64 `json:"information_sets"`
	Entries   float64 `json:"entries"`
}

// rounds returns the sizes of all rounds.
func (s *Size) rounds() []roundSize {
	rounds := make([]roundSize, len(s.Buckets))
	for r, buckets := range s.Buckets {
		decisions, actions := s.Shape.Decisions[r], s.Shape.Actions[r]
		rounds[r] = roundSize{r + 1, decisions, actions, buckets, float64(decisions) * buckets,
			float64(actions) * buckets}
	}
	return rounds
}

// WriteJSON writes the size of a game before it is trained as one JSON object.
func (s *Size) WriteJSON(w io.Writer, game string) error {
	return json.NewEncoder(w).Encode(struct {
		Game        string      `json:"game"`
		Actions     string      `json:"actions,omitempty"`
		Complete    bool        `json:"complete"`
		Nodes       int         `json:"nodes"`
		Rounds      []roundSize `json:"rounds"`
		InfoSets    float64     `json:"information_sets"`
		Entries     float64     `json:"entries"`
		Bytes       int64       `json:"bytes"`
		DeviceBytes int64       `json:"device_bytes,omitempty"`
	}{game, s.Shape.Betting.Meta(), s.Shape.Complete, s.Shape.Nodes, s.rounds(), s.InfoSets,
		s.Entries, s.Bytes, s.DeviceBytes})
}

// WriteText writes the size of a game before it is trained.
func (s *Size) WriteText(w io.Writer) error {
	if !s.Shape.Complete {
		fmt.Fprintln(w, "the betting sequences were not counted to the end: all numbers are larger")
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "round\tdecisions\tactions\tbuckets\tinformation sets\tentries\t")
	for _, r := range s.rounds() {
		fmt.Fprintf(table, "%d\t%d\t%d\t%s\t%s\t%s\t\n", r.Round, r.Decisions, r.Actions, count(r.Buckets),
			count(r.InfoSets), count(r.Entries))
	}
	fmt.Fprintf(table, "all\t\t\t\t%s\t%s\t\n", count(s.InfoSets), count(s.Entries))
	if err := table.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "betting tree         %d nodes\nmemory for training  %s\n", s.Shape.Nodes,
		memory.Bytes(s.Bytes))
	if s.DeviceBytes > 0 {
		_, err = fmt.Fprintf(w, "memory on a GPU      %s\n", memory.Bytes(s.DeviceBytes))
	}
	return err
}

// count returns a whole number as text: with all of its digits, if a float64 has them.
func count(n float64) string {
	if n < 1<<53 {
		return strconv.FormatFloat(n, 'f', 0, 64)
	}
	return strconv.FormatFloat(n, 'g', 3, 64)
}
