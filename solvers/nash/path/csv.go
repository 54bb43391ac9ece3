package path

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strconv"

	"gamebots/solvers/nash/game"
)

// CSV returns a table with a line for each quantal response equilibrium of the path.
func (p *LogitPath) CSV(g *game.NormalForm) []byte {
	var text bytes.Buffer
	out := csv.NewWriter(&text)
	header := []string{"lambda", "regret"}
	for player, names := range g.Names() {
		for _, name := range names {
			header = append(header, fmt.Sprintf("%d:%s", player+1, name))
		}
	}
	out.Write(header)
	for _, at := range p.Points {
		line := []string{number(at.Lambda), number(at.Regret)}
		for _, x := range at.Strategies {
			for _, q := range x {
				line = append(line, number(q))
			}
		}
		out.Write(line)
	}
	out.Flush()
	return text.Bytes()
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
