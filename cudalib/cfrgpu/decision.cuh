// The work of a traversal at decisions: to train, and to evaluate a strategy and the
// best response to it.
#pragma once

#include "traversal.cuh"

namespace traversal {

// store_entries stores the entries of an own decision: floats as they are, and 16-bit
// numbers with the scale that the largest of the four buckets needs. Where that is too small or
// not finite, they are 0.
template <class E, class F>
__device__ inline void store_entries(const Floats &to, const Traversal<float> &w, const Node &n, E each, F f) {
	each([&](u32 a) { *(Vec<float> *)(to.at + w.entry(n, a)) = f(a); });
}

template <bool SIGNED, class E, class F>
__device__ inline void store_entries(const Quantized<SIGNED> &to, const Traversal<float> &w,
		const Node &n, E each, F f) {
	const auto now = per_action(each, f);
	u32 most = 0; // bits, so that what is no number is the largest
	each([&](u32 a) {
		const Vec<float> x = now[a];
		for (u32 i = 0; i < span; i++) {
			const float number = x[i];
			u32 magnitude;
			__builtin_memcpy(&magnitude, &number, sizeof number);
			magnitude &= 0x7fffffff;
			most = magnitude > most ? magnitude : most;
		}
	});
	float size;
	__builtin_memcpy(&size, &most, sizeof size);
	const bool stored = size >= 0x1p-96f && size <= 0x1.fffffep127f;
	const float inverse = to.largest * (1 << to.fraction) / size;
	each([&](u32 a) {
		const u64 entry = w.entry(n, a);
		*(vec16 *)(to.at + entry) = stored ? to.packed(now[a], inverse, entry) : vec16{};
	});
	to.scales[w.scale(n)] = size / to.largest;
}

// Training is the work at decisions to train. Matched may be regret itself.
template <class Regrets, class Sums> struct Training {
	Regrets regret, matched;
	Sums sum;
	bool predictive;
	Rates rates;

	// prefetch_entries fetches the entries of a decision that comes soon.
	__device__ void prefetch_entries(const Traversal<float> &w, const Node &n, bool upwards) const {
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

	// touch loads a word of each entry of a decision for the buckets of a column.
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
			const auto weights = per_action(each,
				[&](u32 a) { return positive_part<float>(matched.load(w.entry(n, a), w.scale(n))); });
			const Strategy<float> strategy(each, weights);
			if (n.actor != w.player) {
				const vec reach = w.at(n.slots.other);
				const auto slots = per_action(each, [&](u32 a) { return w.slots(n.first + a).other; });
				each([&](u32 a) { w.at(slots[a]) = reach * strategy(weights[a]); });
				return;
			}
			const vec reach = w.at(n.slots.own);
			const auto before = per_action(each, [&](u32 a) { return sum.load(w.entry(n, a), w.scale(n)); });
			const auto slots = per_action(each, [&](u32 a) { return w.slots(n.first + a).own; });
			each([&](u32 a) {
				if (slots[a] != none)
					w.at(slots[a]) = reach * strategy(weights[a]);
			});
			store_entries(sum, w, n, each,
				[&](u32 a) { return before[a] * splat(rates.average) + reach * strategy(weights[a]); });
		});
	}

	// up sets the value of a decision, and the regrets of an own one.
	__device__ void up(const Traversal<float> &w, const Node &n) const {
		typedef Vec<float> vec;
		by_actions(n, [&](auto each) {
			const auto values = per_action(each, [&](u32 a) { return w.at(w.slots(n.first + a).value); });
			vec value = splat<float>(0);
			if (n.actor != w.player) {
				each([&](u32 a) { value = a == 0 ? values[a] : value + values[a]; });
				w.at(n.slots.value) = value;
				return;
			}
			const auto before = per_action(each, [&](u32 a) { return regret.load(w.entry(n, a), w.scale(n)); });
			const auto weights = per_action(each, [&](u32 a) {
				return positive_part<float>(predictive ? matched.load(w.entry(n, a), w.scale(n)) : before[a]);
			});
			const Strategy<float> strategy(each, weights);
			each([&](u32 a) { value += strategy(weights[a]) * values[a]; });
			const auto now = [&](u32 a) {
				const vec decayed = before[a] *
					(before[a] > splat<float>(0) ? splat(rates.positive) : splat(rates.negative));
				const vec now = decayed + (values[a] - value);
				return now > splat(rates.floor) ? now : splat(rates.floor);
			};
			if (predictive) // the next iteration is expected to add the same
				store_entries(matched, w, n, each, [&](u32 a) { return now(a) + (values[a] - value); });
			store_entries(regret, w, n, each, now);
			w.at(n.slots.value) = value; // in the slot of one of the children
		});
	}
};

// Evaluation is the work at decisions to evaluate a strategy and the best response
// to it.
struct Evaluation {
	void *sum;
	float *scales; // null where sums are floats

	template <class E> __device__ auto load_sums(const Traversal<double> &w, const Node &n, E each) const {
		return per_action(each, [&](u32 a) {
			const u64 entry = w.entry(n, a);
			const Vec<float> v = scales ? Quantized<false>{(i16 *)sum, scales, 0}.load(entry, w.scale(n))
				: Floats{(float *)sum}.load(entry, 0);
			return Vec<double>{v[0], v[1], v[2], v[3]};
		});
	}

	__device__ void prefetch_entries(const Traversal<double> &, const Node &, bool) const {}

	__device__ u32 touch(const Traversal<double> &w, const Node &n, u32 column, bool upwards) const {
		u32 some = 0;
		if (upwards == (n.actor == w.player))
			for (u32 a = 0; a < n.actions; a++) {
				const u64 entry = w.entry(n, a, column);
				some ^= scales ? Quantized<false>{(i16 *)sum, scales, 0}.touch(entry, w.scale(n, column))
					: Floats{(float *)sum}.touch(entry, 0);
			}
		return some;
	}

	__device__ void down(const Traversal<double> &w, const Node &n) const {
		if (n.actor == w.player)
			return;
		by_actions(n, [&](auto each) {
			const auto weights = load_sums(w, n, each);
			const Strategy<double> strategy(each, weights);
			const Vec<double> reach = w.at(n.slots.other);
			const auto slots = per_action(each, [&](u32 a) { return w.slots(n.first + a).other; });
			each([&](u32 a) { w.at(slots[a]) = reach * strategy(weights[a]); });
		});
	}

	__device__ void up(const Traversal<double> &w, const Node &n) const {
		typedef Vec<double> vec;
		by_actions(n, [&](auto each) {
			const auto values = per_action(each, [&](u32 a) { return w.at(w.slots(n.first + a).value); });
			const auto bests = per_action(each, [&](u32 a) { return w.at(w.slots(n.first + a).best); });
			vec value = splat<double>(0), best = splat<double>(0);
			if (n.actor != w.player) {
				each([&](u32 a) { value += values[a], best += bests[a]; });
			} else {
				const auto weights = load_sums(w, n, each);
				const Strategy<double> strategy(each, weights);
				each([&](u32 a) {
					value += strategy(weights[a]) * values[a];
					best = a == 0 || bests[a] > best ? bests[a] : best;
				});
			}
			w.at(n.slots.value) = value;
			w.at(n.slots.best) = best;
		});
	}
};

} // namespace traversal
