// Shared by the kernels of public chance sampling: a board with its hands. Each
// thread has four of them, neighbours in the order of ranks.
#pragma once
#include "cuda.cuh"

#define INLINE __device__ inline __attribute__((always_inline))

namespace boards {

constexpr u32 span = 4; // hands of a thread

typedef float vec __attribute__((vector_size(4 * span), may_alias));

INLINE vec splat(float x) { return vec{x, x, x, x}; }

constexpr u32 hands_per_card = 64;  // padded
constexpr u32 threads_per_card = 8; // that add up the hands with a card

// Board is a board as mccfrgpu.PublicGame.Write lays it out.
struct Board {
	const u32 *words;
	u32 hands, rounds, cards; // hands, padded, and cards of the deck

	INLINE const words4 &of(const u32 *by_hand) const { return *(const words4 *)(by_hand + span * thread_in_block()); }
	INLINE const u32 *hand(u32 k) const { return words + 8 + k * hands; } // k < 3
	INLINE const u32 *list() const { return words + 8 + 3 * hands; }
	INLINE const u32 *round(u32 r) const { return list() + cards * (hands_per_card / 2) + r * (3 * hands + 4); }
	INLINE const u32 *bucket(u32 r) const { return round(r); }
	INLINE const u32 *position(u32 r) const { return round(r) + hands; }
	INLINE const u32 *start(u32 r) const { return round(r) + 2 * hands; }
	INLINE u32 num_buckets(u32 r) const { return words[4 + r]; }
};

// prefix returns the exclusive prefix sum of the values of THREADS neighbours, and
// makes value the inclusive one.
template <u32 THREADS> INLINE float prefix(float &value) {
	const u32 lane = thread_in_block() % THREADS;
#pragma unroll
	for (u32 by = 1; by < THREADS; by *= 2) {
		const float other = shuffle_up(value, by);
		value = lane >= by ? value + other : value;
	}
	const float before = shuffle_up(value, 1);
	return lane > 0 ? before : 0;
}

// prefixes returns the exclusive prefix sums of a thread's elements, from `before` on.
template <class V> INLINE vec prefixes(const V &x, float before) {
	return vec{before, before + x[0], before + (x[0] + x[1]), before + (x[0] + x[1] + x[2])};
}

// by_cards sums up, for each card of the deck, the reach of the hands with it: by card
// and hand, the exclusive prefix sum. Elements behind the last hand have the total,
// and only the last element is set unless PREFIXES.
template <bool PREFIXES> INLINE void by_cards(const Board &board, const float *reach, float *sums) {
	const u32 t = thread_in_block(), lane = t % 32;
	// All threads of a warp stay in the loop, because they exchange values.
	for (u32 first = t - lane; first < board.cards * threads_per_card; first += threads_in_block()) {
		const u32 card = (first + lane) / threads_per_card, part = lane % threads_per_card;
		float with[2 * span];
#pragma unroll
		for (u32 i = 0; i < 2 * span; i++)
			with[i] = 0;
		if (card < board.cards) {
			const words4 pairs = *(const words4 *)(board.list() + card * (hands_per_card / 2) + part * span);
#pragma unroll
			for (u32 i = 0; i < span; i++) {
				with[2 * i] = reach[pairs[i] & 0xffff];
				with[2 * i + 1] = reach[pairs[i] >> 16];
			}
		}
		const float half = (with[0] + with[1]) + (with[2] + with[3]);
		float whole = half + ((with[4] + with[5]) + (with[6] + with[7]));
		const float start = prefix<threads_per_card>(whole);
		if (!PREFIXES) {
			if (card < board.cards && part == threads_per_card - 1)
				sums[card * hands_per_card + hands_per_card - 1] = whole;
		} else if (card < board.cards) {
			vec *to = (vec *)(sums + card * hands_per_card + part * 2 * span);
			to[0] = prefixes(with, start);
			to[1] = prefixes(with + span, start + half);
		}
	}
}

// Tree is a betting tree, in words: the numbers of sequences of the player and of the
// other, of decisions of the other and of terminal nodes; then the player's sequences,
// the other's, the decisions and the terminal nodes.
struct Tree {
	const u32 *words;

	INLINE u32 own() const { return words[0]; }
	INLINE u32 others() const { return words[1]; }
	INLINE u32 nodes() const { return words[2]; }
	// The sequence before, where the strategy of the last action starts, by bucket, where
	// its sums start, by bucket of the board, and the first terminal node. The empty
	// sequence has only the last of these, and so has the entry behind the last.
	INLINE const u32 *own(u32 s) const { return words + 4 + 4 * s; }
	// without sums and terminal nodes, from 1 on
	INLINE const u32 *other(u32 s) const { return own(own() + 2) + 2 * (s - 1); }
	// The sequence that leads to a decision of the other, and where its sums are.
	INLINE const u32 *node(u32 i) const { return other(others() + 1) + 2 * i; }
	// The two sequences of a terminal node, in the order of the first, and the payoffs
	// of the better hand, the worse hand and a tie, as bits of floats.
	INLINE const u32 *terminal(u32 i) const { return node(nodes()) + 5 * i; }
	INLINE u32 terminals() const { return words[3]; }
};

INLINE float as_float(u32 bits) {
	float x;
	__builtin_memcpy(&x, &bits, sizeof x);
	return x;
}

INLINE vec fused_all(vec x, float y, vec z) {
	return vec{fused(x[0], y, z[0]), fused(x[1], y, z[1]), fused(x[2], y, z[2]), fused(x[3], y, z[3])};
}

// lower_bound returns how many of n sorted hands come before one.
template <class F> INLINE u32 lower_bound(u32 n, u32 hand, F at) {
	u32 low = 0;
	while (n > 0) {
		const u32 half = n / 2;
		if (at(low + half) < hand) {
			low += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	return low;
}

} // namespace boards
