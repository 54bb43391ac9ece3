// Package hexnetgpu computes the residual networks of solvers/hexnet on a GPU, in half
// precision: on the tensor cores of devices of compute capability 8.0 and later, and by ordinary
// instructions on others, to nearly the same results.
package hexnetgpu
