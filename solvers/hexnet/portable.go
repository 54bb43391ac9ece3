package hexnet

import "math"

// The portable versions of the inner loops, which define their results, of finite numbers.

// addProductGo adds the products of gathered rows and a panel to n rows of to.
func addProductGo(to, x []float32, rows []int32, panel []float32, n, taps, in, columns int) {
	for row := range n {
		sums, small := (*[panelWidth]float32)(to[row*columns:]), true
		for tap, from := range rows[row*taps:][:taps] {
			for i, v := range x[int(from)*in:][:in] {
				if v == 0 && !small { // as about half of what has passed a ReLU: nothing changes
					continue
				}
				small = addScaled(sums, v, (*[panelWidth]float32)(panel[(tap*in+i)*panelWidth:]))
			}
		}
	}
}

// addGradientGo adds the products of n gathered rows, of gradientRows columns of x and of
// panelWidth columns of d.
func addGradientGo(gradient, x, d []float32, rows []int32, n, taps, in, columns int) {
	for i := range gradientRows {
		sums := (*[panelWidth]float32)(gradient[i*columns:])
		for row := range n {
			addScaled(sums, x[int(rows[row*taps])*in+i], (*[panelWidth]float32)(d[row*columns:]))
		}
	}
}

// addScaled adds v times the values of another row to sums, each with one rounding. A product is exact in
// float64. Its sum is rounded twice, to float64 and to float32, which differs from once only if the first
// rounding is inexact and ends halfway between two float32. addScaled reports whether a sum may be zero.
func addScaled(sums *[panelWidth]float32, v float32, row *[panelWidth]float32) (small bool) {
	const (
		dropped = 1<<29 - 1 // bits of a float64 that a float32 lacks
		halfway = 1 << 28
	)
	a := float64(v)
	for i, w := range row {
		c := float64(sums[i])
		product := a * float64(w)
		sum := product + c
		if tiny := math.Abs(sum) < 0x1p-126; tiny || math.Float64bits(sum)&dropped == halfway {
			sums[i] = roundOnce(product, c, sum)
			small = small || tiny
		} else {
			sums[i] = float32(sum)
		}
	}
	return small
}

// roundOnce rounds product + c, whose rounded sum is given, where two roundings might be wrong: halfway,
// or below the normal numbers, where halfway is elsewhere.
func roundOnce(product, c, sum float64) float32 {
	// The error of the sum is exact (D. Knuth, TAOCP 4.2.2, theorem B). With an odd last bit,
	// an inexact sum is on the right side of halfway.
	part := sum - product
	lost := (product - (sum - part)) + (c - part)
	if bits := math.Float64bits(sum); lost != 0 && bits&1 == 0 {
		if lost > 0 == (sum > 0) {
			bits++
		} else {
			bits--
		}
		sum = math.Float64frombits(bits)
	}
	return float32(sum)
}

// add adds x to to, number by number. Like those below, it uses as many numbers as to has.
func add(to, x []float32) {
	x = x[:len(to)]
	n := addVector(to, x)
	for i, v := range x[n:] {
		to[n+i] += v
	}
}

// raise makes each number of to the larger of it and that of x.
func raise(to, x []float32) {
	x = x[:len(to)]
	n := raiseVector(to, x)
	for i, v := range x[n:] {
		if v > to[n+i] {
			to[n+i] = v
		}
	}
}

// relu sets to to the positive part of x.
func relu(to, x []float32) {
	x = x[:len(to)]
	n := reluVector(to, x)
	for i, v := range x[n:] {
		bits := math.Float32bits(v)
		to[n+i] = math.Float32frombits(bits &^ uint32(int32(bits)>>31))
	}
}

// mask clears the numbers of d where x is zero: the gradient of relu, whose results are x.
func mask(d, x []float32) {
	x = x[:len(d)]
	n := maskVector(d, x)
	for i, v := range x[n:] {
		if v == 0 {
			d[n+i] = 0
		}
	}
}
