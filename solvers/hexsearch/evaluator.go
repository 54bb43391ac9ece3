package hexsearch

import (
	"sync"

	"gamebots/hexproto/havannah"
	"gamebots/solvers/mcts"
)

// Evaluator plays playouts on threads of the CPU. Close stops them.
type Evaluator struct {
	game *Game
	seed uint64

	own    *player // plays in Start if there is one thread
	jobs   chan job
	groups []*sync.WaitGroup // groups of the batches in flight, earliest first
}

var _ mcts.Evaluator = (*Evaluator)(nil)

// job is a leaf to play from.
type job struct {
	leaf *mcts.Leaf
	n    int
	done *sync.WaitGroup
}

// NewEvaluator returns an evaluator of leaves of a game on the given threads.
func NewEvaluator(g *Game, threads int, seed uint64) *Evaluator {
	e := &Evaluator{game: g, seed: seed}
	if threads == 1 {
		e.own = new(player)
		return e
	}
	e.jobs = make(chan job)
	for range threads {
		go func() {
			var p player
			for j := range e.jobs {
				p.play(e, j.leaf, j.n)
				j.done.Done()
			}
		}()
	}
	return e
}

// Close stops the threads. No batch may be in flight.
func (e *Evaluator) Close() error {
	if e.jobs != nil {
		close(e.jobs)
	}
	return nil
}

// Start begins n playouts from each leaf.
func (e *Evaluator) Start(leaves []*mcts.Leaf, n int) {
	if e.own != nil {
		for _, l := range leaves {
			e.own.play(e, l, n)
		}
		return
	}
	group := new(sync.WaitGroup)
	group.Add(len(leaves))
	e.groups = append(e.groups, group)
	go func() {
		for _, l := range leaves {
			e.jobs <- job{l, n, group}
		}
	}()
}

// Wait waits for the earliest batch in flight.
func (e *Evaluator) Wait() error {
	if e.own == nil {
		e.groups[0].Wait()
		e.groups = e.groups[1:]
	}
	return nil
}

// Read does nothing: the threads set the results.
func (e *Evaluator) Read(*mcts.Leaf) {}

// player plays on one thread.
type player struct{ pos cursor }

// play plays n playouts from a leaf and sets its results.
func (p *player) play(e *Evaluator, l *mcts.Leaf, n int) {
	l.Score = 0
	for _, counts := range l.AMAF {
		clear(counts)
	}
	me := e.game.board.Turn()
	for i := range n {
		p.pos.reset(e.game)
		for _, m := range l.Path {
			p.pos.play(m)
		}
		side := len(l.Path) & 1
		winner, plies := p.pos.Rollout(e.seed, l.FirstPlayout+uint64(i), e.game.permanent)
		points := [2]uint32{1, 1}
		switch winner {
		case havannah.NoColour:
		case me:
			points = [2]uint32{2, 0}
		default:
			points = [2]uint32{0, 2}
		}
		l.Score += float32(points[0]) / 2
		for ply := range plies {
			l.AMAF[side][p.pos.RolloutMove(ply)] += 1 | points[side]<<16
			side ^= 1
		}
	}
}
