// Nested Monte-Carlo searches for snakes (snake.cuh), in two ways: a search a
// thread, with thousands of searches at once, and a search a warp, each of whose
// threads plays one of the 32 playouts of a leaf. Their random streams are the same,
// so with 32 playouts a leaf they have the same results.
#include "snake.cuh"

using namespace snake;

// threads are those of a block, which must have room for a set of each: runThreads in snakegpu/runs.go.
template <u32 dimension> constexpr u32 threads = dimension < 13 ? 128 : 64;

// search runs the playouts of all lanes for a number of rounds, of a number of moves
// each. Between rounds, new playouts replace those that ended. With many moves a round,
// ended playouts wait long; with few, the warp often does the work between playouts for
// only a few of its threads.
template <u32 dimension> __device__ inline void search(const Work &w, u32 rounds, u32 steps) {
	const u32 lane = (u32)thread_in_grid();
	DYNAMIC_SHARED(unsigned char, memory);
	const SharedSet<threads<dimension>> board = {memory, thread_in_block()};
	Lane<dimension> me;
	me.load(w, lane);
	Playout<dimension> p = {};
	u64 num_playouts = 0, num_moves = 0;
	bool plays = false;
#pragma clang loop unroll(disable)
	for (u32 round = 0; round < rounds; round++) {
		if (!plays) {
			if (me.state != me.playing)
				me.advance(w, lane);
			if (me.state == me.idle)
				break;
			p.begin(w, me, lane, board);
			p.writes_to(w, me, lane);
			p.stream = w.streams[(u64)me.slot * w.lanes + lane];
		}
		plays = p.advance(board, steps);
		if (!plays) {
			p.put_record();
			w.streams[(u64)me.slot * w.lanes + lane] = p.stream;
			num_playouts++;
			num_moves += p.n - (w.level > 0);
			if (me.better(p.n, lane, play + me.flip))
				me.flip ^= 1;
			if (++me.slot == w.leaf) {
				me.slot = 0;
				me.state = me.ended;
			}
		}
	}
	me.save(w, lane);
	atomic_add(&w.counts[playouts], num_playouts);
	atomic_add(&w.counts[moves_made], num_moves);
}

// search_by_warps runs a number of leaves on all warps. Each thread has records and
// streams. Everything else is the warp's, and is kept by its first thread, the master.
template <u32 dimension> __device__ inline void search_by_warps(const Work &w, u32 rounds) {
	const u32 lane = (u32)thread_in_grid(), in_warp = lane % 32, master = lane - in_warp;
	DYNAMIC_SHARED(unsigned char, memory);
	const SharedSet<threads<dimension>> board = {memory, thread_in_block()};
	Lane<dimension> me;
	me.load(w, lane);
	u64 num_playouts = 0, num_moves = 0;
	for (u32 round = 0; round < rounds; round++) {
		if (in_warp == 0 && me.state != me.playing)
			me.advance(w, lane);
		sync_warp();
		if (shuffle(me.state, 0) == me.idle) {
			me.state = me.idle;
			break;
		}
		me.head = shuffle(me.head, 0), me.allowed = shuffle(me.allowed, 0), me.todo = shuffle(me.todo, 0);
		// Only the master keeps positions and streams, of which it has one for each thread
		// of the warp.
		Playout<dimension> p;
		p.begin(w, me, master, board);
		p.writes_to(w, me, lane);
		p.stream = w.streams[(u64)in_warp * w.lanes + master];
		p.advance(board, ~0u);
		p.put_record();
		w.streams[(u64)in_warp * w.lanes + master] = p.stream;
		num_playouts++;
		num_moves += p.n - (w.level > 0);
		// The first of the longest.
		u32 longest = p.n << 5 | (31 - in_warp);
		for (u32 by = 16; by; by /= 2) {
			const u32 other = shuffle(longest, in_warp ^ by);
			longest = longest > other ? longest : other;
		}
		const u32 winner = 31 - (longest & 31), buffer = play + shuffle(me.flip, winner);
		u32 better = 0;
		if (in_warp == 0) {
			better = me.better(longest >> 5, master + winner, buffer);
			me.state = me.ended;
		}
		if (shuffle(better, 0) && in_warp == winner)
			me.flip ^= 1;
		sync_warp(); // before the master reads what others wrote
	}
	me.save(w, lane);
	atomic_add(&w.counts[playouts], num_playouts);
	atomic_add(&w.counts[moves_made], num_moves);
}

#define SNAKE_PARAMETERS \
	u32 *sets, u32 *records, u64 *streams, u32 *saved, const u32 *start, u32 *lengths, u32 *lines, \
		u64 *counts, u64 seed, u64 first, \
		u32 runs, u32 level, u32 leaf, u32 full, u32 rounds, u32 steps, u32 by_warps
#define SNAKE_WORK \
	const Work w = {sets, records, streams, saved, start, lengths, lines, counts, seed, first, runs, \
		level, leaf, full, (u32)threads_in_grid()}
#define SNAKE_SEARCH(dimension) \
	SNAKE_WORK; \
	if (by_warps) \
		search_by_warps<dimension>(w, rounds); \
	else \
		search<dimension>(w, rounds, steps)

__global__ LAUNCH_BOUNDS(128, 8) void snake_search_8(SNAKE_PARAMETERS) { SNAKE_SEARCH(8); }
__global__ LAUNCH_BOUNDS(128, 8) void snake_search_9(SNAKE_PARAMETERS) { SNAKE_SEARCH(9); }
__global__ LAUNCH_BOUNDS(128, 8) void snake_search_10(SNAKE_PARAMETERS) { SNAKE_SEARCH(10); }
__global__ LAUNCH_BOUNDS(128, 6) void snake_search_11(SNAKE_PARAMETERS) { SNAKE_SEARCH(11); }
__global__ LAUNCH_BOUNDS(128, 3) void snake_search_12(SNAKE_PARAMETERS) { SNAKE_SEARCH(12); }
__global__ LAUNCH_BOUNDS(64, 3) void snake_search_13(SNAKE_PARAMETERS) { SNAKE_SEARCH(13); }

#undef SNAKE_PARAMETERS
#undef SNAKE_WORK
#undef SNAKE_SEARCH
