// PTXFLAGS: -mllvm -inline-threshold=100000
// The network on any device: see network.cuh.
#include "network.cuh"

using namespace hexnet;

// hexnet_evaluate computes a network for some boards. The number of channels is a multiple of 32.
__global__ LAUNCH_BOUNDS(384, 1) void hexnet_evaluate(const words4 *planes, const words4 *near, const words4 *weights, const float *constants,
													  float *logits, float *outputs, u32 boards, u32 cells, u32 channels, u32 blocks,
													  u32 capacity, float scale) {
	DYNAMIC_SHARED(unsigned char, memory);
	const Arguments a = {planes, near, weights, constants, logits, outputs, boards, cells, channels, blocks, capacity, scale};
	Block<Shuffles, 4>(a, memory).run();
}
