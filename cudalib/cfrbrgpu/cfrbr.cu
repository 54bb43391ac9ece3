// PTXFLAGS: -mllvm -inline-threshold=100000
// CFR-BR in poker for two, with any buckets: see package cfrbr, the CPU reference
// implementation, which does the same operations in the same order.
//
// A lane is a betting sequence that leads to a round. Those of a part of a round have the same
// decisions and ends, and differ in pots and strategies. Arrays are by hand and lane of the round,
// or by row (a bucket, or a hand), column (an action of a player) and lane of the part, so that the
// accesses of a warp are neighbours and it takes no branches. A unit is a board of all rounds but the
// last; the boards of the last round that follow are its rivers. Before the last round there is one
// board.
#include "parts.cuh"

using namespace poker;

// cfrbr_match computes the strategies of rows from regrets. Row i has those of row sets[i], or of
// row i if sets is null. Lanes from `used` on have none.
__global__ void cfrbr_match(const Decision *decisions, const float *regrets, float *strategy, const u32 *sets,
		u32 num_decisions, u32 rows, u32 columns, u32 used, u32 width) {
	const u64 n = (u64)rows * used;
	for (u64 i = thread_in_grid(); i < n; i += threads_in_grid()) {
		const u32 row = i / used, lane = i % used;
		const float *from = regrets + (u64)(sets ? sets[row] : row) * columns * used + lane;
		float *to = strategy + (u64)row * columns * width + lane;
		for (u32 d = 0; d < num_decisions; d++) {
			const u32 column = decisions[d].column, actions = decisions[d].actions;
			float regret[most_actions];
			load_actions(regret, from + column * used, used, actions);
			match(regret, to + column * width, width, actions);
		}
	}
}

// cfrbr_reach computes a player's reach at the start of a round, by hand and lane, from that of
// the round before. The rows of its strategy are hands if `apart`, and buckets otherwise.
__global__ void cfrbr_reach(const u32 *from, const Deal *deals, const u64 *order, const float *strategy,
		const float *before, float *reach, u32 hands, u32 width, u32 next_width, u32 apart) {
	descend(from, deals, strategy, before, reach, hands, width, next_width,
		[&](u32 hand) { return apart ? hand : bucket_of(order[hand]); });
}

// Pure is an opponent with an action for each hand, by place in the order.
struct Pure {
	const float *reach;   // in the thread's lane, by hand
	const u32 *choices;   // in the thread's lane, by place
	u32 reach_stride, bits[kinds], wanted[kinds];

	INLINE Pure(const Pass &p, const float *reach, const u32 *choices, u32 width) : reach(reach), choices(choices),
			reach_stride(4 * width) {
#pragma unroll
		for (u32 i = 0; i < kinds; i++)
			bits[i] = p.bits[i], wanted[i] = p.choices[i];
	}

	struct Loads {
		float before;
		u32 choice;
	};

	INLINE Loads load(u64 entry) const {
		return {*advance(reach, hand_of(entry), reach_stride), *advance(choices, place_of(entry), 4 * lanes)};
	}

	INLINE void reached(const Loads &s, bool counts, float (&x)[kinds]) const {
		const float before = counts ? s.before : 0;
#pragma unroll
		for (u32 i = 0; i < kinds; i++)
			x[i] = (s.choice & bits[i]) == wanted[i] ? before : 0;
	}
};

// ENDS are the parameters of the kernels that value ends, beside those of the opponent.
#define ENDS \
	const Part *parts, const Pass *passes, const float *pays, const u64 *order, const u64 *down, float *values, \
		u32 boards, u32 hands, u32 deck, u32 two_cards
#define THE_ENDS passes[t.number], pays, order, down, values, boards, hands, deck, two_cards

template <class Opponent>
INLINE void value_pass(const Task &t, const Opponent &opponent, Sums *by, const Pass &p, const float *pays,
		const u64 *order, const u64 *down, float *values, u32 boards, u32 hands, u32 deck, u32 two_cards) {
	const auto values_of = [&](u32 number) { return t.values_of(number, values, pays, boards, hands); };
	const u64 first = (u64)t.board * hands;
	Ends<Opponent> ends = {opponent, order + first, down + first, by + thread_in_block(), hands, deck,
		two_cards ? 1.f : 0.f, values_of(p.folds[fold]), values_of(p.folds[raise]), values_of(p.showdowns[raise]),
		values_of(p.showdowns[call]), {}};
	ends.run();
}

// cfrbr_ends values the ends of all parts of the last round for a player, whose opponent has a strategy
// by bucket: by part, tile of lanes, board, end, place in the order and lane of the tile. A block has a
// pass on a board in a tile.
__global__ LAUNCH_BOUNDS(32, 8) void cfrbr_ends(ENDS, const float *reach, const float *table) {
	DYNAMIC_SHARED(Sums, by);
	const Task t(parts, boards);
	with_length(passes[t.number], [&]<u32 LENGTH>() {
		const Mixed<LENGTH> opponent(passes[t.number], reach + t.part.reach + t.lane, t.part.round_width,
			table + t.part.strategy + t.lane, t.part.columns, t.part.width);
		value_pass(t, opponent, by, THE_ENDS);
	});
}

// choices_of returns where the choices on a board start, in an array by tile of the round, board, place
// and lane.
INLINE u64 choices_of(const Task &t, u32 boards, u32 hands) {
	return ((t.part.reach / lanes + t.tile) * boards + t.board) * hands * lanes + thread_in_block();
}

// cfrbr_pure_ends does so where the opponent has an action for each hand: the choices of
// cfrbr_respond.
__global__ LAUNCH_BOUNDS(32, 8) void cfrbr_pure_ends(ENDS, const float *reach, const u32 *choices) {
	DYNAMIC_SHARED(Sums, by);
	const Task t(parts, boards);
	const Pure opponent(passes[t.number], reach + t.part.reach + t.lane, choices + choices_of(t, boards, hands),
		t.part.round_width);
	value_pass(t, opponent, by, THE_ENDS);
}

// cfrbr_folds values the ends of all parts of a round before the last for a player, which are folds. The
// rows of the opponent's table are hands if `apart`, and buckets otherwise. A block has an end in a tile
// of lanes, and scratch memory for its reach. Its warps divide the hands, and the cards, which have the
// places of their hands from their start to the next one's.
__global__ LAUNCH_BOUNDS(512, 2) void cfrbr_folds(const Part *parts, const End *ends, const float *pays,
		const u64 *order, const u32 *cards, const u32 *starts, const u32 *places, const float *reach,
		const float *table, float *values, float *scratch, u32 num_cards, u32 hands, u32 deck, u32 two_cards,
		u32 apart) {
	DYNAMIC_SHARED(float, memory);
	const Task t(parts, 1);
	const End &e = ends[t.number];
	const u32 warp = thread_in_block() / lanes, warps = threads_in_block() / lanes, lane = thread_in_block() % lanes,
		columns = t.part.columns, width = t.part.width, round_width = t.part.round_width;
	reach += t.part.reach + t.lane, table += t.part.strategy + t.lane;
	float *const by = memory + lane, *const x = scratch + (u64)block_in_grid() * hands * lanes + lane;
	for (u32 k = warp; k < hands; k += at_once * warps) {
		float now[at_once];
		const float *row[at_once];
#pragma unroll
		for (u32 h = 0; h < at_once; h++) {
			const u32 place = k + h * warps < hands ? k + h * warps : k;
			row[h] = table + (u64)(apart ? place : bucket_of(order[place])) * columns * width;
			now[h] = reach[(u64)hand_of(order[place]) * round_width];
		}
		for (u32 i = 0; i < e.length; i++)
#pragma unroll
			for (u32 h = 0; h < at_once; h++)
				now[h] *= row[h][e.path[i] * width];
#pragma unroll
		for (u32 h = 0; h < at_once; h++)
			if (k + h * warps < hands)
				x[(k + h * warps) * lanes] = now[h];
	}
	sync_block();
	float &all = by[(deck + 1) * lanes];
	for (u32 i = warp; i <= num_cards; i += warps) {
		float sum = 0;
		if (i < num_cards) {
#pragma unroll 8
			for (u32 k = starts[i]; k < starts[i + 1]; k++)
				sum += x[places[k] * lanes];
			by[cards[i] * lanes] = sum;
		} else {
#pragma unroll 16
			for (u32 k = 0; k < hands; k++)
				sum += x[k * lanes];
			all = sum;
			if (!two_cards)
				by[deck * lanes] = 0;
		}
	}
	sync_block();
	const Values folded = t.values_of(e.fold, values, pays, 1, hands);
	const float second = two_cards ? 1 : 0;
#pragma unroll 4
	for (u32 k = warp; k < hands; k += warps) {
		const u64 entry = order[k];
		folded.of[k * lanes] =
			(all - by[first_card(entry) * lanes] - by[second_card(entry) * lanes] + x[k * lanes] * second) * folded.pay;
	}
}

// Segment is the state of a warp that values a part's segments for some hands, hits_at_once of them at a time: the
// values by number and the program, in shared memory.
struct Segment {
	Hits *block, *value; // those of the block's first warp, and of this one, in the thread's lane
	u32 *program, *chosen;
	u32 num_ends, num_deals, columns, size;

	// The memory has the values of a block's warps, and then its program.
	INLINE Segment(Hits *memory, const u32 *sources, const Decision *decisions, u32 columns, u32 num_decisions,
			u32 num_ends, u32 num_deals) : num_ends(num_ends), num_deals(num_deals), columns(columns),
			size((num_ends + num_deals + num_decisions) * lanes) {
		const u32 words = (columns + 1) * source_words;
		block = memory + thread_in_block() % lanes, value = block + thread_in_block() / lanes * size;
		program = (u32 *)(memory + threads_in_block() / lanes * size), chosen = program + words;
		for (u32 i = thread_in_block(); i < words; i += threads_in_block())
			program[i] = sources[i];
		for (u32 i = thread_in_block(); i < num_decisions; i += threads_in_block())
			chosen[i] = packed(decisions[i]);
	}

	// load reads the values at ends, which are a size apart, and those of deals from the next round.
	INLINE void load(const float *const (&ends)[hits_at_once], const float *const (&after)[hits_at_once], u64 size,
			const u32 *next_lane, u32 width) {
#pragma unroll 8
		for (u32 i = 0; i < num_ends; i++) {
			Hits x;
#pragma unroll
			for (u32 h = 0; h < hits_at_once; h++)
				x.of[h] = ends[h][i * size];
			value[i * lanes] = x;
		}
		for (u32 i = 0; i < num_deals; i++) {
			const u32 to = next_lane[i * width];
			Hits x;
#pragma unroll
			for (u32 h = 0; h < hits_at_once; h++)
				x.of[h] = to == none ? 0 : after[h][to];
			value[(num_ends + i) * lanes] = x;
		}
	}

	// prefetch_ends has the values at ends of a hand brought closer.
	INLINE void prefetch_ends(const float *ends, u64 size) const {
		for (u32 i = 0; i < num_ends; i++)
			prefetch_l2(ends + i * size);
	}

	template <u32 MOST> INLINE Hits root() const { return sum_of<MOST>(program + columns * source_words, value); }
	INLINE Hits &decided(u32 decision) { return value[(num_ends + num_deals + decision) * lanes]; }

	// gained returns where a warp keeps what its hands gain in a column, the one after the last for their reach: in
	// place of the first value of the column's sum, or the root's, which is part of no other sum.
	INLINE Hits &gained(u32 warp, u32 column) {
		return block[warp * size + first_source(program + column * source_words) * lanes];
	}
};

// choice_bits returns how many bits a choice of some actions takes.
INLINE u32 choice_bits(u32 actions) { return highest_bit(2 * actions - 1); }

// cfrbr_respond chooses the best actions of a player in a part, and computes the values at its
// start. A warp has some hands in a tile of lanes after others. Actions are written as choices, with
// the bits of one decision after those of another: by tile, place in the orders of all boards, and lane
// of the tile. Where there is no array for them, they are written as probabilities to a table by hand,
// column and lane.
__global__ LAUNCH_BOUNDS(128, 4) void cfrbr_respond(const u32 *sources, const Decision *decisions,
		const u32 *next_lane, const float *values, const float *after, u32 *choices, float *table, float *roots,
		u32 boards, u32 hands, u32 columns, u32 num_decisions, u32 num_values, u32 num_deals,
		u32 width, u32 round_width, u32 next_width) {
	DYNAMIC_SHARED(Hits, memory);
	const u32 lane = thread_in_block() % lanes, tiles = width / lanes;
	const u32 size = boards * hands, groups = (size + hits_at_once - 1) / hits_at_once;
	const u64 warps = threads_in_grid() / lanes, slot = (u64)hands * lanes, tasks = (u64)groups * tiles;
	Segment s(memory, sources, decisions, columns, num_decisions, num_values, num_deals);
	sync_block();
	const auto ends_of = [&](u32 tile, u32 hand) {
		const u32 board = hand / hands;
		return values + (((u64)tile * boards + board) * num_values * hands + hand % hands) * lanes + lane;
	};
	for (u64 task = thread_in_grid() / lanes; task < tasks; task += warps) {
		const u32 tile = task / groups, first = task % groups * hits_at_once,
			n = size - first < hits_at_once ? size - first : hits_at_once;
		const u32 column = tile * lanes + lane;
		const float *ends[hits_at_once], *of_next[hits_at_once];
#pragma unroll
		for (u32 h = 0; h < hits_at_once; h++) {
			const u32 hand = h < n ? first + h : first;
			ends[h] = ends_of(tile, hand);
			of_next[h] = after + (u64)hand * next_width;
		}
		s.load(ends, of_next, slot, next_lane + column, width);
		if (task + warps < tasks) {
			const u32 ahead = (task + warps) / groups, hand = (task + warps) % groups * hits_at_once;
			for (u32 h = 0; h < hits_at_once && hand + h < size; h++)
				s.prefetch_ends(ends_of(ahead, hand + h), slot);
		}
		u32 chosen[hits_at_once] = {}, bit = 0;
		for (u32 i = 0; i < num_decisions; i++) {
			const u32 from = s.chosen[i] & 0xff, actions = s.chosen[i] >> 8;
			Hits best = sum_of<most_actions>(s.program + from * source_words, s.value);
			u32 action[hits_at_once] = {};
			for (u32 a = 1; a < actions; a++) {
				const Hits v = sum_of<most_actions>(s.program + (from + a) * source_words, s.value);
#pragma unroll
				for (u32 h = 0; h < hits_at_once; h++) {
					action[h] = v.of[h] > best.of[h] ? a : action[h];
					best.of[h] = v.of[h] > best.of[h] ? v.of[h] : best.of[h];
				}
			}
			s.decided(i) = best;
#pragma unroll
			for (u32 h = 0; h < hits_at_once; h++) {
				if (choices)
					chosen[h] |= action[h] << bit;
				for (u32 a = 0; !choices && h < n && a < actions; a++)
					table[((u64)(first + h) * columns + from + a) * width + column] = a == action[h] ? 1 : 0;
			}
			bit += choice_bits(actions);
		}
		const Hits root = s.root<most_actions>();
#pragma unroll
		for (u32 h = 0; h < hits_at_once; h++)
			if (h < n) {
				roots[(u64)(first + h) * round_width + column] = root.of[h];
				if (choices)
					choices[((u64)tile * size + first + h) * lanes + lane] = chosen[h];
			}
	}
}

// cfrbr_mean computes the mean values of the last round of their values on its boards, by hand of
// the unit and lane. Places has the place of each hand in the order of each board, or none.
__global__ void cfrbr_mean(const float *roots, const u32 *places, float *mean, u32 boards, u32 hands,
		u32 unit_hands, u32 width, float scale) {
	const u64 n = (u64)unit_hands * width;
	for (u64 i = thread_in_grid(); i < n; i += threads_in_grid()) {
		const u32 hand = i / width, lane = i % width;
		float sum = 0;
#pragma unroll 8
		for (u32 board = 0; board < boards; board++) {
			const u32 place = places[board * unit_hands + hand];
			sum += place != none ? roots[((u64)board * hands + place) * width + lane] : 0;
		}
		mean[i] = sum * scale;
	}
}

#define LEARN_PARAMETERS \
	const u32 *sources, const Decision *decisions, const u32 *rows, const u32 *starts, const u32 *hits, \
		const u32 *next_lane, const u64 *order, const float *own_reach, const float *values, const float *after, \
		float *regrets, float *sums, float *strategy, float *roots, u32 boards, u32 hands, u32 columns, \
		u32 num_decisions, u32 num_values, u32 num_deals, u32 used, u32 width, u32 round_width, u32 next_width, \
		float regret_weight, float sum_weight
#define LEARN_ARGUMENTS \
	sources, decisions, rows, starts, hits, next_lane, order, own_reach, values, after, regrets, sums, strategy, \
		roots, boards, hands, columns, num_decisions, num_values, num_deals, used, width, round_width, next_width, \
		regret_weight, sum_weight

// learn trains a player in a part, and computes its values there. A block has an information set that
// comes in the unit, a row of the regrets, in a tile of lanes. Its hands are hits from its start to the next one's,
// each a board and, in the lower bits, a place in its order. Its warps take some of them each at a time, and then add
// up what these gain, each in some columns: always in the order of the hands, however many warps there are. In the
// trunk, where sums is null, regrets have `used` lanes and are not below zero, and rows of the strategy are hands;
// otherwise they are those of the regrets. No decision has more than MOST actions: with fewer, a thread needs fewer
// registers.
template <u32 MOST> INLINE void learn(LEARN_PARAMETERS) {
	DYNAMIC_SHARED(Hits, memory);
	const u32 lane = thread_in_block() % lanes, warp = thread_in_block() / lanes, warps = threads_in_block() / lanes,
		tiles = width / lanes, row = block_in_grid() / tiles, tile = block_in_grid() % tiles;
	const u32 column = tile * lanes + lane, start = starts[row], end = starts[row + 1], step = warps * hits_at_once;
	const bool trunk = !sums;
	const u64 slot = (u64)hands * lanes, entry = (u64)rows[row] * columns * used + column;
	// ends_of returns where the values of a hit are, and which of the hands of all boards it is.
	const auto ends_of = [&](u32 k, u64 &hand) {
		const u32 hit = hits[k], board = hit >> hand_bits, place = hit & ((1u << hand_bits) - 1);
		hand = (u64)board * hands + place;
		return values + (((u64)tile * boards + board) * num_values * hands + place) * lanes + lane;
	};
	Segment s(memory, sources, decisions, columns, num_decisions, num_values, num_deals);
	const auto prefetch_from = [&](u32 first) {
		u64 hand;
		for (u32 k = first; k < end && k < first + hits_at_once; k++)
			s.prefetch_ends(ends_of(k, hand), slot);
	};
	prefetch_from(start + warp * hits_at_once);
	float *const sigma = (float *)(s.chosen + num_decisions) + lane, *const gain = sigma + columns * lanes;
	float *const played = strategy + (u64)(trunk ? hits[start] : rows[row]) * columns * width + column;
	for (u32 c = warp; c < columns && !trunk; c += warps) { // for the end
		prefetch_l2(regrets + entry + c * width);
		prefetch_l2(sums + entry + c * width);
	}
#pragma unroll 8
	for (u32 c = warp; c < columns; c += warps)
		sigma[c * lanes] = played[(u64)c * width];
	for (u32 c = warp; c <= columns; c += warps) // the last one has the reach
		gain[c * lanes] = 0;
	sync_block();
	for (u32 first = start; first < end; first += step) {
		const u32 k = first + warp * hits_at_once;
		if (k < end) {
			u64 hand[hits_at_once];
			const float *ends[hits_at_once], *of_next[hits_at_once];
			bool counts[hits_at_once];
#pragma unroll
			for (u32 h = 0; h < hits_at_once; h++) {
				counts[h] = k + h < end;
				ends[h] = ends_of(counts[h] ? k + h : k, hand[h]);
				of_next[h] = after + hand[h] * next_width;
			}
			s.load(ends, of_next, slot, next_lane + column, width);
			prefetch_from(k + step);
			for (u32 i = 0; i < num_decisions; i++)
				s.decided(i) = decide<MOST>(s.chosen[i] & 0xff, s.chosen[i] >> 8, s.program, s.value, sigma,
					[&](u32 c, Hits x) {
#pragma unroll
						for (u32 h = 0; h < hits_at_once; h++)
							x.of[h] = counts[h] ? x.of[h] : 0;
						s.gained(warp, c) = x;
					});
			const Hits root = s.root<MOST>();
			Hits reach = {};
#pragma unroll
			for (u32 h = 0; h < hits_at_once; h++)
				if (counts[h]) {
					roots[hand[h] * round_width + column] = root.of[h];
					if (!trunk)
						reach.of[h] = own_reach[(u64)hand_of(order[hand[h]]) * round_width + column];
				}
			s.gained(warp, columns) = reach;
		}
		sync_block();
		const u32 left = (end - first + hits_at_once - 1) / hits_at_once, came = left < warps ? left : warps;
		for (u32 c = warp; c <= columns; c += warps) {
			float sum = gain[c * lanes];
			for (u32 w = 0; w < came; w++) {
				const Hits x = s.gained(w, c);
#pragma unroll
				for (u32 h = 0; h < hits_at_once; h++)
					sum += x.of[h];
			}
			gain[c * lanes] = sum;
		}
		sync_block();
	}
	if (column >= used)
		return;
	for (u32 i = warp; i < num_decisions; i += warps) {
		const Decision &d = decisions[i];
		float sum = gain[columns * lanes] * sum_weight;
		for (u32 k = 0; k < d.length; k++)
			sum *= sigma[d.path[k] * lanes];
		const u64 at = entry + (u64)d.column * used;
		float regret[MOST], before[MOST];
		load_actions(regret, regrets + at, used, d.actions);
		if (!trunk)
			load_actions(before, sums + at, used, d.actions);
#pragma unroll
		for (u32 a = 0; a < MOST; a++)
			if (a < d.actions) {
				const float r = regret[a] + gain[(d.column + a) * lanes] * regret_weight;
				regret[a] = trunk && !(r > 0) ? 0 : r;
				regrets[at + a * used] = regret[a];
				if (!trunk)
					sums[at + a * used] = before[a] + sum * sigma[(d.column + a) * lanes];
			}
		if (!trunk)
			match(regret, strategy + at, width, d.actions); // of the same lanes
	}
}

__global__ LAUNCH_BOUNDS(256, 2) void cfrbr_learn_few(LEARN_PARAMETERS) { learn<few_actions>(LEARN_ARGUMENTS); }
__global__ LAUNCH_BOUNDS(256, 2) void cfrbr_learn_some(LEARN_PARAMETERS) { learn<some_actions>(LEARN_ARGUMENTS); }
__global__ LAUNCH_BOUNDS(256, 2) void cfrbr_learn_most(LEARN_PARAMETERS) { learn<most_actions>(LEARN_ARGUMENTS); }
