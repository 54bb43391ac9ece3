package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"

	"gamebots/internal/atomicfile"
	"gamebots/internal/chart"
	"gamebots/internal/usererr"
	"gamebots/solvers/nash/game"
	"gamebots/solvers/nash/multiplayer"
	"gamebots/solvers/nash/path"

	"github.com/spf13/cobra"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

// The methods of solve nash that follow a path to one equilibrium, of any number of players.
const (
	globalNewton = "global-newton"
	logit        = "logit"
)

// methodOfPlayers returns the search of --method if it is one for any number of players, or nil.
func (f *nashFlags) methodOfPlayers() func(*cobra.Command, *game.NormalForm) error {
	switch f.method {
	case polymatrixMethod:
		return f.solvePolymatrix
	case globalNewton, logit:
		return f.solvePath
	}
	return nil
}

// solvePath finds and prints the equilibrium at the end of a path.
func (f *nashFlags) solvePath(cmd *cobra.Command, g *game.NormalForm) error {
	if err := notFor(cmd, "--method "+f.method, "threads", "device", "test-degeneracy", "nats", "pure", "symmetric"); err != nil {
		return err
	}
	if filepath.Ext(f.path) != ".csv" {
		if err := chart.Drawable("--path", f.path); err != nil {
			return usererr.WithHint(err, "a .csv file gets the numbers")
		}
	}
	e, err := f.followPath(cmd.Context(), g)
	switch {
	case errors.Is(err, context.Canceled):
		return errors.New("stopped on the way to an equilibrium")
	case errors.Is(err, path.ErrLost):
		return usererr.WithHint(fmt.Errorf("--method %s: %w", f.method, err), "the equilibrium may be degenerate: try the other one of "+globalNewton+" and "+logit)
	case err != nil:
		return err
	}
	r := &multiplayer.Result{Equilibria: []multiplayer.Equilibrium{*e}}
	if f.json {
		return writePlayersJSON(cmd.OutOrStdout(), g, r, false)
	}
	return printPlayers(cmd.OutOrStdout(), g, r, "there may be others")
}

// followPath returns the equilibrium at the end of a path, and writes the path to the file of
// --path.
func (f *nashFlags) followPath(ctx context.Context, g *game.NormalForm) (*multiplayer.Equilibrium, error) {
	if f.method == globalNewton {
		return path.GlobalNewton(ctx, g)
	}
	p, err := path.Logit(ctx, g)
	if p == nil {
		return nil, err
	}
	switch {
	case f.path == "":
	case filepath.Ext(f.path) == ".csv":
		err = cmp.Or(err, atomicfile.Write(f.path, logitCSV(g, p)))
	default:
		err = cmp.Or(err, drawLogit(f.path, g, p))
	}
	if err == nil && p.Limit == nil {
		err = path.ErrLost
	}
	return p.Limit, err
}

// logitCSV returns a table with a line for each quantal response equilibrium of a path.
func logitCSV(g *game.NormalForm, p *path.LogitPath) []byte {
	var text bytes.Buffer
	out := csv.NewWriter(&text)
	header := []string{"lambda", "regret"}
	for player, n := range g.Sizes {
		for s := range n {
			header = append(header, fmt.Sprintf("%d:%s", player+1, g.Name(player, s)))
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

// drawLogit draws the probabilities of each player's strategies by lambda.
func drawLogit(file string, g *game.NormalForm, p *path.LogitPath) error {
	var charts []*plot.Plot
	for player, n := range g.Sizes {
		curves := make([]chart.Curve, n)
		for s := range curves {
			curves[s].Name = g.Name(player, s)
			for _, at := range p.Points[1:] { // lambda is 0 at the first
				curves[s].Points = append(curves[s].Points, plotter.XY{X: at.Lambda, Y: at.Strategies[player][s]})
			}
		}
		c, err := chart.NewLines("player "+strconv.Itoa(player+1), "lambda", "probability", curves...)
		if err != nil {
			return err
		}
		c.X.Scale, c.X.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: 1}
		c.Y.Min, c.Y.Max = 0, 1
		charts = append(charts, c)
	}
	return chart.Draw(file, charts...)
}
