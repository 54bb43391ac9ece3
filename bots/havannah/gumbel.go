package havannah

import (
	"context"
	"errors"
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
)

// Gumbel plays by a network, with few evaluations a move: as the network does in its own
// training, but without random choices.
type Gumbel struct {
	Net *hexnet.Net
	// Evaluations of a move. 0 is DefaultEvaluations, or on a GPU in a game with clocks as many
	// as there is time for.
	Evaluations int
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
	e := &gumbelEngine{bot: b, search: search.NewSearch(g), batch: cpuBatch, speed: firstSpeed}
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
	speed   float64 // evaluations a second of the last search
}

// cpuBatch is small, so that a clock is kept with a large network, too.
const cpuBatch = 4

// firstSpeed is what a GPU can do on any board.
const firstSpeed = 2000

// evaluations returns the number of evaluations of a move.
func (e *gumbelEngine) evaluations(budget hexproto.Budget) int {
	switch {
	case e.bot.Evaluations > 0:
		return e.bot.Evaluations
	case e.close != nil && !budget.None():
		return max(gumbel.Considered, int(e.speed*budget.Share.Seconds()))
	}
	return DefaultEvaluations
}

// Decide searches until the evaluations or the budget's share of time are used up.
func (e *gumbelEngine) Decide(ctx context.Context, game *wire.Game, budget hexproto.Budget) (hexproto.Decision, error) {
	board, err := boards.HavannahPosition(game)
	if err != nil {
		return hexproto.Decision{}, err
	}
	if board.Over() {
		return hexproto.Decision{}, havannah.ErrOver
	}
	if !budget.None() {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, budget.Share)
		defer cancel()
	}
	move, value, evaluations := havannah.Swap, 0.0, 0
	if board.Empty() {
		move, value, err = search.FirstStone(e.network, board.Grid())
	} else {
		evaluations, err = e.run(ctx, board, e.evaluations(budget))
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
func (e *gumbelEngine) run(ctx context.Context, board *havannah.Board, most int) (evaluations int, err error) {
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
