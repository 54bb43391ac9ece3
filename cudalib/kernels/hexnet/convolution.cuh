// Convolutions of boards whose activations are in shared memory, in half precision.
//
// A convolution is a product of matrices: the rows of the left one are cells, and its columns
// the channels of the seven taps, gathered from the rows of neighbours. A warp computes tiles
// of 32 rows, in steps of 16 columns, with products of 16x16 and 16x8 matrices.
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

// A Tile is 32 rows of a convolution's results and N times eight of its columns.
template <class Products, u32 N> struct Tile {
	float sums[tiles][N][4] = {};

	// read reads the weights of a step.
	static __device__ INLINED void read(u32 (&b)[N][2], const words4 *w) {
#pragma unroll
		for (u32 n = 0; n < N; n += 2) {
			const words4 two = w[n / 2 * warp];
			b[n][0] = two[0], b[n][1] = two[1], b[n + 1][0] = two[2], b[n + 1][1] = two[3];
		}
	}

	// convolve adds the convolution for the rows from top on, of inputs in some steps of columns,
	// or of their positive parts. The weights are by tap, step, pair of columns' eights, and lane:
	// for two eights, a lane's rows of the column.
	template <bool relu> __device__ INLINED void convolve(const Cells &x, u32 top, u32 steps, const words4 *weights) {
		const u32 lane = thread_in_block() % warp;
		words4 near[tiles];
		u32 board[tiles]; // its first row
#pragma unroll
		for (u32 m = 0; m < tiles; m++) {
			const u32 row = top + m * tile + lane % tile;
			board[m] = row / x.cells * x.cells;
			near[m] = row < x.rows ? x.near[row - board[m]] : words4{~0u, ~0u, ~0u, ~0u};
		}
		const words4 *w = weights + lane;
		u32 b[N][2], next[N][2];
		read(next, w);
#pragma clang loop unroll(disable)
		for (u32 tap = 0; tap < taps; tap++) {
			u32 at[tiles];
#pragma unroll
			for (u32 m = 0; m < tiles; m++) {
				const u32 neighbour = near[m][0] & 0xffff;
				at[m] = x.first + (neighbour == off_board ? x.zeros : board[m] + neighbour) * x.stride + lane / tile * 16;
#pragma unroll
				for (u32 i = 0; i < 4; i++)
					near[m][i] = near[m][i] >> 16 | (i < 3 ? near[m][i + 1] << 16 : 0);
			}
#pragma clang loop unroll(disable)
			for (u32 k = 0; k < steps; k++) {
#pragma unroll
				for (u32 n = 0; n < N; n++)
					b[n][0] = next[n][0], b[n][1] = next[n][1];
				w += N / 2 * warp;
				read(next, w); // early; after the last step these are weights of what follows
				u32 a[tiles][4];
#pragma unroll
				for (u32 m = 0; m < tiles; m++) {
					Products::load(a[m], x.memory, at[m]);
					at[m] += 2 * step;
					if (relu)
#pragma unroll
						for (u32 i = 0; i < 4; i++)
							a[m][i] = Products::positive(a[m][i]);
				}
				Products::multiply(sums, a, b);
			}
		}
	}

	// each calls f with each row of the tile that there is, an even column, and the sums of this
	// column and the next.
	template <class F> __device__ INLINED void each(u32 top, u32 rows, F f) const {
		const u32 lane = thread_in_block() % warp, g = lane / 4, t = lane % 4;
#pragma unroll
		for (u32 n = 0; n < N; n++)
#pragma unroll
			for (u32 m = 0; m < tiles; m++)
#pragma unroll
				for (u32 half = 0; half < 2; half++) {
					const u32 row = top + m * tile + half * tile / 2 + g;
					if (row < rows)
						f(row, n * columns + 2 * t, sums[m][n][2 * half], sums[m][n][2 * half + 1]);
				}
	}
};

} // namespace hexnet
