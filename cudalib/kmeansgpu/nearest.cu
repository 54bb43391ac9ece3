// The nearest of some centres to each of many vectors, by comparing all pairs.
//
// Vectors have coordinates of 16 bits. They are kept by coordinate: all vectors' first
// ones, then all second ones, `stride` apart. A block has 128 vectors and goes through the
// centres in tiles of 64. A thread adds up the distances of 8 vectors to 4 centres of a
// tile, coordinate by coordinate, from copies in shared memory.
#include "cuda.cuh"

constexpr u32 side = 16; // threads of a block along the vectors, and along the centres
constexpr u32 threads = side * side;
constexpr u32 at_once = 4; // elements that a thread loads at once
constexpr u32 tile_vectors = 2 * at_once * side, tile_centres = at_once * side;
constexpr u32 depth = 16; // coordinates in shared memory

// L1 is the sum of absolute differences. It is below 2^24, and so exact, for up to 256
// coordinates.
struct L1 {
	typedef float Value;
	typedef float Sum;
	static constexpr float far = 1 << 24; // more than any
	__device__ static void add(float &sum, float x, float y) { sum += __builtin_fabsf(x - y); }
	__device__ static u64 square(float sum) { return (u64)sum * (u64)sum; }
};

// L2 is the square of the Euclidean distance.
struct L2 {
	typedef int Value;
	typedef long long Sum;
	static constexpr long long far = 1ll << 62; // more than any
	__device__ static void add(long long &sum, int x, int y) { sum += (long long)(x - y) * (x - y); }
	__device__ static u64 square(long long sum) { return sum; }
};

template <class T> struct Four {
	typedef T Type __attribute__((vector_size(4 * sizeof(T))));
};
typedef Four<u16>::Type halves4;

// kmeans_columns copies vectors that come one after the other to where they are kept by
// coordinate.
__global__ void kmeans_columns(u16 *to, const u16 *from, u64 n, u64 stride, u32 dim) {
	for (u64 i = thread_in_grid(); i < n; i += threads_in_grid())
		for (u32 k = 0; k < dim; k++)
			to[k * stride + i] = from[i * dim + k];
}

// copy copies some coordinates of a tile to shared memory.
template <class T, u32 N>
__device__ inline void copy(typename Four<T>::Type *to, const u16 *from, u64 stride, u32 coordinates) {
	constexpr u32 row = N / at_once;
	for (u32 i = thread_in_block(); i < coordinates * row; i += threads) {
		const halves4 x = *(const halves4 *)(from + i / row * stride + i % row * at_once);
#pragma unroll
		for (u32 j = 0; j < at_once; j++)
			to[i][j] = x[j];
	}
}

__device__ inline u64 shuffle_xor_long(u64 value, u32 by) {
	return (u64)shuffle_xor((u32)(value >> 32), by) << 32 | shuffle_xor((u32)value, by);
}

template <class M>
__device__ inline void nearest_of(const u16 *vectors, u64 n, u64 stride, const u16 *centres, u32 num_centres,
		u64 centre_stride, u32 dim, u32 *nearest, u64 *square) {
	typedef typename Four<typename M::Value>::Type Values;
	SHARED(Values, vector_tile, depth * tile_vectors / at_once);
	SHARED(Values, centre_tile, depth * tile_centres / at_once);
	const u32 column = thread_in_block() % side, row = thread_in_block() / side;
	const u64 first = (u64)block_in_grid() * tile_vectors;
	constexpr u32 own = 2 * at_once; // vectors of a thread
	typename M::Sum least[own];
	u32 best[own];
#pragma unroll
	for (u32 i = 0; i < own; i++)
		least[i] = M::far, best[i] = 0;
	for (u32 tile = 0; tile < num_centres; tile += tile_centres) {
		typename M::Sum sum[own][at_once] = {};
		for (u32 k = 0; k < dim; k += depth) {
			const u32 coordinates = dim - k < depth ? dim - k : depth;
			sync_block(); // before what was copied last is written over
			copy<typename M::Value, tile_vectors>(vector_tile, vectors + k * stride + first, stride, coordinates);
			copy<typename M::Value,
				tile_centres>(centre_tile, centres + k * centre_stride + tile, centre_stride, coordinates);
			sync_block();
			for (u32 c = 0; c < coordinates; c++) {
				const Values x[2] = {vector_tile[c * 2 * side + row], vector_tile[(c * 2 + 1) * side + row]};
				const Values y = centre_tile[c * side + column];
#pragma unroll
				for (u32 i = 0; i < own; i++)
#pragma unroll
					for (u32 j = 0; j < at_once; j++)
						M::add(sum[i][j], x[i / at_once][i % at_once], y[j]);
			}
		}
#pragma unroll
		for (u32 j = 0; j < at_once; j++) {
			const u32 centre = tile + column * at_once + j;
#pragma unroll
			for (u32 i = 0; i < own; i++)
				if (sum[i][j] < least[i] && centre < num_centres)
					least[i] = sum[i][j], best[i] = centre;
		}
	}
	// The threads of a row have the same vectors. Of equal distances the first centre's counts.
#pragma unroll
	for (u32 i = 0; i < own; i++) {
		u64 d = M::square(least[i]);
		u32 centre = best[i];
		for (u32 by = 1; by < side; by *= 2) {
			const u64 other = shuffle_xor_long(d, by);
			const u32 others = shuffle_xor(centre, by);
			if (other < d || (other == d && others < centre))
				d = other, centre = others;
		}
		const u64 at = first + i / at_once * tile_vectors / 2 + row * at_once + i % at_once;
		if (column == 0 && at < n)
			nearest[at] = centre, square[at] = d;
	}
}

// kmeans_nearest finds, for each vector, the first of the nearest centres and the square of its
// distance. The strides are multiples of the tiles.
#define NEAREST const u16 *vectors, u64 n, u64 stride, const u16 *centres, u32 num_centres, u64 centre_stride, \
	u32 dim, u32 *nearest, u64 *square
__global__ LAUNCH_BOUNDS(256, 2) void kmeans_nearest_l1(NEAREST) {
	nearest_of<L1>(vectors, n, stride, centres, num_centres, centre_stride, dim, nearest, square);
}
__global__ LAUNCH_BOUNDS(256, 2) void kmeans_nearest_l2(NEAREST) {
	nearest_of<L2>(vectors, n, stride, centres, num_centres, centre_stride, dim, nearest, square);
}
