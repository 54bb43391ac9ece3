package sites

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"gamebots/acpc/history"
	"gamebots/acpc/money"
	"gamebots/internal/stats"
	"gamebots/internal/usererr"
)

// Winnings are what a player has won at a site, in chips a hand.
type Winnings struct {
	Won  stats.Sample
	Site stats.Sample // the same without luck, by scores of the site
	// Lost counts hands that were dealt and whose results are not known.
	Lost int
}

// siteComment begins the comment before a hand in a log that estimates it without luck, in chips.
const siteComment = "# AIVAT score of the site: "

// SiteScore returns the comment of a hand for a site's score.
func SiteScore(chips float64) string { return siteComment + strconv.FormatFloat(chips, 'f', -1, 64) }

// Count counts a hand for the player in a position, with the score in its comments.
func (w *Winnings) Count(h *history.Hand, position int) {
	w.Won.Add(h.Values[position])
	for _, line := range h.Before {
		if text, ok := strings.CutPrefix(line, siteComment); ok {
			if x, err := strconv.ParseFloat(text, 64); err == nil {
				w.Site.Add(x)
			}
		}
	}
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
	if s := &w.Site; s.N > 0 {
		fmt.Fprintf(out, "without luck, by the site's AIVAT score, %s", f.AHand(f.Within(s.Mean(), s.Interval95())))
		if s.N < w.Won.N {
			fmt.Fprintf(out, " in %s", usererr.Counted(s.N, "hand", "hands"))
		}
		fmt.Fprintln(out)
	}
	if w.Lost > 0 && w.Won.N > 1 && err == nil {
		low, high := w.Bounds(most)
		_, err = fmt.Fprintf(out, "between %s and %s, whatever the lost hands would have won\n",
			f.Amount(low), f.AHand(f.Amount(high)))
	}
	return err
}
