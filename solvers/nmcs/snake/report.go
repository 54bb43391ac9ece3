package snake

import (
	"fmt"

	"gamebots/internal/stats"
)

// Entry returns the longest sequence as that of a file of sequences.
func (s *Search) Entry() Entry {
	return Entry{Rules: Rules{Dimension: s.options.Dimension}, Sequence: s.Best(),
		Source: "gamebots: " + s.options.String()}
}

// A Report is what a search has found.
type Report struct {
	Dimension int             `json:"dimension"`
	Runs      uint64          `json:"runs"`
	Mean      float64         `json:"mean" text:"-"`
	Stderr    stats.HalfWidth `json:"stderr" text:"-"`
	Interval  string          `json:"-" text:"mean"` // with its 95% interval
	Best      int             `json:"best" text:"best,%d edges, checked"`
	Sequence  string          `json:"sequence"`
	Playouts  uint64          `json:"playouts" text:"random games"`
	Steps     uint64          `json:"steps" text:"moves in them"`
	Seconds   float64         `json:"seconds" text:",%.3g"`
	Device    string          `json:"device"`
}

// Report returns what a search on some device has found.
func (s *Search) Report(device string) Report {
	t, best := &s.Tally, s.Best()
	mean, stderr := t.Mean()
	half := "?"
	if t.Runs > 1 {
		u := stats.Uncertainty{Variance: stderr * stderr, Freedom: float64(t.Runs - 1)}
		half = fmt.Sprintf("%.2f", u.Interval95())
	}
	return Report{
		s.options.Dimension, t.Runs, mean, stats.HalfWidth(stderr), fmt.Sprintf("%.2f ± %s (95%%)", mean, half),
		len(best), best.String(), t.Work.Playouts, t.Work.Steps, t.Time.Seconds(), device,
	}
}
