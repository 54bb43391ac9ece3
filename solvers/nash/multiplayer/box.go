package multiplayer

import "math"

// An interval has all numbers from lo to hi.
type interval struct{ lo, hi float64 }

func (x interval) add(y interval) interval { return interval{x.lo + y.lo, x.hi + y.hi} }

func (x interval) mul(y interval) interval {
	a, b, c, d := x.lo*y.lo, x.lo*y.hi, x.hi*y.lo, x.hi*y.hi
	return interval{min(a, b, c, d), max(a, b, c, d)}
}

// A box has an interval for each strategy of each player's support.
type box [][]interval

func (b box) clone() box {
	c := make(box, len(b))
	for p, x := range b {
		c[p] = append([]interval(nil), x...)
	}
	return c
}

// contract narrows a box to where the probabilities of each player can add up to 1. It
// reports whether there is such a place.
func (b box) contract() bool {
	for _, x := range b {
		lo, hi := 0.0, 0.0
		for _, v := range x {
			lo, hi = lo+v.lo, hi+v.hi
		}
		if lo > 1+margin || hi < 1-margin {
			return false
		}
		for i, v := range x {
			x[i] = interval{max(v.lo, 1-(hi-v.hi)-margin), min(v.hi, 1-(lo-v.lo)+margin)}
			if x[i].lo > x[i].hi {
				return false
			}
		}
	}
	return true
}

// widest returns the place of the widest interval of all players but one, and its width.
func (b box) widest(but int) (player, strategy int, width float64) {
	for p, x := range b {
		for i, v := range x {
			if p != but && v.hi-v.lo > width {
				player, strategy, width = p, i, v.hi-v.lo
			}
		}
	}
	return player, strategy, width
}

// least returns a lower bound of the sum of coefficients times numbers in the
// intervals that add up to 1.
func least(coefficients []float64, x []interval) float64 {
	sum, rest := 0.0, 1.0
	for i, v := range x {
		sum += coefficients[i] * v.lo
		rest -= v.lo
	}
	var used [maxStrategies]bool
	for range x {
		next := -1
		for i := range x {
			if !used[i] && (next < 0 || coefficients[i] < coefficients[next]) {
				next = i
			}
		}
		used[next] = true
		step := min(rest, x[next].hi-x[next].lo)
		sum += coefficients[next] * step
		if rest -= step; rest <= 0 {
			break
		}
	}
	return sum
}

// A tensor has a number for each combination of strategies of the players' supports,
// that of the first player varying fastest.
type tensor struct {
	sizes []int
	of    []float64
}

// leastOver returns a lower bound of the expectation over mixed strategies in a box.
// Players of one strategy count as any others.
func (t tensor) leastOver(b box, memory []float64) float64 {
	of, n := t.of, len(t.of)
	var column [maxStrategies]float64
	for p := len(t.sizes) - 1; p >= 0; p-- {
		n /= t.sizes[p]
		to := memory[:n]
		for rest := range n {
			for k := range t.sizes[p] {
				column[k] = of[rest+n*k]
			}
			to[rest] = least(column[:t.sizes[p]], b[p])
		}
		of = to
	}
	return of[0]
}

// over returns an interval of the expectation over a box of any numbers. Where these may
// add up to more than 1, rounding errors may be as many times the margin.
func (t tensor) over(b box) interval {
	of, n, wrong := make([]interval, len(t.of)), len(t.of), margin
	for i, x := range t.of {
		of[i] = interval{x, x}
	}
	for p := len(t.sizes) - 1; p >= 0; p-- {
		n /= t.sizes[p]
		size := 0.0
		for _, v := range b[p] {
			size += max(math.Abs(v.lo), math.Abs(v.hi))
		}
		wrong *= max(1, size)
		for rest := range n {
			sum := interval{}
			for k := range t.sizes[p] {
				sum = sum.add(of[rest+n*k].mul(b[p][k]))
			}
			of[rest] = sum
		}
	}
	return interval{of[0].lo - wrong, of[0].hi + wrong}
}

// at returns the expectation at a point.
func (t tensor) at(x [][]float64) float64 {
	of, n := append([]float64(nil), t.of...), len(t.of)
	for p := len(t.sizes) - 1; p >= 0; p-- {
		n /= t.sizes[p]
		for rest := range n {
			sum := 0.0
			for k := range t.sizes[p] {
				sum += of[rest+n*k] * x[p][k]
			}
			of[rest] = sum
		}
	}
	return of[0]
}

// minus returns the difference of tensors of the same sizes.
func (t tensor) minus(o tensor) tensor {
	d := tensor{t.sizes, make([]float64, len(t.of))}
	for i, x := range t.of {
		d.of[i] = x - o.of[i]
	}
	return d
}

// fixed returns the tensor in which a player plays the strategy k of the support.
func (t tensor) fixed(player, k int) tensor {
	stride := 1
	for _, n := range t.sizes[:player] {
		stride *= n
	}
	f := tensor{append([]int(nil), t.sizes...), nil}
	f.sizes[player] = 1
	for i, x := range t.of {
		if i/stride%t.sizes[player] == k {
			f.of = append(f.of, x)
		}
	}
	return f
}

// invert returns the inverse of a matrix by elimination with pivoting, or nil if it is
// singular or nearly so.
func invert(m [][]float64) [][]float64 {
	n := len(m)
	a := make([][]float64, n)
	for i := range m {
		a[i] = append(append([]float64(nil), m[i]...), make([]float64, n)...)
		a[i][n+i] = 1
	}
	for c := range n {
		best := c
		for r := c; r < n; r++ {
			if math.Abs(a[r][c]) > math.Abs(a[best][c]) {
				best = r
			}
		}
		if math.Abs(a[best][c]) < 1e-12 {
			return nil
		}
		a[c], a[best] = a[best], a[c]
		p := 1 / a[c][c]
		for j := range a[c] {
			a[c][j] *= p
		}
		for r := range a {
			if f := a[r][c]; r != c && f != 0 {
				for j, x := range a[c] {
					a[r][j] -= f * x
				}
			}
		}
	}
	for i := range a {
		a[i] = a[i][n:]
	}
	return a
}
