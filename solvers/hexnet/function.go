package hexnet

import "math"

// exp returns e^x with an error below 2 units in the last place. Unlike math.Exp it gives
// the same bits on every processor.
func exp(x float32) float32 {
	const (
		log2e  = math.Log2E
		ln2    = math.Ln2
		lowest = -87
		most   = 88
	)
	v := float64(min(max(x, lowest), most))
	n := math.Floor(float64(v*log2e) + 0.5)
	r := v - float64(n*ln2) // at most ln(2)/2
	// The Taylor series to r^7.
	sum := 1. / 5040
	for _, c := range [...]float64{1. / 720, 1. / 120, 1. / 24, 1. / 6, 1. / 2, 1, 1} {
		sum = float64(sum*r) + c
	}
	return float32(sum * math.Float64frombits(uint64(1023+int(n))<<52))
}

// logistic returns 1/(1+e^-x).
func logistic(x float32) float32 { return 1 / (1 + exp(-x)) }

// Tanh returns the hyperbolic tangent, which makes the value of a board of its first output.
func Tanh(x float32) float32 { return 1 - 2/(1+exp(float32(2*x))) }
