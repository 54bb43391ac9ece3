// PTXFLAGS: -mllvm -inline-threshold=100000
// Public chance sampling in poker for two, with any buckets: see package pcs, the CPU reference,
// which does the same operations in the same order.
//
// A lane is a betting sequence that leads to a round. Those of a part of a round have the same
// decisions and ends, and differ in pots and strategies: the tree of a part is data. Arrays are
// by hand and lane, or by bucket, column and lane, so that the accesses of a warp are neighbours
// and it takes no branches. Hands of a board are in the order of their ranks.
#include "parts.cuh"

using namespace poker;

// pcs_strategy computes the strategy that follows from regrets. A thread has a bucket and a
// lane.
__global__ void pcs_strategy(const Decision *decisions, const float *regrets, float *strategy, u32 num_decisions,
		u32 buckets, u32 columns, u32 width) {
	const u64 n = (u64)buckets * width;
	for (u64 i = thread_in_grid(); i < n; i += threads_in_grid()) {
		const u64 row = i / width * columns * width + i % width;
		for (u32 d = 0; d < num_decisions; d++) {
			const u64 at = row + decisions[d].column * width;
			float regret[most_actions];
			load_actions(regret, regrets + at, width, decisions[d].actions);
			match(regret, strategy + at, width, decisions[d].actions);
		}
	}
}

// pcs_reach computes a player's reach at the start of a round, by board, hand and lane, from
// that of the round before. A block has some hands.
__global__ void pcs_reach(const u32 *from, const Deal *deals, const float *strategy, const u32 *buckets,
		const float *before, float *reach, u32 hands, u32 width, u32 next_width) {
	descend(from, deals, strategy, before, reach, hands, width, next_width, [&](u32 hand) { return buckets[hand]; });
}

// pcs_start sets the reach at the start of the game: 1 in the first lane.
__global__ void pcs_start(float *reach, u32 hands, u32 width) {
	for (u64 hand = block_in_grid(); hand < hands; hand += blocks_in_grid())
		for (u32 lane = thread_in_block(); lane < width; lane += threads_in_block())
			reach[hand * width + lane] = lane == 0 ? 1 : 0;
}

// pcs_orders writes the entries of the hands of a batch, by round, board and place, and by round,
// board and place from the best rank down. The words of an order have a hand's cards and the
// latter place.
__global__ void pcs_orders(const u32 *order, const u32 *buckets, u64 *up, u64 *down, u32 hands, u32 batch, u32 rounds) {
	for (u64 i = thread_in_grid(); i < (u64)rounds * batch; i += threads_in_grid()) {
		const u32 word = order[i % batch], place = i % hands; // a batch is a multiple of hands
		const u32 cards = word & ((1u << 2 * card_bits) - 1);
		const u64 entry = place | (u64)cards << cards_at | (u64)place << place_at | (u64)buckets[i] << bucket_at;
		up[i] = entry;
		down[i - place + (word >> 2 * card_bits)] = entry;
	}
}

// pcs_ends values all ends of all parts for a player, by part, tile of lanes, board, number, place
// and lane of the tile. A block has a pass on a board in a tile. Those of the same tile and board
// follow on each other.
__global__ LAUNCH_BOUNDS(32, 8) void pcs_ends(const Part *parts, const Pass *passes, const float *pays,
		const u64 *up, const u64 *down, const float *reach, const float *strategy, float *values, u32 boards,
		u32 hands, u32 deck, u32 two_cards) {
	DYNAMIC_SHARED(Sums, by);
	const Task t(parts, boards);
	const Part &part = t.part;
	const Pass &pass = passes[t.number];
	const u32 board = t.board, column = t.lane;
	const u64 first = (u64)board * hands, order = first + (u64)part.round * boards * hands;
	const auto values_of = [&](u32 number) { return t.values_of(number, values, pays, boards, hands); };
	with_length(pass, [&]<u32 LENGTH>() {
		const Mixed<LENGTH> opponent(pass, reach + part.reach + first * part.round_width + column, part.round_width,
			strategy + part.strategy + column, part.columns, part.width);
		Ends<Mixed<LENGTH>> ends = {opponent, up + order, down + order, by + thread_in_block(),
			hands, deck, two_cards ? 1.f : 0.f, values_of(pass.folds[fold]), values_of(pass.folds[raise]),
			values_of(pass.showdowns[raise]), values_of(pass.showdowns[call]), {}};
		ends.run();
	});
}

#define UPDATE_PARAMETERS \
	const u32 *sources, const Decision *decisions, const u32 *rows, const u32 *starts, const u32 *hits, \
		const u32 *next_lane, const float *own_reach, \
		const float *next_roots, const float *values, float *roots, float *regrets, float *sums, float *strategy, \
		u32 boards, u32 hands, u32 columns, u32 num_decisions, \
		u32 num_ends, u32 num_deals, u32 width, u32 round_width, u32 next_width, float regret_weight, \
		float sum_weight, u32 floor
#define UPDATE_ARGUMENTS \
	sources, decisions, rows, starts, hits, next_lane, own_reach, next_roots, values, roots, regrets, sums, strategy, \
		boards, hands, columns, num_decisions, num_ends, \
		num_deals, width, round_width, next_width, regret_weight, sum_weight, floor

// update values a part's segments and updates a player's strategy there: a block has a bucket and
// a tile of lanes. Its warps divide the hands in the bucket. No decision, of either player, has
// more than MOST actions: with fewer, a thread needs fewer registers.
template <u32 MOST> INLINE void update(UPDATE_PARAMETERS) {
	DYNAMIC_SHARED(Hits, memory);
	const u32 thread = thread_in_block(), lane = thread % lanes, warp = thread / lanes,
		warps = threads_in_block() / lanes;
	const u32 tiles = width / lanes, row = block_in_grid() / tiles, column = block_in_grid() % tiles * lanes + lane;
	const u32 inputs = num_ends + num_deals, each = columns + 1; // gains by column, and reach
	const u64 entry = (u64)rows[row] * columns * width + column;
	// By warp and number: the values of hands; the strategy by column; by warp: the gains; and
	// the program.
	Hits *const value = memory + warp * (inputs + num_decisions) * lanes + lane;
	float *const sigma = (float *)(memory + warps * (inputs + num_decisions) * lanes) + lane,
		*const gains = sigma + columns * lanes;
	float *const gain = gains + warp * each * lanes;
	u32 *const program = (u32 *)(gains - lane + warps * each * lanes), *const chosen = program + each * source_words;
	for (u32 i = thread; i < each * source_words; i += threads_in_block())
		program[i] = sources[i];
	for (u32 i = thread; i < num_decisions; i += threads_in_block())
		chosen[i] = packed(decisions[i]);
	for (u32 c = warp; c < columns; c += warps) { // for the end
		prefetch_l2(regrets + entry + c * width);
		prefetch_l2(sums + entry + c * width);
	}
#pragma unroll 8
	for (u32 c = warp; c < columns; c += warps)
		sigma[c * lanes] = strategy[entry + c * width];
	for (u32 c = 0; c < each; c++)
		gain[c * lanes] = 0;
	sync_block();
	const u64 slot = (u64)hands * lanes;
	const u32 end = starts[row + 1];
	for (u32 k = starts[row] + warp; k < end; k += hits_at_once * warps) {
		bool counts[hits_at_once];
		const float *at[hits_at_once], *next[hits_at_once];
		float *root[hits_at_once], reach[hits_at_once];
#pragma unroll
		for (u32 h = 0; h < hits_at_once; h++) {
			counts[h] = k + h * warps < end;
			const u32 hit = hits[counts[h] ? k + h * warps : k], board = hit >> hand_bits,
				hand = hit & ((1u << hand_bits) - 1);
			const u64 of_board = (u64)board * hands + hand;
			at[h] = values + (((u64)(column / lanes * boards + board) * num_ends) * hands + hand) * lanes + lane;
			next[h] = next_roots + of_board * next_width;
			root[h] = roots + of_board * round_width + column;
			reach[h] = own_reach[of_board * round_width + column];
		}
#pragma unroll 8
		for (u32 i = 0; i < num_ends; i++) {
			Hits x;
#pragma unroll
			for (u32 h = 0; h < hits_at_once; h++)
				x.of[h] = at[h][i * slot];
			value[i * lanes] = x;
		}
#pragma unroll 4
		for (u32 i = 0; i < num_deals; i++) {
			const u32 to = next_lane[i * width + column];
			Hits x;
#pragma unroll
			for (u32 h = 0; h < hits_at_once; h++)
				x.of[h] = to == none ? 0 : next[h][to];
			value[(num_ends + i) * lanes] = x;
		}
		for (u32 d = 0; d < num_decisions; d++) {
			const u32 first = chosen[d] & 0xff, actions = chosen[d] >> 8;
			value[(inputs + d) * lanes] = decide<MOST>(first, actions, program, value, sigma,
				[&](u32 column, const Hits &x) {
					float sum = gain[column * lanes];
#pragma unroll
					for (u32 h = 0; h < hits_at_once; h++)
						sum += counts[h] ? x.of[h] : 0;
					gain[column * lanes] = sum;
				});
		}
		const Hits start = sum_of<MOST>(program + columns * source_words, value);
		float sum = gain[columns * lanes];
#pragma unroll
		for (u32 h = 0; h < hits_at_once; h++) {
			sum += counts[h] ? reach[h] : 0;
			if (counts[h])
				*root[h] = start.of[h];
		}
		gain[columns * lanes] = sum;
	}
	sync_block();
	// A decision is updated by the warp of its number, modulo the warps.
	for (u32 d = warp; d < num_decisions; d += warps) {
		const Decision &x = decisions[d];
		float played = 0;
		for (u32 w = 0; w < warps; w++)
			played += gains[(w * each + columns) * lanes];
		played *= sum_weight;
		for (u32 i = 0; i < x.length; i++)
			played *= sigma[x.path[i] * lanes];
		const u64 at = entry + x.column * width;
		float regret[MOST], sum[MOST];
		load_actions(regret, regrets + at, width, x.actions);
		load_actions(sum, sums + at, width, x.actions);
#pragma unroll
		for (u32 a = 0; a < MOST; a++)
			if (a < x.actions) {
				float change = 0;
				for (u32 w = 0; w < warps; w++)
					change += gains[(w * each + x.column + a) * lanes];
				const float r = regret[a] + change * regret_weight;
				regret[a] = floor && !(r > 0) ? 0 : r;
				regrets[at + a * width] = regret[a];
				sums[at + a * width] = sum[a] + played * sigma[(x.column + a) * lanes];
			}
		match(regret, strategy + at, width, x.actions);
	}
}

__global__ LAUNCH_BOUNDS(128, 4) void pcs_update_few(UPDATE_PARAMETERS) { update<few_actions>(UPDATE_ARGUMENTS); }
__global__ LAUNCH_BOUNDS(128, 4) void pcs_update_some(UPDATE_PARAMETERS) { update<some_actions>(UPDATE_ARGUMENTS); }
__global__ LAUNCH_BOUNDS(128, 4) void pcs_update_most(UPDATE_PARAMETERS) { update<most_actions>(UPDATE_ARGUMENTS); }
