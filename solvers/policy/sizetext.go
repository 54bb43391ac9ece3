package policy

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"

	"gamebots/internal/memory"
)

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
