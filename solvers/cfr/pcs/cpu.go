package pcs

import (
	"gamebots/cudalib/pcsgpu"
	"gamebots/internal/parallel"
)

// cpu trains on this computer. Its arrays are those of the kernels of kernels/pcs, which do
// the same operations in the same order.
type cpu struct {
	Local
	threads int
	reach   [2][][]float32 // by player and round: at its start, by board, hand and lane
	values  [][]float32    // by round: by board, value at an end or else the segment's, hand and lane
}

// tile is a value of tileLanes lanes.
type tile [tileLanes]float32

// prepare makes the arrays, which are large, unless they are there.
func (c *cpu) prepare() {
	if c.values != nil {
		return
	}
	c.Local.prepare()
	for r := range c.layout.Rounds {
		c.values = append(c.values, make([]float32, c.layout.Values(r)))
		for p := range c.reach {
			c.reach[p] = append(c.reach[p], make([]float32, c.layout.Reach(r)))
		}
	}
	for p := range c.reach {
		for at, width := 0, c.layout.Rounds[0].Width; at < len(c.reach[p][0]); at += width {
			c.reach[p][0][at] = 1
		}
	}
}

func (c *cpu) train(b *pcsgpu.Batch, u pcsgpu.Update) error {
	c.prepare()
	c.descend(b, 0)
	for p := range c.players {
		c.descend(b, 1-p)
		for r := len(c.layout.Rounds) - 1; r >= 0; r-- {
			c.ends(b, r, p)
			c.update(b, u, r, p)
		}
	}
	return nil
}

// descend computes the reach of a player at the start of all rounds.
func (c *cpu) descend(b *pcsgpu.Batch, player int) {
	g, t := &c.layout, &c.players[player]
	for r := range g.Rounds[1:] {
		from, to := &g.Rounds[r], &g.Rounds[r+1]
		row := from.Columns[player] * from.Width
		parallel.For(c.threads, g.Boards, func(_, board int) {
			for hand := board * g.Hands; hand < (board+1)*g.Hands; hand++ {
				strategy := t.strategy[r][int(b.Buckets[r*g.Boards*g.Hands+hand])*row:][:row]
				for lane, source := range to.From {
					if source == pcsgpu.None {
						continue // stays 0
					}
					before := int(source & 0xffff)
					x := c.reach[player][r][hand*from.Width+before]
					for _, column := range from.Paths[player][source>>16] {
						x *= strategy[int(column)*from.Width+before]
					}
					c.reach[player][r+1][hand*to.Width+lane] = x
				}
			}
		})
	}
}

// ends values the ends of a round for a player.
func (c *cpu) ends(b *pcsgpu.Batch, r, player int) {
	g := &c.layout
	round := &g.Rounds[r]
	program := &round.Programs[player]
	parallel.For(c.threads, g.Boards*len(program.Ends), func(_, task int) {
		board := task / len(program.Ends)
		s := newEnd(c, b, r, player, board)
		for lane := 0; lane < round.Width; lane += tileLanes {
			s.value(&program.Ends[task%len(program.Ends)], lane)
		}
	})
}

// update values the segments of a round for a player and updates its strategy there.
func (c *cpu) update(b *pcsgpu.Batch, u pcsgpu.Update, r, player int) {
	hits := &b.Rounds[r]
	tiles := c.layout.Rounds[r].Width / tileLanes
	parallel.For(c.threads, len(hits.Buckets), func(_, i int) {
		w := newUpdater(c, u, r, player)
		for tile := range tiles {
			w.row(int(hits.Buckets[i]), hits.Hands[hits.Starts[i]:hits.Starts[i+1]], tile*tileLanes)
		}
	})
}
