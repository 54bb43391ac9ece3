package equilibria

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"gamebots/internal/usererr"
	"gamebots/solvers/nash"
	"gamebots/solvers/nash/game"
	"gamebots/solvers/nash/verify"
)

// symmetric are the equilibria of a symmetric game in which both players do the same.
type symmetric struct {
	game       *game.Game
	equilibria []verify.Equilibrium
	degenerate bool // there may be infinitely many
	complete   bool // the search was not stopped
}

func findSymmetric(ctx context.Context, g *game.Game) (Answer, error) {
	switch err := g.Check(); {
	case !g.Symmetric():
		return nil, ErrNotSymmetric
	case err != nil:
		return nil, err
	}
	found, degenerate, err := solvePopulation(ctx, g)
	return symmetric{g, found, degenerate, err == nil}, err
}

func (a symmetric) WriteText(w io.Writer) error {
	out := bufio.NewWriter(w)
	for i, e := range a.equilibria {
		support, _ := e.Supports()
		fmt.Fprintf(out, "symmetric equilibrium %d: payoffs %s\n", i+1, e.Payoffs[0].RatString())
		fmt.Fprintf(out, "  each player: %s (%s)\n", a.game.Names(0, support), strings.Join(game.Fractions(e.X), ", "))
	}
	rest := "there are no others"
	switch {
	case !a.complete:
		rest = "there may be others"
	case a.degenerate:
		rest = "the game is degenerate, and there may be infinitely many"
	}
	fmt.Fprintf(out, "%s, computed exactly; %s\n",
		usererr.Counted(len(a.equilibria), "symmetric equilibrium", "symmetric equilibria"), rest)
	return out.Flush()
}

func (a symmetric) WriteJSON(w io.Writer) error {
	out := resultJSON{Players: a.game.Players[:], Complete: a.complete && !a.degenerate}
	if a.degenerate {
		out.Degenerate = nash.Degenerate
	}
	for _, e := range a.equilibria {
		out.Equilibria = append(out.Equilibria, fractions(e.Payoffs[:], e.X, e.Y))
	}
	return out.write(w)
}
