package equilibria

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"gamebots/internal/usererr"
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
	for i, e := range a.result.Equilibria {
		fmt.Fprintf(&out, "%s %d: payoffs %s\n", a.one, i+1, strings.Join(game.Fractions(e.Payoffs), ", "))
		for p, x := range e.Strategies {
			fmt.Fprintf(&out, "  %s: %s (%s)\n",
				a.players[p], names(a.game, p, e.Supports()[p]), strings.Join(game.Fractions(x), ", "))
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
	type equilibrium struct {
		Strategies [][]string `json:"strategies"` // probabilities of each player, as fractions
		Payoffs    []string   `json:"payoffs"`
	}
	all := []equilibrium{}
	for _, e := range a.result.Equilibria {
		o := equilibrium{Payoffs: game.Fractions(e.Payoffs)}
		for _, x := range e.Strategies {
			o.Strategies = append(o.Strategies, game.Fractions(x))
		}
		all = append(all, o)
	}
	return json.NewEncoder(w).Encode(struct {
		Equilibria []equilibrium `json:"equilibria"`
		Count      int           `json:"count"`
		Degenerate bool          `json:"degenerate"`
		Complete   bool          `json:"complete"`
	}{all, len(all), a.result.Degenerate, a.complete && !a.result.Degenerate})
}
