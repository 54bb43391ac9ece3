package havannah

import (
	"cmp"
	"context"
	"errors"
	"math"
	"runtime"
	"slices"
	"time"

	"gamebots/cudalib"
	"gamebots/hexproto"
	"gamebots/hexproto/boards"
	"gamebots/hexproto/havannah"
	"gamebots/hexproto/wire"
	"gamebots/solvers/mcts"
	mctshavannah "gamebots/solvers/mcts/havannah"
)

// MCTS plays by tree search. The zero value grows its tree on one thread and
// plays random games there, or on a GPU where there is one.
type MCTS struct {
	Seed uint64
	// Threads play random games, or grow the tree where a GPU does; 0 is one, or with
	// a GPU as many as there are processors, up to eight.
	Threads int
	// Device is where random games are played. Any will do is a GPU where there is
	// one and time is the limit: as many simulations are another search there.
	Device      cudalib.Choice
	Simulations int           // a move at most, kept ones included; 0 is no limit
	Time        time.Duration // a move at most where there is no clock and no limit; 0 is a second
	Memory      int           // bytes of a game's tree; 0 is DefaultMemory
	Ponder      bool          // think in the other's time

	// For comparisons:
	Params  *mctshavannah.Params // nil is the default
	Search  mcts.Options         // zero values are the default
	NoReuse bool                 // do not keep the tree between moves
}

var (
	_ hexproto.Bot      = MCTS{}
	_ hexproto.Checker  = MCTS{}
	_ hexproto.Ponderer = (*mctsEngine)(nil)
)

// DefaultMemory is what a game's tree takes, in bytes, where nothing else is said.
const DefaultMemory = 256 << 20

// gpuOptions is the search that wins most on a GPU, where games cost next to nothing
// beside the way to their leaf.
var gpuOptions = mcts.Options{Batch: 128, LeavesPerDescent: 2, Playouts: 64, RAVEWeight: 16}

// maxTreeThreads is how many threads grow a tree at most: half as many again add hardly
// anything.
const maxTreeThreads = 8

// Open refuses what is no Havannah, and a GPU that was asked for and is not there.
func (t MCTS) Open(_ context.Context, game *wire.Game, _ int) (hexproto.Engine, error) {
	board, err := boards.HavannahPosition(game)
	if err != nil {
		return nil, err
	}
	t.Memory = cmp.Or(t.Memory, DefaultMemory)
	if t.Simulations == 0 {
		t.Time = cmp.Or(t.Time, time.Second)
	}
	e := &mctsEngine{MCTS: t, seed: first(seedOf(t.Seed, game))}
	if t.Device.GPU() || !t.Device.CPU() && t.Simulations == 0 {
		if e.gpu, _, err = t.Device.Open(); err != nil {
			return nil, err
		}
	}
	if !board.Over() {
		if err := e.newSearch(board); err != nil {
			return nil, errors.Join(err, e.Close())
		}
	}
	return e, nil
}

// Check opens a GPU that was asked for.
func (t MCTS) Check(context.Context, *wire.Game) error { return t.Device.Check() }

func first(a, _ uint64) uint64 { return a }

// mctsEngine is a search of one game that goes along with it.
type mctsEngine struct {
	MCTS
	seed   uint64
	gpu    *cudalib.Device // nil for none
	game   *mctshavannah.Game
	eval   evaluator
	search *mcts.Search
}

type evaluator interface {
	mcts.Evaluator
	Close() error
}

// newSearch starts a search from a board.
func (e *mctsEngine) newSearch(b *havannah.Board) error {
	if e.eval != nil {
		if err := e.eval.Close(); err != nil {
			return err
		}
		e.eval = nil
	}
	params := mctshavannah.DefaultParams
	if e.Params != nil {
		params = *e.Params
	}
	e.game = mctshavannah.NewGame(b, params)
	if e.gpu != nil {
		eval, err := mctshavannah.NewDevice(e.game, e.gpu, e.options(), e.seed)
		switch {
		case err == nil:
			e.eval = eval
		case e.Device.GPU():
			return err
		default: // any will do, and this one does not
			if err := e.gpu.Close(); err != nil {
				return err
			}
			e.gpu = nil
		}
	}
	if e.gpu == nil {
		e.eval = mctshavannah.NewEvaluator(e.game, max(e.Threads, 1), e.seed)
	}
	e.search = mcts.New(e.game, e.eval, e.options())
	return nil
}

// options are those of the search where it is played.
func (e *mctsEngine) options() mcts.Options {
	o := e.Search
	o.Memory = e.Memory
	switch {
	case e.gpu != nil || o.Playouts > 1:
		o.Batch, o.LeavesPerDescent = cmp.Or(o.Batch, gpuOptions.Batch), cmp.Or(o.LeavesPerDescent, gpuOptions.LeavesPerDescent)
		o.Playouts, o.RAVEWeight = cmp.Or(o.Playouts, gpuOptions.Playouts), cmp.Or(o.RAVEWeight, gpuOptions.RAVEWeight)
		if e.gpu != nil {
			o.Threads = cmp.Or(e.Threads, min(maxTreeThreads, runtime.GOMAXPROCS(0)))
		}
	case e.Threads > 1:
		o.Batch = cmp.Or(o.Batch, 2*e.Threads)
	}
	return o
}

// follow brings the search to a game's position: along its moves if it is on
// their way, else from the start.
func (e *mctsEngine) follow(game *wire.Game) error {
	board, err := boards.HavannahPosition(game)
	if err != nil {
		return err
	}
	if board.Over() {
		return havannah.ErrOver
	}
	if e.search == nil || e.NoReuse || !leadsTo(e.game.Board(), board) {
		return e.newSearch(board)
	}
	for i := e.game.Board().NumMoves(); i < board.NumMoves(); i++ {
		e.search.Advance(e.game.Number(board.Move(i)))
	}
	return nil
}

// leadsTo says whether a game begins with the moves of another.
func leadsTo(b, to *havannah.Board) bool {
	if b.Grid() != to.Grid() || b.NumMoves() > to.NumMoves() {
		return false
	}
	for i := range b.NumMoves() {
		if b.Move(i) != to.Move(i) {
			return false
		}
	}
	return true
}

// Decide searches for as long as the budget, or the bot's own limits, allow.
func (e *mctsEngine) Decide(ctx context.Context, game *wire.Game, budget hexproto.Budget) (hexproto.Decision, error) {
	if err := e.follow(game); err != nil {
		return hexproto.Decision{}, err
	}
	allowed := e.Time
	if budget != (hexproto.Budget{}) {
		board := e.game.Board()
		allowed = moveTime(budget, board.Grid().NumCells-board.NumMoves())
	}
	if allowed > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, allowed)
		defer cancel()
	}
	limit := cmp.Or(e.Simulations, math.MaxInt)
	if len(e.search.Stats()) == 1 {
		limit = 0 // it is forced
	}
	if err := e.run(ctx, limit); err != nil {
		return hexproto.Decision{}, err
	}
	rated := e.rated()
	return hexproto.Decision{Move: rated[0].Move, Rated: rated[:min(len(rated), maxRated)]}, nil
}

// ratedShare is how many times fewer simulations than the best a move may have: the
// score of fewer says nothing.
const ratedShare = 100

// rated returns the moves of the search that it knows something of, best first.
func (e *mctsEngine) rated() []wire.Rated {
	var rated []wire.Rated
	stats := e.search.Stats()
	for _, s := range stats {
		if s.Proof == mcts.Unknown && s.Simulations < stats[0].Simulations/ratedShare {
			continue
		}
		value := value(s)
		if math.IsNaN(value) {
			value = 0
		}
		rated = append(rated, wire.Rated{
			Move:  e.game.Board().Grid().Format(e.game.Move(s.Move)),
			Value: value, Work: int64(s.Simulations),
		})
	}
	return slices.Clip(rated)
}

// value is what is expected of a move, NaN for nothing.
func value(s mcts.Stat) float64 {
	switch s.Proof {
	case mcts.Win:
		return 1
	case mcts.Loss:
		return 0
	case mcts.Draw:
		return 0.5
	}
	return s.Score
}

// Ponder goes on searching where the other is to move.
func (e *mctsEngine) Ponder(ctx context.Context, game *wire.Game) {
	if e.MCTS.Ponder && e.follow(game) == nil {
		_ = e.run(ctx, math.MaxInt) // Decide will meet the same error
	}
}

// run searches, in the goroutine that owns the GPU if there is one: to hand each
// batch over to that would take longer than it takes to pick ten leaves.
func (e *mctsEngine) run(ctx context.Context, simulations int) error {
	if e.gpu == nil {
		return e.search.Run(ctx, simulations)
	}
	return e.gpu.Do(func() error { return e.search.Run(ctx, simulations) })
}

// Close ends the search's threads and gives its GPU back.
func (e *mctsEngine) Close() error {
	var errs []error
	if e.eval != nil {
		errs = append(errs, e.eval.Close())
	}
	if e.gpu != nil {
		errs = append(errs, e.gpu.Close())
	}
	return errors.Join(errs...)
}

// moveTime returns how long to think about a move with so many cells empty: of what
// is left as much as leaves the same for each of the moves to come, and of the
// increment and the time that is gone otherwise nearly all. Games end long before
// the board is full, the larger it is the earlier; but what turns lose on the way
// is kept for all there may be.
func moveTime(b hexproto.Budget, empty int) time.Duration {
	mine := float64((empty + 1) / 2)
	togo := max(6, 0.5*mine)
	pool := float64(b.Left - b.PerMove)
	lost := float64(max(b.Overhead, minOverhead))
	pool = max(pool-lost*max(0, mine-1), pool/200)
	allowed := time.Duration(pool/togo) + b.Increment*9/10 + b.PerMove*95/100
	return min(allowed, b.Left*9/10)
}

// minOverhead is what a turn takes beside the search.
const minOverhead = 3 * time.Millisecond
