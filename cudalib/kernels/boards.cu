// Public chance sampling in batches, for two players (Johanson et al., AAMAS
// 2012): on each sampled board boards_walk goes through the betting tree for one
// player, with all hands that the board leaves. A block has a board, and a part of
// the tree on it: a thread has two hands, neighbours in the order of ranks. The
// tree is a program that all threads follow together, so that they take the same
// branches; all but one reach and one value for each depth stays in the
// multiprocessor.
//
// What a walk finds are sums over the hands of a bucket. boards_fold adds those
// of all boards up, in the order of the boards, so that there are no atomics and
// a seed gives the same bits each time.
#include "cuda.cuh"

#define INLINE __device__ inline __attribute__((always_inline))

// What the operations of a program do, and which words they have besides: see
// Op. x is the value of the hands at the node where the walk is.
enum Kind : u32 {
	play,   // the other player takes an action: the next reach is this one times the strategy
	scan,   // prepares ends with a reach
	end,    // x becomes the value of an end
	gain,   // x is the value of the player's action: into the sums, and the node's value
	sum,    // the reach at a node of the other player: into the sums
	add,    // x is the value after the other player's action: into the node's value
	result, // x becomes a node's value
	store,  // x is the value of a part of the tree
	load,   // x becomes that
};

// Op is an operation: how deep its reach or value is on its stack, whether it is
// the first of its node, where the strategy of its action starts, by bucket, and
// where the sums are, by place; or the number of an end or of a part.
struct Op {
	u32 kind, depth, round, first, sigma, to;

	INLINE Op(words4 w) : kind(w[0] & 0xff), depth(w[0] >> 8 & 0xff), round(w[0] >> 16 & 0xff), first(w[0] >> 24), sigma(w[1]), to(w[2]) {}
};

constexpr u32 row = 64;       // hands with a card, padded
constexpr u32 max_warps = 31; // of a block

// Board is what a block reads of its board, see cudalib.BoardsShape.
struct Board {
	const u32 *words;
	u32 hands, rounds, cards; // room for so many hands, and the cards of the deck

	INLINE const u32 *hand(u32 k) const { return words + 8 + k * hands; } // k < 3
	INLINE const u32 *list() const { return words + 8 + 3 * hands; }
	INLINE const u32 *round(u32 r) const { return list() + cards * (row / 2) + r * (3 * hands + 1); }
	INLINE const u32 *bucket(u32 r) const { return round(r); }
	INLINE const u32 *order(u32 r) const { return round(r) + hands; }
	INLINE const u32 *start(u32 r) const { return round(r) + 2 * hands; }
	INLINE u32 places(u32 r) const { return words[4 + r]; }
};

// prefix returns the sum of the values of the threads before this one in the
// warp, and adds them to its own.
INLINE float prefix(float &value) {
	const u32 lane = thread_in_block() % 32;
	for (u32 by = 1; by < 32; by *= 2) {
		const float other = shuffle_up(value, by);
		value = lane >= by ? value + other : value;
	}
	const float before = shuffle_up(value, 1);
	return lane > 0 ? before : 0;
}

// Walk is what the threads of a block share.
struct Walk {
	Board board;
	float *reach;   // by hand: the other player's, that ends are prepared with
	float *sums;    // by hand: of those of the same 64 hands before it
	float *warps;   // by 64 hands: of those before them
	float *by_card; // by card of the deck and place among the hands with it: of those before it
	float *shown;   // by hand, twice in turn: what is summed up by buckets

	INLINE float before(u32 hand) const { return warps[hand / row] + sums[hand]; }

	// prepare sums a reach up for ends.
	INLINE void prepare(float a, float b) const {
		const u32 t = thread_in_block(), lane = t % 32;
		reach[2 * t] = a;
		reach[2 * t + 1] = b;
		float all = a + b, first = prefix(all);
		sums[2 * t] = first;
		sums[2 * t + 1] = first + a;
		if (lane == 31)
			warps[t / 32] = all;
		sync_block();
		for (u32 card = t / 32; card < board.cards; card += threads_in_block() / 32) {
			const u32 pair = board.list()[card * (row / 2) + lane];
			a = reach[pair & 0xffff];
			all = a + reach[pair >> 16];
			first = prefix(all);
			by_card[card * row + 2 * lane] = first;
			by_card[card * row + 2 * lane + 1] = first + a;
		}
		if (t < 32) {
			float total = lane < threads_in_block() / 32 ? warps[lane] : 0;
			warps[lane] = prefix(total);
		}
		sync_block();
	}

	// value is what a hand wins at an end: against hands that are worse, that are
	// better and that are as good. Its places among all hands and among those with
	// its cards are pairs: the first that ties with it, and the first that is better.
	INLINE float value(u32 at, u32 at1, u32 at2, float own, float won, float lost, float tied) const {
		const float all = warps[threads_in_block() / 32];
		const float with1 = by_card[(at1 & 0xffff) / row * row + row - 1], with2 = by_card[(at2 & 0xffff) / row * row + row - 1];
		float x = tied * (all - with1 - with2 + own);
		if (won != lost) {
			const float below = before(at & 0xffff) - by_card[at1 & 0xffff] - by_card[at2 & 0xffff];
			const float above = all - before(at >> 16) - (with1 - by_card[at1 >> 16]) - (with2 - by_card[at2 >> 16]);
			x += (won - tied) * below + (lost - tied) * above;
		}
		return x;
	}

	// by_bucket sums what is shown up: eight threads for each place.
	INLINE void by_bucket(const float *x, u32 r, float *to) const {
		const u32 *order = board.order(r), *start = board.start(r);
		const u32 places = board.places(r);
		for (u32 base = 0; base < places * 8; base += threads_in_block()) {
			const u32 place = (base + thread_in_block()) / 8;
			float total = 0;
			if (place < places)
				for (u32 j = start[place] + thread_in_block() % 8; j < start[place + 1]; j += 8)
					total += x[order[j]];
			for (u32 by = 4; by > 0; by /= 2)
				total += shuffle_down(total, by);
			if (place < places && thread_in_block() % 8 == 0)
				to[place] = total;
		}
	}
};

__global__ LAUNCH_BOUNDS(672, 2) void boards_walk(const words4 *ops, const u32 *parts, const u32 *feed, const float *sigma, const float *ends,
	float *stacks, float *found, float *roots, u32 first_part, u32 num_parts, u32 num_roots, u32 hands, u32 rounds, u32 cards, u32 two_cards,
	u32 feed_words, u32 found_words, u32 depth) {
	DYNAMIC_SHARED(float, shared);
	const u32 t = thread_in_block(), width = 2 * threads_in_block(), number = block_in_grid() / num_parts;
	Walk w = {{feed + (u64)number * feed_words, hands, rounds, cards}, shared, nullptr, nullptr, nullptr, nullptr};
	w.sums = w.reach + width + 1; // there is no hand `width`: lists are padded with it
	w.warps = w.sums + width + 1;
	w.by_card = w.warps + max_warps + 1;
	w.shown = w.by_card + (cards + 1) * row;
	if (t == 0)
		w.reach[width] = w.sums[width] = 0;
	for (u32 i = t; i < row; i += threads_in_block())
		w.by_card[cards * row + i] = 0; // the second card of who has only one

	const u32 a = 2 * t, b = a + 1, n = w.board.words[0];
	u32 at[3][2] = {};
#pragma unroll
	for (u32 k = 0; k < 3; k++) {
		at[k][0] = a < n ? w.board.hand(k)[a] : 0;
		at[k][1] = b < n ? w.board.hand(k)[b] : 0;
	}
	float *reaches = stacks + (u64)block_in_grid() * 2 * depth * width + a, *values = reaches + (u64)depth * width;
	reaches[0] = a < n;
	reaches[1] = b < n;
	found += (u64)number * found_words;
	roots += (u64)number * num_roots * width + a;
	const u32 part = first_part + block_in_grid() % num_parts;
	float x = 0, y = 0;
	u32 turn = 0;
	for (u32 i = parts[part]; i < parts[part + 1]; i++) {
		const Op op(ops[i]);
		float *reach = reaches + (u64)op.depth * width, *value = values + (u64)op.depth * width;
		const u32 *bucket = w.board.bucket(op.round);
		switch (op.kind) {
		case play:
			reach[width] = a < n ? reach[0] * sigma[op.sigma + bucket[a]] : 0;
			reach[width + 1] = b < n ? reach[1] * sigma[op.sigma + bucket[b]] : 0;
			break;
		case scan:
			sync_block(); // after ends that were prepared before
			w.prepare(reach[0], reach[1]);
			break;
		case end: {
			const float won = ends[3 * op.to], lost = ends[3 * op.to + 1], tied = ends[3 * op.to + 2];
			x = a < n ? w.value(at[0][0], at[1][0], at[2][0], two_cards ? w.reach[a] : 0, won, lost, tied) : 0;
			y = b < n ? w.value(at[0][1], at[1][1], at[2][1], two_cards ? w.reach[b] : 0, won, lost, tied) : 0;
			break;
		}
		case gain: {
			float *shown = w.shown + (turn ^= width);
			shown[a] = x;
			shown[b] = y;
			value[0] = (op.first ? 0 : value[0]) + (a < n ? sigma[op.sigma + bucket[a]] : 0) * x;
			value[1] = (op.first ? 0 : value[1]) + (b < n ? sigma[op.sigma + bucket[b]] : 0) * y;
			sync_block();
			w.by_bucket(shown, op.round, found + op.to);
			break;
		}
		case sum: {
			float *shown = w.shown + (turn ^= width);
			shown[a] = reach[0];
			shown[b] = reach[1];
			sync_block();
			w.by_bucket(shown, op.round, found + op.to);
			break;
		}
		case add:
			value[0] = (op.first ? 0 : value[0]) + x;
			value[1] = (op.first ? 0 : value[1]) + y;
			break;
		case result:
			x = value[0];
			y = value[1];
			break;
		case store:
			roots[(u64)op.to * width] = x;
			roots[(u64)op.to * width + 1] = y;
			break;
		case load:
			x = roots[(u64)op.to * width];
			y = roots[(u64)op.to * width + 1];
			break;
		}
	}
}

// Node is a decision, see cudalib.BoardsNode.
struct Node {
	const u32 *words;

	INLINE u32 first() const { return words[0]; }   // the entry of the first bucket's first action
	INLINE u32 width() const { return words[1]; }   // from a bucket to the next
	INLINE u32 actions() const { return words[2]; }
	INLINE u32 actor() const { return words[3]; }
	INLINE u32 round() const { return words[4]; }
	INLINE u32 sigma() const { return words[5]; }   // the strategy of the first action
	INLINE u32 buckets() const { return words[6]; }
	INLINE u32 found(u32 player) const { return words[7 + player]; } // the sums, in a walk for a player
	INLINE u32 places() const { return words[9]; }  // room for sums of an action
};
constexpr u32 node_words = 10;

// boards_match turns regrets into strategies: a block for each decision.
__global__ void boards_match(const u32 *nodes, const float *regret, float *sigma) {
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

// boards_fold adds up what the walks of all boards found, for a bucket on as many
// of them as have it: a block for each decision.
__global__ void boards_fold(const u32 *nodes, const u32 *merge, const float *sigma, const float *found, float *regret, float *average,
	u32 found_words, u32 player) {
	const Node n = {nodes + block_in_grid() * node_words};
	// By round, how many buckets there are, and where they start: the buckets, the
	// first item of each and one more; then the items, each a board and a place.
	const u32 count = merge[2 * n.round()], *buckets = merge + merge[2 * n.round() + 1], *start = buckets + count, *items = start + count + 1;
	for (u32 k = thread_in_block(); k < count; k += threads_in_block()) {
		const u32 b = buckets[k];
		auto total = [&](u32 at) {
			float sum = 0;
			for (u32 j = start[k]; j < start[k + 1]; j++)
				sum += found[(u64)(items[j] >> 16) * found_words + at + (items[j] & 0xffff)];
			return sum;
		};
		const u64 entry = n.first() + (u64)b * n.width();
		const float *played = sigma + n.sigma() + b;
		if (n.actor() != player) {
			const float reach = total(n.found(player));
			for (u32 a = 0; a < n.actions(); a++)
				average[entry + a] += reach * played[(u64)a * n.buckets()];
			continue;
		}
		float mean = 0;
		for (u32 a = 0; a < n.actions(); a++)
			mean += played[(u64)a * n.buckets()] * total(n.found(player) + a * n.places());
		for (u32 a = 0; a < n.actions(); a++)
			regret[entry + a] += total(n.found(player) + a * n.places()) - mean;
	}
}
