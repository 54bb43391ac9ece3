// Traversals of the public tree of a two-player poker game for all cards at once:
// the arithmetic of solvers/cfr, with the same bits.
//
// A segment is a betting round after one sequence of earlier rounds. A block
// traverses a segment with a part of its round's boards. A thread has four adjacent
// buckets and traverses the betting with them by itself. Threads synchronise only at
// terminal nodes, whose values are sums over all hands. Vectors of the last round are
// in shared memory if they fit, and share slots if they are not needed at the same
// time (cfrgpu/program.go decides). Those of earlier rounds are in the frames.
//
// Real is float to train, and double to find values and best responses.
#pragma once

#include "cuda.cuh"

namespace traversal {

typedef short i16;
typedef int i32;

constexpr u32 lanes = 8; // buckets that are added up together
constexpr u32 span = 4;  // buckets of a thread
constexpr u32 none = 0xffff; // a slot of no vector

// Vec is one number for each bucket of a thread.
template <class Real> struct Four;
template <> struct Four<float> {
	typedef float vec __attribute__((vector_size(4 * span), may_alias));
};
template <> struct Four<double> {
	typedef double vec __attribute__((vector_size(8 * span), may_alias, aligned(16)));
};
template <class Real> using Vec = typename Four<Real>::vec;
typedef i16 vec16 __attribute__((vector_size(2 * span), may_alias));

template <class Real> __device__ inline Vec<Real> splat(Real x) { return Vec<Real>{x, x, x, x}; }

// Round is a betting round and its cards. Arrays are offsets into the plan, except
// size, which is in the constants, and weight, in the weights.
struct alignas(16) Round {
	u32 stride; // buckets, padding included
	u32 first_segment, segments;
	u32 up;            // by bucket: the one it refines
	u32 size, weight;  // by bucket; by child
	u32 board, groups; // one hole card, by bucket: its board's first bucket and number of groups of lanes
	u32 ties;          // by bucket: those that tie, counted from the board's first; the end in the upper half
	// Two hole cards, by bucket, pairs of 16 bits: where the lists of both its cards
	// begin; then, for the first card and for the second, the indices of the sum over
	// worse hands and of the sum over hands that are not better.
	u32 card, first_sums, second_sums;
	u32 hands, stride_hands; // with one card; of a list
	u32 parts;         // four words each: first and last bucket, lists, number of lists
	// Means over the next round's boards: for each group of buckets of a block and each
	// of its max_partials partial sums, where the children start, and the number of
	// children by bucket. The k-th children of all buckets are adjacent, and each has a
	// weight.
	u32 partial_start, partial_children, max_partials, children;
	u32 deals, num_deals; // four words each: where values come from and go to in lanes, and the best
	u32 unused;
};

struct Slots {
	u16 own, other; // vectors of the reach of the traversing player, and of the other
	u16 value, best;
};

// Node is a node of a segment, in a traversal for one of the players.
struct alignas(16) Node {
	u32 actor, actions;
	u32 first; // child, or player 0's payoff, as the bits of a float
	u32 entry; // in lanes
	u32 scale; // likewise, of scales
	u32 showdown;
	Slots slots;
};

// A Sum is over the other player's reach in a vector, for some terminal nodes.
struct alignas(16) Sum {
	u32 slot, kinds; // bits: for showdowns, for folds
	u32 first_terminal, terminals;
};
constexpr u32 for_showdowns = 1, for_folds = 2;

struct alignas(16) Segment {
	u32 round;
	// By traversing player: the script, which has nodes, a program, sums and terminal
	// nodes, and their offsets in it. In an earlier round the first ops_down operations
	// go down.
	u32 script[2], words[2], program[2], length[2], sums[2], terminals[2], ops_down;
	u32 vectors;                   // the number of slots
	u32 reach_from[2], has_parent; // offset in lanes of each player's reach in the parent segment, if there is one
	u32 frame;                     // vectors of an earlier round, in lanes
	u32 root, best;                // where the values at the root go, in lanes
	u32 reach;                     // how many vectors of an earlier round are reach; they come first
	u32 unused[2];
};

// Op is an operation: at a decision, downwards or upwards, or one sum or two with
// their terminal nodes. In an earlier round the first decision of each level of the
// betting is marked, because the decisions of a level are independent of each other.
// The other bits are the number of the decision or of the first sum.
enum Op : u32 { go_down = 0, go_up = 1u << 30, sum_one = 2u << 30, sum_two = 3u << 30, which_op = 3u << 30,
	new_level = 1u << 29, all_ops = 7u << 29 };

struct Header {
	Round rounds[4];
	u32 num_rounds, segments, hole_cards, unused;
};

// Rates are the discounts of an iteration, see cfrgpu.Discounts.
struct Rates {
	float positive, negative, floor, average;
};

// Floats and Quantized are arrays over all entries: of floats, or of 16-bit numbers
// with a scale for every four buckets of a decision, SIGNED or not.
struct Floats {
	float *at;

	__device__ Vec<float> load(u64 entry, u64) const { return *(const Vec<float> *)(at + entry); }
	// touch loads a word of the same cache line.
	__device__ u32 touch(u64 entry, u64) const { return *(const u32 *)(at + entry); }
};

template <bool SIGNED> struct Quantized {
	i16 *at;
	float *scales;
	u32 threshold; // of entry 0, see solvers/internal/vectors

	// The largest integer, and the bits that rounding drops.
	static constexpr float largest = SIGNED ? 32766 : 65534;
	static constexpr u32 fraction = SIGNED ? 16 : 15;

	__device__ Vec<float> load(u64 entry, u64 scale) const {
		const vec16 x = *(const vec16 *)(at + entry);
		const float s = scales[scale];
		if constexpr (SIGNED)
			return Vec<float>{(float)x[0], (float)x[1], (float)x[2], (float)x[3]} * splat(s);
		else
			return Vec<float>{(float)(u16)x[0], (float)(u16)x[1], (float)(u16)x[2], (float)(u16)x[3]} * splat(s);
	}
	__device__ u32 touch(u64 entry, u64 scale) const {
		return *(const u32 *)(at + entry) ^ *(const u32 *)(scales + scale);
	}
	__device__ vec16 packed(Vec<float> x, float inverse, u64 entry) const {
		vec16 rounded;
#pragma unroll
		for (u32 i = 0; i < span; i++) {
			const u32 up = (threshold + ((u32)entry + i) * 0x91E10DA5u) >> (32 - fraction);
			rounded[i] = (i16)(((i32)(x[i] * inverse) + (i32)up) >> fraction);
		}
		return rounded;
	}
};

// Traversal is a segment, a part of its round's boards and the traversing player,
// with the buckets of this thread.
template <class Real> struct Traversal {
	const u32 *plan;
	const float *constants;
	const Segment &s; // in shared memory: copies would be in memory that is further away
	const Round &round;
	const u32 *script;
	Real *vectors, *frames;
	u32 width;          // from one vector to the next
	u32 first, columns; // bucket of column 0, and how many there are
	u32 x;              // column of the first bucket
	u32 player;
	u32 lists, cards;   // two hole cards: of the board

	__device__ bool idle() const { return x >= columns; }
	// of returns the player's element. An index that is not known when compiled would
	// put the array, and the struct around it, into memory.
	__device__ u32 of(const u32 (&both)[2]) const { return player == 0 ? both[0] : both[1]; }
	__device__ const Node *nodes() const { return (const Node *)script; }
	__device__ Node node(u32 i) const {
		const words4 *at = (const words4 *)(nodes() + i);
		Node n;
		const words4 parts[2] = {at[0], at[1]};
		__builtin_memcpy(&n, parts, sizeof n);
		return n;
	}
	__device__ Slots slots(u32 i) const { return nodes()[i].slots; }
	__device__ Real *column(u32 slot) const { return vectors + slot * width; }
	__device__ Vec<Real> &at(u32 slot) const { return *(Vec<Real> *)(column(slot) + x); }
	// entry and scale return the index of an action's entry and of its scale, for this
	// thread's buckets or those from another column on.
	__device__ u64 entry(const Node &n, u32 action) const { return entry(n, action, x); }
	__device__ u64 entry(const Node &n, u32 action, u32 column) const {
		return ((u64)n.entry * lanes + first + column) + (u64)action * round.stride;
	}
	__device__ u64 scale(const Node &n) const { return scale(n, x); }
	__device__ u64 scale(const Node &n, u32 column) const { return (u64)n.scale * lanes + (first + column) / span; }
	__device__ words4 words(u32 offset) const { return *(const words4 *)(plan + offset + first + x); }
	__device__ Vec<Real> sizes(u32 column) const {
		const Vec<float> v = *(const Vec<float> *)(constants + round.size + first + column);
		return Vec<Real>{v[0], v[1], v[2], v[3]};
	}
};

// Each iterates over the actions of a decision: N of them, whose values stay in
// registers, or with N = 0 any number, whose values are loaded again each time.
template <u32 N> struct Each {
	u32 any;

	__device__ u32 n() const { return N > 0 ? N : any; }
	template <class F> __device__ void operator()(F f) const {
		if constexpr (N > 0) {
#pragma unroll
			for (u32 a = 0; a < N; a++)
				f(a);
		} else {
			for (u32 a = 0; a < any; a++)
				f(a);
		}
	}
};

// ActionValues has a value for each action, see Each.
template <u32 N, class V, class Load> struct ActionValues {
	Load load;
	V kept[N > 0 ? N : 1];

	__device__ ActionValues(Each<N> each, Load load) : load(load) {
		if constexpr (N > 0)
			each([&](u32 a) { kept[a] = load(a); });
	}
	__device__ V operator[](u32 a) const {
		if constexpr (N > 0)
			return kept[a];
		else
			return load(a);
	}
};
template <u32 N, class Load> __device__ inline auto per_action(Each<N> each, Load load) {
	return ActionValues<N, decltype(load(0)), Load>(each, load);
}

// by_actions calls f for a decision's number of actions.
template <class F> __device__ inline void by_actions(const Node &n, F f) {
	switch (n.actions) {
	case 2:
		return f(Each<2>{2});
	case 3:
		return f(Each<3>{3});
	default:
		return f(Each<0>{n.actions});
	}
}

template <class Real> __device__ inline Vec<Real> positive_part(Vec<Real> x) {
	return x > splat<Real>(0) ? x : splat<Real>(0);
}

// smallest is the smallest number whose inverse is finite.
template <class Real> constexpr Real smallest = sizeof(Real) == 4 ? 0x1p-126 : 0x1p-1022;

// Strategy is proportional to weights, and uniform where their sum is smaller than that.
template <class Real> struct Strategy {
	Vec<Real> scale, base;

	template <class E, class W> __device__ Strategy(E each, const W &weights) {
		Vec<Real> total = splat<Real>(0);
		each([&](u32 a) { total += weights[a]; });
		const auto some = total >= splat<Real>(smallest<Real>);
		Vec<Real> divisor = some ? total : splat<Real>(1);
#pragma unroll
		for (u32 i = 0; i < span; i++)
			divisor[i] = opaque(divisor[i]);
		scale = some ? splat<Real>(1) / divisor : splat<Real>(0);
		base = some ? splat<Real>(0) : splat<Real>(1 / (Real)each.n());
	}
	__device__ Vec<Real> operator()(Vec<Real> weight) const {
		Vec<Real> x;
#pragma unroll
		for (u32 i = 0; i < span; i++)
			x[i] = exact_fma(weight[i], scale[i], base[i]);
		return x;
	}
};

} // namespace traversal
