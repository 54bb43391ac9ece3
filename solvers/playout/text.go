package playout

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"text/tabwriter"

	"gamebots/hexproto/havannah"
)

// WriteText writes a table of ratings.
func WriteText(w io.Writer, b *havannah.Board, ratings []Rating) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(table, "move\tscore\t\twins\tlosses\tdraws\tplies\t\n")
	for _, r := range ratings {
		fmt.Fprintf(table, "%s\t%.2f%%\t±%.2f\t%d\t%d\t%d\t%.1f\t\n", b.Grid().Format(r.Move), 100*r.Score(),
			100*r.Margin95(), r.Wins, r.Losses, r.Draws, float64(r.Plies)/float64(r.Playouts()))
	}
	return table.Flush()
}

// WriteJSON writes ratings as JSON objects, one a line.
func WriteJSON(w io.Writer, b *havannah.Board, ratings []Rating) error {
	out := json.NewEncoder(w)
	for _, r := range ratings {
		if err := out.Encode(struct {
			Move   string `json:"move"`
			Wins   uint64 `json:"wins"`
			Losses uint64 `json:"losses"`
			Draws  uint64 `json:"draws"`
			Plies  uint64 `json:"plies"`
		}{b.Grid().Format(r.Move), r.Wins, r.Losses, r.Draws, r.Plies}); err != nil {
			return err
		}
	}
	return nil
}

// Heat returns the heat map of ratings: 0 for the cell with the lowest score, 1 for that with
// the highest, or 1/2 for all if they are equal. It also returns both scores. A swap is left
// out.
func Heat(b *havannah.Board, ratings []Rating) (heat havannah.Heat, worst, best float64) {
	worst, best = math.Inf(1), math.Inf(-1)
	for _, r := range ratings {
		if r.Move != havannah.Swap {
			worst, best = min(worst, r.Score()), max(best, r.Score())
		}
	}
	heat = make(havannah.Heat, b.Grid().NumCells)
	for _, r := range ratings {
		if r.Move == havannah.Swap {
			continue
		}
		heat[r.Move] = 0.5
		if best > worst {
			heat[r.Move] = (r.Score() - worst) / (best - worst)
		}
	}
	return heat, worst, best
}
