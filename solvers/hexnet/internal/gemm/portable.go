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
		dropped  = 1<<29 - 1 // bits of a float64 that a float32 lacks
		halfway  = 1 << 28
		smallest = 0x1p-126 // normal float32, below which halfway is elsewhere
	)
	product, c64 := float64(a)*float64(b), float64(c)
	sum := product + c64
	bits := math.Float64bits(sum)
	if bits&dropped != halfway && (sum >= smallest || sum <= -smallest) || sum == 0 {
		return float32(sum)
	}
	// The error of the sum is exact (D. Knuth, TAOCP 4.2.2, theorem B). Moving the sum by a
	// bit towards it makes the second rounding right.
	part := sum - product
	lost := float64(product-float64(sum-part)) + float64(c64-part)
	if lost != 0 && bits&1 == 0 {
		if lost > 0 == (sum > 0) {
			bits++
		} else {
			bits--
		}
	}
	return float32(math.Float64frombits(bits))
}
