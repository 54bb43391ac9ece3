// The residual networks of package hexnet, for boards of hexagonal cells. A block keeps the
// activations of some boards in shared memory through all layers, and reads the weights of a
// layer as it needs them.
#pragma once

#include "convolution.cuh"

namespace hexnet {

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

// parts is in how many parts numbers are summed up. It is the same for all blocks, so that the outputs for a board
// depend neither on the other boards nor on the number of threads.
constexpr u32 parts = 8;

// Weights are halves in the order of layers. Those of a convolution are as for a Tile. Those of a
// linear map are by input, in words of two outputs.
//
// A Block has the boards of a block.
template <class Products, u32 M, u32 N> struct Block {
	const Arguments &arguments;
	unsigned char *const memory; // shared
	const u32 channels, stride;	 // bytes from row to row
	const u32 first, boards, rows, last;
	const u32 stream, middle; // addresses of the rows of h and of t
	const u32 height;		  // of the table of neighbours
	u16 *const near;
	float *const pooled, *const shift;
	const words4 *weights;	// of the next layer
	const float *constants; // of the next layer

	// Rows are those of all cells of the block's boards, then one of zeros.
	__device__ Block(const Arguments &a, unsigned char *memory)
		: arguments(a), memory(memory), channels(a.channels), stride(2 * a.channels + padding),
		  first(block_in_grid() * a.capacity),
		  boards(a.boards - first < a.capacity ? a.boards - first : a.capacity), rows(boards * a.cells),
		  last(a.capacity * a.cells), stream(0),
		  middle((last + 1) * stride), height((last + M * tile - 1) / (M * tile) * (M * tile)),
		  near((u16 *)(memory + 2 * (last + 1) * stride)),
		  pooled((float *)(near + taps * height)), shift(pooled + 3 * channels * a.capacity),
		  weights(a.weights), constants(a.constants) {}

	__device__ u32 word(u32 buffer, u32 row, u32 index) const { return buffer + row * stride + 4 * index; }

	// begin finds neighbours, clears the rows of zeros, and copies the planes to t.
	__device__ INLINED void begin() const {
		find_neighbours(near, height, arguments.near, arguments.cells, rows, last);
		for (u32 i = thread_in_block(); i < 2 * stride / 4; i += threads_in_block())
			shared_store(memory, (i < stride / 4 ? stream : middle) + last * stride + i % (stride / 4) * 4, 0);
		for (u32 row = thread_in_block(); row < rows; row += threads_in_block()) {
			const words4 bytes = arguments.planes[first * arguments.cells + row];
#pragma unroll
			for (u32 i = 0; i < planes / 2; i++) {
				const u32 two = bytes[i / 2] >> 16 * (i % 2);
				shared_store(memory, word(middle, row, i),
					pack((two & 0xff) * (1.f / unit), (two >> 8 & 0xff) * (1.f / unit)));
			}
		}
		sync_block();
	}

	// Uses of a convolution's results: they become h, t, or relu(t), or are added to h.
	enum Use { set_stream, set_middle, set_positive, add_to_stream };

	// convolve computes a convolution of rows of a buffer, each of some steps of columns, or of
	// their positive parts.
	template <Use use, bool relu> __device__ INLINED void convolve(u32 from, u32 steps) {
		const u32 warps = threads_in_block() / warp;
		using Sums = Tile<Products, M, N>;
		const u32 down = (rows + Sums::height - 1) / Sums::height, across = channels / Sums::width;
		const Cells input = {memory, from, stride, near, height};
		const u32 to = use == set_stream || use == add_to_stream ? stream : middle;
		for (u32 item = thread_in_block() / warp; item < down * across; item += warps) {
			const u32 left = item / down * Sums::width, top = item % down * Sums::height;
			Sums sums(constants + left);
			if (use == add_to_stream)
				sums.each(top, rows, [&](u32 row, u32 first, auto all) {
					const u32 at = word(stream, row, (left + first) / 2);
					all([&](u32, u32 column, float &x, float &y) {
						const u32 before = shared_load(memory, at + 2 * column);
						x += low(before), y += high(before);
					});
				});
			sums.template convolve<relu>(input, top, left, steps, weights);
			sums.each(top, rows, [&](u32 row, u32 first, auto all) {
				const u32 at = word(to, row, (left + first) / 2);
				all([&](u32, u32 column, float x, float y) {
					const u32 both = pack(x, y);
					shared_store(memory, at + 2 * column, use == set_positive ? Products::positive(both) : both);
				});
			});
		}
		weights += channels / columns * taps * steps * warp / 2;
		constants += channels;
		sync_block();
	}

	// pool pools the positive parts of a buffer's channels, of each board. The threads share out the
	// pairs of channels and parts of the cells.
	__device__ INLINED void pool(u32 buffer) const {
		const u32 pairs = boards * channels / 2, cells = arguments.cells;
		floats4 *const scratch = (floats4 *)shift; // of each part and pair both sums and both maxima
		for (u32 i = thread_in_block(); i < parts * pairs; i += threads_in_block()) {
			const u32 part = i / pairs, board = i % pairs / (channels / 2), pair = i % (channels / 2),
				end = (part + 1) * cells / parts;
			const u32 *const words = (const u32 *)(memory + word(buffer, board * cells, pair));
			float sum[2] = {}, most[2] = {}; // no positive part is below zero
			for (u32 row = part * cells / parts; row < end; row += at_once) {
				u32 halves[at_once];
#pragma unroll
				for (u32 k = 0; k < at_once; k++)
					halves[k] = row + k < end ? words[(row + k) * (stride / 4)] : 0;
#pragma unroll
				for (u32 k = 0; k < at_once; k++) {
					const u32 positive = Products::positive(halves[k]);
					const float l = low(positive), h = high(positive);
					sum[0] += l, sum[1] += h;
					most[0] = l > most[0] ? l : most[0], most[1] = h > most[1] ? h : most[1];
				}
			}
			scratch[i] = floats4{sum[0], sum[1], most[0], most[1]};
		}
		sync_block();
		for (u32 i = thread_in_block(); i < pairs; i += threads_in_block()) {
			floats4 all = scratch[i];
#pragma unroll
			for (u32 part = 1; part < parts; part++) {
				const floats4 x = scratch[part * pairs + i];
				all = floats4{all[0] + x[0], all[1] + x[1], x[2] > all[2] ? x[2] : all[2],
					x[3] > all[3] ? x[3] : all[3]};
			}
			float *to = pooled + i / (channels / 2) * 3 * channels + i % (channels / 2) * 2;
#pragma unroll
			for (u32 k = 0; k < 2; k++) {
				const float mean = all[k] / (float)cells;
				to[k] = mean;
				to[channels + k] = mean * arguments.scale;
				to[2 * channels + k] = all[2 + k];
			}
		}
		sync_block();
	}

	// map sets shift to a linear map of the pooled channels of each board, without biases. The
	// threads share out the sums and parts of them.
	__device__ INLINED void map(u32 outputs) {
		const u32 *const w = (const u32 *)weights;
		const u32 pairs = boards * outputs / 2, inputs = 3 * channels;
		for (u32 i = thread_in_block(); i < parts * pairs; i += threads_in_block()) {
			const u32 part = i / pairs, board = i % pairs / (outputs / 2), pair = i % (outputs / 2);
			float x = 0, y = 0;
			const u32 end = (part + 1) * inputs / parts;
			for (u32 c = part * inputs / parts; c < end; c += weights_at_once) {
				u32 halves[weights_at_once];
#pragma unroll
				for (u32 k = 0; k < weights_at_once; k++)
					halves[k] = c + k < end ? w[(c + k) * (outputs / 2) + pair] : 0;
#pragma unroll
				for (u32 k = 0; k < weights_at_once; k++) {
					const float v = c + k < end ? pooled[board * inputs + c + k] : 0;
					x = fused(v, low(halves[k]), x), y = fused(v, high(halves[k]), y);
				}
			}
			shift[2 * i] = x, shift[2 * i + 1] = y;
		}
		weights += inputs * outputs / 8;
		sync_block();
		for (u32 i = thread_in_block(); i < 2 * pairs; i += threads_in_block()) {
			float sum = shift[i];
#pragma unroll
			for (u32 part = 1; part < parts; part++)
				sum += shift[2 * part * pairs + i];
			shift[i] = sum;
		}
		sync_block();
	}

	// add_shift makes t the positive part of t plus the shift of its board. A thread has eight
	// channels at a time.
	__device__ INLINED void add_shift() const {
		const u32 eights = channels / 8;
		for (u32 i = thread_in_block(); i < rows * eights; i += threads_in_block()) {
			const u32 row = i / eights, eight = i % eights;
			const float *const by = shift + row / arguments.cells * channels + 8 * eight;
			words4 &halves = *(words4 *)(memory + word(middle, row, 4 * eight));
			words4 sum = halves;
#pragma unroll
			for (u32 k = 0; k < 4; k++)
				sum[k] = Products::positive(pack(low(sum[k]) + by[2 * k], high(sum[k]) + by[2 * k + 1]));
			halves = sum;
		}
		sync_block();
	}

	// finish computes the outputs of cells and boards from relu(h).
	__device__ INLINED void finish() {
		const float *bias = constants + channels * heads;
		const floats4 *const weights_of_cells = (const floats4 *)constants;
		for (u32 row = thread_in_block(); row < rows; row += threads_in_block()) {
			floats4 x = {bias[0], bias[1], bias[2], bias[3]};
			for (u32 pair = 0; pair < channels / 2; pair++) {
				const u32 halves = shared_load(memory, word(stream, row, pair));
				const float l = hexnet::positive(low(halves)), h = hexnet::positive(high(halves));
				const floats4 first = weights_of_cells[2 * pair], second = weights_of_cells[2 * pair + 1];
#pragma unroll
				for (u32 i = 0; i < heads; i++)
					x[i] = fused(h, second[i], fused(l, first[i], x[i]));
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
#pragma unroll
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
