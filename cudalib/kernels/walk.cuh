// Walks over the public tree of a two-player poker game for all cards at once:
// the arithmetic of solvers/cfr, with the same bits.
//
// A block walks a segment, which is a betting round after one sequence of earlier
// rounds, with a part of its round's boards. A thread has four adjacent buckets
// and goes through the betting with them by itself; threads meet only where the
// ends of hands are valued, by sums over all hands. Vectors of a last round are in
// shared memory if they fit, in as few places as what is needed at the same time
// takes (cudalib/cfrplan.go decides); those of earlier rounds are in the frames.
//
// Walks are done with Real = float to train, and with double to find values and
// best responses.
#pragma once

#include "cuda.cuh"

namespace walk {

typedef short i16;
typedef int i32;

constexpr u32 lanes = 8; // buckets that are summed up together
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

template <class Real> __device__ inline Vec<Real> all(Real x) { return Vec<Real>{x, x, x, x}; }

// Round is a betting round and its cards. Names of several words are places in
// the plan, but for size, in the constants, and weight, in the weights.
struct alignas(16) Round {
	u32 stride; // buckets, padding included
	u32 first_segment, segments;
	u32 up;            // by bucket: the one it refines
	u32 size, weight;  // by bucket; by child
	u32 board, groups; // one hole card, by bucket: its board's first bucket and number of groups of lanes
	u32 ties;          // by bucket: those that tie, counted from the board's first; the end in the upper half
	// Two hole cards, by bucket in two halves: where the lists of both its cards
	// begin, and in the first and in the second the sums of those that are worse, and
	// of those that are not better.
	u32 card, first_places, second_places;
	u32 hands, stride_hands; // with one card; of a list
	u32 parts;         // four words each: first and last bucket, lists, number of lists
	// Means over the next round's boards: of each group of buckets that a block has, and
	// each of their most_shares shares, where the children start, and, by bucket, how
	// many there are. The k-th children of all buckets come one after the other, and
	// each has a weight.
	u32 share_start, share_children, most_shares, children;
	u32 deals, num_deals; // four words each: where values come from and go to in lanes, and the best
	u32 unused;
};

struct Slots {
	u16 own, other; // vectors of the reach of the player that is walked for, and of the other
	u16 value, best;
};

// Node is a node of a segment, in a walk for one of the players.
struct alignas(16) Node {
	u32 actor, actions;
	u32 first; // child, or what player 0 wins as the bits of a float
	u32 entry; // in lanes
	u32 scale; // likewise, of scales
	u32 showdown;
	Slots slots;
};

// A Sum is over the other player's reach in a vector, for some ends.
struct alignas(16) Sum {
	u32 slot, kinds; // bits: for showdowns, for folds
	u32 first_end, ends;
};
constexpr u32 for_showdowns = 1, for_folds = 2;

struct alignas(16) Segment {
	u32 round;
	// By player who is walked for: the script, which has nodes, what is to be done,
	// sums and ends; and at which places in it they are. Of the operations so many
	// come before the next round.
	u32 script[2], words[2], program[2], length[2], sums[2], ends[2], before;
	u32 vectors; // that there are places for
	u32 enter[2], entered; // where each player's reach comes from in lanes, and whether it does
	u32 frame;     // vectors of an earlier round, in lanes
	u32 root, best; // where the values at the root go, in lanes
	u32 reach;     // how many vectors of an earlier round are reach; they come first
	u32 unused[2];
};

// Op is an operation: at a decision on the way down or up, or to value the ends of
// one sum or two. In an earlier round the first decision of each level of the betting
// is marked: what is at the same level can be done at the same time. The other bits are
// the decision's number, or the first sum's.
enum Op : u32 { go_down = 0, go_up = 1u << 30, sum_one = 2u << 30, sum_two = 3u << 30, which_op = 3u << 30, new_level = 1u << 29, all_ops = 7u << 29 };

struct Header {
	Round rounds[4];
	u32 num_rounds, segments, hole_cards, unused;
};

// Rates are solvers/cfr's: how an iteration weighs what was there before.
struct Rates {
	float positive, negative, floor, average;
};

// Numbers are an array over all entries: floats, or 16-bit numbers with a scale
// for every four buckets of a decision. SIGNED ones go both ways.
struct Floats {
	float *at;

	__device__ Vec<float> load(u64 entry, u64) const { return *(const Vec<float> *)(at + entry); }
	// touch loads something of the same buckets' numbers.
	__device__ u32 touch(u64 entry, u64) const { return *(const u32 *)(at + entry); }
};

template <bool SIGNED> struct Halves {
	i16 *at;
	float *scales;

	static constexpr float largest = SIGNED ? 32767 : 65535;

	__device__ Vec<float> load(u64 entry, u64 scale) const {
		const vec16 x = *(const vec16 *)(at + entry);
		const float s = scales[scale];
		if constexpr (SIGNED)
			return Vec<float>{(float)x[0], (float)x[1], (float)x[2], (float)x[3]} * all(s);
		else
			return Vec<float>{(float)(u16)x[0], (float)(u16)x[1], (float)(u16)x[2], (float)(u16)x[3]} * all(s);
	}
	__device__ u32 touch(u64 entry, u64 scale) const { return *(const u32 *)(at + entry) ^ *(const u32 *)(scales + scale); }
	static __device__ vec16 packed(Vec<float> x, float inverse) {
		// Adding it rounds to whole numbers, halves to even.
		const Vec<float> whole = all(12582912.f);
		const Vec<float> rounded = (x * all(inverse) + whole) - whole;
		return vec16{(i16)(i32)rounded[0], (i16)(i32)rounded[1], (i16)(i32)rounded[2], (i16)(i32)rounded[3]};
	}
};

// Walk is a segment, a part of its round's boards, and who it is walked for,
// with the buckets of this thread.
template <class Real> struct Walk {
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
	// of returns what is the player's. An index that is not known when compiled
	// would put the array, and all that is around it, into memory.
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
	// Where the numbers of an action and their scale are, for this thread's buckets or
	// those from another column on.
	__device__ u64 entry(const Node &n, u32 action) const { return entry(n, action, x); }
	__device__ u64 entry(const Node &n, u32 action, u32 column) const {
		return ((u64)n.entry * lanes + first + column) + (u64)action * round.stride;
	}
	__device__ u64 scale(const Node &n) const { return scale(n, x); }
	__device__ u64 scale(const Node &n, u32 column) const { return (u64)n.scale * lanes + (first + column) / span; }
	__device__ words4 words(u32 place) const { return *(const words4 *)(plan + place + first + x); }
	__device__ Vec<Real> sizes(u32 column) const {
		const Vec<float> v = *(const Vec<float> *)(constants + round.size + first + column);
		return Vec<Real>{v[0], v[1], v[2], v[3]};
	}
};

// Each goes through the actions of a decision: N of them, what is there of each
// being kept in registers, or with N = 0 any number, and loaded again each time.
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

template <u32 N, class V, class Load> struct Kept {
	Load load;
	V kept[N > 0 ? N : 1];

	__device__ Kept(Each<N> each, Load load) : load(load) {
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
template <u32 N, class Load> __device__ inline auto keep(Each<N> each, Load load) {
	return Kept<N, decltype(load(0)), Load>(each, load);
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

template <class Real> __device__ inline Vec<Real> positive_part(Vec<Real> x) { return x > all<Real>(0) ? x : all<Real>(0); }

// Played is the strategy that is proportional to weights, and uniform where they
// are all 0.
template <class Real> struct Played {
	Vec<Real> scale, base;

	template <class E, class W> __device__ Played(E each, const W &weights) {
		Vec<Real> total = all<Real>(0);
		each([&](u32 a) { total += weights[a]; });
		const auto some = total > all<Real>(0);
		Vec<Real> divisor = some ? total : all<Real>(1);
#pragma unroll
		for (u32 i = 0; i < span; i++)
			divisor[i] = opaque(divisor[i]);
		scale = some ? all<Real>(1) / divisor : all<Real>(0);
		base = some ? all<Real>(0) : all<Real>(1 / (Real)each.n());
	}
	__device__ Vec<Real> operator()(Vec<Real> weight) const {
		Vec<Real> x;
#pragma unroll
		for (u32 i = 0; i < span; i++)
			x[i] = either(weight[i], scale[i], base[i]);
		return x;
	}
};

// put sets numbers of an own decision, floats as they are.
template <class E, class F> __device__ inline void put(const Floats &to, const Walk<float> &w, const Node &n, E each, F f) {
	each([&](u32 a) { *(Vec<float> *)(to.at + w.entry(n, a)) = f(a); });
}

// The numbers of the four buckets get the scale that the largest of them needs.
template <bool SIGNED, class E, class F>
__device__ inline void put(const Halves<SIGNED> &to, const Walk<float> &w, const Node &n, E each, F f) {
	const auto now = keep(each, f);
	float most = 0;
	each([&](u32 a) {
		const Vec<float> x = now[a];
		for (u32 i = 0; i < span; i++) {
			const float size = x[i] < 0 ? -x[i] : x[i];
			most = size > most ? size : most;
		}
	});
	const float inverse = most > 0 ? to.largest / most : 0;
	each([&](u32 a) { *(vec16 *)(to.at + w.entry(n, a)) = to.packed(now[a], inverse); });
	to.scales[w.scale(n)] = most / to.largest;
}

// Training is what is done at decisions to train. Matched may be regret itself.
template <class Regrets, class Sums> struct Training {
	Regrets regret, matched;
	Sums sum;
	bool predictive;
	Rates rates;

	// expect tells that a decision comes soon, on the way down or up.
	__device__ void expect(const Walk<float> &w, const Node &n, bool upwards) const {
		const bool own = n.actor == w.player;
		if (upwards && !own)
			return;
		for (u32 a = 0; a < n.actions; a++) {
			const u64 entry = w.entry(n, a);
			prefetch(matched.at + entry);
			if (upwards && predictive)
				prefetch(regret.at + entry);
			if (own && !upwards)
				prefetch(sum.at + entry);
		}
	}

	// touch loads something of all that a decision needs of the buckets of a column.
	__device__ u32 touch(const Walk<float> &w, const Node &n, u32 column, bool upwards) const {
		const bool own = n.actor == w.player;
		u32 some = 0;
		for (u32 a = 0; a < n.actions; a++) {
			const u64 entry = w.entry(n, a, column), scale = w.scale(n, column);
			if (!upwards || (own && predictive))
				some ^= matched.touch(entry, scale);
			if (upwards && own)
				some ^= regret.touch(entry, scale);
			if (!upwards && own)
				some ^= sum.touch(entry, scale);
		}
		return some;
	}

	// down sets the reach of a decision's children.
	__device__ void down(const Walk<float> &w, const Node &n) const {
		typedef Vec<float> vec;
		by_actions(n, [&](auto each) {
			const auto weights = keep(each, [&](u32 a) { return positive_part<float>(matched.load(w.entry(n, a), w.scale(n))); });
			const Played<float> played(each, weights);
			if (n.actor != w.player) {
				const vec reach = w.at(n.slots.other);
				const auto slots = keep(each, [&](u32 a) { return w.slots(n.first + a).other; });
				each([&](u32 a) { w.at(slots[a]) = reach * played(weights[a]); });
				return;
			}
			const vec reach = w.at(n.slots.own);
			const auto before = keep(each, [&](u32 a) { return sum.load(w.entry(n, a), w.scale(n)); });
			const auto slots = keep(each, [&](u32 a) { return w.slots(n.first + a).own; });
			each([&](u32 a) {
				if (slots[a] != none)
					w.at(slots[a]) = reach * played(weights[a]);
			});
			put(sum, w, n, each, [&](u32 a) { return before[a] * all(rates.average) + reach * played(weights[a]); });
		});
	}

	// up sets the value of a decision, and the regrets of an own one.
	__device__ void up(const Walk<float> &w, const Node &n) const {
		typedef Vec<float> vec;
		by_actions(n, [&](auto each) {
			const auto values = keep(each, [&](u32 a) { return w.at(w.slots(n.first + a).value); });
			vec value = all<float>(0);
			if (n.actor != w.player) {
				each([&](u32 a) { value = a == 0 ? values[a] : value + values[a]; });
				w.at(n.slots.value) = value;
				return;
			}
			const auto before = keep(each, [&](u32 a) { return regret.load(w.entry(n, a), w.scale(n)); });
			const auto weights = keep(each, [&](u32 a) {
				return positive_part<float>(predictive ? matched.load(w.entry(n, a), w.scale(n)) : before[a]);
			});
			const Played<float> played(each, weights);
			each([&](u32 a) { value += played(weights[a]) * values[a]; });
			const auto now = [&](u32 a) {
				const vec decayed = before[a] * (before[a] > all<float>(0) ? all(rates.positive) : all(rates.negative));
				const vec now = decayed + (values[a] - value);
				return now > all(rates.floor) ? now : all(rates.floor);
			};
			if (predictive) // the next iteration is expected to add the same
				put(matched, w, n, each, [&](u32 a) { return now(a) + (values[a] - value); });
			put(regret, w, n, each, now);
			w.at(n.slots.value) = value; // one of the children's places
		});
	}
};

// Valuing is what is done at decisions to value a strategy and the best response
// to it.
struct Valuing {
	void *sum;
	float *scales; // null where sums are floats

	template <class E> __device__ auto weigh(const Walk<double> &w, const Node &n, E each) const {
		return keep(each, [&](u32 a) {
			const u64 entry = w.entry(n, a);
			const Vec<float> v = scales ? Halves<false>{(i16 *)sum, scales}.load(entry, w.scale(n)) : Floats{(float *)sum}.load(entry, 0);
			return Vec<double>{v[0], v[1], v[2], v[3]};
		});
	}

	__device__ void expect(const Walk<double> &, const Node &, bool) const {}

	__device__ u32 touch(const Walk<double> &w, const Node &n, u32 column, bool upwards) const {
		u32 some = 0;
		if (upwards == (n.actor == w.player))
			for (u32 a = 0; a < n.actions; a++) {
				const u64 entry = w.entry(n, a, column);
				some ^= scales ? Halves<false>{(i16 *)sum, scales}.touch(entry, w.scale(n, column)) : Floats{(float *)sum}.touch(entry, 0);
			}
		return some;
	}

	__device__ void down(const Walk<double> &w, const Node &n) const {
		if (n.actor == w.player)
			return;
		by_actions(n, [&](auto each) {
			const auto weights = weigh(w, n, each);
			const Played<double> played(each, weights);
			const Vec<double> reach = w.at(n.slots.other);
			const auto slots = keep(each, [&](u32 a) { return w.slots(n.first + a).other; });
			each([&](u32 a) { w.at(slots[a]) = reach * played(weights[a]); });
		});
	}

	__device__ void up(const Walk<double> &w, const Node &n) const {
		typedef Vec<double> vec;
		by_actions(n, [&](auto each) {
			const auto values = keep(each, [&](u32 a) { return w.at(w.slots(n.first + a).value); });
			const auto bests = keep(each, [&](u32 a) { return w.at(w.slots(n.first + a).best); });
			vec value = all<double>(0), best = all<double>(0);
			if (n.actor != w.player) {
				each([&](u32 a) { value += values[a], best += bests[a]; });
			} else {
				const auto weights = weigh(w, n, each);
				const Played<double> played(each, weights);
				each([&](u32 a) {
					value += played(weights[a]) * values[a];
					best = a == 0 || bests[a] > best ? bests[a] : best;
				});
			}
			w.at(n.slots.value) = value;
			w.at(n.slots.best) = best;
		});
	}
};

} // namespace walk
