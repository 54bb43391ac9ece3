// PTXFLAGS: -mllvm -inline-threshold=100000 -mllvm -disable-cgp-select2branch
// The best response to a strategy in poker, board by board (Johanson et al.,
// "Accelerating best response calculation in large extensive games", IJCAI 2011).
//
// A thread has one betting sequence that leads to a round, and goes through the hands. The 32
// sequences of a tile have the same decisions and ends, and differ in pots and probabilities. So a
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
constexpr u32 short_path = 2; // of most passes

// at_once is how many hands a thread treats at a time, so that their loads are under way
// together. More have more waste where a rank has few hands.
constexpr u32 at_once = 4;

// An entry of a board's order is a hand: its number, its cards, in the first of the hands
// of a rank how many there are, and its bucket.
constexpr u32 hand_bits = 11, card_bits = 6, ties_bits = 11;
constexpr u32 cards_at = hand_bits, ties_at = cards_at + 2 * card_bits, bucket_at = ties_at + ties_bits;

enum Kind : u32 { fold, showdown, call, deal, joining };
enum Mode : u32 { set, maximum, sum, none };

// Op is an operation, see layout.Op of package bestresponse.
struct Op {
	u32 kind, mode, slot, arg, fold, length, path[max_path], padding[2];
};

// End is a terminal node at the end of a path, or after one action more, a column. With the
// mode none there is no such node.
struct End {
	u32 mode, arg, fold, column;
};
constexpr u32 no_column = ~0u;

// Pass is a fold, a showdown and a call whose values are computed at once and put into a
// slot, in this order or with the call first. Ends has the bits of those that there are. If
// there are none, another slot is joined with this one, as fold says.
struct Pass {
	u32 ends, slot, call_first, length, path[max_path];
	End fold, showdown, call;
};
constexpr u32 has_fold = 1, has_showdown = 2, has_call = 4, all_ends = has_fold | has_showdown | has_call;

// Tile is 32 sequences of a part of a betting round: where its operations start (passes in the last
// round), and at its first sequence the opponent's probabilities by bucket, column and sequence of
// the part, the pays by end and sequence, and the numbers of the next round's sequences by deal and
// sequence. Lane is the number of its first sequence in the round.
struct Tile {
	u64 table, pays, next;
	u32 ops, num_ops, columns, width, lane, padding;
};

// Round is a betting round.
struct Round {
	const Tile *tiles;
	const float *table, *pays;
	u32 num_tiles, width;
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
	const Unit *units, const River *rivers, const u64 *order, const u32 *hands, const u32 *buckets, \
		const u32 *classes, const u32 *members, \
		const u32 *cards, u32 num_units, u32 rounds, u32 num_hands, u32 river_hands, u32 two_cards
#define THE_UNITS {units, rivers, order, hands, buckets, classes, members, cards, num_units, rounds, \
	num_hands, river_hands, two_cards}
#define ROUND const Tile *tiles, const float *table, const float *pays, u32 num_tiles, u32 width
#define THE_ROUND {tiles, table, pays, num_tiles, width}

INLINE u32 hand_of(u64 entry) { return (u32)entry & ((1u << hand_bits) - 1); }
INLINE u32 first_card(u64 entry) { return (u32)entry >> cards_at & ((1u << card_bits) - 1); }
INLINE u32 second_card(u64 entry) { return (u32)entry >> (cards_at + card_bits) & ((1u << card_bits) - 1); }
INLINE u32 ties_of(u64 entry) { return (u32)(entry >> ties_at) & ((1u << ties_bits) - 1); }
INLINE u32 bucket_of(u64 entry) { return upper_half(entry) >> (bucket_at - 32); }

// joined returns what a slot has after a value is stored, added, or kept if it is larger.
template <class Real> INLINE Real joined(Real old, Real value, u32 mode) {
	if (mode == maximum)
		return value > old ? value : old;
	return mode == sum ? old + value : value;
}

// Join is a mode for many values, which it joins without branches.
struct Join {
	bool stores, adds, drops;

	INLINE Join() {}
	INLINE Join(u32 mode) : stores(mode == set), adds(mode == sum), drops(mode == none) {}
	INLINE float of(float old, float value) const {
		const float both = old + value;
		old = stores ? -__builtin_inff() : old;
		value = drops ? -__builtin_inff() : value;
		const float larger = value > old ? value : old;
		return adds ? both : larger;
	}
};

// br_order writes the orders of a batch's rivers, from those of the canonical boards.
__global__ void br_order(const River *rivers, const u64 *canonical, const u32 *renamed, const u32 *cards, u64 *order,
		u32 num_rivers, u32 num_hands, u32 river_hands) {
	const u64 n = (u64)num_rivers * river_hands;
	for (u64 i = thread_in_grid(); i < n; i += threads_in_grid()) {
		const River r = rivers[i / river_hands];
		const u64 entry = canonical[(u64)r.board * river_hands + i % river_hands];
		const u32 hand = renamed[r.renaming * num_hands + hand_of(entry)], pair = cards[hand];
		order[i] = entry >> ties_at << ties_at | (pair >> 16) << (cards_at + card_bits) |
			(pair & 0xffff) << cards_at | hand;
	}
}

// br_reach computes the opponent's reach at the start of a round, by unit, hand and
// sequence. A factor of a sequence is a round, the index of a probability in the tables for
// bucket 0, and the distance to the next bucket's.
struct Factor {
	u32 round, index, stride;
};
__global__ void br_reach(const Factor *factors, const u32 *starts, const float *tables, const u32 *buckets,
		float *reach, u32 num_units, u32 rounds, u32 num_hands, u32 width) {
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
	const float *one;   // a probability of 1
	float *by;          // the thread's columns of the sums by card
	float *slots;       // the thread's columns, by slot and position in the order
	u32 hands, deck;
	u32 width, stride; // of the part
	u32 row;           // sequences of the round
	float second; // 1 if hands have two cards, or else 0

	INLINE const float *reach_of(u64 entry) const {
		return (const float *)((const char *)reach + multiply_wide(hand_of(entry), row * 4));
	}
};

// Sums are the sums of reach that a pass has by card: of a fold over all hands, of a showdown
// and a call over the worse hands less those over the better ones, and of a call over all.
enum Sums : u32 { fold_sum, showdown_sum, call_sum, call_total, num_sums };

// Probability is that of an action by bucket, or 1.
struct Probability {
	const char *at;
	u32 stride; // in bytes

	INLINE Probability() {}
	INLINE Probability(const Board &b, u32 column)
		: at((const char *)(column == no_column ? b.one : b.table + (u64)column * b.width)),
		  stride(column == no_column ? 0 : b.stride * 4) {}
	INLINE float of(u32 bucket) const { return *(const float *)(at + multiply_wide(bucket, stride)); }
};

// each calls f for the hands of a range, some at once, with their entries. Where their number
// does not divide the range, the last hand comes more often. The entries of the next hands
// are loaded meanwhile.
template <class F> INLINE void each(const Board &b, u32 from, u32 to, F f) {
	u64 entry[at_once], next[at_once];
	auto load = [&](u64 *entries, u32 k) {
#pragma unroll
		for (u32 h = 0; h < at_once; h++)
			entries[h] = b.order[k + h < to ? k + h : to - 1];
	};
	load(next, from);
	for (u32 k = from; k < to; k += at_once) {
#pragma unroll
		for (u32 h = 0; h < at_once; h++)
			entry[h] = next[h];
		load(next, k + at_once);
		f(k, entry);
	}
}

// Ends is the state of a thread in a pass with the ends of the bits HAS, after a path of at
// most LENGTH actions. There are no branches in what it does for a hand, so that many loads
// are under way.
template <u32 HAS, u32 LENGTH> struct Ends {
	static constexpr u32 N = 3; // of the kinds fold, showdown and call
	const Board &b;
	Probability path[LENGTH + 1], column[N];
	Join join[N], first_join; // of a call that comes first
	float pay[N], fold_pay, all[num_sums];

	static constexpr bool has(u32 end) { return HAS >> end & 1; }

	INLINE Ends(const Board &board, const Pass &p, const float *pays)
		: b(board), first_join(p.call_first ? p.call.mode : none) {
		const End end[N] = {p.fold, p.showdown, p.call};
#pragma unroll
		for (u32 k = 0; k < LENGTH; k++)
			path[k] = Probability(b, k < p.length ? p.path[k] : no_column);
#pragma unroll
		for (u32 i = 0; i < N; i++) {
			column[i] = Probability(b, end[i].column);
			join[i] = Join(i == call && p.call_first ? none : end[i].mode);
			pay[i] = pays[end[i].arg * b.width];
		}
		fold_pay = pays[p.call.fold * b.width];
#pragma unroll
		for (u32 i = 0; i < num_sums; i++)
			all[i] = 0;
	}

	INLINE float &card(u32 c, u32 i) const { return b.by[(c * num_sums + i) * lanes]; }

	// reach sets x to the reach of some hands at the ends; that of hands from position `to` on
	// is 0. All loads come first.
	INLINE void reach(const u64 *entry, u32 k, u32 to, float (&x)[at_once][N]) const {
		float before[at_once], factor[at_once][LENGTH + N];
#pragma unroll
		for (u32 h = 0; h < at_once; h++) {
			const u32 bucket = bucket_of(entry[h]);
			before[h] = *b.reach_of(entry[h]);
#pragma unroll
			for (u32 i = 0; i < LENGTH; i++)
				factor[h][i] = path[i].of(bucket);
#pragma unroll
			for (u32 i = 0; i < N; i++)
				if (has(i))
					factor[h][LENGTH + i] = column[i].of(bucket);
		}
#pragma unroll
		for (u32 h = 0; h < at_once; h++) {
			before[h] = opaque(before[h]); // else the compiler waits for one hand's loads before the next one's
			before[h] = k + h < to ? before[h] : 0;
#pragma unroll
			for (u32 i = 0; i < LENGTH; i++)
				before[h] *= factor[h][i];
#pragma unroll
			for (u32 i = 0; i < N; i++)
				if (has(i))
					x[h][i] = before[h] * factor[h][LENGTH + i];
		}
	}

	// add adds the reach of the hands of a range to the sums of the ends with the bits TO.
	template <u32 TO> INLINE void add(u32 from, u32 to) {
		each(b, from, to, [&](u32 k, const u64 *entry) {
			float x[at_once][N];
			reach(entry, k, to, x);
#pragma unroll
			for (u32 h = 0; h < at_once; h++) {
				const u32 first = first_card(entry[h]), second = second_card(entry[h]);
				float old[N][2];
#pragma unroll
				for (u32 i = 0; i < N; i++)
					if (has(i) && TO >> i & 1)
						old[i][0] = card(first, i), old[i][1] = card(second, i);
#pragma unroll
				for (u32 i = 0; i < N; i++)
					if (has(i) && TO >> i & 1) {
						all[i] += x[h][i];
						card(first, i) = old[i][0] + x[h][i];
						card(second, i) = old[i][1] + x[h][i] * b.second;
					}
			}
		});
	}

	// without returns the sum over the hands that share no card with a hand, less that
	// hand's own reach if it is in the sums.
	INLINE float without(u64 entry, u32 i) const {
		return all[i] - card(first_card(entry), i) - card(second_card(entry), i);
	}

	// finish computes the values of a range of hands and puts them into a slot.
	INLINE void finish(float *slot, u32 from, u32 to) const {
		each(b, from, to, [&](u32 k, const u64 *entry) {
			float x[at_once][N], old[at_once];
			u32 at[at_once];
#pragma unroll
			for (u32 h = 0; h < at_once; h++) {
				at[h] = (k + h < to ? k + h : to - 1) * lanes;
				old[h] = slot[at[h]];
			}
			if (has(fold) || has(call))
				reach(entry, 0, at_once, x);
#pragma unroll
			for (u32 h = 0; h < at_once; h++) {
				float value = old[h], called = 0;
				if (has(call)) {
					// Its own reach was subtracted twice.
					const float folded = (without(entry[h], call_total) + x[h][call] * b.second) * fold_pay;
					called = joined(without(entry[h], call_sum) * pay[call], folded, maximum);
					value = first_join.of(value, called);
				}
				if (has(fold))
					value = join[fold].of(value, (without(entry[h], fold_sum) + x[h][fold] * b.second) * pay[fold]);
				if (has(showdown))
					value = join[showdown].of(value, without(entry[h], showdown_sum) * pay[showdown]);
				if (has(call))
					value = join[call].of(value, called);
				slot[at[h]] = value;
			}
		});
	}

	// rank turns the sums over all hands of showdowns into their negatives, and keeps those
	// of a call.
	INLINE void rank() {
		all[call_total] = all[call_sum];
		all[showdown_sum] = -all[showdown_sum];
		all[call_sum] = -all[call_sum];
		for (u32 c = 0; c <= b.deck; c++) {
			if (has(showdown))
				card(c, showdown_sum) = -card(c, showdown_sum);
			if (has(call)) {
				const float total = card(c, call_sum);
				card(c, call_total) = total;
				card(c, call_sum) = -total;
			}
		}
	}
};

// pass_of computes a pass. The reach of the hands of a rank is added twice, once before
// their values are computed, so that better and worse hands have the signs of their
// showdowns and hands of the same rank have none.
template <u32 HAS, u32 LENGTH> INLINE void pass_of(const Board &b, const Pass &p, const float *pays) {
	Ends<HAS, LENGTH> ends(b, p, pays);
	float *slot = b.slots + (u64)p.slot * b.hands * lanes;
	for (u32 c = 0; c <= b.deck; c++)
#pragma unroll
		for (u32 i = 0; i < num_sums; i++)
			ends.card(c, i) = 0;
	ends.template add<HAS>(0, b.hands);
	ends.rank();
	for (u32 from = 0; from < b.hands;) {
		const u32 to = from + ties_of(b.order[from]);
		ends.template add<has_showdown | has_call>(from, to);
		ends.finish(slot, from, to);
		ends.template add<has_showdown | has_call>(from, to);
		from = to;
	}
}

INLINE void compute(const Board &b, const Pass &p, const float *pays) {
	if (p.ends == 0) {
		float *to = b.slots + (u64)p.slot * b.hands * lanes;
		const float *from = b.slots + (u64)p.fold.arg * b.hands * lanes;
#pragma unroll 4
		for (u32 k = 0; k < b.hands; k++)
			to[k * lanes] = joined(to[k * lanes], from[k * lanes], p.fold.mode);
	} else if (p.length > short_path)
		pass_of<all_ends, max_path>(b, p, pays);
	else if (p.ends == has_showdown)
		pass_of<has_showdown, short_path>(b, p, pays);
	else if (p.length == 2)
		pass_of<all_ends, 2>(b, p, pays);
	else if (p.length == 1)
		pass_of<all_ends, 1>(b, p, pays);
	else
		pass_of<all_ends, 0>(b, p, pays);
}

// br_rivers sums the values of the last round over the boards of each unit, by unit, hand
// and sequence. A block has a unit and 32 sequences, which it draws from a counter. Its
// scratch memory has room for the slots of a board.
__global__ LAUNCH_BOUNDS(32, 8) void br_rivers(UNITS, ROUND, const Pass *passes, const float *one, const float *reach,
		double *after, float *scratch, u32 *counter, u32 slots, u32 deck) {
	const Units u THE_UNITS;
	const Round r THE_ROUND;
	DYNAMIC_SHARED(float, by);
	const u32 lane = thread_in_block();
	Board b;
	b.by = by + lane;
	b.slots = scratch + (u64)block_in_grid() * slots * u.river_hands * lanes + lane;
	b.hands = u.river_hands;
	b.one = one;
	b.row = r.width, b.deck = deck, b.second = u.two_cards ? 1 : 0;
	for (;;) {
		u32 task = 0;
		if (lane == 0)
			task = fetch_add(counter, 1u);
		task = shuffle(task, 0);
		if (task >= u.num_units * r.num_tiles)
			return;
		const Unit unit = u.units[task / r.num_tiles];
		const Tile tile = r.tiles[task % r.num_tiles];
		const u64 first = (u64)(task / r.num_tiles) * u.num_hands * r.width + tile.lane + lane;
		const float *pay = r.pays + tile.pays + lane;
		b.reach = reach + first;
		b.table = r.table + tile.table + lane;
		b.width = tile.width, b.stride = tile.columns * tile.width;
		double *sums = after + first;
		for (u32 h = 0; h < u.num_hands; h++)
			sums[(u64)h * r.width] = 0;
		for (u32 i = unit.river; i < unit.river + unit.rivers; i++) {
			const double count = u.rivers[i].count;
			b.order = u.order + (u64)i * u.river_hands;
			for (u32 k = tile.ops; k < tile.ops + tile.num_ops; k++)
				compute(b, passes[k], pay);
			each(b, 0, b.hands, [&](u32 k, const u64 *entry) {
				double old[at_once];
				float value[at_once];
#pragma unroll
				for (u32 h = 0; h < at_once; h++) {
					old[h] = sums[(u64)hand_of(entry[h]) * r.width];
					value[h] = b.slots[(k + h < b.hands ? k + h : b.hands - 1) * lanes];
				}
#pragma unroll
				for (u32 h = 0; h < at_once; h++)
					sums[(u64)hand_of(entry[h]) * r.width] = old[h] + count * (double)value[h];
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
__global__ LAUNCH_BOUNDS(32, 8) void br_round(UNITS, ROUND, const Op *ops, const u32 *next_lane, u32 round,
		const float *reach, const double *after, u32 after_width, u64 scale_bits, double *scratch, float *values,
		u32 slots, u32 deck) {
	const Units u THE_UNITS;
	const Round r THE_ROUND;
	double scale;
	__builtin_memcpy(&scale, &scale_bits, sizeof scale);
	DYNAMIC_SHARED(double, by);
	const u32 lane = thread_in_block(), task = block_in_grid(), number = task / r.num_tiles;
	const Unit unit = u.units[number];
	const Tile tile = r.tiles[task % r.num_tiles];
	const float *of = r.table + tile.table + lane;
	const u32 *left = u.hands + unit.hand;
	const u32 *bucket = u.buckets + ((u64)number * u.rounds + round) * u.num_hands;
	const u64 first = (u64)number * u.num_hands * r.width + tile.lane + lane;
	double *slot = scratch + (u64)task * slots * u.num_hands * lanes + lane;
	for (u32 h = 0; h < u.num_hands; h++)
		values[first + (u64)h * r.width] = 0;
	const float *own = reach + first;
	const double *sums = after + (u64)number * u.num_hands * after_width;
	const u64 size = (u64)u.num_hands * lanes;
	for (u32 i = tile.ops; i < tile.ops + tile.num_ops; i++) {
		const Op &o = ops[i];
		double *to = slot + o.slot * size;
		if (o.kind == joining) {
			for (u32 k = 0; k < unit.hands; k++) {
				const u64 at = (u64)left[k] * lanes;
				to[at] = joined(to[at], slot[o.arg * size + at], o.mode);
			}
			continue;
		}
		if (o.kind == deal) {
			const u32 next = next_lane[tile.next + o.arg * tile.width + lane];
			for (u32 k = 0; k < unit.hands; k++) {
				const u64 at = (u64)left[k] * lanes;
				const double value = next == ~0u ? 0 : sums[(u64)left[k] * after_width + next] * scale;
				to[at] = joined(o.mode == set ? 0 : to[at], value, o.mode);
			}
			continue;
		}
		auto reached = [&](u32 h) {
			float x = own[(u64)h * r.width];
			const float *row = of + (u64)bucket[h] * tile.columns * tile.width;
			for (u32 k = 0; k < o.length; k++)
				x *= row[o.path[k] * tile.width];
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
		const double pay = r.pays[tile.pays + o.arg * tile.width + lane];
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
__global__ void br_parts(UNITS, const u32 *starts, const u32 *counts, const float *values, double *sums,
		u32 num_parts, u32 width) {
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
