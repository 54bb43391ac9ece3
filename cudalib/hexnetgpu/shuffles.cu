// PTXFLAGS: -mllvm -inline-threshold=100000
// The network on any device: see network.cuh.
#include "gradient.cuh"
#include "network.cuh"

using namespace hexnet;

// hexnet_evaluate computes a network for some boards. The number of channels is a multiple of 32.
__global__ LAUNCH_BOUNDS(384, 1) void hexnet_evaluate(const words4 *planes, const words4 *near, const words4 *weights,
		const float *constants, float *logits, float *outputs, u32 boards, u32 cells, u32 channels, u32 blocks,
		u32 capacity, float scale) {
	DYNAMIC_SHARED(unsigned char, memory);
	const Arguments a = {planes, near, weights, constants, logits, outputs, boards,
		cells, channels, blocks, capacity, scale};
	Block<Shuffles, 2, 4>(a, memory).run();
}

// hexnet_convolve has a block for some boards, see Convolution.
__global__ LAUNCH_BOUNDS(384, 1) void hexnet_convolve(const words4 *x, const words4 *near, const words4 *weights,
		const float *biases, const u32 *mask, float *stream, u32 *to, u32 boards, u32 cells, u32 in, u32 channels,
		u32 capacity, u32 add, u32 relu) {
	DYNAMIC_SHARED(unsigned char, memory);
	Convolution{x, near, weights, biases, mask, stream, to, boards, cells, in, channels, capacity, add,
		relu}.run<Tile<Shuffles, 2, 4>>(memory);
}

// hexnet_gradient has blocks for each part of the boards, see Gradient.
__global__ LAUNCH_BOUNDS(480, 1) void hexnet_gradient(const words4 *x, const words4 *d, const words4 *near, float *sums,
		u32 boards, u32 cells, u32 in, u32 out, u32 capacity, u32 parts) {
	DYNAMIC_SHARED(unsigned char, memory);
	Gradient{x, d, near, sums, boards, cells, in, out, capacity, parts}.run<Shuffles, 2, 4>(memory);
}
