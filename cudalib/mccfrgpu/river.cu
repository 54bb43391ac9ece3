// The last round of public chance sampling, where the buckets of a board grow with
// the ranks of its hands, as buckets of strength do. Then all hands of a bucket are
// neighbours, and a hand's winnings from another bucket depend only on the cards that
// they share. A betting tree of the round is therefore valued by bucket and card
// instead of by hand, however many actions it has.
//
// A tree has sequences of the traversing player and of the other, each an action
// after an earlier sequence, the first of them empty, and terminal nodes, which have
// one of each. By bucket n and sequence s, with q the probability that the other plays s
// and R the other's reach at the root by bucket and card:
//
//   T(n, c) = the reach of the hands of bucket c, added up over the hands of
//             bucket n that have none of their cards
//   the winnings of all hands of bucket n at a terminal node = the sum over c of
//             T(n, c) q(s, c) times the payoff, won where c < n and lost where c > n;
//             within bucket n, by the sums of the reach below each of its hands
//   H(n, c) = the sum over terminal nodes of the player's probability times q times
//             the payoff
//   the value of a hand at the root = the sum over c of H(n, c) times R of all cards
//             less R of its own two; within its bucket, by the reach below it
// PTXFLAGS: -mllvm -inline-threshold=1000000 -Xclang -fcuda-short-ptr -mllvm -nvptx-short-ptr
#include "board.cuh"

using namespace boards;

// Hands are the hands of a thread: where their bucket starts in the list of each of
// their cards, and the buckets, in the bytes of a word.
struct Hands {
	words4 base;
	u32 buckets;
	vec upper; // the reach in its bucket below each, or as good

	INLINE u32 bucket(u32 k) const { return buckets >> 8 * k & 0xff; }
};

// River is the state that the threads of a block share. Buckets are numbered among
// those of the board. Matrices have rows of `stride` floats, and some reuse the memory
// of others.
struct River {
	const Board board;
	const u32 cards, two_cards, stride, columns, buckets, used, tiles; // used: buckets as a multiple of four, in tiles
	// the other's reach by hand, then the reach below each, and below or as good; then the winnings
	float *reach, *up;
	// reach of those before each hand, then the player's strategy by sequence; sums by warp
	float *sums, *warps;
	float *by_card, *compatible;     // see by_cards; then T, by the other's bucket and the player's
	// R by card and bucket, last of all cards; then by sequence the compatible reach below and above
	float *group_reach, *low, *high;
	float *count;                    // by card and bucket: how many hands there are, with a minus but for all cards
	float *terminal_factor, *value;  // H; then by bucket and card its product with R, in rows of `columns`
	float *others, *own;             // by sequence and bucket: how likely it is played
	// three factors of each bucket: of a hand's own reach and of the reach below it in its bucket
	float *within;
	float *whole, *inside;           // by bucket: R of all cards, and two sums of the reach below
	u32 *id, *start;                 // by bucket: its number and its first hand
	u16 *before;                     // by card and bucket: its first index in by_card
	u32 *words;                      // of a tree and of the next

	INLINE River(const Board &board, float *memory, u32 two_cards, u32 stride, u32 sequences, u32 tree_words)
		: board(board), cards(board.cards), two_cards(two_cards), stride(stride), columns((cards + 4) / 4 * 4),
		  buckets(board.num_buckets(board.rounds - 1)), used((buckets + 3) / 4 * 4), tiles(used / 4) {
		auto take = [&](u32 n) {
			float *const from = memory;
			memory += (n + 3) / 4 * 4;
			return from;
		};
		auto max_of = [](u32 x, u32 y) { return x > y ? x : y; };
		reach = take(board.hands + span), up = take(max_of(board.hands, sequences * stride));
		sums = take(max_of(board.hands + span, sequences * stride)), warps = take(32);
		by_card = compatible = take(max_of((cards + 1) * hands_per_card, stride * stride));
		group_reach = low = take(max_of(columns * stride, 2 * sequences * stride)), high = low + sequences * stride;
		count = take(columns * stride);
		terminal_factor = value = take(max_of(stride, columns) * stride);
		others = take(sequences * stride), own = take(sequences * stride);
		within = take(3 * stride), whole = take(stride), inside = take(2 * stride);
		id = (u32 *)take(stride), start = (u32 *)take(stride + 1);
		before = (u16 *)take((cards + 1) * (stride + 1) / 2 + 1);
		words = (u32 *)take(2 * tree_words);
	}

	INLINE const u16 *first(u32 card, u32 n) const { return before + card * (stride + 1) + n; }

	// enter computes the values that all trees of a board share.
	INLINE Hands enter() const {
		const u32 t = thread_in_block(), threads = threads_in_block(), last = board.rounds - 1;
		for (u32 n = t; n <= stride; n += threads)
			start[n] = board.start(last)[n < buckets ? n : buckets];
		for (u32 n = t; n < stride; n += threads)
			id[n] = n < buckets ? board.bucket(last)[board.start(last)[n]] : 0;
		sync_block();
		for (u32 k = t; k < (cards + 1) * (stride + 1); k += threads) {
			const u32 card = k / (stride + 1), *const list = board.list() + card * (hands_per_card / 2);
			const u32 offset = card < cards ? lower_bound(hands_per_card, start[k % (stride + 1)],
				[&](u32 i) { return list[i / 2] >> i % 2 * 16 & 0xffff; }) : 0;
			before[k] = (u16)(card * hands_per_card + offset);
		}
		sync_block();
		for (u32 k = t; k < columns * stride; k += threads) {
			const u32 card = k / stride, n = k % stride;
			count[k] = card < cards ? -(float)(first(card, n)[1] - first(card, n)[0])
				: card == cards ? (float)(start[n + 1] - start[n]) : 0;
		}
		const words4 &at1 = board.of(board.hand(1)), &at2 = board.of(board.hand(2));
		Hands h;
		h.buckets = 0;
#pragma unroll
		for (u32 k = 0; k < span; k++) {
			// One more bucket starts before the next hand than before this one's.
			const u32 n = lower_bound(buckets, span * t + k + 1, [&](u32 i) { return start[i]; }) - 1;
			h.buckets |= n << 8 * k;
			h.base[k] = *first((at1[k] & 0xffff) / hands_per_card, n) |
				(u32)*first((at2[k] & 0xffff) / hands_per_card, n) << 16;
		}
		return h;
	}

	// fetch loads the words of a tree.
	INLINE void fetch(const u32 *from, const u32 *to, u32 at) const {
		for (u32 i = thread_in_block(); i < (u32)(to - from); i += threads_in_block())
			words[at + i] = from[i];
	}

	// load_root loads the reach at the root of a tree, and the strategies. It returns the
	// sums before each hand of the thread in its warp.
	INLINE vec load_root(const Tree &tree, const float *sigma, vec x) const {
		const u32 t = thread_in_block(), lane = t % 32, warp = t / 32, all_warps = threads_in_block() / 32;
		*(vec *)(reach + span * t) = x;
		if (t == 0)
			reach[board.hands] = 0; // lists are padded with it
		for (u32 i = t; i < hands_per_card; i += threads_in_block())
			by_card[cards * hands_per_card + i] = 0; // the second card of hands with only one
		float total = (x[0] + x[1]) + (x[2] + x[3]);
		const vec before_each = prefixes(x, prefix<32>(total));
		if (lane == 31)
			warps[warp] = total;
		const u32 num_others = tree.others() + 1, num_own = tree.own() + 1;
		for (u32 k = warp; k < num_others + num_own; k += all_warps) {
			const bool theirs = k < num_others;
			const u32 s = theirs ? k : k - num_others, from = s == 0 ? 0 : theirs ? tree.other(s)[1] : tree.own(s)[1];
			for (u32 n = lane; n < used; n += 32)
				(theirs ? others : own)[s * stride + n] = n >= buckets ? 0 : s == 0 ? 1 : sigma[from + id[n]];
		}
		return before_each;
	}

	// sum computes the reach before each hand, among all hands and among those with each
	// card, and the probabilities of sequences.
	INLINE void sum(const Tree &tree, vec before_each) const {
		const u32 t = thread_in_block();
		by_cards<true>(board, reach, by_card);
		float earlier = 0;
		for (u32 k = 0; k < t / 32; k++)
			earlier += warps[k];
		*(vec *)(sums + span * t) = before_each + splat(earlier);
		if (t == threads_in_block() - 1)
			sums[board.hands] = earlier + warps[t / 32];
		for (u32 k = t; k < 2 * used; k += threads_in_block()) {
			const bool theirs = k < used;
			float *const played = (theirs ? others : own) + k % used;
			for (u32 s = 1; s <= (theirs ? tree.others() : tree.own()); s++)
				played[s * stride] *= played[(theirs ? tree.other(s) : tree.own(s))[0] * stride];
		}
	}

	// sum_groups computes R, and the reach below each hand in its bucket.
	INLINE void sum_groups(Hands &h) const {
		const u32 t = thread_in_block(), lane = t % 32;
		for (u32 card = t / 32; card < columns; card += threads_in_block() / 32)
			for (u32 n = lane; n < used; n += 32) {
				float r = 0;
				if (card < cards)
					r = by_card[first(card, n)[1]] - by_card[first(card, n)[0]];
				else if (card == cards)
					whole[n] = r = sums[start[n + 1]] - sums[start[n]];
				group_reach[card * stride + n] = r;
			}
		const words4 at = board.of(board.hand(0)), at1 = board.of(board.hand(1)), at2 = board.of(board.hand(2));
		const vec x = *(const vec *)(reach + span * t);
		vec lower;
#pragma unroll
		for (u32 k = 0; k < span; k++) {
			const float from = sums[start[h.bucket(k)]] - by_card[h.base[k] & 0xffff] - by_card[h.base[k] >> 16];
			lower[k] = sums[at[k] & 0xffff] - by_card[at1[k] & 0xffff] - by_card[at2[k] & 0xffff] - from;
			h.upper[k] = sums[at[k] >> 16] - by_card[at1[k] >> 16] - by_card[at2[k] >> 16] -
				from + (two_cards ? x[k] : 0);
		}
		*(vec *)(reach + span * t) = lower;
		*(vec *)(up + span * t) = h.upper;
	}

	// weigh_terminals computes H, with the payoff that is lost for a bucket against itself,
	// and the factors that correct this. The last threads compute the factors, because the
	// first have more tiles.
	INLINE void weigh_terminals(const Tree &tree) const {
		const u32 terminals = tree.terminals(), behind = threads_in_block() - 1 - thread_in_block();
		for (u32 tile = thread_in_block(); tile < 2 * tiles * tiles; tile += threads_in_block()) {
			const u32 i = tile / tiles, j = tile % tiles; // rows 2i and 2i+1, columns from 4j on
			vec h[2] = {splat(0), splat(0)};
			for (u32 e = 0; e < terminals; e++) {
				const u32 *const terminal = tree.terminal(e);
				const float *const p = own + terminal[0] * stride + 2 * i;
				const vec q = *(const vec *)(others + terminal[1] * stride + 4 * j);
				const float won = as_float(terminal[2]), lost = as_float(terminal[3]);
#pragma unroll
				for (u32 n = 0; n < 2; n++) {
					const float to_won = p[n] * won, to_lost = p[n] * lost;
#pragma unroll
					for (u32 c = 0; c < 4; c++)
						h[n][c] = fused(4 * j + c < 2 * i + n ? to_won : to_lost, q[c], h[n][c]);
				}
			}
#pragma unroll
			for (u32 n = 0; n < 2; n++)
				*(vec *)(terminal_factor + (2 * i + n) * stride + 4 * j) = h[n];
		}
		for (u32 n = behind; n < used; n += threads_in_block()) {
			float as_lost = 0, to_won = 0, to_tied = 0;
			for (u32 e = 0; e < terminals; e++) {
				const u32 *const terminal = tree.terminal(e);
				const float p = own[terminal[0] * stride + n] * others[terminal[1] * stride + n],
					tied = as_float(terminal[4]);
				as_lost += p * as_float(terminal[3]);
				to_won += p * (as_float(terminal[2]) - tied);
				to_tied += p * (tied - as_float(terminal[3]));
			}
			within[n] = two_cards ? as_lost : 0;
			within[stride + n] = to_won;
			within[2 * stride + n] = to_tied;
		}
	}

	// multiply computes four by four elements of the product of H and R: a tile of rows,
	// and columns that are columns/4 apart.
	INLINE void multiply(vec product[4]) const {
		const u32 i = thread_in_block() / (columns / 4), j = thread_in_block() % (columns / 4);
		product[0] = product[1] = product[2] = product[3] = splat(0);
		if (i >= tiles)
			return;
		for (u32 c = 0; c < used; c += 4) {
			vec h[4], r[4];
#pragma unroll
			for (u32 k = 0; k < 4; k++) {
				h[k] = *(const vec *)(terminal_factor + (4 * i + k) * stride + c);
				r[k] = *(const vec *)(group_reach + (j + k * (columns / 4)) * stride + c);
			}
#pragma unroll
			for (u32 n = 0; n < 4; n++)
#pragma unroll
				for (u32 k = 0; k < 4; k++)
#pragma unroll
					for (u32 m = 0; m < 4; m++)
						product[n][k] = fused(h[n][m], r[k][m], product[n][k]);
		}
	}
	INLINE void keep(const vec product[4]) const {
		const u32 i = thread_in_block() / (columns / 4), j = thread_in_block() % (columns / 4);
		if (i < tiles)
#pragma unroll
			for (u32 k = 0; k < 16; k++)
				value[(4 * i + k / 4) * columns + j + k % 4 * (columns / 4)] = product[k / 4][k % 4];
	}

	// sum_compatible computes T, from the last threads on, and the sums over a bucket of
	// the reach below in it.
	INLINE void sum_compatible() const {
		const u32 t = thread_in_block();
		for (u32 tile = threads_in_block() - 1 - t; tile < tiles * tiles; tile += threads_in_block()) {
			const u32 i = tile % tiles, j = tile / tiles;
			vec x[4] = {splat(0), splat(0), splat(0), splat(0)};
			for (u32 card = 0; card <= cards; card++) {
				const vec n = *(const vec *)(count + card * stride + 4 * i),
					r = *(const vec *)(group_reach + card * stride + 4 * j);
#pragma unroll
				for (u32 c = 0; c < 4; c++)
					x[c] = fused_all(n, r[c], x[c]);
			}
#pragma unroll
			for (u32 c = 0; c < 4; c++) {
				if (i == j && two_cards)
					x[c][c] += whole[4 * j + c]; // a hand shares two cards with itself
				*(vec *)(compatible + (4 * j + c) * stride + 4 * i) = x[c];
			}
		}
		for (u32 k = t; k < 8 * used; k += threads_in_block()) {
			const u32 n = k / 4 % used;
			const float *const of = k / 4 < used ? reach : up;
			float sum = 0;
			for (u32 h = start[n] + k % 4; h < start[n + 1]; h += 4)
				sum += of[h];
			sum += shuffle_down(sum, 2);
			sum += shuffle_down(sum, 1);
			if (k % 4 == 0)
				inside[k / 4 < used ? n : stride + n] = sum;
		}
	}

	// sum_below_above computes the compatible reach of the buckets below and above each
	// bucket, for two sequences a thread.
	INLINE void sum_below_above(u32 num_others) const {
		for (u32 k = thread_in_block(); k < (num_others + 2) / 2 * used; k += threads_in_block()) {
			const u32 s = 2 * (k / used), n = k % used;
			const float *const q1 = others + s * stride, *const q2 = q1 + stride;
			float below1 = 0, above1 = 0, below2 = 0, above2 = 0;
			for (u32 c = 0; c < used; c += 4) {
				const vec first = *(const vec *)(q1 + c), second = *(const vec *)(q2 + c);
#pragma unroll
				for (u32 m = 0; m < 4; m++) {
					const float x = compatible[(c + m) * stride + n], lower = c + m < n ? x : 0,
						upper = c + m > n ? x : 0;
					below1 = fused(lower, first[m], below1);
					above1 = fused(upper, first[m], above1);
					below2 = fused(lower, second[m], below2);
					above2 = fused(upper, second[m], above2);
				}
			}
			low[s * stride + n] = below1, high[s * stride + n] = above1;
			low[(s + 1) * stride + n] = below2, high[(s + 1) * stride + n] = above2;
		}
	}

	// root_value returns the counterfactual values of the hands at the root, with reach x.
	INLINE vec root_value(const Hands &h, vec x) const {
		const vec lower = *(const vec *)(reach + span * thread_in_block());
		vec won;
#pragma unroll
		for (u32 k = 0; k < span; k++) {
			const u32 n = h.bucket(k), card1 = (h.base[k] & 0xffff) / hands_per_card,
				card2 = (h.base[k] >> 16) / hands_per_card;
			const float *const of = value + n * columns;
			won[k] = of[cards] - of[card1] - (card2 < cards ? of[card2] : 0) + within[n] * x[k] +
				within[stride + n] * lower[k] +
				within[2 * stride + n] * h.upper[k];
		}
		return won;
	}

	// load_strategies loads the player's strategies again.
	INLINE void load_strategies(const Tree &tree, const float *sigma) const {
		for (u32 k = thread_in_block(); k < tree.own() * buckets; k += threads_in_block()) {
			const u32 s = k / buckets + 1, n = k % buckets;
			sums[s * stride + n] = sigma[tree.own(s)[1] + id[n]];
		}
	}

	// sum_sequences computes the winnings of all hands of a bucket at the terminal nodes
	// after each sequence of the player, and writes the other's reach.
	INLINE void sum_sequences(const Tree &tree, float *bucket_sums) const {
		for (u32 k = thread_in_block(); k < (tree.own() + 1) * buckets; k += threads_in_block()) {
			const u32 s = k / buckets, n = k % buckets, to = tree.own(s + 1)[3];
			const float same = compatible[n * stride + n], lower = inside[n], upper = inside[stride + n];
			float sum = 0;
			for (u32 e = tree.own(s)[3]; e < to; e++) {
				const u32 *const terminal = tree.terminal(e), q = terminal[1] * stride + n;
				const float won = as_float(terminal[2]), lost = as_float(terminal[3]), tied = as_float(terminal[4]);
				sum += won * low[q] + lost * high[q] +
					others[q] * (lost * same + (won - tied) * lower + (tied - lost) * upper);
			}
			up[s * stride + n] = sum;
		}
		for (u32 k = thread_in_block(); k < tree.nodes() * buckets; k += threads_in_block()) {
			const u32 *const node = tree.node(k / buckets), n = k % buckets;
			bucket_sums[node[1] + n] = others[node[0] * stride + n] * whole[n];
		}
	}

	// write_totals writes their winnings by each action, including later sequences. The
	// last threads do it while others start the next tree.
	INLINE void write_totals(const Tree &tree, float *bucket_sums) const {
		for (u32 n = threads_in_block() - 1 - thread_in_block(); n < buckets; n += threads_in_block())
			for (u32 s = tree.own(); s > 0; s--) {
				const u32 *const of = tree.own(s);
				const float x = up[s * stride + n];
				bucket_sums[of[2] + n] = x;
				up[of[0] * stride + n] += sums[s * stride + n] * x;
			}
	}
};

__global__ LAUNCH_BOUNDS(288, 3) void public_river(const u32 *trees, const u32 *tree_at,
		const u32 *boards, const float *sigma, float *bucket_sums, float *root_values, u32 num_trees,
		u32 groups, u32 num_roots, u32 rounds, u32 cards, u32 two_cards, u32 board_words, u32 num_sums, u32 stride,
		u32 sequences, u32 tree_words) {
	DYNAMIC_SHARED(float, shared);
	const u32 board_index = block_in_grid() / groups, width = span * threads_in_block();
	const River w({boards + (u64)board_index * board_words, width, rounds, cards}, shared, two_cards,
		stride, sequences, tree_words);
	const u32 first = block_in_grid() % groups;
	w.fetch(trees + tree_at[first], trees + tree_at[first + 1], 0);
	Hands h = w.enter();
	bucket_sums += (u64)board_index * num_sums;
	root_values += (u64)board_index * num_roots * width + span * thread_in_block();
	u32 half = 0;
	for (u32 i = first; i < num_trees; i += groups, half = tree_words - half) {
		const Tree tree = {w.words + half};
		vec *const root = (vec *)(root_values + (u64)i * width);
		if (i == first)
			sync_block();
		const vec before_each = w.load_root(tree, sigma, *root);
		sync_block();
		w.sum(tree, before_each);
		sync_block();
		w.sum_groups(h);
		w.weigh_terminals(tree);
		sync_block();
		vec product[4];
		w.load_strategies(tree, sigma);
		w.multiply(product);
		w.sum_compatible();
		sync_block();
		w.keep(product);
		w.sum_below_above(tree.others());
		if (i + groups < num_trees)
			w.fetch(trees + tree_at[i + groups], trees + tree_at[i + groups + 1], tree_words - half);
		sync_block();
		*root = w.root_value(h, *root);
		w.sum_sequences(tree, bucket_sums);
		sync_block();
		w.write_totals(tree, bucket_sums);
	}
}
