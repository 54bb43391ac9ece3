// PTXFLAGS: --no-cuda-gpu-arch=sm_70 --cuda-gpu-arch=sm_80 -Xclang -target-feature -Xclang +ptx70
// The network on tensor cores: see network.cuh.
#include "gradient.cuh"
#include "network.cuh"

using namespace hexnet;

// hexnet_evaluate_32x32 is hexnet_evaluate. The others, for channels that are a multiple of 64, have
// larger tiles: more products for what they load, in fewer warps.
__global__ LAUNCH_BOUNDS(384, 1) void hexnet_evaluate_32x32(const words4 *planes, const words4 *near,
		const words4 *weights, const float *constants, float *logits, float *outputs, u32 boards, u32 cells,
		u32 channels, u32 blocks, u32 capacity, float scale) {
	DYNAMIC_SHARED(unsigned char, memory);
	const Arguments a = {planes, near, weights, constants, logits, outputs, boards,
		cells, channels, blocks, capacity, scale};
	Block<TensorCores, 2, 4>(a, memory).run();
}

__global__ LAUNCH_BOUNDS(384, 1) void hexnet_evaluate_32x64(const words4 *planes, const words4 *near,
		const words4 *weights, const float *constants, float *logits, float *outputs, u32 boards, u32 cells,
		u32 channels, u32 blocks, u32 capacity, float scale) {
	DYNAMIC_SHARED(unsigned char, memory);
	const Arguments a = {planes, near, weights, constants, logits, outputs, boards,
		cells, channels, blocks, capacity, scale};
	Block<TensorCores, 2, 8>(a, memory).run();
}

__global__ LAUNCH_BOUNDS(384, 1) void hexnet_evaluate_48x64(const words4 *planes, const words4 *near,
		const words4 *weights, const float *constants, float *logits, float *outputs, u32 boards, u32 cells,
		u32 channels, u32 blocks, u32 capacity, float scale) {
	DYNAMIC_SHARED(unsigned char, memory);
	const Arguments a = {planes, near, weights, constants, logits, outputs, boards,
		cells, channels, blocks, capacity, scale};
	Block<TensorCores, 3, 8>(a, memory).run();
}

__global__ LAUNCH_BOUNDS(256, 1) void hexnet_evaluate_64x64(const words4 *planes, const words4 *near,
		const words4 *weights, const float *constants, float *logits, float *outputs, u32 boards, u32 cells,
		u32 channels, u32 blocks, u32 capacity, float scale) {
	DYNAMIC_SHARED(unsigned char, memory);
	const Arguments a = {planes, near, weights, constants, logits, outputs, boards,
		cells, channels, blocks, capacity, scale};
	Block<TensorCores, 4, 8>(a, memory).run();
}

// hexnet_convolve_32x32 has a block for some boards, see Convolution.
__global__ LAUNCH_BOUNDS(384, 1) void hexnet_convolve_32x32(const words4 *x, const words4 *near, const words4 *weights,
		const float *biases, const u32 *mask, float *stream, u32 *to, u32 boards, u32 cells, u32 in, u32 channels,
		u32 capacity, u32 add, u32 relu) {
	DYNAMIC_SHARED(unsigned char, memory);
	Convolution{x, near, weights, biases, mask, stream, to, boards, cells, in, channels, capacity, add,
		relu}.run<Tile<TensorCores, 2, 4>>(memory);
}

// hexnet_gradient_32x32 has blocks for each part of the boards, see Gradient.
__global__ LAUNCH_BOUNDS(480, 1) void hexnet_gradient_32x32(const words4 *x, const words4 *d, const words4 *near,
		float *sums, u32 boards, u32 cells, u32 in, u32 out, u32 capacity, u32 parts) {
	DYNAMIC_SHARED(unsigned char, memory);
	Gradient{x, d, near, sums, boards, cells, in, out, capacity, parts}.run<TensorCores, 2, 4>(memory);
}

// hexnet_convolve_32x64 has a block for some boards, see Convolution.
__global__ LAUNCH_BOUNDS(384, 1) void hexnet_convolve_32x64(const words4 *x, const words4 *near, const words4 *weights,
		const float *biases, const u32 *mask, float *stream, u32 *to, u32 boards, u32 cells, u32 in, u32 channels,
		u32 capacity, u32 add, u32 relu) {
	DYNAMIC_SHARED(unsigned char, memory);
	Convolution{x, near, weights, biases, mask, stream, to, boards, cells, in, channels, capacity, add,
		relu}.run<Tile<TensorCores, 2, 8>>(memory);
}

// hexnet_gradient_32x64 has blocks for each part of the boards, see Gradient.
__global__ LAUNCH_BOUNDS(480, 1) void hexnet_gradient_32x64(const words4 *x, const words4 *d, const words4 *near,
		float *sums, u32 boards, u32 cells, u32 in, u32 out, u32 capacity, u32 parts) {
	DYNAMIC_SHARED(unsigned char, memory);
	Gradient{x, d, near, sums, boards, cells, in, out, capacity, parts}.run<TensorCores, 2, 8>(memory);
}
