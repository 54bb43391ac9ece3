// The parts of a betting round, whose segments have the same decisions: what kernels share that treat all parts of a
// game, or of a round, at once. A lane is one of a part's, and a round's lanes are those of its parts.
#pragma once
#include "ends.cuh"

namespace poker {

// Part is where a part's passes, or ends, its pays, strategies, reach and values start, its sizes, and its round. Its
// tasks are its passes on all boards in all tiles of its lanes.
struct Part {
	u64 reach, strategy, values;
	u32 tasks, pass, passes, pays, columns, width, num_values, round, round_width, unused;
};

// Task is a pass, or an end, of a part on a board, in the lane of a thread. Those of the same tile and board follow on
// each other. A block has one.
struct Task {
	Part part;
	u32 number, board, tile, lane; // the pass of all, and the lane of the part

	INLINE Task(const Part *parts, u32 boards) {
		u32 task = block_in_grid(), p = 0;
		while (task >= parts[p].tasks)
			task -= parts[p++].tasks;
		part = parts[p];
		number = part.pass + task % part.passes;
		board = task / part.passes % boards;
		tile = task / part.passes / boards;
		lane = tile * lanes + thread_in_block() % lanes;
	}

	// values_of returns where an end's values are, by part, tile, board, number, place and lane of the tile.
	INLINE Values values_of(u32 end, float *values, const float *pays, u32 boards, u32 hands) const {
		if (end == none)
			return Values{};
		const u64 at = ((u64)tile * boards + board) * part.num_values + end;
		return Values{values + part.values + at * hands * lanes + thread_in_block() % lanes,
			pays[part.pays + end * part.width + lane], 1};
	}
};

// Deal is the end of a round in a part: where the table of the part starts, the words of a row in it, its lanes and
// the first of them, and a player's columns on the way to the deal.
struct Deal {
	u64 table;
	u32 stride, width, first, length, path[max_path];
};

// descend computes a player's reach at the start of a round, by hand and lane, from that of the round before. Function
// row_of returns the row of a hand in the tables. A block has some hands.
constexpr u32 hands_per_block = 8;
template <class F>
INLINE void descend(const u32 *from, const Deal *deals, const float *strategy, const float *before, float *reach,
		u32 hands, u32 width, u32 next_width, F row_of) {
	const u32 first = block_in_grid() * hands_per_block;
	for (u32 to = thread_in_block(); to < next_width; to += threads_in_block()) {
		const u32 source = from[to];
		const Deal &deal = deals[source == none ? 0 : source >> 16];
		const u32 lane = source == none ? deal.first : source & 0xffff, length = deal.length, stride = deal.stride,
			row_width = deal.width;
		const float *table = strategy + deal.table + (lane - deal.first);
		for (u32 h = first; h < first + hands_per_block && h < hands; h++) {
			const float *row = table + (u64)row_of(h) * stride;
			float x = source == none ? 0 : before[(u64)h * width + lane];
			for (u32 k = 0; k < length; k++)
				x *= row[deal.path[k] * row_width];
			reach[(u64)h * next_width + to] = x;
		}
	}
}

// Decisions have at most few_actions in limit games, some_actions in no-limit games with few
// raises, and most_actions in all.
constexpr u32 few_actions = 3, some_actions = 6, most_actions = 15;

// Hits are values of some hands in a bucket, which a warp treats at a time.
constexpr u32 hits_at_once = 4;
struct alignas(4 * hits_at_once) Hits {
	float of[hits_at_once];
};

// Sources are the numbers of the values that a value is the sum of, a byte each after how many
// there are.
constexpr u32 source_words = (1 + most_actions) / 4;

// first_source returns the first of a sum's values.
INLINE u32 first_source(const u32 *sources) { return sources[0] >> 8 & 0xff; }

// sum_of returns the sum of at most MOST values.
template <u32 MOST> INLINE Hits sum_of(const u32 *sources, const Hits *value) {
	u32 bytes = sources[0];
	const u32 n = bytes & 0xff;
	bytes >>= 8;
	Hits sum = value[(bytes & 0xff) * lanes];
	for (u32 i = 2; i <= n; i++) {
		bytes = MOST < 4 || i % 4 ? bytes >> 8 : sources[i / 4];
		const Hits x = value[(bytes & 0xff) * lanes];
#pragma unroll
		for (u32 h = 0; h < hits_at_once; h++)
			sum.of[h] += x.of[h];
	}
	return sum;
}

// decide returns the values of a decision of at most MOST actions, the first in a column. It calls gained with
// each column, and by how much its action is better.
template <u32 MOST, class F>
INLINE Hits decide(u32 first, u32 actions, const u32 *program, const Hits *value, const float *sigma, F gained) {
	Hits v[MOST], mean = {};
#pragma unroll
	for (u32 a = 0; a < MOST; a++)
		if (a < actions) {
			v[a] = sum_of<MOST>(program + (first + a) * source_words, value);
			const float p = sigma[(first + a) * lanes];
#pragma unroll
			for (u32 h = 0; h < hits_at_once; h++)
				mean.of[h] += p * v[a].of[h];
		}
#pragma unroll
	for (u32 a = 0; a < MOST; a++)
		if (a < actions) {
#pragma unroll
			for (u32 h = 0; h < hits_at_once; h++)
				v[a].of[h] -= mean.of[h];
			gained(first + a, v[a]);
		}
	return mean;
}

// packed has the first column of a decision and the number of its actions in one word.
INLINE u32 packed(const Decision &d) { return d.column | d.actions << 8; }

} // namespace poker
