package pcs

import (
	"gamebots/cudalib/pcsgpu"
	"gamebots/internal/parallel"
)

// cpu trains on this computer. Its arrays are those of the kernels of kernels/pcs, which do
// the same operations in the same order.
type cpu struct {
	*Game
	threads int
	players [2]tables
	values  [][]float32 // by round: by board, value at an end or else the segment's, hand and lane
}

// tables are of a player, by round: regrets, sums of strategies and the strategy by bucket,
// column and lane; the reach at the start of the round by board, hand and lane.
type tables struct{ regrets, sums, strategy, reach [][]float32 }

// tile is a value of tileLanes lanes.
type tile [tileLanes]float32

// prepare makes the arrays, which are large, unless they are there.
func (c *cpu) prepare() {
	if c.values != nil {
		return
	}
	g := c.Game
	for r := range g.layout.Rounds {
		c.values = append(c.values, make([]float32, g.layout.Values(r)))
		for p := range c.players {
			t, n := &c.players[p], g.layout.Entries(r, p)
			t.regrets, t.sums, t.strategy = append(t.regrets, make([]float32, n)), append(t.sums, make([]float32, n)), append(t.strategy, make([]float32, n))
			t.reach = append(t.reach, make([]float32, g.layout.Reach(r)))
		}
	}
	for p := range c.players {
		for at, width := 0, g.layout.Rounds[0].Width; at < len(c.players[p].reach[0]); at += width {
			c.players[p].reach[0][at] = 1
		}
	}
	c.Match() // does not fail
}

// Match computes the strategies from all regrets.
func (c *cpu) Match() error {
	for r := range c.layout.Rounds {
		round := &c.layout.Rounds[r]
		for p := range c.players {
			row := round.Columns[p] * round.Width
			for at := 0; at < round.Buckets*row; at += row {
				for _, d := range round.Programs[p].Decisions {
					for lane := 0; lane < round.Width; lane += tileLanes {
						c.matchTile(r, p, at+lane, &d)
					}
				}
			}
		}
	}
	return nil
}

// matchTile computes the strategy of a decision in a tile of lanes, whose row of columns
// starts at an entry.
func (c *cpu) matchTile(r, p, row int, d *pcsgpu.Decision) {
	width := c.layout.Rounds[r].Width
	t, at := &c.players[p], row+int(d.Column)*width
	MatchTile(t.strategy[r][at:], t.regrets[r][at:], int(d.Actions), width)
}

// MatchTile computes the strategy of a decision in a tile of lanes from its regrets. Those of
// its actions are a width apart.
func MatchTile(strategy, regrets []float32, actions, width int) {
	for l := range tileLanes {
		total := float32(0)
		for a := range actions {
			total += max(regrets[a*width+l], 0)
		}
		scale, base := float32(0), 1/float32(actions)
		if total >= 0x1p-126 { // else its inverse may be infinite
			scale, base = 1/total, 0
		}
		for a := range actions {
			strategy[a*width+l] = float32(max(regrets[a*width+l], 0)*scale) + base
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
					x := t.reach[r][hand*from.Width+before]
					for _, column := range from.Paths[player][source>>16] {
						x *= strategy[int(column)*from.Width+before]
					}
					t.reach[r+1][hand*to.Width+lane] = x
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

// at returns where a table is.
func (c *cpu) at(sums bool, player, r int) *[]float32 {
	c.prepare()
	if sums {
		return &c.players[player].sums[r]
	}
	return &c.players[player].regrets[r]
}

func (c *cpu) Table(sums bool, player, r int) ([]float32, error) { return *c.at(sums, player, r), nil }

func (c *cpu) SetTable(sums bool, player, r int, values []float32) error {
	*c.at(sums, player, r) = values
	return nil
}

func (c *cpu) Close() error { return nil }
