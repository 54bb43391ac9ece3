package gemm

import "math"

// The portable versions of the inner loops, which define their results.

// addProductGo adds the products of gathered rows and a panel to n rows of to.
func addProductGo(to, x []float32, rows []int32, panel []float32, n, taps, in, columns int) {
	for row := range n {
		sums := (*[Width]float32)(to[row*columns:])
		for tap, from := range rows[row*taps:][:taps] {
			for i, v := range x[int(from)*in:][:in] {
				for column, w := range (*[Width]float32)(panel[(tap*in+i)*Width:]) {
					sums[column] = fma(v, w, sums[column])
				}
			}
		}
	}
}

// addGradientGo adds the products of n gathered rows, of gradientRows columns of x and of
// Width columns of d.
func addGradientGo(gradient, x, d []float32, rows []int32, n, taps, in, columns int) {
	for i := range gradientRows {
		sums := (*[Width]float32)(gradient[i*columns:])
		for row := range n {
			v := x[int(rows[row*taps])*in+i]
			for column, w := range (*[Width]float32)(d[row*columns:]) {
				sums[column] = fma(v, w, sums[column])
			}
		}
	}
}

// fma returns a·b + c with one rounding. The product is exact in float64. The sum is
// rounded twice, to float64 and to float32, which differs from once only if the first
// rounding is inexact and ends halfway between two float32.
func fma(a, b, c float32) float32 {
	const (
		dropped = 1<<29 - 1 // bits of a float64 that a float32 lacks
		halfway = 1 << 28
	)
	product := float64(a) * float64(b)
	sum := product + float64(c)
	if math.Float64bits(sum)&dropped == halfway || math.Abs(sum) < 0x1p-126 {
		return roundOnce(product, float64(c), sum)
	}
	return float32(sum)
}

// roundOnce rounds product + c, whose rounded sum is given, where fma might be wrong: halfway,
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
