package equilibria

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"gamebots/internal/usererr"
	"gamebots/solvers/nash"
	"gamebots/solvers/nash/game"
	"gamebots/solvers/nash/multiplayer"
)

// pure are the pure equilibria of a game.
type pure struct {
	game  *game.NormalForm
	cells []int
}

func (a pure) WriteText(w io.Writer) error {
	out, name := bufio.NewWriter(w), a.game.CellNames()
	for i, c := range a.cells {
		fmt.Fprintf(out, "pure equilibrium %d: %s, payoffs %s\n",
			i+1, name(c), strings.Join(a.game.CellPayoffs(c), " "))
	}
	fmt.Fprintf(out, "%s, exactly\n", usererr.Counted(len(a.cells), "pure equilibrium", "pure equilibria"))
	return out.Flush()
}

func (a pure) WriteJSON(w io.Writer) error {
	out := resultJSON{Players: a.game.Players, Complete: true}
	for _, c := range a.cells {
		e := equilibriumJSON{Payoffs: a.game.CellPayoffs(c)}
		for p, s := range a.game.Profile(c) {
			x := make([]string, a.game.Sizes[p])
			for i := range x {
				x[i] = "0"
			}
			x[s] = "1"
			e.Strategies = append(e.Strategies, x)
		}
		out.Equilibria = append(out.Equilibria, e)
	}
	return out.write(w)
}

// players are equilibria of several players.
type players struct {
	game     *game.NormalForm
	result   *multiplayer.Result
	complete bool
	others   string // what is known about those that are not in the result
}

func (a players) WriteText(w io.Writer) error {
	out, all := bufio.NewWriter(w), a.game.Names()
	for i := range a.result.Equilibria {
		e := &a.result.Equilibria[i]
		kind, proof := "", ""
		switch {
		case e.Regret != nil:
			kind, proof = "approximate ", fmt.Sprintf(", where no player gains more than %s", above(e))
		case e.Exact == nil:
			proof = fmt.Sprintf(", probabilities within %.1g", e.Radius)
		}
		for n, c := range a.result.Continua {
			if e.Exact != nil && c.Contains(e.Exact) {
				proof += fmt.Sprintf(", in continuum %d", n+1)
			}
		}
		payoffs, strategies := a.texts(e)
		fmt.Fprintf(out, "%sequilibrium %d: payoffs %s%s\n", kind, i+1, strings.Join(payoffs, ", "), proof)
		for p, x := range strategies {
			fmt.Fprintf(out, "  player %d: %s (%s)\n", p+1, names(all[p], e.Supports()[p]), strings.Join(x, ", "))
		}
	}
	for i, c := range a.result.Continua {
		fmt.Fprintf(out, "continuum %d, of dimension %d: an equilibrium for each %s\n",
			i+1, len(c.Parameters), strings.Join(c.Conditions, ", "))
		for p, x := range c.Strategies {
			fmt.Fprintf(out, "  player %d: %s (%s)\n", p+1, names(all[p], c.Supports[p]), strings.Join(x, ", "))
		}
	}
	fmt.Fprintf(out, "%s of %d players, %s; %s\n", a.counted(), len(a.game.Players), a.proof(), a.others)
	return out.Flush()
}

// texts returns payoffs and probabilities, as fractions if they are known to be any.
func (a players) texts(e *multiplayer.Equilibrium) (payoffs []string, strategies [][]string) {
	switch {
	case e.Exact == nil:
		for _, x := range e.Strategies {
			strategies = append(strategies, floats(x))
		}
		return floats(e.Payoffs), strategies
	case e.Regret != nil:
		return floats(e.Payoffs), decimals(e)
	}
	exact, _ := multiplayer.Payoffs(a.game, e.Exact)
	for _, x := range e.Exact {
		strategies = append(strategies, game.Fractions(x))
	}
	return game.Fractions(exact), strategies
}

// counted counts equilibria and continua.
func (a players) counted() string {
	one, many := "equilibrium", "equilibria"
	if a.approximate() {
		one, many = "approximate equilibrium", "approximate equilibria"
	}
	text := usererr.Counted(len(a.result.Equilibria), one, many)
	if n := len(a.result.Continua); n > 0 {
		text += " and " + usererr.Counted(n, "continuum", "continua") + " of equilibria"
	}
	return text
}

func (a players) approximate() bool {
	return len(a.result.Equilibria) > 0 && a.result.Equilibria[0].Regret != nil
}

func (a players) proof() string {
	if a.approximate() {
		return "with a proved bound of what a player gains by another strategy"
	}
	return "certified"
}

// above returns a number of two digits that is at least the regret.
func above(e *multiplayer.Equilibrium) string {
	regret, _ := e.Regret.Float64()
	return fmt.Sprintf("%.1e", 1.05*regret)
}

// floats formats numbers.
func floats(x []float64) []string {
	words := make([]string, len(x))
	for i, v := range x {
		words[i] = fmt.Sprintf("%.10g", v)
	}
	return words
}

func (a players) WriteJSON(w io.Writer) error {
	out := resultJSON{
		Players: a.game.Players, Complete: a.complete, divisionJSON: &divisionJSON{a.result.Undecided, a.result.Boxes},
	}
	for i := range a.result.Equilibria {
		e := &a.result.Equilibria[i]
		written := certified(a.game, e)
		for n, c := range a.result.Continua {
			if e.Exact != nil && c.Contains(e.Exact) {
				written.Continua = append(written.Continua, n)
			}
		}
		out.Equilibria = append(out.Equilibria, written)
	}
	for _, c := range a.result.Continua {
		out.Continua = append(out.Continua,
			continuumJSON{c.Parameters, c.Conditions, c.Strategies})
		out.Degenerate = nash.Degenerate
	}
	return out.write(w)
}
