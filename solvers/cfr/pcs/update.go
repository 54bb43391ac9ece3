package pcs

import "gamebots/cudalib/pcsgpu"

// updater updates the strategy of a player in a round.
type updater struct {
	*cpu
	pcsgpu.Update
	r, player int
	round     *pcsgpu.Round
	program   *pcsgpu.Program
	splits    int

	gains [][]tile // by split: by column, and the sum of the player's reach
	value []tile   // by number, see pcsgpu.Program
	sigma []tile   // by column
}

func newUpdater(c *cpu, u pcsgpu.Update, r, player int) *updater {
	w := &updater{cpu: c, Update: u, r: r, player: player, round: &c.layout.Rounds[r], splits: c.layout.Splits(r)}
	w.program = &w.round.Programs[player]
	columns := w.round.Columns[player]
	w.sigma, w.value = make([]tile, columns), make([]tile, w.program.Values+w.round.Deals+len(w.program.Decisions))
	for range w.splits {
		w.gains = append(w.gains, make([]tile, columns+1))
	}
	return w
}

// row updates a bucket in a tile of lanes, by the hands that have it.
func (w *updater) row(bucket int, hands []uint32, lane int) {
	t, width, columns := &w.players[w.player], w.round.Width, len(w.sigma)
	entry := bucket*columns*width + lane
	for c := range w.sigma {
		copy(w.sigma[c][:], t.strategy[w.r][entry+c*width:])
	}
	for split := range w.gains {
		clear(w.gains[split])
		for k := split; k < len(hands); k += w.splits {
			w.hand(int(hands[k]>>pcsgpu.HandBits), int(hands[k]&(1<<pcsgpu.HandBits-1)), lane, w.gains[split])
		}
	}
	for i := range w.program.Decisions {
		w.change(&w.program.Decisions[i], entry)
	}
}

// hand values a hand on a board and adds what its actions gain.
func (w *updater) hand(board, hand, lane int, gains []tile) {
	g, width, slots := &w.layout, w.round.Width, w.program.Values+1
	slot := func(i int) []float32 {
		return w.values[w.r][((board*slots+i)*g.Hands+hand)*width+lane:][:tileLanes]
	}
	for i := range w.program.Values {
		copy(w.value[i][:], slot(i))
	}
	for deal := range w.round.Deals {
		next := &g.Rounds[w.r+1]
		segments := next.Programs[w.player].Values
		from := w.values[w.r+1][((board*(segments+1)+segments)*g.Hands+hand)*next.Width:]
		to := &w.value[w.program.Values+deal]
		for l, n := range w.round.Next[deal*width+lane:][:tileLanes] {
			if to[l] = 0; n != pcsgpu.None {
				to[l] = from[n]
			}
		}
	}
	for i, d := range w.program.Decisions {
		mean := tile{}
		var values [pcsgpu.MaxActions]tile
		for a := range d.Actions {
			values[a] = w.sum(&w.program.Columns[d.Column+a])
			for l, v := range values[a] {
				mean[l] += float32(w.sigma[d.Column+a][l] * v)
			}
		}
		for a := range d.Actions {
			for l, v := range values[a] {
				gains[d.Column+a][l] += v - mean[l]
			}
		}
		w.value[w.program.Values+w.round.Deals+i] = mean
	}
	reach := w.reach[w.player][w.r][(board*g.Hands+hand)*width+lane:][:tileLanes]
	for l, x := range reach {
		gains[len(w.sigma)][l] += x
	}
	root := w.sum(&w.program.Root)
	copy(slot(w.program.Values), root[:])
}

func (w *updater) sum(s *pcsgpu.Sources) tile {
	sum := w.value[s.From[0]]
	for _, i := range s.From[1:s.N] {
		for l, x := range w.value[i] {
			sum[l] += x
		}
	}
	return sum
}

// change changes the regrets and the strategy of a decision, and the sums of its strategies.
func (w *updater) change(d *pcsgpu.Decision, entry int) {
	t, width := &w.players[w.player], w.round.Width
	played := tile{}
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
			regret := t.regrets[w.r][at] + float32(change*w.Regret)
			if w.Floor {
				regret = max(regret, 0)
			}
			t.regrets[w.r][at] = regret
			t.sums[w.r][at] += float32(played[l] * w.sigma[c][l])
		}
	}
	w.matchTile(w.r, w.player, entry, d)
}
