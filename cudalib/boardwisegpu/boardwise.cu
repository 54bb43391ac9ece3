// PTXFLAGS: -mllvm -inline-threshold=100000
// Counterfactual regret minimisation in limit poker, board by board: see package boardwise,
// the CPU reference, which does the same operations in the same order.
//
// A block has a board and a tile of 32 lanes, which are betting sequences: its warps share
// vectors over the hands of the board in shared memory. In each pass of a program they
// compute the opponent's reach at some ends, a bucket each at a time; then sums of it, by
// card in the order of the hands' ranks, a card each at a time; and then the value of a
// decision from the sums of worse and of better hands, and the update, a bucket each again.
#include "cuda.cuh"

#define INLINE __device__ inline __attribute__((always_inline))

constexpr u32 lanes = 32;

constexpr u32 max_actions = 3, max_sources = 4, max_path = 4, max_steps = 4, max_vectors = 4;
constexpr u32 none = ~0u;

struct Choice {
	u32 column, actions, action;
};
struct Step {
	Choice choice;
	u32 fresh, slots[max_actions];
};
// Vector is the opponent's reach in a slot, and where the sums of it are.
struct Vector {
	u32 slot, sums, showdown;
};
enum Kind : u32 { joined, deal, fold, showdown };
struct Source {
	u32 kind, index, pay; // of a slot, a deal or a vector
};
struct Pass {
	u32 num_steps, num_vectors, num_path, result;
	Choice own;
	Step steps[max_steps];
	Vector vectors[max_vectors];
	Choice path[max_path];
	u32 num_sources[max_actions];
	Source sources[max_actions][max_sources];
};

// Board is where the buckets and the hands of a board start, and how many there are.
struct Board {
	u32 row, rows, hand, hands;
};

// Position has the places, among the sums of a vector with showdowns, that a bucket reads: of
// the hands that are worse, and not better, of all hands and of those with each card.
struct CardPosition {
	u16 worse, not_better, all, number;
};
struct Position {
	u16 worse, not_better;
	CardPosition first, second;
};

// Entries of 16 bits are floats without a sign, see pack in entry.go.
constexpr u32 dropped_bits = 13;
constexpr int packed_base = (127 - 36) << 10;

INLINE float unpack(float entry) { return entry; }
INLINE float positive(float entry) { return entry > 0 ? entry : 0; }
INLINE float unpack(u16 entry) {
	const u32 packed = entry, bits = (packed + packed_base) << dropped_bits;
	float x;
	__builtin_memcpy(&x, &bits, sizeof x);
	return packed ? x : 0;
}
INLINE float positive(u16 entry) { return unpack(entry); }
INLINE void store(float *at, float x, u32) { *at = x; }
INLINE void store(u16 *at, float x, u32 random) {
	u32 bits;
	__builtin_memcpy(&bits, &x, sizeof x);
	int kept = (int)((bits + random) >> dropped_bits) - packed_base;
	kept = kept < 0 ? 0 : kept;
	*at = kept > 0xffff ? 0xffff : kept;
}

INLINE u32 new_noise(u32 place, u32 pass) {
	u32 x = place * 0x9E3779B1u + pass * 0x85EBCA77u;
	x ^= x >> 16;
	x *= 0x21F0AAADu;
	x ^= x >> 15;
	x *= 0xD35A2D97u;
	return x ^ x >> 15;
}
INLINE u32 next_noise(u32 &state, u32 salt) {
	state = state * 1664525u + 1013904223u;
	return (state + salt) >> (32 - dropped_bits);
}

// Row is the entries of the actions at a decision, 0 where there are fewer.
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
		for (u32 a = 0; a < max_actions; a++)
			p[a] = positive(row.entry[a]);
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
INLINE void descend(const Board *boards, const u32 *board_of, const u32 *up, const u32 *from, const Choice *paths,
		const u32 *path_lengths, Entry *entries, const float *reach, float *next_reach, u64 rows, u32 width,
		u32 next_width, u32 columns) {
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

__global__ void boardwise_descend16(const Board *boards, const u32 *board_of, const u32 *up, const u32 *from,
		const Choice *paths, const u32 *path_lengths, u16 *entries, const float *reach, float *next_reach, u64 rows,
		u32 width, u32 next_width, u32 columns) {
	descend(boards, board_of, up, from, paths, path_lengths, entries, reach, next_reach,
		rows, width, next_width, columns);
}
__global__ void boardwise_descend32(const Board *boards, const u32 *board_of, const u32 *up, const u32 *from,
		const Choice *paths, const u32 *path_lengths, float *entries, const float *reach, float *next_reach, u64 rows,
		u32 width, u32 next_width, u32 columns) {
	descend(boards, board_of, up, from, paths, path_lengths, entries, reach, next_reach,
		rows, width, next_width, columns);
}

// boardwise_mean computes the means of a round's values by bucket of the round before and lane.
__global__ void boardwise_mean(const u32 *follow, const u32 *refined, const float *weight, const float *values,
		float *means, u64 rows, u32 width) {
	for (u64 i = thread_in_grid(); i < rows * width; i += threads_in_grid()) {
		const u32 row = i / width, lane = i % width;
		double sum = 0;
		for (u32 k = follow[row]; k < follow[row + 1]; k++)
			sum += (double)weight[refined[k]] * (double)values[(u64)refined[k] * width + lane];
		means[i] = sum;
	}
}

enum Purpose : u32 { train, respond, average };

// Sums are the sums of a vector's reach, in one lane. Those of a vector with showdowns are of
// the hands with a card, and of all hands, up to each in the order of ranks; those of a vector
// with folds only are over all of them.
struct Sums {
	const float *at;
	u32 all;

	INLINE float of(u32 place) const { return at[place * lanes]; }

	// fold returns the reach of the hands that share no card with a bucket, whose own is x.
	INLINE float fold(const Position &p, float x, bool showdowns, bool two_cards) const {
		const float sum = of(all);
		if (!two_cards)
			return sum - x;
		return sum - of(showdowns ? p.first.all : p.first.number) - of(showdowns ? p.second.all : p.second.number) + x;
	}
	// showdown returns the reach of worse hands less that of better ones.
	INLINE float showdown(const Position &p, bool two_cards) const {
		float worse = of(p.worse), better = of(all) - of(p.not_better);
		if (two_cards) {
			worse = worse - of(p.first.worse) - of(p.second.worse);
			better = better - (of(p.first.all) - of(p.first.not_better)) - (of(p.second.all) - of(p.second.not_better));
		}
		return worse - better;
	}
};

// add_up adds the reach of hands in a slot. It stores the sums after each hand, and 0 before
// the first, or only the last one.
template <u32 N> INLINE float add_some(const float *slot, const u32 *hands, float *to, bool each, float sum) {
	float x[N];
#pragma unroll
	for (u32 i = 0; i < N; i++)
		x[i] = slot[hands[i] * lanes];
#pragma unroll
	for (u32 i = 0; i < N; i++) {
		sum += x[i];
		if (each)
			to[(i + 1) * lanes] = sum;
	}
	return sum;
}
INLINE void add_up(const float *slot, const u32 *hands, u32 n, float *to, bool each) {
	float sum = 0;
	u32 k = 0;
	if (each)
		to[0] = 0;
	for (; k + 8 <= n; k += 8)
		sum = add_some<8>(slot, hands + k, to + k * lanes, each, sum);
	for (; k + 2 <= n; k += 2)
		sum = add_some<2>(slot, hands + k, to + k * lanes, each, sum);
	if (k < n)
		sum = add_some<1>(slot, hands + k, to + k * lanes, each, sum);
	if (!each)
		to[0] = sum;
}

// The parameters of segments. Own and other are the entries that strategies come from.
#define SEGMENTS(Entry) \
	const Pass *program, const float *pays, const Board *boards, const u32 *hands, const u32 *lists, \
		const Position *positions, const u32 *up, \
		const u32 *next, const float *own_reach, const float *other_reach, const float *means, float *values, \
		Entry *own, Entry *other, Entry *sums, \
		u32 num_passes, u32 width, u32 next_width, u32 own_columns, u32 other_columns, u32 num_pays, u32 slots, \
		u32 num_sums, u32 most, u32 cards, \
		u32 list, float positive_factor, float negative_factor, float floor, float sum_factor, u32 salt
#define THE_SEGMENTS \
	program, pays, boards, hands, lists, positions, up, next, own_reach, other_reach, means, values, \
		own, other, sums, num_passes, width, \
		next_width, own_columns, other_columns, num_pays, slots, num_sums, most, cards, list, positive_factor, \
		negative_factor, floor, sum_factor, salt

// segments values and updates the segments of a round: a block has a board and a tile. A list
// has the hands with a card; games of one hole card need none.
template <Purpose PURPOSE, class Entry> INLINE void segments(SEGMENTS(Entry)) {
	DYNAMIC_SHARED(float, memory);
	const u32 thread = thread_in_block(), threads = threads_in_block();
	const u32 lane = thread % lanes, warp = thread / lanes, warps = threads / lanes;
	const u32 tiles = width / lanes, tile = block_in_grid() % tiles, column = tile * lanes + lane;
	const u32 board = block_in_grid() / tiles;
	const Board b = boards[board];
	const u32 slot_size = most * lanes;
	float *const slot = memory + lane;
	float *const summed_reach = slot + slots * slot_size, *const pay = summed_reach + num_sums * lanes;
	// The program, the positions of the buckets, and the hands, all and by card.
	Pass *const passes = (Pass *)(pay - lane + num_pays * lanes);
	Position *const position = (Position *)(passes + num_passes);
	u32 *const hand = (u32 *)(position + b.rows), *const by_card = hand + b.hands;
	for (u32 i = thread; i < num_passes * sizeof(Pass) / 4; i += threads)
		((u32 *)passes)[i] = ((const u32 *)program)[i];
	for (u32 i = thread; i < b.rows; i += threads)
		position[i] = positions[b.row + i];
	for (u32 i = thread; i < b.hands; i += threads)
		hand[i] = hands[b.hand + i];
	for (u32 i = thread; i < cards * list; i += threads)
		by_card[i] = lists[(u64)board * cards * list + i];
	for (u32 i = warp; i < num_pays; i += warps)
		pay[i * lanes] = pays[(u64)i * width + column];
	sync_block();

	const Tile<Entry> mine(own, b, tile, width, own_columns, lane), theirs(other, b, tile, width, other_columns, lane);
	const Tile<Entry> summed(sums, b, tile, width, own_columns, lane);
	for (u32 number = 0; number < num_passes; number++) {
		const Pass &pass = passes[number];
		const u32 actions = pass.own.actions;
		for (u32 row = warp; pass.num_steps > 0 && row < b.rows; row += warps) {
			float *const at = slot + row * lanes;
			const float start = other_reach[(u64)up[b.row + row] * width + column];
			float x = start;
			for (u32 k = 0; k < pass.num_steps; k++) {
				const Step &step = pass.steps[k];
				if (step.fresh)
					x = start;
				const u32 choices = step.choice.actions;
				if (choices == 0) {
					at[step.slots[0] * slot_size] = x;
					continue;
				}
				const Strategy strategy(theirs.load(row, step.choice), choices);
#pragma unroll
				for (u32 a = 0; a < max_actions; a++)
					if (step.slots[a] != none)
						at[step.slots[a] * slot_size] = x * strategy.p[a];
				x *= strategy.of(step.choice.action);
			}
		}
		if (PURPOSE != respond)
			mine.fetch(pass.own, lane, thread, threads);
		if (PURPOSE == train)
			summed.fetch(pass.own, lane, thread, threads);
		sync_block(); // of the slots and, after a pass without steps, of the sums
		const u32 each = list > 0 ? cards + 1 : 1; // sums of a vector
		for (u32 task = warp; task < pass.num_vectors * each; task += warps) {
			const Vector v = pass.vectors[task % pass.num_vectors];
			const u32 card = task / pass.num_vectors; // the longest sums come first
			float *const to = summed_reach + v.sums * lanes;
			const u32 stride = (v.showdown ? list + 1 : 1) * lanes; // of the sums of a card
			if (card == 0)
				add_up(slot + v.slot * slot_size, hand, b.hands, to + cards * stride, v.showdown);
			else
				add_up(slot + v.slot * slot_size, by_card + (card - 1) * list, list,
					to + (card - 1) * stride, v.showdown);
		}
		if (number + 1 < num_passes)
			for (u32 k = 0; k < passes[number + 1].num_steps; k++)
				theirs.fetch(passes[number + 1].steps[k].choice, lane, thread, threads);
		sync_block();
		for (u32 row = warp; row < b.rows; row += warps) {
			float *const at = slot + row * lanes;
			Row<Entry> regret, sum;
			float reach = 0;
			if (PURPOSE != respond)
				regret = mine.load(row, pass.own);
			if (PURPOSE == train && actions > 0) {
				sum = summed.load(row, pass.own);
				reach = own_reach[(u64)up[b.row + row] * width + column];
			}
			const Position p = position[row];
			float value[max_actions];
#pragma unroll
			for (u32 a = 0; a < max_actions; a++) {
				value[a] = 0;
				for (u32 k = 0; k < pass.num_sources[a]; k++) {
					const Source from = pass.sources[a][k];
					if (from.kind == joined)
						value[a] += at[from.index * slot_size];
					else if (from.kind == deal) {
						const u32 to = next[from.index * width + column];
						value[a] += to == none ? 0 : means[(u64)(b.row + row) * next_width + to];
					} else {
						const Vector v = pass.vectors[from.index];
						const Sums s = {summed_reach + v.sums * lanes,
							v.showdown ? cards * (list + 1) + b.hands : cards};
						const float reached = from.kind == fold
							? s.fold(p, at[v.slot * slot_size], v.showdown, list > 0) : s.showdown(p, list > 0);
						value[a] += reached * pay[from.pay * lanes];
					}
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
			const Strategy strategy(regret, actions);
			float mean = 0;
#pragma unroll
			for (u32 a = 0; a < max_actions; a++)
				if (a < actions)
					mean += strategy.p[a] * value[a];
			at[pass.result * slot_size] = mean;
			if (PURPOSE == average)
				continue;
			for (u32 k = 0; k < pass.num_path; k++)
				reach *= Strategy(mine.load(row, pass.path[k]), pass.path[k].actions).of(pass.path[k].action);
			Entry *const to_regret = mine.of(row, pass.own), *const to_sum = summed.of(row, pass.own);
			u32 noise = new_noise((b.row + row) * width + column, number);
#pragma unroll
			for (u32 a = 0; a < max_actions; a++) {
				if (a >= actions)
					continue;
				const float before = unpack(regret.entry[a]);
				const float now = before * (before > 0 ? positive_factor : negative_factor) + (value[a] - mean);
				store(to_regret + a * lanes, now > floor ? now : floor, next_noise(noise, salt));
				store(to_sum + a * lanes, unpack(sum.entry[a]) * sum_factor + reach * strategy.p[a],
					next_noise(noise, salt));
			}
		}
	}
}

__global__ LAUNCH_BOUNDS(1024, 1) void boardwise_train16(SEGMENTS(u16)) { segments<train, u16>(THE_SEGMENTS); }
__global__ LAUNCH_BOUNDS(1024, 1) void boardwise_train32(SEGMENTS(float)) { segments<train, float>(THE_SEGMENTS); }
__global__ LAUNCH_BOUNDS(1024, 1) void boardwise_respond16(SEGMENTS(u16)) { segments<respond, u16>(THE_SEGMENTS); }
__global__ LAUNCH_BOUNDS(1024, 1) void boardwise_respond32(SEGMENTS(float)) { segments<respond, float>(THE_SEGMENTS); }
__global__ LAUNCH_BOUNDS(1024, 1) void boardwise_average16(SEGMENTS(u16)) { segments<average, u16>(THE_SEGMENTS); }
__global__ LAUNCH_BOUNDS(1024, 1) void boardwise_average32(SEGMENTS(float)) { segments<average, float>(THE_SEGMENTS); }
