package sites

import (
	"fmt"
	"io"
	"math"

	"gamebots/acpc/money"
	"gamebots/internal/stats"
	"gamebots/internal/usererr"
)

// Winnings are what a player has won at a site, in chips a hand.
type Winnings struct {
	Won stats.Sample
	// Lost counts hands that were dealt and whose results are not known.
	Lost int
}

// Bounds returns the ends of the 95% interval of what the player wins, in chips a hand, whatever
// the lost hands would have won: each of them up to most chips. Without lost hands it is that of
// Won. It is infinite for less than two hands of Won.
func (w *Winnings) Bounds(most float64) (low, high float64) {
	if w.Won.N < 2 {
		return math.Inf(-1), math.Inf(1)
	}
	counted, lost := float64(w.Won.N), float64(w.Lost)
	played := counted / (counted + lost)
	half := played*w.Won.Interval95() + (1-played)*most
	return played*w.Won.Mean() - half, played*w.Won.Mean() + half
}

// WriteText writes how many hands were played against an opponent and what they won, each up to most chips.
func (w *Winnings) WriteText(out io.Writer, opponent string, most float64, f money.Format) error {
	fmt.Fprintf(out, "%s against %s", usererr.Counted(w.Won.N, "hand", "hands"), opponent)
	if w.Lost > 0 {
		fmt.Fprintf(out, ", and %s lost to failures", usererr.Counted(w.Lost, "hand", "hands"))
	}
	_, err := fmt.Fprintf(out, "\nwon %s\n", f.AHand(f.Within(w.Won.Mean(), w.Won.Interval95())))
	if w.Lost > 0 && w.Won.N > 1 && err == nil {
		low, high := w.Bounds(most)
		_, err = fmt.Fprintf(out, "between %s and %s, whatever the lost hands would have won\n",
			f.Amount(low), f.AHand(f.Amount(high)))
	}
	return err
}
