// Reverses the elements of each block: as it must be, without the barrier between the
// threads that write and those that read, and with one that not all threads reach.
#include "cuda.cuh"

template <bool barrier> __device__ void reverse(u32 *x) {
	SHARED(u32, copy, 64);
	const u32 t = thread_in_block(), n = threads_in_block();
	x += block_in_grid() * n;
	copy[t] = x[t];
	if (barrier)
		sync_block();
	x[t] = copy[n - 1 - t];
}

__global__ void ordered(u32 *x) { reverse<true>(x); }

__global__ void racing(u32 *x) { reverse<false>(x); }

__global__ void stuck(u32 *x) {
	if (thread_in_block() == 0)
		sync_warp();
	reverse<true>(x);
}
