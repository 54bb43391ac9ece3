// Training by batches of sampled deals, for any number of players, level by
// level of the betting tree (Reis, "A GPU implementation of counterfactual
// regret minimization", Porto 2015, with a batch of one): deals_down propagates
// every player's reach to the decisions of a level, deals_up propagates values back
// and updates regrets and averages. All deals of a batch use the regrets from before
// the batch.
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

// A function that is not inlined has its structs in memory.
#define INLINE __device__ inline __attribute__((always_inline))

constexpr u32 max_players = 10; // acpc.MaxPlayers

// Node is a decision: the index of its first action in a bucket's row and among all
// actions, the number of actions with the player in the upper half, and the player's
// view of the cards.
struct Node {
	u32 row, action, actions, actor, view;

	INLINE Node(words4 n) : row(n[0]), action(n[1]), actions(n[2] & 0xffff), actor(n[2] >> 16), view(n[3]) {}
};

// Work is the game and the state of a launch. Where the number of players is known
// when kernels are compiled, arrays by player take fewer registers, and more warps
// can wait for memory at once. 0 is any number.
template <u32 PLAYERS> struct Work {
	static constexpr u32 player_capacity = PLAYERS > 0 ? PLAYERS : max_players;
	const words4 *nodes;
	const int *children;  // by action: a decision, or ^e for the terminal node e
	const u32 *levels;    // by level, and one more: its first decision, and where its states are
	const u32 *pots;      // by terminal node, and one more: its first pot; then by pot the players who play for it
	// loss by terminal node and player; then each winner's share, by pot and number of winners less one
	const float *payouts;
	const u32 *batches;   // the batch, see mccfrgpu.BatchShape, and those after it
	float *regret, *average;
	float *states; // by level, decision, player and deal: reach on the way down, values on the way up
	float *reach;  // by decision and deal, the product of the others' reach; then the same of the player's own
	float *utilities; // the values of the root
	u32 num_players, views, batch, terminals, decisions, max_actions, lanes;

	INLINE u32 players() const { return PLAYERS > 0 ? PLAYERS : num_players; }

	INLINE u32 first(u32 level) const { return levels[2 * level]; }

	// state is where a decision of a level has its states.
	INLINE float *state(u32 level, u32 node) const {
		return states + ((u64)levels[2 * level + 1] + node - first(level)) * players() * batch;
	}

	INLINE const u32 *view(u32 v) const { return batches + (u64)v * (4 * batch + 4); }
	INLINE const u32 *winners() const { return view(views); }
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

// descend computes the reach of a decision's children for a deal.
template <u32 PLAYERS> INLINE void descend(const Work<PLAYERS> &w, u32 level, u32 i, u32 deal) {
	const Node n(w.nodes[i]);
	const float *here = w.state(level, i) + deal;
	float reach[Work<PLAYERS>::player_capacity], others = 1, own = 1;
#pragma unroll
	for (u32 p = 0; p < Work<PLAYERS>::player_capacity; p++)
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
		for (u32 p = 0; p < Work<PLAYERS>::player_capacity; p++)
			if (p < w.players())
				below[(u64)p * w.batch] = p == n.actor ? played : reach[p];
	}
}

// side_pots adds a player's winnings from some pots to a value.
template <u32 PLAYERS>
INLINE float side_pots(const Work<PLAYERS> &w, u32 from, u32 to, u32 player, u32 deal, float value) {
	const u32 *in = w.pots + w.terminals + 1;
	const float *shares = w.payouts + (u64)w.terminals * w.players();
	for (u32 k = from; k < to; k++) {
		const u32 winners = w.winners()[(u64)in[k] * w.batch + deal];
		if (winners >> player & 1)
			value += shares[(u64)k * w.players() + __builtin_popcount(winners) - 1];
	}
	return value;
}

// add_action adds an action's values, weighted by its probability, to those of its
// decision for all players. It returns the action's value for the actor.
template <u32 PLAYERS> INLINE float add_action(const Work<PLAYERS> &w, u32 level, int child, u32 deal, u32 actor,
		float sigma, bool first, float *value) {
	float actor_value = 0;
	if (child >= 0) {
		const float *below = w.state(level + 1, child) + deal;
#pragma unroll
		for (u32 p = 0; p < Work<PLAYERS>::player_capacity; p++)
			if (p < w.players()) {
				const float x = below[(u64)p * w.batch];
				actor_value = p == actor ? x : actor_value;
				value[p] = first ? sigma * x : value[p] + sigma * x;
			}
		return actor_value;
	}
	const u32 end = ~child, *in = w.pots + w.terminals + 1;
	const float *spent = w.payouts + (u64)end * w.players(), *shares = w.payouts + (u64)w.terminals * w.players();
	// Most hands have one pot, which is loaded once for all players.
	const u32 pot = w.pots[end], pots = w.pots[end + 1]; // at least one
	const u32 winners = w.winners()[(u64)in[pot] * w.batch + deal];
	const float share = shares[(u64)pot * w.players() + __builtin_popcount(winners) - 1];
#pragma unroll
	for (u32 p = 0; p < Work<PLAYERS>::player_capacity; p++)
		if (p < w.players()) {
			float x = -spent[p];
			x = winners >> p & 1 ? x + share : x;
			if (pot + 1 < pots)
				x = side_pots(w, pot + 1, pots, p, deal, x);
			actor_value = p == actor ? x : actor_value;
			value[p] = first ? sigma * x : value[p] + sigma * x;
		}
	return actor_value;
}

// ascend computes a decision's values for a deal, and its results: the change of the
// regret by action, and the player's reach.
template <u32 PLAYERS> INLINE void ascend(const Work<PLAYERS> &w, u32 level, u32 i, u32 deal, float *results) {
	const Node n(w.nodes[i]);
	const Strategy sigma(w.regret + w.view(n.view)[deal] + n.row, n.actions);
	float value[Work<PLAYERS>::player_capacity];
	for (u32 a = 0; a < n.actions; a++)
		results[(u64)a * w.batch] = add_action(w, level, w.children[n.action + a],
			deal, n.actor, sigma[a], a == 0, value);
	float *here = (level == 0 ? w.utilities : w.state(level, i)) + deal, mean = 0;
#pragma unroll
	for (u32 p = 0; p < Work<PLAYERS>::player_capacity; p++)
		if (p < w.players()) {
			here[(u64)p * w.batch] = value[p];
			if (p == n.actor)
				mean = value[p];
		}
	const float others = w.reach[(u64)i * w.batch + deal];
	for (u32 a = 0; a < n.actions; a++)
		results[(u64)a * w.batch] = others * (results[(u64)a * w.batch] - mean);
	results[(u64)n.actions * w.batch] = w.reach[((u64)w.decisions + i) * w.batch + deal];
}

// View is a player's view of a batch, see mccfrgpu.View.
struct View {
	const u32 *base, *order, *pieces, *segments;
	u32 num_pieces, num_segments;

	template <class W> INLINE View(const W &w, u32 v) : base(w.view(v)), order(base + w.batch), pieces(order + w.batch),
		segments(pieces + w.batch + 1),
		num_pieces(segments[w.batch + 1]), num_segments(segments[w.batch + 2]) {}
};

// sum_pieces adds up the results of the deals of a piece, at the first of them.
template <u32 PLAYERS>
INLINE void sum_pieces(const Work<PLAYERS> &w, const Node &n, const View &v, u32 lane, float *results) {
	for (u32 k = lane; k < v.num_pieces * (n.actions + 1); k += w.lanes) {
		const u32 piece = k % v.num_pieces;
		float *column = results + (u64)(k / v.num_pieces) * w.batch;
		const u32 from = v.pieces[piece], to = v.pieces[piece + 1];
		float sum = column[v.order[from]];
		for (u32 j = from + 1; j < to; j++)
			sum += column[v.order[j]];
		column[v.order[from]] = sum;
	}
}

// update adds the results to the entries of the buckets.
template <u32 PLAYERS>
INLINE void update(const Work<PLAYERS> &w, const Node &n, const View &v, u32 lane, const float *results) {
	for (u32 s = lane; s < v.num_segments; s += w.lanes) {
		const u32 from = v.segments[s], to = v.segments[s + 1];
		const u32 entry = v.base[v.order[v.pieces[from]]] + n.row;
		auto total = [&](u32 column) {
			float sum = results[(u64)column * w.batch + v.order[v.pieces[from]]];
			for (u32 k = from + 1; k < to; k++)
				sum += results[(u64)column * w.batch + v.order[v.pieces[k]]];
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

template <u32 PLAYERS> INLINE void up(const Work<PLAYERS> &w, u32 level, u32 block, u32 blocks, float *results) {
	const u32 slots = threads_in_block() / w.lanes, last = w.first(level + 1);
	const u32 slot = thread_in_block() / w.lanes, lane = thread_in_block() % w.lanes;
	results += (u64)slot * (w.max_actions + 1) * w.batch;
	for (u32 first = w.first(level) + block * slots; first < last; first += blocks * slots) {
		const u32 i = first + slot;
		for (u32 deal = lane; i < last && deal < w.batch; deal += w.lanes)
			ascend(w, level, i, deal, results + deal);
		sync_block();
		const Node n(w.nodes[i < last ? i : first]);
		const View v(w, n.view);
		if (i < last)
			sum_pieces(w, n, v, lane, results);
		sync_block();
		if (i < last)
			update(w, n, v, lane, results);
		sync_block(); // before results is written again
	}
}

// at_batch returns the work on one of the batches that were uploaded together.
template <u32 PLAYERS> INLINE Work<PLAYERS> at_batch(Work<PLAYERS> w, u32 k) {
	w.batches += (u64)k * (w.views * (4 * w.batch + 4) + ((u64)w.batch << w.players()));
	w.utilities += (u64)k * w.players() * w.batch;
	return w;
}

#define DEALS \
	const words4 *nodes, const int *children, const u32 *levels, const u32 *pots, \
		const float *payouts, const u32 *batches, \
		float *regret, float *average, float *states, float *reach, float *utilities, \
		u32 players, u32 views, u32 batch, \
		u32 terminals, u32 decisions, u32 max_actions, u32 lanes
#define THE_DEALS \
	nodes, children, levels, pots, payouts, batches, regret, average, states, reach, utilities, \
		players, views, batch, terminals, \
		decisions, max_actions, lanes

// deals_whole trains a game whose levels are all small: one block does several
// batches from the root and back.
template <u32 PLAYERS> INLINE void train_batches(const Work<PLAYERS> &all, float *results, u32 depth, u32 num_batches) {
	for (u32 k = 0; k < num_batches; k++) {
		const Work<PLAYERS> w = at_batch(all, k);
		for (u32 level = 0; level < depth; level++) {
			down(w, level, 0, 1);
			sync_block();
		}
		for (u32 level = depth; level-- > 0;)
			up(w, level, 0, 1, results); // ends with a barrier
	}
}

#define DOWN(PLAYERS) { down(at_batch(Work<PLAYERS>{THE_DEALS}, *clock), level, block_in_grid(), blocks_in_grid()); }
#define UP(PLAYERS) \
	{ \
		DYNAMIC_SHARED(float, results); \
		up(at_batch(Work<PLAYERS>{THE_DEALS}, *clock), level, block_in_grid(), blocks_in_grid(), results); \
	}
#define WHOLE(PLAYERS) \
	{ \
		DYNAMIC_SHARED(float, results); \
		train_batches(Work<PLAYERS>{THE_DEALS}, results, depth, num_batches); \
	}

// For any number of players, and for the most usual numbers.
__global__ LAUNCH_BOUNDS(256, 4) void deals_down(DEALS, const u32 *clock, u32 level) DOWN(0)
__global__ LAUNCH_BOUNDS(256, 4) void deals_up(DEALS, const u32 *clock, u32 level) UP(0)
__global__ LAUNCH_BOUNDS(1024, 1) void deals_whole(DEALS, u32 depth, u32 num_batches) WHOLE(0)

__global__ LAUNCH_BOUNDS(256, 6) void deals_down_2(DEALS, const u32 *clock, u32 level) DOWN(2)
__global__ LAUNCH_BOUNDS(256, 6) void deals_up_2(DEALS, const u32 *clock, u32 level) UP(2)
__global__ LAUNCH_BOUNDS(1024, 1) void deals_whole_2(DEALS, u32 depth, u32 num_batches) WHOLE(2)

__global__ LAUNCH_BOUNDS(256, 6) void deals_down_3(DEALS, const u32 *clock, u32 level) DOWN(3)
__global__ LAUNCH_BOUNDS(256, 6) void deals_up_3(DEALS, const u32 *clock, u32 level) UP(3)
__global__ LAUNCH_BOUNDS(1024, 1) void deals_whole_3(DEALS, u32 depth, u32 num_batches) WHOLE(3)

__global__ LAUNCH_BOUNDS(256, 4) void deals_down_5(DEALS, const u32 *clock, u32 level) DOWN(5)
__global__ LAUNCH_BOUNDS(256, 4) void deals_up_5(DEALS, const u32 *clock, u32 level) UP(5)
__global__ LAUNCH_BOUNDS(1024, 1) void deals_whole_5(DEALS, u32 depth, u32 num_batches) WHOLE(5)

__global__ LAUNCH_BOUNDS(256, 4) void deals_down_8(DEALS, const u32 *clock, u32 level) DOWN(8)
__global__ LAUNCH_BOUNDS(256, 4) void deals_up_8(DEALS, const u32 *clock, u32 level) UP(8)
__global__ LAUNCH_BOUNDS(1024, 1) void deals_whole_8(DEALS, u32 depth, u32 num_batches) WHOLE(8)

// deals_tick moves to the next batch.
__global__ void deals_tick(u32 *clock) {
	if (thread_in_grid() == 0)
		++*clock;
}
