package havannah

import (
	"context"
	"errors"
	"slices"
	"time"

	"gamebots/cudalib"
	"gamebots/hexproto"
	"gamebots/hexproto/boards"
	"gamebots/hexproto/havannah"
	"gamebots/hexproto/wire"
	"gamebots/solvers/gumbel"
	search "gamebots/solvers/gumbel/havannah"
	"gamebots/solvers/hexnet"
	encoding "gamebots/solvers/hexnet/havannah"
	"gamebots/solvers/playout"
)

// Gumbel plays by a network, with few evaluations a move: as the network does in its own
// training, but without random choices.
type Gumbel struct {
	Net *hexnet.Net
	// Evaluations of a move at most. 0 is as many as there is time for, or DefaultEvaluations in
	// a game without clocks if Time is 0.
	Evaluations int
	Time        time.Duration // of a move in a game without clocks; 0 is no limit
	// Device computes the network: a GPU only if one was asked for.
	Device cudalib.Choice
}

// DefaultEvaluations is the default number of evaluations of a move of Gumbel.
const DefaultEvaluations = 256

var (
	_ hexproto.Bot     = Gumbel{}
	_ hexproto.Checker = Gumbel{}
)

// Check returns an error if there is no GPU that was asked for.
func (b Gumbel) Check(context.Context, *wire.Game) error { return b.Device.Check() }

// Open returns an error for a game that is not Havannah, and without a network.
func (b Gumbel) Open(_ context.Context, game *wire.Game, _ int) (hexproto.Engine, error) {
	board, err := boards.HavannahPosition(game)
	if err != nil {
		return nil, err
	}
	if b.Net == nil {
		return nil, errors.New("no network")
	}
	g := board.Grid()
	e := &gumbelEngine{bot: b, search: search.NewSearch(g), batch: cpuBatch}
	if !b.Device.GPU() {
		e.network = hexnet.NewEvaluator(b.Net, encoding.ShapeOf(g), 1)
		return e, nil
	}
	gpu, _, err := b.Device.Open()
	if err != nil {
		return nil, err
	}
	d, err := hexnet.NewDevice(b.Net, gpu, encoding.ShapeOf(g), max(gumbel.Considered, len(g.Orbits())), 1)
	if err != nil {
		return nil, errors.Join(err, gpu.Close())
	}
	e.batch = gumbel.Considered
	e.network, e.close = d, func() error { return errors.Join(d.Close(), gpu.Close()) }
	return e, nil
}

// gumbelEngine is the search of one game.
type gumbelEngine struct {
	bot     Gumbel
	search  *search.Search
	network search.Network
	close   func() error // nil without a device
	batch   int          // positions that are evaluated together, at most
	planes  []uint8
	outputs hexnet.Outputs
	speed   float64 // evaluations a second of the last search, 0 before the first
}

// cpuBatch is small, so that a clock is kept with a large network, too.
const cpuBatch = 4

// maxEvaluations bounds the memory of a search that is limited by time: on side 8 to about
// 300 MB.
const maxEvaluations = 1 << 16

// evaluations returns the number of evaluations of a move for which some time is allowed, or
// any if it is 0. Before the first search it measures the speed by a batch of the board.
func (e *gumbelEngine) evaluations(board *havannah.Board, allowed time.Duration) (int, error) {
	switch {
	case e.bot.Evaluations > 0:
		return e.bot.Evaluations, nil
	case allowed == 0:
		return DefaultEvaluations, nil
	}
	if e.speed == 0 {
		planes := encoding.NewEncoder(board.Grid()).Append(nil, playout.NewPosition(board))
		start := time.Now()
		if err := e.network.Evaluate(slices.Repeat(planes, e.batch), &e.outputs); err != nil {
			return 0, err
		}
		e.speed = float64(e.batch) / max(time.Since(start), time.Microsecond).Seconds()
	}
	return int(min(max(gumbel.Considered, e.speed*allowed.Seconds()), maxEvaluations)), nil
}

// Decide searches until the evaluations or the time are used up.
func (e *gumbelEngine) Decide(ctx context.Context, game *wire.Game, budget hexproto.Budget) (hexproto.Decision, error) {
	board, err := boards.HavannahPosition(game)
	if err != nil {
		return hexproto.Decision{}, err
	}
	if board.Over() {
		return hexproto.Decision{}, havannah.ErrOver
	}
	allowed := e.bot.Time
	if !budget.None() {
		allowed = moveTime(budget, board.Grid().NumCells-board.NumMoves())
	}
	if allowed > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, allowed)
		defer cancel()
		deadline, _ := ctx.Deadline() // which the caller may have set earlier
		allowed = time.Until(deadline)
	}
	move, value, evaluations := havannah.Swap, 0.0, 0
	if board.Empty() {
		move, value, err = search.FirstStone(e.network, board.Grid())
	} else if evaluations, err = e.run(ctx, board, allowed); err == nil {
		move, value = e.search.Move(e.search.Best()), e.search.Value()
	}
	if err != nil {
		return hexproto.Decision{}, err
	}
	name := board.Grid().Format(move)
	rated := wire.Rated{Move: name, Value: (1 + value) / 2, Work: int64(evaluations)}
	return hexproto.Decision{Move: name, Rated: []wire.Rated{rated}}, nil
}

// run searches a board, and returns the number of evaluations. It ends early if the context
// does, but not before the board itself was evaluated.
func (e *gumbelEngine) run(ctx context.Context, board *havannah.Board, allowed time.Duration) (evaluations int, err error) {
	most, err := e.evaluations(board, allowed)
	if err != nil {
		return 0, err
	}
	start := time.Now()
	for e.search.Start(board, most, nil); evaluations < 2 || ctx.Err() == nil; {
		waiting := 0
		for e.planes = e.planes[:0]; waiting < e.batch && e.search.Next(); waiting++ {
			e.planes = append(e.planes, e.search.Planes()...)
		}
		if waiting == 0 {
			break
		}
		if err := e.network.Evaluate(e.planes, &e.outputs); err != nil {
			return 0, err
		}
		for i := range waiting {
			e.search.Set(&e.outputs, i)
		}
		evaluations += waiting
	}
	if seconds := time.Since(start).Seconds(); evaluations > gumbel.Considered && seconds > 0 {
		e.speed = float64(evaluations) / seconds
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
