package nmcs

import (
	"context"
	"math"

	"gamebots/internal/portable"
)

// AdaptableGame is a game for which a policy can be learned: it numbers the moves of all positions.
type AdaptableGame[G any] interface {
	Game[G]
	// NumCodes returns the number of codes.
	NumCodes() int
	// Code returns the code of a legal move, in [0, NumCodes).
	Code(Move) int
}

// NRPA is a [Worker] that does nested rollout policy adaptation.
type NRPA[G AdaptableGame[G]] struct {
	start, game G
	level       int
	iterations  int // per level
	levels      []nrpaLevel
	moves       []Move
	changed     []int // codes of weights that adapt changed
	work        Work
	onImproved  func(Line)
}

// nrpaLevel is the state of the searches of one level.
type nrpaLevel struct {
	policy policy
	best   Line
}

// policy has the weights of moves, and their exponentials, by code.
type policy struct{ weight, exp []float64 }

// NewNRPA returns a worker that searches from a position. A search of level n ≥ 1 makes a
// number of searches of level n-1, and adapts its policy after each, at the learning rate 1 of
// the paper. NewGame returns a game to copy positions to.
func NewNRPA[G AdaptableGame[G]](newGame func() G, start G, level, iterations int) *NRPA[G] {
	n := &NRPA[G]{start: start, game: newGame(), level: level, iterations: iterations,
		levels: make([]nrpaLevel, level+1)}
	for i := range n.levels {
		codes := start.NumCodes()
		n.levels[i].policy = policy{make([]float64, codes), make([]float64, codes)}
	}
	return n
}

// Work returns the work of all runs so far.
func (n *NRPA[G]) Work() Work { return n.work }

// Run makes a search: see [Worker].
func (n *NRPA[G]) Run(ctx context.Context, key Key, onImproved func(Line)) (Line, bool) {
	stream := key.Stream(0)
	p := n.levels[n.level].policy
	clear(p.weight)
	for i := range p.exp {
		p.exp[i] = 1
	}
	n.onImproved = onImproved
	completed := n.search(ctx, n.level, &stream)
	return n.levels[n.level].best, completed
}

// search searches with the policy of its level, which it adapts, and sets the level's best
// line. It reports whether it completed.
func (n *NRPA[G]) search(ctx context.Context, level int, stream *Stream) (completed bool) {
	l := &n.levels[level]
	l.best.Moves, l.best.Score = l.best.Moves[:0], math.MinInt
	if level == 0 {
		n.playout(l, stream)
		return true
	}
	below := &n.levels[level-1]
	for range n.iterations {
		if level == 1 {
			// A playout does not change the policy, so it can use the original.
			below.policy, l.policy = l.policy, below.policy
		} else {
			copy(below.policy.weight, l.policy.weight)
			copy(below.policy.exp, l.policy.exp)
		}
		completed = n.search(ctx, level-1, stream)
		if level == 1 {
			below.policy, l.policy = l.policy, below.policy
		}
		if below.best.Score >= l.best.Score {
			better := below.best.Score > l.best.Score
			l.best.set(below.best)
			if better && level == n.level && n.onImproved != nil {
				n.onImproved(l.best)
			}
		}
		if !completed || ctx.Err() != nil {
			return false
		}
		n.adapt(l)
	}
	return true
}

// playout draws moves with probabilities proportional to the exponentials of their weights.
func (n *NRPA[G]) playout(l *nrpaLevel, stream *Stream) {
	n.game.CopyFrom(n.start)
	for {
		n.moves = n.game.AppendMoves(n.moves[:0])
		if len(n.moves) == 0 {
			break
		}
		sum := 0.0
		for _, m := range n.moves {
			sum += l.policy.exp[n.game.Code(m)]
		}
		at, chosen := float64(stream.Uint32())/(1<<32)*sum, n.moves[len(n.moves)-1]
		for _, m := range n.moves {
			if at -= l.policy.exp[n.game.Code(m)]; at < 0 {
				chosen = m
				break
			}
		}
		n.game.Play(chosen)
		l.best.Moves = append(l.best.Moves, chosen)
	}
	l.best.Score = n.game.Score()
	n.work.Playouts++
	n.work.Steps += uint64(len(l.best.Moves))
}

// adapt moves the policy towards the best line. The gradient uses the probabilities before
// the change, so the exponentials are updated last.
func (n *NRPA[G]) adapt(l *nrpaLevel) {
	p := l.policy
	n.changed = n.changed[:0]
	n.game.CopyFrom(n.start)
	for _, best := range l.best.Moves {
		n.moves = n.game.AppendMoves(n.moves[:0])
		sum := 0.0
		for _, m := range n.moves {
			sum += p.exp[n.game.Code(m)]
		}
		for _, m := range n.moves {
			code := n.game.Code(m)
			p.weight[code] -= p.exp[code] / sum
			if m == best {
				p.weight[code]++
			}
			n.changed = append(n.changed, code)
		}
		n.game.Play(best)
	}
	for _, code := range n.changed {
		p.exp[code] = portable.Exp(p.weight[code])
	}
}
