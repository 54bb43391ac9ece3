package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"gamebots/cmd/gamebots/internal/figures"
	"gamebots/internal/usererr"
	"gamebots/solvers/nash/game"
	"gamebots/solvers/nash/multiplayer"

	"github.com/spf13/cobra"
)

// solvePure prints all pure equilibria of a game of any number of players.
func (f *nashFlags) solvePure(cmd *cobra.Command, g *game.NormalForm) error {
	if err := notFor(cmd, "--pure", ofMatrices...); err != nil {
		return err
	}
	cells, err := multiplayer.Pure(cmd.Context(), g)
	if err != nil {
		return err
	}
	w := cmd.OutOrStdout()
	if f.json {
		return json.NewEncoder(w).Encode(pureJSON(g, cells))
	}
	var out strings.Builder
	for i, c := range cells {
		fmt.Fprintf(&out, "pure equilibrium %d: %s, payoffs %s\n", i+1, cellNames(g, c), strings.Join(cellPayoffs(g, c), " "))
	}
	fmt.Fprintf(&out, "%s, exactly\n", figures.Counted(len(cells), "pure equilibrium", "pure equilibria"))
	_, err = io.WriteString(w, out.String())
	return err
}

// cellNames returns the names of each player's strategy in a cell.
func cellNames(g *game.NormalForm, cell int) string {
	var names []string
	for player, strategy := range g.Profile(cell) {
		names = append(names, g.Name(player, strategy))
	}
	return strings.Join(names, " ")
}

// cellPayoffs returns the payoffs of a cell.
func cellPayoffs(g *game.NormalForm, cell int) []string {
	var payoffs []string
	for _, all := range g.Payoffs {
		payoffs = append(payoffs, all[cell].RatString())
	}
	return payoffs
}

type pureCellJSON struct {
	Profile []int    `json:"profile"` // strategies, from 0
	Payoffs []string `json:"payoffs"`
}

// pureJSON is what --pure --json prints.
func pureJSON(g *game.NormalForm, cells []int) any {
	pure := []pureCellJSON{}
	for _, c := range cells {
		pure = append(pure, pureCellJSON{g.Profile(c), cellPayoffs(g, c)})
	}
	return struct {
		Pure  []pureCellJSON `json:"pure"`
		Count int            `json:"count"`
	}{pure, len(pure)}
}

// ofMatrices are the flags that only searches of two players' matrices have.
var ofMatrices = []string{"method", "device", "test-degeneracy", "nats"}

// notFor returns an error if one of some flags was given.
func notFor(cmd *cobra.Command, what string, flags ...string) error {
	for _, name := range flags {
		if cmd.Flags().Changed(name) {
			return usererr.Usagef("--%s is not for %s", name, what)
		}
	}
	return nil
}

// solvePlayers finds and prints all equilibria of a game of more than two players.
func (f *nashFlags) solvePlayers(cmd *cobra.Command, g *game.NormalForm) error {
	if err := notFor(cmd, "games of more than two players", ofMatrices...); err != nil {
		return err
	}
	r, err := multiplayer.Solve(cmd.Context(), g, f.threads)
	if errors.Is(err, multiplayer.ErrTooLarge) {
		return usererr.WithHint(fmt.Errorf("the game is too large: %w", err), "--pure finds the pure equilibria of larger games")
	}
	if r == nil {
		return err
	}
	print := func() error { return printPlayers(cmd.OutOrStdout(), g, r, others(r)) }
	if f.json {
		print = func() error { return writePlayersJSON(cmd.OutOrStdout(), g, r, r.Undecided == 0) }
	}
	switch printErr := print(); {
	case printErr != nil:
		return printErr
	case errors.Is(err, context.Canceled):
		return errors.New("stopped: there may be more equilibria")
	}
	return err
}

// printPlayers writes the equilibria of several players as text. others says what is known
// about those that are not in the list.
func printPlayers(w io.Writer, g *game.NormalForm, r *multiplayer.Result, others string) error {
	var out strings.Builder
	for i := range r.Equilibria {
		e := &r.Equilibria[i]
		fmt.Fprintf(&out, "equilibrium %d: payoffs %s", i+1, floats(e.Payoffs))
		if e.Radius > 0 {
			fmt.Fprintf(&out, ", probabilities within %.1g", e.Radius)
		}
		out.WriteByte('\n')
		for p, x := range e.Strategies {
			var played []string
			for _, s := range e.Supports()[p] {
				played = append(played, g.Name(p, s))
			}
			fmt.Fprintf(&out, "  player %d: %s (%s)\n", p+1, strings.Join(played, " "), floats(x))
		}
	}
	fmt.Fprintf(&out, "%s of %d players, certified; %s\n", figures.Counted(len(r.Equilibria), "equilibrium", "equilibria"), len(g.Players), others)
	_, err := io.WriteString(w, out.String())
	return err
}

// others says whether there are equilibria that are not in the list.
func others(r *multiplayer.Result) string {
	switch {
	case r.Undecided > 0:
		return figures.Counted(r.Undecided, "place", "places") + " could not be decided, so that there may be more, even infinitely many"
	case len(r.Equilibria)%2 == 1:
		return "there are no others, and their number is odd"
	}
	return "there are no others; as their number is even, the game is degenerate"
}

// floats lists numbers.
func floats(x []float64) string {
	words := make([]string, len(x))
	for i, v := range x {
		words[i] = fmt.Sprintf("%.10g", v)
	}
	return strings.Join(words, ", ")
}

// writePlayersJSON writes the equilibria of several players as one JSON object.
func writePlayersJSON(w io.Writer, g *game.NormalForm, r *multiplayer.Result, complete bool) error {
	type equilibrium struct {
		Strategies [][]float64 `json:"strategies"` // by player
		Payoffs    []float64   `json:"payoffs"`
		Radius     float64     `json:"radius"`
	}
	equilibria := []equilibrium{}
	for _, e := range r.Equilibria {
		equilibria = append(equilibria, equilibrium{e.Strategies, e.Payoffs, e.Radius})
	}
	return json.NewEncoder(w).Encode(struct {
		Players    []string      `json:"players"`
		Equilibria []equilibrium `json:"equilibria"`
		Count      int           `json:"count"`
		Complete   bool          `json:"complete"`
		Undecided  int           `json:"undecided"`
		Boxes      int           `json:"boxes"`
	}{g.Players, equilibria, len(equilibria), complete, r.Undecided, r.Boxes})
}
