// Spots of no-limit hold'em with exact cards: see package spot, the CPU reference, which does
// the same operations in the same order.
//
// What a hand does and wins at a decision depends on no other hand of its player. So a thread
// has some hands on a board, and follows them down or up all nodes of a segment, which is the
// betting of a street. Hands meet only where the betting ends: there a block has some ends on a
// board. Vectors have a width beyond the number of hands, and zeros there, as on the CPU.
#pragma once
#include "cuda.cuh"
#include "rounding.cuh"

#define INLINE __device__ inline __attribute__((always_inline))

constexpr u32 none = 0xffff;
constexpr u32 cards = 52, lists = 1 + cards; // of the hands: of all, and of those with a card

enum Mode : u32 { improve, respond, average };

// Decision is a betting sequence after which a player acts. In and out are the slots of the
// player's reach there and after the first action. The first so many actions end the hand:
// after these nobody needs the player's reach to value the player's hands.
struct alignas(16) Decision {
	u32 node;
	u16 actor, actions;
	u32 first; // child, a node
	u32 row;   // of entries
	u32 in, out, last;
	u32 order; // row of scales
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

// Hands are what a player may hold on a board, and where the arrays of them start: entries,
// scales and vectors, and tables that are described below.
struct Hands {
	u64 entries, scales, reach, values;
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

// A thread has some hands abreast: what is the same for all of them is done once, and each access of
// the memory is for all of them. Floats are numbers of so many hands.
constexpr u32 abreast = 2, sharing = 8; // the latter share a scale, and are abreast where entries have 16 bits
typedef float floats2 __attribute__((vector_size(4 * abreast)));
typedef float floats8 __attribute__((vector_size(4 * sharing)));

template <class Floats> INLINE Floats load(const float *from) { return *(const Floats *)from; }
template <class Floats> INLINE void store(float *to, Floats x) { *(Floats *)to = x; }

// by_hand returns what f returns for each of the hands.
template <class Floats, class F> INLINE Floats by_hand(F f) {
	Floats x = {};
#pragma unroll
	for (u32 i = 0; i < sizeof x / sizeof x[0]; i++)
		x[i] = f(i);
	return x;
}

// Task is the part of a thread: hands of a player on a board, in a segment or at another node.
struct Task {
	u32 hand, board, number; // the first hand

	INLINE Task(u32 boards, u32 chunks, u32 abreast) {
		const u32 block = block_in_grid();
		hand = (block % chunks * threads_in_block() + thread_in_block()) * abreast;
		board = block / chunks % boards;
		number = block / chunks / boards;
	}
};

// batch is the number of actions whose floats are loaded at once. One load after the other would
// wait for the memory as often.
constexpr u32 batch = 4;

// lock_at returns where the locked probabilities of a decision start, or null.
INLINE const float *lock_at(const float *locks, const u32 *lock_of, u32 board, u32 nodes, u32 node) {
	const u32 at = lock_of ? lock_of[(u64)board * nodes + node] : 0;
	return at ? locks + (at - 1) : nullptr;
}

// with_lock returns numbers with the locked ones in the place of others.
template <class Floats> INLINE Floats with_lock(const float *lock, Floats x) {
	const Floats p = load<Floats>(lock);
	return by_hand<Floats>([&](u32 i) { return p[i] >= 0 ? p[i] : x[i]; });
}

// load_batch loads the numbers of at most batch actions from the first on, with 0 for those that a
// decision has not.
template <class Floats, class F> INLINE void load_batch(Floats (&to)[batch], u32 first, u32 actions, F load) {
#pragma unroll
	for (u32 j = 0; j < batch; j++)
		to[j] = first + j < actions ? load(first + j) : Floats{};
}

// Rows are the entries of a decision for the hands of a thread, by action. Write stores what next
// returns for each action, in their order, from what load loads for a batch; the first one is loaded.
template <class Entry> struct Rows;

template <> struct Rows<float> {
	typedef floats2 Floats;
	float *at;
	u32 width;

	INLINE Rows(const float *all, const float *, const Hands &h, const Decision &n, u32 hand, const float *)
		: at(const_cast<float *>(all) + h.entries + (u64)n.row * h.width + hand), width(h.width) {}
	INLINE Floats load(u32 action) const { return *(const Floats *)(at + action * width); }
	template <class L, class F> INLINE void write(u32 actions, u32, L load, F next) const {
		for (u32 first = 0; first < actions; first += batch) {
			if (first > 0)
				load(first);
#pragma unroll
			for (u32 j = 0; j < batch; j++) {
				if (first + j >= actions)
					break;
				store(at + (first + j) * width, next(first + j, j));
			}
		}
	}
};

template <> struct Rows<i16> {
	typedef floats8 Floats;
	typedef i16 shorts __attribute__((vector_size(2 * sharing)));
	i16 *at;
	float *scale;
	u32 width, place;  // the entry of the first action and hand
	const float *lock; // locked entries were rounded beside others, which may be far larger
	float unit;

	INLINE Rows(const i16 *all, const float *scales, const Hands &h, const Decision &n, u32 hand, const float *lock)
		: width(h.width), lock(lock) {
		const u64 first = h.entries + (u64)n.row * h.width + hand;
		at = const_cast<i16 *>(all) + first, place = (u32)first;
		scale = const_cast<float *>(scales) + h.scales + (u64)n.order * (h.width / sharing) + hand / sharing;
		unit = *scale;
	}
	INLINE Floats load(u32 action) const {
		const shorts packed = *(const shorts *)(at + action * width);
		const Floats x = by_hand<Floats>([&](u32 i) { return (float)packed[i] * unit; });
		return lock ? with_lock(lock + action * width, x) : x;
	}
	template <class L, class F> INLINE void write(u32 actions, u32 threshold, L load, F next) const {
		Floats kept[batch];
		u32 most = 0;
		for (u32 first = 0; first < actions; first += batch) {
			if (first > 0)
				load(first);
#pragma unroll
			for (u32 j = 0; j < batch; j++) {
				if (first + j >= actions)
					break;
				kept[j] = next(first + j, j);
#pragma unroll
				for (u32 i = 0; i < sharing; i++) {
					const u32 size = magnitude(kept[j][i]);
					most = size > most ? size : most;
				}
			}
		}
		const Packing<true> packing(most);
		for (u32 first = 0; first < actions; first += batch) {
			if (actions > batch)
				load(first);
#pragma unroll
			for (u32 j = 0; j < batch; j++) {
				if (first + j >= actions)
					break;
				const Floats x = actions > batch ? next(first + j, j) : kept[j];
				const u32 row = (first + j) * width;
				shorts packed;
#pragma unroll
				for (u32 i = 0; i < sharing; i++)
					packed[i] = packing.stored
						? Packing<true>::packed(x[i], packing.inverse, threshold + (place + row + i) * place_step) : 0;
				*(shorts *)(at + row) = packed;
			}
		}
		*scale = packing.scale;
	}
};

// Strategy has what turns entries of a decision into probabilities: see package kernels.
template <class Floats> struct Strategy {
	Floats scale = {}, base = {};

	// The entries of the first batch are loaded already.
	template <class Rows> INLINE Strategy(const Floats (&loaded)[batch], const Rows &rows, u32 actions) {
		Floats total = {};
#pragma unroll
		for (u32 j = 0; j < batch; j++)
			total += positive(loaded[j]);
		for (u32 a = batch; a < actions; a++)
			total += positive(rows.load(a));
		const float uniform = 1 / (float)actions;
#pragma unroll
		for (u32 i = 0; i < sizeof total / sizeof total[0]; i++) {
			const bool some = total[i] >= 0x1p-126f;
			const float inverse = 1 / opaque(some ? total[i] : 1);
			scale[i] = some ? inverse : 0, base[i] = some ? 0 : uniform;
		}
	}
	static INLINE Floats positive(Floats x) {
		return by_hand<Floats>([&](u32 i) { return x[i] > 0 ? x[i] : 0; });
	}
	INLINE Floats of(Floats entry) const { return positive(entry) * scale + base; }
};

// down computes the reach of hands at all nodes of a street, from that of the street before or of the
// start: of both players to improve the strategy of one of them, the owner, whose sums it adds to; and
// of the other player only for the average strategy.
template <Mode MODE, class Entry>
INLINE void down(const Decision *decisions, const Segment *segments, const Hands *hands, const Hands *before,
		const u16 *from, const float *before_reach, float *reach, const Entry *regrets, const float *regret_scales,
		Entry *sums, float *sum_scales, const u32 *lock_of, const float *locks, const float *start, u32 num_nodes,
		u32 num_segments, u32 boards, u32 chunks, u32 owner, float decay, u32 threshold, u32 unweighted) {
	typedef Rows<Entry> Row;
	typedef typename Row::Floats Floats;
	const Task task(boards, chunks, sizeof(Floats) / sizeof(float));
	const bool own = task.number < num_segments && MODE == improve;
	const u32 player = own ? owner : 1 - owner;
	const Hands h = hands[task.board * 2 + player];
	if (task.hand >= h.width)
		return;
	const Segment *const segment = segments + task.number % num_segments;
	const u32 width = h.width, end = segment[1].decisions;
	float *const at = reach + h.reach + task.hand;
	const auto held = [&](u32 i) { return task.hand + i < h.size; };
	float *const root = at + (u64)of(segment->slot, player) * width;
	if (before) {
		const Hands b = before[h.before * 2 + player];
		const float *const origin = before_reach + b.reach + (u64)of(segment->origin, player) * b.width;
		store(root, by_hand<Floats>([&](u32 i) { return held(i) ? origin[from[h.from + task.hand + i]] : 0; }));
	} else if (own && unweighted) {
		store(root, by_hand<Floats>([&](u32 i) { return held(i) ? 1.0f : 0; }));
	} else {
		store(root, load<Floats>(start + (player ? hands[0].width : 0) + task.hand));
	}
	for (u32 i = segment->decisions; i < end; i++) {
		const Decision n = decisions[i];
		if (n.actor != player)
			continue;
		const bool sets = own || sizeof(Entry) == 2; // locked entries
		const float *lock = sets ? lock_at(locks, lock_of, task.board, num_nodes, n.node) : nullptr;
		lock = lock ? lock + task.hand : nullptr;
		const Row sum(sums, sum_scales, h, n, task.hand, lock);
		const Row matched = MODE == improve ? Row(regrets, regret_scales, h, n, task.hand, lock) : sum;
		float *const out = at + (u64)n.out * width;
		Floats entries[batch], old[batch];
		const auto load_entries = [&](u32 first) {
			load_batch(entries, first, n.actions, [&](u32 a) { return matched.load(a); });
			if (own)
				load_batch(old, first, n.actions, [&](u32 a) { return sum.load(a); });
		};
		load_entries(0);
		const Floats x = load<Floats>(at + (u64)n.in * width);
		const Strategy<Floats> strategy(entries, matched, n.actions);
		if (own) {
			sum.write(n.actions, threshold, load_entries, [&](u32 a, u32 j) {
				const Floats played = x * strategy.of(entries[j]);
				if (a >= n.last)
					store(out + a * width, played);
				const Floats added = old[j] * decay + played;
				return lock ? with_lock(lock + a * width, added) : added;
			});
			continue;
		}
		for (u32 first = 0; first < n.actions; first += batch) {
			if (first > 0)
				load_entries(first);
#pragma unroll
			for (u32 j = 0; j < batch; j++) {
				if (first + j >= n.actions)
					break;
				store(out + (first + j) * width, x * strategy.of(entries[j]));
			}
		}
	}
}

#define SPOT_DOWN(Entry) \
	const Decision *decisions, const Segment *segments, const Hands *hands, const Hands *before, \
		const u16 *from, const float *before_reach, float *reach, const Entry *regrets, const float *regret_scales, \
		Entry *sums, float *sum_scales, const u32 *lock_of, const float *locks, const float *start, u32 num_nodes, \
		u32 num_segments, u32 boards, u32 chunks, u32 owner, float decay, u32 threshold, u32 unweighted
#define THE_SPOT_DOWN \
	decisions, segments, hands, before, from, before_reach, reach, regrets, regret_scales, sums, sum_scales, lock_of, \
		locks, start, num_nodes, num_segments, boards, chunks, owner, decay, threshold, unweighted

// up values all decisions of a street for a player, and improves the player's regrets.
template <Mode MODE, class Entry>
INLINE void up(const Decision *decisions, const Segment *segments, const Hands *hands, float *values, Entry *regrets,
		float *regret_scales, const Entry *sums, const float *sum_scales, const u32 *lock_of, const float *locks,
		u32 num_nodes, u32 boards, u32 chunks, u32 player, float positive_factor, float negative_factor, float floor,
		u32 threshold) {
	typedef Rows<Entry> Row;
	typedef typename Row::Floats Floats;
	const Task task(boards, chunks, sizeof(Floats) / sizeof(float));
	const Hands h = hands[task.board * 2 + player];
	if (task.hand >= h.width)
		return;
	const u32 width = h.width, first = segments[task.number].decisions;
	float *const at = values + h.values + task.hand;
	for (u32 i = segments[task.number + 1].decisions; i-- > first;) {
		const Decision n = decisions[i];
		const float *const child = at + (u64)n.first * width;
		const auto value = [&](u32 a) { return load<Floats>(child + a * width); };
		Floats x[batch];
		load_batch(x, 0, n.actions, value);
		if (n.actor != player) {
			Floats sum = x[0];
#pragma unroll
			for (u32 j = 1; j < batch; j++)
				if (j < n.actions)
					sum += x[j];
			for (u32 a = batch; a < n.actions; a++)
				sum += value(a);
			store(at + (u64)n.node * width, sum);
			continue;
		}
		const float *lock = lock_at(locks, lock_of, task.board, num_nodes, n.node);
		lock = lock ? lock + task.hand : nullptr;
		const Floats locked = lock ? load<Floats>(lock) : Floats{} - 1; // in [0, 1] where a hand is
		if (MODE == respond) {
			Floats best = x[0];
			const auto improved =
				[&](Floats x) { return by_hand<Floats>([&](u32 i) { return x[i] > best[i] ? x[i] : best[i]; }); };
#pragma unroll
			for (u32 j = 1; j < batch; j++)
				if (j < n.actions)
					best = improved(x[j]);
			for (u32 a = batch; a < n.actions; a++)
				best = improved(value(a));
			if (lock) {
				Floats mean = {};
				for (u32 a = 0; a < n.actions; a++)
					mean += load<Floats>(lock + a * width) * value(a);
				best = by_hand<Floats>([&](u32 i) { return locked[i] >= 0 ? mean[i] : best[i]; });
			}
			store(at + (u64)n.node * width, best);
			continue;
		}
		const Row matched = MODE == improve
			? Row(regrets, regret_scales, h, n, task.hand, lock) : Row(sums, sum_scales, h, n, task.hand, lock);
		Floats entries[batch];
		const auto load_entries = [&](u32 first) {
			load_batch(entries, first, n.actions, [&](u32 a) { return matched.load(a); });
		};
		load_entries(0);
		const Strategy<Floats> strategy(entries, matched, n.actions);
		Floats mean = {};
#pragma unroll
		for (u32 j = 0; j < batch; j++)
			if (j < n.actions)
				mean += strategy.of(entries[j]) * x[j];
		for (u32 a = batch; a < n.actions; a++)
			mean += strategy.of(matched.load(a)) * value(a);
		store(at + (u64)n.node * width, mean);
		if (MODE == average)
			continue;
		matched.write(n.actions, threshold, [&](u32 first) {
			load_entries(first);
			load_batch(x, first, n.actions, value);
		}, [&](u32 a, u32 j) {
			const Floats discounted = entries[j] *
				by_hand<Floats>([&](u32 i) { return entries[j][i] > 0 ? positive_factor : negative_factor; });
			const Floats now = discounted + (x[j] - mean);
			const Floats kept = by_hand<Floats>([&](u32 i) { return now[i] > floor ? now[i] : floor; });
			return lock ? with_lock(lock + a * width, kept) : kept;
		});
	}
}

#define SPOT_UP(Entry) \
	const Decision *decisions, const Segment *segments, const Hands *hands, float *values, Entry *regrets, \
		float *regret_scales, const Entry *sums, const float *sum_scales, const u32 *lock_of, const float *locks, \
		u32 num_nodes, u32 boards, u32 chunks, u32 player, float positive_factor, float negative_factor, float floor, \
		u32 threshold
#define THE_SPOT_UP \
	decisions, segments, hands, values, regrets, regret_scales, sums, sum_scales, lock_of, locks, num_nodes, boards, \
		chunks, player, positive_factor, negative_factor, floor, threshold
