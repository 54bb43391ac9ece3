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
// A launch has one tile and all boards of the last round. What blocks read at the same time, the
// tile's probabilities and the reach on a few boards of the round before, so stays in the cache. The
// values of the boards are added up by a second launch, in the order of the boards.
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

// stashed is how many hands of a rank have their reach kept in shared memory.
constexpr u32 stashed = 16;

// An entry of a board's order is a hand: its number, its cards, in the first of the hands
// of a rank how many there are, and its bucket.
constexpr u32 hand_bits = 11, card_bits = 6, ties_bits = 11;
constexpr u32 cards_at = hand_bits, ties_at = cards_at + 2 * card_bits, bucket_at = ties_at + ties_bits;

enum Kind : u32 { fold, showdown, call, deal, joining };
enum Mode : u32 { set, maximum, sum, none };

// Op is an operation, see layout.Op of package bestresponse.
struct Op {
	u32 kind, mode, slot, arg, fold, way, length, path[max_path], padding;
};

// End is a terminal node at the end of a path, or after one action more, a column. With the
// mode none there is no such node.
struct End {
	u32 mode, arg, fold, column;
};
constexpr u32 no_column = ~0u;

// Pass is a fold, a showdown, or both at once, or a call, whose values are put into a slot. Ends has
// the bits of those that there are, and last is the showdown or the call. Unless to_mode is none, the
// slot is complete then, and its values are joined with those of another one, to.
struct Pass {
	u32 ends, slot, to, to_mode, way, length, path[max_path], padding[2];
	End fold, last;
};
constexpr u32 has_fold = 1, has_showdown = 2, has_call = 4, pass_sums = 2;

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
// suits, the renaming that turns that one's hands into its own, how many boards it stands for,
// and its unit.
struct River {
	u32 board, renaming, count, unit;
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
	float *stash;       // the thread's columns of the reach of a rank's hands
	float *slots;       // the thread's columns, by slot and position in the order
	u32 hands, deck;
	u32 width, stride; // of the part
	u32 row;           // sequences of the round
	float second; // 1 if hands have two cards, or else 0

	INLINE float *slot(u32 number) const { return slots + (u64)number * hands * lanes; }
};

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

// Hands are the next few of an order: their entries, and the last one's again where the order has ended.
struct Hands {
	u64 entry[at_once];

	INLINE Hands(const Board &b, u32 from) {
#pragma unroll
		for (u32 h = 0; h < at_once; h++)
			entry[h] = b.order[from + h < b.hands ? from + h : b.hands - 1];
	}
};

// Ends is the state of a thread in a pass with the ends of the bits HAS: a fold and a showdown,
// a showdown, or a call. The last of them is ranked: its sums are over the worse hands less those over
// the better ones.
template <u32 HAS> struct Ends {
	static constexpr bool folds = HAS & has_fold, calls = HAS & has_call;
	static constexpr u32 N = folds ? 2 : 1, ranked = N - 1, total = 1; // total is that of a call
	const Board &b;
	const Pass &p;
	Probability path[short_path], column[N];
	Join join[N], to_join;
	float *slot, *to;
	const char *start; // of the reach
	bool fresh; // nothing is in the slot yet
	float pay[N], fold_pay, all[pass_sums];

	INLINE Ends(const Board &board, const Pass &pass, const float *pays) : b(board), p(pass), to_join(p.to_mode) {
		slot = b.slot(p.slot), to = b.slot(p.to), start = (const char *)(b.reach + p.way * b.width);
#pragma unroll
		for (u32 k = 0; k < short_path; k++)
			path[k] = Probability(b, k < p.length ? p.path[k] : no_column);
		const End end[2] = {folds ? p.fold : p.last, p.last};
#pragma unroll
		for (u32 i = 0; i < N; i++) {
			column[i] = Probability(b, end[i].column);
			join[i] = Join(end[i].mode);
			pay[i] = pays[end[i].arg * b.width];
		}
		fresh = end[0].mode == set;
		fold_pay = pays[p.last.fold * b.width];
		all[0] = all[1] = 0;
	}

	INLINE float &card(u32 c, u32 i) const { return b.by[(c * pass_sums + i) * lanes]; }

	// Loaded is what is loaded for some hands while those before are treated: the factors of their reach
	// at the ends, or what is in the slots.
	struct Loaded {
		float before[at_once], path[short_path][at_once], column[N][at_once], old[at_once], other[at_once];
	};

	INLINE void load(const Hands &hands, Loaded &l) const {
#pragma unroll
		for (u32 h = 0; h < at_once; h++)
			l.before[h] = *(const float *)(start + multiply_wide(hand_of(hands.entry[h]), b.row * 4));
#pragma unroll
		for (u32 i = 0; i < N; i++)
#pragma unroll
			for (u32 h = 0; h < at_once; h++)
				l.column[i][h] = column[i].of(bucket_of(hands.entry[h]));
#pragma unroll
		for (u32 k = 0; k < short_path; k++) {
			if (k >= p.length)
				break;
#pragma unroll
			for (u32 h = 0; h < at_once; h++)
				l.path[k][h] = path[k].of(bucket_of(hands.entry[h]));
		}
	}

	// multiply sets x to the reach of some hands at the ends.
	INLINE void multiply(const Hands &hands, const Loaded &l, float (&x)[at_once][N]) const {
		float reach[at_once];
#pragma unroll
		for (u32 h = 0; h < at_once; h++)
			reach[h] = opaque(l.before[h]); // else the compiler waits for one hand's loads before the next one's
#pragma unroll
		for (u32 k = 0; k < short_path; k++) {
			if (k >= p.length)
				break;
#pragma unroll
			for (u32 h = 0; h < at_once; h++)
				reach[h] *= l.path[k][h];
		}
		for (u32 k = short_path; k < p.length; k++)
#pragma unroll
			for (u32 h = 0; h < at_once; h++)
				reach[h] *= Probability(b, p.path[k]).of(bucket_of(hands.entry[h]));
#pragma unroll
		for (u32 h = 0; h < at_once; h++)
#pragma unroll
			for (u32 i = 0; i < N; i++)
				x[h][i] = reach[h] * l.column[i][h];
	}

	// add adds the reach of n hands at an end to its sums.
	INLINE void add(u32 n, const Hands &hands, const float (&x)[at_once][N], u32 i) {
#pragma unroll
		for (u32 h = 0; h < at_once; h++) {
			if (h >= n)
				continue;
			float &first = card(first_card(hands.entry[h]), i), &second = card(second_card(hands.entry[h]), i);
			const float old[] = {first, second};
			all[i] += x[h][i];
			first = old[0] + x[h][i];
			second = old[1] + x[h][i] * b.second;
		}
	}

	// rank turns the sums over all hands of the ranked end into their negatives, and keeps those
	// of a call.
	INLINE void rank() {
		if (calls)
			all[total] = all[ranked];
		all[ranked] = -all[ranked];
		for (u32 c = 0; c <= b.deck; c++) {
			const float sum = card(c, ranked);
			if (calls)
				card(c, total) = sum;
			card(c, ranked) = -sum;
		}
	}

	// without returns the sum over the hands that share no card with a hand, less that
	// hand's own reach if it is in the sums.
	INLINE float without(u64 entry, u32 i) const {
		return all[i] - card(first_card(entry), i) - card(second_card(entry), i);
	}

	// load_slots loads what is in the slots for n hands from a position of the order on.
	INLINE void load_slots(u32 at, u32 n, Loaded &l) const {
#pragma unroll
		for (u32 h = 0; h < at_once; h++) {
			l.old[h] = l.other[h] = 0;
			if (h < n && !fresh)
				l.old[h] = slot[(at + h) * lanes];
			if (h < n && !to_join.drops)
				l.other[h] = to[(at + h) * lanes];
		}
	}

	// finish computes the values of n hands from a position of the order on, and puts them into the slot.
	INLINE void finish(u32 at, u32 n, const Hands &hands, const float (&x)[at_once][N], const Loaded &l) const {
		float *const put = to_join.drops ? slot : to;
#pragma unroll
		for (u32 h = 0; h < at_once; h++) {
			if (h >= n)
				continue;
			const u64 entry = hands.entry[h];
			const float ranks = without(entry, ranked) * pay[ranked];
			float value = l.old[h];
			// Its own reach was subtracted twice.
			if (calls) {
				const float folded = (without(entry, total) + x[h][0] * b.second) * fold_pay;
				value = join[0].of(value, joined(ranks, folded, maximum));
			} else {
				if (folds)
					value = join[0].of(value, (without(entry, 0) + x[h][0] * b.second) * pay[0]);
				value = join[ranked].of(value, ranks);
			}
			put[(at + h) * lanes] = to_join.drops ? value : to_join.of(l.other[h], value);
		}
	}

	// value computes the pass: first the sums over all hands, then rank by rank. The reach of the hands of
	// a rank is added twice, once before their values are computed, so that better and worse hands have the
	// signs of their showdowns and hands of the same rank have none. It is kept after the first time, if
	// there is room. What comes next is loaded meanwhile.
	INLINE void value() {
		enum Step : u32 { sum_all, add_better, finish_rank, add_worse };
		for (u32 c = 0; c <= b.deck; c++)
#pragma unroll
			for (u32 i = 0; i < pass_sums; i++)
				card(c, i) = 0;
		u32 step = sum_all, k = 0, from = 0, end = b.hands;
		Hands next(b, 0);
		Loaded l;
		load(next, l);
		for (;;) {
			const Hands hands = next;
			float x[at_once][N], *kept = b.stash + (k - from) * N * lanes;
			const u32 n = end - k, old_k = k, old_step = step;
			const bool fits = k - from < stashed;
			if (step <= add_better || !fits) {
				multiply(hands, l, x);
				if (step == add_better && fits)
#pragma unroll
					for (u32 i = 0; i < at_once * N; i++)
						kept[i * lanes] = x[i / N][i % N];
			} else {
#pragma unroll
				for (u32 i = 0; i < at_once * N; i++)
					x[i / N][i % N] = kept[i * lanes];
			}
			Loaded slots = l;
			k += at_once;
			if (k >= end) {
				if (step == add_worse)
					from = end;
				k = from;
				step = step == add_worse ? add_better : step + 1;
			}
			if (k < b.hands) {
				next = Hands(b, k);
				if (step == finish_rank)
					load_slots(k, end - k, l);
				if (step <= add_better || k - from >= stashed)
					load(next, l);
			}
			if (old_step == finish_rank)
				finish(old_k, n, hands, x, slots);
			else {
				if (folds && old_step == sum_all)
					add(n, hands, x, 0);
				add(n, hands, x, ranked);
			}
			if (k >= b.hands)
				return;
			if (step == add_better && k == from) {
				if (old_step == sum_all)
					rank();
				end = from + ties_of(next.entry[0]);
			}
		}
	}
};

INLINE void compute(const Board &b, const Pass &p, const float *pays) {
	if (p.ends == 0) {
		float *to = b.slot(p.to);
		const float *from = b.slot(p.slot);
#pragma unroll 4
		for (u32 k = 0; k < b.hands; k++)
			to[k * lanes] = joined(to[k * lanes], from[k * lanes], p.to_mode);
	} else if (p.ends == has_call)
		Ends<has_call>(b, p, pays).value();
	else if (p.ends == has_showdown)
		Ends<has_showdown>(b, p, pays).value();
	else
		Ends<has_fold | has_showdown>(b, p, pays).value();
}

// br_rivers values the rivers of a batch in a tile, by river, hand and sequence. A block has a river at
// a time, which it draws from a counter. Its scratch memory has room for the slots of a board.
__global__ LAUNCH_BOUNDS(32, 12) void br_rivers(UNITS, ROUND, const Pass *passes, const float *one, const float *reach,
		float *values, float *scratch, u32 *counter, u32 number, u32 num_rivers, u32 slots, u32 deck) {
	const Units u THE_UNITS;
	const Round r THE_ROUND;
	DYNAMIC_SHARED(float, shared);
	const u32 lane = thread_in_block();
	const Tile tile = r.tiles[number];
	const float *pay = r.pays + tile.pays + lane;
	Board b;
	b.by = shared + lane;
	b.stash = b.by + (deck + 1) * pass_sums * lanes;
	b.slots = scratch + (u64)block_in_grid() * slots * u.river_hands * lanes + lane;
	b.hands = u.river_hands;
	b.one = one;
	b.table = r.table + tile.table + lane;
	b.width = tile.width, b.stride = tile.columns * tile.width;
	b.row = r.width, b.deck = deck, b.second = u.two_cards ? 1 : 0;
	for (;;) {
		u32 river = 0;
		if (lane == 0)
			river = fetch_add(counter, 1u);
		river = shuffle(river, 0);
		if (river >= num_rivers)
			return;
		b.reach = reach + (u64)u.rivers[river].unit * u.num_hands * r.width + tile.lane + lane;
		b.order = u.order + (u64)river * u.river_hands;
		for (u32 k = tile.ops; k < tile.ops + tile.num_ops; k++)
			compute(b, passes[k], pay);
		float *to = values + (u64)river * u.num_hands * lanes + lane;
		for (u32 h = 0; h < u.num_hands; h++)
			to[h * lanes] = 0;
#pragma unroll 4
		for (u32 k = 0; k < b.hands; k++)
			to[hand_of(b.order[k]) * lanes] = b.slots[k * lanes];
	}
}

// br_sum sums the values of a tile over the rivers of each unit, by unit, hand and sequence.
__global__ void br_sum(UNITS, ROUND, const float *values, double *after, u32 number) {
	const Units u THE_UNITS;
	const Round r THE_ROUND;
	const u64 n = (u64)u.num_units * u.num_hands * lanes;
	for (u64 i = thread_in_grid(); i < n; i += threads_in_grid()) {
		const u32 lane = i % lanes, hand = i / lanes % u.num_hands, at = i / lanes / u.num_hands;
		const Unit unit = u.units[at];
		double sum = 0;
		for (u32 k = unit.river; k < unit.river + unit.rivers; k++)
			sum += (double)u.rivers[k].count * (double)values[((u64)k * u.num_hands + hand) * lanes + lane];
		after[((u64)at * u.num_hands + hand) * r.width + r.tiles[number].lane + lane] = sum;
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
			float x = own[(u64)h * r.width + o.way * tile.width];
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
