// Kernels that only the driver's tests have.
#include "cuda.cuh"

__global__ void add(u32 *x, u32 n, u32 by) {
	for (u64 i = thread_in_grid(); i < n; i += threads_in_grid())
		x[i] += by;
}

__global__ void scale(float *x, float by, u64 n) {
	for (u64 i = thread_in_grid(); i < n; i += threads_in_grid())
		x[i] *= by;
}

// Writes behind the end of its array.
__global__ void overrun(u32 *x, u32 n) {
	x[n] = 7;
}
