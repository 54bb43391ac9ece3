// PTXFLAGS: -mllvm -inline-threshold=100000
// Public chance sampling in poker for two, with any buckets: see package pcs, the CPU reference,
// which does the same operations in the same order.
//
// A lane is a betting sequence that leads to a round. Those of a part of a round have the same
// decisions and ends, and differ in pots and strategies: the tree of a part is data. Arrays are
// by hand and lane, or by bucket, column and lane, so that the accesses of a warp are neighbours
// and it takes no branches. Hands of a board are in the order of their ranks.
#include "poker.cuh"

using namespace poker;

// Decisions have at most few_actions in limit games, some_actions in no-limit games with few
// raises, and most_actions in all.
constexpr u32 few_actions = 3, some_actions = 6, most_actions = 15;

// An entry of a board's order is a hand: its cards and, in the first of the hands of a rank,
// how many there are.
constexpr u32 ties_at = 2 * card_bits;

// pcs_strategy computes the strategy that follows from regrets. A thread has a bucket and a
// lane.
__global__ void pcs_strategy(const Decision *decisions, const float *regrets, float *strategy, u32 num_decisions, u32 buckets, u32 columns, u32 width) {
	const u64 n = (u64)buckets * width;
	for (u64 i = thread_in_grid(); i < n; i += threads_in_grid()) {
		const u64 row = i / width * columns * width + i % width;
		for (u32 d = 0; d < num_decisions; d++) {
			const u64 at = row + decisions[d].column * width;
			match<most_actions>(regrets + at, width, strategy + at, width, decisions[d].actions);
		}
	}
}

// Deal is the end of a round in a part: where the table of the part starts, the words of a
// bucket in it, its lanes and the first of them, and a player's columns on the way to the deal.
struct Deal {
	u64 table;
	u32 stride, width, first, length, path[max_path];
};

// pcs_reach computes a player's reach at the start of a round, by board, hand and lane, from
// that of the round before. A block has some hands.
constexpr u32 hands_per_block = 8;
__global__ void pcs_reach(const u32 *from, const Deal *deals, const float *strategy, const u32 *buckets, const float *before, float *reach, u32 hands,
						  u32 width, u32 next_width) {
	const u32 first = block_in_grid() * hands_per_block;
	for (u32 to = thread_in_block(); to < next_width; to += threads_in_block()) {
		const u32 source = from[to];
		const Deal &deal = deals[source == none ? 0 : source >> 16];
		const u32 lane = source == none ? deal.first : source & 0xffff, length = deal.length, stride = deal.stride, row_width = deal.width;
		const float *table = strategy + deal.table + (lane - deal.first);
		for (u32 h = first; h < first + hands_per_block && h < hands; h++) {
			const float *row = table + (u64)buckets[h] * stride;
			float x = source == none ? 0 : before[(u64)h * width + lane];
			for (u32 k = 0; k < length; k++)
				x *= row[deal.path[k] * row_width];
			reach[(u64)h * next_width + to] = x;
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
	const float *reach, *table; // of the thread's lane: by hand, and by bucket and column
	u32 hands, round_width, width, stride, deck;
	float second; // 1 if hands have two cards, or else 0
};

// A warp values some ends at once, of the same tile and board, so that what it finds out about
// a hand serves all of them.
constexpr u32 per_warp = 1;
struct Group {
	u32 length; // of the longest path
	End ends[per_warp];
};

// Sums are the values of the ends of a group.
struct alignas(4 * per_warp) Sums {
	float of[per_warp];
};

// at_once is how many hands a thread treats at a time, so that their loads are under way
// together.
constexpr u32 at_once = 4;

// Range is some hands of a board: the k-th of at_once, or the last one.
struct Range {
	u32 from, to;
	INLINE u32 at(u32 k, u32 h) const { return k + h < to ? k + h : to - 1; }
};

// Ends is the state of a thread that values a group with paths of at most LENGTH columns.
template <u32 LENGTH> struct Ends {
	const Board &b;
	const Group &group;
	Sums *by; // the thread's column of the sums by card
	Sums all; // over all hands
	u32 column[per_warp][LENGTH + 1];
	bool follows[per_warp][LENGTH + 1]; // or the path has ended

	INLINE Ends(const Board &b, const Group &group, Sums *by) : b(b), group(group), by(by) {
#pragma unroll
		for (u32 e = 0; e < per_warp; e++) {
			all.of[e] = 0;
#pragma unroll
			for (u32 i = 0; i < LENGTH; i++) {
				follows[e][i] = i < group.ends[e].length;
				column[e][i] = follows[e][i] ? group.ends[e].path[i] * b.width : 0;
			}
		}
		for (u32 c = 0; c <= b.deck; c++)
			by[c * lanes] = all;
	}

	INLINE Sums &first_card(u32 entry) const { return by[(entry & ((1u << card_bits) - 1)) * lanes]; }
	INLINE Sums &second_card(u32 entry) const { return by[(entry >> card_bits & ((1u << card_bits) - 1)) * lanes]; }

	// load loads some hands of a range and computes their reach. All loads come first.
	INLINE void load(const Range &range, u32 k, u32 (&entry)[at_once], Sums (&x)[at_once]) const {
		float reach[at_once], factor[at_once][per_warp][LENGTH + 1];
#pragma unroll
		for (u32 h = 0; h < at_once; h++) {
			const u32 at = range.at(k, h);
			entry[h] = b.order[at];
			reach[h] = b.reach[(u64)at * b.round_width];
			const float *row = b.table + (u64)b.buckets[at] * b.stride;
#pragma unroll
			for (u32 e = 0; e < per_warp; e++)
#pragma unroll
				for (u32 i = 0; i < LENGTH; i++)
					factor[h][e][i] = row[column[e][i]];
		}
#pragma unroll
		for (u32 h = 0; h < at_once; h++)
#pragma unroll
			for (u32 e = 0; e < per_warp; e++) {
				x[h].of[e] = reach[h];
#pragma unroll
				for (u32 i = 0; i < LENGTH; i++)
					x[h].of[e] *= follows[e][i] ? factor[h][e][i] : 1;
			}
	}

	// add adds the reach of the hands of a range to the sums. Hands beyond it count nothing.
	INLINE void add(const Range &range) {
		for (u32 k = range.from; k < range.to; k += at_once) {
			u32 entry[at_once];
			Sums x[at_once];
			load(range, k, entry, x);
#pragma unroll
			for (u32 h = 0; h < at_once; h++) {
				Sums first = first_card(entry[h]), second = second_card(entry[h]);
#pragma unroll
				for (u32 e = 0; e < per_warp; e++) {
					const float reach = k + h < range.to ? x[h].of[e] : 0;
					all.of[e] += reach;
					first.of[e] += reach;
					second.of[e] += reach * b.second;
				}
				first_card(entry[h]) = first;
				second_card(entry[h]) = second;
			}
		}
	}

	// without returns the sums over the hands that share no card with a hand, less that hand's
	// own reach if it is in the sums.
	INLINE Sums without(u32 entry) const {
		const Sums first = first_card(entry), second = second_card(entry);
		Sums sum;
#pragma unroll
		for (u32 e = 0; e < per_warp; e++)
			sum.of[e] = all.of[e] - first.of[e] - second.of[e];
		return sum;
	}

	// folds computes the values of folds. The hand's own reach was subtracted twice.
	INLINE void folds(const float *pays, float *values) const {
		const Range range = {0, b.hands};
		for (u32 k = 0; k < b.hands; k += at_once) {
			u32 entry[at_once];
			Sums x[at_once];
			load(range, k, entry, x);
#pragma unroll
			for (u32 h = 0; h < at_once; h++) {
				const Sums sum = without(entry[h]);
#pragma unroll
				for (u32 e = 0; e < per_warp; e++)
					store(group.ends[e].fold, range.at(k, h), (sum.of[e] + x[h].of[e] * b.second), pays, values);
			}
		}
	}

	// showdowns computes the values of showdowns from the sums over all hands: of worse hands
	// less better ones. The reach of the hands of a rank is added twice, once before their
	// values are computed, so that hands of the same rank have none.
	INLINE void showdowns(const float *pays, float *values) {
		negate(all);
		for (u32 c = 0; c <= b.deck; c++)
			negate(by[c * lanes]);
		for (u32 from = 0; from < b.hands;) {
			const Range range = {from, from + (b.order[from] >> ties_at)};
			add(range);
			for (u32 k = range.from; k < range.to; k += at_once) {
				u32 entry[at_once];
#pragma unroll
				for (u32 h = 0; h < at_once; h++)
					entry[h] = b.order[range.at(k, h)];
#pragma unroll
				for (u32 h = 0; h < at_once; h++) {
					const Sums sum = without(entry[h]);
#pragma unroll
					for (u32 e = 0; e < per_warp; e++)
						store(group.ends[e].showdown, range.at(k, h), sum.of[e], pays, values);
				}
			}
			add(range);
			from = range.to;
		}
	}

	INLINE static void negate(Sums &s) {
#pragma unroll
		for (u32 e = 0; e < per_warp; e++)
			s.of[e] = -s.of[e];
	}

	// store stores a value in chips, if there is one.
	INLINE void store(u32 number, u32 hand, float value, const float *pays, float *values) const {
		if (number != none)
			values[((u64)number * b.hands + hand) * b.width] = value * pays[number * b.width];
	}
};

// Part is where a part's groups of ends, pays, strategies, reach and values start, its sizes, and
// its round.
struct Part {
	u64 reach, strategy, values;
	u32 tasks, group, groups, pays, columns, width, num_values, round, round_width, unused;
};

template <u32 LENGTH> INLINE void value_ends(const Board &b, const Group &group, Sums *by, const float *pays, float *values) {
	Ends<LENGTH> ends(b, group, by);
	ends.add({0, b.hands});
	bool folds = false, showdowns = false;
#pragma unroll
	for (u32 e = 0; e < per_warp; e++) {
		folds |= group.ends[e].fold != none;
		showdowns |= group.ends[e].showdown != none;
	}
	if (folds)
		ends.folds(pays, values);
	if (showdowns)
		ends.showdowns(pays, values);
}

// pcs_ends values all ends of all parts for a player: a warp has a group of ends, a board and
// a tile of lanes. Warps of the same tile and board follow on each other.
__global__ LAUNCH_BOUNDS(128, 8) void pcs_ends(const Part *parts, const Group *all_groups, const float *all_pays, const u32 *order, const u32 *buckets,
											  const float *reach, const float *strategy, float *all_values, u32 num_parts, u32 boards, u32 hands, u32 deck,
											  u32 two_cards) {
	DYNAMIC_SHARED(Sums, sums);
	const u32 warp = thread_in_block() / lanes, lane = thread_in_block() % lanes;
	u32 task = block_in_grid() * (threads_in_block() / lanes) + warp, p = 0;
	while (p < num_parts && task >= parts[p].tasks)
		task -= parts[p++].tasks;
	if (p == num_parts)
		return;
	const Part part = parts[p];
	const Group &group = all_groups[part.group + task % part.groups];
	const u32 board = task / part.groups % boards, column = task / part.groups / boards * lanes + lane;
	const u64 first = (u64)board * hands;
	Board b;
	b.order = order + first, b.buckets = buckets + (u64)part.round * boards * hands + first;
	b.reach = reach + part.reach + first * part.round_width + column, b.table = strategy + part.strategy + column;
	b.hands = hands, b.round_width = part.round_width, b.width = part.width, b.stride = part.columns * part.width, b.deck = deck, b.second = two_cards ? 1 : 0;
	Sums *by = sums + warp * (deck + 1) * lanes + lane;
	const float *pays = all_pays + part.pays + column;
	float *values = all_values + part.values + first * part.num_values * part.width + column;
	switch (group.length) {
	case 0: return value_ends<0>(b, group, by, pays, values);
	case 1: return value_ends<1>(b, group, by, pays, values);
	case 2: return value_ends<2>(b, group, by, pays, values);
	case 3: return value_ends<3>(b, group, by, pays, values);
	case 4: return value_ends<4>(b, group, by, pays, values);
	default: return value_ends<max_path>(b, group, by, pays, values);
	}
}

// Hits are values of some hands in a bucket, which a warp treats at a time.
constexpr u32 hits_at_once = 4;
struct alignas(4 * hits_at_once) Hits {
	float of[hits_at_once];
};

// Sources are the numbers of the values that a value is the sum of, a byte each after how many
// there are.
constexpr u32 source_words = (1 + most_actions) / 4;

// sum_of returns the sum of at most MOST values.
template <u32 MOST> INLINE Hits sum_of(const u32 *sources, const Hits *value) {
	u32 bytes = sources[0];
	const u32 n = bytes & 0xff;
	bytes >>= 8;
	Hits sum = value[(bytes & 0xff) * lanes];
	for (u32 i = 2; i <= n; i++) {
		bytes = MOST < 4 || i % 4 ? bytes >> 8 : sources[i / 4];
		const Hits x = value[(bytes & 0xff) * lanes];
#pragma unroll
		for (u32 h = 0; h < hits_at_once; h++)
			sum.of[h] += x.of[h];
	}
	return sum;
}

// decide returns the values of a decision of at most MOST actions, the first in a column, and adds
// by how much each action is better to the gains.
template <u32 MOST>
INLINE Hits decide(u32 first, u32 actions, const u32 *program, const Hits *value, const float *sigma, const bool (&counts)[hits_at_once], float *gain) {
	Hits v[MOST], mean = {};
#pragma unroll
	for (u32 a = 0; a < MOST; a++)
		if (a < actions) {
			v[a] = sum_of<MOST>(program + (first + a) * source_words, value);
			const float p = sigma[(first + a) * lanes];
#pragma unroll
			for (u32 h = 0; h < hits_at_once; h++)
				mean.of[h] += p * v[a].of[h];
		}
#pragma unroll
	for (u32 a = 0; a < MOST; a++)
		if (a < actions) {
			float sum = gain[(first + a) * lanes];
#pragma unroll
			for (u32 h = 0; h < hits_at_once; h++)
				sum += counts[h] ? v[a].of[h] - mean.of[h] : 0;
			gain[(first + a) * lanes] = sum;
		}
	return mean;
}

// packed has the first column of a decision and the number of its actions in one word.
INLINE u32 packed(const Decision &d) { return d.column | d.actions << 8; }

#define UPDATE_PARAMETERS \
	const u32 *sources, const Decision *decisions, const u32 *rows, const u32 *starts, const u32 *hits, const u32 *next_lane, const float *own_reach, \
		const float *next_roots, const float *values, float *roots, float *regrets, float *sums, float *strategy, u32 hands, u32 columns, u32 num_decisions, \
		u32 num_ends, u32 num_deals, u32 width, u32 round_width, u32 next_width, float regret_weight, float sum_weight, u32 floor
#define UPDATE_ARGUMENTS \
	sources, decisions, rows, starts, hits, next_lane, own_reach, next_roots, values, roots, regrets, sums, strategy, hands, columns, num_decisions, num_ends, \
		num_deals, width, round_width, next_width, regret_weight, sum_weight, floor

// update values a part's segments and updates a player's strategy there: a block has a bucket and
// a tile of lanes. Its warps divide the hands in the bucket. No decision, of either player, has
// more than MOST actions: with fewer, a thread needs fewer registers.
template <u32 MOST> INLINE void update(UPDATE_PARAMETERS) {
	DYNAMIC_SHARED(Hits, memory);
	const u32 thread = thread_in_block(), lane = thread % lanes, warp = thread / lanes, warps = threads_in_block() / lanes;
	const u32 tiles = width / lanes, row = block_in_grid() / tiles, column = block_in_grid() % tiles * lanes + lane;
	const u32 inputs = num_ends + num_deals, each = columns + 1; // gains by column, and reach
	const u64 entry = (u64)rows[row] * columns * width + column;
	// By warp and number: the values of hands; the strategy by column; by warp: the gains; and
	// the program.
	Hits *const value = memory + warp * (inputs + num_decisions) * lanes + lane;
	float *const sigma = (float *)(memory + warps * (inputs + num_decisions) * lanes) + lane, *const gains = sigma + columns * lanes;
	float *const gain = gains + warp * each * lanes;
	u32 *const program = (u32 *)(gains - lane + warps * each * lanes), *const chosen = program + each * source_words;
	for (u32 i = thread; i < each * source_words; i += threads_in_block())
		program[i] = sources[i];
	for (u32 i = thread; i < num_decisions; i += threads_in_block())
		chosen[i] = packed(decisions[i]);
	for (u32 c = warp; c < columns; c += warps)
		sigma[c * lanes] = strategy[entry + c * width];
	for (u32 c = 0; c < each; c++)
		gain[c * lanes] = 0;
	sync_block();
	const u64 slot = (u64)hands * width;
	const u32 end = starts[row + 1];
	for (u32 k = starts[row] + warp; k < end; k += hits_at_once * warps) {
		bool counts[hits_at_once];
		const float *at[hits_at_once], *next[hits_at_once];
		float *root[hits_at_once], reach[hits_at_once];
#pragma unroll
		for (u32 h = 0; h < hits_at_once; h++) {
			counts[h] = k + h * warps < end;
			const u32 hit = hits[counts[h] ? k + h * warps : k], board = hit >> hand_bits, hand = hit & ((1u << hand_bits) - 1);
			const u64 of_board = (u64)board * hands + hand;
			at[h] = values + ((u64)board * num_ends * hands + hand) * width + column;
			next[h] = next_roots + of_board * next_width;
			root[h] = roots + of_board * round_width + column;
			reach[h] = own_reach[of_board * round_width + column];
		}
#pragma unroll 4
		for (u32 i = 0; i < num_ends; i++) {
			Hits x;
#pragma unroll
			for (u32 h = 0; h < hits_at_once; h++)
				x.of[h] = at[h][i * slot];
			value[i * lanes] = x;
		}
#pragma unroll 4
		for (u32 i = 0; i < num_deals; i++) {
			const u32 to = next_lane[i * width + column];
			Hits x;
#pragma unroll
			for (u32 h = 0; h < hits_at_once; h++)
				x.of[h] = to == none ? 0 : next[h][to];
			value[(num_ends + i) * lanes] = x;
		}
		for (u32 d = 0; d < num_decisions; d++) {
			const u32 first = chosen[d] & 0xff, actions = chosen[d] >> 8;
			value[(inputs + d) * lanes] = decide<MOST>(first, actions, program, value, sigma, counts, gain);
		}
		const Hits start = sum_of<MOST>(program + columns * source_words, value);
		float sum = gain[columns * lanes];
#pragma unroll
		for (u32 h = 0; h < hits_at_once; h++) {
			sum += counts[h] ? reach[h] : 0;
			if (counts[h])
				*root[h] = start.of[h];
		}
		gain[columns * lanes] = sum;
	}
	sync_block();
	// A decision is updated by the warp of its number, modulo the warps.
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
		match<MOST>(regrets + entry + x.column * width, width, strategy + entry + x.column * width, width, x.actions);
	}
}

__global__ LAUNCH_BOUNDS(128, 4) void pcs_update_few(UPDATE_PARAMETERS) { update<few_actions>(UPDATE_ARGUMENTS); }
__global__ LAUNCH_BOUNDS(128, 4) void pcs_update_some(UPDATE_PARAMETERS) { update<some_actions>(UPDATE_ARGUMENTS); }
__global__ LAUNCH_BOUNDS(128, 4) void pcs_update_most(UPDATE_PARAMETERS) { update<most_actions>(UPDATE_ARGUMENTS); }
