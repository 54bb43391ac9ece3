package havannah

import (
	"sync"

	"gamebots/hexproto/havannah"
	"gamebots/solvers/mcts"
)

// Evaluator plays random games on threads of a CPU. Close ends them.
type Evaluator struct {
	game *Game
	seed uint64

	own    *player // plays by itself where there is one thread
	jobs   chan job
	groups []*sync.WaitGroup // of leaves that were started, first to last
}

var _ mcts.Evaluator = (*Evaluator)(nil)

// job is a leaf to be played from.
type job struct {
	leaf *mcts.Leaf
	n    int
	done *sync.WaitGroup
}

// NewEvaluator returns an evaluator of leaves of a game on a number of threads.
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

// Close ends the threads. Nothing may be under way.
func (e *Evaluator) Close() error {
	if e.jobs != nil {
		close(e.jobs)
	}
	return nil
}

// Start begins to play from leaves.
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

// Wait waits for the leaves that were started first.
func (e *Evaluator) Wait() error {
	if e.own == nil {
		e.groups[0].Wait()
		e.groups = e.groups[1:]
	}
	return nil
}

// Read has nothing to do: threads set the results.
func (e *Evaluator) Read(*mcts.Leaf) {}

// player plays on one thread.
type player struct{ pos root }

// play sets a leaf's results.
func (p *player) play(e *Evaluator, l *mcts.Leaf, n int) {
	l.Score = 0
	for _, t := range l.Taken {
		clear(t)
	}
	me := e.game.board.Turn()
	for i := range n {
		p.pos.reset(e.game)
		for _, m := range l.Path {
			play(p.pos.Position, m)
		}
		side := len(l.Path) & 1
		winner, plies := p.pos.Rollout(e.seed, l.Number+uint64(i), e.game.style.Permanent, e.game.style.Replies)
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
			l.Taken[side][p.pos.Rolled(ply)] += 1 | points[side]<<16
			side ^= 1
		}
	}
}
