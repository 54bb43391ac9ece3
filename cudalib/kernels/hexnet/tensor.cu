// PTXFLAGS: --no-cuda-gpu-arch=sm_70 --cuda-gpu-arch=sm_80 -Xclang -target-feature -Xclang +ptx70
// The network on tensor cores: see network.cuh.
#include "network.cuh"

using namespace hexnet;

// hexnet_tensor_32 is hexnet_evaluate, and hexnet_tensor_64 is for channels that are a multiple
// of 64, which it computes in chunks of 64.
__global__ LAUNCH_BOUNDS(384, 1) void hexnet_tensor_32(const words4 *planes, const words4 *near, const words4 *weights, const float *constants,
													   float *logits, float *outputs, u32 boards, u32 cells, u32 channels, u32 blocks,
													   u32 capacity, float scale) {
	DYNAMIC_SHARED(unsigned char, memory);
	const Arguments a = {planes, near, weights, constants, logits, outputs, boards, cells, channels, blocks, capacity, scale};
	Block<TensorCores, 4>(a, memory).run();
}

__global__ LAUNCH_BOUNDS(384, 1) void hexnet_tensor_64(const words4 *planes, const words4 *near, const words4 *weights, const float *constants,
													   float *logits, float *outputs, u32 boards, u32 cells, u32 channels, u32 blocks,
													   u32 capacity, float scale) {
	DYNAMIC_SHARED(unsigned char, memory);
	const Arguments a = {planes, near, weights, constants, logits, outputs, boards, cells, channels, blocks, capacity, scale};
	Block<TensorCores, 8>(a, memory).run();
}
