// Convolutions and the gradients of their weights, from and to the device's memory, for learning.
#pragma once

#include "convolution.cuh"

namespace hexnet {

// clear_rows makes rows of shared memory zero.
__device__ INLINED void clear_rows(unsigned char *memory, u32 stride, u32 from, u32 to) {
	for (u32 i = from * stride / 4 + thread_in_block(); i < to * stride / 4; i += threads_in_block())
		((u32 *)memory)[i] = 0;
}

// A Convolution has a block for some boards. It sets `to`, in halves, to the sums of the taps of
// x, plus the biases, if any; where the mask, if there is one, is not positive, to zero; plus the
// stream, if any and if add is set, which becomes that; or to the positive part.
struct Convolution {
	const words4 *x, *near, *weights; // rows of `in` halves, and as for Cells and a Tile
	const float *biases;
	const u32 *mask; // like `to`
	float *stream;
	u32 *to; // rows of `channels` halves
	u32 boards, cells, in, channels, capacity, add, relu;

	template <class Tile> __device__ INLINED void run(unsigned char *memory) const {
		const u32 first = block_in_grid() * capacity, left = boards - first;
		const u32 rows = (left < capacity ? left : capacity) * cells, stride = 2 * in + padding;
		const u32 tall = (rows + tallest - 1) / tallest * tallest;
		u16 *const neighbours = (u16 *)(memory + (capacity * cells + 1) * stride);
		find_neighbours(neighbours, tall, near, cells, rows, rows);
		copy_rows(memory, stride, x + (u64)first * cells * (in / 8), rows, in / 8);
		clear_rows(memory, stride, rows, rows + 1);
		sync_block();
		const Cells input = {memory, 0, stride, neighbours, tall};
		const u32 height = (rows + Tile::height - 1) / Tile::height, width = channels / Tile::width;
		for (u32 item = thread_in_block() / warp; item < height * width; item += threads_in_block() / warp) {
			const u32 left = item / height * Tile::width, top = item % height * Tile::height;
			Tile sums(biases ? biases + left : nullptr);
			sums.template convolve<false>(input, top, left, in / step, weights);
			sums.each(top, rows, [&](u32 row, u32 column, auto all) {
				const u64 from = ((u64)first * cells + row) * channels + left + column;
				u32 masks[Tile::pairs];
				floats2 before[Tile::pairs];
				all([&](u32 n, u32 column, float, float) {
					const u64 at = from + column;
					masks[n] = mask ? mask[at / 2] : ones;
					before[n] = add ? *(const floats2 *)(stream + at) : floats2{0, 0};
				});
				all([&](u32 n, u32 column, float x, float y) {
					const u64 at = from + column;
					x = (low(masks[n]) > 0 ? x : 0) + before[n][0], y = (high(masks[n]) > 0 ? y : 0) + before[n][1];
					if (stream)
						*(floats2 *)(stream + at) = floats2{x, y};
					to[at / 2] = relu ? pack(positive(x), positive(y)) : pack(x, y);
				});
			});
		}
	}
};

// A Gradient sums the gradients of a convolution's weights, in the order of parameters, and of its
// biases: products of the inputs x, gathered as in the convolution, and of the gradients d of its
// results. It is a product of matrices: the rows of the left one are the taps' inputs, and then 1
// for the biases. Each warp has M times 16 of them and N times eight columns; a part of the boards has a
// group of blocks for all warps.
struct Gradient {
	const words4 *x, *d, *near;
	float *sums; // by part
	u32 boards, cells, in, out, capacity, parts;

	template <class Products, u32 M, u32 N> __device__ INLINED void run(unsigned char *memory) const {
		const u32 lane = thread_in_block() % warp, warps = threads_in_block() / warp;
		const u32 inputs = taps * in / tile + 1, pairs = (inputs + M - 1) / M, chunks = out / (columns * N);
		const u32 groups = (pairs * chunks + warps - 1) / warps, part = block_in_grid() / groups;
		const u32 item = block_in_grid() % groups * warps + thread_in_block() / warp;
		const u32 chunk = item / pairs, input = item % pairs * M;
		// In shared memory are the rows of x, and zeros; those of d; and of each row those of its taps.
		const u32 height = (capacity * cells + step - 1) / step * step, stride = 2 * in + padding,
			stride_d = 2 * out + padding;
		unsigned char *const ds = memory + (height + 1) * stride;
		u16 *const neighbours = (u16 *)(ds + height * stride_d);
		find_neighbours(neighbours, height, near, cells, capacity * cells, height);
		clear_rows(memory, stride, 0, height + 1);

		const u16 *from[M];
		u32 offset[M];
		bool gathered[M];
#pragma unroll
		for (u32 m = 0; m < M; m++) {
			const u32 tap = (input + m) * tile / in;
			gathered[m] = tap < taps;
			from[m] = neighbours + (gathered[m] ? tap : 0) * height;
			offset[m] = (input + m) * tile % in * 2 + lane / 8 % 2 * 16;
		}
		const u32 offset_d = (u32)(ds - memory) + chunk * columns * N * 2 + lane / 8 % 2 * 16;
		const u32 end = (part + 1) * boards / parts;
		float sums[M][N][4] = {};
		for (u32 first = part * boards / parts; first < end; first += capacity) {
			const u32 rows = (end - first < capacity ? end - first : capacity) * cells;
			sync_block();
			copy_rows(memory, stride, x + (u64)first * cells * (in / 8), rows, in / 8);
			copy_rows(ds, stride_d, d + (u64)first * cells * (out / 8), rows, out / 8);
			clear_rows(ds, stride_d, rows, height);
			sync_block();
			if (chunk >= chunks)
				continue;
#pragma clang loop unroll(disable)
			for (u32 k = 0; k < height; k += step) {
				const u32 row = k + lane / 16 * 8 + lane % 8;
				u32 a[M][4], b[N][2];
#pragma unroll
				for (u32 m = 0; m < M; m++) {
					Products::load_transposed(a[m], memory, from[m][row] * stride + offset[m]);
					if (!gathered[m])
						a[m][0] = a[m][1] = a[m][2] = a[m][3] = ones;
				}
#pragma unroll
				for (u32 n = 0; n < N; n += 2) {
					u32 two[4];
					Products::load_transposed(two, memory, offset_d + row * stride_d + n * columns * 2);
					b[n][0] = two[0], b[n + 1][0] = two[1], b[n][1] = two[2], b[n + 1][1] = two[3];
				}
				Products::multiply(sums, a, b);
			}
		}
		if (chunk >= chunks)
			return;
		const u32 g = lane / 4, t = lane % 4, last = taps * in; // row of the biases
		float *const to = this->sums + (u64)part * (last + 1) * out + chunk * columns * N;
#pragma unroll
		for (u32 m = 0; m < M; m++)
#pragma unroll
			for (u32 half = 0; half < 2; half++) {
				const u32 row = (input + m) * tile + half * tile / 2 + g;
				if (row <= last)
#pragma unroll
					for (u32 n = 0; n < N; n++)
						to[row * out + n * columns + 2 * t] = sums[m][n][2 * half],
							to[row * out + n * columns + 2 * t + 1] = sums[m][n][2 * half + 1];
			}
	}
};

} // namespace hexnet
