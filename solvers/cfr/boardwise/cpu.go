package boardwise

import (
	"gamebots/cudalib/boardwisegpu"
	"gamebots/internal/parallel"
)

// cpu is the machine of this computer.
type cpu struct {
	*Game
	threads int
	// By player and round: the regrets, the sums of strategies, and the reach at the start
	// of the round, by bucket of the round before and lane.
	regret, sums [2][]entries
	reach        [2][][]float32
	// By round: the values of the segments, by bucket and lane, and their means by bucket of
	// the round before.
	values, means [][]float32
}

func newCPU(g *Game, packed bool, threads int) *cpu {
	c := &cpu{Game: g, threads: threads}
	for r, b := range g.boards {
		width, above := g.rounds[r].Width, 1
		if r > 0 {
			above = g.boards[r-1].rows
		}
		for p := range c.regret {
			c.regret[p] = append(c.regret[p], newEntries(g.entries(r, p), packed))
			c.sums[p] = append(c.sums[p], newEntries(g.entries(r, p), packed))
			c.reach[p] = append(c.reach[p], make([]float32, above*width))
		}
		c.values = append(c.values, make([]float32, b.rows*width))
		c.means = append(c.means, make([]float32, above*width))
	}
	for p := range c.reach {
		c.reach[p][0][0] = 1
	}
	return c
}

func (c *cpu) Traverse(w boardwisegpu.Work) ([]float32, error) {
	for r := range c.last() {
		c.descend(w, r)
	}
	for r := c.last(); r >= 0; r-- {
		if r < c.last() {
			c.mean(r + 1)
		}
		b, tiles := c.boards[r], c.rounds[r].Width/tileLanes
		workers := make([]*segments, c.threads)
		parallel.For(c.threads, len(b.boards)*tiles, func(worker, task int) {
			if workers[worker] == nil {
				workers[worker] = newSegments(c, w, r)
			}
			workers[worker].value(&b.boards[task/tiles], task%tiles)
		})
	}
	return c.values[0], nil
}

// descend computes the reach at the start of the round after r.
func (c *cpu) descend(w boardwisegpu.Work, r int) {
	b, width, nextWidth := c.boards[r], c.rounds[r].Width, c.rounds[r+1].Width
	parallel.For(c.threads, len(b.boards)*(width/tileLanes), func(_, task int) {
		s := newSegments(c, w, r)
		s.b, s.tile = &b.boards[task/(width/tileLanes)], task%(width/tileLanes)
		for p := range c.reach {
			for row := range s.b.rows {
				start := s.startReach(p, row)
				for deal, path := range s.Choices[p] {
					x := start
					for _, choice := range path {
						sigma := s.strategy(p, row, choice)
						scale(&x, &sigma[choice.Action])
					}
					for l, next := range s.Next[deal*width+s.tile*tileLanes:][:tileLanes] {
						if next != boardwisegpu.None {
							c.reach[p][r+1][(s.b.row+row)*nextWidth+int(next)] = x[l]
						}
					}
				}
			}
		}
	})
}

// mean computes the means of the values of a round by bucket of the round before. Sums are in
// 64 bits.
func (c *cpu) mean(r int) {
	b, before, width := c.boards[r], c.boards[r-1], c.rounds[r].Width
	parallel.For(c.threads, before.rows, func(_, row int) {
		sums := make([]float64, width)
		for _, child := range before.refined[before.follow[row]:before.follow[row+1]] {
			weight := float64(b.weight[child])
			for l, v := range c.values[r][int(child)*width:][:width] {
				sums[l] += weight * float64(v)
			}
		}
		for l, sum := range sums {
			c.means[r][row*width+l] = float32(sum)
		}
	})
}

func (c *cpu) entriesOf(sums bool, player, r int) (entries, error) {
	if sums {
		return c.sums[player][r], nil
	}
	return c.regret[player][r], nil
}

func (c *cpu) Close() error { return nil }
