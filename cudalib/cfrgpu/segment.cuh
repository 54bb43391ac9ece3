// A block's part in a traversal (traversal.cuh). A traversal goes down each round
// but the last, down and up the last, and back up, with means over the boards of the
// next round in between. Where the vectors of the last round do not
// fit in shared memory they are in global memory, and blocks take one part after the
// other. An earlier round is a chain of steps in a few blocks: these first load all
// that they need into shared memory and the cache at once.
#pragma once

#include "terminal.cuh"
#include "decision.cuh"

namespace traversal {

enum Direction { down = 1, up = 2, both = 3 };

// Work is the part of the tree that a launch traverses. It has the offsets of the
// round's segments and parts, because all loads would wait for their look-up.
struct Work {
	u32 round, player, parts;
	u32 segments_at, segments, parts_at;
	u32 script;   // most words of a segment's script that are kept in shared memory
	// Where vectors are in global memory: the width of the widest part, and the
	// floats that a block has memory for.
	u32 width, scratch;
};

// copy_words copies structs or lists into shared memory.
__device__ inline u32 *copy_words(u32 *to, const u32 *from, u32 words) {
	for (u32 i = thread_in_block(); i < words / 4; i += threads_in_block())
		((words4 *)to)[i] = ((const words4 *)from)[i];
	return to + words;
}

// load_root_reach loads both players' reach at the root of a segment for the buckets
// of a thread.
template <class Real> __device__ inline void load_root_reach(const Traversal<Real> &w) {
	const Vec<Real> sizes = w.sizes(w.x);
	for (u32 p = 0; p < 2; p++) {
		const u32 slot = p == w.player ? w.slots(0u).own : w.slots(0u).other;
		if (slot == none)
			continue;
		Vec<Real> reach = sizes > splat<Real>(0) ? splat<Real>(1) : splat<Real>(0);
		if (w.s.has_parent) {
			const Real *parent_reach = w.frames + (u64)(p == 0 ? w.s.reach_from[0] : w.s.reach_from[1]) * lanes;
			const words4 ups = w.words(w.round.up);
			for (u32 i = 0; i < span; i++)
				if (sizes[i] > 0)
					reach[i] = parent_reach[ups[i]];
		}
		w.at(slot) = reach;
	}
}

// store_root_values stores the values at the root of a last round's segment.
template <class Real> __device__ inline void store_root_values(const Traversal<Real> &w) {
	const Slots slots = w.slots(0u);
	*(Vec<Real> *)(w.frames + (u64)w.s.root * lanes + w.first + w.x) = w.at(slots.value);
	if (slots.best != slots.value)
		*(Vec<Real> *)(w.frames + (u64)w.s.best * lanes + w.first + w.x) = w.at(slots.best);
}

// load_vectors copies all vectors of an earlier round's segment to shared memory, and
// store_reach copies those of reach back. All threads of the block call them.
template <class Real, class F> __device__ inline void each_vector(const Traversal<Real> &w, u32 vectors, F f) {
	const u32 wide = w.columns / span;
#pragma clang loop unroll_count(4)
	for (u32 i = thread_in_block(); i < vectors * wide; i += threads_in_block()) {
		const u32 slot = i / wide, column = i % wide * span;
		f((Vec<Real> *)(w.column(slot) + column),
			(Vec<Real> *)(w.frames + (u64)w.s.frame * lanes + w.first + (u64)slot * w.round.stride + column));
	}
}
template <class Real> __device__ inline void load_vectors(const Traversal<Real> &w) {
	each_vector(w, w.s.vectors, [](Vec<Real> *here, const Vec<Real> *frame) { *here = *frame; });
}
template <class Real> __device__ inline void store_reach(const Traversal<Real> &w) {
	each_vector(w, w.s.reach, [](const Vec<Real> *here, Vec<Real> *frame) { *frame = *here; });
}

// touch brings the entries of all decisions into the cache.
template <class Real, class Task>
__device__ inline u32 touch(const Traversal<Real> &w, const Task &task, bool upwards) {
	const u32 *program = w.script + w.of(w.s.program);
	const u32 wide = w.columns / span;
	u32 some = 0;
	for (u32 i = thread_in_block(); i < w.s.ops_down * wide; i += threads_in_block())
		some ^= task.touch(w, w.node(program[i / wide] & ~all_ops), i % wide * span, upwards);
	return some;
}

// run_decision does an operation at a decision.
template <class Real, Direction DIRECTION, class Task>
__device__ inline void run_decision(const Traversal<Real> &w, const Task &task, u32 op) {
	const Node n = w.node(op & ~all_ops);
	if (op & go_up) {
		if constexpr (DIRECTION & up)
			task.up(w, n);
	} else if constexpr (DIRECTION & down) {
		task.down(w, n);
	}
}

// run_program does operations of a segment's program. All threads of the block call it.
template <class Real, Direction DIRECTION, class Task, class Cards>
__device__ inline void run_program(const Traversal<Real> &w, const Task &task, const Cards &cards,
		Two<Real> *scratch, u32 first, u32 last) {
	const u32 *program = w.script + w.of(w.s.program);
	for (u32 i = first; i < last; i++) {
		const u32 op = program[i];
		if constexpr (Cards::ahead) {
			const u32 next = i + 1 < last ? program[i + 1] : sum_one;
			if (!(next & sum_one) && !w.idle())
				task.prefetch_entries(w, w.node(next & ~all_ops), next & go_up);
		}
		if (op & sum_one)
			value_terminals(w, cards, scratch, op & ~all_ops, (op & which_op) == sum_two);
		else if (!w.idle())
			run_decision<Real, DIRECTION>(w, task, op);
	}
}

// run_levels does so in an earlier round, where each of several groups of threads has
// all buckets, and the groups take turns at the decisions of a level.
template <class Real, Direction DIRECTION, class Task, class Cards>
__device__ inline void run_levels(const Traversal<Real> &w, const Task &task, const Cards &cards,
		Two<Real> *scratch, u32 first, u32 last) {
	const u32 *program = w.script + w.of(w.s.program);
	const u32 group = (w.columns / span + 31) / 32 * 32, groups = threads_in_block() / group;
	Traversal<Real> mine = w;
	mine.x = thread_in_block() < groups * group ? thread_in_block() % group * span : w.columns;
	u32 wait = 0; // decisions until it is this group's turn
	for (u32 i = first; i < last; i++) {
		const u32 op = program[i];
		if constexpr (DIRECTION & up)
			if (op & sum_one) {
				value_terminals(w, cards, scratch, op & ~all_ops, (op & which_op) == sum_two);
				continue;
			}
		if (op & new_level) {
			sync_block();
			wait = thread_in_block() / group;
		}
		if (wait == 0 && !mine.idle())
			run_decision<Real, DIRECTION>(mine, task, op);
		wait = wait > 0 ? wait - 1 : groups - 1;
	}
}

// traverse_parts traverses the segments of a round, with a block for each segment
// and part.
template <class Real, Direction DIRECTION, bool SHARED, class Cards, class Task>
__device__ inline void traverse_parts(const u32 *plan, const float *constants, Real *frames, Real *scratch,
		const Work &work, const Task &task) {
	DYNAMIC_SHARED(u32, memory);
	const Header &header = *(const Header *)plan;
	for (u32 item = block_in_grid(); item < work.segments * work.parts; item += blocks_in_grid()) {
		const Segment *from = (const Segment *)(plan + work.segments_at) + item % work.segments;
		const words4 part = ((const words4 *)(plan + work.parts_at))[item / work.segments];
		u32 *free = copy_words(memory, (const u32 *)&header.rounds[work.round], sizeof(Round) / 4);
		const Round &round = *(const Round *)memory;
		const Segment &s = *(const Segment *)free;
		free = copy_words(free, (const u32 *)from, sizeof(Segment) / 4);
		const u32 *script = plan + (work.player == 0 ? from->script[0] : from->script[1]);
		const u32 words = work.player == 0 ? from->words[0] : from->words[1];
		if (SHARED || words <= work.script) {
			const u32 *kept = free;
			free = copy_words(free, script, words);
			script = kept;
		}
		sync_block();
		const u32 columns = part[1] - part[0];
		Real *vectors = frames + (u64)s.frame * lanes + part[0];
		u32 width = round.stride;
		Real *sums = (Real *)free;
		if (SHARED) {
			vectors = sums, width = columns;
			sums += s.vectors * columns;
		} else if (DIRECTION == both) {
			vectors = scratch + (u64)block_in_grid() * work.scratch, width = work.width;
		}
		const Traversal<Real> w = {plan, constants, s, round, script, vectors, frames, width, part[0], columns,
			thread_in_block() * span, work.player, part[2], part[3]};
		u32 touched = 0;
		if constexpr (SHARED && DIRECTION == up)
			load_vectors(w);
		if constexpr (DIRECTION != both)
			touched = touch(w, task, DIRECTION == up);
		if (DIRECTION & down && !w.idle())
			load_root_reach(w);
		if constexpr (DIRECTION != both) {
			force_load(touched);
			sync_block(); // the vectors are loaded
		}
		const u32 begin = DIRECTION & down ? 0 : s.ops_down, end = DIRECTION & up ? w.of(s.length) : s.ops_down;
		Two<Real> *const for_sums = (Two<Real> *)sums;
		if constexpr (DIRECTION == both)
			run_program<Real, DIRECTION>(w, task, Cards(w, for_sums), for_sums, begin, end);
		else
			run_levels<Real, DIRECTION>(w, task, Cards(w, for_sums), for_sums, begin, end);
		if ((DIRECTION == both || (SHARED && DIRECTION == up)) && !w.idle())
			store_root_values(w);
		sync_block(); // before the next item, and before other threads store the reach of this one
		if constexpr (SHARED && DIRECTION == down) {
			store_reach(w);
			sync_block();
		}
	}
}

// mean_boards sets the values of deals to the means over the next round's boards. A
// block has some adjacent buckets of a deal, whose children are near each other. Each
// thread of a bucket computes a partial sum over some boards, and the first adds these
// up in order. The children of a block's buckets are interleaved in the plan, so that
// neighbouring threads load neighbouring words.
template <class Real> __device__ inline void mean_boards(const u32 *plan, const Real *weights, Real *frames, u32 r,
		u32 buckets, u32 quantities) {
	DYNAMIC_SHARED(Real, sums); // of all threads
	const Header &header = *(const Header *)plan;
	const Round &round = header.rounds[r];
	const u32 column = thread_in_block() % buckets, member = thread_in_block() / buckets,
		threads = threads_in_block() / buckets;
	const u32 groups = (round.stride + buckets - 1) / buckets;
	constexpr u32 batch = 16; // children that are loaded at a time
	for (u32 item = block_in_grid(); item < quantities * round.num_deals * groups; item += blocks_in_grid()) {
		const u32 group = item % groups, which = item / groups, bucket = group * buckets + column;
		const u32 *deal = plan + round.deals + 4 * (which % round.num_deals) + 2 * (which / round.num_deals);
		const u32 from = deal[0], to = deal[1];
		const Real *values = frames + (u64)from * lanes;
		Real value = 0;
		for (u32 first = 0; first < round.max_partials; first += threads) {
			const u32 partial = first + member;
			Real sum = 0;
			if (partial < round.max_partials) {
				const u32 at = group * round.max_partials + partial;
				const u32 n = plan[round.partial_children + at * buckets + column],
					start = plan[round.partial_start + at] + column;
				// The last one is loaded again where there are fewer.
				for (u32 k = 0; k < n; k += batch) {
					Real loaded[batch];
#pragma unroll
					for (u32 i = 0; i < batch; i++) {
						const u32 child = start + (k + i < n ? k + i : n - 1) * buckets;
						loaded[i] = weights[round.weight + child] * values[plan[round.children + child]];
					}
#pragma unroll
					for (u32 i = 0; i < batch; i++)
						sum = k + i < n ? sum + loaded[i] : sum;
				}
			}
			sums[thread_in_block()] = sum;
			sync_block();
			if (member == 0)
#pragma clang loop unroll_count(8)
				for (u32 k = 0; k < threads; k++)
					value += sums[k * buckets + column];
			sync_block();
		}
		if (member == 0 && bucket < round.stride)
			frames[(u64)to * lanes + bucket] = value;
	}
}

// load_rates loads the rates of the iteration that is ahead iterations after the clock's.
__device__ inline Rates load_rates(const float *rates, const u32 *clock, u32 ahead) {
	const float *r = rates + 4 * ((u64)*clock + ahead);
	return {r[0], r[1], r[2], r[3]};
}

// load_threshold loads the rounding threshold of entry 0 in that iteration. The clock's second word
// is the number of the iteration at its beginning.
__device__ inline u32 load_threshold(const u32 *clock, u32 ahead) {
	return (clock[0] + clock[1] + ahead) * 0x9E3779B1u;
}

} // namespace traversal

// The parameters of kernels that train, and of their work. Only 16-bit numbers have
// scales.
#define TRAIN_ARRAYS const u32 *plan, const float *constants, float *frames, float *scratch, \
	void *regret, void *matched, void *sum, float *regret_scales, float *matched_scales, float *sum_scales, \
	const float *rates, const u32 *clock, u32 ahead
#define WORK_PARAMETERS u32 r, u32 player, u32 parts, u32 segments_at, u32 segments, u32 parts_at, \
	u32 script, u32 width, u32 block_scratch
#define THE_WORK Work{r, player, parts, segments_at, segments, parts_at, script, width, block_scratch}
