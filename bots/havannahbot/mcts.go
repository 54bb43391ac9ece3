package havannahbot

import (
	"cmp"
	"context"
	"errors"
	"math"
	"runtime"
	"time"

	"gamebots/cudalib"
	"gamebots/hexproto"
	"gamebots/hexproto/boards"
	"gamebots/hexproto/havannah"
	"gamebots/solvers/hexnet"
	"gamebots/solvers/hexsearch"
	"gamebots/solvers/mcts"
)

// MCTS plays by Monte Carlo tree search. The zero value searches for a second a
// move, on one thread or on a GPU.
type MCTS struct {
	Seed uint64
	// Threads play random games, or grow the tree if a GPU plays them. 0 is 1, or
	// with a GPU one for each processor, up to maxTreeThreads.
	Threads int
	// Device plays the random games. Auto uses a GPU only for time-limited search.
	// With a simulation limit it stays on the CPU, because a batched search visits
	// other nodes.
	Device      cudalib.Choice
	Simulations int           // limit of a move, including those of the reused tree; 0 is none
	Time        time.Duration // time of a move in a game without clocks; 0 is a second without a simulation limit
	Memory      int           // bytes of a game's tree; 0 is DefaultMemory
	Ponder      bool          // search in the opponent's time
	// Net, if not nil, gives its opinion of positions that the search visits often. The search
	// then stays on the CPU: Gumbel is the player for a network on a GPU.
	Net *hexnet.Net

	// Search has how many random games are played together, and after how many simulations a node is
	// searched for a proof; zero values are the defaults.
	Search mcts.Options
}

var _ interface {
	hexproto.PonderingDecider
	hexproto.DrawDecider
} = (*mctsEngine)(nil)

// DefaultMemory is the default size of a game's tree in bytes.
const DefaultMemory = 256 << 20

// ErrNetworkOnGPU is the error of an MCTS with a network that is to use a GPU.
var ErrNetworkOnGPU = errors.New("the tree search stays on the CPU with a network")

// gpuOptions are the options that win most on a GPU, where random games cost next
// to nothing beside the descent to their leaf.
var gpuOptions = mcts.Options{Batch: 128, LeavesPerDescent: 2, Playouts: 64, RAVEWeight: 16}

// maxTreeThreads bounds the threads that grow a tree beside a GPU. More add hardly
// anything.
const maxTreeThreads = 8

// Bytes returns the size of the tree that a game of the bot takes.
func (t MCTS) Bytes() int64 { return int64(cmp.Or(t.Memory, DefaultMemory)) }

// Open returns an error if the bot needs a GPU that it cannot use.
func (t MCTS) Open(_ context.Context, at hexproto.Position) (_ hexproto.Decider, err error) {
	if t.Net != nil {
		if t.Device.GPU() {
			return nil, ErrNetworkOnGPU
		}
		t.Device = cudalib.CPU()
	}
	t.Memory = cmp.Or(t.Memory, DefaultMemory)
	if t.Simulations == 0 {
		t.Time = cmp.Or(t.Time, time.Second)
	}
	e := &mctsEngine{MCTS: t, seed: t.Seed ^ at.Seed}
	if e.gpu, _, err = t.Device.If(t.Simulations == 0, "a batched search visits other nodes").Open(); err != nil {
		return nil, err
	}
	if board := boards.HavannahBoard(at.Game); !board.Over() {
		if err := e.newSearch(board); err != nil {
			return nil, errors.Join(err, e.Close())
		}
	}
	return e, nil
}

// Check returns an error if the bot needs a GPU that it cannot use.
func (t MCTS) Check() error {
	if t.Net != nil && t.Device.GPU() {
		return ErrNetworkOnGPU
	}
	return t.Device.Check()
}

// mctsEngine is the search of one game, which follows its moves.
type mctsEngine struct {
	MCTS
	seed   uint64
	gpu    *cudalib.Device // nil for none
	game   *hexsearch.Game
	eval   evaluator
	search *mcts.Search
}

type evaluator interface {
	mcts.Evaluator
	Close() error
}

// newSearch starts a search of a board.
func (e *mctsEngine) newSearch(b *havannah.Board) error {
	if e.eval != nil {
		if err := e.eval.Close(); err != nil {
			return err
		}
		e.eval = nil
	}
	e.game = hexsearch.NewAdvisedGame(b, e.Net)
	if e.gpu != nil {
		eval, err := hexsearch.NewLeafDevice(e.game, e.gpu, e.options(), e.seed)
		switch {
		case err == nil:
			e.eval = eval
		case e.Device.GPU():
			return err
		default: // auto: go on without this GPU
			if err := e.gpu.Close(); err != nil {
				return err
			}
			e.gpu = nil
		}
	}
	if e.gpu == nil {
		e.eval = hexsearch.NewEvaluator(e.game, max(e.Threads, 1), e.seed)
	}
	e.search = mcts.New(e.game, e.eval, e.options())
	return nil
}

// adviseAfter is the number of simulations after which a network is asked about a position.
// Its answer takes as long as some dozens of simulations on a CPU.
const adviseAfter = 512

// options returns the options of the search on its device.
func (e *mctsEngine) options() mcts.Options {
	o := e.Search
	o.Memory, o.AdviseAfter = e.Memory, adviseAfter
	switch {
	case e.gpu != nil || o.Playouts > 1:
		o.Batch, o.LeavesPerDescent = cmp.Or(o.Batch, gpuOptions.Batch), cmp.Or(o.LeavesPerDescent,
			gpuOptions.LeavesPerDescent)
		o.Playouts, o.RAVEWeight = cmp.Or(o.Playouts, gpuOptions.Playouts), gpuOptions.RAVEWeight
		if e.gpu != nil {
			o.Threads = cmp.Or(e.Threads, min(maxTreeThreads, runtime.GOMAXPROCS(0)))
		}
	case e.Threads > 1:
		o.Batch = cmp.Or(o.Batch, 2*e.Threads)
	}
	return o
}

// follow brings the search to a position. It advances the tree if the
// position follows from the last one, and starts a new search otherwise.
func (e *mctsEngine) follow(at hexproto.Position) error {
	board := boards.HavannahBoard(at.Game)
	if board.Over() {
		return havannah.ErrOver
	}
	if e.search == nil || !isPrefix(e.game.Board(), board) {
		return e.newSearch(board)
	}
	for i := e.game.Board().NumMoves(); i < board.NumMoves(); i++ {
		e.search.Advance(e.game.Number(board.Move(i)))
	}
	return nil
}

// isPrefix reports whether a game begins with the moves of b.
func isPrefix(b, of *havannah.Board) bool {
	if b.Grid() != of.Grid() || b.NumMoves() > of.NumMoves() {
		return false
	}
	for i := range b.NumMoves() {
		if b.Move(i) != of.Move(i) {
			return false
		}
	}
	return true
}

// Decide searches for as long as the time and the bot's own limits allow.
func (e *mctsEngine) Decide(
	ctx context.Context, at hexproto.Position, within time.Duration,
) (hexproto.Decision, error) {
	if err := e.follow(at); err != nil {
		return hexproto.Decision{}, err
	}
	ctx, cancel := limited(ctx, cmp.Or(within, e.Time))
	defer cancel()
	limit := cmp.Or(e.Simulations, math.MaxInt)
	if len(e.search.Stats()) == 1 {
		limit = 0 // the only move
	}
	if err := e.run(ctx, limit); err != nil {
		return hexproto.Decision{}, err
	}
	rated := rate(e.search, e.game)
	return hexproto.Decision{Move: rated[0].Move, Rated: rated[:min(len(rated), maxRated)]}, nil
}

// value returns the expected result of a move from 0 to 1, NaN if unknown.
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

// Ponder searches the position in which the opponent is to move.
func (e *mctsEngine) Ponder(ctx context.Context, at hexproto.Position) {
	if e.MCTS.Ponder && e.follow(at) == nil {
		_ = e.run(ctx, math.MaxInt) // Decide returns the same error
	}
}

// run searches. With a GPU it does so in the goroutine that owns it, because to
// hand over each batch would take longer than the selection of ten leaves.
func (e *mctsEngine) run(ctx context.Context, simulations int) error {
	if e.gpu == nil {
		return e.search.Run(ctx, simulations)
	}
	return e.gpu.Do(func() error { return e.search.Run(ctx, simulations) })
}

// Close ends the threads of the search and closes its GPU.
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
