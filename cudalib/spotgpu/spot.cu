// Spots of no-limit hold'em with exact cards: see package spot, the CPU reference, which does
// the same operations in the same order.
//
// What a hand does and wins at a decision depends on no other hand of its player. So a thread
// has some hands on a board, and follows them down or up all nodes of a segment, which is the
// betting of a street. Hands meet only where the betting ends: there a block has some ends on a
// board. Vectors have a width beyond the number of hands, and zeros there, as on the CPU.
#include "cuda.cuh"

#define INLINE __device__ inline __attribute__((always_inline))

constexpr u32 none = 0xffff;
constexpr u32 cards = 52, lists = 1 + cards; // of the hands: of all, and of those with a card

enum Mode : u32 { improve, respond, average };

// Decision is a betting sequence after which a player acts. In and out are the slots of the
// player's reach there and after the first action. The first so many actions end the hand:
// after these nobody needs the player's reach to value the player's hands.
struct alignas(16) Decision {
	u32 node, actor, actions;
	u32 first; // child, a node
	u32 row;   // of entries
	u32 in, out, last;
};

// Segment is the betting of a street after what was bet before. Slots of reach are by player: at
// the root, and on the street before.
struct Segment {
	u32 decisions, root, slot[2], origin[2];
};

// Deal is the end of a street before the river.
struct Deal {
	u32 node, segment, slot[2];
};

// of returns that of two things that is a player's. An index would put both into memory.
template <class T> INLINE T of(const T (&players)[2], u32 player) { return player ? players[1] : players[0]; }

// Hands are what a player may hold on a board, and where the arrays of them start: entries and
// vectors, and tables that are described below.
struct Hands {
	u64 entries, reach, values;
	u32 size, width, before; // the last is the board of the street before
	u32 from, terms, num_terms, maps, order, starts, places;
};

// Sequence is the actions of the other player that lead to some ends, at which that player's
// reach has the same slot. Its ends are followed by those of the next one.
struct Sequence {
	u32 slot, ends;
};

// End is what an end pays for the reach of the other player's hands: for all of them, and
// beyond that for those that are not better and for those that are worse than a hand. At a fold
// only all of them count.
struct End {
	u32 node, fold;
	float worse, not_better, all;
};

// Place has the sums that a hand reads: of the hands of the other player that are worse and that
// are not better, of all and of those with each of its cards, whose lists are numbered; and its
// place among the hands of the other player.
struct Place {
	u16 worse[3], not_better[3], list[2], same, unused;
};

// A thread has so many hands: what is the same for all of them is done once, and each access of
// the memory is for all of them.
constexpr u32 abreast = 2;
typedef float floats __attribute__((vector_size(4 * abreast), may_alias));

INLINE floats load(const float *from) { return *(const floats *)from; }
INLINE void store(float *to, floats x) { *(floats *)to = x; }

// by_hand returns what f returns for each of the hands.
template <class F> INLINE floats by_hand(F f) {
	floats x = {};
#pragma unroll
	for (u32 i = 0; i < abreast; i++)
		x[i] = f(i);
	return x;
}

// Task is the part of a thread: hands of a player on a board, in a segment or at another node.
struct Task {
	u32 hand, board, number; // the first hand

	INLINE Task(u32 boards, u32 chunks) {
		const u32 block = block_in_grid();
		hand = (block % chunks * threads_in_block() + thread_in_block()) * abreast;
		board = block / chunks % boards;
		number = block / chunks / boards;
	}
};

// batch is the number of actions whose floats are loaded at once. One load after the other would
// wait for the memory as often.
constexpr u32 batch = 4;

// load loads the floats of at most batch actions from the first on, with 0 for those that a
// decision has not.
INLINE void load(floats (&to)[batch], const float *from, u32 first, u32 actions, u32 width) {
#pragma unroll
	for (u32 j = 0; j < batch; j++)
		to[j] = first + j < actions ? load(from + (first + j) * width) : floats{};
}

// Strategy has what turns entries of a decision into probabilities: see package kernels.
struct Strategy {
	floats scale = {}, base = {};

	// The entries of the first batch are loaded already.
	INLINE Strategy(const floats (&loaded)[batch], const float *entry, u32 actions, u32 width) {
		floats total = {};
#pragma unroll
		for (u32 j = 0; j < batch; j++)
			total += positive(loaded[j]);
		for (u32 a = batch; a < actions; a++)
			total += positive(load(entry + a * width));
		const float uniform = 1 / (float)actions;
#pragma unroll
		for (u32 i = 0; i < abreast; i++) {
			const bool some = total[i] >= 0x1p-126f;
			const float inverse = 1 / opaque(some ? total[i] : 1);
			scale[i] = some ? inverse : 0, base[i] = some ? 0 : uniform;
		}
	}
	static INLINE floats positive(floats x) {
		return by_hand([&](u32 i) { return x[i] > 0 ? x[i] : 0; });
	}
	INLINE floats of(floats entry) const { return positive(entry) * scale + base; }
};

// lock_at returns where the locked probabilities of a decision start, or null.
INLINE const float *lock_at(const float *locks, const u32 *lock_of, u32 board, u32 nodes, u32 node) {
	const u32 at = lock_of ? lock_of[(u64)board * nodes + node] : 0;
	return at ? locks + (at - 1) : nullptr;
}

// down computes the reach of hands at all nodes of a street, from that of the street before: of
// both players to improve the strategy of one of them, the owner, whose sums it adds to; and
// of the other player only for the average strategy.
template <Mode MODE>
INLINE void down(const Decision *decisions, const Segment *segments, const Hands *hands, const Hands *before,
		const u16 *from, const float *before_reach, float *reach, const float *regrets, float *sums, const u32 *lock_of,
		const float *locks, u32 num_nodes, u32 num_segments, u32 boards, u32 chunks, u32 owner, float decay) {
	const Task task(boards, chunks);
	const bool own = task.number < num_segments && MODE == improve;
	const u32 player = own ? owner : 1 - owner;
	const Hands h = hands[task.board * 2 + player];
	if (task.hand >= h.width)
		return;
	const Segment *const segment = segments + task.number % num_segments;
	const u32 width = h.width, end = segment[1].decisions;
	float *const at = reach + h.reach + task.hand;
	if (before) {
		const Hands b = before[h.before * 2 + player];
		const float *const origin = before_reach + b.reach + (u64)of(segment->origin, player) * b.width;
		store(at + (u64)of(segment->slot, player) * width,
			  by_hand([&](u32 i) { return task.hand + i < h.size ? origin[from[h.from + task.hand + i]] : 0; }));
	}
	for (u32 i = segment->decisions; i < end; i++) {
		const Decision n = decisions[i];
		if (n.actor != player)
			continue;
		const u64 row = h.entries + (u64)n.row * width + task.hand;
		const float *const entry = (MODE == improve ? regrets : sums) + row;
		float *const out = at + (u64)n.out * width, *const sum = sums + row;
		floats entries[batch], old[batch];
		load(entries, entry, 0, n.actions, width);
		if (own)
			load(old, sum, 0, n.actions, width);
		const floats x = load(at + (u64)n.in * width);
		const Strategy strategy(entries, entry, n.actions, width);
		const float *const lock = own ? lock_at(locks, lock_of, task.board, num_nodes, n.node) : nullptr;
		for (u32 first = 0; first < n.actions; first += batch) {
			if (first > 0) {
				load(entries, entry, first, n.actions, width);
				if (own)
					load(old, sum, first, n.actions, width);
			}
#pragma unroll
			for (u32 j = 0; j < batch; j++) {
				const u32 a = first + j;
				if (a >= n.actions)
					break;
				const floats played = x * strategy.of(entries[j]);
				if (!own || a >= n.last)
					store(out + a * width, played);
				if (own) {
					floats added = old[j] * decay + played;
					if (lock) {
						const floats p = load(lock + a * width + task.hand);
						added = by_hand([&](u32 i) { return p[i] >= 0 ? p[i] : added[i]; });
					}
					store(sum + a * width, added);
				}
			}
		}
	}
}

#define SPOT_DOWN \
	const Decision *decisions, const Segment *segments, const Hands *hands, const Hands *before, \
		const u16 *from, const float *before_reach, \
		float *reach, const float *regrets, float *sums, const u32 *lock_of, const float *locks, u32 num_nodes, \
		u32 num_segments, u32 boards, \
		u32 chunks, u32 owner, float decay
#define THE_SPOT_DOWN \
	decisions, segments, hands, before, from, before_reach, reach, regrets, sums, lock_of, locks, num_nodes, \
		num_segments, boards, chunks, owner, decay

__global__ void spot_down_improve(SPOT_DOWN) { down<improve>(THE_SPOT_DOWN); }
__global__ void spot_down_average(SPOT_DOWN) { down<average>(THE_SPOT_DOWN); }

// A block values the ends of so many sequences side by side: what it adds up are vectors of
// their reach.
constexpr u32 side = 4;
typedef float floats4 __attribute__((vector_size(4 * side), may_alias));

// add_up adds n numbers, in their order. It calls each with the numbers so far and their sum.
// Numbers are loaded some at a time, for the reason of batch.
template <class L, class F> INLINE void add_up(u32 n, L load, F each) {
	constexpr u32 some = 16;
	float sum = 0, x[some];
	const u32 whole = n / some * some;
	for (u32 i = 0; i < whole; i += some) {
#pragma unroll
		for (u32 j = 0; j < some; j++)
			x[j] = load(i + j);
#pragma unroll
		for (u32 j = 0; j < some; j++)
			each(i + j + 1, sum += x[j]);
	}
	for (u32 i = whole; i < n; i++)
		each(i + 1, sum += load(i));
}

// ends values ends at which hands are compared, or else folds only. A block has the ends of some
// sequences on a board. It adds up the reach of the hands of each list, and keeps the sums before
// the first hand, which is 0, and after each; or, for folds, the sum of all only.
template <bool COMPARE>
INLINE void ends(const Sequence *sequences, const End *all_ends, const Hands *hands, const u16 *orders,
		const u32 *starts, const Place *places, const float *reach, float *values, u32 boards, u32 player) {
	DYNAMIC_SHARED(floats4, sums);
	const u32 board = block_in_grid() % boards;
	sequences += block_in_grid() / boards * side;
	const Hands own = hands[board * 2 + player], other = hands[board * 2 + 1 - player];
	const u32 *const start = starts + other.starts;
	const u16 *const order = orders + other.order;
	const float *reached[side];
#pragma unroll
	for (u32 s = 0; s < side; s++)
		reached[s] = reach + other.reach + (u64)sequences[s].slot * other.width;

	// Where hands are compared, the sum of all hands so far later replaces the reach of each, which
	// saves shared memory. Where they are not, the reach follows the sums of the lists.
	floats4 *const loaded = sums + (COMPARE ? 1 : lists);
	for (u32 i = thread_in_block(); i < other.size; i += threads_in_block())
		loaded[i] = floats4{reached[0][i], reached[1][i], reached[2][i], reached[3][i]};
	sync_block();
	const float *const from = (const float *)loaded;
	float *const to = (float *)sums;
	for (u32 task = thread_in_block(); task < cards * side; task += threads_in_block()) {
		const u32 list = 1 + task / side, s = task % side;
		const u16 *const hand = order + start[list];
		float *const at = to + (COMPARE ? start[list] + list : list) * side + s;
		at[0] = 0;
		add_up(start[list + 1] - start[list], [&](u32 i) { return from[hand[i] * side + s]; },
			   [&](u32 n, float sum) { at[COMPARE ? n * side : 0] = sum; });
	}
	if (COMPARE)
		sync_block();
	const u32 last = threads_in_block() - 1 - thread_in_block(); // the last threads had less to do
	if (last < side) {
		float *const at = to + last;
		at[0] = 0;
		add_up(other.size, [&](u32 i) { return from[i * side + last]; },
			[&](u32 n, float sum) { at[COMPARE ? n * side : 0] = sum; });
	}
	sync_block();

	// The sums of all hands of the lists.
	const auto total = [&](u32 list) { return sums[COMPARE ? start[list + 1] + list : list]; };
	const floats4 none = {};
	for (u32 i = thread_in_block(); i < own.width; i += threads_in_block()) {
		floats4 worse = none, not_better = none, any = none;
		if (i < own.size) {
			const Place p = places[own.places + i];
			const floats4 same = p.same < other.size
				? floats4{reached[0][p.same], reached[1][p.same], reached[2][p.same], reached[3][p.same]} : none;
			any = total(0) - total(p.list[0]) - total(p.list[1]) + same;
			if (COMPARE) {
				worse = sums[p.worse[0]] - sums[p.worse[1]] - sums[p.worse[2]];
				not_better = sums[p.not_better[0]] - sums[p.not_better[1]] - sums[p.not_better[2]] + same;
			}
		}
		float *const value = values + own.values + i;
#pragma unroll
		for (u32 s = 0; s < side; s++) {
			for (u32 j = sequences[s].ends; j < sequences[s + 1].ends; j++) {
				const End e = all_ends[j];
				float x = any[s] * e.all;
				if (COMPARE && !e.fold)
					x = x + (not_better[s] * e.not_better + worse[s] * e.worse);
				value[(u64)e.node * own.width] = x;
			}
		}
	}
}

#define SPOT_ENDS \
	const Sequence *sequences, const End *all_ends, const Hands *hands, const u16 *orders, const u32 *starts, \
		const Place *places, const float *reach, \
		float *values, u32 boards, u32 player
#define THE_SPOT_ENDS sequences, all_ends, hands, orders, starts, places, reach, values, boards, player

__global__ void spot_folds(SPOT_ENDS) { ends<false>(THE_SPOT_ENDS); }
__global__ void spot_showdowns(SPOT_ENDS) { ends<true>(THE_SPOT_ENDS); }

// spot_deals values the ends of a street before the river, from the values of the next one. The
// cards are added in their order.
__global__ void spot_deals(const Deal *deals, const Hands *hands, const u32 *terms,
		const u16 *maps, const Hands *next_hands, const Segment *next_segments, const float *next_values, float *values,
		u32 boards, u32 chunks, u32 player) {
	const Task task(boards, chunks);
	const Hands h = hands[task.board * 2 + player];
	const u32 node = deals[task.number].node, root = next_segments[deals[task.number].segment].root;
	SHARED(u64, from, cards);
	for (u32 k = thread_in_block(); k < h.num_terms; k += threads_in_block()) {
		const Hands &next = next_hands[terms[h.terms + k] * 2 + player];
		from[k] = next.values + (u64)root * next.width;
	}
	sync_block();
	if (task.hand >= h.width)
		return;
	constexpr u32 some = 8; // terms at once
	floats sum = {};
	for (u32 k = 0; k < h.num_terms; k += some) {
		u32 place[some][abreast];
#pragma unroll
		for (u32 j = 0; j < some; j++)
#pragma unroll
			for (u32 i = 0; i < abreast; i++)
				place[j][i] = k + j < h.num_terms &&
					task.hand + i < h.size ? maps[h.maps + (k + j) * h.size + task.hand + i] : none;
		floats x[some];
#pragma unroll
		for (u32 j = 0; j < some; j++)
			x[j] = by_hand([&](u32 i) { return place[j][i] != none ? next_values[from[k + j] + place[j][i]] : 0; });
#pragma unroll
		for (u32 j = 0; j < some; j++)
			sum += x[j];
	}
	store(values + h.values + (u64)node * h.width + task.hand, sum);
}

// up values all decisions of a street for a player, and improves the player's regrets.
template <Mode MODE>
INLINE void up(const Decision *decisions, const Segment *segments, const Hands *hands, float *values, float *regrets,
		const float *sums, const u32 *lock_of, const float *locks, u32 num_nodes, u32 boards, u32 chunks, u32 player,
		float positive_factor, float negative_factor, float floor) {
	const Task task(boards, chunks);
	const Hands h = hands[task.board * 2 + player];
	if (task.hand >= h.width)
		return;
	const u32 width = h.width, first = segments[task.number].decisions;
	float *const at = values + h.values + task.hand;
	for (u32 i = segments[task.number + 1].decisions; i-- > first;) {
		const Decision n = decisions[i];
		const float *const child = at + (u64)n.first * width;
		floats x[batch];
		load(x, child, 0, n.actions, width);
		if (n.actor != player) {
			floats sum = x[0];
#pragma unroll
			for (u32 j = 1; j < batch; j++)
				if (j < n.actions)
					sum += x[j];
			for (u32 a = batch; a < n.actions; a++)
				sum += load(child + a * width);
			store(at + (u64)n.node * width, sum);
			continue;
		}
		const u64 row = h.entries + (u64)n.row * width + task.hand;
		const float *const lock = lock_at(locks, lock_of, task.board, num_nodes, n.node);
		const floats locked = lock ? load(lock + task.hand) : floats{} - 1; // in [0, 1] where a hand is
		if (MODE == respond) {
			floats best = x[0];
			const auto improved =
				[&](floats x) { return by_hand([&](u32 i) { return x[i] > best[i] ? x[i] : best[i]; }); };
#pragma unroll
			for (u32 j = 1; j < batch; j++)
				if (j < n.actions)
					best = improved(x[j]);
			for (u32 a = batch; a < n.actions; a++)
				best = improved(load(child + a * width));
			if (lock) {
				floats mean = {};
				for (u32 a = 0; a < n.actions; a++)
					mean += load(lock + a * width + task.hand) * load(child + a * width);
				best = by_hand([&](u32 i) { return locked[i] >= 0 ? mean[i] : best[i]; });
			}
			store(at + (u64)n.node * width, best);
			continue;
		}
		const float *const entry = (MODE == improve ? regrets : sums) + row;
		floats entries[batch];
		load(entries, entry, 0, n.actions, width);
		const Strategy strategy(entries, entry, n.actions, width);
		floats mean = {};
#pragma unroll
		for (u32 j = 0; j < batch; j++)
			if (j < n.actions)
				mean += strategy.of(entries[j]) * x[j];
		for (u32 a = batch; a < n.actions; a++)
			mean += strategy.of(load(entry + a * width)) * load(child + a * width);
		store(at + (u64)n.node * width, mean);
		if (MODE == average)
			continue;
		for (u32 first = 0; first < n.actions; first += batch) {
			if (first > 0) {
				load(entries, entry, first, n.actions, width);
				load(x, child, first, n.actions, width);
			}
#pragma unroll
			for (u32 j = 0; j < batch; j++) {
				const u32 a = first + j;
				if (a >= n.actions)
					break;
				const floats discounted = entries[j] *
					by_hand([&](u32 i) { return entries[j][i] > 0 ? positive_factor : negative_factor; });
				const floats now = discounted + (x[j] - mean);
				floats kept = by_hand([&](u32 i) { return now[i] > floor ? now[i] : floor; });
				if (lock) {
					const floats p = load(lock + a * width + task.hand);
					kept = by_hand([&](u32 i) { return locked[i] >= 0 ? p[i] : kept[i]; });
				}
				store(regrets + row + a * width, kept);
			}
		}
	}
}

#define SPOT_UP \
	const Decision *decisions, const Segment *segments, const Hands *hands, float *values, float *regrets, \
		const float *sums, const u32 *lock_of, \
		const float *locks, u32 num_nodes, u32 boards, u32 chunks, u32 player, float positive_factor, \
		float negative_factor, float floor
#define THE_SPOT_UP \
	decisions, segments, hands, values, regrets, sums, lock_of, locks, num_nodes, boards, chunks, player, \
		positive_factor, negative_factor, floor

__global__ void spot_up_improve(SPOT_UP) { up<improve>(THE_SPOT_UP); }
__global__ void spot_up_respond(SPOT_UP) { up<respond>(THE_SPOT_UP); }
__global__ void spot_up_average(SPOT_UP) { up<average>(THE_SPOT_UP); }
