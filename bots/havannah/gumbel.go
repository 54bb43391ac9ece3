package havannah

import (
	"cmp"
	"context"
	"errors"

	"gamebots/hexproto"
	"gamebots/hexproto/boards"
	"gamebots/hexproto/havannah"
	"gamebots/hexproto/wire"
	search "gamebots/solvers/gumbel/havannah"
	"gamebots/solvers/hexnet"
	encoding "gamebots/solvers/hexnet/havannah"
)

// Gumbel plays by a network, with few evaluations a move: as the network does in its own
// training, but without random choices.
type Gumbel struct {
	Net         *hexnet.Net
	Evaluations int // of a move; 0 is DefaultEvaluations
}

// DefaultEvaluations is the default number of evaluations of a move of Gumbel.
const DefaultEvaluations = 256

var _ hexproto.Bot = Gumbel{}

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
	return &gumbelEngine{
		evaluations: cmp.Or(b.Evaluations, DefaultEvaluations),
		search:      search.NewSearch(g), evaluator: hexnet.NewEvaluator(b.Net, encoding.ShapeOf(g), 1),
	}, nil
}

// gumbelEngine is the search of one game.
type gumbelEngine struct {
	evaluations int
	search      *search.Search
	evaluator   *hexnet.Evaluator
	outputs     hexnet.Outputs
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
		if move, value, err = search.FirstStone(e.evaluator, board.Grid()); err != nil {
			return hexproto.Decision{}, err
		}
	} else {
		for e.search.Start(board, e.evaluations, nil); e.search.Next(); e.search.Set(&e.outputs, 0) {
			if err := e.evaluator.Evaluate(e.search.Planes(), &e.outputs); err != nil {
				return hexproto.Decision{}, err
			}
			if evaluations++; evaluations > 1 && ctx.Err() != nil {
				break
			}
		}
		move, value = e.search.Move(e.search.Best()), e.search.Value()
	}
	name := board.Grid().Format(move)
	rated := wire.Rated{Move: name, Value: (1 + value) / 2, Work: int64(evaluations)}
	return hexproto.Decision{Move: name, Rated: []wire.Rated{rated}}, nil
}

// Close does nothing.
func (*gumbelEngine) Close() error { return nil }
