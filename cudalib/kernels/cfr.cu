// Training of tiny games by vector-form CFR (cfr.cuh): a block has all of a game
// in shared memory and does many iterations.
#include "cfr.cuh"

using namespace cfr;

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
