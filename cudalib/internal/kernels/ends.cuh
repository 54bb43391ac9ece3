// The values of the ends of a betting round on a board for a player, from its opponent's reach:
// what kernels share that train poker strategies with betting sequences as the lanes of a warp.
//
// A showdown is worth the reach of the worse hands less that of the better ones, and hands that
// share a card do not meet. So a warp goes through the hands twice: from the worst up, when it
// keeps for each hand the reach of those before, and from the best rank down, with those of a rank
// in the same order, when it subtracts the reach of those before. Of two hands of a rank the second
// comes after the first both times, so that they do not count. In between the sums are over all
// hands, which a fold is worth. No step depends on the ranks, so that the loads for the next hands
// are under way while some are treated.
#pragma once
#include "poker.cuh"

namespace poker {

// An entry of a board's order is a hand: its number, its cards, its place in the order from the
// worst hands up, and its bucket.
constexpr u32 cards_at = hand_bits, place_at = cards_at + 2 * card_bits, bucket_at = place_at + hand_bits;

INLINE u32 hand_of(u64 entry) { return (u32)entry & ((1u << hand_bits) - 1); }
INLINE u32 first_card(u64 entry) { return (u32)entry >> cards_at & ((1u << card_bits) - 1); }
INLINE u32 second_card(u64 entry) { return (u32)entry >> (cards_at + card_bits) & ((1u << card_bits) - 1); }
INLINE u32 place_of(u64 entry) { return (u32)(entry >> place_at) & ((1u << hand_bits) - 1); }
INLINE u32 bucket_of(u64 entry) { return upper_half(entry) >> (bucket_at - 32); }

// Ends are valued by what the opponent does before them: it folds; it bets or raises, and the player
// folds or calls; or it calls or checks, and the hands are shown. A pass has those that follow a
// decision of the opponent, at most one of each kind. Where no hands are shown it has two folds, of
// any kind.
enum : u32 { fold, raise, call, kinds };

// Pass says which of the opponent's columns lead to its decision and which follow there, or none; the
// choices, and their bits, that lead to each kind; and the numbers of the values of folds and
// showdowns, or none.
struct Pass {
	u32 length, path[max_path], column[kinds], bits[kinds], choices[kinds], folds[kinds], showdowns[kinds];
};

// Mixed is an opponent with a strategy by bucket. A pass has paths of at most LENGTH columns.
template <u32 LENGTH> struct Mixed {
	const float *reach; // in the thread's lane, by hand
	u32 reach_stride, stride; // in bytes: of a hand, and of a bucket
	const float *column[LENGTH + kinds]; // in the thread's lane, by bucket
	bool acts[LENGTH + kinds];           // or the path has ended

	INLINE Mixed(const Pass &p, const float *reach, u32 reach_width, const float *table, u32 columns, u32 width)
		: reach(reach), reach_stride(4 * reach_width), stride(4 * columns * width) {
		u32 some = 0; // is loaded instead of what is not there, so that there are no branches
#pragma unroll
		for (u32 i = 0; i < kinds; i++)
			some = p.column[i] != none ? p.column[i] : some;
#pragma unroll
		for (u32 i = 0; i < LENGTH + kinds; i++) {
			const u32 c = i < LENGTH ? p.path[i] : p.column[i - LENGTH];
			acts[i] = i < LENGTH ? i < p.length : c != none;
			column[i] = table + (acts[i] ? c : some) * width;
		}
	}

	struct Loads {
		float before, factor[LENGTH + kinds];
	};

	INLINE Loads load(u64 entry) const {
		Loads s;
		s.before = *advance(reach, hand_of(entry), reach_stride);
		const u32 bucket = bucket_of(entry);
#pragma unroll
		for (u32 i = 0; i < LENGTH + kinds; i++)
			s.factor[i] = *advance(column[i], bucket, stride);
		return s;
	}

	INLINE void reached(const Loads &s, bool counts, float (&x)[kinds]) const {
		float before = counts ? s.before : 0;
#pragma unroll
		for (u32 i = 0; i < LENGTH; i++)
			before *= acts[i] ? s.factor[i] : 1;
#pragma unroll
		for (u32 i = 0; i < kinds; i++)
			x[i] = before * (acts[LENGTH + i] ? s.factor[LENGTH + i] : 1);
	}
};

// Sums are of reach: over all hands after a fold and after a raise, and over those so far after a
// raise and after a call.
typedef float Sums __attribute__((vector_size(16)));
constexpr u32 fold_total = 0, raise_total = 1, raise_rank = 2, call_rank = 3;
// Pair are the first two, or the latter two.
typedef float Pair __attribute__((vector_size(8)));

// Values are those of an end by place, if there is one: pay for each hand that is reached.
struct Values {
	float *of;
	float pay;
	u32 exists;
};

// at_once is how many hands a thread treats at a time, so that their loads are under way together.
// More make the code too long for the cache of instructions.
constexpr u32 at_once = 4;

// Ends is the state of a thread that values a pass on a board, in its lane.
template <class Opponent> struct Ends {
	const Opponent &opponent;
	const u64 *order, *down; // from the worst hands up, and from the best rank down
	Sums *by;				 // by card
	u32 hands, deck;
	float second; // 1 if hands have two cards, or else 0
	Values folded, raise_folded, raise_called, called;
	Sums all;

	// Sweep is what the sums of a pass are used for.
	enum Sweep { below, showdown, total, value };

	struct Hand {
		u64 entry;
		typename Opponent::Loads loads;
		float below[2]; // after a raise and after a call
	};
	struct Hands {
		Hand of[at_once];
	};

	INLINE static float *at(const Values &v, u32 place) { return advance(v.of, place, 4 * lanes); }

	// load loads some hands, whose entries the threads of the warp have from one on.
	template <Sweep S> INLINE void load(Hands &s, u64 entries, u32 from) const {
#pragma unroll
		for (u32 h = 0; h < at_once; h++) {
			Hand &x = s.of[h];
			x.entry = (u64)shuffle(upper_half(entries), from + h) << 32 | shuffle((u32)entries, from + h);
			x.loads = opponent.load(x.entry);
			if (S == showdown) {
				const u32 place = place_of(x.entry);
				x.below[0] = raise_called.exists ? *at(raise_called, place) : 0;
				x.below[1] = called.exists ? *at(called, place) : 0;
			}
		}
	}

	// treat treats a hand, if it counts.
	template <Sweep S> INLINE void treat(const Hand &hand, bool counts) {
		float x[kinds];
		opponent.reached(hand.loads, counts, x);
		Sums &a = by[first_card(hand.entry) * lanes], &b = by[second_card(hand.entry) * lanes];
		if (S == total) {
			Pair &first = ((Pair *)&a)[0], &other = ((Pair *)&b)[0];
			const Pair s = first, t = other;
			all[fold_total] += x[fold], all[raise_total] += x[raise];
			first = Pair{s[0] + x[fold], s[1] + x[raise]};
			other = Pair{exact_fma(x[fold], second, t[0]), exact_fma(x[raise], second, t[1])};
			return;
		}
		const Sums s = a, t = b;
		const u32 place = place_of(hand.entry);
		const auto rest = [&](u32 i) { return all[i] - s[i] - t[i]; };
		const auto set = [&](const Values &v, float x) { store_if(v.exists && counts, at(v, place), x); };
		if (S == below) {
			set(raise_called, rest(raise_total));
			set(called, rest(call_rank));
			all[fold_total] += x[fold], all[raise_total] += x[raise], all[call_rank] += x[call];
			a = Sums{s[fold_total] + x[fold], s[raise_total] + x[raise], s[raise_rank], s[call_rank] + x[call]};
			b = Sums{exact_fma(x[fold], second, t[fold_total]), exact_fma(x[raise], second, t[raise_total]),
				t[raise_rank], exact_fma(x[call], second, t[call_rank])};
			return;
		}
		// The hand's own reach was subtracted twice.
		set(folded, exact_fma(x[fold], second, rest(fold_total)) * folded.pay);
		set(raise_folded, exact_fma(x[raise], second, rest(raise_total)) * raise_folded.pay);
		if (S == showdown) {
			set(raise_called, (hand.below[0] - rest(raise_rank)) * raise_called.pay);
			set(called, (hand.below[1] - rest(call_rank)) * called.pay);
			all[raise_rank] += x[raise], all[call_rank] += x[call];
			((Pair *)&a)[1] = Pair{s[raise_rank] + x[raise], s[call_rank] + x[call]};
			((Pair *)&b)[1] = Pair{exact_fma(x[raise], second, t[raise_rank]),
				exact_fma(x[call], second, t[call_rank])};
		}
	}

	// sweep treats all hands in the order of their entries. Each thread loads one of the entries of
	// 32 hands, while those before are treated.
	template <Sweep S> INLINE void sweep(const u64 *list) {
		const auto fetch = [&](u32 k) {
			const u32 mine = k + thread_in_block() % lanes;
			return list[mine < hands ? mine : hands - 1];
		};
		u64 entries = fetch(0), ahead = fetch(lanes);
		Hands one, other;
		const auto step = [&](const Hands &now, Hands &next, u32 k) {
			load<S>(next, entries, (k + at_once) % lanes);
#pragma unroll
			for (u32 h = 0; h < at_once; h++)
				treat<S>(now.of[h], k + h < hands);
		};
		load<S>(one, entries, 0);
		for (u32 k = 0; k < hands; k += 2 * at_once) {
			step(one, other, k);
			if ((k + 2 * at_once) % lanes == 0) {
				entries = ahead;
				ahead = fetch(k + 2 * at_once + lanes);
			}
			step(other, one, k + at_once);
		}
	}

	INLINE void run() {
		all = Sums{};
		for (u32 c = 0; c <= deck; c++)
			by[c * lanes] = all;
		if (!raise_called.exists && !called.exists) {
			sweep<total>(order);
			sweep<value>(order);
			return;
		}
		sweep<below>(order);
		all[call_rank] = 0;
		for (u32 c = 0; c <= deck; c++)
			by[c * lanes][call_rank] = 0;
		sweep<showdown>(down);
	}
};

// with_length calls f for a length that paths before a pass have at most.
template <class F> INLINE void with_length(const Pass &p, F f) {
	if (p.length <= 2) // with four bets a round
		return f.template operator()<2>();
	f.template operator()<max_path>();
}

} // namespace poker
