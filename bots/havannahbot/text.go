package havannahbot

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"gamebots/hexproto/game"
)

// Summary says what the best move and all moves are worth.
func Summary(rated []game.Rated) string {
	simulations := int64(0)
	for _, r := range rated {
		simulations += r.Work
	}
	worth := fmt.Sprintf("%s %s", rated[0].Move, verdictOf(rated[0]))
	if rated[0].Proof == game.ProvedLoss {
		worth = "all moves lose"
	}
	return fmt.Sprintf("%s, after %d simulations", worth, simulations)
}

// verdictOf formats the value of a move. A move wins or loses in n moves of the winner.
func verdictOf(r game.Rated) string {
	verbs := map[string]string{game.ProvedWin: "wins", game.ProvedLoss: "loses", game.ProvedDraw: "draws"}
	verb, proved := verbs[r.Proof]
	switch {
	case !proved:
		return fmt.Sprintf("%.1f%%", 100*r.Value)
	case r.Plies > 0 && r.Proof != game.ProvedDraw:
		return fmt.Sprintf("%s in %d", verb, (r.Plies+1)/2)
	}
	return verb
}

// WriteRated writes a table of rated moves.
func WriteRated(w io.Writer, rated []game.Rated) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(table, "move\tresult\tsimulations\tline\n")
	for _, r := range rated {
		fmt.Fprintf(table, "%s\t%s\t%d\t%s\n", r.Move, verdictOf(r), r.Work, strings.Join(r.Line, " "))
	}
	return table.Flush()
}
