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

constexpr u32 none = 0xffff, nothing = 0xffffffff; // no place; no board, node or lock
constexpr u32 cards = 52;

enum Mode : u32 { improve, respond, average };

// Task is the part of a warp or of some blocks: a board, and a segment, a deal or some ends.
struct Task {
	u32 board, item;
};

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
	u32 node, segment;
};

// of returns that of two things that is a player's. An index would put both into memory.
template <class T> INLINE T of(const T (&players)[2], u32 player) { return player ? players[1] : players[0]; }

// Hands are what a player may hold on a board, and where the arrays of them start: entries,
// scales and vectors, and tables that are described below.
struct Hands {
	u64 entries, scales, reach, values;
	u32 size, width;
	u32 place;      // of the first entry, in rounding
	u32 before;     // board of the street before, or nothing
	u32 unweighted; // the weights at the root are left out of the sums of the own strategy
	u32 locks;      // where those of the decisions are, by node, or nothing
	u32 from;       // places on the board before, or the reach of the hands at the root
	u32 terms, num_terms, maps, orders, starts, places;
	u32 number; // of the board, in its spot
};

// A thread has some hands abreast: what is the same for all of them is done once, and each access of
// the memory is for all of them. Floats are numbers of so many hands. Where entries have 16 bits, some hands share
// a scale.
constexpr u32 abreast = 2, abreast16 = 4, sharing = 8;
typedef float floats2 __attribute__((vector_size(4 * abreast)));
typedef float floats16 __attribute__((vector_size(4 * abreast16)));

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

// Part is that of a thread: some hands, from the first one on, in a task.
struct Part {
	u32 hand, task;

	INLINE Part(u32 chunks, u32 abreast) {
		const u32 block = block_in_grid();
		hand = (block % chunks * threads_in_block() + thread_in_block()) * abreast;
		task = block / chunks;
	}
};

// batch is the number of actions whose floats are loaded at once. One load after the other would
// wait for the memory as often.
constexpr u32 batch = 4;

// lock_at returns where the locked probabilities of a decision start, or null.
INLINE const float *lock_at(const float *locks, const u32 *lock_of, const Hands &h, u32 node) {
	const u32 at = h.locks != nothing ? lock_of[h.locks + node] : 0;
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
	typedef floats16 Floats;
	typedef i16 shorts __attribute__((vector_size(2 * abreast16)));
	i16 *at;
	float *scale;
	u32 width, place;  // the entry of the first action and hand
	const float *lock; // locked entries were rounded beside others, which may be far larger
	float unit;
	bool scales; // the first thread of those that share a scale

	INLINE Rows(const i16 *all, const float *scales, const Hands &h, const Decision &n, u32 hand, const float *lock)
		: width(h.width), lock(lock), scales(hand % sharing == 0) {
		const u32 first = n.row * h.width + hand;
		at = const_cast<i16 *>(all) + h.entries + first, place = h.place + first;
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
				for (u32 i = 0; i < abreast16; i++) {
					const u32 size = magnitude(kept[j][i]);
					most = size > most ? size : most;
				}
			}
		}
#pragma unroll
		for (u32 by = 1; by < sharing / abreast16; by *= 2) {
			const u32 others = shuffle_xor(most, by);
			most = others > most ? others : most;
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
				for (u32 i = 0; i < abreast16; i++)
					packed[i] = packing.stored
						? Packing<true>::packed(x[i], packing.inverse, threshold + (place + row + i) * place_step) : 0;
				*(shorts *)(at + row) = packed;
			}
		}
		if (scales)
			*scale = packing.scale;
	}
};

// Strategy has what turns entries of a decision into probabilities: see package vectors.
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

// Betting is the arguments of the kernels of the betting of a street.
template <class Entry> struct Betting {
	typedef Rows<Entry> Row;
	typedef typename Row::Floats Floats;
	static constexpr u32 number = sizeof(Floats) / sizeof(float); // of the hands of a thread

	const Task *tasks;
	const Decision *decisions;
	const Segment *segments;
	const Hands *hands, *before;
	const u16 *from;
	const float *before_reach, *start;
	float *reach, *values;
	Entry *regrets;
	float *regret_scales;
	Entry *sums;
	float *sum_scales;
	const u32 *lock_of;
	const float *locks;
	u32 num_tasks, chunks, player;
	u32 follows; // up begins with the reach of the own hands
	float decay, positive_factor, negative_factor, floor;
	u32 threshold;

	// follow computes the reach of hands of a player at all nodes of a segment, from that of the street before or of
	// the start: for the average strategy, or to improve the strategy of a player, who adds to the own sums.
	template <Mode MODE, bool OWN>
	INLINE void follow(const Segment *segment, const Hands &h, u32 hand, u32 whose) const {
		const u32 width = h.width, end = segment[1].decisions;
		float *const at = reach + h.reach + hand, *const root = at + (u64)of(segment->slot, whose) * width;
		const auto held = [&](u32 i) { return hand + i < h.size; };
		if (h.before != nothing) {
			const Hands b = before[h.before * 2 + whose];
			const float *const origin = before_reach + b.reach + (u64)of(segment->origin, whose) * b.width;
			store(root, by_hand<Floats>([&](u32 i) { return held(i) ? origin[from[h.from + hand + i]] : 0; }));
		} else if (OWN && h.unweighted) {
			store(root, by_hand<Floats>([&](u32 i) { return held(i) ? 1.0f : 0; }));
		} else {
			store(root, load<Floats>(start + h.from + hand));
		}
		for (u32 i = segment->decisions; i < end; i++) {
			const Decision n = decisions[i];
			if (n.actor != whose)
				continue;
			const bool sets = OWN || sizeof(Entry) == 2; // locked entries
			const float *lock = sets ? lock_at(locks, lock_of, h, n.node) : nullptr;
			lock = lock ? lock + hand : nullptr;
			const Row sum(sums, sum_scales, h, n, hand, lock);
			const Row matched = MODE == improve ? Row(regrets, regret_scales, h, n, hand, lock) : sum;
			float *const out = at + (u64)n.out * width;
			Floats entries[batch], old[batch];
			const auto load_entries = [&](u32 first) {
				load_batch(entries, first, n.actions, [&](u32 a) { return matched.load(a); });
				if (OWN)
					load_batch(old, first, n.actions, [&](u32 a) { return sum.load(a); });
			};
			load_entries(0);
			const Floats x = load<Floats>(at + (u64)n.in * width);
			const Strategy<Floats> strategy(entries, matched, n.actions);
			if (OWN) {
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

	// down computes the reach of the other player's hands at all nodes of a street, or of both players' hands.
	template <Mode MODE, bool BOTH> INLINE void down() const {
		const Part part(chunks, number);
		const bool own = BOTH && part.task < num_tasks;
		const u32 whose = own ? player : 1 - player;
		const Task task = tasks[part.task % num_tasks];
		const Hands h = hands[task.board * 2 + whose];
		if (part.hand >= h.width)
			return;
		const Segment *const segment = segments + task.item;
		if (own)
			follow<MODE, true>(segment, h, part.hand, whose);
		else
			follow<MODE, false>(segment, h, part.hand, whose);
	}

	// up values all decisions of a street for a player, and improves the player's regrets.
	template <Mode MODE> INLINE void up() const {
		const Part part(chunks, number);
		const Task task = tasks[part.task];
		const Hands h = hands[task.board * 2 + player];
		if (part.hand >= h.width)
			return;
		const Segment *const segment = segments + task.item;
		const u32 width = h.width, first = segment->decisions, hand = part.hand;
		if (MODE == improve && follows)
			follow<MODE, true>(segment, h, hand, player);
		float *const at = values + h.values + hand;
		for (u32 i = segment[1].decisions; i-- > first;) {
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
			const float *lock = lock_at(locks, lock_of, h, n.node);
			lock = lock ? lock + hand : nullptr;
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
				? Row(regrets, regret_scales, h, n, hand, lock) : Row(sums, sum_scales, h, n, hand, lock);
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
};

#define SPOT_BETTING(Entry) \
	const Task *tasks, const Decision *decisions, const Segment *segments, const Hands *hands, const Hands *before, \
		const u16 *from, const float *before_reach, const float *start, float *reach, float *values, Entry *regrets, \
		float *regret_scales, Entry *sums, float *sum_scales, const u32 *lock_of, const float *locks, u32 num_tasks, \
		u32 chunks, u32 player, u32 follows, float decay, float positive_factor, float negative_factor, float floor, \
		u32 threshold
#define THE_SPOT_BETTING \
	tasks, decisions, segments, hands, before, from, before_reach, start, reach, values, regrets, regret_scales, sums, \
		sum_scales, lock_of, locks, num_tasks, chunks, player, follows, decay, positive_factor, negative_factor, \
		floor, threshold
