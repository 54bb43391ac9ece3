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
	u32 rows, zeros;   // the number of rows, and that of a row of zeros
	const words4 *near; // of each cell the rows of its taps, in 16 bits each
	u32 cells;		   // of a board
};

// A Tile is M times 16 rows of a convolution's results and N times eight of its columns, N being a
// multiple of 4.
template <class Products, u32 M, u32 N> struct Tile {
	static constexpr u32 height = M * tile, width = N * columns;

	float sums[M][N][4];

	// The sums begin with the biases of the columns, if there are any.
	__device__ INLINED explicit Tile(const float *biases) {
#pragma unroll
		for (u32 n = 0; n < N; n++) {
			const floats2 two = biases ? *(const floats2 *)(biases + n * columns + 2 * (thread_in_block() % 4)) : floats2{0, 0};
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
	template <bool relu> __device__ INLINED void convolve(const Cells &x, u32 top, u32 left, u32 steps, const words4 *weights) {
		const u32 lane = thread_in_block() % warp, distance = taps * steps * packed / 2 * warp;
		words4 near[M];
		u32 board[M]; // its first row
#pragma unroll
		for (u32 m = 0; m < M; m++) {
			const u32 row = top + m * tile + lane % tile;
			board[m] = row / x.cells * x.cells;
			near[m] = row < x.rows ? x.near[row - board[m]] : words4{~0u, ~0u, ~0u, ~0u};
		}
		const words4 *w = weights + left / (packed * columns) * distance + lane;
		u32 even[N][2], odd[N][2]; // of the weights of steps, so that they need not be copied
		read(even, w, distance);
#pragma clang loop unroll(disable)
		for (u32 tap = 0; tap < taps; tap++) {
			u32 at[M];
#pragma unroll
			for (u32 m = 0; m < M; m++) {
				const u32 neighbour = near[m][0] & 0xffff;
				at[m] = x.first + (neighbour == off_board ? x.zeros : board[m] + neighbour) * x.stride + lane / tile * 16;
#pragma unroll
				for (u32 i = 0; i < 4; i++)
					near[m][i] = near[m][i] >> 16 | (i < 3 ? near[m][i + 1] << 16 : 0);
			}
			const auto add = [&](const u32 (&b)[N][2], u32 (&next)[N][2]) __attribute__((always_inline)) {
				w += packed / 2 * warp;
				read(next, w, distance); // early; after the last step these are weights of what follows
				u32 a[M][4];
#pragma unroll
				for (u32 m = 0; m < M; m++) {
					Products::load(a[m], x.memory, at[m]);
					at[m] += 2 * step;
					if (relu)
#pragma unroll
						for (u32 i = 0; i < 4; i++)
							a[m][i] = Products::positive(a[m][i]);
				}
				Products::multiply(sums, a, b);
			};
#pragma clang loop unroll(disable)
			for (u32 k = 1; k < steps; k += 2) {
				add(even, odd);
				add(odd, even);
			}
			if (steps % 2 == 1) {
				add(even, odd);
#pragma unroll
				for (u32 n = 0; n < N; n++)
					even[n][0] = odd[n][0], even[n][1] = odd[n][1];
			}
		}
	}

	// each calls f with each row of the tile that there is and the lane's first column. It calls what
	// f returns with the distance of each of the lane's pairs of columns from that, and their sums.
	template <class F> __device__ INLINED void each(u32 top, u32 rows, F f) const {
		const u32 lane = thread_in_block() % warp;
#pragma unroll
		for (u32 m = 0; m < M; m++)
#pragma unroll
			for (u32 half = 0; half < 2; half++) {
				const u32 row = top + m * tile + half * tile / 2 + lane / 4;
				if (row >= rows)
					continue;
				const auto set = f(row, lane % 4 * 2);
#pragma unroll
				for (u32 n = 0; n < N; n++)
					set(n * columns, sums[m][n][2 * half], sums[m][n][2 * half + 1]);
			}
	}
};

} // namespace hexnet
