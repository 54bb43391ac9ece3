// PTXFLAGS: -mllvm -inline-threshold=100000
// Counterfactual regret minimisation in limit poker, board by board: see package boardwise,
// the CPU reference, which does the same operations in the same order.
//
// A block has a board and a tile of 32 lanes, which are betting sequences: its warps share
// vectors over the hands of the board, in slots of shared memory. In each pass of a program
// all warps compute the opponent's reach at some ends, a bucket each at a time; a warp has
// one end at a time and turns its reach into values; and all warps join the values at the
// pass's decision and update it.
#include "cuda.cuh"

#define INLINE __device__ inline __attribute__((always_inline))

constexpr u32 lanes = 32;
constexpr u32 rows_at_once = 4; // buckets that a thread computes together
constexpr u32 row_bits = 11, card_bits = 6;
constexpr u32 higher = 1u << 31;

constexpr u32 max_actions = 3, max_action_slots = 2, max_sources = 4, max_path = 4, max_steps = 4, max_ends = 6;
constexpr u32 none = ~0u;
constexpr u32 deal = 1u << 16; // of a source

struct Choice {
	u32 column, actions, action;
};
struct Step {
	Choice choice;
	u32 fresh, slots[max_actions][max_action_slots];
};
struct End {
	u32 slot, pay, showdown;
};
struct Pass {
	u32 num_steps, num_ends, num_path, result;
	Choice own;
	Step steps[max_steps];
	End ends[max_ends];
	Choice path[max_path];
	u32 num_sources[max_actions], sources[max_actions][max_sources];
};

// Board is where the buckets and the hands of a board start, and how many there are.
struct Board {
	u32 row, rows, hand, hands;
};

// Entries of 16 bits are floats without a sign, see pack in entry.go.
constexpr u32 dropped_bits = 13;
constexpr int packed_base = (127 - 36) << 10;

INLINE float unpack(float entry) { return entry; }
INLINE float unpack(u16 entry) {
	const u32 packed = entry, bits = (packed + packed_base) << dropped_bits;
	float x;
	__builtin_memcpy(&x, &bits, sizeof x);
	return packed ? x : 0;
}
INLINE void store(float *at, float x, u32) { *at = x; }
INLINE void store(u16 *at, float x, u32 random) {
	u32 bits;
	__builtin_memcpy(&bits, &x, sizeof x);
	int kept = (int)((bits + random) >> dropped_bits) - packed_base;
	kept = kept < 0 ? 0 : kept;
	*at = kept > 0xffff ? 0xffff : kept;
}

INLINE u32 new_noise(u32 place, u32 salt, u32 pass) {
	u32 x = place * 0x9E3779B1u + salt + pass * 0x85EBCA77u;
	x ^= x >> 16;
	x *= 0x21F0AAADu;
	x ^= x >> 15;
	x *= 0xD35A2D97u;
	return x ^ x >> 15;
}
INLINE u32 next_noise(u32 &state) {
	state = state * 1664525u + 1013904223u;
	return state >> (32 - dropped_bits);
}

// Row is the entries of the actions at a decision, 0 where there are fewer. It is loaded
// some time before it is used: loads that wait for each other would take most of the time.
template <class Entry> struct Row {
	Entry entry[max_actions];

	INLINE Row() = default;
	INLINE Row(const Entry *from, u32 actions) {
#pragma unroll
		for (u32 a = 0; a < max_actions; a++)
			entry[a] = a < actions ? from[a * lanes] : 0;
	}
};

// Strategy has the probabilities at a decision.
struct Strategy {
	float p[max_actions];

	template <class Entry> INLINE explicit Strategy(const Row<Entry> &row, u32 actions) {
		float total = 0;
#pragma unroll
		for (u32 a = 0; a < max_actions; a++) {
			const float x = unpack(row.entry[a]);
			p[a] = x > 0 ? x : 0;
		}
#pragma unroll
		for (u32 a = 0; a < max_actions; a++)
			total += p[a];
		const bool some = total >= 0x1p-126f;
		const float inverse = 1 / opaque(some ? total : 1);
		const float scale = some ? inverse : 0, base = some ? 0 : actions == 3 ? 1.f / 3 : actions == 2 ? 1.f / 2 : 1;
#pragma unroll
		for (u32 a = 0; a < max_actions; a++)
			p[a] = p[a] * scale + base;
	}
	INLINE float of(u32 action) const { return action == 0 ? p[0] : action == 1 ? p[1] : p[2]; }
};

// Tile is the entries of a player on a board, in the lane of the thread.
template <class Entry> struct Tile {
	Entry *at;
	u32 rows;

	INLINE Tile(Entry *entries, const Board &b, u32 tile, u32 width, u32 columns, u32 lane)
		: at(entries + ((u64)b.row * width + (u64)tile * lanes * b.rows) * columns + lane), rows(b.rows) {}
	INLINE Entry *of(u32 row, const Choice &c) const { return at + (c.column * rows + row * c.actions) * lanes; }
	INLINE Row<Entry> load(u32 row, const Choice &c) const { return Row<Entry>(of(row, c), c.actions); }
	// fetch brings the entries of a decision nearer. Thread is one of some threads.
	INLINE void fetch(const Choice &c, u32 lane, u32 thread, u32 threads) const {
		const char *from = (const char *)(of(0, c) - lane);
		for (u32 i = thread * 128; i < rows * c.actions * lanes * sizeof(Entry); i += threads * 128)
			prefetch_l2(from + i);
	}
};

// descend computes a player's reach at the start of the next round. A thread has a bucket
// and a lane of that round, whose deal and lane before from has.
template <class Entry>
INLINE void descend(const Board *boards, const u32 *board_of, const u32 *up, const u32 *from, const Choice *paths, const u32 *path_lengths,
					Entry *entries, const float *reach, float *next_reach, u64 rows, u32 width, u32 next_width, u32 columns) {
	for (u64 i = thread_in_grid(); i < rows * next_width; i += threads_in_grid()) {
		const u32 row = i / next_width, source = from[i % next_width];
		if (source == none) {
			next_reach[i] = 0;
			continue;
		}
		const u32 lane = source & 0xffff, way = source >> 16;
		const Board b = boards[board_of[row]];
		const Tile<Entry> tile(entries, b, lane / lanes, width, columns, lane % lanes);
		float x = reach[(u64)up[row] * width + lane];
		for (u32 k = 0; k < path_lengths[way]; k++) {
			const Choice c = paths[way * max_path + k];
			x *= Strategy(tile.load(row - b.row, c), c.actions).of(c.action);
		}
		next_reach[i] = x;
	}
}

__global__ void boardwise_descend16(const Board *boards, const u32 *board_of, const u32 *up, const u32 *from, const Choice *paths,
									const u32 *path_lengths, u16 *entries, const float *reach, float *next_reach, u64 rows, u32 width,
									u32 next_width, u32 columns) {
	descend(boards, board_of, up, from, paths, path_lengths, entries, reach, next_reach, rows, width, next_width, columns);
}
__global__ void boardwise_descend32(const Board *boards, const u32 *board_of, const u32 *up, const u32 *from, const Choice *paths,
									const u32 *path_lengths, float *entries, const float *reach, float *next_reach, u64 rows, u32 width,
									u32 next_width, u32 columns) {
	descend(boards, board_of, up, from, paths, path_lengths, entries, reach, next_reach, rows, width, next_width, columns);
}

// boardwise_mean computes the means of a round's values by bucket of the round before and lane.
__global__ void boardwise_mean(const u32 *follow, const u32 *refined, const float *weight, const float *values, float *means, u64 rows, u32 width) {
	for (u64 i = thread_in_grid(); i < rows * width; i += threads_in_grid()) {
		const u32 row = i / width, lane = i % width;
		double sum = 0;
		for (u32 k = follow[row]; k < follow[row + 1]; k++)
			sum += (double)weight[refined[k]] * (double)values[(u64)refined[k] * width + lane];
		means[i] = sum;
	}
}

enum Purpose : u32 { train, respond, average };

// Sums are sums of reach by card, columns of shared memory that one thread uses, and over
// all cards.
struct Sums {
	float *by, all;
	bool two_cards;

	INLINE float &first(u32 hand) const { return by[(hand >> row_bits & ((1u << card_bits) - 1)) * lanes]; }
	INLINE float &second(u32 hand) const { return by[(hand >> (row_bits + card_bits) & ((1u << card_bits) - 1)) * lanes]; }
	INLINE void clear(u32 cards) {
		all = 0;
		for (u32 c = 0; c < cards; c++)
			by[c * lanes] = 0;
	}
	INLINE void add(u32 hand, float x) {
		all += x;
		const float before = first(hand), other = second(hand);
		first(hand) = before + x;
		if (two_cards)
			second(hand) = other + x;
	}
	INLINE float without(u32 hand) const {
		const float rest = all - first(hand);
		return two_cards ? rest - second(hand) : rest;
	}
};

// chunks calls f for four items of a range at a time, and then for one.
template <class F> INLINE void chunks(u32 from, u32 to, F f) {
	for (; from + 4 <= to; from += 4)
		f.template operator()<4>(from);
	for (; from < to; from++)
		f.template operator()<1>(from);
}

// row_of returns the bucket of a hand on its board.
INLINE u32 row_of(u32 hand) { return hand & ((1u << row_bits) - 1); }

// add_hands adds the reach of the hands from one on up to another.
INLINE void add_hands(Sums &sums, const float *slot, const u32 *hands, u32 from, u32 to) {
	chunks(from, to, [&]<u32 N>(u32 k) {
		float x[N];
		u32 hand[N];
#pragma unroll
		for (u32 i = 0; i < N; i++) {
			hand[i] = hands[k + i];
			x[i] = slot[row_of(hand[i]) * lanes];
		}
#pragma unroll
		for (u32 i = 0; i < N; i++)
			sums.add(hand[i], x[i]);
	});
}

// set_rows sets the values of the buckets from one on up to another: f returns that of a
// bucket from what is there.
template <class F> INLINE void set_rows(float *slot, const u32 *row_hands, u32 from, u32 to, F f) {
	chunks(from, to, [&]<u32 N>(u32 row) {
		float x[N];
#pragma unroll
		for (u32 i = 0; i < N; i++)
			x[i] = f(row_hands[row + i], slot[(row + i) * lanes]);
#pragma unroll
		for (u32 i = 0; i < N; i++)
			slot[(row + i) * lanes] = x[i];
	});
}

// value_fold replaces the reach in a slot by the values of a fold.
INLINE void value_fold(float *slot, Sums all, const u32 *hands, u32 num_hands, const u32 *row_hands, u32 rows, u32 cards, float pay) {
	all.clear(cards);
	add_hands(all, slot, hands, 0, num_hands);
	set_rows(slot, row_hands, 0, rows, [&](u32 hand, float reach) {
		const float sum = all.without(hand);
		return (all.two_cards ? sum + reach : sum) * pay;
	});
}

// value_showdown replaces the reach in a slot by the values of a showdown.
INLINE void value_showdown(float *slot, Sums low, Sums high, const u32 *hands, u32 num_hands, const u32 *row_hands, u32 rows, u32 cards, float pay) {
	low.clear(cards);
	high.clear(cards);
	for (u32 from = 0; from < num_hands;) {
		u32 to = from + 1;
		while (to < num_hands && !(hands[to] & higher))
			to++;
		add_hands(high, slot, hands, from, to);
		set_rows(slot, row_hands, row_of(hands[from]), row_of(hands[to - 1]) + 1,
				 [&](u32 hand, float) { return low.without(hand) + high.without(hand); });
		chunks(from, to, [&]<u32 N>(u32 k) {
			float first[N], second[N];
#pragma unroll
			for (u32 i = 0; i < N; i++)
				first[i] = high.first(hands[k + i]), second[i] = high.second(hands[k + i]);
#pragma unroll
			for (u32 i = 0; i < N; i++)
				low.first(hands[k + i]) = first[i], low.second(hands[k + i]) = second[i];
		});
		low.all = high.all;
		from = to;
	}
	set_rows(slot, row_hands, 0, rows, [&](u32 hand, float sum) { return (sum - high.without(hand)) * pay; });
}

// rows calls f for rows_at_once buckets of a warp, which are distance apart, and then for one.
template <class F> INLINE void rows(u32 from, u32 to, u32 distance, F f) {
	for (; from + (rows_at_once - 1) * distance < to; from += rows_at_once * distance)
		f.template operator()<rows_at_once>(from);
	for (; from < to; from += distance)
		f.template operator()<1>(from);
}

// reach_ends puts the opponent's reach of N buckets at the ends of a pass into slots.
template <u32 N, class Entry, class F>
INLINE void reach_ends(const Pass &pass, const Tile<Entry> &theirs, float *slot, u32 slot_size, u32 from, u32 distance, F start_of) {
	Row<Entry> entries[N][max_steps];
	float start[N];
#pragma unroll
	for (u32 i = 0; i < N; i++) {
		start[i] = start_of(from + i * distance);
#pragma unroll
		for (u32 k = 0; k < max_steps; k++)
			if (k < pass.num_steps)
				entries[i][k] = theirs.load(from + i * distance, pass.steps[k].choice);
	}
#pragma unroll
	for (u32 i = 0; i < N; i++) {
		float *const at = slot + (from + i * distance) * lanes;
		float x = start[i];
#pragma unroll
		for (u32 k = 0; k < max_steps; k++) {
			if (k >= pass.num_steps)
				continue;
			const Step &step = pass.steps[k];
			if (step.fresh)
				x = start[i];
			const u32 actions = step.choice.actions;
			const Strategy strategy(entries[i][k], actions);
#pragma unroll
			for (u32 a = 0; a < max_actions; a++)
#pragma unroll
				for (u32 j = 0; j < max_action_slots; j++)
					if (step.slots[a][j] != none)
						at[step.slots[a][j] * slot_size] = actions ? x * strategy.p[a] : x;
			if (actions)
				x *= strategy.of(step.choice.action);
		}
	}
}

// The parameters of segments. Own and other are the entries that strategies come from.
#define SEGMENTS(Entry) \
	const Pass *program, const float *pays, const Board *boards, const u32 *hands, const u32 *row_hands, const u32 *up, const u32 *next, \
		const float *own_reach, const float *other_reach, const float *means, float *values, Entry *own, Entry *other, Entry *sums, \
		u32 num_passes, u32 width, u32 next_width, u32 own_columns, u32 other_columns, u32 slots, u32 most, u32 cards, u32 two_cards, \
		float positive, float negative, float floor, float sum_factor, u32 salt
#define THE_SEGMENTS \
	program, pays, boards, hands, row_hands, up, next, own_reach, other_reach, means, values, own, other, sums, num_passes, width, next_width, \
		own_columns, other_columns, slots, most, cards, two_cards, positive, negative, floor, sum_factor, salt

// segments values and updates the segments of a round: a block has a board and a tile.
template <Purpose PURPOSE, class Entry> INLINE void segments(SEGMENTS(Entry)) {
	DYNAMIC_SHARED(float, memory);
	const u32 lane = thread_in_block() % lanes, warp = thread_in_block() / lanes, warps = threads_in_block() / lanes;
	const u32 tiles = width / lanes, tile = block_in_grid() % tiles, column = tile * lanes + lane;
	const Board b = boards[block_in_grid() / tiles];
	const u32 slot_size = most * lanes;
	float *const slot = memory + lane;
	float *const by = slot + slots * slot_size;
	// The program, the hands, and a hand of each bucket.
	Pass *const passes = (Pass *)(memory + slots * slot_size + max_ends * 2 * cards * lanes);
	u32 *const hand = (u32 *)(passes + num_passes), *const row_hand = hand + b.hands;
	for (u32 i = thread_in_block(); i < num_passes * sizeof(Pass) / 4; i += threads_in_block())
		((u32 *)passes)[i] = ((const u32 *)program)[i];
	for (u32 i = thread_in_block(); i < b.hands; i += threads_in_block())
		hand[i] = hands[b.hand + i];
	for (u32 i = thread_in_block(); i < b.rows; i += threads_in_block())
		row_hand[i] = row_hands[b.row + i];
	sync_block();

	const Tile<Entry> mine(own, b, tile, width, own_columns, lane), theirs(other, b, tile, width, other_columns, lane);
	const Tile<Entry> summed(sums, b, tile, width, own_columns, lane);
	for (u32 number = 0; number < num_passes; number++) {
		const Pass &pass = passes[number];
		rows(warp, b.rows, warps, [&]<u32 N>(u32 from) {
			reach_ends<N>(pass, theirs, slot, slot_size, from, warps, [&](u32 row) { return other_reach[(u64)up[b.row + row] * width + column]; });
		});
		sync_block();
		for (u32 k = warp; k < pass.num_ends; k += warps) {
			const End e = pass.ends[k];
			const float pay = pays[(u64)e.pay * width + column];
			Sums low = {by + k * 2 * cards * lanes, 0, two_cards != 0}, high = {low.by + cards * lanes, 0, two_cards != 0};
			float *const at = slot + e.slot * slot_size;
			if (e.showdown)
				value_showdown(at, low, high, hand, b.hands, row_hand, b.rows, cards, pay);
			else
				value_fold(at, high, hand, b.hands, row_hand, b.rows, cards, pay);
		}
		if (warp >= pass.num_ends) { // warps without an end fetch what all need next
			const u32 thread = thread_in_block() - pass.num_ends * lanes, threads = threads_in_block() - pass.num_ends * lanes;
			if (PURPOSE != respond)
				mine.fetch(pass.own, lane, thread, threads);
			if (PURPOSE == train)
				summed.fetch(pass.own, lane, thread, threads);
			if (number + 1 < num_passes)
				for (u32 k = 0; k < passes[number + 1].num_steps; k++)
					theirs.fetch(passes[number + 1].steps[k].choice, lane, thread, threads);
		}
		sync_block();
		rows(warp, b.rows, warps, [&]<u32 N>(u32 from) {
			const u32 actions = pass.own.actions;
			Row<Entry> regret[N], sum[N], path[N][max_path];
			float reach[N];
#pragma unroll
			for (u32 i = 0; i < N; i++) {
				const u32 row = from + i * warps;
				if (PURPOSE != respond)
					regret[i] = mine.load(row, pass.own);
				if (PURPOSE == train && actions > 0) {
					reach[i] = own_reach[(u64)up[b.row + row] * width + column];
					sum[i] = summed.load(row, pass.own);
#pragma unroll
					for (u32 k = 0; k < max_path; k++)
						if (k < pass.num_path)
							path[i][k] = mine.load(row, pass.path[k]);
				}
			}
#pragma unroll
			for (u32 i = 0; i < N; i++) {
				const u32 row = from + i * warps;
				float *const at = slot + row * lanes;
				float value[max_actions];
#pragma unroll
				for (u32 a = 0; a < max_actions; a++) {
					value[a] = 0;
					for (u32 k = 0; k < pass.num_sources[a]; k++) {
						const u32 source = pass.sources[a][k];
						if (source & deal) {
							const u32 to = next[(source & ~deal) * width + column];
							value[a] += to == none ? 0 : means[(u64)(b.row + row) * next_width + to];
						} else
							value[a] += at[source * slot_size];
					}
				}
				if (actions == 0) {
					values[(u64)(b.row + row) * width + column] = value[0];
					continue;
				}
				if (PURPOSE == respond) {
					float best = value[0];
#pragma unroll
					for (u32 a = 1; a < max_actions; a++)
						best = a < actions && value[a] > best ? value[a] : best;
					at[pass.result * slot_size] = best;
					continue;
				}
				const Strategy strategy(regret[i], actions);
				float mean = 0;
#pragma unroll
				for (u32 a = 0; a < max_actions; a++)
					if (a < actions)
						mean += strategy.p[a] * value[a];
				at[pass.result * slot_size] = mean;
				if (PURPOSE == average)
					continue;
#pragma unroll
				for (u32 k = 0; k < max_path; k++)
					if (k < pass.num_path)
						reach[i] *= Strategy(path[i][k], pass.path[k].actions).of(pass.path[k].action);
				Entry *const to_regret = mine.of(row, pass.own), *const to_sum = summed.of(row, pass.own);
				u32 noise = new_noise((b.row + row) * width + column, salt, number);
#pragma unroll
				for (u32 a = 0; a < max_actions; a++) {
					if (a >= actions)
						continue;
					const float before = unpack(regret[i].entry[a]);
					const float now = before * (before > 0 ? positive : negative) + (value[a] - mean);
					store(to_regret + a * lanes, now > floor ? now : floor, next_noise(noise));
					store(to_sum + a * lanes, unpack(sum[i].entry[a]) * sum_factor + reach[i] * strategy.p[a], next_noise(noise));
				}
			}
		});
	}
}

__global__ LAUNCH_BOUNDS(256, 2) void boardwise_train16(SEGMENTS(u16)) { segments<train, u16>(THE_SEGMENTS); }
__global__ LAUNCH_BOUNDS(256, 2) void boardwise_train32(SEGMENTS(float)) { segments<train, float>(THE_SEGMENTS); }
__global__ LAUNCH_BOUNDS(256, 2) void boardwise_respond16(SEGMENTS(u16)) { segments<respond, u16>(THE_SEGMENTS); }
__global__ LAUNCH_BOUNDS(256, 2) void boardwise_respond32(SEGMENTS(float)) { segments<respond, float>(THE_SEGMENTS); }
__global__ LAUNCH_BOUNDS(256, 2) void boardwise_average16(SEGMENTS(u16)) { segments<average, u16>(THE_SEGMENTS); }
__global__ LAUNCH_BOUNDS(256, 2) void boardwise_average32(SEGMENTS(float)) { segments<average, float>(THE_SEGMENTS); }
