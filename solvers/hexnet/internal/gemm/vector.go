package gemm

import "math"

// Add adds x to to, number by number. Like those below, it uses as many numbers as to has.
func Add(to, x []float32) {
	x = x[:len(to)]
	n := addVector(to, x)
	for i, v := range x[n:] {
		to[n+i] += v
	}
}

// Raise makes each number of to the larger of it and that of x.
func Raise(to, x []float32) {
	x = x[:len(to)]
	n := raiseVector(to, x)
	for i, v := range x[n:] {
		if v > to[n+i] {
			to[n+i] = v
		}
	}
}

// Relu sets to to the positive part of x.
func Relu(to, x []float32) {
	x = x[:len(to)]
	n := reluVector(to, x)
	for i, v := range x[n:] {
		bits := math.Float32bits(v)
		to[n+i] = math.Float32frombits(bits &^ uint32(int32(bits)>>31))
	}
}

// Mask clears the numbers of d where x is zero: the gradient of relu, whose results are x.
func Mask(d, x []float32) {
	x = x[:len(d)]
	n := maskVector(d, x)
	for i, v := range x[n:] {
		if v == 0 {
			d[n+i] = 0
		}
	}
}
