package selfplay

import (
	"context"

	"gamebots/hexproto/havannah"
	"gamebots/internal/rng"
	"gamebots/solvers/hexnet"
)

// pool is the games of one side, and the positions recorded in them.
type pool struct {
	grid    *havannah.Grid
	games   []*game
	window  *window
	threads int // threads that take what was played
	player  player
	here    Player // plays generations on this machine, by the same player
	credit  int    // positions that may be learned from before the next round
	played  Played
}

// player plays rounds of games by a network. One goroutine uses it at a time, but that of the CPU may be closed while
// it plays.
type player interface {
	// play goes on in games until each has ended its rounds, or the context ends: then it returns the cause.
	play(ctx context.Context, games []*game) error
	setNet(n *hexnet.Net) error
	close() error
}

// newPool returns a pool whose games have not begun.
func newPool(g *havannah.Grid, n *hexnet.Net, s *Settings, o Options, capacity int) (*pool, error) {
	p := &pool{grid: g, threads: max(o.Threads, 1), window: newWindow(g.NumCells, capacity)}
	for i := range s.games() {
		p.games = append(p.games, newGame(g, rng.At(s.Seed, uint64(g.Side)<<32|uint64(i))))
	}
	if o.Elsewhere != nil {
		return p, nil
	}
	here, err := NewPlayer(g.Side, n, len(p.games), o)
	if err != nil {
		return nil, err
	}
	p.here, p.player = *here, here.player
	return p, nil
}

// round plays a round of all games, and adds the positions of those that ended to the
// window. It returns their number.
func (p *pool) round() (recorded int, err error) {
	for _, g := range p.games {
		g.startRounds(1)
	}
	if err := p.player.play(context.Background(), p.games); err != nil {
		return 0, err
	}
	for _, g := range p.games {
		for i := range g.finished {
			p.window.add(&g.finished[i])
		}
		recorded += len(g.finished)
		p.played.add(g.played)
	}
	return recorded, nil
}

// window has the newest recorded positions of one size, in arrays that are a ring.
type window struct {
	numCells int
	Cells    []uint8 // cells of each position
	Policy   []uint16
	Last     []uint16 // last move of each position
	Reply    []uint16
	Value    []int8
	Kinds    []uint8
	Added    uint64 // positions ever added
}

// The positions of a window, and the number of them from which learning begins to forget
// the oldest.
const (
	maxWindow = 1 << 18
	minWindow = 1 << 13
)

// windowBytes bounds the windows of all sides together, at three bytes a cell: those that
// a checkpoint of them has.
const windowBytes = 32 << 20

func newWindow(numCells, capacity int) *window {
	return &window{
		numCells: numCells, Cells: make([]uint8, numCells*capacity), Policy: make([]uint16, numCells*capacity),
		Last: make([]uint16, capacity), Reply: make([]uint16, capacity), Value: make([]int8, capacity),
		Kinds: make([]uint8, capacity),
	}
}

// add adds a position; it may replace the oldest.
func (w *window) add(s *sample) {
	i := int(w.Added % uint64(len(w.Last)))
	copy(w.Cells[i*w.numCells:], s.Cells)
	copy(w.Policy[i*w.numCells:], s.Policy)
	w.Last[i], w.Reply[i], w.Value[i], w.Kinds[i] = s.Last, s.Reply, s.Value, s.Kinds
	w.Added++
}

// size returns the number of positions to learn from: the newer half of all, but minWindow
// at least, as far as there are so many.
func (w *window) size() int {
	return int(min(max(w.Added/2, minWindow), w.Added, uint64(len(w.Last))))
}

// at returns the index of a position by its age, from 0.
func (w *window) at(age int) int { return int((w.Added - 1 - uint64(age)) % uint64(len(w.Last))) }
