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
constexpr u32 max_ends = 3;   // of a pass
constexpr u32 max_shared = 2; // actions of the path of several ends

// An entry of a board's order is a hand: its number, its cards, in the first of the hands
// of a rank how many there are, and its bucket.
constexpr u32 hand_bits = 11, card_bits = 6, ties_bits = 11;
constexpr u32 cards_at = hand_bits, ties_at = cards_at + 2 * card_bits, bucket_at = ties_at + ties_bits;

enum Kind : u32 { fold, showdown, call, deal, join };
enum Mode : u32 { set, maximum, sum };

// Op is an operation, see bestresponse.op.
struct Op {
	u32 kind, mode, slot, arg, fold, length, path[max_path], padding[2];
};

// End is a terminal node at the end of a path, or after one action more, a column. With the
// kind join it is another slot.
struct End {
	u32 kind, mode, arg, fold, column;
};
constexpr u32 no_column = ~0u;

// Pass is some ends whose values are computed at once and put into a slot, one after the
// other. One of them at most is a call.
struct Pass {
	u32 ends, slot, length, path[max_path];
	End end[max_ends];
	u32 padding[6];
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

// River is a board of the last round: the canonical board that it is but for the names of
// suits, the renaming that turns that one's hands into its own, and how many boards it
// stands for.
struct River {
	u32 board, renaming, count;
};

// Units is a batch of units.
struct Units {
	const Unit *units;
	const River *rivers;
	const u64 *order;   // by river and rank
	const u32 *hands;   // by unit
	const u32 *buckets; // by unit, round and hand
	const u32 *classes; // by unit, where the members start; and the end
	const u32 *members;
	const u32 *cards; // by hand, the two cards
	u32 num_units, rounds, num_hands, river_hands, two_cards;
};

// The parameters that make up these two: the driver takes no structs here.
#define UNITS \
	const Unit *units, const River *rivers, const u64 *order, const u32 *hands, const u32 *buckets, const u32 *classes, const u32 *members, \
		const u32 *cards, u32 num_units, u32 rounds, u32 num_hands, u32 river_hands, u32 two_cards
#define THE_UNITS {units, rivers, order, hands, buckets, classes, members, cards, num_units, rounds, num_hands, river_hands, two_cards}
#define ROUND const Op *ops, const float *table, const float *pays, const u32 *next, u32 num_ops, u32 columns, u32 width
#define THE_ROUND {ops, table, pays, next, num_ops, columns, width}

INLINE u32 hand_of(u64 entry) { return (u32)entry & ((1u << hand_bits) - 1); }
INLINE u32 first_card(u64 entry) { return (u32)entry >> cards_at & ((1u << card_bits) - 1); }
INLINE u32 second_card(u64 entry) { return (u32)entry >> (cards_at + card_bits) & ((1u << card_bits) - 1); }
INLINE u32 ties_of(u64 entry) { return (u32)(entry >> ties_at) & ((1u << ties_bits) - 1); }
INLINE u32 bucket_of(u64 entry) { return (u32)(entry >> bucket_at); }

// joined returns what a slot has after a value is stored, added, or kept if it is larger.
template <class Real> INLINE Real joined(Real old, Real value, u32 mode) {
	if (mode == maximum)
		return value > old ? value : old;
	return mode == sum ? old + value : value;
}

// br_order writes the orders of a batch's rivers, from those of the canonical boards.
__global__ void br_order(const River *rivers, const u64 *canonical, const u32 *renamed, const u32 *cards, u64 *order, u32 num_rivers,
						 u32 num_hands, u32 river_hands) {
	const u64 n = (u64)num_rivers * river_hands;
	for (u64 i = thread_in_grid(); i < n; i += threads_in_grid()) {
		const River r = rivers[i / river_hands];
		const u64 entry = canonical[(u64)r.board * river_hands + i % river_hands];
		const u32 hand = renamed[r.renaming * num_hands + hand_of(entry)], pair = cards[hand];
		order[i] = entry >> ties_at << ties_at | (pair >> 16) << (cards_at + card_bits) | (pair & 0xffff) << cards_at | hand;
	}
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
	float *by;          // the thread's columns of the sums by card
	float *slots;       // the thread's columns, by slot and position in the order
	u32 hands, width, stride, two_cards;

	// card is the sum of an end over the hands with a card.
	INLINE float &card(u32 c, u32 end) const { return by[(c * (max_ends + 1) + end) * lanes]; }

	// without returns the sum over the hands that share no card with a hand, less that
	// hand's own reach if it is in the sums.
	INLINE float without(u64 entry, u32 end, float all) const {
		const float rest = all - card(first_card(entry), end);
		return two_cards ? rest - card(second_card(entry), end) : rest;
	}
};

// totals is the place of the sums over all hands of a call, whose own have the hands by
// rank.
constexpr u32 totals = max_ends;

// Ends is the state of a thread in a pass of N ends.
template <u32 N> struct Ends {
	static constexpr u32 max_length = N == 1 ? max_path : max_shared;
	u32 length, path[max_length], kind[N], mode[N], column[N];
	float pay[N], fold_pay[N], all[N], total;
	bool ranked, own; // whether there are showdowns, and whether a hand's own reach is needed

	INLINE Ends(const Board &b, const Pass &p, const float *pays) : length(p.length), total(0), ranked(false), own(false) {
		const u32 width = b.width;
#pragma unroll
		for (u32 k = 0; k < max_length; k++)
			path[k] = p.path[k] * width;
#pragma unroll
		for (u32 i = 0; i < N; i++) {
			const End &e = p.end[i];
			kind[i] = e.kind, mode[i] = e.mode, all[i] = 0;
			column[i] = e.column == no_column ? no_column : e.column * width;
			pay[i] = pays[e.arg * width];
			fold_pay[i] = e.kind == call ? pays[e.fold * width] : pay[i];
			ranked |= kind[i] != fold;
			own |= kind[i] != showdown && b.two_cards;
		}
	}

	// reach sets x to the reach of a hand at the ends.
	INLINE void reach(const Board &b, u64 entry, float *x) const {
		float before = b.reach[hand_of(entry) * b.width];
		const float *row = b.table + (u64)bucket_of(entry) * b.stride;
#pragma unroll
		for (u32 k = 0; k < max_length; k++)
			if (k < length)
				before *= row[path[k]];
#pragma unroll
		for (u32 i = 0; i < N; i++)
			x[i] = column[i] == no_column ? before : before * row[column[i]];
	}

	// add adds the reach of HANDS hands from position k on to the sums, of all ends or of
	// showdowns only.
	template <u32 HANDS, bool ALL> INLINE void add(const Board &b, u32 k) {
		float x[HANDS][N];
		u64 entry[HANDS];
#pragma unroll
		for (u32 h = 0; h < HANDS; h++) {
			entry[h] = b.order[k + h];
			reach(b, entry[h], x[h]);
		}
#pragma unroll
		for (u32 h = 0; h < HANDS; h++) {
			const u32 first = first_card(entry[h]), second = second_card(entry[h]);
			float old[N][2];
#pragma unroll
			for (u32 i = 0; i < N; i++)
				if (ALL || kind[i] != fold) {
					old[i][0] = b.card(first, i);
					old[i][1] = b.two_cards ? b.card(second, i) : 0;
				}
#pragma unroll
			for (u32 i = 0; i < N; i++)
				if (ALL || kind[i] != fold) {
					all[i] += x[h][i];
					b.card(first, i) = old[i][0] + x[h][i];
					if (b.two_cards)
						b.card(second, i) = old[i][1] + x[h][i];
				}
		}
	}

	// finish computes the values of HANDS hands and puts them into a slot.
	template <u32 HANDS> INLINE void finish(const Board &b, float *slot, u32 k) const {
		float x[HANDS][N], value[HANDS];
		u64 entry[HANDS];
#pragma unroll
		for (u32 h = 0; h < HANDS; h++) {
			entry[h] = b.order[k + h];
			if (own)
				reach(b, entry[h], x[h]);
			value[h] = mode[0] == set ? 0 : slot[(k + h) * lanes];
		}
#pragma unroll
		for (u32 h = 0; h < HANDS; h++)
#pragma unroll
			for (u32 i = 0; i < N; i++) {
				float end = b.without(entry[h], i, all[i]);
				if (kind[i] == fold && own) // it was subtracted twice
					end += x[h][i];
				end *= pay[i];
				if (kind[i] == call) {
					float folded = b.without(entry[h], totals, total);
					if (own)
						folded += x[h][i];
					end = joined(end, folded * fold_pay[i], maximum);
				}
				value[h] = joined(value[h], end, mode[i]);
			}
#pragma unroll
		for (u32 h = 0; h < HANDS; h++)
			slot[(k + h) * lanes] = value[h];
	}

	// rank turns the sums over all hands into their negatives, the sums of a call after
	// keeping them: so they begin as the sum over the worse hands less that over the others.
	INLINE void rank(const Board &b, u32 deck) {
#pragma unroll
		for (u32 i = 0; i < N; i++) {
			if (kind[i] == fold)
				continue;
			if (kind[i] == call)
				total = all[i];
			all[i] = -all[i];
			for (u32 c = 0; c < deck; c++) {
				if (kind[i] == call)
					b.card(c, totals) = b.card(c, i);
				b.card(c, i) = -b.card(c, i);
			}
		}
	}
};

// chunks calls f for four hands of a range at a time, and then for one.
template <class F> INLINE void chunks(u32 from, u32 to, F f) {
	for (; from + 4 <= to; from += 4)
		f.template operator()<4>(from);
	for (; from < to; from++)
		f.template operator()<1>(from);
}

// pass_of computes a pass. The reach of the hands of a rank is added twice, once before
// their values are computed, so that better and worse hands have the signs of their
// showdowns and hands of the same rank have none.
template <u32 N> INLINE void pass_of(const Board &b, const Pass &p, const float *pays, u32 deck) {
	Ends<N> ends(b, p, pays);
	float *slot = b.slots + (u64)p.slot * b.hands * lanes;
	for (u32 c = 0; c < deck; c++)
#pragma unroll
		for (u32 i = 0; i < N; i++)
			b.card(c, i) = 0;
	chunks(0, b.hands, [&]<u32 HANDS>(u32 k) { ends.template add<HANDS, true>(b, k); });
	if (!ends.ranked) {
		chunks(0, b.hands, [&]<u32 HANDS>(u32 k) { ends.template finish<HANDS>(b, slot, k); });
		return;
	}
	ends.rank(b, deck);
	for (u32 from = 0; from < b.hands;) {
		const u32 to = from + ties_of(b.order[from]);
		chunks(from, to, [&]<u32 HANDS>(u32 k) { ends.template add<HANDS, false>(b, k); });
		chunks(from, to, [&]<u32 HANDS>(u32 k) { ends.template finish<HANDS>(b, slot, k); });
		chunks(from, to, [&]<u32 HANDS>(u32 k) { ends.template add<HANDS, false>(b, k); });
		from = to;
	}
}

INLINE void compute(const Board &b, const Pass &p, const float *pays, u32 deck) {
	if (p.end[0].kind == join) {
		float *to = b.slots + (u64)p.slot * b.hands * lanes;
		const float *from = b.slots + (u64)p.end[0].arg * b.hands * lanes;
		chunks(0, b.hands, [&]<u32 HANDS>(u32 k) {
			float old[HANDS], value[HANDS];
#pragma unroll
			for (u32 h = 0; h < HANDS; h++)
				old[h] = to[(k + h) * lanes], value[h] = from[(k + h) * lanes];
#pragma unroll
			for (u32 h = 0; h < HANDS; h++)
				to[(k + h) * lanes] = joined(old[h], value[h], p.end[0].mode);
		});
		return;
	}
	switch (p.ends) {
	case 1:
		return pass_of<1>(b, p, pays, deck);
	case 2:
		return pass_of<2>(b, p, pays, deck);
	}
	pass_of<max_ends>(b, p, pays, deck);
}

// br_rivers sums the values of the last round over the boards of each unit, by unit, hand
// and sequence. A block has a unit and 32 sequences, which it draws from a counter. Its
// scratch memory has room for the slots of a board.
__global__ LAUNCH_BOUNDS(32, 8) void br_rivers(UNITS, const Pass *passes, const float *table, const float *pays, u32 num_passes, u32 columns, u32 width,
											   const float *reach, double *after, float *scratch, u32 *counter, u32 slots, u32 deck) {
	const Units u THE_UNITS;
	DYNAMIC_SHARED(float, by);
	const u32 lane = thread_in_block(), tiles = width / lanes;
	Board b;
	b.by = by + lane;
	b.slots = scratch + (u64)block_in_grid() * slots * u.river_hands * lanes + lane;
	b.hands = u.river_hands;
	b.width = width, b.stride = columns * width, b.two_cards = u.two_cards;
	for (;;) {
		u32 task = 0;
		if (lane == 0)
			task = fetch_add(counter, 1u);
		task = shuffle(task, 0);
		if (task >= u.num_units * tiles)
			return;
		const Unit unit = u.units[task / tiles];
		const u32 column = task % tiles * lanes + lane;
		const u64 first = (u64)(task / tiles) * u.num_hands * width + column;
		b.reach = reach + first;
		b.table = table + column;
		double *sums = after + first;
		for (u32 h = 0; h < u.num_hands; h++)
			sums[(u64)h * width] = 0;
		for (u32 i = unit.river; i < unit.river + unit.rivers; i++) {
			const double count = u.rivers[i].count;
			b.order = u.order + (u64)i * u.river_hands;
			for (u32 k = 0; k < num_passes; k++)
				compute(b, passes[k], pays + column, deck);
			chunks(0, b.hands, [&]<u32 HANDS>(u32 k) {
				double old[HANDS];
				float value[HANDS];
#pragma unroll
				for (u32 h = 0; h < HANDS; h++) {
					old[h] = sums[(u64)hand_of(b.order[k + h]) * width];
					value[h] = b.slots[(k + h) * lanes];
				}
#pragma unroll
				for (u32 h = 0; h < HANDS; h++)
					sums[(u64)hand_of(b.order[k + h]) * width] = old[h] + count * (double)value[h];
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
	for (u32 h = 0; h < u.num_hands; h++)
		values[first + (u64)h * r.width] = 0;
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

// br_parts sums the values of the units of each part, by part, hand and sequence. A part
// has its first unit in starts; the next one's is its end.
__global__ void br_parts(UNITS, const u32 *starts, const u32 *counts, const float *values, double *sums, u32 num_parts, u32 width) {
	const Units u THE_UNITS;
	const u64 n = (u64)num_parts * u.num_hands * width;
	for (u64 i = thread_in_grid(); i < n; i += threads_in_grid()) {
		const u32 lane = i % width, hand = i / width % u.num_hands, part = i / width / u.num_hands;
		double sum = 0;
		for (u32 k = starts[part]; k < starts[part + 1]; k++)
			sum += (double)counts[k] * (double)values[((u64)k * u.num_hands + hand) * width + lane];
		sums[i] = sum;
	}
}
