package equilibria

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"gamebots/internal/usererr"
	"gamebots/solvers/nash"
	"gamebots/solvers/nash/game"
	"gamebots/solvers/nash/polymatrix"
)

// pairs are equilibria of a polymatrix game.
type pairs struct {
	game      *game.NormalForm
	result    *polymatrix.Result
	complete  bool     // the search was not stopped
	one, many string   // what they are
	players   []string // names
}

func (a pairs) WriteText(w io.Writer) error {
	var out strings.Builder
	all := a.game.Names()
	for i, e := range a.result.Equilibria {
		fmt.Fprintf(&out, "%s %d: payoffs %s\n", a.one, i+1, strings.Join(game.Fractions(e.Payoffs), ", "))
		for p, x := range e.Strategies {
			fmt.Fprintf(&out, "  %s: %s (%s)\n",
				a.players[p], names(all[p], e.Supports()[p]), strings.Join(game.Fractions(x), ", "))
		}
	}
	rest := "there are no others"
	switch {
	case !a.complete:
		rest = "there may be others"
	case a.result.Degenerate:
		rest = "the game is degenerate, and there may be infinitely many"
	}
	fmt.Fprintf(&out, "%s, computed exactly; %s\n", usererr.Counted(len(a.result.Equilibria), a.one, a.many), rest)
	_, err := io.WriteString(w, out.String())
	return err
}

func (a pairs) WriteJSON(w io.Writer) error {
	out := resultJSON{Players: a.game.Players, Complete: a.complete && !a.result.Degenerate}
	if a.result.Degenerate {
		out.Degenerate = nash.Degenerate
	}
	for _, e := range a.result.Equilibria {
		if len(e.Strategies) == 1 { // all players have that one
			e.Strategies = slices.Repeat(e.Strategies, len(a.game.Players))
			e.Payoffs = slices.Repeat(e.Payoffs, len(a.game.Players))
		}
		out.Equilibria = append(out.Equilibria, fractions(e.Payoffs, e.Strategies...))
	}
	return out.write(w)
}
