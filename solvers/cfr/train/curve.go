package train

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"gamebots/acpc"
	"gamebots/internal/atomicfile"
	"gamebots/solvers/cfr/checkpoint"
)

// curveFormats are the formats of curves, by the extension of their file.
var curveFormats = map[string]func(g *acpc.Game, curve []checkpoint.Point) []byte{
	".csv":   curveCSV,
	".jsonl": curveJSON,
}

// writeCurve writes the evaluations so far, if there is a file for them.
func (s *Session) writeCurve() error {
	if s.job.Curve == "" {
		return nil
	}
	return atomicfile.Write(s.job.Curve, curveFormats[filepath.Ext(s.job.Curve)](s.Spec.Game, s.meta.Curve))
}

// curveCSV returns the evaluations with a column for the value of each position. Figures that
// are not known are empty.
func curveCSV(g *acpc.Game, curve []checkpoint.Point) []byte {
	mb := 1000 / float64(g.MaxBlind())
	var text bytes.Buffer
	text.WriteString("iterations,seconds,exploitability_mb,current_exploitability_mb")
	for position := range g.NumPlayers {
		fmt.Fprintf(&text, ",value%d_mb", position+1)
	}
	text.WriteByte('\n')
	for _, p := range curve {
		fmt.Fprintf(&text, "%d,%.4g,%.6g,", p.Iterations, p.Seconds, mb*p.Exploitability)
		if p.Current != nil {
			fmt.Fprintf(&text, "%.6g", mb**p.Current)
		}
		for _, v := range p.Values {
			fmt.Fprintf(&text, ",%.6g", mb*v)
		}
		if p.Values == nil {
			text.WriteString(strings.Repeat(",", g.NumPlayers))
		}
		text.WriteByte('\n')
	}
	return text.Bytes()
}

// curveJSON returns the evaluations as an object a line. Figures that are not known are null.
func curveJSON(g *acpc.Game, curve []checkpoint.Point) []byte {
	mb := 1000 / float64(g.MaxBlind())
	var text bytes.Buffer
	lines := json.NewEncoder(&text)
	for _, p := range curve {
		point := struct {
			Iterations uint64    `json:"iterations"`
			Seconds    float64   `json:"seconds"`
			Average    float64   `json:"exploitability_mb"`
			Current    *float64  `json:"current_exploitability_mb"`
			Values     []float64 `json:"values_mb"`
		}{Iterations: p.Iterations, Seconds: p.Seconds, Average: mb * p.Exploitability}
		if p.Current != nil {
			x := mb * *p.Current
			point.Current = &x
		}
		for _, v := range p.Values {
			point.Values = append(point.Values, mb*v)
		}
		_ = lines.Encode(point) // into memory: cannot fail
	}
	return text.Bytes()
}
