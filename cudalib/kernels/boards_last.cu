// The last round of public chance sampling, where the buckets of a board grow with
// the ranks of its hands, as buckets of strength do. Then all hands of a bucket are
// neighbours, and what one of them wins from another bucket only depends on the
// cards that they share: a betting tree of the round is valued by bucket and card
// and not by hand, however many actions it has.
//
// A tree has sequences of the player who walks and of the other, each an action
// after an earlier sequence, the first of them empty; and ends, which have one of
// each. By bucket n and sequence s, with q the probability that the other plays s
// and R the other's reach at the root by bucket and card:
//
//   T(n, c) = the reach of the hands of bucket c, summed up over the hands of
//             bucket n that have none of their cards
//   what all hands of bucket n win at an end = the sum over c of T(n, c) q(s, c),
//             times what is won where c < n, lost where c > n; and in bucket n
//             itself by the sums over its hands of what is below each
//   H(n, c) = the sum over ends of the player's probability times q times that
//   what a hand wins at the root = the sum over c of H(n, c) times R of all cards
//             less R of its own two, and within its bucket by what is below it
#include "boards.cuh"

using namespace boards;

// Tree is a betting tree, in words: how many sequences there are of the player and
// of the other, decisions of the other and ends; then the sequences but for the
// empty ones, the decisions and the ends.
struct Tree {
	const u32 *words;

	INLINE u32 own() const { return words[0]; }
	INLINE u32 others() const { return words[1]; }
	INLINE u32 nodes() const { return words[2]; }
	INLINE u32 ends() const { return words[3]; }
	// The sequence before, where its strategy starts, by bucket, and where its
	// sums are, by place. Numbers are from 1 on.
	INLINE const u32 *own(u32 i) const { return words + 4 + 3 * (i - 1); }
	INLINE const u32 *other(u32 i) const { return own(own() + 1) + 2 * (i - 1); }
	// The sequence that leads to a decision of the other, and where its sums are.
	INLINE const u32 *node(u32 i) const { return other(others() + 1) + 2 * i; }
	// The two sequences of an end, and what the player gets with the best hand,
	// with another and with one as good, as the bits of floats.
	INLINE const u32 *end(u32 i) const { return node(nodes()) + 5 * i; }
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

__global__ LAUNCH_BOUNDS(288, 3) void boards_last(const u32 *trees, const u32 *tree_at, const u32 *feed, const float *sigma, float *found, float *roots,
	u32 num_trees, u32 groups, u32 num_roots, u32 rounds, u32 cards, u32 two_cards, u32 feed_words, u32 found_words, u32 wide, u32 sequences) {
	DYNAMIC_SHARED(float, shared);
	const u32 t = thread_in_block(), lane = t % 32, threads = threads_in_block(), warp = t / 32, warps = threads / 32;
	const u32 width = span * threads, number_of_board = block_in_grid() / groups;
	const u32 columns = (cards + 4) / 4 * 4, last = rounds - 1;
	const Board board = {feed + (u64)number_of_board * feed_words, width, rounds, cards};
	float *next = shared;
	auto take = [&](u32 n) {
		float *const from = next;
		next += (n + 3) / 4 * 4;
		return from;
	};
	auto most = [](u32 x, u32 y) { return x > y ? x : y; };
	float *const reach = take(width + span), *const up = take(width), *const sums = take(width + span), *const totals = take(32);
	float *const cards_sums = take(most((cards + 1) * row, wide * wide)), *const met = cards_sums; // T
	float *const part = take(most(columns * wide, 2 * sequences * wide)), *const below = part, *const above = part + sequences * wide;
	float *const count = take(columns * wide), *const factor = take(most(wide, columns) * wide), *const value = factor;
	float *const others = take(sequences * wide), *const own = take(sequences * wide);
	float *const within = take(3 * wide), *const whole = take(wide), *const inside = take(2 * wide);
	u32 *const id = (u32 *)take(wide), *const start = (u32 *)take(wide + 1);
	u16 *const before = (u16 *)take((cards + 1) * (wide + 1) / 2 + 1);

	// What is the same for all trees of a board: where each bucket starts, among all
	// hands and among those with each card, and each hand's bucket.
	const u32 buckets = board.places(last), rows4 = (buckets + 3) / 4, used = 4 * rows4, columns4 = columns / 4;
	for (u32 k = t; k <= wide; k += threads)
		start[k] = board.start(last)[k < buckets ? k : buckets];
	for (u32 k = t; k < wide; k += threads)
		id[k] = k < buckets ? board.bucket(last)[board.start(last)[k]] : 0;
	sync_block();
	for (u32 k = t; k < (cards + 1) * (wide + 1); k += threads) {
		const u32 card = k / (wide + 1);
		const u32 *list = board.list() + card * (row / 2);
		before[k] = (u16)(card * row + (card < cards ? place(row, start[k % (wide + 1)], [&](u32 i) { return list[i / 2] >> i % 2 * 16 & 0xffff; }) : 0));
	}
	sync_block();
	for (u32 k = t; k < columns * wide; k += threads) {
		const u32 card = k / wide, n = k % wide;
		const u16 *const of = before + card * (wide + 1) + n;
		count[k] = card < cards ? -(float)(of[1] - of[0]) : card == cards ? (float)(start[n + 1] - start[n]) : 0;
	}
	const words4 at = board.of(board.hand(0)), at1 = board.of(board.hand(1)), at2 = board.of(board.hand(2));
	words4 base, bucket;
#pragma unroll
	for (u32 k = 0; k < span; k++) {
		// The first place that is behind the hand is that after its bucket's.
		const u32 n = place(buckets, span * t + k + 1, [&](u32 i) { return start[i]; }) - 1;
		base[k] = before[(at1[k] & 0xffff) / row * (wide + 1) + n] | before[(at2[k] & 0xffff) / row * (wide + 1) + n] << 16;
		bucket[k] = n;
	}
	found += (u64)number_of_board * found_words;
	roots += (u64)number_of_board * num_roots * width + span * t;

	for (u32 number_of_tree = block_in_grid() % groups; number_of_tree < num_trees; number_of_tree += groups) {
		const Tree tree = {trees + tree_at[number_of_tree]};
		const u32 num_own = tree.own(), num_others = tree.others(), num_ends = tree.ends();
		const vec x = *(const vec *)(roots + (u64)number_of_tree * width);
		*(vec *)(reach + span * t) = x;
		float total = (x[0] + x[1]) + (x[2] + x[3]);
		const vec sum = prefixes(x, prefix<32>(total));
		if (lane == 31)
			totals[warp] = total;
		if (t == 0)
			reach[width] = 0; // lists are padded with it
		for (u32 i = t; i < row; i += threads)
			cards_sums[cards * row + i] = 0; // the second card of who has only one
		for (u32 s = warp; s <= num_others + 1 + num_own; s += warps) {
			const bool of_others = s <= num_others;
			const u32 i = of_others ? s : s - num_others - 1;
			const u32 from = i == 0 ? 0 : of_others ? tree.other(i)[1] : tree.own(i)[1];
			for (u32 n = lane; n < used; n += 32)
				(of_others ? others : own)[i * wide + n] = n >= buckets ? 0 : i == 0 ? 1 : sigma[from + id[n]];
		}
		sync_block();

		by_cards<true>(board, reach, cards_sums);
		float earlier = 0;
		for (u32 k = 0; k < warp; k++)
			earlier += totals[k];
		*(vec *)(sums + span * t) = sum + all(earlier);
		if (t == threads - 1)
			sums[width] = earlier + total;
		for (u32 k = t; k < 2 * used; k += threads) {
			const bool of_others = k < used;
			float *const played = (of_others ? others : own) + k % used;
			for (u32 i = 1; i <= (of_others ? num_others : num_own); i++)
				played[i * wide] *= played[(of_others ? tree.other(i) : tree.own(i))[0] * wide];
		}
		sync_block();

		// R, what is below a hand in its bucket, and H.
		for (u32 card = warp; card < columns; card += warps)
			for (u32 n = lane; n < used; n += 32) {
				const u16 *const of = before + card * (wide + 1) + n;
				float r = 0;
				if (card < cards)
					r = cards_sums[of[1]] - cards_sums[of[0]];
				else if (card == cards)
					whole[n] = r = sums[start[n + 1]] - sums[start[n]];
				part[card * wide + n] = r;
			}
		vec lower, upper;
#pragma unroll
		for (u32 k = 0; k < span; k++) {
			const float from = sums[start[bucket[k]]] - cards_sums[base[k] & 0xffff] - cards_sums[base[k] >> 16];
			lower[k] = sums[at[k] & 0xffff] - cards_sums[at1[k] & 0xffff] - cards_sums[at2[k] & 0xffff] - from;
			upper[k] = sums[at[k] >> 16] - cards_sums[at1[k] >> 16] - cards_sums[at2[k] >> 16] - from + (two_cards ? x[k] : 0);
		}
		*(vec *)(reach + span * t) = lower;
		*(vec *)(up + span * t) = upper;
		for (u32 tile = t; tile < rows4 * rows4; tile += threads) {
			const u32 i = tile / rows4, j = tile % rows4;
			vec h[4] = {all(0), all(0), all(0), all(0)};
			for (u32 e = 0; e < num_ends; e++) {
				const u32 *const end = tree.end(e);
				const vec p = *(const vec *)(own + end[0] * wide + 4 * i), q = *(const vec *)(others + end[1] * wide + 4 * j);
				const vec won = p * all(number(end[2])), lost = p * all(number(end[3]));
				const vec left = i >= j ? won : lost, right = i > j ? won : lost;
#pragma unroll
				for (u32 n = 0; n < 4; n++)
					h[n] = vec{fused(n > 0 ? left[n] : right[n], q[0], h[n][0]), fused(n > 1 ? left[n] : right[n], q[1], h[n][1]),
						fused(n > 2 ? left[n] : right[n], q[2], h[n][2]), fused(right[n], q[3], h[n][3])};
			}
#pragma unroll
			for (u32 n = 0; n < 4; n++)
				*(vec *)(factor + (4 * i + n) * wide + 4 * j) = h[n];
		}
		for (u32 n = t; n < used; n += threads) {
			float as_lost = 0, to_won = 0, to_tied = 0;
			for (u32 e = 0; e < num_ends; e++) {
				const u32 *const end = tree.end(e);
				const float p = own[end[0] * wide + n] * others[end[1] * wide + n], tied = number(end[4]);
				as_lost += p * number(end[3]);
				to_won += p * (number(end[2]) - tied);
				to_tied += p * (tied - number(end[3]));
			}
			within[n] = two_cards ? as_lost : 0;
			within[wide + n] = to_won;
			within[2 * wide + n] = to_tied;
		}
		sync_block();

		// T, the product of H and R, and the sums over a bucket of what is below.
		vec product[4] = {all(0), all(0), all(0), all(0)};
		const u32 left = t / columns4, right = t % columns4;
		if (left < rows4)
			for (u32 c = 0; c < rows4; c++) {
				vec h[4], r[4];
#pragma unroll
				for (u32 k = 0; k < 4; k++) {
					h[k] = *(const vec *)(factor + (4 * left + k) * wide + 4 * c);
					r[k] = *(const vec *)(part + (right + k * columns4) * wide + 4 * c);
				}
#pragma unroll
				for (u32 n = 0; n < 4; n++)
#pragma unroll
					for (u32 k = 0; k < 4; k++)
#pragma unroll
						for (u32 m = 0; m < 4; m++)
							product[n][k] = fused(h[n][m], r[k][m], product[n][k]);
			}
		for (u32 tile = t; tile < rows4 * rows4; tile += threads) {
			const u32 i = tile % rows4, j = tile / rows4;
			vec sums_of[4] = {all(0), all(0), all(0), all(0)};
			for (u32 card = 0; card <= cards; card++) {
				const vec n = *(const vec *)(count + card * wide + 4 * i), r = *(const vec *)(part + card * wide + 4 * j);
#pragma unroll
				for (u32 c = 0; c < 4; c++)
					sums_of[c] = fused_all(n, r[c], sums_of[c]);
			}
#pragma unroll
			for (u32 c = 0; c < 4; c++) {
				if (i == j && two_cards)
					sums_of[c][c] += whole[4 * j + c]; // a hand shares two cards with itself
				*(vec *)(met + (4 * j + c) * wide + 4 * i) = sums_of[c];
			}
		}
		for (u32 k = t; k < 8 * used; k += threads) {
			const u32 n = k / 4 % used;
			const float *const of = k / 4 < used ? reach : up;
			float sum = 0;
			for (u32 h = start[n] + k % 4; h < start[n + 1]; h += 4)
				sum += of[h];
			sum += shuffle_down(sum, 2);
			sum += shuffle_down(sum, 1);
			if (k % 4 == 0)
				inside[k / 4 < used ? n : wide + n] = sum;
		}
		sync_block();

		if (left < rows4)
#pragma unroll
			for (u32 n = 0; n < 4; n++)
#pragma unroll
				for (u32 k = 0; k < 4; k++)
					value[(4 * left + n) * columns + right + k * columns4] = product[n][k];
		// By sequence of the other, what the hands of a bucket meet below and above it.
		for (u32 task = warp; task < (num_others + 4) / 4 * ((used + 31) / 32); task += warps) {
			const u32 s = 4 * (task / ((used + 31) / 32)), n = lane + 32 * (task % ((used + 31) / 32));
			if (n >= used)
				continue;
			float low[4] = {0, 0, 0, 0}, high[4] = {0, 0, 0, 0};
			for (u32 c = 0; c < used; c += 4) {
				vec q[4];
#pragma unroll
				for (u32 k = 0; k < 4; k++)
					q[k] = *(const vec *)(others + (s + k) * wide + c);
#pragma unroll
				for (u32 m = 0; m < 4; m++) {
					const float x = met[(c + m) * wide + n], to_low = c + m < n ? x : 0, to_high = c + m > n ? x : 0;
#pragma unroll
					for (u32 k = 0; k < 4; k++) {
						low[k] = fused(to_low, q[k][m], low[k]);
						high[k] = fused(to_high, q[k][m], high[k]);
					}
				}
			}
#pragma unroll
			for (u32 k = 0; k < 4; k++) {
				below[(s + k) * wide + n] = low[k];
				above[(s + k) * wide + n] = high[k];
			}
		}
		sync_block();

		vec worth;
#pragma unroll
		for (u32 k = 0; k < span; k++) {
			const u32 n = bucket[k];
			const float *const of = value + n * columns;
			worth[k] = of[cards] - of[(base[k] & 0xffff) / row] - (base[k] >> 16 < cards * row ? of[(base[k] >> 16) / row] : 0) + within[n] * x[k] +
				within[wide + n] * lower[k] + within[2 * wide + n] * upper[k];
		}
		*(vec *)(roots + (u64)number_of_tree * width) = worth;
		for (u32 n = t; n < buckets; n += threads) {
			for (u32 i = 0; i <= num_own; i++)
				own[i * wide + n] = 0;
			for (u32 e = 0; e < num_ends; e++) {
				const u32 *const end = tree.end(e);
				const float won = number(end[2]), lost = number(end[3]), tied = number(end[4]);
				const u32 s = end[1] * wide + n;
				own[end[0] * wide + n] += won * below[s] + lost * above[s] +
					others[s] * (lost * met[n * wide + n] + (won - tied) * inside[n] + (tied - lost) * inside[wide + n]);
			}
			for (u32 i = num_own; i > 0; i--) {
				const u32 *const of = tree.own(i);
				const float x = own[i * wide + n];
				found[of[2] + n] = x;
				own[of[0] * wide + n] += sigma[of[1] + id[n]] * x;
			}
			for (u32 i = 0; i < tree.nodes(); i++)
				found[tree.node(i)[1] + n] = others[tree.node(i)[0] * wide + n] * whole[n];
		}
		sync_block();
	}
}
