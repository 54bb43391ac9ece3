// Decisions of spots with entries of 32 bits, and ends and deals of all spots.
// PTXFLAGS: -mllvm -inline-threshold=100000
#include "spot.cuh"

__global__ void spot_down_improve(SPOT_BETTING(float)) { Betting<float>{THE_SPOT_BETTING}.down<improve, true>(); }
__global__ void spot_down_other(SPOT_BETTING(float)) { Betting<float>{THE_SPOT_BETTING}.down<improve, false>(); }
__global__ void spot_down_average(SPOT_BETTING(float)) { Betting<float>{THE_SPOT_BETTING}.down<average, false>(); }
__global__ void spot_up_improve(SPOT_BETTING(float)) { Betting<float>{THE_SPOT_BETTING}.up<improve>(); }
__global__ void spot_up_respond(SPOT_BETTING(float)) { Betting<float>{THE_SPOT_BETTING}.up<respond>(); }
__global__ void spot_up_average(SPOT_BETTING(float)) { Betting<float>{THE_SPOT_BETTING}.up<average>(); }

// End is one of the ends of a street: the slot of the other player's reach, its node and that of the fold beside it,
// or nothing, and what they pay for the reach of the other player's hands: of all, and beyond that of those that are
// not better and of those that are worse than a hand.
struct alignas(16) End {
	u32 slot, node, fold;
	float worse, not_better, all, loss;
};

// Place has the sums that a hand reads: of the hands of the other player that are worse and that
// are not better, of all and of those with each of its cards, whose lists are numbered; and its
// place among the hands of the other player.
struct Place {
	u16 worse[3], not_better[3], list[2], same, unused;
};

constexpr u32 lists = 1 + cards, side = 4;
typedef float floats4 __attribute__((vector_size(4 * side), may_alias));

// add_up adds n numbers, in their order. It calls each with the numbers so far and their sum.
// Numbers are loaded some at a time, for the reason of batch.
template <class L, class F> INLINE void add_up(u32 n, L load, F each) {
	constexpr u32 some = 16;
	float sum = 0, x[some];
	const u32 whole = n / some * some;
	for (u32 i = 0; i < whole; i += some) {
#pragma unroll
		for (u32 j = 0; j < some; j++)
			x[j] = load(i + j);
#pragma unroll
		for (u32 j = 0; j < some; j++)
			each(i + j + 1, sum += x[j]);
	}
	for (u32 i = whole; i < n; i++)
		each(i + 1, sum += load(i));
}

// ends values ends at which hands are compared, or else folds only. A block has some on a board. It adds up the reach
// of the hands of each list, of all and those with each card, and keeps the sums before the first hand of
// each list, which is 0, and after each; or, for folds, the sum of all only.
template <bool COMPARE>
INLINE void ends(const Task *tasks, const End *all_ends, const Hands *hands, const u16 *orders, const u32 *starts,
		const Place *places, const float *reach, float *values, u32 player) {
	DYNAMIC_SHARED(floats4, sums);
	const Task task = tasks[block_in_grid()];
	const End *const ended = all_ends + task.item * side;
	const Hands own = hands[task.board * 2 + player], other = hands[task.board * 2 + 1 - player];
	const u32 *const start = starts + other.starts;
	const u16 *const order = orders + other.orders;
	const float *reached[side];
#pragma unroll
	for (u32 s = 0; s < side; s++)
		reached[s] = reach + other.reach + (u64)ended[s].slot * other.width;

	// Where hands are compared, the sum of all hands so far later replaces the reach of each, which
	// saves shared memory. Where they are not, the reach follows the sums of the lists.
	floats4 *const loaded = sums + (COMPARE ? 1 : lists);
	for (u32 i = thread_in_block(); i < other.size; i += threads_in_block())
		loaded[i] = floats4{reached[0][i], reached[1][i], reached[2][i], reached[3][i]};
	sync_block();
	const float *const from = (const float *)loaded;
	float *const to = (float *)sums;
	for (u32 task = thread_in_block(); task < cards * side; task += threads_in_block()) {
		const u32 list = 1 + task / side, s = task % side;
		const u16 *const hand = order + start[list];
		float *const at = to + (COMPARE ? start[list] + list : list) * side + s;
		at[0] = 0;
		add_up(start[list + 1] - start[list], [&](u32 i) { return from[hand[i] * side + s]; },
			   [&](u32 n, float sum) { at[COMPARE ? n * side : 0] = sum; });
	}
	if (COMPARE)
		sync_block();
	const u32 last = threads_in_block() - 1 - thread_in_block(); // the last threads had less to do
	if (last < side) {
		float *const at = to + last;
		at[0] = 0;
		add_up(other.size, [&](u32 i) { return from[i * side + last]; },
			[&](u32 n, float sum) { at[COMPARE ? n * side : 0] = sum; });
	}
	sync_block();

	// The sums of all hands of the lists.
	const auto total = [&](u32 list) { return sums[COMPARE ? start[list + 1] + list : list]; };
	const floats4 none = {};
	for (u32 i = thread_in_block(); i < own.width; i += threads_in_block()) {
		floats4 worse = none, not_better = none, any = none;
		if (i < own.size) {
			const Place p = places[own.places + i];
			const floats4 same = p.same < other.size
				? floats4{reached[0][p.same], reached[1][p.same], reached[2][p.same], reached[3][p.same]} : none;
			any = total(0) - total(p.list[0]) - total(p.list[1]) + same;
			if (COMPARE) {
				worse = sums[p.worse[0]] - sums[p.worse[1]] - sums[p.worse[2]];
				not_better = sums[p.not_better[0]] - sums[p.not_better[1]] - sums[p.not_better[2]] + same;
			}
		}
		float *const value = values + own.values + i;
#pragma unroll
		for (u32 s = 0; s < side; s++) {
			const End e = ended[s];
			float x = any[s] * e.all;
			if (COMPARE)
				x = x + (not_better[s] * e.not_better + worse[s] * e.worse);
			if (e.node != nothing)
				value[(u64)e.node * own.width] = x;
			if (COMPARE && e.fold != nothing)
				value[(u64)e.fold * own.width] = any[s] * e.loss;
		}
	}
}

#define SPOT_ENDS \
	const Task *tasks, const End *all_ends, const Hands *hands, const u16 *orders, const u32 *starts, \
		const Place *places, const float *reach, float *values, u32 player
#define THE_SPOT_ENDS tasks, all_ends, hands, orders, starts, places, reach, values, player

__global__ void spot_folds(SPOT_ENDS) { ends<false>(THE_SPOT_ENDS); }
__global__ void spot_showdowns(SPOT_ENDS) { ends<true>(THE_SPOT_ENDS); }

// spot_deals values the ends of a street before the river, from the values of the next one. The
// cards are added in their order. Where only some boards have been passed, those whose numbers leave part when they are
// divided by parts, they count for all.
__global__ void spot_deals(const Task *tasks, const Deal *deals, const Hands *hands, const u32 *terms,
		const u16 *maps, const Hands *next_hands, const Segment *next_segments, const float *next_values, float *values,
		u32 chunks, u32 player, u32 part, u32 parts) {
	const Part own(chunks, abreast);
	const Task task = tasks[own.task];
	const Hands h = hands[task.board * 2 + player];
	const u32 node = deals[task.item].node, root = next_segments[deals[task.item].segment].root;
	SHARED(u64, from, cards);
	constexpr u64 skipped = ~0ull;
	for (u32 k = thread_in_block(); k < h.num_terms; k += threads_in_block()) {
		const Hands &next = next_hands[terms[h.terms + k] * 2 + player];
		from[k] = next.number % parts == part ? next.values + (u64)root * next.width : skipped;
	}
	sync_block();
	if (own.hand >= h.width)
		return;
	constexpr u32 some = 8; // terms at once
	floats2 sum = {};
	for (u32 k = 0; k < h.num_terms; k += some) {
		u32 place[some][abreast];
#pragma unroll
		for (u32 j = 0; j < some; j++)
#pragma unroll
			for (u32 i = 0; i < abreast; i++)
				place[j][i] = k + j < h.num_terms && own.hand + i < h.size && from[k + j] != skipped
					? maps[h.maps + (k + j) * h.size + own.hand + i] : none;
		floats2 x[some];
#pragma unroll
		for (u32 j = 0; j < some; j++)
			x[j] = by_hand<floats2>(
				[&](u32 i) { return place[j][i] != none ? next_values[from[k + j] + place[j][i]] : 0; });
#pragma unroll
		for (u32 j = 0; j < some; j++)
			sum += x[j];
	}
	store(values + h.values + (u64)node * h.width + own.hand, sum * (float)parts);
}
