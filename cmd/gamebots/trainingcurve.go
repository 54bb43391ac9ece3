package main

import (
	"bytes"
	"fmt"

	"gamebots/acpc"
	"gamebots/internal/atomicfile"
	"gamebots/solvers/cfr/checkpoint"
)

// curveFile is a .csv file with the evaluations of a training, if it has a path.
type curveFile struct {
	path   string
	game   *acpc.Game
	points int // that are written
}

// update writes the file if there are more points.
func (c *curveFile) update(curve []checkpoint.Point) error {
	if c.path == "" || len(curve) == c.points {
		return nil
	}
	var text bytes.Buffer
	text.WriteString("iterations,seconds,exploitability_mb\n")
	for _, p := range curve {
		fmt.Fprintf(&text, "%d,%.1f,%.6g\n", p.Iterations, p.Seconds, 1000*p.Exploitability/float64(c.game.MaxBlind()))
	}
	c.points = len(curve)
	return atomicfile.Write(c.path, text.Bytes())
}
