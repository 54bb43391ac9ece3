// Public chance sampling in batches, for two players (Johanson et al., AAMAS
// 2012): on each sampled board public_traverse traverses the betting tree for one
// player, with all hands that the board leaves. A block has a board, and a part of
// the tree on it: a thread has four hands, neighbours in the order of ranks. The
// tree is a program that all threads execute in step, so that they take the same
// branches. Global memory has only one reach and one value for each depth.
//
// The results of a traversal are sums over the hands of a bucket. public_update adds
// up those of all boards, in the order of the boards, so that there are no atomics
// and a seed gives the same bits each time.
#include "board.cuh"

using namespace boards;

// Kind is the kind of an operation, see Op. x is the value of the hands at the current
// node.
enum Kind : u32 {
	play,        // the other player takes an action: the next reach is this one times the strategy
	scan,        // prepares showdowns with a reach
	total,       // prepares folds with a reach
	terminal,    // x becomes the value of a terminal node
	gain,        // x is the value of the player's action: into the sums, and the node's value
	sum,         // the reach at a node of the other player: into the sums
	add,         // x is the value after the other player's action: into the node's value
	result,      // x becomes a node's value
	store,       // stores x, the value of a part of the tree
	load,        // x becomes the value of a part
	store_reach, // stores the reach at the root of a part of the tree
};

// Op is an operation: the depth of its reach or value on its stack, whether it is the
// first of its node, where the strategy of its action starts, by bucket, and where the
// sums start, by bucket of the board; or the number of a terminal node or of a part.
struct Op {
	u32 kind, depth, round, first, sigma, to;

	INLINE Op(words4 w) : kind(w[0] & 0xff), depth(w[0] >> 8 & 0xff), round(w[0] >> 16 & 0xff),
		first(w[0] >> 24), sigma(w[1]), to(w[2]) {}

	// plays reports whether the strategy is needed, and buckets whether the buckets of
	// the round are.
	INLINE bool plays() const { return kind == play || kind == gain; }
	INLINE bool buckets() const { return plays() || kind == sum; }
};

// RoundHands are the hands of a thread in a round: their buckets, their positions in
// the order of buckets, and the range of positions that the thread adds up.
struct RoundHands {
	u32 round;
	words4 bucket, position;
	u32 lanes, from, to; // lanes is the number of threads of a bucket

	INLINE void load(const Board &board, u32 r) {
		round = r;
		bucket = board.of(board.bucket(r));
		position = board.of(board.position(r));
		lanes = 8;
		while (lanes > 1 && board.num_buckets(r) * lanes > threads_in_block())
			lanes /= 2;
		range(board, thread_in_block() / lanes);
	}
	INLINE void range(const Board &board, u32 index) {
		from = to = 0;
		if (index < board.num_buckets(round)) {
			from = board.start(round)[index];
			to = board.start(round)[index + 1];
		}
	}
	INLINE vec strategy(const float *sigma) const {
		return vec{sigma[bucket[0]], sigma[bucket[1]], sigma[bucket[2]], sigma[bucket[3]]};
	}
};

// Traversal is the state that the threads of a block share.
struct Traversal {
	Board board;
	float *reach;     // by hand: the other player's, for the terminal nodes that come
	float *sums;      // by hand: of the same warp's hands before it
	float *warps;     // by warp: of the hands before its own
	float *by_card;   // by card of the deck and hand with it: of those before it
	float *scattered; // in the order of buckets: the numbers to add up, in two halves that are used in turn

	INLINE float before(u32 hand) const { return warps[hand / (32 * span)] + sums[hand]; }

	// prepare adds up a reach for terminal nodes, with PREFIXES also of the hands before
	// each hand.
	template <bool PREFIXES> INLINE void prepare(vec x) const {
		const u32 t = thread_in_block(), lane = t % 32;
		*(vec *)(reach + span * t) = x;
		float total = (x[0] + x[1]) + (x[2] + x[3]);
		const float before = prefix<32>(total);
		if (PREFIXES)
			*(vec *)(sums + span * t) = prefixes(x, before);
		if (lane == 31)
			warps[t / 32] = total;
		sync_block();
		by_cards<PREFIXES>(board, reach, by_card);
		if (t / 32 == threads_in_block() / 32 - 1) {
			float sum = lane < threads_in_block() / 32 ? warps[lane] : 0;
			warps[lane] = prefix<32>(sum);
		}
		sync_block();
	}

	// value returns a hand's winnings at a terminal node against worse, better and equal
	// hands. Its positions among all hands and among those with its cards are pairs: the
	// first that ties with it, and the first that is better.
	INLINE float value(u32 at, u32 at1, u32 at2, float own, float won, float lost, float tied) const {
		const float all = warps[threads_in_block() / 32];
		const float with1 = by_card[(at1 & 0xffff) | (hands_per_card - 1)],
			with2 = by_card[(at2 & 0xffff) | (hands_per_card - 1)];
		const float others = all - with1 - with2;
		float x = tied != 0 ? tied * (others + own) : 0;
		if (won != lost) {
			const float below = before(at & 0xffff) - by_card[at1 & 0xffff] - by_card[at2 & 0xffff];
			const float upto = before(at >> 16) - by_card[at1 >> 16] - by_card[at2 >> 16];
			x += (won - tied) * below + (lost - tied) * (others - upto);
		}
		return x;
	}

	// by_bucket adds up scattered numbers by bucket.
	INLINE void by_bucket(const float *x, RoundHands in, float *to) const {
		const u32 t = thread_in_block(), num_buckets = board.num_buckets(in.round);
		for (u32 base = 0; base < num_buckets * in.lanes; base += threads_in_block()) {
			const u32 index = (base + t) / in.lanes;
			if (base > 0)
				in.range(board, index);
			float total = 0;
#pragma clang loop unroll_count(4)
			for (u32 j = in.from + t % in.lanes; j < in.to; j += in.lanes)
				total += x[j];
			for (u32 by = in.lanes / 2; by > 0; by /= 2)
				total += shuffle_down(total, by);
			if (index < num_buckets && t % in.lanes == 0)
				to[index] = total;
		}
	}

	// scatter writes a number for each hand at its position in the order of buckets.
	INLINE void scatter(float *to, const RoundHands &in, vec x) const {
#pragma unroll
		for (u32 i = 0; i < span; i++)
			to[in.position[i]] = x[i];
	}
};

__global__ LAUNCH_BOUNDS(352, 3) void public_traverse(const words4 *ops, const u32 *parts,
		const u32 *boards, const float *sigma, const float *terminals, float *stacks, float *bucket_sums,
		float *root_values, u32 first_part, u32 num_parts, u32 num_roots, u32 rounds, u32 cards, u32 two_cards,
		u32 board_words, u32 num_sums, u32 depth) {
	DYNAMIC_SHARED(float, shared);
	const u32 t = thread_in_block(), width = span * threads_in_block(), board_index = block_in_grid() / num_parts;
	Traversal w = {{boards + (u64)board_index * board_words, width, rounds, cards}, shared,
		nullptr, nullptr, nullptr, nullptr};
	w.sums = w.reach + width + span; // there is no hand `width`: lists are padded with it
	w.warps = w.sums + width + span;
	w.by_card = w.warps + 32;
	w.scattered = w.by_card + (cards + 1) * hands_per_card;
	if (t == 0)
		w.reach[width] = w.sums[width] = 0;
	for (u32 i = t; i < hands_per_card; i += threads_in_block())
		w.by_card[cards * hands_per_card + i] = 0; // the second card of hands with only one

	const u32 n = w.board.words[0];
	const words4 at = w.board.of(w.board.hand(0)), at1 = w.board.of(w.board.hand(1)), at2 = w.board.of(w.board.hand(2));
	// The latest reach and the latest value of a node are in registers as well.
	float *const reaches = stacks + (u64)block_in_grid() * 2 * depth * width + span * t,
		*const values = reaches + (u64)depth * width;
	vec reach, value = splat(0), x = splat(0);
	u32 reach_depth = 0, value_depth = ~0u;
	for (u32 i = 0; i < span; i++)
		reach[i] = span * t + i < n ? 1 : 0;
	*(vec *)reaches = reach;
	bucket_sums += (u64)board_index * num_sums;
	root_values += (u64)board_index * num_roots * width + span * t;
	const u32 part = first_part + block_in_grid() % num_parts, last = parts[part + 1];
	u32 half = 0;
	RoundHands in;
	in.load(w.board, 0);
	// Operations are loaded two ahead, and the strategy of the next if it is of the same
	// round.
	u32 i = parts[part];
	words4 first = ops[i], second = ops[i + 1 < last ? i + 1 : i];
	vec next_strategy = splat(0);
	bool prefetched = false;
	for (; i < last; i++) {
		const Op op(first), next_op(second);
		first = second;
		if (i + 2 < last)
			second = ops[i + 2];
		if (op.buckets() && op.round != in.round) {
			in.load(w.board, op.round);
			prefetched = false;
		}
		const vec strategy = prefetched || !op.plays() ? next_strategy : in.strategy(sigma + op.sigma);
		prefetched = next_op.plays() && next_op.round == in.round && i + 1 < last;
		if (prefetched)
			next_strategy = in.strategy(sigma + next_op.sigma);
		auto reach_here = [&] {
			if (op.depth != reach_depth)
				reach = *(const vec *)(reaches + (u64)op.depth * width), reach_depth = op.depth;
		};
		auto add_value = [&](vec more) {
			vec *const to = (vec *)(values + (u64)op.depth * width);
			if (op.first)
				value = more;
			else
				value = (op.depth == value_depth ? value : *to) + more;
			*to = value, value_depth = op.depth;
		};
		switch (op.kind) {
		case play:
			reach_here();
			reach = reach * strategy, reach_depth = op.depth + 1;
			*(vec *)(reaches + (u64)reach_depth * width) = reach;
			break;
		case scan:
			reach_here();
			sync_block(); // after the terminal nodes that were prepared before
			w.prepare<true>(reach);
			break;
		case total:
			reach_here();
			sync_block();
			w.prepare<false>(reach);
			break;
		case terminal: {
			const float won = terminals[3 * op.to], lost = terminals[3 * op.to + 1], tied = terminals[3 * op.to + 2];
			const vec own = two_cards ? *(const vec *)(w.reach + span * t) : splat(0);
#pragma unroll
			for (u32 k = 0; k < span; k++)
				x[k] = w.value(at[k], at1[k], at2[k], own[k], won, lost, tied);
			break;
		}
		case gain: {
			float *scattered = w.scattered + (half ^= width);
			w.scatter(scattered, in, x);
			add_value(strategy * x);
			sync_block();
			w.by_bucket(scattered, in, bucket_sums + op.to);
			break;
		}
		case sum: {
			reach_here();
			float *scattered = w.scattered + (half ^= width);
			w.scatter(scattered, in, reach);
			sync_block();
			w.by_bucket(scattered, in, bucket_sums + op.to);
			break;
		}
		case add:
			add_value(x);
			break;
		case result:
			x = op.depth == value_depth ? value : *(const vec *)(values + (u64)op.depth * width);
			break;
		case store:
			*(vec *)(root_values + (u64)op.to * width) = x;
			break;
		case load:
			x = *(const vec *)(root_values + (u64)op.to * width);
			break;
		case store_reach:
			reach_here();
			*(vec *)(root_values + (u64)op.to * width) = reach;
			break;
		}
	}
}

// Node is a decision, see mccfrgpu.PublicNode.
struct Node {
	const u32 *words;

	INLINE u32 first() const { return words[0]; }   // the entry of the first bucket's first action
	INLINE u32 width() const { return words[1]; }   // from a bucket to the next
	INLINE u32 actions() const { return words[2]; }
	INLINE u32 actor() const { return words[3]; }
	INLINE u32 round() const { return words[4]; }
	INLINE u32 sigma() const { return words[5]; }   // the strategy of the first action
	INLINE u32 buckets() const { return words[6]; }
	INLINE u32 sums(u32 player) const { return words[7 + player]; } // the sums, in a traversal for a player
	INLINE u32 num_sums() const { return words[9]; }  // of an action
};
constexpr u32 node_words = 10;

// public_match turns regrets into strategies: a block for each decision.
__global__ void public_match(const u32 *nodes, const float *regret, float *sigma) {
	const Node n = {nodes + block_in_grid() * node_words};
	for (u32 b = thread_in_block(); b < n.buckets(); b += threads_in_block()) {
		const float *r = regret + n.first() + (u64)b * n.width();
		float total = 0;
		for (u32 a = 0; a < n.actions(); a++)
			total += r[a] > 0 ? r[a] : 0;
		const float scale = total > 0 ? 1 / total : 0, uniform = 1 / (float)n.actions();
		for (u32 a = 0; a < n.actions(); a++)
			sigma[n.sigma() + (u64)a * n.buckets() + b] = total > 0 ? (r[a] > 0 ? r[a] : 0) * scale : uniform;
	}
}

// public_update adds up the sums of all boards, for each bucket those of the boards
// that have it: a block for each decision.
__global__ void public_update(const u32 *nodes, const u32 *merge, const float *sigma, const float *bucket_sums,
		float *regret, float *average, u32 num_sums, u32 player, float weight) {
	const Node n = {nodes + block_in_grid() * node_words};
	// By round, the number of buckets, and where they start: the buckets, the first item
	// of each, the end of all items, and the items, each a board and a bucket of it.
	const u32 count = merge[2 * n.round()], *buckets = merge + merge[2 * n.round() + 1], *start = buckets + count,
		*items = start + count + 1;
	for (u32 k = thread_in_block(); k < count; k += threads_in_block()) {
		const u32 b = buckets[k];
		auto total = [&](u32 at) {
			float sum = 0;
			for (u32 j = start[k]; j < start[k + 1]; j++)
				sum += bucket_sums[(u64)(items[j] >> 16) * num_sums + at + (items[j] & 0xffff)];
			return sum;
		};
		const u64 entry = n.first() + (u64)b * n.width();
		const float *strategy = sigma + n.sigma() + b;
		if (n.actor() != player) {
			const float reach = weight * total(n.sums(player));
			for (u32 a = 0; a < n.actions(); a++)
				average[entry + a] += reach * strategy[(u64)a * n.buckets()];
			continue;
		}
		// Sums of the first four actions are kept, those of others are computed twice.
		float kept[4];
#pragma unroll
		for (u32 a = 0; a < 4; a++)
			kept[a] = a < n.actions() ? total(n.sums(player) + a * n.num_sums()) : 0;
		auto won = [&](u32 a) {
			return a == 0 ? kept[0] : a == 1 ? kept[1] : a == 2 ? kept[2] : a == 3 ? kept[3]
				: total(n.sums(player) + a * n.num_sums());
		};
		float mean = 0;
		for (u32 a = 0; a < n.actions(); a++)
			mean += strategy[(u64)a * n.buckets()] * won(a);
		for (u32 a = 0; a < n.actions(); a++)
			regret[entry + a] += weight * (won(a) - mean);
	}
}
