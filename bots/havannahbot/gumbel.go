package havannahbot

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"slices"
	"time"

	"gamebots/cudalib"
	"gamebots/hexproto"
	"gamebots/hexproto/boards"
	"gamebots/hexproto/game"
	"gamebots/hexproto/havannah"
	"gamebots/solvers/gumbel"
	"gamebots/solvers/hexnet"
	"gamebots/solvers/hexsearch"
)

// Gumbel plays by a network, with few evaluations a move: as the network does in its own
// training, but without random choices. With a limit of evaluations its moves depend on nothing
// else. With a time, on a GPU or several threads, it makes several times as many evaluations by
// choosing positions before it has the values of the last ones.
type Gumbel struct {
	Net *hexnet.Net
	// Evaluations of a move at most. 0 is as many as there is time for, or DefaultEvaluations in
	// a game without clocks if Time is 0.
	Evaluations int
	Time        time.Duration // time of a move in a game without clocks; 0 is no limit
	// Device computes the network: a GPU only if one was asked for.
	Device cudalib.Choice
	// Threads describe positions to the network, and compute it without a GPU; 0 is 1.
	Threads int
	// Memory bounds the bytes of a search that is limited by time; 0 is no bound, and it takes up to 600 MB.
	Memory int
}

// DefaultEvaluations is the default number of evaluations of a move of Gumbel.
const DefaultEvaluations = 256

// Check returns an error if there is no GPU that was asked for.
func (b Gumbel) Check() error { return b.Device.Check() }

// Open returns an error without a network.
func (b Gumbel) Open(_ context.Context, at hexproto.Position) (_ hexproto.Decider, err error) {
	if b.Net == nil {
		return nil, errors.New("no network")
	}
	gpu, _, err := b.Device.If(false, "none was asked for").Open()
	if err != nil {
		return nil, err
	}
	return b.open(boards.HavannahBoard(at.Game).Grid(), gpu)
}

// open returns the search of a game, with the network on a GPU, which it closes at the end or after an error, or on
// the CPU if that is nil.
func (b Gumbel) open(g *havannah.Grid, gpu *cudalib.Device) (hexproto.Decider, error) {
	e := &gumbelEngine{bot: b, search: hexsearch.NewSearch(g), batch: cpuBatch * max(b.Threads, 1), underWay: 1}
	e.search.Threads = b.Threads
	if gpu == nil {
		e.network = &cpuNetwork{Network: hexnet.NewEvaluator(b.Net, hexsearch.ShapeOf(g), b.Threads)}
		return e, nil
	}
	d, err := hexnet.NewDevice(b.Net, gpu, hexsearch.ShapeOf(g), max(gpuBatch, len(g.Orbits())), 1)
	if err != nil {
		return nil, errors.Join(err, gpu.Close())
	}
	e.network, e.gpu, e.batch, e.underWay = d, gpu, gpuBatch, 2
	e.close = func() error { return errors.Join(d.Close(), gpu.Close()) }
	return e, nil
}

const (
	// cpuBatch is the number of positions that a thread of the CPU evaluates at a time: small, so that
	// a clock is kept with a large network, too.
	cpuBatch = 4
	// gpuBatch takes a GPU little longer than one position. Two batches are under way, so that the
	// host makes one while the GPU computes the other.
	gpuBatch = 16
	// inFlight is the number of positions in flight after each move of the root, where a search may
	// have several: so that two batches of a GPU are full until two moves are left.
	inFlight = 8
)

// A network evaluates batches of positions that are under way meanwhile: Wait has the outputs of
// the one that was started first.
type network interface {
	hexsearch.Network
	Start(planes []uint8) error
	Wait(*hexnet.Outputs) error
}

// cpuNetwork evaluates the one batch that is under way when it is waited for.
type cpuNetwork struct {
	hexsearch.Network
	planes []uint8
}

func (n *cpuNetwork) Start(planes []uint8) error {
	n.planes = planes
	return nil
}

func (n *cpuNetwork) Wait(o *hexnet.Outputs) error { return n.Evaluate(n.planes, o) }

// Evaluate lets other goroutines run first: in a browser they share one thread with the search, which would else not
// see the end of its time.
func (n *cpuNetwork) Evaluate(planes []uint8, o *hexnet.Outputs) error {
	runtime.Gosched()
	return n.Network.Evaluate(planes, o)
}

// gumbelEngine is the search of one game.
type gumbelEngine struct {
	bot      Gumbel
	search   *hexsearch.Search
	network  network
	gpu      *cudalib.Device // nil for none
	close    func() error    // nil without a device
	batch    int             // positions that are evaluated together, at most
	underWay int             // batches, at most
	outputs  hexnet.Outputs
}

// maxEvaluations bounds the memory of a search that is limited by time: an evaluation takes evaluationBytes for each
// cell, so that on side 8 they are about 350 MB.
const maxEvaluations, evaluationBytes = 1 << 16, 32

// evaluations returns the number of evaluations with which the search of a move begins, and
// whether it follows the clock then.
func (b *Gumbel) evaluations(allowed time.Duration, cells int) (most int, timed bool) {
	switch {
	case b.Evaluations > 0:
		return b.Evaluations, false
	case allowed == 0:
		return DefaultEvaluations, false
	case b.Memory > 0:
		return max(gumbel.Considered, min(maxEvaluations, b.Memory/(evaluationBytes*cells))), true
	}
	return maxEvaluations, true
}

// speedKnown is the part of the time of a move after which its speed is known. All moves of the root
// are still alike by then.
const speedKnown = 0.1

// affordable returns how many evaluations there is time for, at most some, by those of the time that is spent. It
// reports false while that is too short to know.
func affordable(evaluations, most int, spent, allowed time.Duration) (n int, ok bool) {
	n = int(min(float64(evaluations)*float64(allowed)/float64(spent), float64(most)))
	return max(n, gumbel.Considered), spent.Seconds() >= speedKnown*allowed.Seconds()
}

// Decide searches until the evaluations or the time are used up.
func (e *gumbelEngine) Decide(
	ctx context.Context, at hexproto.Position, within time.Duration,
) (d hexproto.Decision, err error) {
	board := boards.HavannahBoard(at.Game)
	if board.Over() {
		return d, havannah.ErrOver
	}
	allowed := cmp.Or(within, e.bot.Time)
	ctx, cancel := limited(ctx, allowed)
	defer cancel()
	if allowed > 0 {
		deadline, _ := ctx.Deadline() // the caller may have set an earlier one
		allowed = time.Until(deadline)
	}
	move, value, evaluations := havannah.Swap, 0.0, 0
	if board.Empty() {
		batch := e.batch
		if e.gpu == nil {
			batch = max(e.bot.Threads, 1)
		}
		move, value, err = hexsearch.FirstStone(ctx, e.network, board.Grid(), batch)
	} else if evaluations, err = e.run(ctx, board, e.bot, allowed); err == nil {
		move, value = e.search.Move(e.search.Best()), e.search.Value()
	}
	if err != nil {
		return d, err
	}
	name := board.Grid().Format(move)
	rated := game.Rated{Move: name, Value: (1 + value) / 2, Work: int64(evaluations)}
	return hexproto.Decision{Move: name, Rated: []game.Rated{rated}}, nil
}

// run searches a board as a bot does, and returns the number of evaluations. With a GPU it does so in the
// goroutine that owns it, because to hand over each batch takes long.
func (e *gumbelEngine) run(
	ctx context.Context, board *havannah.Board, as Gumbel, allowed time.Duration,
) (evaluations int, err error) {
	if e.gpu == nil {
		return e.runHere(ctx, board, as, allowed)
	}
	err = e.gpu.Do(func() (err error) {
		evaluations, err = e.runHere(ctx, board, as, allowed)
		return err
	})
	return evaluations, err
}

// runHere ends early if the context does, but not before the board itself was evaluated.
func (e *gumbelEngine) runHere(
	ctx context.Context, board *havannah.Board, as Gumbel, allowed time.Duration,
) (evaluations int, err error) {
	most, timed := as.evaluations(allowed, board.Grid().NumCells)
	e.search.InFlight = 1
	if timed && e.batch > cpuBatch {
		e.search.InFlight = inFlight
	}
	start := time.Now()
	e.search.Start(board, most, nil)
	for batches := []int(nil); ; { // the numbers of positions of those under way
		for len(batches) < e.underWay && (evaluations < 2 || ctx.Err() == nil) {
			size := e.batch
			if spent := time.Since(start); timed && evaluations > 0 { // no more than there seems to be time for
				size = max(1, min(size, int(float64(evaluations)*float64(allowed-spent)/float64(max(spent, 1)))))
			}
			positions := e.search.NextBatch(size)
			if positions == 0 {
				break
			}
			if err := e.network.Start(e.search.Planes()); err != nil {
				return 0, err
			}
			batches = append(batches, positions)
		}
		if len(batches) == 0 {
			break
		}
		if err := e.network.Wait(&e.outputs); err != nil {
			return 0, err
		}
		for i := range batches[0] {
			e.search.Set(&e.outputs, i)
		}
		evaluations += batches[0]
		batches = slices.Delete(batches, 0, 1)
		if timed {
			if n, ok := affordable(evaluations, most, time.Since(start), allowed); ok {
				e.search.Resize(n)
			}
		}
	}
	return evaluations, nil
}

// Close frees the memory on a device.
func (e *gumbelEngine) Close() error {
	if e.close == nil {
		return nil
	}
	return e.close()
}
