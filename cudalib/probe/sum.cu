// The sum of floats in an order that depends on their number alone, so that any
// grid gives the same bits, and so does probe.Sum on the CPU.
//
// Chunks of 1024 elements are summed each by a block: thread t adds up the
// elements t, t+256, t+512 and t+768, and then the 256 sums are halved by adding
// the upper half to the lower one. The last chunk is padded with +0. The chunks' sums
// are summed in the same way, until one is left.
#include "cuda.cuh"

constexpr u32 threads = 256; // sumThreads in probe/sum.go
constexpr u32 per_thread = 4;

__global__ void sum_chunks(float *sums, const float *x, u64 n) {
	SHARED(float, partial, threads);
	const u32 t = thread_in_block();
	const u64 chunks = (n + threads * per_thread - 1) / (threads * per_thread);
	for (u64 chunk = block_in_grid(); chunk < chunks; chunk += blocks_in_grid()) {
		float sum = 0;
		for (u32 k = 0; k < per_thread; k++) {
			const u64 i = (chunk * per_thread + k) * threads + t;
			sum += i < n ? x[i] : 0.0f;
		}
		partial[t] = sum;
		sync_block();
		for (u32 half = threads / 2; half >= 32; half /= 2) {
			if (t < half)
				partial[t] += partial[t + half];
			sync_block();
		}
		if (t < 32) {
			float warp = partial[t];
			for (u32 half = 16; half >= 1; half /= 2)
				warp += shuffle_down(warp, half);
			if (t == 0)
				sums[chunk] = warp;
		}
		sync_block(); // before partial is written again
	}
}
