// Means over the boards of the next round, and the clock of a training.
// PTXFLAGS: -mllvm -inline-threshold=1000000 -Xclang -fcuda-short-ptr -mllvm -nvptx-short-ptr
#include "segment.cuh"

using namespace traversal;

__global__ void train_mean(const u32 *plan, const float *weights, float *frames, u32 r, u32 buckets) {
	mean_boards(plan, weights, frames, r, buckets, 1);
}

__global__ void evaluate_mean(const u32 *plan, const double *weights, double *frames, u32 r, u32 buckets) {
	mean_boards(plan, weights, frames, r, buckets, 2);
}

// train_tick advances the clock by a number of iterations.
__global__ void train_tick(u32 *clock, u32 by) {
	if (thread_in_grid() == 0)
		*clock += by;
}
