package nmcs

import (
	"context"
	"math"
)

// AdaptableGame is a game whose moves are numbered for policies.
type AdaptableGame[G any] interface {
	Game[G]
	MoveCoder
}

// NRPA is nested rollout policy adaptation, as a [Worker].
type NRPA[G AdaptableGame[G]] struct {
	start, game G
	level       int
	iterations  int // of each level
	alpha       float64
	levels      []adaptive
	moves       []Move
	changed     []int // codes
	work        Work
	improved    func(Line)
}

// adaptive is the memory of the searches of one level.
type adaptive struct {
	policy policy
	best   Line
}

// policy has the weights of moves by their codes.
type policy struct{ weight, exp []float64 }

// NewNRPA returns a worker that searches from a position. A search of level n
// does a number of iterations of searches of level n-1, from level 1 up, and
// adapts its policy at the rate alpha, which is 1 in the paper.
func NewNRPA[G AdaptableGame[G]](fresh func() G, start G, level, iterations int, alpha float64) *NRPA[G] {
	n := &NRPA[G]{start: start, game: fresh(), level: level, iterations: iterations, alpha: alpha, levels: make([]adaptive, level+1)}
	for i := range n.levels {
		codes := start.NumCodes()
		n.levels[i].policy = policy{make([]float64, codes), make([]float64, codes)}
	}
	return n
}

// Work returns the work of all runs so far.
func (n *NRPA[G]) Work() Work { return n.work }

// Run does a search, see [Worker].
func (n *NRPA[G]) Run(ctx context.Context, key Key, improved func(Line)) (Line, bool) {
	stream := key.Stream(0)
	p := n.levels[n.level].policy
	clear(p.weight)
	for i := range p.exp {
		p.exp[i] = 1
	}
	n.improved = improved
	whole := n.search(ctx, n.level, &stream)
	return n.levels[n.level].best, whole
}

// search searches with the policy of its level, which it changes, and leaves
// the best line there.
func (n *NRPA[G]) search(ctx context.Context, level int, stream *Stream) (whole bool) {
	l := &n.levels[level]
	l.best.Moves, l.best.Score = l.best.Moves[:0], math.MinInt
	if level == 0 {
		n.playout(l, stream)
		return true
	}
	below := &n.levels[level-1]
	for range n.iterations {
		if level == 1 {
			// A playout changes no policy, so it needs no copy of one.
			below.policy, l.policy = l.policy, below.policy
		} else {
			copy(below.policy.weight, l.policy.weight)
			copy(below.policy.exp, l.policy.exp)
		}
		whole = n.search(ctx, level-1, stream)
		if level == 1 {
			below.policy, l.policy = l.policy, below.policy
		}
		if below.best.Score >= l.best.Score {
			better := below.best.Score > l.best.Score
			l.best.set(below.best)
			if better && level == n.level && n.improved != nil {
				n.improved(l.best)
			}
		}
		if !whole || ctx.Err() != nil {
			return false
		}
		n.adapt(l)
	}
	return true
}

// playout draws moves with probabilities in proportion to exp of their weights.
func (n *NRPA[G]) playout(l *adaptive, stream *Stream) {
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

// adapt moves the policy towards the best line. How likely its moves were is
// asked of the policy before the change, so exponentials follow in the end.
func (n *NRPA[G]) adapt(l *adaptive) {
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
			p.weight[code] -= float64(n.alpha * p.exp[code] / sum)
			if m == best {
				p.weight[code] += n.alpha
			}
			n.changed = append(n.changed, code)
		}
		n.game.Play(best)
	}
	for _, code := range n.changed {
		p.exp[code] = exp(p.weight[code])
	}
}

// exp is e^x with the same bits on every processor; it is off by about 1e-13 of
// itself, which drawing moves does not notice.
func exp(x float64) float64 {
	x = min(max(x, -700), 700)
	n := math.Floor(float64(x*math.Log2E) + 0.5)
	r := x - float64(n*math.Ln2)
	sum, term := 1.0, 1.0
	for i := 1; i <= 12; i++ {
		term = float64(term*r) / float64(i)
		sum += term
	}
	return math.Ldexp(sum, int(n))
}
