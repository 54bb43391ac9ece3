package playout

import (
	"math"

	"gamebots/hexproto/havannah"
)

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
