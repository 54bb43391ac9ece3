// Vector-form counterfactual regret minimisation for two players with one hole
// card: the arithmetic of solvers/cfr, with the same bits.
//
// The work on a betting round after one sequence of earlier rounds, a segment,
// is done by the threads of one block in steps, with a barrier between them. In
// most steps a thread has a node and four adjacent buckets; on the way down and
// on the way up it has four buckets and goes through the nodes.
//
// A game comes as a plan of words, which package cudalib writes: a table for
// each round, then nodes, segments, and lists of nodes.
#pragma once

#include "cuda.cuh"

namespace cfr {

typedef int i32;

constexpr u32 lanes = 8; // buckets that are summed up together
constexpr u32 span = 4;  // buckets of a thread

// vec is one number for each bucket of a thread.
typedef float vec __attribute__((vector_size(4 * span), may_alias));

__device__ inline vec &vec_at(float *p) { return *(vec *)p; }
__device__ inline vec vec_at(const float *p) { return *(const vec *)p; }
__device__ inline vec all(float x) { return vec{x, x, x, x}; }
__device__ inline vec positive_part(vec x) { return x > all(0) ? x : all(0); }

// Round is a betting round and its cards. Names of several words are places in
// the plan, but for size and weight, which are places in the constants.
struct Round {
	u32 stride;                   // buckets, padding included
	u32 first_segment, segments;  // of the round
	u32 up;                       // by bucket: the one it refines
	u32 child_start, children;    // the buckets that refine each
	u32 board, groups;            // by bucket: its board's first bucket and number of groups of lanes
	u32 ties;                     // by bucket: those that tie, counted from the board's first
	u32 size, weight;
	u32 parts, num_parts;         // pairs of first and last bucket
	u32 decisions, num_decisions; // of all segments: pairs of node and segment
	u32 ends, num_ends, deals, num_deals;
	u32 unused;
};

struct alignas(16) Node {
	u32 actor, actions;
	u32 first;    // child, or segment, or what player 0 wins as the bits of a float
	u32 slots[2]; // which vector of the frame is a player's reach
	u32 entry;    // in lanes
	u32 showdown;
	u32 unused;

	// An index that is not known when compiled would put slots into memory.
	__device__ u32 slot(u32 player) const { return player == 0 ? slots[0] : slots[1]; }
};

struct Segment {
	u32 round, first, last;
	i32 from;                   // the deal that leads here, -1 for none
	u32 from_frame, from_stride; // where that deal's vectors are, in lanes, and their distance
	u32 frame;                  // where the own vectors are, in lanes
	u32 root;                   // where the values at the root are, in lanes
	u32 decisions, num_decisions, ends, num_ends, deals, num_deals; // its part of the round's lists
};

struct Header {
	Round rounds[4];
	u32 num_rounds, nodes, segments, unused;
};

// Game is a game in training.
struct Game {
	const u32 *plan;
	const float *constants;
	float *regret, *matched, *sum, *frames; // matched may be regret itself

	__device__ const Header &header() const { return *(const Header *)plan; }
	__device__ const Round &round(u32 r) const { return header().rounds[r]; }
	__device__ Node node(u32 i) const {
		const words4 *at = (const words4 *)(plan + header().nodes) + 2 * (u64)i;
		Node n;
		const words4 halves[2] = {at[0], at[1]};
		__builtin_memcpy(&n, halves, sizeof n);
		return n;
	}
	__device__ const Segment &segment(u32 i) const { return ((const Segment *)(plan + header().segments))[i]; }
};

// Rates are solvers/cfr's: how an iteration weighs what was there before.
struct Rates {
	float positive, negative, floor, average;
};

// Frame holds the vectors of a segment for some of its round's buckets, WIDTH
// floats each: two of reach at the root and then one a node, one a node of
// probabilities, and one a node of values.
template <u32 WIDTH> struct Frame {
	float *vectors;
	u32 nodes;

	__device__ float *reach(u32 slot) const { return vectors + slot * WIDTH; }
	__device__ float *sigma(u32 node) const { return vectors + (2 + nodes + node) * WIDTH; }
	__device__ float *value(u32 node) const { return vectors + (2 + 2 * nodes + node) * WIDTH; }
	// scratch is a vector that nobody needs any more when ends are valued: the
	// own reach after an own action, the probability of another's action.
	__device__ float *scratch(const Node &n, u32 node, u32 player) const {
		return n.slot(player) == 2 + node ? reach(2 + node) : sigma(node);
	}
};

// Work is a segment, a part of its round's buckets, and the player whose
// regrets are updated.
template <u32 WIDTH> struct Work {
	const Game &g;
	const Segment s;
	const Round round;
	Frame<WIDTH> f;
	u32 first, width; // bucket of column 0, and how many columns are used
	u32 player;
	Rates rates;

	__device__ Node node(u32 i) const { return g.node(s.first + i); }
	// entries returns where array has the first action's entry of column x.
	__device__ float *entries(float *array, const Node &n, u32 x) const { return array + (u64)n.entry * lanes + first + x; }
	// The k-th decision of the segment, counted from its first node.
	__device__ u32 decision(u32 k) const { return g.plan[s.decisions + 2 * k]; }
};

// Column is what a thread knows of its buckets, the first of which is in column
// x. They are all of one board, whose first and last column are given.
struct Column {
	u32 x, board, last;

	template <u32 WIDTH> __device__ Column(const Work<WIDTH> &w, u32 x) : x(x) {
		board = w.g.plan[w.round.board + w.first + x] - w.first;
		last = board + w.g.plan[w.round.groups + w.first + x] * lanes - 1;
	}
};

__device__ inline float as_float(u32 bits) {
	float x;
	__builtin_memcpy(&x, &bits, sizeof x);
	return x;
}

// Step 1: the strategy of a decision, by regret matching.
template <u32 WIDTH> __device__ inline void match(const Work<WIDTH> &w, u32 node, const Column &c) {
	const Node n = w.node(node);
	const float *regret = w.entries(w.g.matched, n, c.x);
	float *sigma = w.f.sigma(n.first - w.s.first) + c.x;
	vec total = all(0);
	for (u32 a = 0; a < n.actions; a++, regret += w.round.stride) {
		const vec positive = positive_part(vec_at(regret));
		vec_at(sigma + a * WIDTH) = positive;
		total += positive;
	}
	const vec scale = total > all(0) ? all(1) / total : all(0);
	const vec base = total > all(0) ? all(0) : all(1 / (float)n.actions);
	for (u32 a = 0; a < n.actions; a++)
		vec_at(sigma + a * WIDTH) = vec_at(sigma + a * WIDTH) * scale + base;
}

// Step 2: the reach of all nodes.
template <u32 WIDTH> __device__ inline void descend(const Work<WIDTH> &w, const Column &c) {
	const float *size = w.g.constants + w.round.size + w.first + c.x;
	for (u32 p = 0; p < 2; p++) {
		const float *before = nullptr;
		if (w.s.from >= 0)
			before = w.g.frames + (u64)w.s.from_frame * lanes + (u64)w.g.node(w.s.from).slot(p) * w.s.from_stride;
		for (u32 i = 0; i < span; i++) {
			float reach = size[i] > 0 ? 1 : 0;
			if (before && size[i] > 0)
				reach = before[w.g.plan[w.round.up + w.first + c.x + i]];
			w.f.reach(p)[c.x + i] = reach;
		}
	}
	for (u32 k = 0; k < w.s.num_decisions; k++) {
		const Node n = w.node(w.decision(k));
		const u32 child = n.first - w.s.first;
		const vec reach = vec_at(w.f.reach(n.slot(n.actor)) + c.x);
		float *out = w.f.reach(2 + child) + c.x;
		const float *sigma = w.f.sigma(child) + c.x;
		for (u32 a = 0; a < n.actions; a++)
			vec_at(out + a * WIDTH) = reach * vec_at(sigma + a * WIDTH);
	}
}

// Step 3: the sum of strategies, at an own decision.
template <u32 WIDTH> __device__ inline void add_strategy(const Work<WIDTH> &w, u32 node, const Column &c) {
	const Node n = w.node(node);
	if (n.actor != w.player)
		return;
	float *sum = w.entries(w.g.sum, n, c.x);
	const float *reach = w.f.reach(2 + n.first - w.s.first) + c.x;
	for (u32 a = 0; a < n.actions; a++, sum += w.round.stride)
		vec_at(sum) = vec_at(sum) * all(w.rates.average) + vec_at(reach + a * WIDTH);
}

// Step 3 as well: sums of the other player's reach at an end over the group of
// lanes from a column on. For a showdown all of the group goes to its first
// place in the node's values; for a fold the board is summed up lane by lane
// into its first places, its groups sharing the lanes.
template <u32 WIDTH> __device__ inline void gather(const Work<WIDTH> &w, u32 node, const Column &c) {
	const Node n = w.node(node);
	const float *reach = w.f.reach(n.slot(1 - w.player));
	const float *size = w.g.constants + w.round.size + w.first;
	float *to = w.f.value(node);
	if (n.showdown) {
		float sum = 0;
		for (u32 i = c.x; i < c.x + lanes; i++)
			sum += size[i] * reach[i];
		to[c.x] = sum;
		return;
	}
	const u32 groups = (c.last + 1 - c.board) / lanes;
	for (u32 lane = (c.x - c.board) / lanes; lane < lanes; lane += groups) {
		float sum = 0;
		for (u32 i = c.board + lane; i <= c.last; i += lanes)
			sum += size[i] * reach[i];
		to[c.board + lane] = sum;
	}
}

// Step 4: for a showdown the sums of all hands of the board up to each bucket of
// a group, for a fold the sum of all in the board's first place.
template <u32 WIDTH> __device__ inline void spread(const Work<WIDTH> &w, u32 node, const Column &c) {
	const Node n = w.node(node);
	const float *reach = w.f.reach(n.slot(1 - w.player));
	const float *size = w.g.constants + w.round.size + w.first;
	const float *from = w.f.value(node);
	float *to = w.f.scratch(n, node, w.player);
	if (n.showdown) {
		float before = 0;
		for (u32 i = c.board; i < c.x; i += lanes)
			before += from[i];
		float sum = 0;
		for (u32 i = c.x; i < c.x + lanes; i++) {
			sum += size[i] * reach[i];
			to[i] = before + sum;
		}
	} else if (c.x == c.board) {
		from += c.board;
		to[c.board] = ((from[0] + from[4]) + (from[2] + from[6])) + ((from[1] + from[5]) + (from[3] + from[7]));
	}
}

// Step 5: what is won at an end.
template <u32 WIDTH> __device__ inline void value_end(const Work<WIDTH> &w, u32 node, const Column &c) {
	const Node n = w.node(node);
	const float amount = as_float(n.first);
	const float *sums = w.f.scratch(n, node, w.player) + c.board;
	float *value = w.f.value(node) + c.x;
	if (n.showdown) {
		const words4 ties = *(const words4 *)(w.g.plan + w.round.ties + w.first + c.x);
		const float total = sums[c.last - c.board];
		for (u32 i = 0; i < span; i++) {
			const u32 lower = ties[i] & 0xffff, higher = ties[i] >> 16;
			const float below = lower > 0 ? sums[lower - 1] : 0;
			const float upto = higher > 0 ? sums[higher - 1] : 0;
			value[i] = amount * (below + upto - total);
		}
	} else {
		vec_at(value) = all(w.player == 0 ? amount : -amount) * (all(sums[0]) - vec_at(w.f.reach(n.slot(1 - w.player)) + c.x));
	}
}

// Step 5 as well: the mean over the next round's boards for one bucket, at a
// deal.
template <u32 WIDTH> __device__ inline void value_deal(const Work<WIDTH> &w, u32 node, const Column &c) {
	const float *values = w.g.frames + (u64)w.g.segment(w.node(node).first).root * lanes;
	const float *weight = w.g.constants + w.g.round(w.s.round + 1).weight;
	const u32 *start = w.g.plan + w.round.child_start + w.first + c.x;
	const u32 *children = w.g.plan + w.round.children;
	float value = 0;
#pragma clang loop unroll_count(8)
	for (u32 i = start[0]; i < start[1]; i++)
		value += weight[children[i]] * values[children[i]];
	w.f.value(node)[c.x] = value;
}

// Step 6: the values of all decisions.
template <u32 WIDTH> __device__ inline void ascend(const Work<WIDTH> &w, const Column &c) {
	for (u32 k = w.s.num_decisions; k-- > 0;) {
		const u32 node = w.decision(k);
		const Node n = w.node(node);
		const u32 child = n.first - w.s.first;
		const float *sigma = w.f.sigma(child) + c.x, *values = w.f.value(child) + c.x;
		vec value;
		if (n.actor == w.player) {
			value = all(0);
			for (u32 a = 0; a < n.actions; a++)
				value += vec_at(sigma + a * WIDTH) * vec_at(values + a * WIDTH);
		} else {
			value = vec_at(values);
			for (u32 a = 1; a < n.actions; a++)
				value += vec_at(values + a * WIDTH);
		}
		vec_at(w.f.value(node) + c.x) = value;
	}
}

// Step 7: the regrets of an own decision.
template <u32 WIDTH> __device__ inline void update(const Work<WIDTH> &w, u32 node, const Column &c) {
	const Node n = w.node(node);
	if (n.actor != w.player)
		return;
	float *regret = w.entries(w.g.regret, n, c.x), *matched = w.entries(w.g.matched, n, c.x);
	const vec value = vec_at(w.f.value(node) + c.x);
	const float *values = w.f.value(n.first - w.s.first) + c.x;
	const vec floor = all(w.rates.floor);
	for (u32 a = 0; a < n.actions; a++, regret += w.round.stride, matched += w.round.stride) {
		const vec before = vec_at(regret);
		const vec decayed = before * (before > all(0) ? all(w.rates.positive) : all(w.rates.negative));
		const vec added = vec_at(values + a * WIDTH) - value, now = decayed + added;
		vec_at(regret) = now > floor ? now : floor;
		if (w.g.matched != w.g.regret) // the next iteration is expected to add the same
			vec_at(matched) = vec_at(regret) + added;
	}
}

} // namespace cfr
