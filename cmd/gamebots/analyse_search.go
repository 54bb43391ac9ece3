package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"
	"time"

	havannahbot "gamebots/bots/havannah"
	"gamebots/bots/registry"
	"gamebots/hexproto/havannah"
	"gamebots/hexproto/wire"

	"github.com/spf13/cobra"
)

// The values of --bot of analyse havannah.
const (
	byMCTS     = "mcts"
	byPlayouts = "playouts"
)

// searchFlags limit a search.
type searchFlags struct {
	time        time.Duration
	simulations uint64 // 0 for as many as the time allows
}

// analyseBySearch prints the ratings of a search.
func analyseBySearch(cmd *cobra.Command, board *havannah.Board, f analyseFlags) error {
	ctx := cmd.Context()
	if f.search.simulations == 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, f.search.time)
		defer cancel()
	}
	a := havannahbot.Analysis{Simulations: int(min(f.search.simulations, math.MaxInt)), Threads: f.Threads, Seed: f.Seed}
	var err error
	if a.Net, err = registry.Net(f.net); err != nil {
		return err
	}
	rated, err := a.Rate(ctx, board)
	if err != nil {
		return err
	}
	var stopped error
	if cmd.Context().Err() != nil {
		stopped = errors.New("stopped before the search was done")
	}
	heat, err := heatOf(board, rated)
	if err != nil {
		return err
	}
	stopped = errors.Join(stopped, f.draw(board, heat))
	out := cmd.OutOrStdout()
	if f.json {
		encoder := json.NewEncoder(out)
		for _, r := range rated {
			if err := encoder.Encode(r); err != nil {
				return err
			}
		}
		return stopped
	}
	fmt.Fprintf(out, "%v to move: %s\n%s\n", board.Turn(), summaryOf(rated), board.Text(heat))
	if f.top > 0 && f.top < len(rated) {
		rated = rated[:f.top]
	}
	return errors.Join(stopped, printRated(out, rated))
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

// verdictOf formats the value of a move. A move wins or loses in a number of moves of the
// winner.
func verdictOf(r wire.Rated) string {
	words, proved := map[string]string{wire.ProvedWin: "wins", wire.ProvedLoss: "loses", wire.ProvedDraw: "draws"}[r.Proof]
	switch {
	case !proved:
		return fmt.Sprintf("%.1f%%", 100*r.Value)
	case r.Plies > 0 && r.Proof != wire.ProvedDraw:
		return fmt.Sprintf("%s in %d", words, (r.Plies+1)/2)
	}
	return words
}

// heatOf returns the heat map of values: 0 for the lowest, 1 for the highest. Cells
// without a value have none.
func heatOf(board *havannah.Board, rated []wire.Rated) (havannah.Heat, error) {
	heat := make(havannah.Heat, board.Grid().NumCells)
	for cell := range heat {
		heat[cell] = math.NaN()
	}
	least, most := 1.0, 0.0
	for _, r := range rated {
		least, most = min(least, r.Value), max(most, r.Value)
	}
	for _, r := range rated {
		move, err := board.Grid().Parse(r.Move)
		if err != nil {
			return nil, err
		}
		if move == havannah.Swap {
			continue
		}
		if heat[move] = r.Value; most > least {
			heat[move] = (r.Value - least) / (most - least)
		}
	}
	return heat, nil
}

func printRated(w io.Writer, rated []wire.Rated) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(table, "move\tresult\tsimulations\tline\n")
	for _, r := range rated {
		fmt.Fprintf(table, "%s\t%s\t%d\t%s\n", r.Move, verdictOf(r), r.Work, strings.Join(r.Line, " "))
	}
	return table.Flush()
}
