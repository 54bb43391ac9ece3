package path

import (
	"context"
	"math"

	"gamebots/solvers/nash/game"
	"gamebots/solvers/nash/multiplayer"
)

// A Point is a logit quantal response equilibrium: each player plays a strategy with a
// probability proportional to exp(Lambda × its payoff).
type Point struct {
	Lambda     float64     // precision, in units of one over payoffs
	Strategies [][]float64 // probabilities of each player's strategies
	// Regret is the most that a player gains by a deviation, as a part of the range of payoffs.
	Regret float64
}

// A LogitPath is a part of the curve of logit quantal response equilibria.
type LogitPath struct {
	Points []Point // from random play on; Lambda may decrease on the way
	// Limit is the equilibrium that the path approaches. It is one of [multiplayer.Near] if it is
	// degenerate or the path was lost, and nil after ctx ended.
	Limit *multiplayer.Equilibrium
}

// Bounds of where the end of the path is looked for, with payoffs of a range of 1.
const (
	nearRegret   = 1e-5
	nearDistance = 1e-2
	played       = 1e-6 // the least probability of a strategy in the support of the limit
	maxLambda    = 1e9
)

// Logit follows the path that starts at random play. If ctx ends it returns the path so far, and
// the error of ctx.
func Logit(ctx context.Context, g *game.NormalForm) (*LogitPath, error) {
	if err := g.Check(); err != nil {
		return nil, err
	}
	q := quantal{newPayoffs(g, true)}
	x := make([]float64, q.count+1)
	for player, n := range q.sizes {
		for s := q.start[player]; s < q.start[player]+n; s++ {
			x[s] = -math.Log(float64(n))
		}
	}
	path := &LogitPath{Points: []Point{q.point(x)}}
	towards := make([]float64, q.count+1)
	towards[q.count] = 1
	direction := tangent(q, x, towards)
	if direction[q.count] < 0 { // lambda grows at first
		direction = negative(direction)
	}
	for step := 0.01; len(path.Points) < maxSteps && step >= minStep && x[q.count] <= maxLambda; {
		if err := ctx.Err(); err != nil {
			return path, err
		}
		next, turned, ok := advance(q, x, direction, step)
		if !ok {
			step /= 2
			continue
		}
		x, direction, step = next, turned, step*1.5
		p := q.point(x)
		path.Points = append(path.Points, p)
		if p.Regret > nearRegret {
			continue
		}
		if e, ok := multiplayer.Certify(g, support(p.Strategies)); ok &&
			distance(e.Strategies, p.Strategies) < nearDistance {
			path.Limit = e
			return path, nil
		}
	}
	var err error
	path.Limit, err = nearest(ctx, g, path.Points[len(path.Points)-1].Strategies)
	return path, err
}

// A quantal response curve has the logarithms of probabilities, and lambda, as its variables.
type quantal struct{ *payoffs }

// probabilities returns the probabilities at a point.
func (q quantal) probabilities(x []float64) []float64 {
	p := make([]float64, q.count)
	for s := range p {
		p[s] = math.Exp(x[s])
	}
	return p
}

// values has for each player what the probabilities exceed 1 by, and for each strategy but the
// first how its odds differ from those of a quantal response.
func (q quantal) values(x []float64) []float64 {
	p := q.probabilities(x)
	v := q.expected(p)
	f := make([]float64, q.count)
	for player, n := range q.sizes {
		first := q.start[player]
		f[first] = p[first] - 1
		for s := first + 1; s < first+n; s++ {
			f[first] += p[s]
			f[s] = x[s] - x[first] - x[q.count]*(v[s]-v[first])
		}
	}
	return f
}

func (q quantal) jacobian(x []float64) [][]float64 {
	p := q.probabilities(x)
	v, d := q.expected(p), q.derivatives(p)
	rows := make([][]float64, q.count)
	for player, n := range q.sizes {
		first := q.start[player]
		sum := make([]float64, q.count+1)
		for s := first; s < first+n; s++ {
			sum[s] = p[s]
			if s == first {
				continue
			}
			row := make([]float64, q.count+1)
			for t := range p {
				row[t] = -x[q.count] * (d[s][t] - d[first][t]) * p[t]
			}
			row[s]++
			row[first]--
			row[q.count] = v[first] - v[s]
			rows[s] = row
		}
		rows[first] = sum
	}
	return rows
}

// point returns the quantal response equilibrium at a point of the curve.
func (q quantal) point(x []float64) Point {
	p := q.probabilities(x)
	return Point{x[q.count] / q.scales[0], q.byPlayer(p), q.regret(p)}
}

// support returns strategies without those that are hardly played.
func support(strategies [][]float64) [][]float64 {
	kept := make([][]float64, len(strategies))
	for player, x := range strategies {
		kept[player] = make([]float64, len(x))
		for s, p := range x {
			if p > played {
				kept[player][s] = p
			}
		}
	}
	return kept
}

// distance returns the largest difference of two probabilities.
func distance(x, y [][]float64) float64 {
	largest := 0.0
	for player := range x {
		for s := range x[player] {
			largest = max(largest, math.Abs(x[player][s]-y[player][s]))
		}
	}
	return largest
}
