// Training steps of vector-form CFR (cfr.cuh). A traversal for one player is
// cfr_down for each round but the last, and cfr_up for each round backwards. A
// block takes a segment and a part of its round's boards. Its vectors are in
// shared memory; only the reach of the nodes goes to the next round's blocks
// through global memory, and the values of roots come back. The rounds before
// the last are small, and cfr_up finds their vectors again.
#include "cfr.cuh"

using namespace cfr;

// A block has rows of threads, which share the columns of a part.
constexpr u32 columns = 128; // CFRColumns of cudalib/cfrgame.go
constexpr u32 row = columns / span;
using Part = Work<columns>;

// each calls f with the nodes of a list and this thread's columns, nodes shared
// out by rows.
template <class F> __device__ inline void each(const Part &w, u32 list, u32 length, const Column &c, F f) {
	if (c.x < w.width)
		for (u32 i = thread_in_block() / row; i < length; i += threads_in_block() / row)
			f(w, w.g.plan[list + 2 * i], c);
}

// each_group is the same for the first column of each group of lanes.
template <class F> __device__ inline void each_group(const Part &w, u32 list, u32 length, F f) {
	constexpr u32 groups = columns / lanes;
	const u32 x = thread_in_block() % groups * lanes;
	if (x < w.width) {
		const Column c(w, x);
		for (u32 i = thread_in_block() / groups; i < length; i += threads_in_block() / groups)
			f(w, w.g.plan[list + 2 * i], c);
	}
}

__device__ inline Rates rates_of(const float *rates, const u32 *clock) {
	const float *r = rates + 4 * (u64)*clock;
	return {r[0], r[1], r[2], r[3]};
}

__device__ inline Part part_of(const Game &g, float *vectors, u32 r, u32 player, Rates rates) {
	const Round &round = g.round(r);
	const Segment &s = g.segment(round.first_segment + block_in_grid() / round.num_parts);
	const u32 *part = g.plan + round.parts + 2 * (block_in_grid() % round.num_parts);
	return {g, s, round, {vectors, s.last - s.first}, part[0], part[1] - part[0], player, rates};
}

// reach_of does the steps 1 and 2.
__device__ inline void reach_of(const Part &w, const Column &c) {
	each(w, w.s.decisions, w.s.num_decisions, c, match<columns>);
	sync_block();
	if (thread_in_block() == c.x / span && c.x < w.width)
		descend(w, c);
	sync_block();
}

// column_of is the column of this thread, or that of another bucket where it
// has none and does nothing.
__device__ inline Column column_of(const Part &w) {
	const u32 x = thread_in_block() % row * span;
	Column c(w, x < w.width ? x : 0);
	c.x = x;
	return c;
}

__global__ LAUNCH_BOUNDS(512, 3) void cfr_down(const u32 *plan, const float *constants, float *matched, float *frames, u32 r, u32 player) {
	DYNAMIC_SHARED(float, vectors);
	const Game g = {plan, constants, nullptr, matched, nullptr, frames};
	const Part w = part_of(g, vectors, r, player, {});
	const Column c = column_of(w);
	reach_of(w, c);
	float *to = frames + (u64)w.s.frame * lanes + w.first;
	for (u32 slot = thread_in_block() / row; c.x < w.width && slot < 2 + w.f.nodes; slot += threads_in_block() / row)
		vec_at(to + (u64)slot * w.round.stride + c.x) = vec_at(w.f.reach(slot) + c.x);
}

__global__ LAUNCH_BOUNDS(512, 3) void cfr_up(const u32 *plan, const float *constants, float *regret, float *matched, float *sum, float *frames,
	const float *rates, const u32 *clock, u32 r, u32 player) {
	DYNAMIC_SHARED(float, vectors);
	const Game g = {plan, constants, regret, matched, sum, frames};
	const Part w = part_of(g, vectors, r, player, rates_of(rates, clock));
	const Column c = column_of(w);
	reach_of(w, c);
	each(w, w.s.decisions, w.s.num_decisions, c, add_strategy<columns>);
	each_group(w, w.s.ends, w.s.num_ends, gather<columns>);
	sync_block();
	each_group(w, w.s.ends, w.s.num_ends, spread<columns>);
	sync_block();
	each(w, w.s.ends, w.s.num_ends, c, value_end<columns>);
	const u32 x = thread_in_block() % columns;
	for (u32 i = thread_in_block() / columns; x < w.width && i < w.s.num_deals; i += threads_in_block() / columns)
		value_deal(w, plan[w.s.deals + 2 * i], Column(w, x));
	sync_block();
	if (thread_in_block() == c.x / span && c.x < w.width) {
		ascend(w, c);
		vec_at(frames + (u64)w.s.root * lanes + w.first + c.x) = vec_at(w.f.value(0) + c.x);
	}
	sync_block();
	each(w, w.s.decisions, w.s.num_decisions, c, update<columns>);
}

// cfr_tick moves to the rates of the next iteration.
__global__ void cfr_tick(u32 *clock) {
	if (thread_in_grid() == 0)
		++*clock;
}

// Whole is the work on all buckets of a tiny game's segment.
constexpr u32 tiny_columns = 32; // cfrTinyColumns of cudalib/cfrgame.go
using Whole = Work<tiny_columns>;

// Tiny shares a round out between the threads of one block: all segments at
// once, a few threads for a node of one of them.
struct Tiny {
	const Game &g;
	u32 player;
	Rates rates;

	__device__ Whole work(const Segment &s) const {
		const Round &round = g.round(s.round);
		return {g, s, round, {g.frames + (u64)s.frame * lanes, s.last - s.first}, 0, round.stride, player, rates};
	}

	// each calls f with a list's nodes and the columns, of which a thread has a
	// number.
	template <class F> __device__ void each(u32 list, u32 length, u32 number, F f) const {
		const u32 threads = tiny_columns / number; // for one node
		const u32 x = thread_in_block() % threads * number;
		for (u32 i = thread_in_block() / threads; i < length; i += threads_in_block() / threads) {
			const Whole w = work(g.segment(g.plan[list + 2 * i + 1]));
			if (x < w.width)
				f(w, g.plan[list + 2 * i], Column(w, x));
		}
	}

	// segments calls f with the segments of a round.
	template <class F> __device__ void segments(const Round &round, F f) const {
		constexpr u32 threads = tiny_columns / span;
		const u32 x = thread_in_block() % threads * span;
		for (u32 i = thread_in_block() / threads; i < round.segments; i += threads_in_block() / threads) {
			const Whole w = work(g.segment(round.first_segment + i));
			if (x < w.width)
				f(w, Column(w, x));
		}
	}
};

// cfr_tiny trains independent copies of a tiny game, a block each, for a number
// of iterations: the arrays of copy k come after those of copy k-1. Everything
// is in shared memory meanwhile.
__global__ void cfr_tiny(const u32 *plan, const float *constants, float *regrets, float *matches, float *sums,
	const float *rates, u32 iterations, u32 plan_words, u32 num_constants, u32 entries) {
	DYNAMIC_SHARED(float, memory);
	const u32 t = thread_in_block(), threads = threads_in_block();
	const bool predictive = matches != regrets;
	float *const kept_regrets = memory, *const kept_matches = predictive ? kept_regrets + entries : kept_regrets;
	float *const kept_sums = kept_matches + entries, *const kept = kept_sums + entries;
	u32 *const words = (u32 *)(kept + num_constants);
	float *const frames = (float *)(words + (plan_words + lanes - 1) / lanes * lanes);
	regrets += (u64)block_in_grid() * entries;
	matches += (u64)block_in_grid() * entries;
	sums += (u64)block_in_grid() * entries;
	for (u32 i = t; i < entries; i += threads) {
		kept_regrets[i] = regrets[i];
		kept_matches[i] = matches[i];
		kept_sums[i] = sums[i];
	}
	for (u32 i = t; i < num_constants; i += threads)
		kept[i] = constants[i];
	for (u32 i = t; i < plan_words; i += threads)
		words[i] = plan[i];
	sync_block();

	const Game g = {words, kept, kept_regrets, kept_matches, kept_sums, frames};
	const u32 rounds = g.header().num_rounds;
	for (u32 i = 0; i < 2 * iterations; i++) {
		const float *rate = rates + 4 * (u64)(i / 2);
		const Tiny tiny = {g, i % 2, {rate[0], rate[1], rate[2], rate[3]}};
		for (u32 r = 0; r < rounds; r++)
			tiny.each(g.round(r).decisions, g.round(r).num_decisions, span, match<tiny_columns>);
		sync_block();
		for (u32 r = 0; r < rounds; r++) {
			tiny.segments(g.round(r), descend<tiny_columns>);
			sync_block();
		}
		for (u32 r = 0; r < rounds; r++) {
			tiny.each(g.round(r).decisions, g.round(r).num_decisions, span, add_strategy<tiny_columns>);
			tiny.each(g.round(r).ends, g.round(r).num_ends, lanes, gather<tiny_columns>);
		}
		sync_block();
		for (u32 r = 0; r < rounds; r++)
			tiny.each(g.round(r).ends, g.round(r).num_ends, lanes, spread<tiny_columns>);
		sync_block();
		for (u32 r = 0; r < rounds; r++)
			tiny.each(g.round(r).ends, g.round(r).num_ends, span, value_end<tiny_columns>);
		for (u32 r = rounds; r-- > 0;) {
			tiny.each(g.round(r).deals, g.round(r).num_deals, 1, value_deal<tiny_columns>);
			sync_block();
			tiny.segments(g.round(r), ascend<tiny_columns>);
			sync_block();
		}
		for (u32 r = 0; r < rounds; r++)
			tiny.each(g.round(r).decisions, g.round(r).num_decisions, span, update<tiny_columns>);
		sync_block();
	}
	for (u32 i = t; i < entries; i += threads) {
		regrets[i] = kept_regrets[i];
		matches[i] = kept_matches[i];
		sums[i] = kept_sums[i];
	}
}
