package selfplay

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync/atomic"

	"gamebots/cudalib"
	"gamebots/cudalib/havannahgpu"
	"gamebots/hexproto/havannah"
	"gamebots/internal/parallel"
	"gamebots/solvers/hexnet"
	"gamebots/solvers/hexsearch"
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
	p := &cpuPlayer{evaluator: hexnet.NewEvaluator(n, hexsearch.ShapeOf(g), threads)}
	for _, e := range p.evaluator.Threads() {
		p.threads = append(p.threads, &cpuThread{evaluator: e})
	}
	return p
}

func (p *cpuPlayer) setNet(n *hexnet.Net) error { return p.evaluator.SetNet(n) }

// errClosed ends games that nobody needs any more.
var errClosed = errors.New("the player was closed")

func (p *cpuPlayer) close() error { p.closed.Store(true); return nil }

func (p *cpuPlayer) play(ctx context.Context, games []*game) error {
	threads := len(p.threads)
	parts := slices.Collect(slices.Chunk(games, min(ThreadGames, (len(games)+threads-1)/threads)))
	errs := make([]error, threads)
	parallel.For(threads, len(parts), func(thread, i int) {
		errs[thread] = cmp.Or(errs[thread], p.threads[thread].play(ctx, parts[i], &p.closed))
	})
	return cmp.Or(errs...)
}

func (t *cpuThread) play(ctx context.Context, games []*game, closed *atomic.Bool) error {
	for waiting := games; !closed.Load(); {
		if err := context.Cause(ctx); err != nil {
			return err
		}
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

// devicePlayer searches on a GPU: in half of the games, while the threads make the moves of the
// other half.
type devicePlayer struct {
	net     *hexnet.Device
	halves  [2]*hexsearch.Device
	threads int
}

func newDevicePlayer(g *havannah.Grid, n *hexnet.Net, o Options, games int) (*devicePlayer, error) {
	net, err := hexnet.NewDevice(n, o.Device, hexsearch.ShapeOf(g), 1, o.Threads)
	if err != nil {
		return nil, err
	}
	p := &devicePlayer{net: net, threads: o.Threads}
	return p, p.addSearches(o.Device, g, games, net.GPU().Launch)
}

// addSearches makes the searches of all games, for a network. After an error there is nothing
// to close.
func (p *devicePlayer) addSearches(d *cudalib.Device, g *havannah.Grid, games int, network havannahgpu.Network) error {
	for i := range p.halves {
		var err error
		if p.halves[i], err = hexsearch.NewDevice(d, g, (games+i)/2, fullEvaluations, network); err != nil {
			return errors.Join(err, p.close())
		}
	}
	return nil
}

func (p *devicePlayer) setNet(n *hexnet.Net) error { return p.net.SetNet(n) }

func (p *devicePlayer) close() (err error) {
	for _, d := range p.halves {
		if d != nil {
			err = errors.Join(err, d.Close())
		}
	}
	return errors.Join(err, p.net.Close())
}

// play has the device search quickEvaluations at a time, after which games with quick moves
// begin the next one.
func (p *devicePlayer) play(ctx context.Context, games []*game) error {
	middle := len(games) / 2
	halves := [2][]*game{games[:middle], games[middle:]}
	for going := [2]bool{true, true}; going[0] || going[1]; {
		if err := context.Cause(ctx); err != nil {
			return errors.Join(err, p.halves[0].Wait(), p.halves[1].Wait())
		}
		for i, d := range p.halves {
			if !going[i] {
				continue
			}
			if err := d.Wait(); err != nil {
				return err
			}
			if going[i] = p.move(d, halves[i]); going[i] {
				if err := d.Start(quickEvaluations); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// move makes the moves that were found, and sets the next searches. It reports whether any
// goes on.
func (p *devicePlayer) move(d *hexsearch.Device, games []*game) (any bool) {
	parallel.For(p.threads, len(games), func(_, i int) {
		g := games[i]
		if g.searching {
			r, over := d.Result(i)
			if !over {
				return
			}
			g.searching, g.random = false, r.Random()
			g.played.Evaluations += uint64(r.Evaluations())
			g.move(r)
		}
		if g.begin() {
			d.Set(i, g.moves, g.evaluations(), g.random)
		}
	})
	for _, g := range games {
		any = any || g.searching
	}
	return any
}
