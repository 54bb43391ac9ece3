// Package portable has functions of package math with the same bits on every processor, which math
// itself does not promise. Each rounds after every operation, so that no compiler fuses two.
package portable

import "math"

// FastExp returns e^x for x up to 88, and 0 if x is below -700. Its relative error is a few 1e-9.
// GPUs compute it, too: see cudalib/havannahgpu and cudalib/hexnetgpu.
func FastExp(x float64) float64 {
	if x < -700 {
		return 0
	}
	n := math.Floor(float64(x*math.Log2E) + 0.5)
	r := x - float64(n*math.Ln2) // at most ln(2)/2
	// The Taylor series to r^7.
	sum := 1. / 5040
	for _, c := range [...]float64{1. / 720, 1. / 120, 1. / 24, 1. / 6, 1. / 2, 1, 1} {
		sum = float64(sum*r) + c
	}
	return sum * math.Float64frombits(uint64(1023+int(n))<<52)
}

// Log returns the natural logarithm of a normal number.
func Log(x float64) float64 {
	bits := math.Float64bits(x)
	exponent := int(bits>>52) - 1023
	m := math.Float64frombits(bits&(1<<52-1) | 1023<<52)
	if m > math.Sqrt2 {
		m *= 0.5
		exponent++
	}
	// ln(m) = 2·artanh(s)
	s := (m - 1) / (m + 1)
	square, sum := s*s, 0.
	for k := 17; k > 0; k -= 2 {
		sum = float64(sum*square) + 1/float64(k)
	}
	return float64(float64(exponent)*math.Ln2) + float64(2*s*sum)
}
