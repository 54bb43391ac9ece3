package ratings

import "gamebots/internal/stats"

// Winnings are a player's winnings by deal or opening, to draw their cumulative sum.
type Winnings struct {
	sums, counts []float64 // sums and counts of observations, by deal
}

// Add adds the winnings of one hand or game of a deal. Several hands of a deal count as
// their mean.
func (c *Winnings) Add(deal int, won float64) {
	for len(c.sums) <= deal {
		c.sums, c.counts = append(c.sums, 0), append(c.counts, 0)
	}
	c.sums[deal] += won
	c.counts[deal]++
}

// Point has the winnings after n deals, with half the width of the 95% interval of the sum.
type Point struct {
	Deals           int
	Won, Interval95 float64
}

// Points returns up to n points of the cumulative sum, the last one at its end. Deals that the
// player did not play are left out.
func (c *Winnings) Points(n int) []Point {
	played := 0
	for _, k := range c.counts {
		if k > 0 {
			played++
		}
	}
	var points []Point
	var p Point
	var sample stats.Sample
	for deal, sum := range c.sums {
		if c.counts[deal] == 0 {
			continue
		}
		x := sum / c.counts[deal]
		p.Deals++
		p.Won += x
		sample.Add(x)
		// The k-th point is at the part k/n of all.
		if p.Deals*n/played > (p.Deals-1)*n/played || p.Deals == played {
			if p.Deals > 1 {
				p.Interval95 = float64(p.Deals) * sample.Interval95()
			}
			points = append(points, p)
		}
	}
	return points
}
