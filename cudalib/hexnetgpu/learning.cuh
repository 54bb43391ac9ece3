// What learning does beside convolutions. A block of each has a board at a time.
#pragma once

#include "products.cuh"

namespace hexnet {

constexpr u32 outputs = 4; // of a board, and logits of a cell
constexpr u32 losses = 5;

// The weights of the losses, and the factor of all gradients, which keeps small ones above the
// least numbers of half precision.
constexpr float value_weight = 1, policy_weight = 1, reply_weight = 0.15f, structure_weight = 0.5f, kinds_weight = 0.1f;
constexpr float gradient_scale = 32;

// exponential is exp of solvers/hexnet, with the same bits.
__device__ inline float exponential(float x) {
	const double v = x < -87 ? -87 : x > 88 ? 88 : x;
	const double n = __builtin_floor(v * 1.4426950408889634073599 + 0.5);
	const double r = v - n * 0.6931471805599453094172;
	const double coefficients[] = {1. / 720, 1. / 120, 1. / 24, 1. / 6, 1. / 2, 1, 1};
	double sum = 1. / 5040;
#pragma unroll
	for (u32 i = 0; i < 7; i++)
		sum = sum * r + coefficients[i];
	return (float)(sum * __builtin_bit_cast(double, (u64)(1023 + (int)n) << 52));
}

__device__ inline float logistic(float x) { return 1 / (1 + exponential(-x)); }

// logarithm returns ln(x), for normal x, to 14 digits.
__device__ inline double logarithm(double x) {
	const u64 bits = __builtin_bit_cast(u64, x);
	double m = __builtin_bit_cast(double, (bits & ((1ull << 52) - 1)) | 1023ull << 52); // from 1 to 2
	int exponent = (int)(bits >> 52) - 1023;
	if (m > 1.4142135623730951)
		m *= 0.5, exponent++;
	const double s = (m - 1) / (m + 1), square = s * s; // ln(m) = 2 artanh(s)
	double sum = 1. / 21;
#pragma unroll
	for (int i = 19; i > 0; i -= 2)
		sum = sum * square + 1. / i;
	return 2 * s * sum + exponent * 0.6931471805599453094172;
}

// binary_entropy returns the cross entropy of a logit and the probability that is its target, and
// sets the gradient times a factor.
__device__ inline double binary_entropy(float x, float target, float factor, float *gradient) {
	*gradient = (logistic(x) - target) * factor;
	const double v = x, magnitude = v < 0 ? -v : v;
	return (v > 0 ? v : 0) - v * target + logarithm(1 + exponential((float)-magnitude));
}

// Memory gives out parts of the shared memory of a block.
struct Memory {
	float *free;
	__device__ inline float *take(u32 n) {
		float *const taken = free;
		free += n;
		return taken;
	}
};

// width is how many numbers the threads of a block have together, one each or one for each of
// `least` outputs if these are more.
__device__ inline u32 width(u32 least) { return threads_in_block() > least ? threads_in_block() : least; }

// copy_board copies the rows of a board to shared memory, which has room for padding.
__device__ INLINED u32 *copy_board(Memory &memory, const u32 *x, u32 board, u32 cells, u32 channels) {
	const u32 stride = 2 * channels + padding;
	float *const to = memory.take(cells * stride / 4);
	copy_rows((unsigned char *)to, stride, (const words4 *)(x + (u64)board * cells * (channels / 2)),
		cells, channels / 8);
	return (u32 *)to;
}

// A Pool pools the positive parts of a board's channels, which are in shared memory as copy_board
// copies them. The threads share out the pairs of channels, and parts of the cells. All arrays are
// shared.
struct Pool {
	const u32 cells, channels;
	const u32 stride;	 // words from row to row
	const float scale; // of the second mean
	float *const pooled; // of each channel the mean, the scaled mean, the maximum
	u32 *const first;	 // the first cell with the maximum
	float *const sums, *const most; // two of each thread
	u32 *const at;

	__device__ Pool(u32 cells, u32 channels, float scale, Memory &memory)
		: cells(cells), channels(channels), stride(channels / 2 + padding / 4), scale(scale),
		  pooled(memory.take(3 * channels)), first((u32 *)memory.take(channels)),
		  sums(memory.take(2 * width(channels / 2))), most(memory.take(2 * width(channels / 2))),
		  at((u32 *)memory.take(2 * width(channels / 2))) {}

	__device__ u32 parts() const { return threads_in_block() > channels / 2 ? threads_in_block() / (channels / 2) : 1; }

	__device__ INLINED void pool(const u32 *x) const {
		const u32 pairs = channels / 2, parts = this->parts();
		for (u32 i = thread_in_block(); i < parts * pairs; i += threads_in_block()) {
			const u32 part = i / pairs, end = (part + 1) * cells / parts;
			float sum[2] = {}, largest[2] = {-1, -1};
			u32 where[2] = {};
			for (u32 cell = part * cells / parts; cell < end; cell++) {
				const u32 halves = x[cell * stride + i % pairs];
				const float v[2] = {positive(low(halves)), positive(high(halves))};
#pragma unroll
				for (u32 k = 0; k < 2; k++) {
					sum[k] += v[k];
					if (v[k] > largest[k])
						largest[k] = v[k], where[k] = cell;
				}
			}
#pragma unroll
			for (u32 k = 0; k < 2; k++)
				sums[2 * i + k] = sum[k], most[2 * i + k] = largest[k], at[2 * i + k] = where[k];
		}
		sync_block();
		for (u32 c = thread_in_block(); c < channels; c += threads_in_block()) {
			float sum = 0, largest = -1;
			for (u32 i = c; i < parts * channels; i += channels) {
				sum += sums[i];
				if (most[i] > largest)
					largest = most[i], first[c] = at[i];
			}
			pooled[c] = sum / (float)cells;
			pooled[channels + c] = pooled[c] * scale;
			pooled[2 * channels + c] = largest;
		}
		sync_block();
	}

	// share_out makes the gradients of the means those of a cell.
	__device__ INLINED void share_out(float *d_pooled) const {
		for (u32 c = thread_in_block(); c < channels; c += threads_in_block())
			d_pooled[c] = (d_pooled[c] + scale * d_pooled[channels + c]) / (float)cells;
		sync_block();
	}

	// gradient returns the gradient of a number above 0, given those of what was pooled, shared out.
	// Of several maxima, the first has the gradient.
	__device__ inline float gradient(const float *d_pooled, u32 cell, u32 channel) const {
		const float share = d_pooled[channel];
		return first[channel] == cell ? share + d_pooled[2 * channels + channel] : share;
	}

	// sum sets `to` to the sums of the channels over all cells.
	__device__ INLINED void sum(float *to, const u32 *x) const {
		const u32 pairs = channels / 2, parts = this->parts();
		for (u32 i = thread_in_block(); i < parts * pairs; i += threads_in_block()) {
			const u32 part = i / pairs, end = (part + 1) * cells / parts;
			float l = 0, h = 0;
			for (u32 cell = part * cells / parts; cell < end; cell++) {
				const u32 halves = x[cell * stride + i % pairs];
				l += low(halves), h += high(halves);
			}
			sums[2 * i] = l, sums[2 * i + 1] = h;
		}
		sync_block();
		for (u32 c = thread_in_block(); c < channels; c += threads_in_block()) {
			to[c] = 0;
			for (u32 i = c; i < parts * channels; i += channels)
				to[c] += sums[i];
		}
		sync_block();
	}
};

// map sets `to` to a linear map of a row of numbers, whose weights are by input and output, plus
// biases, if any. The threads share out the outputs, and parts of the inputs; there is scratch
// memory for width(out) numbers.
__device__ INLINED void map(float *to, float *scratch, const float *x, const float *weights,
		const float *biases, u32 in, u32 out) {
	const u32 parts = threads_in_block() > out ? threads_in_block() / out : 1;
	for (u32 i = thread_in_block(); i < parts * out; i += threads_in_block()) {
		const u32 part = i / out, end = (part + 1) * in / parts;
		float sum = 0;
		for (u32 first = part * in / parts; first < end; first += weights_at_once) {
			float w[weights_at_once];
#pragma unroll
			for (u32 k = 0; k < weights_at_once; k++)
				w[k] = first + k < end ? weights[(first + k) * out + i % out] : 0;
#pragma unroll
			for (u32 k = 0; k < weights_at_once; k++)
				sum = fused(first + k < end ? x[first + k] : 0, w[k], sum);
		}
		scratch[i] = sum;
	}
	sync_block();
	for (u32 o = thread_in_block(); o < out; o += threads_in_block()) {
		float sum = biases ? biases[o] : 0;
		for (u32 part = 0; part < parts; part++)
			sum += scratch[part * out + o];
		to[o] = sum;
	}
	sync_block();
}

// map_back sets `to` to the gradients of such a map's inputs, given those of its outputs, whose
// number is a multiple of four.
__device__ INLINED void map_back(float *to, const float *d, const float *weights, u32 in, u32 out) {
	for (u32 i = thread_in_block(); i < in; i += threads_in_block()) {
		float sum = 0;
		for (u32 o = 0; o < out; o += 4 * at_once) {
			floats4 w[at_once];
#pragma unroll
			for (u32 k = 0; k < at_once; k++)
				if (o + 4 * k < out)
					w[k] = *(const floats4 *)(weights + i * out + o + 4 * k);
#pragma unroll
			for (u32 k = 0; k < 4 * at_once; k++)
				if (o + k < out)
					sum = fused(d[o + k], w[k / 4][k % 4], sum);
		}
		to[i] = sum;
	}
	sync_block();
}

__device__ INLINED void copy(float *to, const float *from, u32 n) {
	for (u32 i = thread_in_block(); i < n; i += threads_in_block())
		to[i] = from[i];
}

// A Pooling is the map of pooled channels in every second block of the network. Each block of
// threads has a board.
struct Pooling {
	const u32 *t;		  // halves
	const float *weights; // by pooled number and channel
	float *pooled;		  // by board
	u32 cells, channels;
	float scale;

	// forward sets `to`, in halves, to the positive part of t plus the map of what is pooled of it.
	__device__ INLINED void forward(u32 *to, Memory memory) const {
		const u32 board = block_in_grid(), pairs = channels / 2;
		const u64 at = (u64)board * cells * pairs;
		const u32 *const rows = copy_board(memory, t, board, cells, channels);
		const Pool pool(cells, channels, scale, memory);
		float *const shift = memory.take(channels);
		sync_block();
		pool.pool(rows);
		copy(pooled + board * 3 * channels, pool.pooled, 3 * channels);
		map(shift, pool.sums, pool.pooled, weights, nullptr, 3 * channels, channels);
		for (u32 i = thread_in_block(); i < cells * pairs; i += threads_in_block()) {
			const u32 halves = rows[i / pairs * pool.stride + i % pairs], c = i % pairs * 2;
			to[at + i] = pack(positive(low(halves) + shift[c]), positive(high(halves) + shift[c + 1]));
		}
	}

	// backward adds to d, the gradients of t where they lead through the cell itself, in halves,
	// those that lead through what is pooled. It sets those of the map's results.
	__device__ INLINED void backward(u32 *d, float *d_shifts, Memory memory) const {
		const u32 board = block_in_grid(), pairs = channels / 2;
		const u64 at = (u64)board * cells * pairs;
		const u32 *const rows = copy_board(memory, t, board, cells, channels),
			*const d_rows = copy_board(memory, d, board, cells, channels);
		const Pool pool(cells, channels, scale, memory);
		float *const d_shift = memory.take(channels), *const d_pooled = memory.take(3 * channels);
		sync_block();
		pool.pool(rows); // for the cells with the maxima
		pool.sum(d_shift, d_rows);
		copy(d_shifts + board * channels, d_shift, channels);
		map_back(d_pooled, d_shift, weights, 3 * channels, channels);
		pool.share_out(d_pooled);
		for (u32 i = thread_in_block(); i < cells * pairs; i += threads_in_block()) {
			const u32 cell = i / pairs, c = i % pairs * 2, word = cell * pool.stride + i % pairs;
			const u32 halves = rows[word], before = d_rows[word];
			const float l = low(halves) > 0 ? pool.gradient(d_pooled, cell, c) : 0,
				h = high(halves) > 0 ? pool.gradient(d_pooled, cell, c + 1) : 0;
			d[at + i] = pack(low(before) + l, high(before) + h);
		}
	}
};

// Heads are the outputs of the network, their losses, and the gradients of f = relu(h) and of the
// outputs' weights. Each block of threads has a part of the boards.
struct Heads {
	const u32 *f;								  // halves
	const float *to_cells, *to_hidden, *to_board; // parameters: weights, then biases
	const float *policy;						  // targets: see Targets of solvers/hexnet
	const u16 *reply;
	const u8 *structure;
	const float *value;
	const u8 *kinds;
	float *pooled, *units, *d_units, *d_outputs; // by board
	double *all_losses;							 // by board
	float *stream;								 // becomes the gradients of h
	u32 *d;										 // the same, in halves
	float *sums;								 // by part, of the weights and biases of cells' outputs
	u32 boards, cells, channels, parts;
	float scale;

	__device__ INLINED void run(Memory memory) const {
		const u32 pairs = channels / 2, stride = pairs + padding / 4;
		u32 *const rows = (u32 *)memory.take(cells * stride);
		float *const of_cells = memory.take(outputs * (channels + 1)); // as in to_cells
		double *const entropies = (double *)memory.take(2 * cells);
		const Pool pool(cells, channels, scale, memory);
		float *const u = memory.take(hidden), *const d_u = memory.take(hidden), *const y = memory.take(outputs),
			*const d_y = memory.take(outputs);
		float *const d_pooled = memory.take(3 * channels), *const x = memory.take(outputs * cells),
			*const d_x = memory.take(outputs * cells);
		float *const probability = memory.take(2 * cells), *const softmax = memory.take(4),
			*const sum = memory.take(outputs * (channels + 1));
		const u32 part = block_in_grid(), thread = thread_in_block(), threads = threads_in_block();
		copy(of_cells, to_cells, outputs * (channels + 1));
		for (u32 i = thread; i < outputs * (channels + 1); i += threads)
			sum[i] = 0;
		for (u32 board = part * boards / parts; board < (part + 1) * boards / parts; board++) {
			const u64 first = (u64)board * cells;
			copy_rows((unsigned char *)rows, 4 * stride, (const words4 *)(f + first * pairs), cells, channels / 8);
			sync_block();
			pool.pool(rows);
			map(u, pool.sums, pool.pooled, to_hidden, to_hidden + 3 * channels * hidden, 3 * channels, hidden);
			for (u32 i = thread; i < hidden; i += threads)
				u[i] = positive(u[i]);
			for (u32 cell = thread; cell < cells; cell += threads) {
				const floats4 *const weights = (const floats4 *)of_cells;
				floats4 v = weights[channels];
				for (u32 pair = 0; pair < pairs; pair++) {
					const u32 halves = rows[cell * stride + pair];
					const floats4 even = weights[2 * pair], odd = weights[2 * pair + 1];
#pragma unroll
					for (u32 k = 0; k < outputs; k++)
						v[k] = fused(high(halves), odd[k], fused(low(halves), even[k], v[k]));
				}
#pragma unroll
				for (u32 k = 0; k < outputs; k++)
					x[cell * outputs + k] = v[k];
			}
			sync_block();
			map(y, pool.sums, u, to_board, to_board + hidden * outputs, hidden, outputs);
			lose(board, x, d_x, y, d_y, probability, softmax, entropies);
			map_back(d_u, d_y, to_board, hidden, outputs);
			for (u32 i = thread; i < hidden; i += threads)
				d_u[i] = u[i] > 0 ? d_u[i] : 0;
			sync_block();
			map_back(d_pooled, d_u, to_hidden, 3 * channels, hidden);
			pool.share_out(d_pooled);
			copy(pooled + board * 3 * channels, pool.pooled, 3 * channels);
			copy(units + board * hidden, u, hidden);
			copy(d_units + board * hidden, d_u, hidden);
			copy(d_outputs + board * outputs, d_y, outputs);
			for (u32 i = thread; i < cells * pairs; i += threads) {
				const u32 cell = i / pairs, c = i % pairs * 2, halves = rows[cell * stride + i % pairs];
				float v[2];
#pragma unroll
				for (u32 k = 0; k < 2; k++) {
					v[k] = pool.gradient(d_pooled, cell, c + k);
#pragma unroll
					for (u32 o = 0; o < outputs; o++)
						v[k] = fused(d_x[cell * outputs + o], of_cells[(c + k) * outputs + o], v[k]);
				}
				const float l = low(halves) > 0 ? v[0] : 0, h = high(halves) > 0 ? v[1] : 0;
				stream[2 * (first * pairs + i)] = l, stream[2 * (first * pairs + i) + 1] = h;
				d[first * pairs + i] = pack(l, h);
			}
			for (u32 i = thread; i < outputs * (channels + 1); i += threads) {
				const u32 c = i / outputs;
				float all = sum[i];
				for (u32 cell = 0; cell < cells; cell += at_once) {
					float x[at_once], d[at_once];
#pragma unroll
					for (u32 k = 0; k < at_once; k++) {
						const bool counts = cell + k < cells;
						const u32 halves = !counts ? 0 : c < channels ? rows[(cell + k) * stride + c / 2] : ones;
						x[k] = c % 2 == 0 ? low(halves) : high(halves),
							d[k] = counts ? d_x[(cell + k) * outputs + i % outputs] : 0;
					}
#pragma unroll
					for (u32 k = 0; k < at_once; k++)
						all = fused(x[k], d[k], all);
				}
				sum[i] = all;
			}
			sync_block();
		}
		copy(sums + part * outputs * (channels + 1), sum, outputs * (channels + 1));
	}

	// lose computes the losses of a board and the gradients of its outputs. All but the number of
	// the board is shared.
	__device__ INLINED void lose(u32 board, const float *x, float *d_x, const float *y, float *d_y, float *probability,
			float *softmax, double *entropies) const {
		const u32 thread = thread_in_block(), threads = threads_in_block();
		const float *const target = policy + (u64)board * cells; // not legal if negative
		const u32 answer = reply[board];
		double *const loss = all_losses + board * losses;
		// The first thread of one warp has the moves, and that of the next one the replies.
		const u32 head = thread / warp;
		const bool first = thread % warp == 0 && head < 2;
		const auto wanted = [&](u32 head, u32 cell) { return head == 0 ? target[cell] : cell == answer ? 1.f : 0.f; };
		float most = -__builtin_inff();
		if (first) {
			for (u32 cell = 0; cell < cells; cell++)
				if (target[cell] >= 0 && x[cell * outputs + head] > most)
					most = x[cell * outputs + head];
			softmax[head] = most;
		}
		sync_block();
		for (u32 i = thread; i < 2 * cells; i += threads)
			probability[i] = target[i / 2] >= 0 ? exponential(x[i / 2 * outputs + i % 2] - softmax[i % 2]) : 0;
		for (u32 cell = thread; cell < cells; cell += threads) {
			const u8 winner = structure[(u64)board * cells + cell];
			const float *const v = x + cell * outputs;
			const float factor = gradient_scale * structure_weight / (float)cells;
			entropies[cell] = binary_entropy(v[2], winner == 1, factor, &d_x[cell * outputs + 2]) +
				binary_entropy(v[3], winner == 0xff, factor, &d_x[cell * outputs + 3]);
		}
		sync_block();
		if (first) {
			float sum = 0, mass = 0;
			for (u32 cell = 0; cell < cells; cell++)
				if (target[cell] >= 0)
					sum += probability[2 * cell + head], mass += wanted(head, cell);
			const double log = most + logarithm(sum);
			double entropy = 0;
			for (u32 cell = 0; cell < cells; cell++)
				if (target[cell] >= 0)
					entropy += wanted(head, cell) * (log - x[cell * outputs + head]);
			const bool counts = head == 0 || answer < cells;
			loss[2 * head] = counts ? entropy : 0;
			softmax[head] = counts ? mass / sum : 0;
			softmax[2 + head] = counts ? gradient_scale * (head == 0 ? policy_weight : reply_weight) : 0;
		} else if (thread == 2 * warp) {
			double all = 0;
			for (u32 cell = 0; cell < cells; cell++)
				all += entropies[cell];
			loss[3] = all / cells;
		} else if (thread == 3 * warp) {
			loss[1] = binary_entropy(2 * y[0], (1 + value[board]) / 2, 2 * gradient_scale * value_weight, &d_y[0]);
			loss[4] = 0;
			for (u32 k = 0; k + 1 < outputs; k++)
				loss[4] += binary_entropy(y[1 + k], kinds[board] >> k & 1, gradient_scale * kinds_weight, &d_y[1 + k]);
		}
		sync_block();
		for (u32 i = thread; i < 2 * cells; i += threads) {
			const u32 cell = i / 2, head = i % 2;
			d_x[cell * outputs + head] = target[cell] >= 0
				? (probability[i] * softmax[head] - wanted(head, cell)) * softmax[2 + head] : 0;
		}
		sync_block();
	}
};

} // namespace hexnet
