package selfplay

import (
	"gamebots/hexproto/havannah"
	"gamebots/internal/parallel"
	"gamebots/solvers/hexnet"
	encoding "gamebots/solvers/hexnet/havannah"
)

// cpuPlayer searches on threads. All games wait for the network together.
type cpuPlayer struct {
	evaluator *hexnet.Evaluator
	threads   int
	planes    []uint8
	outputs   hexnet.Outputs
}

func newCPUPlayer(g *havannah.Grid, n *hexnet.Net, threads int) *cpuPlayer {
	return &cpuPlayer{evaluator: hexnet.NewEvaluator(n, encoding.ShapeOf(g), threads), threads: threads}
}

func (p *cpuPlayer) setNet(n *hexnet.Net) error { return p.evaluator.SetNet(n) }

func (p *cpuPlayer) close() error { return nil }

func (p *cpuPlayer) play(games []*game) error {
	ready := make([]bool, len(games))
	for active := games; ; {
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
			return nil
		}
		if err := p.evaluator.Evaluate(p.planes, &p.outputs); err != nil {
			return err
		}
		parallel.For(p.threads, len(waiting), func(_, i int) { waiting[i].search.Set(&p.outputs, i) })
		active = waiting
	}
}
