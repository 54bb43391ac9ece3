package train

import (
	"bytes"
	"fmt"
	"strings"

	"gamebots/internal/atomicfile"
	"gamebots/solvers/cfr/checkpoint"
)

// writeCurve writes the evaluations so far, if there is a file for them.
func (s *Session) writeCurve() error {
	if s.job.Curve == "" {
		return nil
	}
	return atomicfile.Write(s.job.Curve, curveCSV(s.Spec, s.meta.Curve))
}

// curveCSV returns the evaluations with a column for the value of each position. Figures that
// are not known are empty.
func curveCSV(s Spec, curve []checkpoint.Point) []byte {
	unit, mb, _ := s.Unit() // a game without one has no curve
	suffix := ""
	if unit != "" {
		suffix = "_" + unit
	}
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
