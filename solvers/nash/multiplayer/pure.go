package multiplayer

import (
	"context"

	"gamebots/solvers/nash/game"
)

// Pure returns the cells of all pure equilibria, in ascending order. The error is that
// of ctx.
func Pure(ctx context.Context, g *game.NormalForm) ([]int, error) {
	stable := make([]bool, g.Cells())
	for c := range stable {
		stable[c] = true
	}
	for p, n := range g.Sizes {
		stride, payoffs := g.Stride(p), g.Payoffs[p]
		for c := range stable {
			if c/stride%n != 0 {
				continue
			}
			if c%1024 == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			best := payoffs[c]
			for s := range n {
				if x := payoffs[c+s*stride]; x.Cmp(best) > 0 {
					best = x
				}
			}
			for s := range n {
				if payoffs[c+s*stride].Cmp(best) < 0 {
					stable[c+s*stride] = false
				}
			}
		}
	}
	var cells []int
	for c, yes := range stable {
		if yes {
			cells = append(cells, c)
		}
	}
	return cells, nil
}
