// PTXFLAGS: -mllvm -inline-threshold=100000
// Public chance sampling in limit poker for two, with any buckets: see package pcs, the CPU
// reference, which does the same operations in the same order.
//
// A lane is a betting sequence that leads to a round: all have the same decisions and ends,
// and differ in pots and strategies. Arrays are by hand and lane, or by bucket, column and
// lane, so that the accesses of a warp are neighbours and it takes no branches. Hands of a
// board are in the order of their ranks.
#include "cuda.cuh"

#define INLINE __device__ inline __attribute__((always_inline))

constexpr u32 lanes = 32;
constexpr u32 max_path = 8, max_actions = 3, max_sources = 3;
constexpr u32 none = ~0u;

// An entry of a board's order is a hand: its cards and, in the first of the hands of a rank,
// how many there are.
constexpr u32 card_bits = 6, ties_at = 2 * card_bits;
constexpr u32 hand_bits = 11; // of a hit

struct End {
	u32 length, path[max_path], fold, showdown;
};
struct Sources {
	u32 n, from[max_sources];
};
struct Decision {
	u32 column, actions, length, path[max_path];
};

// Path is the factors of a reach, by bucket.
template <u32 LENGTH> struct Path {
	const float *at[LENGTH + 1];
	u32 stride;

	INLINE Path(const float *table, u32 stride, u32 width, const u32 *path) : stride(stride) {
#pragma unroll
		for (u32 i = 0; i < LENGTH; i++)
			at[i] = table + path[i] * width;
	}
	// load loads the factors of a bucket.
	INLINE void load(float (&factor)[LENGTH + 1], u32 bucket) const {
#pragma unroll
		for (u32 i = 0; i < LENGTH; i++)
			factor[i] = at[i][(u64)bucket * stride];
	}
};

// match computes the strategy of a decision from its regrets.
INLINE void match(const float *regret, float *sigma, u32 actions, u32 width) {
	float p[max_actions], total = 0;
#pragma unroll
	for (u32 a = 0; a < max_actions; a++) {
		const float r = a < actions ? regret[a * width] : 0;
		p[a] = r > 0 ? r : 0;
	}
#pragma unroll
	for (u32 a = 0; a < max_actions; a++)
		total += p[a];
	const bool some = total >= 0x1p-126f;
	const float inverse = 1 / opaque(some ? total : 1);
	const float scale = some ? inverse : 0, base = some ? 0 : actions == 3 ? 1.f / 3 : actions == 2 ? 1.f / 2 : 1;
#pragma unroll
	for (u32 a = 0; a < max_actions; a++)
		if (a < actions)
			sigma[a * width] = p[a] * scale + base;
}

// pcs_strategy computes the strategy that follows from regrets. A thread has a bucket and a
// lane.
__global__ void pcs_strategy(const Decision *decisions, const float *regrets, float *strategy, u32 num_decisions, u32 buckets, u32 columns, u32 width) {
	const u64 n = (u64)buckets * width;
	for (u64 i = thread_in_grid(); i < n; i += threads_in_grid()) {
		const u64 row = i / width * columns * width + i % width;
		for (u32 d = 0; d < num_decisions; d++) {
			const u64 at = row + decisions[d].column * width;
			match(regrets + at, strategy + at, decisions[d].actions, width);
		}
	}
}

// pcs_reach computes a player's reach at the start of a round, by board, hand and lane, from
// that of the round before. A block has a hand.
__global__ void pcs_reach(const u32 *from, const u32 *paths, const u32 *lengths, const float *strategy, const u32 *buckets, const float *before,
						  float *reach, u32 hands, u32 columns, u32 width, u32 next_width) {
	for (u64 hand = block_in_grid(); hand < hands; hand += blocks_in_grid()) {
		const float *row = strategy + (u64)buckets[hand] * columns * width;
		for (u32 to = thread_in_block(); to < next_width; to += threads_in_block()) {
			const u32 source = from[to];
			float x = 0;
			if (source != none) {
				const u32 lane = source & 0xffff, deal = source >> 16;
				x = before[hand * width + lane];
				for (u32 k = 0; k < lengths[deal]; k++)
					x *= row[paths[deal * max_path + k] * width + lane];
			}
			reach[hand * next_width + to] = x;
		}
	}
}

// pcs_start sets the reach at the start of the game: 1 in the first lane.
__global__ void pcs_start(float *reach, u32 hands, u32 width) {
	for (u64 hand = block_in_grid(); hand < hands; hand += blocks_in_grid())
		for (u32 lane = thread_in_block(); lane < width; lane += threads_in_block())
			reach[hand * width + lane] = lane == 0 ? 1 : 0;
}

// Board is the state of a thread on a board.
struct Board {
	const u32 *order, *buckets;
	const float *reach; // of the thread's lane, by hand
	float *by;          // the thread's column of the sums by card
	u32 hands, width, deck;
	float second; // 1 if hands have two cards, or else 0

	INLINE float &first_card(u32 entry) const { return by[(entry & ((1u << card_bits) - 1)) * lanes]; }
	INLINE float &second_card(u32 entry) const { return by[(entry >> card_bits & ((1u << card_bits) - 1)) * lanes]; }
	// without returns the sum over the hands that share no card with a hand, less that hand's
	// own reach if it is in the sums.
	INLINE float without(u32 entry, float all) const { return all - first_card(entry) - second_card(entry); }
};

// at_once is how many hands a thread treats at a time, so that their loads are under way
// together.
constexpr u32 at_once = 4;

// Range is some hands of a board: the k-th of at_once, or the last one.
struct Range {
	u32 from, to;
	INLINE u32 at(u32 k, u32 h) const { return k + h < to ? k + h : to - 1; }
};

// add adds the reach of the hands of a range at the end of a path to the sums. Hands beyond
// the range count nothing.
template <u32 LENGTH> INLINE void add(const Board &b, const Path<LENGTH> &path, const Range &range, float &all) {
	for (u32 k = range.from; k < range.to; k += at_once) {
		u32 entry[at_once];
		float x[at_once], factor[at_once][LENGTH + 1];
#pragma unroll
		for (u32 h = 0; h < at_once; h++) {
			const u32 at = range.at(k, h);
			entry[h] = b.order[at];
			x[h] = b.reach[(u64)at * b.width];
			path.load(factor[h], b.buckets[at]);
		}
#pragma unroll
		for (u32 h = 0; h < at_once; h++) {
#pragma unroll
			for (u32 i = 0; i < LENGTH; i++)
				x[h] *= factor[h][i];
			x[h] = k + h < range.to ? x[h] : 0;
		}
#pragma unroll
		for (u32 h = 0; h < at_once; h++) {
			float &first = b.first_card(entry[h]), &second = b.second_card(entry[h]);
			const float old[2] = {first, second};
			all += x[h];
			first = old[0] + x[h];
			second = old[1] + x[h] * b.second;
		}
	}
}

// folds computes the values of a fold. The hand's own reach was subtracted twice.
template <u32 LENGTH> INLINE void folds(const Board &b, const Path<LENGTH> &path, float all, float pay, float *values) {
	const Range range = {0, b.hands};
	for (u32 k = 0; k < b.hands; k += at_once) {
		u32 entry[at_once];
		float x[at_once], factor[at_once][LENGTH + 1];
#pragma unroll
		for (u32 h = 0; h < at_once; h++) {
			const u32 at = range.at(k, h);
			entry[h] = b.order[at];
			x[h] = b.reach[(u64)at * b.width];
			path.load(factor[h], b.buckets[at]);
		}
#pragma unroll
		for (u32 h = 0; h < at_once; h++) {
#pragma unroll
			for (u32 i = 0; i < LENGTH; i++)
				x[h] *= factor[h][i];
			values[(u64)range.at(k, h) * b.width] = (b.without(entry[h], all) + x[h] * b.second) * pay;
		}
	}
}

// showdowns computes the values of a showdown from the sums over all hands: of worse hands
// less better ones. The reach of the hands of a rank is added twice, once before their values
// are computed, so that hands of the same rank have none.
template <u32 LENGTH> INLINE void showdowns(const Board &b, const Path<LENGTH> &path, float all, float pay, float *values) {
	all = -all;
	for (u32 c = 0; c <= b.deck; c++)
		b.by[c * lanes] = -b.by[c * lanes];
	for (u32 from = 0; from < b.hands;) {
		const Range range = {from, from + (b.order[from] >> ties_at)};
		add(b, path, range, all);
		for (u32 k = range.from; k < range.to; k += at_once) {
			u32 entry[at_once];
#pragma unroll
			for (u32 h = 0; h < at_once; h++)
				entry[h] = b.order[range.at(k, h)];
#pragma unroll
			for (u32 h = 0; h < at_once; h++)
				values[(u64)range.at(k, h) * b.width] = b.without(entry[h], all) * pay;
		}
		add(b, path, range, all);
		from = range.to;
	}
}

// Round is where a round's ends, pays, strategies, reach and values start, and its sizes.
struct Round {
	u64 reach, strategy, values;
	u32 tasks, ends, num_ends, pays, columns, width, slots, none;
};

// end values an end for a tile of lanes on a board.
template <u32 LENGTH> INLINE void end_of(const Board &b, const End &e, const float *table, u32 stride, const float *pays, float *values) {
	const Path<LENGTH> path(table, stride, b.width, e.path);
	for (u32 c = 0; c <= b.deck; c++)
		b.by[c * lanes] = 0;
	float all = 0;
	add(b, path, {0, b.hands}, all);
	const u64 slot = (u64)b.hands * b.width;
	if (e.fold != none)
		folds(b, path, all, pays[e.fold * b.width], values + e.fold * slot);
	if (e.showdown != none)
		showdowns(b, path, all, pays[e.showdown * b.width], values + e.showdown * slot);
}

// pcs_ends values all ends of all rounds for a player: a warp has an end, a board and a tile
// of lanes. Warps of the same tile and board follow on each other.
__global__ LAUNCH_BOUNDS(128, 8) void pcs_ends(const Round *rounds, const End *ends, const float *pays, const u32 *order, const u32 *buckets, const float *reach,
						 const float *strategy, float *values, u32 num_rounds, u32 boards, u32 hands, u32 deck, u32 two_cards) {
	DYNAMIC_SHARED(float, by);
	const u32 warp = thread_in_block() / lanes, lane = thread_in_block() % lanes;
	u32 task = block_in_grid() * (threads_in_block() / lanes) + warp, r = 0;
	while (r < num_rounds && task >= rounds[r].tasks)
		task -= rounds[r++].tasks;
	if (r == num_rounds)
		return;
	const Round round = rounds[r];
	const End &e = ends[round.ends + task % round.num_ends];
	const u32 board = task / round.num_ends % boards, column = task / round.num_ends / boards * lanes + lane;
	const u64 first = (u64)board * hands;
	Board b;
	b.order = order + first, b.buckets = buckets + (u64)r * boards * hands + first;
	b.reach = reach + round.reach + first * round.width + column;
	b.by = by + warp * (deck + 1) * lanes + lane;
	b.hands = hands, b.width = round.width, b.deck = deck, b.second = two_cards ? 1 : 0;
	const float *table = strategy + round.strategy + column;
	float *to = values + round.values + first * round.slots * round.width + column;
	const u32 stride = round.columns * round.width;
	switch (e.length) {
	case 0: return end_of<0>(b, e, table, stride, pays + round.pays + column, to);
	case 1: return end_of<1>(b, e, table, stride, pays + round.pays + column, to);
	case 2: return end_of<2>(b, e, table, stride, pays + round.pays + column, to);
	case 3: return end_of<3>(b, e, table, stride, pays + round.pays + column, to);
	case 4: return end_of<4>(b, e, table, stride, pays + round.pays + column, to);
	case 5: return end_of<5>(b, e, table, stride, pays + round.pays + column, to);
	case 6: return end_of<6>(b, e, table, stride, pays + round.pays + column, to);
	case 7: return end_of<7>(b, e, table, stride, pays + round.pays + column, to);
	default: return end_of<8>(b, e, table, stride, pays + round.pays + column, to);
	}
}

// Inputs are where the values are that a hand's others follow from: those at ends, and those
// of the next round's segments.
struct Inputs {
	const float *ends, *next;
	const u32 *next_lane; // of the thread's lane, by deal
	u64 slot;
	u32 num_ends, width;

	INLINE float load(u32 i, u64 hand, u64 next_hand) const {
		if (i < num_ends)
			return ends[i * slot + hand * width];
		const u32 lane = next_lane[(i - num_ends) * width];
		return lane == none ? 0 : next[next_hand + lane];
	}
};

INLINE float sum_of(const Sources &s, const float *value) {
	float sum = value[s.from[0] * lanes];
	for (u32 k = 1; k < s.n; k++)
		sum += value[s.from[k] * lanes];
	return sum;
}

// pcs_update values a round's segments and updates a player's strategy there: a block has a
// bucket and a tile of lanes. Its warps divide the hands in the bucket.
constexpr u32 loads_at_once = 8;
__global__ LAUNCH_BOUNDS(512, 2) void pcs_update(const Sources *sources, const Decision *decisions, const u32 *rows, const u32 *starts, const u32 *hits,
						   const u32 *next_lane, const float *own_reach, const float *next_values, float *values, float *regrets, float *sums,
						   float *strategy, u32 hands, u32 columns, u32 num_decisions, u32 num_ends, u32 num_deals, u32 slots, u32 width,
						   u32 next_slots, u32 next_slot, u32 next_width, float regret_weight, float sum_weight, u32 floor) {
	DYNAMIC_SHARED(float, memory);
	const u32 thread = thread_in_block(), lane = thread % lanes, warp = thread / lanes, warps = threads_in_block() / lanes;
	const u32 tiles = width / lanes, row = block_in_grid() / tiles, column = block_in_grid() % tiles * lanes + lane;
	const u32 inputs = num_ends + num_deals, each = columns + 1; // gains by column, and reach
	const u64 entry = (u64)rows[row] * columns * width + column;
	float *const sigma = memory + lane, *const gains = sigma + columns * lanes;
	float *const gain = gains + warp * each * lanes, *const value = gains + (warps * each + warp * (inputs + num_decisions)) * lanes;
	for (u32 c = warp; c < columns; c += warps)
		sigma[c * lanes] = strategy[entry + c * width];
	for (u32 c = 0; c < each; c++)
		gain[c * lanes] = 0;
	sync_block();
	const Inputs in = {values + column, next_values, next_lane + column, (u64)hands * width, num_ends, width};
	for (u32 k = starts[row] + warp; k < starts[row + 1]; k += warps) {
		const u32 board = hits[k] >> hand_bits, hand = hits[k] & ((1u << hand_bits) - 1);
		const u64 here = (u64)board * slots * hands + hand;
		const u64 next = (((u64)board * next_slots + next_slot) * hands + hand) * next_width;
		const float reach = own_reach[((u64)board * hands + hand) * width + column];
		for (u32 i = 0; i < inputs; i += loads_at_once) {
			float x[loads_at_once];
#pragma unroll
			for (u32 j = 0; j < loads_at_once; j++)
				x[j] = i + j < inputs ? in.load(i + j, here, next) : 0;
#pragma unroll
			for (u32 j = 0; j < loads_at_once; j++)
				if (i + j < inputs)
					value[(i + j) * lanes] = x[j];
		}
		for (u32 d = 0; d < num_decisions; d++) {
			const u32 first = decisions[d].column, actions = decisions[d].actions;
			float v[max_actions], mean = 0;
#pragma unroll
			for (u32 a = 0; a < max_actions; a++)
				if (a < actions) {
					v[a] = sum_of(sources[first + a], value);
					mean += sigma[(first + a) * lanes] * v[a];
				}
#pragma unroll
			for (u32 a = 0; a < max_actions; a++)
				if (a < actions)
					gain[(first + a) * lanes] += v[a] - mean;
			value[(inputs + d) * lanes] = mean;
		}
		gain[columns * lanes] += reach;
		values[(here + (u64)(slots - 1) * hands) * width + column] = sum_of(sources[columns], value);
	}
	sync_block();
	// The columns of a decision are updated by the warp of its number, modulo the warps.
	for (u32 d = warp; d < num_decisions; d += warps) {
		const Decision &x = decisions[d];
		float played = 0;
		for (u32 w = 0; w < warps; w++)
			played += gains[(w * each + columns) * lanes];
		played *= sum_weight;
		for (u32 i = 0; i < x.length; i++)
			played *= sigma[x.path[i] * lanes];
		for (u32 c = x.column; c < x.column + x.actions; c++) {
			float change = 0;
			for (u32 w = 0; w < warps; w++)
				change += gains[(w * each + c) * lanes];
			const u64 at = entry + c * width;
			const float regret = regrets[at] + change * regret_weight;
			regrets[at] = floor && !(regret > 0) ? 0 : regret;
			sums[at] += played * sigma[c * lanes];
		}
		match(regrets + entry + x.column * width, strategy + entry + x.column * width, x.actions, width);
	}
}
