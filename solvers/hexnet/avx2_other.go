//go:build !amd64

package hexnet

func addProduct(to, x []float32, rows []int32, panel []float32, n, taps, in, columns int) {
	addProductGo(to, x, rows, panel, n, taps, in, columns)
}

func addGradient(gradient, x, d []float32, rows []int32, n, taps, in, columns int) {
	addGradientGo(gradient, x, d, rows, n, taps, in, columns)
}

// Without vectors, the portable loops do everything.

func addVector(to, x []float32) int   { return 0 }
func raiseVector(to, x []float32) int { return 0 }
func reluVector(to, x []float32) int  { return 0 }
func maskVector(d, x []float32) int   { return 0 }
