package train

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"gamebots/internal/atomicfile"
	"gamebots/solvers/cfr/checkpoint"
)

// curveFormats are the formats of curves, by the extension of their file.
var curveFormats = map[string]func(s Spec, curve []checkpoint.Point) []byte{
	".csv":   curveCSV,
	".jsonl": curveJSON,
}

// writeCurve writes the evaluations so far, if there is a file for them.
func (s *Session) writeCurve() error {
	if s.job.Curve == "" {
		return nil
	}
	return atomicfile.Write(s.job.Curve, curveFormats[filepath.Ext(s.job.Curve)](s.Spec, s.meta.Curve))
}

// curveUnit returns what one chip is in the unit of a curve, and what ends the names of its columns.
func (s Spec) curveUnit() (one float64, suffix string) {
	unit, one, _ := s.Unit() // a game without one has no curve
	if unit != "" {
		suffix = "_" + unit
	}
	return one, suffix
}

// curveCSV returns the evaluations with a column for the value of each position. Figures that
// are not known are empty.
func curveCSV(s Spec, curve []checkpoint.Point) []byte {
	mb, suffix := s.curveUnit()
	var text bytes.Buffer
	fmt.Fprintf(&text, "iterations,seconds,exploitability%[1]s,current_exploitability%[1]s", suffix)
	for position := range s.Players() {
		fmt.Fprintf(&text, ",value%d%s", position+1, suffix)
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
			text.WriteString(strings.Repeat(",", s.Players()))
		}
		text.WriteByte('\n')
	}
	return text.Bytes()
}

// curveJSON returns the evaluations as an object a line. Figures that are not known are null.
func curveJSON(s Spec, curve []checkpoint.Point) []byte {
	mb, suffix := s.curveUnit()
	var text bytes.Buffer
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
		line, _ := json.Marshal(point) // numbers: cannot fail
		if suffix == "" {
			line = bytes.ReplaceAll(line, []byte(`_mb":`), []byte(`":`))
		}
		text.Write(append(line, '\n'))
	}
	return text.Bytes()
}
