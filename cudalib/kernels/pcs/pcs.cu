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

struct Sources {
	u32 n, from[max_sources];
};
struct Decision {
	u32 column, actions, length, path[max_path];
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
// that of the round before. A block has some hands.
constexpr u32 hands_per_block = 8;
__global__ void pcs_reach(const u32 *from, const u32 *paths, const u32 *lengths, const float *strategy, const u32 *buckets, const float *before,
						  float *reach, u32 hands, u32 columns, u32 width, u32 next_width) {
	const u32 first = block_in_grid() * hands_per_block;
	for (u32 to = thread_in_block(); to < next_width; to += threads_in_block()) {
		const u32 source = from[to], lane = source == none ? 0 : source & 0xffff, deal = source == none ? 0 : source >> 16;
		const u32 length = lengths[deal], *path = paths + deal * max_path;
		for (u32 h = first; h < first + hands_per_block && h < hands; h++) {
			const float *row = strategy + (u64)buckets[h] * columns * width + lane;
			float x = source == none ? 0 : before[(u64)h * width + lane];
			for (u32 k = 0; k < length; k++)
				x *= row[path[k] * width];
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

// Round is where a round's ends, parents, pays, strategies, reach and values start, and its
// sizes. Parents are, by column of the opponent, the place of the reach before its action: 0 for
// that at the start of the round, or that of the column before it, from 1.
struct Round {
	u64 reach, strategy, values;
	u32 blocks, end, ends, parent, pays, columns, width, slots;
};

// End is a place of reach, and the numbers of the values there or none.
struct End {
	u32 place, fold, showdown;
};

constexpr u32 at_once = 4; // hands that are treated at a time
constexpr u32 loads_at_once = 8;

// Board is the state of a thread that values ends on a board, one for each warp of the block, in
// the lane of the thread. The reach of some hands at all ends is staged in shared memory, where
// all warps read it.
struct Board {
	const u32 *order, *buckets, *parents;
	const float *reach, *table; // of the lane: by hand, and by bucket and column
	float *by; // sums of reach by card
	float *staged; // reach by staged hand and place
	u32 *entries; // of the staged hands
	u32 hands, width, columns, deck, chunk, warp, warps, lane;
	float second; // 1 if hands have two cards, or else 0
	float all; // the sum of reach over all hands

	INLINE float &first_card(u32 entry) const { return by[(entry & ((1u << card_bits) - 1)) * lanes]; }
	INLINE float &second_card(u32 entry) const { return by[(entry >> card_bits & ((1u << card_bits) - 1)) * lanes]; }
	INLINE u32 places() const { return columns + 1; }
	INLINE u32 ties(u32 hand) const { return order[hand] >> ties_at; }

	// stage computes the reach of n hands. Each warp has some of the hands.
	INLINE void stage(u32 from, u32 n) const {
		for (u32 h = warp; h < n; h += warps) {
			const float *row = table + (u64)buckets[from + h] * columns * width;
			float *to = staged + h * places() * lanes;
			to[0] = reach[(u64)(from + h) * width];
			for (u32 c = 0; c < columns; c += loads_at_once) {
				float p[loads_at_once];
#pragma unroll
				for (u32 i = 0; i < loads_at_once; i++)
					p[i] = c + i < columns ? row[(c + i) * width] : 0;
#pragma unroll
				for (u32 i = 0; i < loads_at_once; i++)
					if (c + i < columns)
						to[(1 + c + i) * lanes] = to[parents[c + i] * lanes] * p[i];
			}
			if (lane == 0)
				entries[h] = order[from + h];
			const u32 next = from + h + chunk; // is on its way while this is used
			if (next < hands && lane < columns)
				prefetch_l2(table - lane + ((u64)buckets[next] * columns + lane) * width);
		}
		sync_block();
	}

	// add adds the reach of the staged hands of a range at a place to the sums.
	INLINE void add(u32 place, u32 from, u32 to) {
		for (u32 k = from; k < to; k += at_once) {
			u32 entry[at_once];
			float x[at_once];
#pragma unroll
			for (u32 h = 0; h < at_once; h++) {
				const u32 at = k + h < to ? k + h : to - 1;
				entry[h] = entries[at];
				x[h] = k + h < to ? staged[(at * places() + place) * lanes] : 0;
			}
#pragma unroll
			for (u32 h = 0; h < at_once; h++) {
				float &first = first_card(entry[h]), &other = second_card(entry[h]);
				const float old[2] = {first, other};
				all += x[h];
				first = old[0] + x[h];
				other = old[1] + x[h] * second;
			}
		}
	}

	// without returns the sum over the hands that share no card with a hand, less that hand's
	// own reach if it is in the sums.
	INLINE float without(u32 entry) const { return all - first_card(entry) - second_card(entry); }

	// total adds the reach of all hands at a place.
	INLINE void total(u32 place, bool works) {
		for (u32 from = 0; from < hands; from += chunk) {
			const u32 n = hands - from < chunk ? hands - from : chunk;
			stage(from, n);
			if (works)
				add(place, 0, n);
			sync_block();
		}
	}

	// folds computes the values of a fold. The hand's own reach was subtracted twice.
	INLINE void folds(u32 place, bool works, float pay, float *values) const {
		for (u32 from = 0; from < hands; from += chunk) {
			const u32 n = hands - from < chunk ? hands - from : chunk;
			stage(from, n);
			if (works) {
#pragma unroll 4
				for (u32 h = 0; h < n; h++)
					values[(u64)(from + h) * width] = (without(entries[h]) + staged[(h * places() + place) * lanes] * second) * pay;
			}
			sync_block();
		}
	}

	// showdowns computes the values of a showdown from the sums over all hands: of worse hands
	// less better ones. The reach of the hands of a rank is added twice, once before their values
	// are computed, so that hands of the same rank have none.
	INLINE void showdowns(u32 place, bool works, float pay, float *values) {
		all = -all;
		for (u32 c = 0; c <= deck; c++)
			by[c * lanes] = -by[c * lanes];
		for (u32 from = 0; from < hands;) {
			u32 n = ties(from);
			if (n > chunk) {
				add_rank(place, works, from, n);
				if (works)
					finish(order + from, n, pay, values + (u64)from * width);
				add_rank(place, works, from, n);
			} else {
				while (from + n < hands && n + ties(from + n) <= chunk)
					n += ties(from + n);
				stage(from, n);
				for (u32 h = 0; works && h < n;) {
					const u32 to = h + (entries[h] >> ties_at);
					add(place, h, to);
					finish(entries + h, to - h, pay, values + (u64)(from + h) * width);
					add(place, h, to);
					h = to;
				}
				sync_block();
			}
			from += n;
		}
	}

	// add_rank adds the reach of the hands of a rank, which do not fit into a chunk.
	INLINE void add_rank(u32 place, bool works, u32 from, u32 n) {
		for (u32 k = 0; k < n; k += chunk) {
			const u32 some = n - k < chunk ? n - k : chunk;
			stage(from + k, some);
			if (works)
				add(place, 0, some);
			sync_block();
		}
	}

	// finish computes the values of hands whose rank was added once.
	INLINE void finish(const u32 *entry, u32 n, float pay, float *values) const {
#pragma unroll 4
		for (u32 h = 0; h < n; h++)
			values[(u64)h * width] = without(entry[h]) * pay;
	}
};

// pcs_ends values all ends of all rounds for a player: a block has a board, a tile of lanes, and
// as many ends as it has warps.
__global__ LAUNCH_BOUNDS(416, 2) void pcs_ends(const Round *rounds, const End *all_ends, const u32 *parents, const float *all_pays, const u32 *order,
											   const u32 *buckets, const float *reach, const float *strategy, float *all_values, u32 boards,
											   u32 hands, u32 deck, u32 two_cards, u32 chunk) {
	DYNAMIC_SHARED(float, memory);
	Board b;
	b.warp = thread_in_block() / lanes, b.lane = thread_in_block() % lanes, b.warps = threads_in_block() / lanes;
	u32 task = block_in_grid(), r = 0;
	while (task >= rounds[r].blocks)
		task -= rounds[r++].blocks;
	const Round round = rounds[r];
	const u32 parts = (round.ends + b.warps - 1) / b.warps, part = task % parts, board = task / parts % boards;
	const u32 column = task / parts / boards * lanes + b.lane;
	const u64 first = (u64)board * hands;
	b.order = order + first, b.buckets = buckets + (u64)r * boards * hands + first, b.parents = parents + round.parent;
	b.reach = reach + round.reach + first * round.width + column, b.table = strategy + round.strategy + column;
	b.by = memory + b.warp * (deck + 1) * lanes + b.lane, b.staged = memory + b.warps * (deck + 1) * lanes + b.lane;
	b.entries = (u32 *)(b.staged - b.lane + chunk * (round.columns + 1) * lanes);
	b.hands = hands, b.width = round.width, b.columns = round.columns, b.deck = deck, b.chunk = chunk;
	b.second = two_cards ? 1 : 0, b.all = 0;
	End end = {0, none, none};
	bool folds = false, showdowns = false; // of any warp
	for (u32 w = 0; w < b.warps && part * b.warps + w < round.ends; w++) {
		const End e = all_ends[round.end + part * b.warps + w];
		folds |= e.fold != none, showdowns |= e.showdown != none;
		if (w == b.warp)
			end = e;
	}
	const float *pays = all_pays + round.pays + column;
	float *values = all_values + round.values + first * round.slots * round.width + column;
	const u64 slot = (u64)hands * round.width;
	for (u32 c = 0; c <= deck; c++)
		b.by[c * lanes] = 0;
	const bool has_fold = end.fold != none, has_showdown = end.showdown != none;
	b.total(end.place, has_fold || has_showdown);
	if (folds)
		b.folds(end.place, has_fold, has_fold ? pays[end.fold * round.width] : 0, values + (has_fold ? end.fold * slot : 0));
	if (showdowns)
		b.showdowns(end.place, has_showdown, has_showdown ? pays[end.showdown * round.width] : 0, values + (has_showdown ? end.showdown * slot : 0));
}

// Values are of some hands in a bucket, which a warp treats at a time.
constexpr u32 hits_at_once = 4;
struct alignas(4 * hits_at_once) Values {
	float of[hits_at_once];
};

// packed has what a value is the sum of, or a decision, in one word.
INLINE u32 packed(const Sources &s) { return s.n | s.from[0] << 8 | s.from[1] << 16 | s.from[2] << 24; }
INLINE u32 packed(const Decision &d) { return d.column | d.actions << 8; }

// sum_of returns the sum of some values.
INLINE Values sum_of(u32 sources, const Values *value) {
	Values sum = value[(sources >> 8 & 0xff) * lanes];
	for (u32 n = sources & 0xff, from = sources >> 16; n > 1; n--, from >>= 8) {
		const Values x = value[(from & 0xff) * lanes];
#pragma unroll
		for (u32 h = 0; h < hits_at_once; h++)
			sum.of[h] += x.of[h];
	}
	return sum;
}

// pcs_update values a round's segments and updates a player's strategy there: a block has a
// bucket and a tile of lanes. Its warps divide the hands in the bucket.
__global__ LAUNCH_BOUNDS(128, 4) void pcs_update(const Sources *sources, const Decision *decisions, const u32 *rows, const u32 *starts, const u32 *hits,
												 const u32 *next_lane, const float *own_reach, const float *next_values, float *values, float *regrets,
												 float *sums, float *strategy, u32 hands, u32 columns, u32 num_decisions, u32 num_ends, u32 num_deals,
												 u32 slots, u32 width, u32 next_slots, u32 next_slot, u32 next_width, float regret_weight,
												 float sum_weight, u32 floor) {
	DYNAMIC_SHARED(Values, memory);
	const u32 thread = thread_in_block(), lane = thread % lanes, warp = thread / lanes, warps = threads_in_block() / lanes;
	const u32 tiles = width / lanes, row = block_in_grid() / tiles, column = block_in_grid() % tiles * lanes + lane;
	const u32 inputs = num_ends + num_deals, each = columns + 1; // gains by column, and reach
	const u64 entry = (u64)rows[row] * columns * width + column;
	// By warp and number: the values of hands; the strategy by column; by warp: the gains; and
	// the program.
	Values *const value = memory + warp * (inputs + num_decisions) * lanes + lane;
	float *const sigma = (float *)(memory + warps * (inputs + num_decisions) * lanes) + lane, *const gains = sigma + columns * lanes;
	float *const gain = gains + warp * each * lanes;
	u32 *const program = (u32 *)(gains - lane + warps * each * lanes), *const chosen = program + each;
	for (u32 i = thread; i < each; i += threads_in_block())
		program[i] = packed(sources[i]);
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
		float *at[hits_at_once];
		const float *next[hits_at_once];
		float reach[hits_at_once];
#pragma unroll
		for (u32 h = 0; h < hits_at_once; h++) {
			counts[h] = k + h * warps < end;
			const u32 hit = hits[counts[h] ? k + h * warps : k], board = hit >> hand_bits, hand = hit & ((1u << hand_bits) - 1);
			at[h] = values + ((u64)board * slots * hands + hand) * width + column;
			next[h] = next_values + (((u64)board * next_slots + next_slot) * hands + hand) * next_width;
			reach[h] = own_reach[((u64)board * hands + hand) * width + column];
		}
#pragma unroll 4
		for (u32 i = 0; i < num_ends; i++) {
			Values x;
#pragma unroll
			for (u32 h = 0; h < hits_at_once; h++)
				x.of[h] = at[h][i * slot];
			value[i * lanes] = x;
		}
#pragma unroll 4
		for (u32 i = 0; i < num_deals; i++) {
			const u32 to = next_lane[i * width + column];
			Values x;
#pragma unroll
			for (u32 h = 0; h < hits_at_once; h++)
				x.of[h] = to == none ? 0 : next[h][to];
			value[(num_ends + i) * lanes] = x;
		}
		for (u32 d = 0; d < num_decisions; d++) {
			const u32 first = chosen[d] & 0xff, actions = chosen[d] >> 8;
			Values v[max_actions], mean = {};
#pragma unroll
			for (u32 a = 0; a < max_actions; a++)
				if (a < actions) {
					v[a] = sum_of(program[first + a], value);
					const float p = sigma[(first + a) * lanes];
#pragma unroll
					for (u32 h = 0; h < hits_at_once; h++)
						mean.of[h] += p * v[a].of[h];
				}
#pragma unroll
			for (u32 a = 0; a < max_actions; a++)
				if (a < actions) {
					float sum = gain[(first + a) * lanes];
#pragma unroll
					for (u32 h = 0; h < hits_at_once; h++)
						sum += counts[h] ? v[a].of[h] - mean.of[h] : 0;
					gain[(first + a) * lanes] = sum;
				}
			value[(inputs + d) * lanes] = mean;
		}
		const Values root = sum_of(program[columns], value);
		float sum = gain[columns * lanes];
#pragma unroll
		for (u32 h = 0; h < hits_at_once; h++) {
			sum += counts[h] ? reach[h] : 0;
			if (counts[h])
				at[h][(slots - 1) * slot] = root.of[h];
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
		match(regrets + entry + x.column * width, strategy + entry + x.column * width, x.actions, width);
	}
}
