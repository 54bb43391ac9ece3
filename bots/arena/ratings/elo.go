package ratings

import (
	"errors"
	"math"
	"slices"

	"gamebots/internal/stats"
)

// Encounter is the result of two players: A's score in n games, with a point for a win
// and half a point for a draw.
type Encounter struct {
	A, B  int
	Score float64 // A's points
	Games float64
	// Error is the uncertainty of Score. The zero value is that of independent games, none of them drawn.
	Error stats.Uncertainty
}

// Ratings are ratings of players by the Bradley–Terry model, in points of Elo, with
// the mean zero.
type Ratings struct {
	Elo []float64
	// Prior is the number of drawn games added for each pair that met, so that all
	// ratings are finite; 0 where they are finite without.
	Prior float64

	results  []Encounter
	perPoint [][]float64 // how far a point more for each player moves each rating
}

// ErrNotConnected reports that some players cannot be compared: no chain of games
// connects them.
var ErrNotConnected = errors.New("some players have met none of the others, and cannot be rated beside them")

// pointsPerLogit turns differences of the model into points of Elo.
var pointsPerLogit = 400 / math.Ln10

// Rate returns the maximum likelihood ratings (Bradley and Terry, 1952), by the algorithm
// of Hunter, "MM algorithms for generalized Bradley–Terry models", 2004. A draw is half a
// win. They are finite only if no set of players has won every point against the others
// (Ford, 1957); otherwise a drawn game is added for every pair that met.
func Rate(players int, results []Encounter) (*Ratings, error) {
	if !reach(players, results, func(e Encounter) (bool, bool) { return e.Games > 0, e.Games > 0 }) {
		return nil, ErrNotConnected
	}
	r := &Ratings{Elo: make([]float64, players), results: slices.Clone(results)}
	if !reach(players, results, func(e Encounter) (bool, bool) { return e.Score > 0, e.Score < e.Games }) {
		r.Prior = 1
		for i := range r.results {
			if e := &r.results[i]; e.Games > 0 {
				e.Score, e.Games = e.Score+r.Prior/2, e.Games+r.Prior
			}
		}
	}
	strength := slices.Repeat([]float64{1}, players)
	for range maxSteps {
		if step(strength, r.results) < 1e-12 {
			break
		}
	}
	for p, s := range strength {
		r.Elo[p] = pointsPerLogit * math.Log(s)
	}
	r.linearise(strength)
	return r, nil
}

// maxSteps is far more than needed: the steps shrink geometrically.
const maxSteps = 1_000_000

// step improves strengths, whose geometric mean is one, and returns the largest
// relative change.
func step(strength []float64, results []Encounter) (change float64) {
	won, share := make([]float64, len(strength)), make([]float64, len(strength))
	for _, e := range results {
		won[e.A] += e.Score
		won[e.B] += e.Games - e.Score
		x := e.Games / (strength[e.A] + strength[e.B])
		share[e.A] += x
		share[e.B] += x
	}
	mean := 0.0
	next := make([]float64, len(strength))
	for p := range next {
		next[p] = won[p] / share[p]
		mean += math.Log(next[p]) / float64(len(next))
	}
	for p := range next {
		next[p] /= math.Exp(mean)
		change = max(change, math.Abs(next[p]/strength[p]-1))
	}
	copy(strength, next)
	return change
}

// reach reports whether the graph of players is strongly connected. Edges returns, for
// an encounter, whether there is an edge from A to B, and one from B to A.
func reach(players int, results []Encounter, edges func(Encounter) (ab, ba bool)) bool {
	for _, backwards := range []bool{false, true} {
		seen := make([]bool, players)
		todo := []int{0}
		seen[0] = true
		for len(todo) > 0 {
			from := todo[0]
			todo = todo[1:]
			for _, e := range results {
				ab, ba := edges(e)
				if backwards {
					ab, ba = ba, ab
				}
				for _, edge := range []struct {
					from, to int
					is       bool
				}{{e.A, e.B, ab}, {e.B, e.A, ba}} {
					if edge.is && edge.from == from && !seen[edge.to] {
						seen[edge.to] = true
						todo = append(todo, edge.to)
					}
				}
			}
		}
		if slices.Contains(seen, false) {
			return false
		}
	}
	return true
}

// linearise fills in what the uncertainty of the ratings follows from: perPoint, the inverse of Fisher's information
// with the mean held at zero, and the errors of results that have none.
func (r *Ratings) linearise(strength []float64) {
	n := len(strength)
	// A shift of all ratings has no information. One is added for it here, and
	// subtracted from the inverse, which leaves the rest unchanged.
	one := 1 / float64(n)
	rows := make([][]float64, n) // the information, and then the unit matrix
	for i := range rows {
		rows[i] = append(slices.Repeat([]float64{one}, n), make([]float64, n)...)
		rows[i][n+i] = 1
	}
	for i := range r.results {
		e := &r.results[i]
		p := strength[e.A] / (strength[e.A] + strength[e.B])
		x := e.Games * p * (1 - p)
		rows[e.A][e.A] += x
		rows[e.B][e.B] += x
		rows[e.A][e.B] -= x
		rows[e.B][e.A] -= x
		if e.Error.Variance == 0 { // or its openings all had the same result
			e.Error = stats.Uncertainty{Variance: x, Freedom: math.Inf(1)}
		}
	}
	solve(rows) // games connect all players, so that the information is positive definite
	for i, row := range rows {
		rows[i] = row[n:]
		for j := range rows[i] {
			rows[i][j] = (rows[i][j] - one) * pointsPerLogit
		}
	}
	r.perPoint = rows
}

// solve solves linear equations by Gauss-Jordan elimination: rows have a symmetric matrix, which becomes
// the unit matrix, and then right-hand sides, which become the solutions. It reports whether the matrix is
// positive definite. Such a matrix needs no pivoting.
func solve(rows [][]float64) bool {
	for k, pivot := range rows {
		scale := pivot[k]
		if !(scale > 0) {
			return false
		}
		for j := range pivot {
			pivot[j] /= scale
		}
		for i, row := range rows {
			if x := row[k]; i != k {
				for j := range row {
					row[j] -= x * pivot[j]
				}
			}
		}
	}
	return true
}

// Interval95 returns half the width of the 95% confidence interval of a player's
// rating, against the mean of all.
func (r *Ratings) Interval95(p int) float64 {
	var sum stats.Uncertainty
	for _, e := range r.results {
		sum = sum.Add(e.Error.Times(r.perPoint[p][e.A] - r.perPoint[p][e.B]))
	}
	return sum.Interval95()
}
