package path

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// A curve is where n functions of n+1 variables are 0.
type curve interface {
	values(x []float64) []float64
	jacobian(x []float64) [][]float64 // derivatives of each function
}

// Newton's method is taken to have converged when no variable moves by more than tolerance of
// its size, and to fail after maxNewton steps or at a step larger than maxMove of it.
const (
	tolerance = 1e-11
	maxNewton = 12
	maxMove   = 2
)

// correct returns the point of a curve near x with normal × point = target. It reports whether
// Newton's method converged.
func correct(c curve, x, normal []float64, target float64) ([]float64, bool) {
	x = append([]float64(nil), x...)
	for range maxNewton {
		rest := -target
		for i, v := range normal {
			rest += v * x[i]
		}
		move, _ := solve(append(c.jacobian(x), normal), append(c.values(x), rest))
		if move == nil {
			return nil, false
		}
		largest := 0.0
		for i, v := range move {
			x[i] -= v
			largest = max(largest, math.Abs(v)/max(1, math.Abs(x[i])))
		}
		switch {
		case !(largest <= maxMove):
			return nil, false
		case largest < tolerance:
			return x, true
		}
	}
	return nil, false
}

// minCosine is the least that the cosine of the angle between two directions of a step may be.
const minCosine = 0.98

// advance goes a step from a point of a curve. It returns the point there, and the direction
// of going on. It fails if Newton's method does, or if the curve
// turns so much that the point may be one of another branch.
func advance(c curve, x, direction []float64, step float64) (next, turned []float64, ok bool) {
	guess := make([]float64, len(x))
	for i := range x {
		guess[i] = x[i] + step*direction[i]
	}
	if next, ok = correct(c, guess, direction, floats.Dot(direction, guess)); !ok {
		return nil, nil, false
	}
	if turned = tangent(c, next, direction); turned == nil {
		return nil, nil, false
	}
	cosine := floats.Dot(direction, turned)
	if cosine < 0 { // as beyond a bifurcation
		cosine, turned = -cosine, negative(turned)
	}
	return next, turned, cosine > minCosine
}

// tangent returns the direction of a curve at a point, of length 1, nil where it has none or it is
// at a right angle to the vector across. The determinant of the derivatives with the direction as
// their last row is positive. So the direction is a continuous one along the curve, also where that
// has kinks.
func tangent(c curve, x, across []float64) []float64 {
	target := make([]float64, len(x))
	target[len(x)-1] = 1
	t, det := solve(append(c.jacobian(x), across), target)
	if t == nil {
		return nil
	}
	floats.Scale(det/floats.Norm(t, 2), t)
	return t
}

// solve returns the solution of a system of linear equations and the sign of its determinant, nil
// if there is not only one.
func solve(rows [][]float64, right []float64) (x []float64, det float64) {
	var factors mat.LU
	factors.Factorize(mat.NewDense(len(rows), len(rows), slices.Concat(rows...)))
	var solution mat.VecDense
	if err := factors.SolveVecTo(&solution, false, mat.NewVecDense(len(right), right)); err != nil {
		return nil, 0
	}
	_, det = factors.LogDet()
	return solution.RawVector().Data, det
}

func negative(x []float64) []float64 { return floats.ScaleTo(make([]float64, len(x)), -1, x) }
