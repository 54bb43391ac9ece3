// Training of tiny games by vector-form CFR, for two players with one hole card:
// the arithmetic of solvers/cfr, with the same bits. A block has all of a game in
// shared memory and does many iterations.
//
// The block is alone on its multiprocessor, so an iteration takes as long as its
// chain of memory accesses. To shorten the chain, strategies are kept, reach is
// computed as the product along a path of actions wherever it is needed, and every
// work item has the offsets that it reads and writes. cfrgpu/tiny.go writes the
// items.
// PTXFLAGS: -mllvm -inline-threshold=1000000 -Xclang -fcuda-short-ptr -mllvm -nvptx-short-ptr
#include "cuda.cuh"

constexpr u32 span = 4;  // buckets that a thread takes at once
constexpr u32 lanes = 8; // buckets that are added up together

typedef float vec __attribute__((vector_size(4 * span), may_alias));

__device__ inline vec &vec_at(float *p) { return *(vec *)p; }
__device__ inline vec vec_at(const float *p) { return *(const vec *)p; }
__device__ inline vec splat(float x) { return vec{x, x, x, x}; }

// A List is of items: the offset of the first in the plan, and how many there are.
struct List {
	u32 at, num;
};

struct Header {
	u32 rounds, unused[3];
	List terminals[2], strategies[2], updates[4][2]; // by traversing player; updates by round as well
	List segments[4], deals[4];                 // by round
};

// Tiny is a game in training.
struct Tiny {
	const u32 *plan;
	const float *constants;
	float *regret, *matched, *sum, *sigma; // by entry; matched may be regret itself
	float *values;                         // by node and bucket, and scratch for sums at terminals
	float positive, negative, floor, average; // the discounts of the iteration

	__device__ words4 words(u32 at) const { return *(const words4 *)(plan + at); }

	// reach is the product along a path of the probabilities of actions, for the
	// buckets from a column on. The path has for each action where those of all
	// buckets are, and in the upper half how many rounds ago it was taken, for which
	// the buckets' ancestors are given; and `size` is where their sizes are.
	__device__ vec reach(u32 path, u32 column, u32 size, u32 ancestors, u32 stride) const {
		vec product = vec_at(constants + size) > splat(0) ? splat(1) : splat(0);
		const u32 *step = plan + (path & 0xffff);
		for (u32 k = path >> 16; k > 0; k--, step++) {
			const float *from = sigma + (*step & 0xffff);
			const u32 ago = *step >> 16;
			if (ago == 0) {
				product *= vec_at(from + column);
			} else {
				const words4 up = words(ancestors + (ago - 1) * stride);
				product *= vec{from[up[0]], from[up[1]], from[up[2]], from[up[3]]};
			}
		}
		return product;
	}

	// terminal values a terminal node on one board: sums over the other player's hands, see
	// solvers/cfr/publictree.
	__device__ void terminal(u32 item) const {
		const words4 a = words(item), b = words(item + 4);
		const u32 column = a[2] & 0xff, groups = a[2] >> 8 & 0xff, stride = a[2] >> 16 & 0xff, size = b[0] & 0xffff,
			ancestors = b[0] >> 16;
		float *value = values + (a[1] & 0xffff), *sums = values + (a[1] >> 16);
		float amount;
		u32 bits = a[3];
		__builtin_memcpy(&amount, &bits, sizeof amount);
		auto half = [&](u32 x) { return reach(a[0], column + x, size + x, ancestors + x, stride); };
		if (a[2] >> 24) { // a showdown
			float before = 0;
			for (u32 x = 0; x < groups * lanes; x += lanes) {
				float group = 0;
#pragma unroll
				for (u32 y = 0; y < lanes; y += span) {
					const vec r = vec_at(constants + size + x + y) * half(x + y);
					vec to;
#pragma unroll
					for (u32 i = 0; i < span; i++) {
						group += r[i];
						to[i] = before + group;
					}
					vec_at(sums + x + y) = to;
				}
				before += group;
			}
			const float total = sums[groups * lanes - 1];
			for (u32 x = 0; x < groups * lanes; x += span) {
				const words4 ties = words(b[1] + x);
				vec won;
#pragma unroll
				for (u32 i = 0; i < span; i++) {
					const u32 lower = ties[i] & 0xffff, higher = ties[i] >> 16;
					const float below = lower > 0 ? sums[lower - 1] : 0;
					const float upto = higher > 0 ? sums[higher - 1] : 0;
					won[i] = below + upto - total;
				}
				vec_at(value + x) = splat(amount) * won;
			}
			return;
		}
		vec low = splat(0), high = splat(0), kept[2];
		for (u32 x = 0; x < groups * lanes; x += lanes) {
			kept[0] = half(x), kept[1] = half(x + span);
			low += vec_at(constants + size + x) * kept[0];
			high += vec_at(constants + size + x + span) * kept[1];
		}
		const vec pairs = low + high;
		const vec total = splat((pairs[0] + pairs[2]) + (pairs[1] + pairs[3]));
		for (u32 x = 0; x < groups * lanes; x += lanes) {
			if (groups > 1)
				kept[0] = half(x), kept[1] = half(x + span);
			vec_at(value + x) = splat(amount) * (total - kept[0]);
			vec_at(value + x + span) = splat(amount) * (total - kept[1]);
		}
	}

	// accumulate adds an own decision's strategy to the sum of strategies.
	__device__ void accumulate(u32 item) const {
		const words4 a = words(item);
		const u32 stride = a[2] >> 16;
		const vec own = reach(a[0], a[2] & 0xffff, a[3] & 0xffff, a[3] >> 16, stride);
		u32 entry = a[1] & 0xffff;
		for (u32 k = a[1] >> 16; k > 0; k--, entry += stride)
			vec_at(sum + entry) = vec_at(sum + entry) * splat(average) + own * vec_at(sigma + entry);
	}

	// board_mean is the mean over the next round's boards for one bucket.
	__device__ void board_mean(u32 item) const {
		const words4 a = words(item);
		const u32 *child = plan + (a[1] & 0xffff);
		const float *next = values + (a[0] >> 16), *weight = constants + a[2];
		float value = 0;
		for (u32 k = a[1] >> 16; k > 0; k--, child++)
			value += weight[*child] * next[*child];
		values[a[0] & 0xffff] = value;
	}

	// segment finds the values of a segment's decisions for four buckets.
	__device__ void segment(u32 item, u32 player) const {
		const words4 a = words(item);
		const u32 stride = a[2], column = a[1];
		const u64 *decision = (const u64 *)(plan + (a[0] & 0xffff));
		u64 next = *decision;
		for (u32 k = a[0] >> 16; k > 0; k--) {
			const u32 offsets = (u32)next, actions = (u32)(next >> 32);
			next = *++decision; // the last is followed by another word
			const float *child = values + column + (offsets >> 16), *strategy = sigma + column + (actions & 0xffff);
			vec value;
			if ((actions >> 24) == player) {
				value = splat(0);
				for (u32 n = actions >> 16 & 0xff; n > 0; n--, child += stride, strategy += stride)
					value += vec_at(strategy) * vec_at(child);
			} else {
				value = vec_at(child);
				for (u32 n = (actions >> 16 & 0xff) - 1; n > 0; n--)
					value += vec_at(child += stride);
			}
			vec_at(values + column + (offsets & 0xffff)) = value;
		}
	}

	// update adds the gains of an own decision's actions to their regrets.
	__device__ void update(u32 item) const {
		const words4 a = words(item);
		const u32 entry = a[0] & 0xffff, actions = a[0] >> 16, stride = a[2];
		const vec value = vec_at(values + (a[1] & 0xffff));
		const float *child = values + (a[1] >> 16);
		const vec lowest = splat(floor);
		for (u32 k = 0, e = entry; k < actions; k++, e += stride, child += stride) {
			const vec before = vec_at(regret + e);
			const vec decayed = before * (before > splat(0) ? splat(positive) : splat(negative));
			const vec added = vec_at(child) - value, now = decayed + added;
			const vec kept = now > lowest ? now : lowest;
			vec_at(regret + e) = kept;
			if (matched != regret) // the next iteration is expected to add the same
				vec_at(matched + e) = kept + added;
		}
		match(entry, actions, stride);
	}

	// match sets the strategy of a decision by regret matching.
	__device__ void match(u32 entry, u32 actions, u32 stride) const {
		vec total = splat(0);
		for (u32 k = 0, e = entry; k < actions; k++, e += stride) {
			const vec regret = vec_at(matched + e), positive = regret > splat(0) ? regret : splat(0);
			vec_at(sigma + e) = positive;
			total += positive;
		}
		const auto some = total >= splat(0x1p-126f); // whose inverse is finite
		vec divisor = some ? total : splat(1);
		for (u32 i = 0; i < sizeof divisor / sizeof divisor[0]; i++)
			divisor[i] = opaque(divisor[i]);
		const vec scale = some ? splat(1) / divisor : splat(0);
		const vec base = some ? splat(0) : splat(1 / (float)actions);
		for (u32 k = 0, e = entry; k < actions; k++, e += stride)
			vec_at(sigma + e) = vec_at(sigma + e) * scale + base;
	}
};

// each calls f with the offsets of a list's items that are this thread's, if the list
// comes after a number of other items. Items have a number of words each.
template <class F> __device__ inline void each(const List &list, u32 words, u32 after, F f) {
	const u32 threads = threads_in_block();
	for (u32 i = (thread_in_block() + threads - after % threads) % threads; i < list.num; i += threads)
		f(list.at + i * words);
}

// cfr_tiny trains independent copies of a tiny game, a block each, for a number
// of iterations: the arrays of copy k come after those of copy k-1.
__global__ LAUNCH_BOUNDS(512, 1) void cfr_tiny(const u32 *plan, const float *constants, float *regrets, float *matches,
		float *sums, const float *rates, u32 iterations, u32 plan_words, u32 num_constants, u32 entries) {
	DYNAMIC_SHARED(float, memory);
	const u32 t = thread_in_block(), threads = threads_in_block();
	const bool predictive = matches != regrets;
	Tiny g;
	float *const kept_regrets = memory, *const kept_matches = predictive ? kept_regrets + entries : kept_regrets;
	float *const kept_sums = kept_matches + entries, *const sigma = kept_sums + entries, *const kept = sigma + entries;
	u32 *const words = (u32 *)(kept + num_constants);
	regrets += (u64)block_in_grid() * entries;
	matches += (u64)block_in_grid() * entries;
	sums += (u64)block_in_grid() * entries;
	for (u32 i = t; i < entries; i += threads) {
		kept_regrets[i] = regrets[i];
		kept_matches[i] = matches[i];
		kept_sums[i] = sums[i];
	}
	for (u32 i = t; i < num_constants; i += threads)
		kept[i] = constants[i];
	for (u32 i = t; i < plan_words; i += threads)
		words[i] = plan[i];
	sync_block();

	g.plan = words, g.constants = kept, g.regret = kept_regrets, g.matched = kept_matches,
		g.sum = kept_sums, g.sigma = sigma;
	g.values = (float *)(words + plan_words);
	const Header &header = *(const Header *)words;
	const u32 rounds = header.rounds;
	for (u32 r = 0; r < rounds; r++)
		for (u32 p = 0; p < 2; p++)
			each(header.updates[r][p], 4, 0, [&](u32 item) {
				const words4 a = g.words(item);
				g.match(a[0] & 0xffff, a[0] >> 16, a[2]);
			});
	vec next = vec_at(rates);
	for (u32 i = 0; i < 2 * iterations; i++) {
		const u32 player = i % 2;
		if (player == 0) {
			g.positive = next[0], g.negative = next[1], g.floor = next[2], g.average = next[3];
			if (i + 2 < 2 * iterations) // to be there when it is needed
				next = vec_at(rates + 2 * (u64)(i + 2));
		}
		sync_block();
		each(header.terminals[player], 8, 0, [&](u32 item) { g.terminal(item); });
		each(header.strategies[player], 4, header.terminals[player].num, [&](u32 item) { g.accumulate(item); });
		for (u32 r = rounds; r-- > 0;) {
			sync_block();
			if (r + 1 < rounds) {
				each(header.deals[r], 4, 0, [&](u32 item) { g.board_mean(item); });
				each(header.updates[r + 1][player], 4, header.deals[r].num, [&](u32 item) { g.update(item); });
				sync_block();
			}
			each(header.segments[r], 4, 0, [&](u32 item) { g.segment(item, player); });
		}
		sync_block();
		each(header.updates[0][player], 4, 0, [&](u32 item) { g.update(item); });
	}
	sync_block();
	for (u32 i = t; i < entries; i += threads) {
		regrets[i] = kept_regrets[i];
		matches[i] = kept_matches[i];
		sums[i] = kept_sums[i];
	}
}
