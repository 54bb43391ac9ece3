// Training by batches of sampled deals, for any number of players, level by
// level of the betting tree (Reis, "A GPU implementation of counterfactual
// regret minimization", Porto 2015, with a batch of one): deals_down brings
// every player's reach to the decisions of a level, deals_up brings values back
// and updates regrets and averages. All deals of a batch see the regrets as they
// were before it.
//
// A thread has one deal at one decision. The deals of a decision are neighbours,
// so that a warp takes the same branches and its accesses are coalesced. Only two
// levels of states are kept. Strategies are computed from regrets each time they are
// needed.
//
// A decision belongs to one block, which adds up the results of the deals with
// the same bucket in a fixed order: pieces of 16 deals, then the pieces. So there are
// no atomics, and the CPU reference implementation, reis.DealBatch, has the same bits.
#include "cuda.cuh"

// What is not inlined has its structs in memory.
#define INLINE __device__ inline __attribute__((always_inline))

constexpr u32 max_players = 10; // acpc.MaxPlayers

// Node is a decision: the place of its first action in a bucket's row and among
// all actions, how many there are with the player in the upper half, and which
// view of the cards the player has.
struct Node {
	u32 row, action, actions, actor, view;

	INLINE Node(words4 n) : row(n[0]), action(n[1]), actions(n[2] & 0xffff), actor(n[2] >> 16), view(n[3]) {}
};

// Work is the game and the state of a launch. Where the number of players is known
// when kernels are compiled, arrays by player take fewer registers, and more warps
// can wait for memory at once. 0 is any number.
template <u32 PLAYERS> struct Work {
	static constexpr u32 room = PLAYERS > 0 ? PLAYERS : max_players; // of arrays by player
	const words4 *nodes;
	const int *children; // by action: a decision, or ^e for the terminal node e
	const u32 *levels;   // by level, and one more: its first decision, and where its states are
	const u32 *pots;     // by terminal node, and one more: its first pot; then by pot the players who play for it
	const float *stakes; // by terminal node and player, the loss; then by pot and number of winners less one, what each gets
	const u32 *feed;     // the batch, see mccfrgpu.BatchShape
	float *regret, *average;
	float *states; // by level, decision, player and deal: reach on the way down, values on the way up
	float *reach;  // by decision and deal, the product of the others' reach; then the same of the player's own
	float *utilities; // the values of the root
	u32 some, views, batch, terminals, decisions, widest, lanes;

	INLINE u32 players() const { return PLAYERS > 0 ? PLAYERS : some; }

	INLINE u32 first(u32 level) const { return levels[2 * level]; }

	// state is where a decision of a level has its states.
	INLINE float *state(u32 level, u32 node) const {
		return states + ((u64)levels[2 * level + 1] + node - first(level)) * players() * batch;
	}

	INLINE const u32 *view(u32 v) const { return feed + (u64)v * (4 * batch + 4); }
	INLINE const u32 *best() const { return view(views); }
};

// Strategy is the strategy of an information set by regret matching: in proportion to
// the positive regrets, and uniform where there are none.
struct Strategy {
	const float *regret;
	float scale, uniform;

	INLINE Strategy(const float *regret, u32 actions) : regret(regret) {
		float total = 0;
		for (u32 a = 0; a < actions; a++)
			total += positive(a);
		scale = total > 0 ? 1 / total : 0;
		uniform = total > 0 ? 0 : 1 / (float)actions;
	}
	INLINE float positive(u32 a) const { return regret[a] > 0 ? regret[a] : 0; }
	INLINE float operator[](u32 a) const { return scale > 0 ? positive(a) * scale : uniform; }
};

// descend computes the reach of a decision's children with a deal.
template <u32 PLAYERS> INLINE void descend(const Work<PLAYERS> &w, u32 level, u32 i, u32 deal) {
	const Node n(w.nodes[i]);
	const float *here = w.state(level, i) + deal;
	float reach[Work<PLAYERS>::room], others = 1, own = 1;
#pragma unroll
	for (u32 p = 0; p < Work<PLAYERS>::room; p++)
		if (p < w.players()) {
			reach[p] = level == 0 ? 1 : here[(u64)p * w.batch];
			if (p == n.actor)
				own = reach[p];
			else
				others *= reach[p];
		}
	w.reach[(u64)i * w.batch + deal] = others;
	w.reach[((u64)w.decisions + i) * w.batch + deal] = own;
	const Strategy sigma(w.regret + w.view(n.view)[deal] + n.row, n.actions);
	for (u32 a = 0; a < n.actions; a++) {
		const int child = w.children[n.action + a];
		if (child < 0)
			continue;
		float *below = w.state(level + 1, child) + deal;
		const float played = own * sigma[a];
#pragma unroll
		for (u32 p = 0; p < Work<PLAYERS>::room; p++)
			if (p < w.players())
				below[(u64)p * w.batch] = p == n.actor ? played : reach[p];
	}
}

// side_pots adds to a value what a player wins of some pots.
template <u32 PLAYERS> INLINE float side_pots(const Work<PLAYERS> &w, u32 from, u32 to, u32 player, u32 deal, float value) {
	const u32 *in = w.pots + w.terminals + 1;
	const float *shares = w.stakes + (u64)w.terminals * w.players();
	for (u32 k = from; k < to; k++) {
		const u32 won = w.best()[(u64)in[k] * w.batch + deal];
		if (won >> player & 1)
			value += shares[(u64)k * w.players() + __builtin_popcount(won) - 1];
	}
	return value;
}

// add adds an action's value to those of its decision, for all players, and
// returns that of the one who acts.
template <u32 PLAYERS> INLINE float add(const Work<PLAYERS> &w, u32 level, int child, u32 deal, u32 actor, float sigma, bool first, float *value) {
	float gained = 0;
	if (child >= 0) {
		const float *below = w.state(level + 1, child) + deal;
#pragma unroll
		for (u32 p = 0; p < Work<PLAYERS>::room; p++)
			if (p < w.players()) {
				const float x = below[(u64)p * w.batch];
				gained = p == actor ? x : gained;
				value[p] = first ? sigma * x : value[p] + sigma * x;
			}
		return gained;
	}
	const u32 end = ~child, *in = w.pots + w.terminals + 1;
	const float *lost = w.stakes + (u64)end * w.players(), *shares = w.stakes + (u64)w.terminals * w.players();
	// Most hands have one pot, which is looked at once for all players.
	const u32 pot = w.pots[end], pots = w.pots[end + 1]; // at least one
	const u32 won = w.best()[(u64)in[pot] * w.batch + deal];
	const float share = shares[(u64)pot * w.players() + __builtin_popcount(won) - 1];
#pragma unroll
	for (u32 p = 0; p < Work<PLAYERS>::room; p++)
		if (p < w.players()) {
			float x = -lost[p];
			x = won >> p & 1 ? x + share : x;
			if (pot + 1 < pots)
				x = side_pots(w, pot + 1, pots, p, deal, x);
			gained = p == actor ? x : gained;
			value[p] = first ? sigma * x : value[p] + sigma * x;
		}
	return gained;
}

// ascend computes a decision's values with a deal, and its results: what to add to
// the regret by action, and the player's reach.
template <u32 PLAYERS> INLINE void ascend(const Work<PLAYERS> &w, u32 level, u32 i, u32 deal, float *found) {
	const Node n(w.nodes[i]);
	const Strategy sigma(w.regret + w.view(n.view)[deal] + n.row, n.actions);
	float value[Work<PLAYERS>::room];
	for (u32 a = 0; a < n.actions; a++)
		found[(u64)a * w.batch] = add(w, level, w.children[n.action + a], deal, n.actor, sigma[a], a == 0, value);
	float *here = (level == 0 ? w.utilities : w.state(level, i)) + deal, mean = 0;
#pragma unroll
	for (u32 p = 0; p < Work<PLAYERS>::room; p++)
		if (p < w.players()) {
			here[(u64)p * w.batch] = value[p];
			if (p == n.actor)
				mean = value[p];
		}
	const float others = w.reach[(u64)i * w.batch + deal];
	for (u32 a = 0; a < n.actions; a++)
		found[(u64)a * w.batch] = others * (found[(u64)a * w.batch] - mean);
	found[(u64)n.actions * w.batch] = w.reach[((u64)w.decisions + i) * w.batch + deal];
}

// View is a player's view of a batch, see mccfrgpu.View.
struct View {
	const u32 *base, *order, *pieces, *segments;
	u32 num_pieces, num_segments;

	template <class W> INLINE View(const W &w, u32 v) : base(w.view(v)), order(base + w.batch), pieces(order + w.batch), segments(pieces + w.batch + 1),
		num_pieces(segments[w.batch + 1]), num_segments(segments[w.batch + 2]) {}
};

// join adds up the results of the deals of a piece, in the place of the first.
template <u32 PLAYERS> INLINE void join(const Work<PLAYERS> &w, const Node &n, const View &v, u32 lane, float *found) {
	for (u32 k = lane; k < v.num_pieces * (n.actions + 1); k += w.lanes) {
		const u32 piece = k % v.num_pieces;
		float *column = found + (u64)(k / v.num_pieces) * w.batch;
		const u32 from = v.pieces[piece], to = v.pieces[piece + 1];
		float sum = column[v.order[from]];
		for (u32 j = from + 1; j < to; j++)
			sum += column[v.order[j]];
		column[v.order[from]] = sum;
	}
}

// update adds the results to the entries of the buckets.
template <u32 PLAYERS> INLINE void update(const Work<PLAYERS> &w, const Node &n, const View &v, u32 lane, const float *found) {
	for (u32 s = lane; s < v.num_segments; s += w.lanes) {
		const u32 from = v.segments[s], to = v.segments[s + 1];
		const u32 entry = v.base[v.order[v.pieces[from]]] + n.row;
		auto total = [&](u32 column) {
			float sum = found[(u64)column * w.batch + v.order[v.pieces[from]]];
			for (u32 k = from + 1; k < to; k++)
				sum += found[(u64)column * w.batch + v.order[v.pieces[k]]];
			return sum;
		};
		const Strategy sigma(w.regret + entry, n.actions);
		const float own = total(n.actions);
		for (u32 a = 0; a < n.actions; a++)
			w.average[entry + a] += own * sigma[a];
		for (u32 a = 0; a < n.actions; a++)
			w.regret[entry + a] += total(a);
	}
}

template <u32 PLAYERS> INLINE void down(const Work<PLAYERS> &w, u32 level, u32 block, u32 blocks) {
	const u32 slots = threads_in_block() / w.lanes, last = w.first(level + 1);
	for (u32 i = w.first(level) + block * slots + thread_in_block() / w.lanes; i < last; i += blocks * slots)
		for (u32 deal = thread_in_block() % w.lanes; deal < w.batch; deal += w.lanes)
			descend(w, level, i, deal);
}

template <u32 PLAYERS> INLINE void up(const Work<PLAYERS> &w, u32 level, u32 block, u32 blocks, float *found) {
	const u32 slots = threads_in_block() / w.lanes, last = w.first(level + 1);
	const u32 slot = thread_in_block() / w.lanes, lane = thread_in_block() % w.lanes;
	found += (u64)slot * (w.widest + 1) * w.batch;
	for (u32 first = w.first(level) + block * slots; first < last; first += blocks * slots) {
		const u32 i = first + slot;
		for (u32 deal = lane; i < last && deal < w.batch; deal += w.lanes)
			ascend(w, level, i, deal, found + deal);
		sync_block();
		const Node n(w.nodes[i < last ? i : first]);
		const View v(w, n.view);
		if (i < last)
			join(w, n, v, lane, found);
		sync_block();
		if (i < last)
			update(w, n, v, lane, found);
		sync_block(); // before found is written again
	}
}

// at returns the work on one of the batches that were uploaded together.
template <u32 PLAYERS> INLINE Work<PLAYERS> at(Work<PLAYERS> w, u32 k) {
	w.feed += (u64)k * (w.views * (4 * w.batch + 4) + ((u64)w.batch << w.players()));
	w.utilities += (u64)k * w.players() * w.batch;
	return w;
}

#define DEALS                                                                                                                   \
	const words4 *nodes, const int *children, const u32 *levels, const u32 *pots, const float *stakes, const u32 *feed,        \
		float *regret, float *average, float *states, float *reach, float *utilities, u32 players, u32 views, u32 batch,       \
		u32 terminals, u32 decisions, u32 widest, u32 lanes
#define THE_DEALS                                                                                                               \
	nodes, children, levels, pots, stakes, feed, regret, average, states, reach, utilities, players, views, batch, terminals,       \
		decisions, widest, lanes

// deals_whole trains a game whose levels are all small: one block does several
// batches from the root and back.
template <u32 PLAYERS> INLINE void whole(const Work<PLAYERS> &all, float *found, u32 depth, u32 batches) {
	for (u32 k = 0; k < batches; k++) {
		const Work<PLAYERS> w = at(all, k);
		for (u32 level = 0; level < depth; level++) {
			down(w, level, 0, 1);
			sync_block();
		}
		for (u32 level = depth; level-- > 0;)
			up(w, level, 0, 1, found); // ends with a barrier
	}
}

#define DOWN(PLAYERS) { down(at(Work<PLAYERS>{THE_DEALS}, *clock), level, block_in_grid(), blocks_in_grid()); }
#define UP(PLAYERS)                                                                                                             \
	{                                                                                                                           \
		DYNAMIC_SHARED(float, found);                                                                                           \
		up(at(Work<PLAYERS>{THE_DEALS}, *clock), level, block_in_grid(), blocks_in_grid(), found);                             \
	}
#define WHOLE(PLAYERS)                                                                                                          \
	{                                                                                                                           \
		DYNAMIC_SHARED(float, found);                                                                                           \
		whole(Work<PLAYERS>{THE_DEALS}, found, depth, batches);                                                                \
	}

// For any number of players, and for the most usual numbers.
__global__ LAUNCH_BOUNDS(256, 4) void deals_down(DEALS, const u32 *clock, u32 level) DOWN(0)
__global__ LAUNCH_BOUNDS(256, 4) void deals_up(DEALS, const u32 *clock, u32 level) UP(0)
__global__ LAUNCH_BOUNDS(1024, 1) void deals_whole(DEALS, u32 depth, u32 batches) WHOLE(0)

__global__ LAUNCH_BOUNDS(256, 6) void deals_down_2(DEALS, const u32 *clock, u32 level) DOWN(2)
__global__ LAUNCH_BOUNDS(256, 6) void deals_up_2(DEALS, const u32 *clock, u32 level) UP(2)
__global__ LAUNCH_BOUNDS(1024, 1) void deals_whole_2(DEALS, u32 depth, u32 batches) WHOLE(2)

__global__ LAUNCH_BOUNDS(256, 6) void deals_down_3(DEALS, const u32 *clock, u32 level) DOWN(3)
__global__ LAUNCH_BOUNDS(256, 6) void deals_up_3(DEALS, const u32 *clock, u32 level) UP(3)
__global__ LAUNCH_BOUNDS(1024, 1) void deals_whole_3(DEALS, u32 depth, u32 batches) WHOLE(3)

__global__ LAUNCH_BOUNDS(256, 4) void deals_down_5(DEALS, const u32 *clock, u32 level) DOWN(5)
__global__ LAUNCH_BOUNDS(256, 4) void deals_up_5(DEALS, const u32 *clock, u32 level) UP(5)
__global__ LAUNCH_BOUNDS(1024, 1) void deals_whole_5(DEALS, u32 depth, u32 batches) WHOLE(5)

__global__ LAUNCH_BOUNDS(256, 4) void deals_down_8(DEALS, const u32 *clock, u32 level) DOWN(8)
__global__ LAUNCH_BOUNDS(256, 4) void deals_up_8(DEALS, const u32 *clock, u32 level) UP(8)
__global__ LAUNCH_BOUNDS(1024, 1) void deals_whole_8(DEALS, u32 depth, u32 batches) WHOLE(8)

// deals_tick moves to the next batch.
__global__ void deals_tick(u32 *clock) {
	if (thread_in_grid() == 0)
		++*clock;
}
