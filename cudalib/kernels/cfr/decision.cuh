// The work of a traversal at decisions: to train, and to evaluate a strategy and the
// best response to it.
#pragma once

#include "traversal.cuh"

namespace traversal {

// put sets numbers of an own decision, floats as they are.
template <class E, class F> __device__ inline void put(const Floats &to, const Traversal<float> &w, const Node &n, E each, F f) {
	each([&](u32 a) { *(Vec<float> *)(to.at + w.entry(n, a)) = f(a); });
}

// The numbers of the four buckets get the scale that the largest of them needs.
template <bool SIGNED, class E, class F>
__device__ inline void put(const Quantized<SIGNED> &to, const Traversal<float> &w, const Node &n, E each, F f) {
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

// Training is the work at decisions to train. Matched may be regret itself.
template <class Regrets, class Sums> struct Training {
	Regrets regret, matched;
	Sums sum;
	bool predictive;
	Rates rates;

	// expect fetches the numbers of a decision that comes soon, on the way down or up.
	__device__ void expect(const Traversal<float> &w, const Node &n, bool upwards) const {
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
	__device__ u32 touch(const Traversal<float> &w, const Node &n, u32 column, bool upwards) const {
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
	__device__ void down(const Traversal<float> &w, const Node &n) const {
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
	__device__ void up(const Traversal<float> &w, const Node &n) const {
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

// Evaluating is the work at decisions to evaluate a strategy and the best response
// to it.
struct Evaluating {
	void *sum;
	float *scales; // null where sums are floats

	template <class E> __device__ auto weigh(const Traversal<double> &w, const Node &n, E each) const {
		return keep(each, [&](u32 a) {
			const u64 entry = w.entry(n, a);
			const Vec<float> v = scales ? Quantized<false>{(i16 *)sum, scales}.load(entry, w.scale(n)) : Floats{(float *)sum}.load(entry, 0);
			return Vec<double>{v[0], v[1], v[2], v[3]};
		});
	}

	__device__ void expect(const Traversal<double> &, const Node &, bool) const {}

	__device__ u32 touch(const Traversal<double> &w, const Node &n, u32 column, bool upwards) const {
		u32 some = 0;
		if (upwards == (n.actor == w.player))
			for (u32 a = 0; a < n.actions; a++) {
				const u64 entry = w.entry(n, a, column);
				some ^= scales ? Quantized<false>{(i16 *)sum, scales}.touch(entry, w.scale(n, column)) : Floats{(float *)sum}.touch(entry, 0);
			}
		return some;
	}

	__device__ void down(const Traversal<double> &w, const Node &n) const {
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

	__device__ void up(const Traversal<double> &w, const Node &n) const {
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

} // namespace traversal
