package hexnet

import "golang.org/x/sys/cpu"

// useAVX2 is a variable so that tests can compare both versions.
var useAVX2 = cpu.X86.HasAVX2 && cpu.X86.HasFMA

//go:noescape
func addProductAVX2(to, x *float32, rows *int32, panel *float32, n, taps, in, columns int)

//go:noescape
func addGradientAVX2(gradient, x, d *float32, rows *int32, n, taps, in, columns int)

func addProduct(to, x []float32, rows []int32, panel []float32, n, taps, in, columns int) {
	if !useAVX2 {
		addProductGo(to, x, rows, panel, n, taps, in, columns)
		return
	}
	addProductAVX2(&to[0], &x[0], &rows[0], &panel[0], n, taps, in, columns)
}

func addGradient(gradient, x, d []float32, rows []int32, n, taps, in, columns int) {
	if !useAVX2 {
		addGradientGo(gradient, x, d, rows, n, taps, in, columns)
		return
	}
	addGradientAVX2(&gradient[0], &x[0], &d[0], &rows[0], n, taps, in, columns)
}

//go:noescape
func addAVX2(to, x *float32, eights int)

//go:noescape
func raiseAVX2(to, x *float32, eights int)

//go:noescape
func reluAVX2(to, x *float32, eights int)

//go:noescape
func maskAVX2(to, x *float32, eights int)

func addVector(to, x []float32) int   { return inEights(addAVX2, to, x) }
func raiseVector(to, x []float32) int { return inEights(raiseAVX2, to, x) }
func reluVector(to, x []float32) int  { return inEights(reluAVX2, to, x) }
func maskVector(d, x []float32) int   { return inEights(maskAVX2, d, x) }

// inEights calls f for the eights of numbers that there are, and returns how many numbers that
// is.
func inEights(f func(to, x *float32, eights int), to, x []float32) int {
	eights := len(to) / 8
	if !useAVX2 || eights == 0 {
		return 0
	}
	f(&to[0], &x[0], eights)
	return 8 * eights
}
