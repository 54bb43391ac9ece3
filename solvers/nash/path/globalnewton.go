package path

import (
	"context"
	"math"
	"slices"

	"gamebots/internal/parallel"
	"gamebots/internal/rng"
	"gamebots/solvers/nash/game"
	"gamebots/solvers/nash/multiplayer"
)

// Bounds of the number of steps along a path, and of their length.
const (
	maxSteps = 20000
	minStep  = 1e-12
)

// maxRays is how many bonuses are tried.
const maxRays = 10

// GlobalNewton finds an equilibrium by the global Newton method, with bonuses drawn at random. If
// floats do not suffice to certify one, as where all are degenerate, it is one of
// [multiplayer.Near] with the least regret. It fails with the error of ctx.
func GlobalNewton(ctx context.Context, g *game.NormalForm) (*multiplayer.Equilibrium, error) {
	if err := g.Check(); err != nil {
		return nil, err
	}
	var ends [][][]float64
	for seed := range uint64(maxRays) {
		n := newPerturbed(g, seed)
		x, lost := n.follow(ctx)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		end := n.byPlayer(n.strategies(x))
		if e, ok := multiplayer.Certify(g, end); ok && !lost {
			return e, nil
		}
		ends = append(ends, end)
	}
	return nearest(ctx, g, ends...)
}

// nearest returns what [multiplayer.Near] makes of the ends of paths: the one with the least regret.
// It fails with the error of ctx.
func nearest(ctx context.Context, g *game.NormalForm, ends ...[][]float64) (*multiplayer.Equilibrium, error) {
	return parallel.Await(ctx, func() (best *multiplayer.Equilibrium, err error) {
		for _, end := range ends {
			if e := multiplayer.Near(g, end); e.Regret == nil {
				return e, nil
			} else if best == nil || e.Regret.Cmp(best.Regret) < 0 {
				best = e
			}
		}
		return best, nil
	})
}

// follow returns the end of the path, or where it was lost.
func (n *perturbed) follow(ctx context.Context) (end []float64, lost bool) {
	x, direction := n.begin()
	step := 0.01
	for range maxSteps {
		if direction = tangent(n, x, direction); direction == nil || step < minStep || ctx.Err() != nil {
			return x, true
		}
		if n.back {
			direction = negative(direction)
		}
		next, end, ok := n.advance(x, direction, step)
		if !ok {
			step /= 2
			continue
		}
		if x, step = next, step*1.5; end {
			return x, false
		}
	}
	return x, true
}

// A perturbed game gives each strategy a bonus, times t. The variables of its curve are t, and
// for each strategy its probability plus its payoff with the bonus. A player's probabilities
// are the projection of these numbers to the mixed strategies: what exceeds a level that makes
// them add up to 1 (Gül, Pearce and Stacchetti 1993). The curve has kinks where the support of
// a player changes.
type perturbed struct {
	*payoffs
	bonus   []float64
	support []bool
	back    bool // the path goes against the direction of tangent
}

func newPerturbed(g *game.NormalForm, seed uint64) *perturbed {
	n := &perturbed{payoffs: newPayoffs(g, false)}
	draws := rng.Stream(seed)
	for range n.count {
		n.bonus = append(n.bonus, draws.Float64())
	}
	n.support = make([]bool, n.count)
	return n
}

// begin returns a point where each player's strategy of the largest bonus is dominant, and that the
// bonus vanishes as a direction.
func (n *perturbed) begin() (x, direction []float64) {
	least := math.Inf(1) // least lead of the largest bonus over another one
	x = make([]float64, n.count)
	for player, bonuses := range n.byPlayer(n.bonus) {
		best := slices.Index(bonuses, slices.Max(bonuses))
		n.support[n.start[player]+best] = true
		x[n.start[player]+best] = 1
		for s, b := range bonuses {
			if s != best {
				least = min(least, bonuses[best]-b)
			}
		}
	}
	t := 0.0 // without another strategy
	if !math.IsInf(least, 1) {
		t = 2 / least
	}
	v := n.expected(x)
	for s := range x {
		x[s] += v[s] + t*n.bonus[s]
	}
	x = append(x, t)
	direction = make([]float64, n.count+1)
	direction[n.count] = -1
	turned := tangent(n, x, direction)
	n.back = turned != nil && turned[n.count] > 0
	return x, direction
}

// levels returns by player the level above which numbers are probabilities.
func (n *perturbed) levels(x []float64) []float64 {
	var levels []float64
	for player, size := range n.sizes {
		sum, count := -1.0, 0.0
		for s := n.start[player]; s < n.start[player]+size; s++ {
			if n.support[s] {
				sum, count = sum+x[s], count+1
			}
		}
		levels = append(levels, sum/count)
	}
	return levels
}

// strategies returns the probabilities at a point.
func (n *perturbed) strategies(x []float64) []float64 {
	p := make([]float64, n.count)
	for player, level := range n.levels(x) {
		for s := n.start[player]; s < n.start[player]+n.sizes[player]; s++ {
			if n.support[s] {
				p[s] = x[s] - level
			}
		}
	}
	return p
}

func (n *perturbed) values(x []float64) []float64 {
	p := n.strategies(x)
	f := n.expected(p)
	for s := range f {
		f[s] += p[s] + x[n.count]*n.bonus[s] - x[s]
	}
	return f
}

func (n *perturbed) jacobian(x []float64) [][]float64 {
	rows := n.derivatives(n.strategies(x))
	for s, row := range rows {
		row[s]++ // the payoffs with the bonus have the probability itself added
	}
	// By the numbers that are projected: the mean of the support's derivatives goes off.
	for _, row := range rows {
		for player, size := range n.sizes {
			own := row[n.start[player] : n.start[player]+size]
			support := n.support[n.start[player] : n.start[player]+size]
			sum, count := 0.0, 0.0
			for s, d := range own {
				if support[s] {
					sum, count = sum+d, count+1
				}
			}
			for s := range own {
				if own[s] -= sum / count; !support[s] {
					own[s] = 0
				}
			}
		}
	}
	for s := range rows {
		rows[s][s]--
		rows[s] = append(rows[s], n.bonus[s])
	}
	return rows
}

// advance goes a step along the curve, at most as far as t is 0, where the path ends, or as a
// support changes. It reports whether it found the point.
func (n *perturbed) advance(x, direction []float64, step float64) (next []float64, end, ok bool) {
	if next, _, ok = advance(n, x, direction, step); !ok {
		return nil, false, false
	}
	// What is passed first, by linear interpolation: the end, or a strategy that enters or
	// leaves its support.
	first, normal, target := 1.0, []float64(nil), 0.0
	changes := -1
	if to := next[n.count]; to <= 0 {
		first = x[n.count] / (x[n.count] - to)
		normal = make([]float64, len(x))
		normal[n.count] = 1
	}
	before, after := n.above(x), n.above(next)
	for s := range before {
		was, is := before[s], after[s]
		if !n.support[s] {
			was, is = -was, -is
		}
		if is >= 0 || was <= is { // still on its side, or coming back to it
			continue
		}
		if part := max(was, 0) / (max(was, 0) - is); part < first {
			first, changes = part, s
			normal, target = n.boundary(s)
		}
	}
	if normal == nil {
		return next, false, true
	}
	guess := make([]float64, len(x))
	for i := range guess {
		guess[i] = x[i] + first*(next[i]-x[i])
	}
	if next, ok = correct(n, guess, normal, target); !ok {
		return nil, false, false
	}
	if changes < 0 {
		return next, true, n.consistent(next)
	}
	if !n.consistent(next) {
		return nil, false, false
	}
	n.support[changes] = !n.support[changes]
	return next, false, true
}

// above returns how far each number is above its player's level.
func (n *perturbed) above(x []float64) []float64 {
	a := make([]float64, n.count)
	for player, level := range n.levels(x) {
		for s := n.start[player]; s < n.start[player]+n.sizes[player]; s++ {
			a[s] = x[s] - level
		}
	}
	return a
}

// consistent reports whether the supports are those of the projection, up to rounding errors.
func (n *perturbed) consistent(x []float64) bool {
	for s, a := range n.above(x) {
		if n.support[s] && a < -1e-9 || !n.support[s] && a > 1e-9 {
			return false
		}
	}
	return true
}

// boundary returns the equation normal × x = target of points where a strategy's number is its
// player's level.
func (n *perturbed) boundary(s int) (normal []float64, target float64) {
	normal = make([]float64, n.count+1)
	player := 0
	for player+1 < len(n.start) && n.start[player+1] <= s {
		player++
	}
	count := 0.0
	for i := n.start[player]; i < n.start[player]+n.sizes[player]; i++ {
		if n.support[i] {
			count++
		}
	}
	for i := n.start[player]; i < n.start[player]+n.sizes[player]; i++ {
		if n.support[i] {
			normal[i] = -1 / count
		}
	}
	normal[s]++
	return normal, -1 / count
}
