package path

import "math"

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
	if next, ok = correct(c, guess, direction, dot(direction, guess)); !ok {
		return nil, nil, false
	}
	if turned = tangent(c, next); turned == nil {
		return nil, nil, false
	}
	cosine := dot(direction, turned)
	if cosine < 0 { // as beyond a bifurcation
		cosine, turned = -cosine, negative(turned)
	}
	return next, turned, cosine > minCosine
}

// tangent returns the direction of a curve at a point, of length 1, nil where it has none. The
// determinant of the derivatives with the direction as their last row is positive. So the
// direction is a continuous one along the curve, also where that has kinks.
func tangent(c curve, x []float64) []float64 {
	rows := c.jacobian(x)
	n := len(rows)
	free := make([]int, n+1) // columns without a pivot; the last one at the end
	for i := range free {
		free[i] = i
	}
	work := make([][]float64, n)
	for i := range rows {
		work[i] = append([]float64(nil), rows[i]...)
	}
	// Gauss–Jordan elimination with the largest entry of all.
	for k := range n {
		row, col := k, k
		for i := k; i < n; i++ {
			for j := k; j <= n; j++ {
				if math.Abs(work[i][free[j]]) > math.Abs(work[row][free[col]]) {
					row, col = i, j
				}
			}
		}
		if math.Abs(work[row][free[col]]) < singular {
			return nil
		}
		work[k], work[row] = work[row], work[k]
		free[k], free[col] = free[col], free[k]
		for i := range work {
			if i == k {
				continue
			}
			f := work[i][free[k]] / work[k][free[k]]
			for _, j := range free[k:] {
				work[i][j] -= f * work[k][j]
			}
		}
	}
	t := make([]float64, n+1)
	t[free[n]] = 1
	for k := range n {
		t[free[k]] = -work[k][free[n]] / work[k][free[k]]
	}
	length := norm(t)
	if _, det := solve(append(rows, t), make([]float64, n+1)); det < 0 {
		length = -length
	}
	for i := range t {
		t[i] /= length
	}
	return t
}

// singular is the size of a pivot that is taken for 0.
const singular = 1e-14

// solve returns the solution of a system of linear equations, and the sign of its determinant.
// It changes right, and the solution is nil if the determinant is about 0.
func solve(matrix [][]float64, right []float64) (x []float64, det float64) {
	rows := make([][]float64, len(matrix))
	for i, row := range matrix {
		rows[i] = append([]float64(nil), row...)
	}
	det = 1
	for c := range rows {
		best := c
		for r := c + 1; r < len(rows); r++ {
			if math.Abs(rows[r][c]) > math.Abs(rows[best][c]) {
				best = r
			}
		}
		if best != c {
			rows[c], rows[best] = rows[best], rows[c]
			right[c], right[best] = right[best], right[c]
			det = -det
		}
		pivot := rows[c][c]
		if math.Abs(pivot) < singular {
			return nil, 0
		}
		det = math.Copysign(det, det*pivot)
		for r := c + 1; r < len(rows); r++ {
			f := rows[r][c] / pivot
			if f == 0 {
				continue
			}
			for j := c; j < len(rows); j++ {
				rows[r][j] -= f * rows[c][j]
			}
			right[r] -= f * right[c]
		}
	}
	for c := len(rows) - 1; c >= 0; c-- {
		for j := c + 1; j < len(rows); j++ {
			right[c] -= rows[c][j] * right[j]
		}
		right[c] /= rows[c][c]
	}
	return right, det
}

func negative(x []float64) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = -v
	}
	return y
}

func norm(x []float64) float64 { return math.Sqrt(dot(x, x)) }

func dot(x, y []float64) float64 {
	sum := 0.0
	for i, v := range x {
		sum += v * y[i]
	}
	return sum
}
