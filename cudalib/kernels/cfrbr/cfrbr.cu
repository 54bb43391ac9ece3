// PTXFLAGS: -mllvm -inline-threshold=100000
// CFR-BR in limit poker for two, with any buckets: see package cfrbr, the CPU reference
// implementation, which does the same operations in the same order.
//
// A lane is a betting sequence that leads to a round: all have the same decisions and ends,
// and differ in pots and strategies. Arrays are by hand and lane, or by row (a bucket, or a
// hand), column (an action of a player) and lane, so that the accesses of a warp are neighbours
// and it takes no branches. A unit is a board of all rounds but the last; the boards of the
// last round that follow are its rivers. Before the last round there is one board.
#include "cuda.cuh"

#define INLINE __device__ inline __attribute__((always_inline))

constexpr u32 lanes = 32;
constexpr u32 max_path = 8, max_actions = 3, max_sources = 15;
constexpr u32 none = ~0u;

// An entry of a board's order is a hand: its number, its cards, in the first of the hands of a
// rank how many there are, and its bucket.
constexpr u32 hand_bits = 11, card_bits = 6, ties_bits = 11;
constexpr u32 cards_at = hand_bits, ties_at = cards_at + 2 * card_bits, bucket_at = ties_at + ties_bits;

INLINE u32 hand_of(u64 entry) { return (u32)entry & ((1u << hand_bits) - 1); }
INLINE u32 first_card(u64 entry) { return (u32)entry >> cards_at & ((1u << card_bits) - 1); }
INLINE u32 second_card(u64 entry) { return (u32)entry >> (cards_at + card_bits) & ((1u << card_bits) - 1); }
INLINE u32 ties_of(u64 entry) { return (u32)(entry >> ties_at) & ((1u << ties_bits) - 1); }
INLINE u32 bucket_of(u64 entry) { return upper_half(entry) >> (bucket_at - 32); }

struct End {
	u32 length, path[max_path], fold, showdown;
};
struct Sources {
	u32 n, from[max_sources];
};
struct Decision {
	u32 column, actions, length, path[max_path];
};

// match computes the strategy of a decision from its regrets, which are a stride apart.
INLINE void match(const float *regret, u32 stride, float *sigma, u32 width, u32 actions) {
	float p[max_actions], total = 0;
#pragma unroll
	for (u32 a = 0; a < max_actions; a++) {
		const float r = a < actions ? regret[a * stride] : 0;
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

// cfrbr_match computes the strategies of rows from regrets. Row i has those of row sets[i], or of
// row i if sets is null. Lanes from `used` on have none.
__global__ void cfrbr_match(const Decision *decisions, const float *regrets, float *strategy, const u32 *sets, u32 num_decisions, u32 rows,
							u32 columns, u32 used, u32 width) {
	const u64 n = (u64)rows * used;
	for (u64 i = thread_in_grid(); i < n; i += threads_in_grid()) {
		const u32 row = i / used, lane = i % used;
		const float *from = regrets + (u64)(sets ? sets[row] : row) * columns * used + lane;
		float *to = strategy + (u64)row * columns * width + lane;
		for (u32 d = 0; d < num_decisions; d++)
			match(from + decisions[d].column * used, used, to + decisions[d].column * width, width, decisions[d].actions);
	}
}

// cfrbr_reach computes a player's reach at the start of a round, by hand and lane, from that of
// the round before. The rows of its strategy are hands if `apart`, and buckets otherwise.
__global__ void cfrbr_reach(const u32 *from, const u32 *paths, const u32 *lengths, const u64 *order, const float *strategy, const float *before,
							float *reach, u32 hands, u32 columns, u32 width, u32 next_width, u32 apart) {
	const u64 n = (u64)hands * next_width;
	for (u64 i = thread_in_grid(); i < n; i += threads_in_grid()) {
		const u32 hand = i / next_width, source = from[i % next_width];
		float x = 0;
		if (source != none) {
			const u32 lane = source & 0xffff, deal = source >> 16;
			const float *row = strategy + (u64)(apart ? hand : bucket_of(order[hand])) * columns * width + lane;
			x = before[(u64)hand * width + lane];
			for (u32 k = 0; k < lengths[deal]; k++)
				x *= row[paths[deal * max_path + k] * width];
		}
		reach[i] = x;
	}
}

constexpr u32 at_once = 4; // hands that a thread treats at a time, so that their loads are under way together

// Board is the state of a thread that values an end on a board.
struct Board {
	const u64 *order;
	float *by; // sums of reach by card
	float *x;  // reach at the end, by place in the order
	u32 hands, width, deck;
	float second; // 1 if hands have two cards, or else 0
	float all;    // the sum of reach over all hands

	INLINE float &card(u32 c) const { return by[c * lanes]; }

	// each calls f for the hands of a range, some at once, with their places and entries. Where
	// their number does not divide the range, the last hand comes more often.
	template <class F> INLINE void each(u32 from, u32 to, F f) const {
		for (u32 k = from; k < to; k += at_once) {
			u64 entry[at_once];
			u32 place[at_once];
#pragma unroll
			for (u32 h = 0; h < at_once; h++) {
				place[h] = k + h < to ? k + h : to - 1;
				entry[h] = order[place[h]];
			}
			f(k, place, entry);
		}
	}

	// add adds the reach of some hands to the sums.
	INLINE void add(const u64 *entry, const float *reach) {
#pragma unroll
		for (u32 h = 0; h < at_once; h++) {
			all += reach[h];
			float &first = card(first_card(entry[h])), &other = card(second_card(entry[h]));
			const float old[2] = {first, other};
			first = old[0] + reach[h];
			other = old[1] + reach[h] * second;
		}
	}

	// add_range adds the reach of the hands of a range, which is computed.
	INLINE void add_range(u32 from, u32 to) {
		each(from, to, [&](u32 k, const u32 *place, const u64 *entry) {
			float reach[at_once];
#pragma unroll
			for (u32 h = 0; h < at_once; h++)
				reach[h] = k + h < to ? x[place[h] * lanes] : 0;
			add(entry, reach);
		});
	}

	// total computes the reach of all hands at an end and adds it.
	INLINE void total(const End &e, const float *reach, const float *table, u64 stride, bool apart) {
		each(0, hands, [&](u32 k, const u32 *place, const u64 *entry) {
			float now[at_once];
			const float *row[at_once];
#pragma unroll
			for (u32 h = 0; h < at_once; h++) {
				row[h] = table + (apart ? place[h] : bucket_of(entry[h])) * stride;
				now[h] = reach[hand_of(entry[h]) * width];
			}
			for (u32 i = 0; i < e.length; i++) {
				const u32 at = e.path[i] * width;
#pragma unroll
				for (u32 h = 0; h < at_once; h++)
					now[h] *= row[h][at];
			}
#pragma unroll
			for (u32 h = 0; h < at_once; h++) {
				x[place[h] * lanes] = now[h];
				now[h] = k + h < hands ? now[h] : 0;
			}
			add(entry, now);
		});
	}

	// without returns the sum over the hands that share no card with a hand, less that hand's
	// own reach if it is in the sums.
	INLINE float without(u64 entry) const { return all - card(first_card(entry)) - card(second_card(entry)); }

	// folds computes the values of a fold. The hand's own reach was subtracted twice.
	INLINE void folds(float pay, float *values) const {
		each(0, hands, [&](u32, const u32 *place, const u64 *entry) {
#pragma unroll
			for (u32 h = 0; h < at_once; h++)
				values[(u64)place[h] * width] = (without(entry[h]) + x[place[h] * lanes] * second) * pay;
		});
	}

	// showdowns computes the values of a showdown, from the sums over all hands: those over worse
	// hands less those over better ones. The reach of the hands of a rank is added twice, once
	// before their values are computed, so that hands of the same rank have none.
	INLINE void showdowns(float pay, float *values) {
		all = -all;
		for (u32 c = 0; c <= deck; c++)
			card(c) = -card(c);
		for (u32 from = 0; from < hands;) {
			const u32 to = from + ties_of(order[from]);
			add_range(from, to);
			each(from, to, [&](u32, const u32 *place, const u64 *entry) {
#pragma unroll
				for (u32 h = 0; h < at_once; h++)
					values[(u64)place[h] * width] = without(entry[h]) * pay;
			});
			add_range(from, to);
			from = to;
		}
	}
};

// cfrbr_ends values the ends of a round for a player, by board, end, place in the order and lane.
// A block has one end of a board in a tile of lanes after another. Scratch has room for the reach
// of a board for each block. The rows of the opponent's table are places in the orders of all
// boards if `apart`, and buckets otherwise.
__global__ LAUNCH_BOUNDS(32, 16) void cfrbr_ends(const End *ends, const float *pays, const u64 *order, const float *reach, const float *table,
												 float *values, float *scratch, u32 num_ends, u32 num_values, u32 boards, u32 hands, u32 columns,
												 u32 width, u32 deck, u32 two_cards, u32 apart) {
	DYNAMIC_SHARED(float, by);
	const u32 lane = thread_in_block(), tiles = width / lanes;
	Board b;
	b.by = by + lane, b.x = scratch + (u64)block_in_grid() * hands * lanes + lane;
	b.hands = hands, b.width = width, b.deck = deck, b.second = two_cards ? 1 : 0;
	for (u32 task = block_in_grid(); task < boards * tiles * num_ends; task += blocks_in_grid()) {
		const End &e = ends[task % num_ends];
		const u32 column = task / num_ends % tiles * lanes + lane, board = task / num_ends / tiles;
		const u64 first = (u64)board * hands, stride = (u64)columns * width;
		float *const to = values + first * num_values * width + column;
		b.order = order + first, b.all = 0;
		for (u32 c = 0; c <= deck; c++)
			b.card(c) = 0;
		b.total(e, reach + column, table + column + (apart ? first * stride : 0), stride, apart);
		if (e.fold != none)
			b.folds(pays[e.fold * width + column], to + (u64)e.fold * hands * width);
		if (e.showdown != none)
			b.showdowns(pays[e.showdown * width + column], to + (u64)e.showdown * hands * width);
	}
}

// Segment is the state of a thread that values a round's segment for a hand. The values are by
// number in shared memory, in the thread's lane.
struct Segment {
	const Sources *sources; // by column of the player, and of the segment
	float *value;
	u32 inputs; // values before those of decisions

	INLINE float sum(const Sources &s) const {
		float sum = value[s.from[0] * lanes];
		for (u32 i = 1; i < s.n; i++)
			sum += value[s.from[i] * lanes];
		return sum;
	}

	// load reads the values at ends, and those of deals from the next round.
	INLINE void load(const float *ends, u64 slot, u32 num_ends, const float *after, const u32 *next_lane, u32 num_deals, u32 width) {
#pragma unroll 4
		for (u32 i = 0; i < num_ends; i++)
			value[i * lanes] = ends[i * slot];
#pragma unroll 4
		for (u32 i = 0; i < num_deals; i++) {
			const u32 to = next_lane[i * width];
			value[(num_ends + i) * lanes] = to == none ? 0 : after[to];
		}
		inputs = num_ends + num_deals;
	}
};

// cfrbr_respond chooses the best actions of a player in a round, and writes them as probabilities
// to its table by place in the orders of all boards, column and lane; and the values at the start
// of the round. A warp has one hand in a tile of lanes after another.
__global__ LAUNCH_BOUNDS(128, 4) void cfrbr_respond(const Sources *sources, const Decision *decisions, const u32 *next_lane, const float *values,
													const float *after, float *table, float *roots, u32 boards, u32 hands, u32 columns,
													u32 num_decisions, u32 num_values, u32 num_deals, u32 width, u32 next_width) {
	DYNAMIC_SHARED(float, memory);
	const u32 lane = thread_in_block() % lanes, warp = thread_in_block() / lanes, tiles = width / lanes;
	const u64 warps = threads_in_grid() / lanes, n = (u64)boards * hands * tiles;
	Segment s;
	s.sources = sources;
	s.value = memory + warp * (num_values + num_deals + num_decisions) * lanes + lane;
	for (u64 task = thread_in_grid() / lanes; task < n; task += warps) {
		const u32 column = task % tiles * lanes + lane;
		const u64 hand = task / tiles, board = hand / hands;
		s.load(values + (board * num_values * hands + hand % hands) * width + column, (u64)hands * width, num_values,
			   after + hand * next_width, next_lane + column, num_deals, width);
		float *row = table + hand * columns * width + column;
		for (u32 i = 0; i < num_decisions; i++) {
			const Decision &d = decisions[i];
			float best = s.sum(sources[d.column]);
			u32 chosen = 0;
			for (u32 a = 1; a < d.actions; a++) {
				const float v = s.sum(sources[d.column + a]);
				chosen = v > best ? a : chosen;
				best = v > best ? v : best;
			}
			for (u32 a = 0; a < d.actions; a++)
				row[(u64)(d.column + a) * width] = a == chosen ? 1 : 0;
			s.value[(s.inputs + i) * lanes] = best;
		}
		roots[hand * width + column] = s.sum(sources[columns]);
	}
}

// cfrbr_mean computes the mean values of the last round of their values on its boards, by hand of
// the unit and lane. Places has the place of each hand in the order of each board, or none.
__global__ void cfrbr_mean(const float *roots, const u32 *places, float *mean, u32 boards, u32 hands, u32 unit_hands, u32 width, float scale) {
	const u64 n = (u64)unit_hands * width;
	for (u64 i = thread_in_grid(); i < n; i += threads_in_grid()) {
		const u32 hand = i / width, lane = i % width;
		float sum = 0;
		for (u32 board = 0; board < boards; board++) {
			const u32 place = places[board * unit_hands + hand];
			if (place != none)
				sum += roots[((u64)board * hands + place) * width + lane];
		}
		mean[i] = sum * scale;
	}
}

// cfrbr_learn trains a player in a round, and computes its values there. A block has an
// information set that comes in the unit, a row of the regrets, in a tile of lanes. Its hands are
// added up in their order: hits from its start to the next one's, each a board and, in the lower
// bits, a place in its order. In the trunk, where sums is null, regrets have `used` lanes, and rows of the strategy are
// hands; otherwise they are those of the regrets.
__global__ LAUNCH_BOUNDS(32, 16) void cfrbr_learn(const Sources *sources, const Decision *decisions, const u32 *rows, const u32 *starts,
												  const u32 *hits, const u32 *next_lane, const u64 *order, const float *own_reach,
												  const float *values, const float *after, float *regrets, float *sums, float *strategy,
												  float *roots, u32 hands, u32 columns, u32 num_decisions, u32 num_values, u32 num_deals,
												  u32 used, u32 width, u32 next_width, float regret_weight, float sum_weight, u32 floor) {
	DYNAMIC_SHARED(float, memory);
	const u32 lane = thread_in_block(), tiles = width / lanes, row = block_in_grid() / tiles, column = block_in_grid() % tiles * lanes + lane;
	const u32 start = starts[row], end = starts[row + 1];
	const bool trunk = !sums;
	Segment s;
	s.sources = sources, s.value = memory + lane;
	float *const sigma = s.value + (num_values + num_deals + num_decisions) * lanes, *const gain = sigma + columns * lanes;
	float *const played = strategy + (u64)(trunk ? hits[start] : rows[row]) * columns * width + column;
	for (u32 c = 0; c < columns; c++) {
		sigma[c * lanes] = played[(u64)c * width];
		gain[c * lanes] = 0;
	}
	float reach = 0;
	for (u32 k = start; k < end; k++) {
		const u32 board = hits[k] >> hand_bits, place = hits[k] & ((1u << hand_bits) - 1);
		const u64 hand = (u64)board * hands + place;
		s.load(values + ((u64)board * num_values * hands + place) * width + column, (u64)hands * width, num_values,
			   after + hand * next_width, next_lane + column, num_deals, width);
		for (u32 i = 0; i < num_decisions; i++) {
			const u32 first = decisions[i].column, actions = decisions[i].actions;
			float v[max_actions], mean = 0;
#pragma unroll
			for (u32 a = 0; a < max_actions; a++)
				if (a < actions) {
					v[a] = s.sum(sources[first + a]);
					mean += sigma[(first + a) * lanes] * v[a];
				}
#pragma unroll
			for (u32 a = 0; a < max_actions; a++)
				if (a < actions)
					gain[(first + a) * lanes] += v[a] - mean;
			s.value[(s.inputs + i) * lanes] = mean;
		}
		roots[hand * width + column] = s.sum(sources[columns]);
		if (!trunk)
			reach += own_reach[(u64)hand_of(order[hand]) * width + column];
	}
	if (column >= used)
		return;
	const u64 entry = (u64)rows[row] * columns * used + column;
	for (u32 i = 0; i < num_decisions; i++) {
		const Decision &d = decisions[i];
		float sum = reach * sum_weight;
		for (u32 k = 0; k < d.length; k++)
			sum *= sigma[d.path[k] * lanes];
		for (u32 c = d.column; c < d.column + d.actions; c++) {
			const u64 at = entry + (u64)c * used;
			const float regret = regrets[at] + gain[c * lanes] * regret_weight;
			regrets[at] = floor && !(regret > 0) ? 0 : regret;
			if (!trunk)
				sums[at] += sum * sigma[c * lanes];
		}
		if (!trunk)
			match(regrets + entry + (u64)d.column * used, used, strategy + entry + (u64)d.column * width, width, d.actions);
	}
}
