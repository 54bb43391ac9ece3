package experiment

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"gamebots/internal/stats"
)

// Row summarizes the runs of a series after the same number of iterations.
type Row struct {
	Game       string  `json:"game"`
	Algorithm  string  `json:"algorithm"`
	Iterations uint64  `json:"iterations"`
	Runs       int     `json:"runs"`    // number of runs that were done
	Seconds    float64 `json:"seconds"` // mean training time of a run
	// Average is the exploitability of the average strategy, and Current that of the current
	// strategy, in mb. Current is nil where it was not evaluated.
	Average Mean  `json:"exploitability_mb"`
	Current *Mean `json:"current_exploitability_mb"`
	// Unit is mb, or "" for chips and payoffs, if not all games are of poker.
	Unit string `json:"-"`
}

// MarshalJSON names the figures by their unit.
func (r Row) MarshalJSON() ([]byte, error) {
	type row Row
	text, err := json.Marshal(row(r))
	if r.Unit != "mb" {
		text = bytes.ReplaceAll(text, []byte(`_mb":`), []byte(`":`)) // only of names: quotes in texts are escaped
	}
	return text, err
}

// Mean is the mean of runs.
type Mean struct {
	Mean float64 `json:"mean"`
	// Interval95 is half of the 95% interval of the mean, by Student's distribution; nil for
	// one run.
	Interval95 *float64 `json:"interval95"`
}

// Summarize returns the rows of a plan by series, each in the order of iterations. Runs that
// were not done yet are left out.
func (r *Results) Summarize(p Plan) (rows []Row) {
	unit := p.unit()
	for _, s := range p {
		mb := s.mb
		if unit == "" {
			mb = 1
		}
		for i := range s.Runs[0].Evaluated {
			row := Row{Game: s.Game, Algorithm: s.Algorithm, Unit: unit}
			var seconds, average, current stats.Sample
			for _, run := range s.Runs {
				curve := r.Curve(run)
				if curve == nil {
					continue
				}
				row.Iterations = curve[i].Iterations
				seconds.Add(curve[i].Seconds)
				average.Add(mb * curve[i].Exploitability)
				if curve[i].Current != nil {
					current.Add(mb * *curve[i].Current)
				}
			}
			if average.N == 0 {
				break
			}
			row.Runs, row.Seconds, row.Average = average.N, seconds.Mean(), meanOf(&average)
			if current.N > 0 {
				m := meanOf(&current)
				row.Current = &m
			}
			rows = append(rows, row)
		}
	}
	return rows
}

func meanOf(s *stats.Sample) Mean {
	m := Mean{Mean: s.Mean()}
	if s.N > 1 {
		half := s.Interval95()
		m.Interval95 = &half
	}
	return m
}

// csvHeader names the columns of WriteCSV.
var csvHeader = []string{"game", "algorithm", "iterations", "runs", "seconds",
	"exploitability_mb", "interval95_mb", "current_exploitability_mb", "current_interval95_mb"}

// WriteCSV writes rows with a header. What is not known is empty.
func WriteCSV(w io.Writer, rows []Row) error {
	out := csv.NewWriter(w)
	header := slices.Clone(csvHeader)
	for i, name := range header {
		if len(rows) > 0 && rows[0].Unit != "mb" {
			header[i] = strings.TrimSuffix(name, "_mb")
		}
	}
	out.Write(header) // Error returns the errors
	for _, r := range rows {
		line := []string{r.Game, r.Algorithm, strconv.FormatUint(r.Iterations, 10), strconv.Itoa(r.Runs),
			fmt.Sprintf("%.4g", r.Seconds)}
		for _, m := range []*Mean{&r.Average, r.Current} {
			mean, half := "", ""
			if m != nil {
				mean = fmt.Sprintf("%.6g", m.Mean)
				if m.Interval95 != nil {
					half = fmt.Sprintf("%.4g", *m.Interval95)
				}
			}
			line = append(line, mean, half)
		}
		out.Write(line)
	}
	out.Flush()
	return out.Error()
}
