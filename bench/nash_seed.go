package bench

// nguyenSizes and nguyenSeconds are table 1 of P. Nguyen, Parallelization of
// Support Enumeration Methods for Computing Nash Equilibria, Yale University 2015:
// mean seconds for all equilibria of n by n games, on Intel Xeon E5-2650 (2 GHz)
// with so many threads, and on an NVIDIA Tesla M2090 (threads 0). His table 2 is
// the first row of times divided by the others.
var nguyenSizes = []int{10, 11, 12, 13, 14, 15, 16}

var nguyenSeconds = []struct {
	threads int
	seconds [7]float64
}{
	{1, [...]float64{0.465, 1.579, 6.688, 28.079, 111.240, 462.019, 1908.015}},
	{2, [...]float64{0.236, 0.879, 3.564, 14.668, 58.954, 235.660, 944.333}},
	{4, [...]float64{0.120, 0.453, 1.816, 7.682, 29.117, 119.718, 491.653}},
	{8, [...]float64{0.069, 0.237, 0.938, 3.826, 15.312, 60.481, 247.198}},
	{16, [...]float64{0.062, 0.159, 0.539, 2.089, 8.162, 32.532, 128.771}},
	{0, [...]float64{0.243, 0.187, 0.219, 0.531, 1.874, 7.953, 34.246}},
}
