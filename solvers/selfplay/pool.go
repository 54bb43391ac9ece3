package selfplay

import (
	"gamebots/hexproto/havannah"
	"gamebots/internal/parallel"
	"gamebots/internal/rng"
	"gamebots/solvers/hexnet"
	encoding "gamebots/solvers/hexnet/havannah"
)

// gamesAtOnce is the number of games of a pool.
const gamesAtOnce = 128

// pool is the games of one side, and the positions recorded in them. All games wait for the
// network together.
type pool struct {
	grid      *havannah.Grid
	games     []*game
	window    *window
	evaluator *hexnet.Evaluator
	threads   int
	credit    int    // positions that may be learned from before the next round
	finished  uint64 // games

	planes  []uint8
	outputs hexnet.Outputs
}

// newPool returns a pool whose games have not begun.
func newPool(g *havannah.Grid, n *hexnet.Net, seed uint64, threads, capacity int) *pool {
	p := &pool{grid: g, window: newWindow(g.NumCells, capacity), evaluator: hexnet.NewEvaluator(n, encoding.ShapeOf(g), threads), threads: threads}
	for i := range gamesAtOnce {
		p.games = append(p.games, newGame(g, rng.At(seed, uint64(g.Side)<<32|uint64(i))))
	}
	return p
}

// round plays a round of all games, and adds the positions of those that ended to the
// window. It returns their number.
func (p *pool) round() (recorded int) {
	for _, g := range p.games {
		g.startRound()
	}
	ready := make([]bool, len(p.games))
	for active := p.games; ; {
		parallel.For(p.threads, len(active), func(_, i int) { ready[i] = active[i].next() })
		var waiting []*game
		p.planes = p.planes[:0]
		for i, g := range active {
			if ready[i] {
				waiting = append(waiting, g)
				p.planes = append(p.planes, g.search.Planes()...)
			}
		}
		if len(waiting) == 0 {
			break
		}
		if err := p.evaluator.Evaluate(p.planes, &p.outputs); err != nil {
			panic(err) // planes of another size
		}
		parallel.For(p.threads, len(waiting), func(_, i int) { waiting[i].search.Set(&p.outputs, i) })
		active = waiting
	}
	for _, g := range p.games {
		for i := range g.finished {
			p.window.add(&g.finished[i])
		}
		recorded += len(g.finished)
		p.finished += uint64(g.games)
	}
	return recorded
}
