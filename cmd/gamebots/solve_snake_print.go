package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"

	"gamebots/cmd/gamebots/internal/figures"
	"gamebots/internal/atomicfile"
	"gamebots/internal/stats"
	"gamebots/solvers/nmcs"
	"gamebots/solvers/nmcs/snake/cube"
	"gamebots/solvers/nmcs/snake/records"
)

// snakeResult is the JSON of the result of solve snake.
type snakeResult struct {
	Runs     uint64  `json:"runs"`
	Mean     float64 `json:"mean"`
	Stderr   float64 `json:"stderr"`
	Best     int     `json:"best"`
	Sequence string  `json:"sequence"`
	Playouts uint64  `json:"playouts"`
	Steps    uint64  `json:"steps"`
	Seconds  float64 `json:"seconds"`
	Device   string  `json:"device"`
}

// writeSnake writes the longest sequence to a file of sequences.
func writeSnake(file string, s records.Settings, best cube.Sequence) error {
	e := cube.Entry{Rules: s.Rules, Sequence: best, Source: "gamebots: " + s.String()}
	return atomicfile.Write(file, fmt.Appendln(nil, e))
}

// shownLengths are how many lengths to show of beams, which are mostly short.
const shownLengths = 20

// printSnakes prints the result of a search that was made somewhere.
func printSnakes(w io.Writer, s *records.Search, where string, asJSON bool) error {
	o, t, best := s.Options(), &s.Tally, s.Best()
	mean, stderr := t.Mean()
	r := snakeResult{t.Runs, mean, stderr, len(best), best.String(), t.Work.Playouts, t.Work.Steps, t.Time.Seconds(),
		where}
	if asJSON {
		return json.NewEncoder(w).Encode(r)
	}
	fmt.Fprintf(w, "%s in dimension %d: %s of %s on %s in %.3g s\n", o.Rules.Kind(), o.Rules.Dimension,
		figures.Counted(int(r.Runs), "run", "runs"), o.Algorithm, r.Device, r.Seconds)
	switch {
	case o.Algorithm == records.Walking:
		fmt.Fprintf(w, "entered   %d vertices (%.3g/s) in %d changes\n", r.Steps, perSecond(r.Steps, r.Seconds),
			r.Playouts)
	case records.UsesBeams(o.Algorithm):
		fmt.Fprintf(w, "rated     %d paths (%.3g/s)\n", r.Steps, perSecond(r.Steps, r.Seconds))
		if r.Runs > 1 {
			bins := t.Histogram()
			fmt.Fprint(w, nmcs.Bars(bins[max(0, len(bins)-shownLengths):]))
		}
	default:
		fmt.Fprintf(w, "played    %d moves (%.3g/s) of %d random games\n", r.Steps, perSecond(r.Steps, r.Seconds),
			r.Playouts)
		if r.Runs == 0 {
			break // stopped before the end of the first
		}
		half := stats.Z95 * r.Stderr
		if r.Runs < 2 {
			half = math.NaN()
		}
		fmt.Fprintf(w, "mean      %.2f %s (95%%)\n%s", r.Mean, figures.PlusMinus(half, 2), nmcs.Bars(t.Histogram()))
	}
	if len(best) == 0 {
		_, err := fmt.Fprintf(w, "best      no %s was found\n", o.Rules.Kind())
		return err
	}
	_, err := fmt.Fprintf(w, "best      %d edges, checked\nsequence  %s\n", r.Best, r.Sequence)
	return err
}

// perSecond returns a speed, 0 if no time has passed.
func perSecond(n uint64, seconds float64) float64 {
	if seconds <= 0 {
		return 0
	}
	return float64(n) / seconds
}
