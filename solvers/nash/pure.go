package nash

import (
	"bufio"
	"fmt"
	"io"
	"math/big"
	"slices"

	"gamebots/internal/usererr"
	"gamebots/solvers/nash/bimatrix"
)

// PureEquilibria are the pure equilibria of a game.
type PureEquilibria struct {
	game  *bimatrix.Game
	cells [][2]int // row and column
}

// FindPure finds all pure equilibria, exactly, column by column. The game may have any number of strategies.
func FindPure(g *bimatrix.Game) PureEquilibria {
	found := PureEquilibria{game: g}
	rows, cols := g.BestReplies(0), g.BestReplies(1)
	for j := range g.Cols {
		for i := range g.Rows {
			if c := i*g.Cols + j; rows[c] && cols[c] {
				found.cells = append(found.cells, [2]int{i, j})
			}
		}
	}
	return found
}

// payoffs returns the payoffs of a cell.
func (a PureEquilibria) payoffs(cell [2]int) []string {
	c := cell[0]*a.game.Cols + cell[1]
	return bimatrix.Fractions([]*big.Rat{a.game.A[c], a.game.B[c]})
}

// WriteText writes a line for each, and their number.
func (a PureEquilibria) WriteText(w io.Writer) error {
	out, rows, cols := bufio.NewWriter(w), a.game.AllNames(0), a.game.AllNames(1)
	for i, c := range a.cells {
		payoffs := a.payoffs(c)
		fmt.Fprintf(out, "pure equilibrium %d: %s %s, payoffs %s %s\n", i+1, rows[c[0]], cols[c[1]], payoffs[0],
			payoffs[1])
	}
	fmt.Fprintf(out, "%s, exactly\n", usererr.Counted(len(a.cells), "pure equilibrium", "pure equilibria"))
	return out.Flush()
}

// JSON returns them for JSON.
func (a PureEquilibria) JSON() any {
	out := resultJSON{Players: a.game.Players[:], Complete: true}
	for _, c := range a.cells {
		e := equilibriumJSON{Payoffs: a.payoffs(c)}
		for p, n := range [2]int{a.game.Rows, a.game.Cols} {
			x := slices.Repeat([]string{"0"}, n)
			x[c[p]] = "1"
			e.Strategies = append(e.Strategies, x)
		}
		out.Equilibria = append(out.Equilibria, e)
	}
	return out.counted()
}
