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

// curveFile is a file with the evaluations of a session, if it has a path.
type curveFile struct {
	path    string
	session *Session
	points  int // points that were there at the last update
}

// update writes the file if there are more points.
func (c *curveFile) update() error {
	if n := len(c.session.meta.Curve); n != c.points {
		c.points = n
		return c.write()
	}
	return nil
}

func (c *curveFile) write() error {
	if c.path == "" {
		return nil
	}
	return atomicfile.Write(c.path, curveFormats[filepath.Ext(c.path)](c.session.Spec.Game, c.session.meta.Curve))
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
		lines.Encode(point) // into memory: cannot fail
	}
	return text.Bytes()
}
