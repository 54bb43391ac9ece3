// PTXFLAGS: -mllvm -inline-threshold=100000
// The best response to a strategy in limit poker, board by board (Johanson et al.,
// "Accelerating best response calculation in large extensive games", IJCAI 2011).
//
// A thread has one betting sequence that leads to a round, and goes through the hands: all
// sequences have the same decisions and ends, and differ in pots and probabilities. So a
// warp takes no branches, its accesses are neighbours, and the sums that a showdown needs,
// of the reach of the worse hands by card, are columns of shared memory that only one
// thread uses. No thread waits for another.
//
// All sums are in the order of the CPU reference implementation, package bestresponse, and
// have the same bits.
#include "cuda.cuh"

// A function that is not inlined has its structs in memory.
#define INLINE __device__ inline __attribute__((always_inline))

constexpr u32 lanes = 32; // betting sequences of a block
constexpr u32 max_path = 8;
constexpr u32 hand_bits = 11, card_bits = 6;
constexpr u32 higher = 1u << 31; // the rank is above that of the hand before

enum Kind : u32 { fold, showdown, call, deal, join };
enum Mode : u32 { set, maximum, sum };

// Op is an operation, see bestresponse.op.
struct Op {
	u32 kind, mode, slot, arg, fold, length, path[max_path], padding[2];
};

// Round is a betting round: the opponent's probabilities by bucket, column and sequence,
// the pays by end and sequence, and the number of the next round's sequence by deal.
struct Round {
	const Op *ops;
	const float *table, *pays;
	const u32 *next;
	u32 num_ops, columns, width;
};

// Unit is a board with those of the last round after it: where its boards, its hands, and
// its classes of hands start, and how many there are.
struct Unit {
	u32 river, rivers, hand, hands, cls, classes;
};

// River is a board of the last round: where its hands are, and how many boards it
// stands for.
struct River {
	u32 first, hands, count;
};

// Units is a batch of units.
struct Units {
	const Unit *units;
	const River *rivers;
	const u64 *order;   // by river and rank: a hand's number and cards, above it its bucket
	const u32 *hands;   // by unit
	const u32 *buckets; // by unit, round and hand
	const u32 *classes; // by unit, where the members start; and the end
	const u32 *members;
	const u32 *cards; // by hand, the two cards
	u32 num_units, rounds, num_hands, two_cards;
};

// The parameters that make up these two: the driver takes no structs here.
#define UNITS \
	const Unit *units, const River *rivers, const u64 *order, const u32 *hands, const u32 *buckets, const u32 *classes, const u32 *members, \
		const u32 *cards, u32 num_units, u32 rounds, u32 num_hands, u32 two_cards
#define THE_UNITS {units, rivers, order, hands, buckets, classes, members, cards, num_units, rounds, num_hands, two_cards}
#define ROUND const Op *ops, const float *table, const float *pays, const u32 *next, u32 num_ops, u32 columns, u32 width
#define THE_ROUND {ops, table, pays, next, num_ops, columns, width}

INLINE u32 hand_of(u64 entry) { return (u32)entry & ((1u << hand_bits) - 1); }
INLINE u32 first_card(u64 entry) { return (u32)entry >> hand_bits & ((1u << card_bits) - 1); }
INLINE u32 second_card(u64 entry) { return (u32)entry >> (hand_bits + card_bits) & ((1u << card_bits) - 1); }

// joined returns what a slot has after a value is stored, added, or kept if it is larger.
template <class Real> INLINE Real joined(Real old, Real value, u32 mode) {
	if (mode == maximum)
		return value > old ? value : old;
	return mode == sum ? old + value : value;
}

// br_reach computes the opponent's reach at the start of a round, by unit, hand and
// sequence. A factor of a sequence is a round, the index of a probability in the tables for
// bucket 0, and the distance to the next bucket's.
struct Factor {
	u32 round, index, stride;
};
__global__ void br_reach(const Factor *factors, const u32 *starts, const float *tables, const u32 *buckets, float *reach, u32 num_units,
						 u32 rounds, u32 num_hands, u32 width) {
	const u64 n = (u64)num_units * num_hands * width;
	for (u64 i = thread_in_grid(); i < n; i += threads_in_grid()) {
		const u32 lane = i % width, hand = i / width % num_hands;
		const u32 *bucket = buckets + i / width / num_hands * rounds * num_hands + hand;
		float x = 1;
		for (u32 k = starts[lane]; k < starts[lane + 1]; k++) {
			const Factor f = factors[k];
			x *= tables[f.index + (u64)bucket[f.round * num_hands] * f.stride];
		}
		reach[i] = x;
	}
}

// Board is the state of a thread on a board of the last round.
struct Board {
	const u64 *order;
	const float *reach; // of the thread's sequence, by hand
	const float *table; // of the thread's sequence
	float *by;                       // the thread's column of the sums by card
	float *before, *slots;           // the thread's columns, by position in the order
	u32 hands, width, stride, max_hands, two_cards;

	INLINE float &card(u32 c) const { return by[c * lanes]; }

	// without returns the sum over the hands that share no card with a hand, less that
	// hand's own reach if it is in the sums.
	INLINE float without(u64 entry, float all) const {
		const float rest = all - card(first_card(entry));
		return two_cards ? rest - card(second_card(entry)) : rest;
	}
};

// Reach is the reach of a hand after a path of LENGTH columns, or of any length.
template <u32 LENGTH> struct Reach {
	u32 length, column[LENGTH > max_path ? max_path : LENGTH + 1];

	INLINE Reach(const Op &o, u32 width) : length(o.length) {
#pragma unroll
		for (u32 k = 0; k < (LENGTH > max_path ? max_path : LENGTH); k++)
			column[k] = o.path[k] * width;
	}
	INLINE float of(const Board &b, u64 entry) const {
		float x = b.reach[hand_of(entry) * b.width];
		const float *row = b.table + (u64)(u32)(entry >> 32) * b.stride;
#pragma unroll
		for (u32 k = 0; k < (LENGTH > max_path ? max_path : LENGTH); k++)
			if (LENGTH <= max_path || k < length)
				x *= row[column[k]];
		return x;
	}
};
constexpr u32 any_length = max_path + 1;

// add adds the reach of N hands from position k on to the sums by card, and returns the
// sum over all.
template <u32 N, class R> INLINE float add(const Board &b, const R &reach, u32 k, float all) {
	float x[N];
	u64 entry[N];
#pragma unroll
	for (u32 i = 0; i < N; i++) {
		entry[i] = b.order[k + i];
		x[i] = reach.of(b, entry[i]);
	}
#pragma unroll
	for (u32 i = 0; i < N; i++) {
		all += x[i];
		b.card(first_card(entry[i])) += x[i];
		if (b.two_cards)
			b.card(second_card(entry[i])) += x[i];
	}
	return all;
}

template <class R> INLINE float add_range(const Board &b, const R &reach, u32 from, u32 to, float all) {
	for (; from + 4 <= to; from += 4)
		all = add<4>(b, reach, from, all);
	for (; from < to; from++)
		all = add<1>(b, reach, from, all);
	return all;
}

// note stores, or adds, the sums without N hands.
template <u32 N, bool ADD> INLINE void note(const Board &b, u32 k, float all) {
	float x[N];
#pragma unroll
	for (u32 i = 0; i < N; i++)
		x[i] = ADD ? b.before[(k + i) * lanes] : 0;
#pragma unroll
	for (u32 i = 0; i < N; i++) {
		const float rest = b.without(b.order[k + i], all);
		x[i] = ADD ? x[i] + rest : rest;
	}
#pragma unroll
	for (u32 i = 0; i < N; i++)
		b.before[(k + i) * lanes] = x[i];
}

// finish computes the values of N hands and puts them into a slot.
template <u32 N, class R> INLINE void finish(const Board &b, const Op &o, const R &reach, u32 k, float all, float pay, float fold_pay) {
	float value[N], old[N], x[N];
	u64 entry[N];
	float *slot = b.slots + ((u64)o.slot * b.max_hands + k) * lanes;
#pragma unroll
	for (u32 i = 0; i < N; i++) {
		entry[i] = b.order[k + i];
		x[i] = o.kind != showdown && b.two_cards ? reach.of(b, entry[i]) : 0;
		value[i] = o.kind != fold ? b.before[(k + i) * lanes] : 0;
		old[i] = o.mode != set ? slot[i * lanes] : 0;
	}
#pragma unroll
	for (u32 i = 0; i < N; i++) {
		const float rest = b.without(entry[i], all);
		const float folded = (b.two_cards ? rest + x[i] : rest) * fold_pay;
		value[i] = (value[i] - rest) * pay;
		if (o.kind == fold)
			value[i] = folded;
		else if (o.kind == call)
			value[i] = joined(value[i], folded, maximum);
	}
#pragma unroll
	for (u32 i = 0; i < N; i++)
		slot[i * lanes] = joined(old[i], value[i], o.mode);
}

// chunks calls f for four hands of a range at a time, and then for one.
template <class F> INLINE void chunks(u32 from, u32 to, F f) {
	for (; from + 4 <= to; from += 4)
		f.template operator()<4>(from);
	for (; from < to; from++)
		f.template operator()<1>(from);
}

template <u32 LENGTH> INLINE void end(const Board &b, const Op &o, float pay, float fold_pay, u32 deck) {
	const Reach<LENGTH> reach(o, b.width);
	for (u32 c = 0; c < deck; c++)
		b.card(c) = 0;
	float all = 0;
	if (o.kind == fold)
		all = add_range(b, reach, 0, b.hands, all);
	else
		for (u32 from = 0; from < b.hands;) {
			u32 to = from + 1;
			while (to < b.hands && !((u32)b.order[to] & higher))
				to++;
			chunks(from, to, [&]<u32 N>(u32 k) { note<N, false>(b, k, all); });
			all = add_range(b, reach, from, to, all);
			chunks(from, to, [&]<u32 N>(u32 k) { note<N, true>(b, k, all); });
			from = to;
		}
	chunks(0, b.hands, [&]<u32 N>(u32 k) { finish<N>(b, o, reach, k, all, pay, fold_pay); });
}

INLINE void operate(const Board &b, const Op &o, const float *pays, u32 deck) {
	if (o.kind == join) {
		float *to = b.slots + (u64)o.slot * b.max_hands * lanes;
		const float *from = b.slots + (u64)o.arg * b.max_hands * lanes;
		for (u32 k = 0; k < b.hands; k++)
			to[k * lanes] = joined(to[k * lanes], from[k * lanes], o.mode);
		return;
	}
	const float pay = pays[o.arg * b.width], fold_pay = o.kind == call ? pays[o.fold * b.width] : pay;
	switch (o.length) {
	case 0:
		return end<0>(b, o, pay, fold_pay, deck);
	case 1:
		return end<1>(b, o, pay, fold_pay, deck);
	case 2:
		return end<2>(b, o, pay, fold_pay, deck);
	case 3:
		return end<3>(b, o, pay, fold_pay, deck);
	}
	end<any_length>(b, o, pay, fold_pay, deck);
}

// br_rivers sums the values of the last round over the boards of each unit, by unit, hand
// and sequence. A block has a unit and 32 sequences, which it draws from a counter. Its
// scratch memory has room for the vectors of a board.
__global__ LAUNCH_BOUNDS(32, 24) void br_rivers(UNITS, ROUND, const float *reach, double *after, float *scratch, u32 *counter, u32 slots, u32 deck) {
	const Units u THE_UNITS;
	const Round r THE_ROUND;
	DYNAMIC_SHARED(float, by);
	const u32 lane = thread_in_block(), tiles = r.width / lanes;
	Board b;
	b.by = by + lane;
	b.before = scratch + (u64)block_in_grid() * (slots + 1) * u.num_hands * lanes + lane;
	b.slots = b.before + (u64)u.num_hands * lanes;
	b.width = r.width, b.stride = r.columns * r.width, b.max_hands = u.num_hands, b.two_cards = u.two_cards;
	for (;;) {
		u32 task = 0;
		if (lane == 0)
			task = fetch_add(counter, 1u);
		task = shuffle(task, 0);
		if (task >= u.num_units * tiles)
			return;
		const Unit unit = u.units[task / tiles];
		const u32 column = task % tiles * lanes + lane;
		const u64 first = (u64)(task / tiles) * u.num_hands * r.width + column;
		b.reach = reach + first;
		b.table = r.table + column;
		double *sums = after + first;
		for (u32 h = 0; h < u.num_hands; h++)
			sums[(u64)h * r.width] = 0;
		for (u32 i = 0; i < unit.rivers; i++) {
			const River river = u.rivers[unit.river + i];
			b.order = u.order + river.first;
			b.hands = river.hands;
			for (u32 k = 0; k < r.num_ops; k++)
				operate(b, r.ops[k], r.pays + column, deck);
			chunks(0, b.hands, [&]<u32 N>(u32 k) {
				double old[N];
				float value[N];
#pragma unroll
				for (u32 j = 0; j < N; j++) {
					old[j] = sums[(u64)hand_of(b.order[k + j]) * r.width];
					value[j] = b.slots[(k + j) * lanes];
				}
#pragma unroll
				for (u32 j = 0; j < N; j++)
					sums[(u64)hand_of(b.order[k + j]) * r.width] = old[j] + (double)river.count * (double)value[j];
			});
		}
	}
}

// br_mean makes the sums of hands that a renaming of the suits joins equal to their mean.
__global__ void br_mean(UNITS, double *after, u32 width) {
	const Units u THE_UNITS;
	const u64 n = (u64)u.num_units * width;
	for (u64 i = thread_in_grid(); i < n; i += threads_in_grid()) {
		const Unit unit = u.units[i / width];
		double *sums = after + i / width * u.num_hands * width + i % width;
		for (u32 c = unit.cls; c < unit.cls + unit.classes; c++) {
			double total = 0;
			for (u32 k = u.classes[c]; k < u.classes[c + 1]; k++)
				total += sums[(u64)u.members[k] * width];
			total /= (double)(u.classes[c + 1] - u.classes[c]);
			for (u32 k = u.classes[c]; k < u.classes[c + 1]; k++)
				sums[(u64)u.members[k] * width] = total;
		}
	}
}

// br_round values the round before the last, from the sums of the last: a block has a unit
// and 32 sequences of that round.
__global__ LAUNCH_BOUNDS(32, 8) void br_round(UNITS, ROUND, u32 round, const float *reach, const double *after, u32 after_width,
											  u64 scale_bits, double *scratch, float *values, u32 slots, u32 deck) {
	const Units u THE_UNITS;
	const Round r THE_ROUND;
	double scale;
	__builtin_memcpy(&scale, &scale_bits, sizeof scale);
	DYNAMIC_SHARED(double, by);
	const u32 lane = thread_in_block(), tiles = r.width / lanes, task = block_in_grid();
	const Unit unit = u.units[task / tiles];
	const u32 column = task % tiles * lanes + lane;
	const u32 *left = u.hands + unit.hand;
	const u32 *bucket = u.buckets + ((u64)(task / tiles) * u.rounds + round) * u.num_hands;
	const u64 first = (u64)(task / tiles) * u.num_hands * r.width + column;
	double *slot = scratch + (u64)task * slots * u.num_hands * lanes + lane;
	const float *own = reach + first;
	const double *sums = after + (u64)(task / tiles) * u.num_hands * after_width;
	const u64 size = (u64)u.num_hands * lanes;
	for (u32 i = 0; i < r.num_ops; i++) {
		const Op &o = r.ops[i];
		double *to = slot + o.slot * size;
		if (o.kind == join) {
			for (u32 k = 0; k < unit.hands; k++) {
				const u64 at = (u64)left[k] * lanes;
				to[at] = joined(to[at], slot[o.arg * size + at], o.mode);
			}
			continue;
		}
		if (o.kind == deal) {
			const u32 next = r.next[o.arg * r.width + column];
			for (u32 k = 0; k < unit.hands; k++) {
				const u64 at = (u64)left[k] * lanes;
				const double value = next == ~0u ? 0 : sums[(u64)left[k] * after_width + next] * scale;
				to[at] = joined(o.mode == set ? 0 : to[at], value, o.mode);
			}
			continue;
		}
		auto reached = [&](u32 h) {
			float x = own[(u64)h * r.width];
			const float *row = r.table + (u64)bucket[h] * r.columns * r.width + column;
			for (u32 k = 0; k < o.length; k++)
				x *= row[o.path[k] * r.width];
			return x;
		};
		for (u32 c = 0; c < deck; c++)
			by[c * lanes + lane] = 0;
		double all = 0;
		for (u32 k = 0; k < unit.hands; k++) {
			const double x = reached(left[k]);
			const u32 pair = u.cards[left[k]];
			all += x;
			by[(pair & 0xffff) * lanes + lane] += x;
			if (u.two_cards)
				by[(pair >> 16) * lanes + lane] += x;
		}
		const double pay = r.pays[o.arg * r.width + column];
		for (u32 k = 0; k < unit.hands; k++) {
			const u64 at = (u64)left[k] * lanes;
			const u32 pair = u.cards[left[k]];
			double rest = all - by[(pair & 0xffff) * lanes + lane];
			if (u.two_cards)
				rest = rest - by[(pair >> 16) * lanes + lane] + (double)reached(left[k]);
			to[at] = joined(o.mode == set ? 0 : to[at], rest * pay, o.mode);
		}
	}
	for (u32 k = 0; k < unit.hands; k++)
		values[first + (u64)left[k] * r.width] = (float)slot[(u64)left[k] * lanes];
}
