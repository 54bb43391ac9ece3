package selfplay

import (
	"cmp"
	"errors"
	"slices"
	"sync/atomic"

	"gamebots/hexproto/havannah"
	"gamebots/internal/parallel"
	search "gamebots/solvers/havannah"
	"gamebots/solvers/hexnet"
)

// ThreadGames is the number of games that wait for the network together on a thread.
const ThreadGames = 8

// cpuPlayer searches on threads.
type cpuPlayer struct {
	evaluator *hexnet.Evaluator
	threads   []*cpuThread
	closed    atomic.Bool // play ends early
}

// cpuThread plays some games at a time, all of which wait for the network together.
type cpuThread struct {
	evaluator *hexnet.Evaluator
	planes    []uint8
	outputs   hexnet.Outputs
}

func newCPUPlayer(g *havannah.Grid, n *hexnet.Net, threads int) *cpuPlayer {
	p := &cpuPlayer{evaluator: hexnet.NewEvaluator(n, search.ShapeOf(g), threads)}
	for _, e := range p.evaluator.Threads() {
		p.threads = append(p.threads, &cpuThread{evaluator: e})
	}
	return p
}

func (p *cpuPlayer) setNet(n *hexnet.Net) error { return p.evaluator.SetNet(n) }

// errClosed ends games that nobody needs any more.
var errClosed = errors.New("the player was closed")

func (p *cpuPlayer) close() error { p.closed.Store(true); return nil }

func (p *cpuPlayer) play(games []*game) error {
	threads := len(p.threads)
	parts := slices.Collect(slices.Chunk(games, min(ThreadGames, (len(games)+threads-1)/threads)))
	errs := make([]error, threads)
	parallel.For(threads, len(parts), func(thread, i int) {
		errs[thread] = cmp.Or(errs[thread], p.threads[thread].play(parts[i], &p.closed))
	})
	return cmp.Or(errs...)
}

func (t *cpuThread) play(games []*game, closed *atomic.Bool) error {
	for waiting := games; !closed.Load(); {
		active := waiting
		waiting, t.planes = nil, t.planes[:0]
		for _, g := range active {
			if g.next() {
				waiting, t.planes = append(waiting, g), append(t.planes, g.search.Planes()...)
			}
		}
		if len(waiting) == 0 {
			return nil
		}
		if err := t.evaluator.Evaluate(t.planes, &t.outputs); err != nil {
			return err
		}
		for i, g := range waiting {
			g.search.Set(&t.outputs, i)
		}
	}
	return errClosed
}
