// The values of terminal nodes: sums over the other player's hands, as in
// solvers/cfr/publictree. Two sums, with the reach of two vectors, are computed
// at a time and interleaved, so that one load gets an element of both. OneCard and
// TwoCards are for games of one hole card and of two. They add up in two steps, with
// a barrier after each: within groups, and then what comes before each group.
#pragma once

#include "traversal.cuh"

namespace traversal {

// Two has an element of each of two sums.
template <class Real> struct PairOf;
template <> struct PairOf<float> {
	typedef float two __attribute__((vector_size(8), may_alias));
};
template <> struct PairOf<double> {
	typedef double two __attribute__((vector_size(16), may_alias));
};
template <class Real> using Two = typename PairOf<Real>::two;

// Both are the vectors of a thread for two sums.
template <class Real> struct Both {
	Vec<Real> first, second;

	__device__ void set(u32 i, Two<Real> x) { first[i] = x[0], second[i] = x[1]; }
};

// TerminalValues are the values of the terminal nodes of two sums per unit of the
// amount: after a fold the other player's reach, and at a showdown the reach of worse
// hands less the reach of better hands.
template <class Real> struct TerminalValues {
	Both<Real> folds, showdowns;
};

// GroupSums are the inclusive prefix sums of a thread's buckets in their group of
// lanes, which two neighbours of a warp share. All threads of the warp construct them.
template <class Real> struct GroupSums {
	Two<Real> upto[span];
	Two<Real> all; // of the group, known to its second thread

	__device__ GroupSums(const Traversal<Real> &w, const Vec<Real> &size, const Vec<Real> *first,
			const Vec<Real> *second) {
		const Vec<Real> none = Vec<Real>{0, 0, 0, 0};
		const Vec<Real> a = w.idle() ? none : size * *first, b = w.idle() ? none : size * *second;
		add(a, b, Two<Real>{0, 0});
		const u32 lane = thread_in_block() % 32;
		Two<Real> before;
		warp_exchange(upto[span - 1], [&](auto of) { before = of(lane & ~1u); });
		if (lane % 2 == 1)
			add(a, b, before);
		all = upto[span - 1];
	}
	__device__ void add(const Vec<Real> &a, const Vec<Real> &b, Two<Real> sum) {
#pragma unroll
		for (u32 i = 0; i < span; i++) {
			sum += Two<Real>{a[i], b[i]};
			upto[i] = sum;
		}
	}
};

// sizes_of returns the number of hands in each of a thread's buckets.
template <class Real> __device__ inline Vec<Real> sizes_of(const Traversal<Real> &w) {
	return w.idle() ? Vec<Real>{0, 0, 0, 0} : w.sizes(w.x);
}

// OneCard: of each board the sums up to each bucket for showdowns, and the sum of
// all for folds, where the own hand is the only one that is ruled out.
template <class Real> struct OneCard {
	typedef Two<Real> two;
	static constexpr bool ahead = false; // whether to prefetch the next decision's entries

	const Traversal<Real> &w;
	u32 ties[span];
	u32 board, last; // first and last column of the board of this thread's buckets
	Real *sizes;     // in the scratch for sums, too, because all threads look them up

	__device__ OneCard(const Traversal<Real> &w, two *scratch) : w(w), board(0), last(0),
			sizes((Real *)(scratch + 2 * w.columns)) {
		if (w.idle())
			return;
		*(Vec<Real> *)(sizes + w.x) = sizes_of(w);
		const words4 t = w.words(w.round.ties);
		for (u32 i = 0; i < span; i++)
			ties[i] = t[i];
		board = w.plan[w.round.board + w.first + w.x] - w.first;
		last = board + w.plan[w.round.groups + w.first + w.x] * lanes - 1;
	}

	// The scratch for sums has the prefix sums of buckets, then the sums by lane at the
	// start of each board, and, after the sizes, the sums of groups.
	__device__ two *by_lane(two *sums) const { return sums + w.columns; }
	__device__ two *by_group(two *sums) const { return sums + 2 * w.columns + w.columns / 2; }

	// Inputs and Offsets are used by TwoCards.
	struct Inputs {};
	struct Offsets {};
	__device__ Inputs inputs() const { return {}; }

	// sum finds the sums of two vectors of reach. All threads of the block call it.
	__device__ Offsets sum(const Inputs &, const Real *first, const Real *second, u32 kinds, two *sums) const {
		if (kinds & for_folds && !w.idle()) { // the board's threads share the lanes
			for (u32 lane = (w.x - board) / span; lane < lanes; lane += (last + 1 - board) / span) {
				two all = {0, 0};
				for (u32 i = board + lane; i <= last; i += lanes)
					all += two{sizes[i] * first[i], sizes[i] * second[i]};
				by_lane(sums)[board + lane] = all;
			}
		}
		if (kinds & for_showdowns) {
			const Vec<Real> size = w.idle() ? Vec<Real>{0, 0, 0, 0} : *(const Vec<Real> *)(sizes + w.x);
			const GroupSums<Real> group(w, size, (const Vec<Real> *)(first + w.x), (const Vec<Real> *)(second + w.x));
			if (w.x / span % 2 == 1 && !w.idle())
				by_group(sums)[w.x / lanes] = group.all;
			sync_block();
			two before = {0, 0};
			for (u32 g = board / lanes; g < w.x / lanes && !w.idle(); g++)
				before += by_group(sums)[g];
#pragma unroll
			for (u32 i = 0; i < span; i++)
				if (!w.idle())
					sums[w.x + i] = before + group.upto[i];
		}
		sync_block();
		return {};
	}

	// terminals computes the values of folds and of showdowns, where asked for.
	__device__ TerminalValues<Real> terminals(const Offsets &, const two *sums, u32 kinds, const Vec<Real> &first,
			const Vec<Real> &second) const {
		TerminalValues<Real> terminals;
		if (kinds & for_folds) {
			const two *lane = by_lane(const_cast<two *>(sums)) + board;
			const two total = ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
			terminals.folds = {splat(total[0]) - first, splat(total[1]) - second};
		}
		if (kinds & for_showdowns) {
			sums += board;
			const two total = sums[last - board];
#pragma unroll
			for (u32 i = 0; i < span; i++) {
				const u32 lower = ties[i] & 0xffff, higher = ties[i] >> 16;
				const two below = lower > 0 ? sums[lower - 1] : two{0, 0};
				const two upto = higher > 0 ? sums[higher - 1] : two{0, 0};
				terminals.showdowns.set(i, below + upto - total);
			}
		}
		return terminals;
	}
};

// TwoCards: the same over all hands of the one board, and over those with each
// card, which are taken out.
template <class Real> struct TwoCards {
	typedef Two<Real> two;
	static constexpr bool ahead = true;
	static constexpr u32 super = 8; // groups of lanes
	static constexpr u32 max_chunks = 7; // of a card's 51 hands

	const Traversal<Real> &w;

	__device__ TwoCards(const Traversal<Real> &w, two *) : w(w) {}

	// The scratch for sums has the prefix sums of buckets, those of the lists of cards,
	// and the sums of groups of groups.
	__device__ two *by_card(two *sums) const { return sums + w.columns + 1; }
	__device__ const two *by_card(const two *sums) const { return sums + w.columns + 1; }
	__device__ two *by_super(two *sums) const { return by_card(sums) + w.cards * (w.round.hands + 1); }

	// A sum loads from global memory before the barriers that precede the use: Inputs
	// are what it sums, and Offsets are where the sums of this thread's buckets are.
	struct Inputs {
		Vec<Real> size;
		words4 list;
	};
	struct Offsets {
		words4 ties, cards, first, second;
	};
	__device__ Inputs inputs() const { return {sizes_of(w), list(thread_in_block() / 32 * cards_per_warp())}; }
	__device__ Offsets offsets(u32 kinds) const {
		Offsets t = {};
		if (w.idle())
			return t;
		t.cards = w.words(w.round.card);
		if (kinds & for_showdowns)
			t.ties = w.words(w.round.ties), t.first = w.words(w.round.first_sums),
				t.second = w.words(w.round.second_sums);
		return t;
	}

	// sum finds the sums of two vectors of reach. All threads of the block call it.
	__device__ Offsets sum(const Inputs &inputs, const Real *first, const Real *second, u32 kinds, two *sums) const {
		sum_cards(inputs.list, first, second, kinds & for_showdowns, by_card(sums));
		const GroupSums<Real> group(w, inputs.size, (const Vec<Real> *)(first + w.x),
			(const Vec<Real> *)(second + w.x));
		const u32 lane = thread_in_block() % 32, mine = lane / 2 % super;
		two above = {0, 0}; // of earlier groups in the same group of groups
		warp_exchange(group.all, [&](auto of) {
#pragma unroll
			for (u32 g = 0; g < super - 1; g++) {
				const two x = of(lane / (2 * super) * (2 * super) + 2 * g + 1);
				above = g < mine ? above + x : above;
			}
		});
		const u32 my_super = w.x / (lanes * super);
		if (lane % (2 * super) == 2 * super - 1)
			by_super(sums)[my_super] = above + group.all; // perhaps beyond the last hand
		sync_block();
		const Offsets offsets = this->offsets(kinds);
		if (!w.idle() && (kinds & for_showdowns || w.x + span == w.columns)) {
			two before = {0, 0};
#pragma clang loop unroll_count(4)
			for (u32 s = 0; s < my_super; s++)
				before += by_super(sums)[s];
			before += above;
#pragma unroll
			for (u32 i = 0; i < span; i++)
				sums[w.x + i + 1] = before + group.upto[i];
			if (w.x == 0)
				sums[0] = two{0, 0};
		}
		sync_block();
		return offsets;
	}

	// chunks returns how many chunks of lanes a card's list has: a thread takes one, and
	// a warp takes cards_per_warp cards at the same time.
	__device__ u32 chunks() const { return (w.round.hands + lanes - 1) / lanes; }
	__device__ u32 cards_per_warp() const { return 32 / chunks(); }
	// list returns this thread's chunk, of the cards from one on.
	__device__ words4 list(u32 base) const {
		const u32 lane = thread_in_block() % 32, card = base + lane / chunks();
		if (lane / chunks() >= cards_per_warp() || card >= w.cards)
			return words4{};
		return *(const words4 *)(w.plan + w.lists + card * (w.round.stride_hands / 2) + lane % chunks() * (lanes / 2));
	}

	// sum_cards adds up the hands with each card. The thread's first list is given.
	// Without showdowns only the total is needed.
	__device__ void sum_cards(words4 list, const Real *first, const Real *second, bool showdowns, two *sums) const {
		const u32 hands = w.round.hands, chunks = this->chunks(), cards_per_warp = this->cards_per_warp();
		const u32 lane = thread_in_block() % 32, chunk = lane % chunks, row = lane / chunks;
		const u32 step = threads_in_block() / 32 * cards_per_warp;
		for (u32 base = thread_in_block() / 32 * cards_per_warp; base < w.cards; base += step) {
			const words4 next = this->list(base + step);
			const u32 card = base + row, from = chunk * lanes;
			const bool some = row < cards_per_warp && card < w.cards;
			two upto[lanes], sum = {0, 0};
			if (some) {
#pragma unroll
				for (u32 i = 0; i < lanes; i++) {
					const u32 hand = i % 2 == 0 ? list[i / 2] & 0xffff : list[i / 2] >> 16;
					if (from + i < hands)
						sum += two{first[hand], second[hand]};
					upto[i] = sum;
				}
			}
			two before = {0, 0};
			warp_exchange(sum, [&](auto of) {
#pragma unroll
				for (u32 k = 0; k + 1 < max_chunks; k++)
					if (k + 1 < chunks) {
						const two x = of((lane - chunk + k) % 32);
						before = k < chunk ? before + x : before;
					}
			});
			list = next;
			if (!some)
				continue;
			two *to = sums + card * (hands + 1);
			if (chunk == 0)
				to[0] = two{0, 0};
#pragma unroll
			for (u32 i = 0; i < lanes; i++)
				if (from + i < hands && (showdowns || from + i + 1 == hands))
					to[from + i + 1] = before + upto[i];
		}
	}

	// terminals computes the values of folds, without hands that share a card with the
	// own, and of showdowns if asked for.
	__device__ TerminalValues<Real> terminals(const Offsets &t, const two *sums, u32 kinds, const Vec<Real> &first,
			const Vec<Real> &second) const {
		const two total = sums[w.columns], *by = by_card(sums), *all = by + w.round.hands;
		TerminalValues<Real> terminals;
#pragma unroll
		for (u32 i = 0; i < span; i++) {
			const two one = all[t.cards[i] & 0xffff], other = all[t.cards[i] >> 16];
			terminals.folds.set(i, total - one - other);
			if (kinds & for_showdowns) {
				two x = sums[t.ties[i] & 0xffff] + sums[t.ties[i] >> 16] - total;
				x -= by[t.first[i] & 0xffff] + by[t.first[i] >> 16] - one;
				x -= by[t.second[i] & 0xffff] + by[t.second[i] >> 16] - other;
				terminals.showdowns.set(i, x);
			}
		}
		terminals.folds = {terminals.folds.first + first, terminals.folds.second + second};
		return terminals;
	}
};

// NoCards is for traversals without terminal nodes.
template <class Real> struct NoCards {
	static constexpr bool ahead = false;

	__device__ NoCards(const Traversal<Real> &, Two<Real> *) {}
};

// set_terminals sets the values of a sum's terminal nodes of one kind, which differ
// only in the amount.
template <class Real>
__device__ inline void set_terminals(const Traversal<Real> &w, const Sum &sum, bool showdown, const Vec<Real> &value) {
	const u32 *terminals = w.script + w.of(w.s.terminals);
	for (u32 e = sum.first_terminal; e < sum.first_terminal + sum.terminals; e++) {
		const Node n = w.node(terminals[e]);
		if ((n.showdown != 0) != showdown)
			continue;
		float amount;
		__builtin_memcpy(&amount, &n.first, sizeof amount);
		w.at(n.slots.value) = splat((Real)(showdown || w.player == 0 ? amount : -amount)) * value;
	}
}

// value_terminals sets the values of the terminal nodes of one sum or two. All threads
// of the block call it.
template <class Real, class Cards>
__device__ inline void value_terminals(const Traversal<Real> &w, const Cards &cards,
		Two<Real> *scratch, u32 which, bool two) {
	const Sum *list = (const Sum *)(w.script + w.of(w.s.sums)) + which;
	const Sum a = list[0], b = list[two ? 1 : 0];
	const u32 kinds = a.kinds | b.kinds;
	const auto inputs = cards.inputs();
	sync_block(); // reach is complete, and the sums before are no longer used
	const auto offsets = cards.sum(inputs, w.column(a.slot), w.column(b.slot), kinds, scratch);
	if (w.idle())
		return;
	// All are computed before values overwrite reach.
	const TerminalValues<Real> found = cards.terminals(offsets, scratch, kinds, w.at(a.slot), w.at(b.slot));
	if (kinds & for_folds) {
		set_terminals(w, a, false, found.folds.first);
		if (two)
			set_terminals(w, b, false, found.folds.second);
	}
	if (kinds & for_showdowns) {
		set_terminals(w, a, true, found.showdowns.first);
		if (two)
			set_terminals(w, b, true, found.showdowns.second);
	}
}

} // namespace traversal
