package snake

import (
	"encoding/json"
	"fmt"
	"io"

	"gamebots/internal/stats"
	"gamebots/internal/usererr"
)

// Entry returns the longest sequence as that of a file of sequences.
func (s *Search) Entry() Entry {
	return Entry{Rules: Rules{Dimension: s.options.Dimension}, Sequence: s.Best(),
		Source: "gamebots: " + s.options.String()}
}

// WriteJSON writes what a search on some device has found as one JSON object.
func (s *Search) WriteJSON(w io.Writer, device string) error {
	t, best := &s.Tally, s.Best()
	mean, stderr := t.Mean()
	return json.NewEncoder(w).Encode(struct {
		Runs     uint64          `json:"runs"`
		Mean     float64         `json:"mean"`
		Stderr   stats.HalfWidth `json:"stderr"`
		Best     int             `json:"best"`
		Sequence string          `json:"sequence"`
		Playouts uint64          `json:"playouts"`
		Steps    uint64          `json:"steps"`
		Seconds  float64         `json:"seconds"`
		Device   string          `json:"device"`
	}{
		t.Runs, mean, stats.HalfWidth(stderr), len(best), best.String(), t.Work.Playouts, t.Work.Steps,
		t.Time.Seconds(), device,
	})
}

// WriteText writes what a search on some device has found, for people.
func (s *Search) WriteText(w io.Writer, device string) error {
	o, t, best := &s.options, &s.Tally, s.Best()
	work, speed := t.Work, 0.0
	if t.Time > 0 {
		speed = float64(work.Steps) / t.Time.Seconds()
	}
	fmt.Fprintf(w, "snake in dimension %d: %s of nmcs on %s in %.3g s\n", o.Dimension,
		usererr.Counted(int(t.Runs), "run", "runs"), device, t.Time.Seconds())
	fmt.Fprintf(w, "played    %d moves (%.3g/s) of %d random games\n", work.Steps, speed, work.Playouts)
	if t.Runs > 0 { // it was not stopped before the end of the first
		mean, stderr := t.Mean()
		half := "?"
		if t.Runs > 1 {
			u := stats.Uncertainty{Variance: stderr * stderr, Freedom: float64(t.Runs - 1)}
			half = fmt.Sprintf("%.2f", u.Interval95())
		}
		fmt.Fprintf(w, "mean      %.2f ± %s (95%%)\n", mean, half)
	}
	if len(best) == 0 {
		_, err := fmt.Fprintln(w, "best      no snake was found")
		return err
	}
	_, err := fmt.Fprintf(w, "best      %d edges, checked\nsequence  %s\n", len(best), best)
	return err
}
