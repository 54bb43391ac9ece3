package nimbot

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"sync"
	"time"

	"gamebots/cudalib"
	"gamebots/hexproto"
	"gamebots/hexproto/boards"
	"gamebots/hexproto/game"
	"gamebots/hexproto/nim"
	"gamebots/solvers/nimsolver"
)

// Minimax plays by minimax search with gamebots/solvers/nimsolver, without the XOR
// rule. It solves a board with few enough positions at its first move, and looks up
// all later ones in the table. On a larger board it searches by iterative deepening
// until moves have made the board small.
//
// Minimax opens a GPU with its first game. All games share the GPU and the tables.
// Any goroutine may use a Minimax.
type Minimax struct {
	// Memory bounds the bytes of a search on a CPU, and of the tables that are kept. 0
	// is 256 MiB for a search and 128 MiB for tables. It is set before the first game.
	Memory int64

	seed   uint64
	choice cudalib.Choice

	mu        sync.Mutex
	opened    bool
	device    *cudalib.Device
	gpu       *nimsolver.Device // nil: the CPU
	searching chan struct{}     // has room for the searches that may run at a time

	solving sync.Mutex         // held while solving, so that no board is solved twice
	tables  []*nimsolver.Table // newest first
}

// The largest tables in bytes, and how many are kept.
const (
	maxTableCPU = 32 << 20 // a third of a second on one core
	maxTableGPU = nimsolver.EightHeapsBytes
	maxTables   = 4
	quickTable  = 8 << 10 // a millisecond on one core
)

// maxSearches is how many searches run at a time on a CPU. Each takes a core, and
// up to 256 MiB.
const maxSearches = 4

// untimedThinking is the time of a move in a game without clocks.
const untimedThinking = 2 * time.Second

// NewMinimax returns a bot that searches on a device.
func NewMinimax(seed uint64, device cudalib.Choice) *Minimax {
	return &Minimax{seed: seed, choice: device}
}

// Close closes the GPU. All games of the bot have to be closed.
func (b *Minimax) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.gpu == nil {
		return nil
	}
	err := errors.Join(b.gpu.Close(), b.device.Close())
	b.gpu, b.device = nil, nil
	return err
}

// Open returns an error if the bot needs a GPU that it cannot use.
func (b *Minimax) Open(context.Context, hexproto.Position) (hexproto.Decider, error) {
	if err := b.prepare(); err != nil {
		return nil, err
	}
	return minimaxEngine{b}, nil
}

// Quick reports whether the board's table is small.
func (b *Minimax) Quick(g game.Game) bool {
	if boards.NimBoard(g) == nil { // the rules are others that the caller has made of Nim
		return false
	}
	bytes, err := nimsolver.TableBytes(positionOf(g))
	return err == nil && bytes <= quickTable
}

// positionOf returns a game's position as solvers know it.
func positionOf(g game.Game) nimsolver.Position {
	board := boards.NimBoard(g)
	return nimsolver.Position{Rules: board.Rules(), Heaps: board.Heaps()}
}

// Check returns an error if the bot needs a GPU that it cannot use.
func (b *Minimax) Check() error {
	if !b.choice.GPU() {
		return nil
	}
	return b.prepare()
}

// prepare opens the GPU, once.
func (b *Minimax) prepare() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.opened {
		return nil
	}
	device, _, err := b.choice.Open()
	if err != nil {
		return err
	}
	if device != nil {
		if b.gpu, err = nimsolver.NewDevice(device); err != nil {
			return errors.Join(err, device.Close())
		}
	}
	looks := 1
	if b.gpu == nil {
		looks = min(maxSearches, runtime.NumCPU())
	}
	b.opened, b.device, b.searching = true, device, make(chan struct{}, looks)
	return nil
}

// minimaxEngine is the engine of a game. It has no state but the bot's.
type minimaxEngine struct{ *Minimax }

// Close does nothing: the bot keeps its tables and its GPU.
func (minimaxEngine) Close() error { return nil }

// Decide plays the best move, or a random move if all lose.
func (t minimaxEngine) Decide(
	ctx context.Context, at hexproto.Position, within time.Duration,
) (hexproto.Decision, error) {
	if boards.NimBoard(at.Game).Over() {
		return hexproto.Decision{}, nim.ErrOver
	}
	r, err := t.think(ctx, positionOf(at.Game), cmp.Or(within, untimedThinking))
	if err != nil {
		return hexproto.Decision{}, err
	}
	if r.Value == nimsolver.Loss {
		_, r.Move = drawn(t.seed, at)
	}
	move := nim.OpenSpiel.Format(r.Move)
	return hexproto.Decision{
		Move:  move,
		Rated: []game.Rated{{Move: move, Value: float64(r.Value+1) / 2, Work: int64(r.Nodes)}},
	}, nil
}

// think finds the best move of a position that is not over.
func (b *Minimax) think(ctx context.Context, p nimsolver.Position, share time.Duration) (nimsolver.Result, error) {
	if t, err := b.tableOf(ctx, p); err != nil {
		return nimsolver.Result{}, err
	} else if t != nil {
		return t.Best(p.Heaps), nil
	}
	return b.deepen(ctx, p, share)
}

// tableOf returns a table with a position, or nil if the board is too large for
// one.
func (b *Minimax) tableOf(ctx context.Context, p nimsolver.Position) (*nimsolver.Table, error) {
	bytes, err := nimsolver.TableBytes(p)
	if err == nil && bytes <= quickTable { // does not wait for others
		return nimsolver.NewTable(ctx, p, 1, nil)
	}
	b.solving.Lock()
	defer b.solving.Unlock()
	for _, t := range b.tables {
		if t.Contains(p) {
			return t, nil
		}
	}
	limit := int64(maxTableCPU)
	if b.Memory > 0 {
		limit = min(limit, b.Memory/maxTables)
	}
	if b.gpu != nil {
		limit = maxTableGPU
	}
	if err != nil || bytes > limit {
		return nil, nil
	}
	t, err := b.solve(ctx, p)
	if err != nil {
		return nil, err
	}
	b.tables = append([]*nimsolver.Table{t}, b.tables[:min(len(b.tables), maxTables-1)]...)
	return t, nil
}

// acquire waits for room to search, and returns a function that frees it.
func (b *Minimax) acquire(ctx context.Context) (done func(), err error) {
	select {
	case b.searching <- struct{}{}:
		return func() { <-b.searching }, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// solve solves a board, on the CPU if the GPU has too little memory.
func (b *Minimax) solve(ctx context.Context, p nimsolver.Position) (*nimsolver.Table, error) {
	if b.gpu != nil {
		done, err := b.acquire(ctx)
		if err != nil {
			return nil, err
		}
		t, err := b.gpu.NewTable(ctx, p)
		done()
		if memory := (*cudalib.MemoryError)(nil); !errors.As(err, &memory) {
			return t, err
		}
	}
	return nimsolver.NewTable(ctx, p, 1, nil)
}

// deepen searches by iterative deepening. It ends when the value is known, or when
// the next depth would probably take longer than the time left. Two more plies
// multiply the work by about the number of moves; for one more ply a tenth of that
// number is assumed.
func (b *Minimax) deepen(
	ctx context.Context, p nimsolver.Position, share time.Duration,
) (best nimsolver.Result, err error) {
	timed, cancel := context.WithTimeout(ctx, share)
	defer cancel()
	growth := time.Duration(2 + len(p.Rules.AppendMoves(p.Heaps, nil))/10)
	end := time.Now().Add(share)
	for depth := 1; depth <= nimsolver.MaxDepth; depth++ {
		in := timed
		if depth == 1 {
			in = ctx // a move is needed however late it is
		}
		r, took, err := b.search(in, p, depth)
		switch {
		case err != nil && depth > 1 && timed.Err() != nil:
			return best, nil
		case err != nil:
			return best, err
		}
		best = r
		if r.Value != nimsolver.Unknown || time.Until(end) < growth*took {
			break
		}
	}
	return best, nil
}

// search searches to a depth once there is room, and returns its duration.
func (b *Minimax) search(
	ctx context.Context, p nimsolver.Position, depth int,
) (r nimsolver.Result, took time.Duration, err error) {
	done, err := b.acquire(ctx)
	if err != nil {
		return nimsolver.Result{}, 0, err
	}
	defer done()
	start := time.Now()
	if b.gpu == nil {
		bits := nimsolver.TableBits(depth)
		for b.Memory > 0 && nimsolver.SearchBytes(bits) > b.Memory {
			bits--
		}
		r, err = nimsolver.Search(ctx, p, depth, bits)
	} else {
		r, err = b.gpu.Search(nimsolver.SolveVersion, p, depth)
	}
	return r, time.Since(start), err
}
