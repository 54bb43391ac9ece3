// Convolutions of boards whose activations are in shared memory, in half precision.
//
// A convolution is a product of matrices: the rows of the left one are cells, and its columns
// the channels of the seven taps, gathered from the rows of neighbours. A warp computes tiles of
// the result, in steps of 16 columns, with products of 16x16 and 16x8 matrices.
#pragma once

#include "products.cuh"

namespace hexnet {

// Cells are the rows of some boards in shared memory, in the order of boards and cells.
struct Cells {
	const unsigned char *memory;
	u32 first, stride; // bytes
	const u16 *near;   // see find_neighbours
	u32 height;
};

// find_neighbours sets `near`, of each tap, to the rows of the neighbours of `height` rows, which
// are those of boards. For cells off the board and for rows that there are not it is a row of zeros.
__device__ INLINED void find_neighbours(u16 *near, u32 height, const words4 *neighbours,
		u32 cells, u32 rows, u32 zeros) {
	for (u32 row = thread_in_block(); row < height; row += threads_in_block()) {
		const u32 board = row / cells * cells;
		const words4 of = row < rows ? neighbours[row - board] : words4{~0u, ~0u, ~0u, ~0u};
#pragma unroll
		for (u32 tap = 0; tap < taps; tap++) {
			const u32 neighbour = of[tap / 2] >> 16 * (tap % 2) & 0xffff;
			near[tap * height + row] = neighbour == off_board ? zeros : board + neighbour;
		}
	}
}

// A Tile is M times 16 rows of a convolution's results and N times eight of its columns, N being a
// multiple of 4.
template <class Products, u32 M, u32 N> struct Tile {
	static constexpr u32 height = M * tile, width = N * columns, pairs = N;

	float sums[M][N][4];

	// The sums begin with the biases of the columns, if there are any.
	__device__ INLINED explicit Tile(const float *biases) {
#pragma unroll
		for (u32 n = 0; n < N; n++) {
			const floats2 two = biases ? *(const floats2 *)(biases + n * columns + 2 * (thread_in_block() % 4))
				: floats2{0, 0};
#pragma unroll
			for (u32 m = 0; m < M; m++)
				sums[m][n][0] = sums[m][n][2] = two[0], sums[m][n][1] = sums[m][n][3] = two[1];
		}
	}

	// read reads the weights of a step, those of packed columns at a distance.
	static __device__ INLINED void read(u32 (&b)[N][2], const words4 *w, u32 distance) {
#pragma unroll
		for (u32 n = 0; n < N; n += 2) {
			const words4 two = w[n / packed * distance + n % packed / 2 * warp];
			b[n][0] = two[0], b[n][1] = two[1], b[n + 1][0] = two[2], b[n + 1][1] = two[3];
		}
	}

	// convolve adds the convolution for the rows from top on and the columns from left on, of
	// inputs in some steps of columns, or of their positive parts. The weights are by 32 columns,
	// tap, step, pair of columns' eights, and lane: for two eights, a lane's rows of the column.
	template <bool relu>
	__device__ INLINED void convolve(const Cells &x, u32 top, u32 left, u32 steps, const words4 *weights) {
		// The weights of so many steps are in registers, to be read early.
		constexpr u32 ahead = M * N < 16 ? 4 : 2;
		const u32 lane = thread_in_block() % warp, all = taps * steps, distance = all * packed / 2 * warp;
		const words4 *w = weights + left / (packed * columns) * distance + lane;
		u32 b[ahead][N][2];
#pragma unroll
		for (u32 i = 0; i + 1 < ahead; i++, w += packed / 2 * warp)
			read(b[i], w, distance);
		const u16 *near = x.near + top + lane % tile;
		u32 at[M], left_of_tap = 0; // steps
#pragma clang loop unroll(disable)
		for (u32 done = 0; done < all; done += ahead)
#pragma unroll
			for (u32 i = 0; i < ahead; i++) {
				if (done + i == all)
					return;
				if (left_of_tap == 0) {
#pragma unroll
					for (u32 m = 0; m < M; m++)
						at[m] = x.first + near[m * tile] * x.stride + lane / tile * 16;
					near += x.height;
					left_of_tap = steps;
				}
				left_of_tap--;
				read(b[(i + ahead - 1) % ahead], w, distance); // in the end these are weights of what follows
				w += packed / 2 * warp;
				u32 a[M][4];
#pragma unroll
				for (u32 m = 0; m < M; m++) {
					Products::load(a[m], x.memory, at[m]);
					at[m] += 2 * step;
					if (relu)
#pragma unroll
						for (u32 k = 0; k < 4; k++)
							a[m][k] = Products::positive(a[m][k]);
				}
				Products::multiply(sums, a, b[i]);
			}
	}

	// each calls f with each row of the tile that there is, the lane's first column, and a function.
	// That calls its argument with the number of each of the lane's pairs of columns, the distance from
	// the first, and the sums. Loads for all pairs take as long as one, if no store is between them.
	template <class F> __device__ INLINED void each(u32 top, u32 rows, F f) {
		const u32 lane = thread_in_block() % warp;
#pragma unroll
		for (u32 m = 0; m < M; m++)
#pragma unroll
			for (u32 half = 0; half < 2; half++) {
				const u32 row = top + m * tile + half * tile / 2 + lane / 4;
				if (row >= rows)
					continue;
				f(row, lane % 4 * 2, [&](auto pair) {
#pragma unroll
					for (u32 n = 0; n < N; n++)
						pair(n, n * columns, sums[m][n][2 * half], sums[m][n][2 * half + 1]);
				});
			}
	}
};

} // namespace hexnet
