package playout

import (
	"math"

	"gamebots/hexproto/havannah"
	"gamebots/internal/stats"
)

// Tally counts the results of playouts, for the player who made the first move.
type Tally struct {
	Wins, Losses, Draws uint64
	Plies               uint64    // moves, the first one included
	Ends                [8]uint64 // playouts by the havannah.Structures that ended them
}

// Playouts returns the number of playouts.
func (t *Tally) Playouts() uint64 { return t.Wins + t.Losses + t.Draws }

// Score returns the mean result of a playout: 1 for a win, 1/2 for a draw.
func (t *Tally) Score() float64 {
	return (float64(t.Wins) + float64(t.Draws)/2) / float64(t.Playouts())
}

// Margin95 returns half the width of an approximate 95% confidence interval of the score. Two
// wins and two losses are added, so that few playouts do not look certain (A. Agresti and
// B. Coull, Approximate is better than "exact", 1998).
func (t *Tally) Margin95() float64 {
	n := float64(t.Playouts())
	p := (n*t.Score() + 2) / (n + 4)
	return stats.Z95 * math.Sqrt(p*(1-p)/(n+4))
}

// Add adds another tally.
func (t *Tally) Add(o *Tally) {
	t.Wins += o.Wins
	t.Losses += o.Losses
	t.Draws += o.Draws
	t.Plies += o.Plies
	for i, n := range o.Ends {
		t.Ends[i] += n
	}
}

// count counts games that ended after plies moves.
func (t *Tally) count(plies int, won havannah.Structures, games uint64) {
	switch {
	case won == 0:
		t.Draws += games
	case plies%2 == 1:
		t.Wins += games
	default:
		t.Losses += games
	}
	t.Plies += uint64(plies) * games
	t.Ends[won] += games
}
