// PTXFLAGS: -mllvm -inline-threshold=100000
// Steps of learning, beside the convolutions and their gradients: see learning.cuh.
#include "learning.cuh"

using namespace hexnet;

// hexnet_pack sets words to pairs of parameters in half precision, each in the order of numbers.
// A parameter beyond the largest half becomes that.
__global__ void hexnet_pack(const float *parameters, const u32 *order, u32 *words, u32 n) {
	const auto half = [&](u32 at) {
		const float x = parameters[order[at]];
		return x > 65504 ? 65504 : x < -65504 ? -65504 : x;
	};
	for (u64 i = thread_in_grid(); i < n; i += threads_in_grid())
		words[i] = pack(half(2 * i), half(2 * i + 1));
}

// hexnet_planes sets words to pairs of planes, in half precision.
__global__ void hexnet_planes(const u32 *bytes, u32 *words, u32 n) {
	for (u64 i = thread_in_grid(); i < n; i += threads_in_grid()) {
		const u32 two = bytes[i / 2] >> 16 * (i % 2);
		words[i] = pack((two & 0xff) * (1.f / unit), (two >> 8 & 0xff) * (1.f / unit));
	}
}

// hexnet_pool and hexnet_unpool have a block for each board, see Pooling.
__global__ void hexnet_pool(const u32 *t, const float *weights, float *pooled, u32 *to,
		u32 cells, u32 channels, float scale) {
	DYNAMIC_SHARED(float, memory);
	Pooling{t, weights, pooled, cells, channels, scale}.forward(to, Memory{memory});
}

__global__ void hexnet_unpool(const u32 *t, const float *weights, u32 *d, float *d_shift,
		u32 cells, u32 channels, float scale) {
	DYNAMIC_SHARED(float, memory);
	Pooling{t, weights, nullptr, cells, channels, scale}.backward(d, d_shift, Memory{memory});
}

// hexnet_heads has a block for each part of the boards, see Heads.
__global__ LAUNCH_BOUNDS(256, 2) void hexnet_heads(const u32 *f, const float *to_cells, const float *to_hidden,
		const float *to_board, const float *policy, const u16 *reply, const u8 *structure, const float *value,
		const u8 *kinds, float *pooled, float *units, float *d_units, float *d_outputs, double *losses, float *stream,
		u32 *d, float *sums, u32 boards, u32 cells, u32 channels, u32 parts, float scale) {
	DYNAMIC_SHARED(float, memory);
	Heads{f,	  to_cells, to_hidden, to_board, policy, reply, structure, value,  kinds, pooled,	units,
		  d_units, d_outputs, losses,	stream,	  d,	  sums,	 boards,	cells, channels, parts, scale}
		.run(Memory{memory});
}

// hexnet_map_gradient sums the gradients of a linear map's weights by input and output, and then of
// its biases, if it has them: products of its inputs x and of the gradients d of its outputs. It has
// a block for each part of the boards.
__global__ void hexnet_map_gradient(const float *x, const float *d, float *sums, u32 boards,
		u32 in, u32 out, u32 biased, u32 parts) {
	const u32 part = block_in_grid(), n = (in + biased) * out;
	for (u32 i = thread_in_block(); i < n; i += threads_in_block()) {
		float sum = 0;
		for (u32 board = part * boards / parts; board < (part + 1) * boards / parts; board++)
			sum = fused(i / out < in ? x[board * in + i / out] : 1, d[board * out + i % out], sum);
		sums[part * n + i] = sum;
	}
}

// hexnet_add_parts adds the sums of some parts to n numbers of the gradient.
__global__ void hexnet_add_parts(float *gradient, const float *sums, u32 n, u32 parts) {
	for (u64 i = thread_in_grid(); i < n; i += threads_in_grid()) {
		float sum = gradient[i];
#pragma unroll 16
		for (u32 part = 0; part < parts; part++)
			sum += sums[part * (u64)n + i];
		gradient[i] = sum;
	}
}

// hexnet_scale multiplies the n numbers of the gradient. Each block sums the squares of some.
__global__ void hexnet_scale(float *gradient, double *squares, u32 n, float factor) {
	DYNAMIC_SHARED(double, sums);
	double sum = 0;
	for (u64 i = thread_in_grid(); i < n; i += threads_in_grid()) {
		const float g = gradient[i] * factor;
		gradient[i] = g;
		sum += (double)g * g;
	}
	for (u32 by = warp / 2; by > 0; by /= 2)
		sum += shuffle_down(sum, by);
	if (thread_in_block() % warp == 0)
		sums[thread_in_block() / warp] = sum;
	sync_block();
	if (thread_in_block() == 0) {
		for (u32 i = 1; i < threads_in_block() / warp; i++)
			sum += sums[i];
		squares[block_in_grid()] = sum;
	}
}

// hexnet_adamw makes a step as update of solvers/hexnet does, with the same bits.
__global__ void hexnet_adamw(const float *gradient, const u8 *decays, float *parameters, float *average,
		float *momentum, float *variance, u32 n, float towards, double scale, double bias1, double bias2, double rate) {
	for (u64 i = thread_in_grid(); i < n; i += threads_in_grid()) {
		const double g = gradient[i] * scale, x = parameters[i];
		const double m = 0.9 * momentum[i] + 0.1 * g, v = 0.999 * variance[i] + 0.001 * (g * g);
		momentum[i] = (float)m, variance[i] = (float)v;
		double move = m / bias1 / (__builtin_sqrt(v / bias2) + 1e-8);
		if (decays[i])
			move += 1e-4 * x;
		const float moved = (float)(x - rate * move);
		parameters[i] = moved;
		average[i] += towards * (moved - average[i]);
	}
}
