package pcs

import (
	"gamebots/cudalib/pcsgpu"
	"gamebots/solvers/cfr/segment"
	"gamebots/solvers/internal/vectors"
)

// updater updates the strategy of a player in a part.
type updater struct {
	*cpu
	pcsgpu.Update
	part   *segment.Part
	values *segment.Values
	rows   *Rows
	reach  []float32      // the player's reach
	roots  []float32      // values at the start of the round
	next   []float32      // roots of the next round
	width  int            // lanes of the round
	after  int            // lanes of the next round
	ends   []vectors.Tile // values
	splits int

	gains [][]vectors.Tile // gains by split and column, and the sum of the player's reach
	sigma []vectors.Tile   // strategy by column
}

func newUpdater(c *cpu, u pcsgpu.Update, part, player int) *updater {
	p := &c.layout.Parts[part]
	w := &updater{
		cpu: c, Update: u, part: p, values: segment.NewValues(p, player), rows: c.Rows(player, part),
		splits: c.layout.Splits(part, player),
	}
	w.reach, w.roots, w.width, w.ends = c.reach[player][p.Round], c.roots[p.Round], c.layout.Widths[p.Round],
		c.values[part]
	if p.Deals > 0 {
		w.next, w.after = c.roots[p.Round+1], c.layout.Widths[p.Round+1]
	}
	w.sigma = make([]vectors.Tile, p.Columns[player])
	for range w.splits {
		w.gains = append(w.gains, make([]vectors.Tile, len(w.sigma)+1))
	}
	return w
}

// row updates a bucket in a tile of lanes, by the hands that have it.
func (w *updater) row(bucket int, hands []uint32, tile int) {
	entry := w.rows.Entry(bucket, tile*tileLanes)
	w.rows.Play(entry, w.sigma)
	for split := range w.gains {
		clear(w.gains[split])
		for k := split; k < len(hands); k += w.splits {
			w.hand(int(hands[k]>>pcsgpu.HandBits), int(hands[k]&(1<<pcsgpu.HandBits-1)), tile, w.gains[split])
		}
	}
	w.rows.Change(entry, w.sigma, w.gains, w.Update)
}

// hand values a hand on a board and adds what its actions gain.
func (w *updater) hand(board, hand, tile int, gains []vectors.Tile) {
	tileCount, place, lane := w.part.Width/tileLanes, board*w.layout.Hands+hand, w.part.First+tile*tileLanes
	ends := w.values.Ends()
	for i := range ends {
		ends[i] = w.ends[((board*len(ends)+i)*tileCount+tile)*w.layout.Hands+hand]
	}
	if w.part.Deals > 0 {
		w.values.Deal(w.next[place*w.after:][:w.after], tile*tileLanes)
	}
	root := w.values.Mean(w.sigma, gains)
	for l, x := range w.reach[place*w.width+lane:][:tileLanes] {
		gains[len(w.sigma)][l] += x
	}
	copy(w.roots[place*w.width+lane:], root[:])
}
