// The values of the ends of hands: sums over the other player's hands, as
// solvers/cfr/ends*.go has them. What hands of one hole card or of two need is in
// OneCard and TwoCards. Their sums are found in two steps, with a barrier after
// each: by groups first, and then with what is before each group.
#pragma once

#include "walk.cuh"

namespace walk {

// OneCard: of each board the sums up to each bucket for showdowns, and the sum of
// all for folds, where the own hand is the only one that is ruled out.
template <class Real> struct OneCard {
	const Walk<Real> &w;
	u32 ties[span];
	u32 board, last; // first and last column of the board of this thread's buckets
	// The group of lanes of this thread, its first column and board, and of which
	// sums it is: every step-th from the first on.
	u32 x, group_board, group_last, first_sum, step;

	__device__ OneCard(const Walk<Real> &w) : w(w) {
		const u32 groups = w.columns / lanes;
		x = thread_in_block() % groups * lanes, first_sum = thread_in_block() / groups, step = threads_in_block() / groups;
		if (first_sum >= step)
			first_sum = none;
		bounds(x, group_board, group_last);
		if (w.idle())
			return;
		const words4 t = w.words(w.round.ties);
		for (u32 i = 0; i < span; i++)
			ties[i] = t[i];
		bounds(w.x, board, last);
	}
	__device__ void bounds(u32 x, u32 &board, u32 &last) const {
		board = w.plan[w.round.board + w.first + x] - w.first;
		last = board + w.plan[w.round.groups + w.first + x] * lanes - 1;
	}

	// floats is how many numbers a sum takes: up to each bucket, of groups, and by
	// lane for folds.
	__device__ u32 floats() const { return 3 * w.columns; }

	__device__ void gather(const Sum *list, Real *room, u32 n) const {
		const float *size = w.constants + w.round.size + w.first;
		const u32 groups = (group_last + 1 - group_board) / lanes; // of the board, which share the lanes for folds
		for (u32 k = first_sum; k < n; k += step) {
			const Sum sum = list[k];
			const Real *reach = w.column(sum.slot);
			Real *to = room + k * floats();
			if (sum.kinds & for_showdowns)
				to[w.columns + x] = up_to(reach, 0, to);
			if (sum.kinds & for_folds)
				for (u32 lane = (x - group_board) / lanes; lane < lanes; lane += groups) {
					Real all = 0;
					for (u32 i = group_board + lane; i <= group_last; i += lanes)
						all += (Real)size[i] * reach[i];
					to[2 * w.columns + group_board + lane] = all;
				}
		}
	}

	__device__ void spread(const Sum *list, Real *room, u32 n) const {
		for (u32 k = first_sum; k < n; k += step) {
			const Sum sum = list[k];
			Real *to = room + k * floats();
			if (sum.kinds & for_showdowns && x > group_board) {
				Real before = 0;
				for (u32 i = group_board; i < x; i += lanes)
					before += to[w.columns + i];
				up_to(w.column(sum.slot), before, to);
			}
			if (sum.kinds & for_folds && x == group_board) {
				Real *lane = to + 2 * w.columns + group_board;
				lane[0] = ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
			}
		}
	}

	// up_to sets the sums up to each bucket of the group, and returns that of the
	// group alone.
	__device__ Real up_to(const Real *reach, Real before, Real *to) const {
		Real group = 0;
#pragma unroll
		for (u32 half = 0; half < lanes; half += span) {
			const Vec<Real> r = w.sizes(x + half) * *(const Vec<Real> *)(reach + x + half);
			Vec<Real> sums;
			for (u32 i = 0; i < span; i++) {
				group += r[i];
				sums[i] = before + group;
			}
			*(Vec<Real> *)(to + x + half) = sums;
		}
		return group;
	}

	__device__ Vec<Real> showdown(const Real *sums) const {
		sums += board;
		const Real total = sums[last - board];
		Vec<Real> won;
		for (u32 i = 0; i < span; i++) {
			const u32 lower = ties[i] & 0xffff, higher = ties[i] >> 16;
			const Real below = lower > 0 ? sums[lower - 1] : 0;
			const Real upto = higher > 0 ? sums[higher - 1] : 0;
			won[i] = below + upto - total;
		}
		return won;
	}

	__device__ Vec<Real> fold(const Real *sums, Vec<Real> reach) const {
		return all(sums[2 * w.columns + board]) - reach;
	}
};

// TwoCards: the same over all hands of the one board, and over those with each
// card, which are taken out.
template <class Real> struct TwoCards {
	static constexpr u32 super = 8; // groups of lanes

	const Walk<Real> &w;
	u32 ties[span], card[span], places[span];
	u32 groups, supers; // of all buckets
	u32 my_group, first_sum, step; // as in OneCard

	__device__ TwoCards(const Walk<Real> &w) : w(w) {
		groups = w.columns / lanes;
		supers = (groups + super - 1) / super;
		my_group = thread_in_block() % groups, first_sum = thread_in_block() / groups, step = threads_in_block() / groups;
		if (first_sum >= step)
			first_sum = none;
		if (w.idle())
			return;
		const words4 t = w.words(w.round.ties), c = w.words(w.round.card), p = w.words(w.round.places);
		for (u32 i = 0; i < span; i++)
			ties[i] = t[i], card[i] = c[i], places[i] = p[i];
	}

	// A sum has those up to each bucket, those up to each place in the lists of
	// cards, and those of groups and of groups of groups.
	__device__ u32 by_card() const { return w.columns + 1; }
	__device__ u32 of_groups() const { return by_card() + w.cards * (w.round.hands + 1); }
	__device__ u32 of_supers() const { return of_groups() + groups; }
	__device__ u32 floats() const { return of_supers() + supers; }

	// Lists come first: they take longest.
	__device__ void gather(const Sum *list, Real *room, u32 n) const {
		for (u32 i = thread_in_block(); i < n * (w.cards + supers); i += threads_in_block()) {
			if (i < n * w.cards) {
				const u32 k = i / w.cards;
				sum_card(w.column(list[k].slot), room + k * floats(), i - k * w.cards);
			} else {
				const u32 j = i - n * w.cards, k = j / supers;
				sum_super(w.column(list[k].slot), room + k * floats(), j - k * supers);
			}
		}
		for (u32 k = first_sum; k < n; k += step)
			(room + k * floats())[of_groups() + my_group] = group(w.column(list[k].slot), my_group * lanes, 0, nullptr);
	}

	__device__ void spread(const Sum *list, Real *room, u32 n) const {
		for (u32 k = first_sum; k < n; k += step) {
			Real *to = room + k * floats();
			Real total = 0, above = 0;
			for (u32 s = 0; s < my_group / super; s++)
				total += to[of_supers() + s];
			for (u32 g = my_group / super * super; g < my_group; g++)
				above += to[of_groups() + g];
			if (my_group == 0)
				to[0] = 0;
			group(w.column(list[k].slot), my_group * lanes, total + above, to + 1);
		}
	}

	// group adds up a group of lanes; where it is asked for the sums, they go on
	// from what is before.
	__device__ Real group(const Real *reach, u32 x, Real before, Real *sums) const {
		Real sum = 0;
#pragma unroll
		for (u32 half = 0; half < lanes; half += span) {
			const Vec<Real> r = w.sizes(x + half) * *(const Vec<Real> *)(reach + x + half);
			for (u32 i = 0; i < span; i++) {
				sum += r[i];
				if (sums)
					sums[x + half + i] = before + sum;
			}
		}
		return sum;
	}

	__device__ void sum_super(const Real *reach, Real *to, u32 item) const {
		Real above = 0;
		for (u32 g = item * super; g < (item + 1) * super && g < groups; g++)
			above += group(reach, g * lanes, 0, nullptr);
		to[of_supers() + item] = above;
	}

	// sum_card adds up the hands with a card.
	__device__ void sum_card(const Real *reach, Real *to, u32 card) const {
		const words4 *list = (const words4 *)(w.plan + w.lists + card * (w.round.stride_hands / 2));
		Real *sums = to + by_card() + card * (w.round.hands + 1);
		Real total = 0;
		*sums++ = 0;
		u32 from = 0;
		for (; from + lanes <= w.round.hands; from += lanes, sums += lanes) {
			const words4 places = *list++;
			Real r[lanes], chunk = 0;
#pragma unroll
			for (u32 i = 0; i < lanes; i++)
				r[i] = reach[i % 2 == 0 ? places[i / 2] & 0xffff : places[i / 2] >> 16];
#pragma unroll
			for (u32 i = 0; i < lanes; i++) {
				chunk += r[i];
				sums[i] = total + chunk;
			}
			total += chunk;
		}
		const u16 *rest = (const u16 *)list;
		Real chunk = 0;
		for (; from < w.round.hands; from++) {
			chunk += reach[*rest++];
			*sums++ = total + chunk;
		}
	}

	__device__ Vec<Real> showdown(const Real *sums) const {
		const u32 hands = w.round.hands;
		const Real total = sums[w.columns];
		Vec<Real> won;
#pragma unroll
		for (u32 i = 0; i < span; i++) {
			const Real *a = sums + by_card() + (card[i] & 0xffff), *b = sums + by_card() + (card[i] >> 16);
			const u32 p = places[i];
			Real x = sums[ties[i] & 0xffff] + sums[ties[i] >> 16] - total;
			x -= a[p & 0xff] + a[p >> 8 & 0xff] - a[hands];
			x -= b[p >> 16 & 0xff] + b[p >> 24] - b[hands];
			won[i] = x;
		}
		return won;
	}

	__device__ Vec<Real> fold(const Real *sums, Vec<Real> reach) const {
		const u32 hands = w.round.hands;
		const Real total = sums[w.columns];
		Vec<Real> won;
#pragma unroll
		for (u32 i = 0; i < span; i++)
			won[i] = total - sums[by_card() + (card[i] & 0xffff) + hands] - sums[by_card() + (card[i] >> 16) + hands] + reach[i];
		return won;
	}
};

// value_ends sets the values of a segment's ends, so many sums at a time as there
// is room for. All threads of the block come here.
template <class Real, class Cards> __device__ inline void value_ends(const Walk<Real> &w, const Cards &cards, Real *room, u32 together) {
	const Sum *list = (const Sum *)(w.script + w.of(w.s.sums));
	const u32 *ends = w.script + w.of(w.s.ends), num = w.of(w.s.num_sums), floats = cards.floats();
	for (u32 from = 0; from < num; from += together) {
		const u32 n = num - from < together ? num - from : together;
		if (from > 0)
			sync_block(); // all have done with the sums before
		cards.gather(list + from, room, n);
		sync_block();
		cards.spread(list + from, room, n);
		sync_block();
		if (w.idle())
			continue;
		for (u32 k = 0; k < n; k++) {
			const Sum sum = list[from + k];
			const Real *sums = room + k * floats;
			for (u32 e = sum.first_end; e < sum.first_end + sum.ends; e++) {
				const Node n = w.node(ends[e]);
				float amount;
				__builtin_memcpy(&amount, &n.first, sizeof amount);
				const Slots slots = w.slots(n);
				if (n.showdown)
					w.at(slots.value) = all((Real)amount) * cards.showdown(sums);
				else
					w.at(slots.value) = all((Real)(w.player == 0 ? amount : -amount)) * cards.fold(sums, w.at(sum.slot));
			}
		}
	}
}

} // namespace walk
