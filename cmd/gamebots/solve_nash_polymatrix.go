package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"gamebots/cmd/gamebots/internal/figures"
	"gamebots/internal/usererr"
	"gamebots/solvers/nash"
	"gamebots/solvers/nash/game"
	"gamebots/solvers/nash/multiplayer"
	"gamebots/solvers/nash/polymatrix"

	"github.com/spf13/cobra"
)

// polymatrixMethod is the method of solve nash for polymatrix games.
const polymatrixMethod = "polymatrix"

// solvePolymatrix finds and prints all equilibria of a polymatrix game.
func (f *nashFlags) solvePolymatrix(cmd *cobra.Command, g *game.NormalForm) error {
	if err := notFor(cmd, "--method "+polymatrixMethod, "threads", "device", "test-degeneracy", "nats", "pure", "symmetric"); err != nil {
		return err
	}
	p, ok := polymatrix.New(g)
	if !ok {
		return usererr.WithHint(errors.New("the game is not a polymatrix game: payoffs against one player depend on another"), "leave --method out")
	}
	players := make([]string, len(g.Sizes))
	for i := range players {
		players[i] = fmt.Sprint("player ", i+1)
	}
	return f.printPolymatrix(cmd, g, p, "equilibrium", "equilibria", players)
}

// solveSymmetric finds and prints the symmetric equilibria of a symmetric game.
func (f *nashFlags) solveSymmetric(cmd *cobra.Command, g *game.NormalForm) error {
	if err := notFor(cmd, "--symmetric", append(ofMatrices, "pure")...); err != nil {
		return err
	}
	if len(g.Sizes) > 2 {
		return f.solveSymmetricPlayers(cmd, g)
	}
	p, ok := polymatrix.Population(g.Bimatrix())
	if !ok {
		return errNotSymmetric
	}
	return f.printPolymatrix(cmd, g, p, "symmetric equilibrium", "symmetric equilibria", []string{"each player"})
}

var errNotSymmetric = errors.New("the game is not symmetric: if two players change places, their payoffs do not")

// solveSymmetricPlayers prints those of all equilibria of a game in which all do the same.
func (f *nashFlags) solveSymmetricPlayers(cmd *cobra.Command, g *game.NormalForm) error {
	if !g.Symmetric() {
		return errNotSymmetric
	}
	r, err := multiplayer.Solve(cmd.Context(), g, f.threads)
	if r == nil || errors.Is(err, multiplayer.ErrTooLarge) {
		return err
	}
	symmetric := &multiplayer.Result{Undecided: r.Undecided, Boxes: r.Boxes}
	for _, e := range r.Equilibria {
		same := true
		for _, x := range e.Strategies[1:] {
			for s := range x {
				same = same && math.Abs(x[s]-e.Strategies[0][s]) <= 2*e.Radius
			}
		}
		if same {
			symmetric.Equilibria = append(symmetric.Equilibria, e)
		}
	}
	others := "there are no others in which all do the same"
	if r.Undecided > 0 || err != nil {
		others = "there may be others"
	}
	if f.json {
		return writePlayersJSON(cmd.OutOrStdout(), g, symmetric, r.Undecided == 0 && err == nil)
	}
	return printPlayers(cmd.OutOrStdout(), g, symmetric, others)
}

// printPolymatrix finds the equilibria of a polymatrix game and prints them. players are the
// names of its players.
func (f *nashFlags) printPolymatrix(cmd *cobra.Command, g *game.NormalForm, p *polymatrix.Game, one, more string, players []string) error {
	r, err := polymatrix.Solve(cmd.Context(), p)
	if r == nil {
		return err
	}
	var printErr error
	if f.json {
		printErr = writePolymatrixJSON(cmd.OutOrStdout(), r, err == nil)
	} else {
		printErr = writePolymatrix(cmd.OutOrStdout(), g, r, one, more, players, err == nil)
	}
	switch {
	case printErr != nil:
		return printErr
	case errors.Is(err, context.Canceled):
		return errors.New("stopped: there may be more equilibria")
	}
	return err
}

// writePolymatrix writes equilibria as text.
func writePolymatrix(w io.Writer, g *game.NormalForm, r *polymatrix.Result, one, more string, players []string, complete bool) error {
	var out strings.Builder
	for i, e := range r.Equilibria {
		fmt.Fprintf(&out, "%s %d: payoffs %s\n", one, i+1, strings.Join(nash.Fractions(e.Payoffs), ", "))
		for p, x := range e.Strategies {
			var played []string
			for _, s := range e.Supports()[p] {
				played = append(played, g.Name(p, s))
			}
			fmt.Fprintf(&out, "  %s: %s (%s)\n", players[p], strings.Join(played, " "), strings.Join(nash.Fractions(x), ", "))
		}
	}
	fmt.Fprintf(&out, "%s, computed exactly; ", figures.Counted(len(r.Equilibria), one, more))
	switch {
	case !complete:
		out.WriteString("there may be others\n")
	case r.Degenerate:
		out.WriteString("the game is degenerate, and there may be infinitely many\n")
	default:
		out.WriteString("there are no others\n")
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// writePolymatrixJSON writes equilibria as one JSON object.
func writePolymatrixJSON(w io.Writer, r *polymatrix.Result, complete bool) error {
	type equilibrium struct {
		Strategies [][]string `json:"strategies"` // by player: fractions
		Payoffs    []string   `json:"payoffs"`
	}
	equilibria := []equilibrium{}
	for _, e := range r.Equilibria {
		o := equilibrium{Payoffs: nash.Fractions(e.Payoffs)}
		for _, x := range e.Strategies {
			o.Strategies = append(o.Strategies, nash.Fractions(x))
		}
		equilibria = append(equilibria, o)
	}
	return json.NewEncoder(w).Encode(struct {
		Equilibria []equilibrium `json:"equilibria"`
		Count      int           `json:"count"`
		Degenerate bool          `json:"degenerate"`
		Complete   bool          `json:"complete"`
	}{equilibria, len(equilibria), r.Degenerate, complete && !r.Degenerate})
}
