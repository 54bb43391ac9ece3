// The residual networks of package hexnet, for boards of hexagonal cells. A block keeps the
// activations of some boards in shared memory through all layers, in half precision, and reads
// the weights of a layer as it needs them. Products are summed in single precision.
//
// A convolution is a product of matrices: the rows of the left one are cells, and its columns
// the channels of the seven taps, gathered from the rows of neighbours. A warp computes tiles
// of 32 rows, in steps of 16 columns, with products of 16x16 and 16x8 matrices.
#pragma once

#include "cuda.cuh"

namespace hexnet {

constexpr u32 taps = 7, planes = 16, heads = 4, hidden = 64, unit = 8;
constexpr u32 warp = 32;
constexpr u32 step = 16;			// columns of a product
constexpr u32 columns = 8;			// of its result
constexpr u32 tiles = 2, tile = 16; // of rows, in a warp's tile
constexpr u32 padding = 16;			// bytes between rows, so that eight rows are in different banks
constexpr u32 off_board = 0xffff;	// as a neighbour
constexpr u32 at_once = 8;			// loads of a thread that are under way together

#ifdef __CUDA_ARCH__

// low and high return the halves of a word, and pack makes a word of two numbers.
__device__ inline float low(u32 word) {
	float x;
	asm("{ .reg .b16 l, h; mov.b32 {l, h}, %1; cvt.f32.f16 %0, l; }" : "=f"(x) : "r"(word));
	return x;
}
__device__ inline float high(u32 word) {
	float x;
	asm("{ .reg .b16 l, h; mov.b32 {l, h}, %1; cvt.f32.f16 %0, h; }" : "=f"(x) : "r"(word));
	return x;
}
__device__ inline u32 pack(float l, float h) {
	u32 word;
	asm("{ .reg .b16 l, h; cvt.rn.f16.f32 l, %1; cvt.rn.f16.f32 h, %2; mov.b32 %0, {l, h}; }" : "=r"(word) : "f"(l), "f"(h));
	return word;
}

#else

// half_to_float and float_to_half do what the conversions of a device do, for finite numbers.
inline float half_to_float(u32 half) {
	const u32 exponent = half >> 10 & 31, fraction = half & 1023;
	const float magnitude = exponent == 0 ? fraction * 0x1p-24f : __builtin_ldexpf(1024 + fraction, (int)exponent - 25);
	return half >> 15 & 1 ? -magnitude : magnitude;
}
inline u32 float_to_half(float x) {
	const u32 sign = __builtin_signbit(x) ? 1 << 15 : 0;
	int exponent;
	__builtin_frexpf(x, &exponent); // the magnitude is below 2^exponent
	const int lowest = x == 0 || exponent < -13 ? -24 : exponent - 11; // of the bits that are kept
	const u32 units = (u32)__builtin_nearbyintf(__builtin_ldexpf(__builtin_fabsf(x), -lowest));
	return sign | (units + ((u32)(lowest + 24) << 10)); // from 2^-14 on, the units' highest bit counts the exponent
}
inline float low(u32 word) { return half_to_float(word & 0xffff); }
inline float high(u32 word) { return half_to_float(word >> 16); }
inline u32 pack(float l, float h) { return float_to_half(l) | float_to_half(h) << 16; }

#endif

__device__ inline float positive(float x) { return x > 0 ? x : 0; }

// A Products has the two instructions of tensor cores that the network needs, and the positive
// parts of two halves. The lanes of a warp call its functions together.
//
// load loads a matrix of 16 rows and 16 columns of halves. A lane gives the address in shared
// memory of the first (lane < 16) or the second half of row lane % 16. With g = lane / 4 and
// t = lane % 4, it gets of row g the columns 2t and 2t+1, the same of row g+8, and of both rows
// the columns 8 further.
//
// multiply adds products with matrices of 16 rows and 8 columns, of which a lane has of column g
// the rows 2t and 2t+1, and those 8 further. Of a result it has of row g the columns 2t and 2t+1,
// and the same of row g+8.

// Shuffles does them by shuffles, for devices without these instructions, and for tests.
struct Shuffles {
	static __device__ inline u32 positive(u32 halves) {
		const u32 negative = halves >> 15 & 0x10001u;
		return halves & ~(negative * 0xffffu);
	}

	static __device__ INLINED void load(u32 (&a)[4], const unsigned char *memory, u32 address) {
		const u32 g = thread_in_block() % warp / 4, t = thread_in_block() % 4;
		warp_exchange(address, [&](auto of) {
#pragma unroll
			for (u32 i = 0; i < 4; i++)
				a[i] = shared_load(memory, of(8 * i + g) + 4 * t);
		});
	}

	struct Column {
		u32 rows[2];
	};
	struct Rows {
		u32 words[4];
	};

	template <u32 N> static __device__ INLINED void multiply(float (&sums)[tiles][N][4], const u32 (&a)[tiles][4], const u32 (&b)[N][2]) {
		const u32 g = thread_in_block() % warp / 4, t = thread_in_block() % 4;
		Rows rows[tiles][4];
#pragma unroll
		for (u32 m = 0; m < tiles; m++)
			warp_exchange(Rows{{a[m][0], a[m][1], a[m][2], a[m][3]}}, [&](auto of) {
#pragma unroll
				for (u32 q = 0; q < 4; q++)
					rows[m][q] = of(4 * g + q);
			});
#pragma unroll
		for (u32 n = 0; n < N; n++)
			warp_exchange(Column{{b[n][0], b[n][1]}}, [&](auto of) {
#pragma unroll
				for (u32 c = 0; c < 2; c++)
#pragma unroll
					for (u32 q = 0; q < 4; q++) {
						const Column column = of(4 * (2 * t + c) + q);
#pragma unroll
						for (u32 m = 0; m < tiles; m++)
#pragma unroll
							for (u32 half = 0; half < 2; half++) {
								float &sum = sums[m][n][2 * half + c];
#pragma unroll
								for (u32 k = 0; k < 2; k++) {
									const u32 x = rows[m][q].words[2 * k + half], w = column.rows[k];
									sum = fused(high(x), high(w), fused(low(x), low(w), sum));
								}
							}
					}
			});
	}
};

#ifdef __CUDA_ARCH__

// TensorCores does them by the instructions of devices of compute capability 8.0 and later.
struct TensorCores {
	static __device__ inline u32 positive(u32 halves) {
		u32 x;
		asm("max.f16x2 %0, %1, %2;" : "=r"(x) : "r"(halves), "r"(0));
		return x;
	}

	static __device__ INLINED void load(u32 (&a)[4], const unsigned char *memory, u32 address) {
		asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
					 : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
					 : "r"(shared_address(memory, address))
					 : "memory");
	}

	template <u32 N> static __device__ INLINED void multiply(float (&sums)[tiles][N][4], const u32 (&a)[tiles][4], const u32 (&b)[N][2]) {
#pragma unroll
		for (u32 m = 0; m < tiles; m++)
#pragma unroll
			for (u32 n = 0; n < N; n++) {
				float(&s)[4] = sums[m][n];
				asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
					: "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
					: "r"(a[m][0]), "r"(a[m][1]), "r"(a[m][2]), "r"(a[m][3]), "r"(b[n][0]), "r"(b[n][1]));
			}
	}
};

#else

using TensorCores = Shuffles;

#endif

// Arguments are the parameters of a kernel.
struct Arguments {
	const words4 *planes;	// of each cell 16 bytes, in units of 1/8
	const words4 *near;		// of each cell the rows of its taps, in 16 bits each
	const words4 *weights;	// see Weights
	const float *constants; // biases in the order of layers, then the weights of the outputs
	float *logits;			// by head, board and cell
	float *outputs;			// four for each board, the first before tanh
	u32 boards, cells, channels, blocks;
	u32 capacity; // boards of a block
	float scale;  // of the second pooled mean
};

// Weights are halves in the order of layers. Those of a convolution are by chunk of N times
// eight channels, tap, step, pair of columns' eights, and lane: for two eights, a lane's rows
// of the column. Those of a linear map are by input, in words of two outputs.
//
// A Block has the boards of a block.
template <class Products, u32 N> struct Block {
	const Arguments &arguments;
	unsigned char *const memory; // shared
	const u32 channels, stride;	 // bytes from row to row
	const u32 first, boards, rows, last;
	const u32 stream, middle; // addresses of the rows of h and of t
	float *const pooled, *const shift;
	const words4 *weights;	// of the next layer
	const float *constants; // of the next layer

	// Rows are those of all cells of the block's boards, then one of zeros.
	__device__ Block(const Arguments &a, unsigned char *memory)
		: arguments(a), memory(memory), channels(a.channels), stride(2 * a.channels + padding), first(block_in_grid() * a.capacity),
		  boards(a.boards - first < a.capacity ? a.boards - first : a.capacity), rows(boards * a.cells), last(a.capacity * a.cells), stream(0),
		  middle((last + 1) * stride), pooled((float *)(memory + 2 * (last + 1) * stride)), shift(pooled + 3 * channels * a.capacity),
		  weights(a.weights), constants(a.constants) {}

	__device__ u32 word(u32 buffer, u32 row, u32 index) const { return buffer + row * stride + 4 * index; }

	// begin clears the rows of zeros and copies the planes to t.
	__device__ INLINED void begin() const {
		for (u32 i = thread_in_block(); i < 2 * stride / 4; i += threads_in_block())
			shared_store(memory, (i < stride / 4 ? stream : middle) + last * stride + i % (stride / 4) * 4, 0);
		for (u32 row = thread_in_block(); row < rows; row += threads_in_block()) {
			const words4 bytes = arguments.planes[first * arguments.cells + row];
#pragma unroll
			for (u32 i = 0; i < planes / 2; i++) {
				const u32 two = bytes[i / 2] >> 16 * (i % 2);
				shared_store(memory, word(middle, row, i), pack((two & 0xff) * (1.f / unit), (two >> 8 & 0xff) * (1.f / unit)));
			}
		}
		sync_block();
	}

	// read reads the weights of a step.
	static __device__ INLINED void read(u32 (&b)[N][2], const words4 *w) {
#pragma unroll
		for (u32 n = 0; n < N; n += 2) {
			const words4 two = w[n / 2 * warp];
			b[n][0] = two[0], b[n][1] = two[1], b[n + 1][0] = two[2], b[n + 1][1] = two[3];
		}
	}

	// Uses of a convolution's results: they become h, t, or relu(t), or are added to h.
	enum Use { set_stream, set_middle, set_positive, add_to_stream };

	// convolve computes a convolution of rows of a buffer, each of some steps of columns, or of
	// their positive parts.
	template <Use use, bool relu> __device__ INLINED void convolve(u32 from, u32 steps) {
		const u32 lane = thread_in_block() % warp, warps = threads_in_block() / warp;
		const u32 height = (rows + tiles * tile - 1) / (tiles * tile), chunks = channels / (columns * N);
		const u32 to = use == set_stream || use == add_to_stream ? stream : middle;
		for (u32 item = thread_in_block() / warp; item < height * chunks; item += warps) {
			const u32 chunk = item / height, top = item % height * tiles * tile;
			words4 near[tiles];
			u32 board[tiles]; // its first row
#pragma unroll
			for (u32 m = 0; m < tiles; m++) {
				const u32 row = top + m * tile + lane % tile;
				board[m] = row / arguments.cells * arguments.cells;
				near[m] = row < rows ? arguments.near[row - board[m]] : words4{~0u, ~0u, ~0u, ~0u};
			}
			float sums[tiles][N][4] = {};
			const words4 *w = weights + (chunk * taps * steps * N / 2) * warp + lane;
			u32 b[N][2], next[N][2];
			read(next, w);
#pragma clang loop unroll(disable)
			for (u32 tap = 0; tap < taps; tap++) {
				u32 at[tiles];
#pragma unroll
				for (u32 m = 0; m < tiles; m++) {
					const u32 neighbour = near[m][0] & 0xffff;
					at[m] = from + (neighbour == off_board ? last : board[m] + neighbour) * stride + lane / tile * 16;
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
						Products::load(a[m], memory, at[m]);
						at[m] += 2 * step;
						if (relu)
#pragma unroll
							for (u32 i = 0; i < 4; i++)
								a[m][i] = Products::positive(a[m][i]);
					}
					Products::multiply(sums, a, b);
				}
			}
			const u32 g = lane / 4, t = lane % 4;
#pragma unroll
			for (u32 n = 0; n < N; n++) {
				const u32 channel = chunk * columns * N + n * columns + 2 * t;
				const float bias0 = constants[channel], bias1 = constants[channel + 1];
#pragma unroll
				for (u32 m = 0; m < tiles; m++)
#pragma unroll
					for (u32 half = 0; half < 2; half++) {
						const u32 row = top + m * tile + half * tile / 2 + g;
						if (row >= rows)
							continue;
						const u32 address = word(to, row, channel / 2);
						float x = sums[m][n][2 * half] + bias0, y = sums[m][n][2 * half + 1] + bias1;
						if (use == add_to_stream) {
							const u32 before = shared_load(memory, address);
							x += low(before), y += high(before);
						}
						const u32 both = pack(x, y);
						shared_store(memory, address, use == set_positive ? Products::positive(both) : both);
					}
			}
		}
		weights += channels / columns * taps * steps * warp / 2;
		constants += channels;
		sync_block();
	}

	// pool pools the positive parts of a buffer's channels, of each board.
	__device__ INLINED void pool(u32 buffer) const {
		for (u32 i = thread_in_block(); i < boards * channels / 2; i += threads_in_block()) {
			const u32 board = i / (channels / 2), pair = i % (channels / 2);
			const u32 *const words = (const u32 *)(memory + word(buffer, board * arguments.cells, pair));
			float sum[2] = {}, most[2] = {}; // no positive part is below zero
			for (u32 row = 0; row < arguments.cells; row += at_once) {
				u32 halves[at_once];
#pragma unroll
				for (u32 i = 0; i < at_once; i++)
					halves[i] = row + i < arguments.cells ? words[(row + i) * (stride / 4)] : 0;
#pragma unroll
				for (u32 i = 0; i < at_once; i++) {
					const float x[2] = {hexnet::positive(low(halves[i])), hexnet::positive(high(halves[i]))};
#pragma unroll
					for (u32 k = 0; k < 2; k++) {
						sum[k] += x[k];
						most[k] = x[k] > most[k] ? x[k] : most[k];
					}
				}
			}
			float *to = pooled + board * 3 * channels + 2 * pair;
			for (u32 k = 0; k < 2; k++) {
				const float mean = sum[k] / (float)arguments.cells;
				to[k] = mean;
				to[channels + k] = mean * arguments.scale;
				to[2 * channels + k] = most[k];
			}
		}
		sync_block();
	}

	// map sets shift to a linear map of the pooled channels of each board, without biases. The
	// threads share out the sums, and parts of them if there are fewer sums than threads.
	__device__ INLINED void map(u32 outputs) {
		const u32 *const w = (const u32 *)weights;
		const u32 pairs = boards * outputs / 2, inputs = 3 * channels;
		const u32 parts = pairs < threads_in_block() ? threads_in_block() / pairs : 1;
		for (u32 i = thread_in_block(); i < parts * pairs; i += threads_in_block()) {
			const u32 part = i / pairs, board = i % pairs / (outputs / 2), pair = i % (outputs / 2);
			float x = 0, y = 0;
			const u32 end = (part + 1) * inputs / parts;
			for (u32 c = part * inputs / parts; c < end; c += at_once) {
				u32 halves[at_once];
				float v[at_once];
#pragma unroll
				for (u32 k = 0; k < at_once; k++) {
					halves[k] = c + k < end ? w[(c + k) * (outputs / 2) + pair] : 0;
					v[k] = c + k < end ? pooled[board * inputs + c + k] : 0;
				}
#pragma unroll
				for (u32 k = 0; k < at_once; k++)
					x = fused(v[k], low(halves[k]), x), y = fused(v[k], high(halves[k]), y);
			}
			shift[2 * i] = x, shift[2 * i + 1] = y;
		}
		weights += inputs * outputs / 8;
		sync_block();
		for (u32 i = thread_in_block(); i < 2 * pairs; i += threads_in_block())
			for (u32 part = 1; part < parts; part++)
				shift[i] += shift[2 * part * pairs + i];
		sync_block();
	}

	// add_shift makes t the positive part of t plus the shift of its board.
	__device__ INLINED void add_shift() const {
		for (u32 i = thread_in_block(); i < rows * (channels / 2); i += threads_in_block()) {
			const u32 row = i / (channels / 2), pair = i % (channels / 2), address = word(middle, row, pair);
			const float *by = shift + row / arguments.cells * channels + 2 * pair;
			const u32 halves = shared_load(memory, address);
			shared_store(memory, address, pack(hexnet::positive(low(halves) + by[0]), hexnet::positive(high(halves) + by[1])));
		}
		sync_block();
	}

	// finish computes the outputs of cells and boards from relu(h).
	__device__ INLINED void finish() {
		const float *bias = constants + channels * heads;
		for (u32 row = thread_in_block(); row < rows; row += threads_in_block()) {
			float x[heads];
#pragma unroll
			for (u32 i = 0; i < heads; i++)
				x[i] = bias[i];
			for (u32 pair = 0; pair < channels / 2; pair++) {
				const u32 halves = shared_load(memory, word(stream, row, pair));
				const float l = hexnet::positive(low(halves)), h = hexnet::positive(high(halves));
				const float *w = constants + 2 * pair * heads;
#pragma unroll
				for (u32 i = 0; i < heads; i++)
					x[i] = fused(h, w[heads + i], fused(l, w[i], x[i]));
			}
#pragma unroll
			for (u32 i = 0; i < heads; i++)
				arguments.logits[((u64)i * arguments.boards + first) * arguments.cells + row] = x[i];
		}
		constants = bias + heads;
		pool(stream);
		map(hidden);
		const float *w = constants + hidden;
		for (u32 i = thread_in_block(); i < boards * heads; i += threads_in_block()) {
			float x = w[hidden * heads + i % heads];
			for (u32 k = 0; k < hidden; k++)
				x = fused(hexnet::positive(shift[i / heads * hidden + k] + constants[k]), w[k * heads + i % heads], x);
			arguments.outputs[first * heads + i] = x;
		}
	}

	// run computes the network.
	__device__ INLINED void run() {
		begin();
		convolve<set_stream, false>(middle, planes / step);
		for (u32 i = 0; i < arguments.blocks; i++) {
			if (i % 2 == 0) {
				convolve<set_positive, true>(stream, channels / step);
			} else {
				convolve<set_middle, true>(stream, channels / step);
				pool(middle);
				map(channels);
				add_shift();
			}
			convolve<add_to_stream, false>(middle, channels / step);
		}
		finish();
	}
};

} // namespace hexnet
