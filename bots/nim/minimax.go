package nim

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"time"

	"gamebots/cudalib"
	"gamebots/hexproto"
	"gamebots/hexproto/nim"
	"gamebots/hexproto/wire"
	"gamebots/solvers/minimax/sticks"
)

// Minimax plays what gamebots/solvers/minimax/sticks finds, and knows no rule of
// who wins. Where a board has few enough positions it solves the whole board at
// its first move; the table answers all later ones. Of a larger board it looks
// ahead, deeper and deeper while there is time, until moves have made it small.
//
// A GPU is opened with the first game. Its memory, and tables, are shared by all
// games. Any goroutine may use a Minimax.
type Minimax struct {
	seed   uint64
	choice cudalib.Choice

	mu     sync.Mutex
	opened bool
	device *cudalib.Device
	gpu    *sticks.Device // nil: the CPU
	where  string
	tables []*sticks.Table // the last ones, newest first
}

var _ hexproto.Bot = (*Minimax)(nil)

// Limits of a table in bytes, and how many are kept.
const (
	maxTableCPU = 32 << 20 // a third of a second on one core
	maxTableGPU = sticks.EightFullHeaps
	maxTables   = 4
)

// freeThinking is how long a move is looked for in a game without clocks.
const freeThinking = 2 * time.Second

// NewMinimax returns a bot that thinks where it is told to.
func NewMinimax(seed uint64, device cudalib.Choice) *Minimax {
	return &Minimax{seed: seed, choice: device}
}

// Close gives the GPU back. No game of the bot may be left.
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

// Where says what the bot thinks on, once it has opened a game.
func (b *Minimax) Where() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.where
}

// Open refuses what is no Nim. It fails where a GPU was asked for and there is
// none.
func (b *Minimax) Open(_ context.Context, game *wire.Game, _ int) (hexproto.Engine, error) {
	if _, err := Position(game); err != nil {
		return nil, err
	}
	if err := b.prepare(); err != nil {
		return nil, err
	}
	return thinker{b}, nil
}

// prepare opens the GPU, once.
func (b *Minimax) prepare() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.opened {
		return nil
	}
	device, where, err := b.choice.Open()
	if err != nil {
		return err
	}
	if device != nil {
		if b.gpu, err = sticks.NewDevice(device); err != nil {
			return errors.Join(err, device.Close())
		}
	}
	b.opened, b.device, b.where = true, device, where
	return nil
}

// thinker is the engine of a game. All that it knows is its bot's.
type thinker struct{ *Minimax }

// Close keeps what the bot shares.
func (thinker) Close() error { return nil }

// Decide plays the best move. Where all lose it plays any, as the other has to
// find out how to win.
func (t thinker) Decide(ctx context.Context, game *wire.Game, budget hexproto.Budget) (hexproto.Decision, error) {
	board, err := Position(game)
	if err != nil {
		return hexproto.Decision{}, err
	}
	if board.Over() {
		return hexproto.Decision{}, nim.ErrOver
	}
	share := budget.Share
	if budget.None() {
		share = freeThinking
	}
	r, err := t.think(ctx, sticks.Position{Rules: board.Rules(), Heaps: board.Heaps()}, share)
	if err != nil {
		return hexproto.Decision{}, err
	}
	if r.Value == sticks.Loss {
		moves := board.AppendMoves(nil)
		r.Move = moves[rand.New(rand.NewPCG(seedOf(t.seed, game), uint64(game.Turn))).IntN(len(moves))]
	}
	move := nim.OpenSpiel.Format(board, r.Move)
	return hexproto.Decision{
		Move:  move,
		Rated: []wire.Rated{{Move: move, Value: float64(r.Value+1) / 2, Work: int64(r.Nodes)}},
	}, nil
}

// think finds the best move of a position in which the game goes on.
func (b *Minimax) think(ctx context.Context, p sticks.Position, share time.Duration) (sticks.Result, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, t := range b.tables {
		if t.Knows(p) {
			return t.Best(p.Heaps), nil
		}
	}
	limit := int64(maxTableCPU)
	if b.gpu != nil {
		limit = maxTableGPU
	}
	if bytes, err := sticks.Bytes(p); err == nil && bytes <= limit {
		t, err := b.solve(ctx, p)
		if err != nil {
			return sticks.Result{}, err
		}
		b.tables = append([]*sticks.Table{t}, b.tables[:min(len(b.tables), maxTables-1)]...)
		return t.Best(p.Heaps), nil
	}
	return b.deepen(ctx, p, share)
}

// solve solves a board, on the CPU where the GPU cannot.
func (b *Minimax) solve(ctx context.Context, p sticks.Position) (*sticks.Table, error) {
	if b.gpu != nil {
		t, err := b.gpu.Solve(ctx, p)
		if memory := (*cudalib.MemoryError)(nil); !errors.As(err, &memory) {
			return t, err
		}
	}
	return sticks.Solve(ctx, p, 1)
}

// deepen looks ahead further and further. It ends with the value known, or when
// the next depth would take longer than a share of time that is left: two plies
// more are about as many times more work as there are moves, so one more is taken
// for a tenth of them.
func (b *Minimax) deepen(ctx context.Context, p sticks.Position, share time.Duration) (best sticks.Result, err error) {
	ctx, cancel := context.WithTimeout(ctx, share)
	defer cancel()
	growth := time.Duration(2 + len(p.Rules.AppendMoves(p.Heaps, nil))/10)
	end := time.Now().Add(share)
	for depth := 1; depth <= sticks.MaxDepth; depth++ {
		start := time.Now()
		r, err := b.look(ctx, p, depth)
		switch {
		case err != nil && depth > 1 && ctx.Err() != nil:
			return best, nil
		case err != nil:
			return best, err
		}
		best = r
		if r.Value != sticks.Unknown || time.Until(end) < growth*time.Since(start) {
			break
		}
	}
	return best, nil
}

func (b *Minimax) look(ctx context.Context, p sticks.Position, depth int) (sticks.Result, error) {
	if b.gpu == nil {
		return sticks.Search(ctx, p, depth, sticks.TableBits(depth))
	}
	r, _, err := b.gpu.Search(sticks.ForceVersion, p, depth)
	return r, err
}
