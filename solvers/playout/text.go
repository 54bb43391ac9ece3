package playout

import (
	"math"

	"gamebots/hexproto/havannah"
)

// A Row is a rating as it is printed.
type Row struct {
	Move       string  `json:"move"`
	Score      float64 `json:"-" text:"score,%.2f%%"`
	Margin     float64 `json:"-" text:"95%,±%.2f"`
	Wins       uint64  `json:"wins"`
	Losses     uint64  `json:"losses"`
	Draws      uint64  `json:"draws"`
	Plies      uint64  `json:"plies" text:"-"`
	PliesAGame float64 `json:"-" text:"plies,%.1f"`
}

// Rows returns ratings as they are printed.
func Rows(b *havannah.Board, ratings []Rating) []Row {
	rows := make([]Row, len(ratings))
	for i, r := range ratings {
		rows[i] = Row{b.Grid().Format(r.Move), 100 * r.Score(), 100 * r.Margin95(), r.Wins, r.Losses, r.Draws, r.Plies,
			float64(r.Plies) / float64(r.Playouts())}
	}
	return rows
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
