package pcs

import (
	"gamebots/cudalib/pcsgpu"
	"gamebots/solvers/internal/tiles"
)

// updater updates the strategy of a player in a part.
type updater struct {
	*cpu
	pcsgpu.Update
	part    *pcsgpu.Part
	program *pcsgpu.Program
	table   struct{ regrets, sums, strategy []float32 }
	reach   []float32    // of the player
	roots   []float32    // of the round
	next    []float32    // roots of the next round
	width   int          // of the round
	after   int          // of the next round
	ends    []tiles.Tile // values
	splits  int

	gains [][]tiles.Tile // by split: by column, and the sum of the player's reach
	value []tiles.Tile   // by number, see pcsgpu.Program
	sigma []tiles.Tile   // by column
}

func newUpdater(c *cpu, u pcsgpu.Update, part, player int) *updater {
	p, t := &c.layout.Parts[part], &c.players[player]
	w := &updater{cpu: c, Update: u, part: p, program: &p.Programs[player], splits: c.layout.Splits(part, player)}
	w.table.regrets, w.table.sums, w.table.strategy = t.regrets[part], t.sums[part], t.strategy[part]
	w.reach, w.roots, w.width, w.ends = c.reach[player][p.Round], c.roots[p.Round], c.layout.Widths[p.Round], c.values[part]
	if p.Deals > 0 {
		w.next, w.after = c.roots[p.Round+1], c.layout.Widths[p.Round+1]
	}
	columns := p.Columns[player]
	w.sigma, w.value = make([]tiles.Tile, columns), make([]tiles.Tile, w.program.Values+p.Deals+len(w.program.Decisions))
	for range w.splits {
		w.gains = append(w.gains, make([]tiles.Tile, columns+1))
	}
	return w
}

// row updates a bucket in a tile of lanes, by the hands that have it.
func (w *updater) row(bucket int, hands []uint32, tile int) {
	width, columns := w.part.Width, len(w.sigma)
	entry := bucket*columns*width + tile*tileLanes
	for c := range w.sigma {
		copy(w.sigma[c][:], w.table.strategy[entry+c*width:])
	}
	for split := range w.gains {
		clear(w.gains[split])
		for k := split; k < len(hands); k += w.splits {
			w.hand(int(hands[k]>>pcsgpu.HandBits), int(hands[k]&(1<<pcsgpu.HandBits-1)), tile, w.gains[split])
		}
	}
	for i := range w.program.Decisions {
		w.change(&w.program.Decisions[i], entry)
	}
}

// hand values a hand on a board and adds what its actions gain.
func (w *updater) hand(board, hand, tile int, gains []tiles.Tile) {
	tileCount, place, lane := w.part.Width/tileLanes, board*w.layout.Hands+hand, w.part.First+tile*tileLanes
	for i := range w.program.Values {
		w.value[i] = w.ends[((board*w.program.Values+i)*tileCount+tile)*w.layout.Hands+hand]
	}
	for deal := range w.part.Deals {
		from, to := w.next[place*w.after:][:w.after], &w.value[w.program.Values+deal]
		for l, n := range w.part.Next[deal*w.part.Width+tile*tileLanes:][:tileLanes] {
			if to[l] = 0; n != pcsgpu.None {
				to[l] = from[n]
			}
		}
	}
	for i, d := range w.program.Decisions {
		from, to := d.Column, d.Column+d.Actions
		tiles.Decide(&w.value[w.program.Values+w.part.Deals+i], w.value, w.program.Columns[from:to], w.sigma[from:to], gains[from:to])
	}
	for l, x := range w.reach[place*w.width+lane:][:tileLanes] {
		gains[len(w.sigma)][l] += x
	}
	root := tiles.SumOf(w.value, &w.program.Root)
	copy(w.roots[place*w.width+lane:], root[:])
}

// change changes the regrets and the strategy of a decision, and the sums of its strategies.
func (w *updater) change(d *pcsgpu.Decision, entry int) {
	t, width := &w.table, w.part.Width
	played := tiles.Tile{}
	for _, gains := range w.gains {
		for l, x := range gains[len(w.sigma)] {
			played[l] += x
		}
	}
	for l := range played {
		played[l] *= w.Sum
		for _, column := range d.Path[:d.Length] {
			played[l] *= w.sigma[column][l]
		}
	}
	for c := int(d.Column); c < int(d.Column+d.Actions); c++ {
		for l := range tileLanes {
			change := float32(0)
			for _, gains := range w.gains {
				change += gains[c][l]
			}
			at := entry + c*width + l
			regret := t.regrets[at] + float32(change*w.Regret)
			if w.Floor {
				regret = max(regret, 0)
			}
			t.regrets[at] = regret
			t.sums[at] += float32(played[l] * w.sigma[c][l])
		}
	}
	at := entry + int(d.Column)*width
	MatchTile(t.strategy[at:], t.regrets[at:], int(d.Actions), width)
}
