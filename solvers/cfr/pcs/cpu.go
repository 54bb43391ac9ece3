package pcs

import (
	"gamebots/cudalib/pcsgpu"
	"gamebots/internal/parallel"
	"gamebots/solvers/cfr/segment"
	"gamebots/solvers/internal/vectors"
)

// tileLanes is how many lanes are treated together, and what the lanes of a part are padded to.
const tileLanes = vectors.TileLanes

// cpu trains on this computer, with the operations of cudalib/pcsgpu in the same order.
type cpu struct {
	Local
	threads int
	reach   [2][][]float32   // reach at the start of each round, by player; then by board, hand and lane
	roots   [][]float32      // values at the start of each round, by board, hand and lane
	values  [][]vectors.Tile // values at the ends of each part, by board, number, tile and hand

	// By player and round: the hands of all boards of the batch, see [segment.Play].
	orders, downs [2][][]uint64
}

// prepare makes the arrays, which are large, unless they are there.
func (c *cpu) prepare() {
	if c.values != nil {
		return
	}
	c.Local.prepare()
	g := &c.layout
	for r := range g.Widths {
		c.roots = append(c.roots, make([]float32, g.Reach(r)))
		for p := range c.reach {
			c.orders[p], c.downs[p] = append(c.orders[p], make([]uint64, g.Boards*g.Hands)),
				append(c.downs[p], make([]uint64, g.Boards*g.Hands))
			c.reach[p] = append(c.reach[p], make([]float32, g.Reach(r)))
		}
	}
	for i := range g.Parts {
		c.values = append(c.values, make([]vectors.Tile, g.Values(i)/tileLanes))
	}
	for p := range c.reach {
		for at, width := 0, g.Widths[0]; at < len(c.reach[p][0]); at += width {
			c.reach[p][0][at] = 1
		}
	}
}

func (c *cpu) train(b *pcsgpu.Batch, u pcsgpu.Update) error {
	c.prepare()
	c.order(b)
	c.descend(0)
	for p := range c.players {
		c.descend(1 - p)
		for i := len(c.layout.Parts) - 1; i >= 0; i-- {
			c.ends(i, p)
			c.update(b, u, i, p)
		}
	}
	return nil
}

// order joins the order of a batch with each player's buckets of each round.
func (c *cpu) order(b *pcsgpu.Batch) {
	g := &c.layout
	size := g.Boards * g.Hands
	for p, orders := range c.orders {
		buckets := b.CardsOf(p).Buckets
		for r := range orders {
			parallel.For(c.threads, g.Boards, func(_, board int) {
				for hand := range g.Hands {
					at := board*g.Hands + hand
					x, place := uint64(b.Order[at]), uint64(hand)
					first, second, down := x&cardMask, x>>cardBits&cardMask, int(x>>downBit)
					entry := place | first<<vectors.HandBits | second<<vectors.SecondBit | place<<vectors.PlaceBit
					entry |= uint64(buckets[r*size+at]) << vectors.BucketBit
					orders[r][at], c.downs[p][r][board*g.Hands+down] = entry, entry
				}
			})
		}
	}
}

// descend computes the reach of a player at the start of all rounds.
func (c *cpu) descend(player int) {
	g := &c.layout
	for r := range len(g.Widths) - 1 {
		parallel.For(c.threads, g.Boards, func(_, board int) {
			for hand := board * g.Hands; hand < (board+1)*g.Hands; hand++ {
				bucket := int(c.orders[player][r][hand] >> vectors.BucketBit)
				before, after := c.reach[player][r][hand*g.Widths[r]:], c.reach[player][r+1][hand*g.Widths[r+1]:]
				for i := range g.Parts {
					if p := &g.Parts[i]; p.Round == r {
						segment.Follow(p, player, c.players[player][i].Strategy[bucket*p.Columns[player]*p.Width:],
							before, after)
					}
				}
			}
		})
	}
}

// ends values the ends of a part for a player.
func (c *cpu) ends(part, player int) {
	g, p := &c.layout, &c.layout.Parts[part]
	program, width, tileCount := &p.Programs[player], g.Widths[p.Round], p.Width/tileLanes
	workers := make([]*segment.Ends, c.threads)
	parallel.For(c.threads, g.Boards*len(program.Ends), func(thread, task int) {
		s, board := workers[thread], task/len(program.Ends)
		if s == nil {
			s = segment.NewEnds(p, player, g.Hands, g.Deck, g.TwoCards)
			workers[thread] = s
		}
		for tile := range tileCount {
			play := segment.Play{
				Order: c.orders[1-player][p.Round][board*g.Hands:][:g.Hands],
				Down:  c.downs[1-player][p.Round][board*g.Hands:][:g.Hands],
				Reach: c.reach[1-player][p.Round][board*g.Hands*width+p.First+tile*tileLanes:], ReachWidth: width,
				Strategy: c.players[1-player][part].Strategy[tile*tileLanes:], Width: p.Width,
			}
			s.Value(&program.Ends[task%len(program.Ends)], &play, tile*tileLanes, func(number uint32) []vectors.Tile {
				return c.values[part][((board*p.Values+int(number))*tileCount+tile)*g.Hands:][:g.Hands]
			})
		}
	})
}

// update values the segments of a part for a player and updates its strategy there.
func (c *cpu) update(b *pcsgpu.Batch, u pcsgpu.Update, part, player int) {
	p := &c.layout.Parts[part]
	hits := &b.CardsOf(player).Rounds[p.Round]
	workers := make([]*updater, c.threads)
	parallel.For(c.threads, len(hits.Buckets), func(thread, i int) {
		w := workers[thread]
		if w == nil {
			w = newUpdater(c, u, part, player)
			workers[thread] = w
		}
		for tile := range p.Width / tileLanes {
			w.row(int(hits.Buckets[i]), hits.Hands[hits.Starts[i]:hits.Starts[i+1]], tile)
		}
	})
}
