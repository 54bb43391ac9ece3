package main

import (
	"errors"
	"fmt"
	"math"

	havannahbot "gamebots/bots/havannah"
	"gamebots/bots/registry"
	"gamebots/cmd/internal/cli"
	"gamebots/hexproto/havannah"

	"github.com/spf13/cobra"
)

// search prints the ratings of a search.
func (f *analyseFlags) search(cmd *cobra.Command, board *havannah.Board) (err error) {
	a := havannahbot.Analysis{Simulations: int(min(f.simulations, math.MaxInt)), Threads: f.Threads, Seed: f.Seed}
	if f.simulations == 0 {
		a.Time = f.time
	}
	if a.Net, err = registry.Net(f.net); err != nil {
		return err
	}
	rated, err := a.Rate(cmd.Context(), board)
	if err != nil {
		return err
	}
	var stopped error
	if cmd.Context().Err() != nil {
		stopped = errors.New("interrupted before the search was done")
	}
	heat, err := havannahbot.Heat(board, rated)
	if err != nil {
		return err
	}
	stopped = errors.Join(stopped, f.draw(board, heat))
	out := cmd.OutOrStdout()
	if f.json {
		return errors.Join(cli.PrintLines(out, rated), stopped)
	}
	fmt.Fprintf(out, "%v to move: %s\n%s\n", board.Turn(), havannahbot.Summary(rated), board.Text(heat))
	return errors.Join(stopped, havannahbot.WriteRated(out, topOf(rated, f.top)))
}
