// Shared by the kernels of public chance sampling: a board with its hands. Each
// thread has four of them, neighbours in the order of ranks.
#pragma once
#include "cuda.cuh"

#define INLINE __device__ inline __attribute__((always_inline))

namespace boards {

constexpr u32 span = 4; // hands of a thread

typedef float vec __attribute__((vector_size(4 * span), may_alias));

INLINE vec all(float x) { return vec{x, x, x, x}; }

constexpr u32 row = 64;       // hands with a card, padded
constexpr u32 lists = 8;      // threads that add up the hands with a card

// Board is a board as mccfrgpu.PublicGame.Write lays it out.
struct Board {
	const u32 *words;
	u32 hands, rounds, cards; // hands that there is room for, and cards of the deck

	INLINE const words4 &of(const u32 *by_hand) const { return *(const words4 *)(by_hand + span * thread_in_block()); }
	INLINE const u32 *hand(u32 k) const { return words + 8 + k * hands; } // k < 3
	INLINE const u32 *list() const { return words + 8 + 3 * hands; }
	INLINE const u32 *round(u32 r) const { return list() + cards * (row / 2) + r * (3 * hands + 4); }
	INLINE const u32 *bucket(u32 r) const { return round(r); }
	INLINE const u32 *position(u32 r) const { return round(r) + hands; }
	INLINE const u32 *start(u32 r) const { return round(r) + 2 * hands; }
	INLINE u32 places(u32 r) const { return words[4 + r]; }
};

// prefix returns the sum of the values of the threads before this one among so
// many neighbours, and adds them to its own.
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

// prefixes returns by place the sum of those before it, with what is before all.
template <class V> INLINE vec prefixes(const V &x, float before) {
	return vec{before, before + x[0], before + (x[0] + x[1]), before + (x[0] + x[1] + x[2])};
}

// by_cards adds up, for each card of the deck, the reach of the hands with it: by
// card and place among these, of those before it. The places behind the last hand
// have the sum of all, and only the last place is set unless PLACES.
template <bool PLACES> INLINE void by_cards(const Board &board, const float *reach, float *sums) {
	const u32 t = thread_in_block(), lane = t % 32;
	// All threads of a warp go on together, because they exchange values.
	for (u32 first = t - lane; first < board.cards * lists; first += threads_in_block()) {
		const u32 card = (first + lane) / lists, part = lane % lists;
		float with[2 * span];
#pragma unroll
		for (u32 i = 0; i < 2 * span; i++)
			with[i] = 0;
		if (card < board.cards) {
			const words4 pairs = *(const words4 *)(board.list() + card * (row / 2) + part * span);
#pragma unroll
			for (u32 i = 0; i < span; i++) {
				with[2 * i] = reach[pairs[i] & 0xffff];
				with[2 * i + 1] = reach[pairs[i] >> 16];
			}
		}
		const float half = (with[0] + with[1]) + (with[2] + with[3]);
		float whole = half + ((with[4] + with[5]) + (with[6] + with[7]));
		const float start = prefix<lists>(whole);
		if (!PLACES) {
			if (card < board.cards && part == lists - 1)
				sums[card * row + row - 1] = whole;
		} else if (card < board.cards) {
			vec *to = (vec *)(sums + card * row + part * 2 * span);
			to[0] = prefixes(with, start);
			to[1] = prefixes(with + span, start + half);
		}
	}
}

// Tree is a betting tree, in words: how many sequences there are of the player and
// of the other, decisions of the other and terminal nodes; then the player's sequences, the
// other's, the decisions and the terminal nodes.
struct Tree {
	const u32 *words;

	INLINE u32 own() const { return words[0]; }
	INLINE u32 others() const { return words[1]; }
	INLINE u32 nodes() const { return words[2]; }
	// The sequence before, where the strategy of the last action starts, by bucket,
	// where its sums are, by place, and the first terminal node; the empty sequence has only
	// that, and so has a last one more.
	INLINE const u32 *own(u32 s) const { return words + 4 + 4 * s; }
	INLINE const u32 *other(u32 s) const { return own(own() + 2) + 2 * (s - 1); } // without sums and terminal nodes, from 1 on
	// The sequence that leads to a decision of the other, and where its sums are.
	INLINE const u32 *node(u32 i) const { return other(others() + 1) + 2 * i; }
	// The two sequences of a terminal node, in the order of the first, and the payoffs
	// of the better hand, the worse hand and a tie, as bits of floats.
	INLINE const u32 *end(u32 i) const { return node(nodes()) + 5 * i; }
	INLINE u32 terminals() const { return words[3]; }
};

INLINE float number(u32 bits) {
	float x;
	__builtin_memcpy(&x, &bits, sizeof x);
	return x;
}

INLINE vec fused_all(vec x, float y, vec z) {
	return vec{fused(x[0], y, z[0]), fused(x[1], y, z[1]), fused(x[2], y, z[2]), fused(x[3], y, z[3])};
}

// place returns how many of n sorted hands come before one.
template <class F> INLINE u32 place(u32 n, u32 hand, F at) {
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
