package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"

	havannahbot "gamebots/bots/havannah"
	"gamebots/bots/registry"
	"gamebots/cmd/internal/cli"
	"gamebots/hexproto/havannah"
	"gamebots/hexproto/wire"

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
		stopped = errors.New("stopped before the search was done")
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
	fmt.Fprintf(out, "%v to move: %s\n%s\n", board.Turn(), summaryOf(rated), board.Text(heat))
	return errors.Join(stopped, printRated(out, topOf(rated, f.top)))
}

// summaryOf says what the best move and all moves are worth.
func summaryOf(rated []wire.Rated) string {
	simulations := int64(0)
	for _, r := range rated {
		simulations += r.Work
	}
	worth := fmt.Sprintf("%s %s", rated[0].Move, verdictOf(rated[0]))
	if rated[0].Proof == wire.ProvedLoss {
		worth = "all moves lose"
	}
	return fmt.Sprintf("%s, after %d simulations", worth, simulations)
}

// verdictOf formats the value of a move. A move wins or loses in n moves of the winner.
func verdictOf(r wire.Rated) string {
	verbs := map[string]string{wire.ProvedWin: "wins", wire.ProvedLoss: "loses", wire.ProvedDraw: "draws"}
	verb, proved := verbs[r.Proof]
	switch {
	case !proved:
		return fmt.Sprintf("%.1f%%", 100*r.Value)
	case r.Plies > 0 && r.Proof != wire.ProvedDraw:
		return fmt.Sprintf("%s in %d", verb, (r.Plies+1)/2)
	}
	return verb
}

func printRated(w io.Writer, rated []wire.Rated) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(table, "move\tresult\tsimulations\tline\n")
	for _, r := range rated {
		fmt.Fprintf(table, "%s\t%s\t%d\t%s\n", r.Move, verdictOf(r), r.Work, strings.Join(r.Line, " "))
	}
	return table.Flush()
}
