package ratings

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"gamebots/internal/stats"
)

// Encounter is the result of two players: A's score in n games, with a point for a win
// and half a point for a draw.
type Encounter struct {
	A, B  int
	Score float64 // A's points
	Games float64
}

// Ratings are ratings of players by the Bradley–Terry model, in points of Elo, with
// the mean zero.
type Ratings struct {
	Elo []float64
	// Prior is the number of drawn games added for each pair that met, so that all
	// ratings are finite; 0 where they are finite without.
	Prior float64

	covariance *mat.Dense
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
	r := &Ratings{Elo: make([]float64, players)}
	if !reach(players, results, func(e Encounter) (bool, bool) { return e.Score > 0, e.Score < e.Games }) {
		r.Prior = 1
		with := make([]Encounter, len(results))
		for i, e := range results {
			if e.Games > 0 {
				e.Score, e.Games = e.Score+r.Prior/2, e.Games+r.Prior
			}
			with[i] = e
		}
		results = with
	}
	strength := make([]float64, players)
	for p := range strength {
		strength[p] = 1
	}
	for range maxSteps {
		if step(strength, results) < 1e-12 {
			break
		}
	}
	for p, s := range strength {
		r.Elo[p] = pointsPerLogit * math.Log(s)
	}
	return r, r.spread(strength, results)
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
		for _, s := range seen {
			if !s {
				return false
			}
		}
	}
	return true
}

// spread computes the covariance of the ratings, the inverse of Fisher's information with
// the mean held at zero. It overestimates the uncertainty where there are draws.
func (r *Ratings) spread(strength []float64, results []Encounter) error {
	n := len(strength)
	information := mat.NewDense(n, n, nil)
	for _, e := range results {
		p := strength[e.A] / (strength[e.A] + strength[e.B])
		x := e.Games * p * (1 - p)
		for _, at := range [][3]float64{{float64(e.A), float64(e.A), x}, {float64(e.B), float64(e.B), x},
			{float64(e.A), float64(e.B), -x}, {float64(e.B), float64(e.A), -x}} {
			i, j := int(at[0]), int(at[1])
			information.Set(i, j, information.At(i, j)+at[2])
		}
	}
	// A shift of all ratings has no information. One is added for it here, and
	// subtracted from the inverse, which leaves the rest unchanged.
	one := 1 / float64(n)
	for i := range n {
		for j := range n {
			information.Set(i, j, information.At(i, j)+one)
		}
	}
	r.covariance = mat.NewDense(n, n, nil)
	if err := r.covariance.Inverse(information); err != nil {
		return err
	}
	for i := range n {
		for j := range n {
			r.covariance.Set(i, j, (r.covariance.At(i, j)-one)*pointsPerLogit*pointsPerLogit)
		}
	}
	return nil
}

// Interval95 returns half the width of the 95% confidence interval of a player's
// rating, against the mean of all.
func (r *Ratings) Interval95(p int) float64 { return stats.Z95 * math.Sqrt(r.covariance.At(p, p)) }
