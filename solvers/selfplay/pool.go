package selfplay

import (
	"gamebots/hexproto/havannah"
	"gamebots/internal/parallel"
	"gamebots/internal/rng"
	"gamebots/solvers/hexnet"
	encoding "gamebots/solvers/hexnet/havannah"
)

// pool is the games of one side, and the positions recorded in them.
type pool struct {
	grid      *havannah.Grid
	games     []*game
	window    *window
	evaluator evaluator
	threads   int
	credit    int    // positions that may be learned from before the next round
	finished  uint64 // games

	batches []*evaluation // of the games; each game is in one of them
}

// evaluator computes the network that plays: a hexnet.Evaluator or a hexnet.Device.
type evaluator interface {
	Evaluate(planes []uint8, o *hexnet.Outputs) error
	SetNet(n *hexnet.Net) error
}

// evaluation is games that wait for the network together.
type evaluation struct {
	games   []*game
	waiting []*game // in the round
	ready   []bool
	planes  []uint8
	outputs hexnet.Outputs
	done    chan error
}

// newPool returns a pool whose games have not begun. Without a device, the network is computed
// on the threads, and all games wait for it. On a device it is computed for half of the games
// while the threads search in the other half.
func newPool(g *havannah.Grid, n *hexnet.Net, s *Settings, o Options, capacity int) (*pool, error) {
	p := &pool{grid: g, window: newWindow(g.NumCells, capacity), threads: o.Threads}
	for i := range s.games() {
		p.games = append(p.games, newGame(g, rng.At(s.Seed, uint64(g.Side)<<32|uint64(i))))
	}
	if o.Device == nil {
		p.evaluator = hexnet.NewEvaluator(n, encoding.ShapeOf(g), o.Threads)
		p.divide(1)
		return p, nil
	}
	d, err := hexnet.NewDevice(n, o.Device, encoding.ShapeOf(g), (len(p.games)+1)/2, o.Threads)
	if err != nil {
		return nil, err
	}
	p.evaluator = d
	p.divide(2)
	return p, nil
}

// divide divides the games into parts that wait for the network by turns.
func (p *pool) divide(parts int) {
	p.batches = nil
	for i := range parts {
		games := p.games[i*len(p.games)/parts : (i+1)*len(p.games)/parts]
		p.batches = append(p.batches, &evaluation{games: games, ready: make([]bool, len(games)), done: make(chan error, 1)})
	}
}

// close frees the memory on a device.
func (p *pool) close() error {
	if d, ok := p.evaluator.(*hexnet.Device); ok {
		return d.Close()
	}
	return nil
}

// round plays a round of all games, and adds the positions of those that ended to the
// window. It returns their number.
func (p *pool) round() (recorded int, err error) {
	for _, g := range p.games {
		g.startRound()
	}
	queue := make(chan *evaluation, len(p.batches))
	defer close(queue)
	go func() {
		for e := range queue {
			e.done <- p.evaluator.Evaluate(e.planes, &e.outputs)
		}
	}()
	active := 0
	for _, e := range p.batches {
		if e.waiting = append(e.waiting[:0], e.games...); p.search(e) {
			queue <- e
			active++
		}
	}
	for active > 0 {
		for _, e := range p.batches {
			if len(e.waiting) == 0 {
				continue
			}
			if failed := <-e.done; failed != nil {
				err = failed
				e.waiting = nil
				active--
				continue
			}
			parallel.For(p.threads, len(e.waiting), func(_, i int) { e.waiting[i].search.Set(&e.outputs, i) })
			if p.search(e) {
				queue <- e
			} else {
				active--
			}
		}
	}
	for _, g := range p.games {
		for i := range g.finished {
			p.window.add(&g.finished[i])
		}
		recorded += len(g.finished)
		p.finished += uint64(g.games)
	}
	return recorded, err
}

// search goes on in games until each waits for the network again or has ended its round. It
// reports whether there are any that wait.
func (p *pool) search(e *evaluation) bool {
	parallel.For(p.threads, len(e.waiting), func(_, i int) { e.ready[i] = e.waiting[i].next() })
	searched := e.waiting
	e.waiting, e.planes = e.waiting[:0], e.planes[:0]
	for i, g := range searched {
		if e.ready[i] {
			e.waiting = append(e.waiting, g)
			e.planes = append(e.planes, g.search.Planes()...)
		}
	}
	return len(e.waiting) > 0
}
