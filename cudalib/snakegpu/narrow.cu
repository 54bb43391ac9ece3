// Narrow beam searches for snakes, many at the same time: a block does one after
// the other, with a thread for each path that is kept. It keeps the same paths as
// solvers/nmcs/snake/internal/beam.
#include "beam.cuh"

using namespace snake;

constexpr u32 narrow_threads = 256;   // narrowThreads in snakegpu/narrow.go
constexpr u32 narrow_children = 2048; // narrowChildren there
constexpr u32 no_goal = ~0u;          // NoGoal there, and adjacent to no vertex
constexpr u32 turn_names = 12;        // turnNames there

// Searches are the searches of a launch.
struct Searches {
	u32 *next;          // counts those that were begun
	const u32 *starts;  // of each: a set of free vertices
	const u32 *heads;
	const u32 *goals;   // the vertex beside which it ends, or no_goal
	const u64 *turns;   // the half turn under which it may not enter the images of its vertices, or 0
	const u64 *salts;
	u32 n, width, max_length, allowed;
	u32 *lengths;       // results, and paths rated
	u64 *rated;
	u8 *moves;          // `longest` of each
	u32 *sets;          // of each block: two of each path
	u16 *history;       // of each block: of each length and path its parent and move
};

// BlockState is the state that the threads of a block share.
struct BlockState {
	u64 keys[narrow_children];
	u64 edges[2][narrow_threads];
	u64 lowest;
	u64 turn;
	u64 end;           // the lowest hash of the edges of a path that enters a gate, inverted
	u32 goal;
	u32 end_steps;     // of the longest path that enters a gate, and its parent and last move
	u32 end_code;
	u32 dropped;       // children that cannot reach a gate
	u32 heads[2][narrow_threads];
	u32 sums[narrow_threads];
	u32 count, search;
	u16 codes[narrow_children]; // of children: parent and move
	u16 kept[narrow_threads];
};

__device__ inline u64 edges_of(const BlockState &state, u32 now, u32 code) {
	return mix(state.edges[now][code >> move_bits] + ((code & ((1u << move_bits) - 1)) + 1) * golden);
}

// image_of returns the image of a vertex under a half turn: the new names of dimensions, four bits
// each, and above them those that are flipped.
__device__ inline u32 image_of(u64 turn, u32 v) {
	u32 image = (u32)(turn >> 4 * turn_names);
	for (; v; v &= v - 1)
		image ^= 1u << (turn >> 4 * __builtin_ctz(v) & 15);
	return image;
}

// load_child loads the parent of a child, and makes the child's move. Under a half turn the image of
// the head is no longer free.
template <u32 dimension> __device__ ALWAYS_INLINE void load_child(Path<dimension> &p, const u32 *sets,
		const BlockState &state, u32 now, u32 code) {
	p.load_free(sets + (code >> move_bits) * p.set_words);
	const u32 before = state.heads[now][code >> move_bits];
	p.drop(before);
	p.head = p.image = before ^ 1u << (code & ((1u << move_bits) - 1));
	if (state.turn) {
		const u32 image = image_of(state.turn, p.head);
#pragma unroll
		for (u32 i = 0; i < p.words; i++)
			p.free[i] &= ~(p.word_of_set(i) == image >> 5 ? 1u << (image & 31) : 0);
	}
}

// list lists the children of all paths, in any order, but for those that enter a gate, a
// neighbour of the goal. Of these it notes the one whose edges have the lowest hash.
template <u32 dimension>
__device__ inline void list(BlockState &state, const u32 *sets, u32 now, u32 paths, u32 steps) {
	const u32 t = thread_in_block();
	if (t == 0)
		state.count = 0, state.dropped = 0, state.end = 0;
	sync_block();
	u32 ends = 0;
	if (t < paths) {
		const u32 head = state.heads[now][t];
		u32 moves = 0;
		for (u32 m = 0; m < dimension; m++) {
			const u32 v = head ^ 1u << m;
			const u32 move = (sets[t * Path<dimension>::set_words + (v >> 5)] >> (v & 31) & 1) << m;
			if (__builtin_popcount(v ^ state.goal) == 1)
				ends |= move;
			else
				moves |= move;
		}
		for (u32 left = ends; left; left &= left - 1)
			atomic_max(&state.end, ~edges_of(state, now, t << move_bits | (u32)__builtin_ctz(left)));
		u32 at = fetch_add(&state.count, __builtin_popcount(moves));
		for (; moves; moves &= moves - 1)
			state.codes[at++] = (u16)(t << move_bits | (u32)__builtin_ctz(moves));
	}
	sync_block();
	for (; ends; ends &= ends - 1) {
		const u32 code = t << move_bits | (u32)__builtin_ctz(ends);
		if (~edges_of(state, now, code) == state.end)
			state.end_code = code, state.end_steps = steps + 1;
	}
}

// sort sorts children by their keys, highest first, by a bitonic network (K. Batcher,
// 1968). The size is a power of two.
__device__ inline void sort(BlockState &state, u32 size) {
	for (u32 k = 2; k <= size; k *= 2)
		for (u32 j = k / 2; j > 0; j /= 2) {
			for (u32 t = thread_in_block(); t < size / 2; t += narrow_threads) {
				const u32 a = 2 * t - (t & (j - 1)), b = a + j;
				const u64 x = state.keys[a], y = state.keys[b];
				if ((a & k) == 0 ? x < y : x > y) {
					state.keys[a] = y, state.keys[b] = x;
					const u16 code = state.codes[a];
					state.codes[a] = state.codes[b], state.codes[b] = code;
				}
			}
			sync_block();
		}
}

// choose lists the sorted children that are kept, one of each key: the one whose edges
// have the lowest hash. It returns their number.
__device__ inline u32 choose(BlockState &state, u32 now, u32 children, u32 width) {
	const u32 t = thread_in_block(), share = (children + narrow_threads - 1) / narrow_threads;
	const u32 from = t * share < children ? t * share : children,
		to = from + share < children ? from + share : children;
	u32 mine = 0;
	for (u32 i = from; i < to; i++)
		mine += i == 0 || state.keys[i] != state.keys[i - 1];
	state.sums[t] = mine;
	sync_block();
	for (u32 step = 1; step < narrow_threads; step *= 2) {
		const u32 before = t >= step ? state.sums[t - step] : 0;
		sync_block();
		state.sums[t] += before;
		sync_block();
	}
	const u32 all = state.sums[narrow_threads - 1];
	u32 at = state.sums[t] - mine;
	for (u32 i = from; i < to && at < width; i++) {
		if (i > 0 && state.keys[i] == state.keys[i - 1])
			continue;
		u32 code = state.codes[i];
		u64 lowest = edges_of(state, now, code);
		for (u32 other = i + 1; other < children && state.keys[other] == state.keys[i]; other++) {
			const u64 edges = edges_of(state, now, state.codes[other]);
			if (edges < lowest)
				lowest = edges, code = state.codes[other];
		}
		state.kept[at++] = (u16)code;
	}
	sync_block();
	return all < width ? all : width;
}

// trace writes the edges of a path after a number of steps.
__device__ inline void trace(const Searches &s, const BlockState &state, const u16 *history, u32 at, u32 steps) {
	for (u32 i = steps; i-- > 0;) {
		const u32 code = history[i * narrow_threads + at];
		s.moves[(u64)state.search * s.max_length + i] = (u8)(code & ((1u << move_bits) - 1));
		at = code >> move_bits;
	}
}

// finish writes the longest path to the goal, or without one the path with the lowest hash of its
// edges.
__device__ inline void finish(const Searches &s, BlockState &state, u32 now, u32 paths, u32 steps, const u16 *history) {
	const u32 t = thread_in_block();
	if (t == 0)
		state.lowest = 0;
	sync_block();
	if (state.goal != no_goal) {
		if (t == 0 && state.end_steps) {
			const u32 last = state.end_steps - 1;
			s.moves[(u64)state.search * s.max_length + last] = (u8)(state.end_code & ((1u << move_bits) - 1));
			trace(s, state, history, state.end_code >> move_bits, last);
		}
		if (t == 0)
			s.lengths[state.search] = state.end_steps;
		sync_block();
		return;
	}
	if (t < paths)
		atomic_max(&state.lowest, ~state.edges[now][t]);
	sync_block();
	if (t < paths && ~state.edges[now][t] == state.lowest) {
		trace(s, state, history, t, steps);
		s.lengths[state.search] = steps;
	}
	sync_block();
}

template <u32 dimension> __device__ ALWAYS_INLINE void narrow(const Searches &s) {
	constexpr u32 set_words = Path<dimension>::set_words, lanes = Path<dimension>::lanes;
	SHARED(BlockState, states, 1);
	BlockState &state = states[0];
	const u32 t = thread_in_block();
	u32 *const sets = s.sets + (u64)block_in_grid() * 2 * narrow_threads * set_words;
	u16 *const history = s.history + (u64)block_in_grid() * s.max_length * narrow_threads;
	u64 rated = 0;
	for (;;) {
		if (t == 0)
			state.search = fetch_add(s.next, 1);
		sync_block();
		if (state.search >= s.n)
			break;
		if (t < set_words)
			sets[t] = s.starts[(u64)state.search * set_words + t];
		if (t == 0) {
			state.heads[0][0] = s.heads[state.search], state.edges[0][0] = 1;
			state.goal = s.goals[state.search], state.turn = s.turns[state.search], state.end_steps = 0;
		}
		const u64 salt = s.salts[state.search];
		sync_block();
		u32 now = 0, paths = 1, steps = 0;
		for (; steps < s.max_length; steps++) {
			const u32 *const from = sets + now * narrow_threads * set_words;
			list<dimension>(state, from, now, paths, steps);
			const u32 listed = state.count;
			if (listed == 0)
				break;
			each<lanes>(t, narrow_threads, listed, [&](u32 i, bool stores) ALWAYS_INLINED {
				Path<dimension> p;
				load_child(p, from, state, now, state.codes[i]);
				p.allowed = s.allowed;
				const u32 reached = p.flood();
				const bool can_end = state.goal == no_goal || p.reaches(state.goal);
				const u64 hash = p.hash(salt);
				if (!stores || p.lane() != 0)
					return;
				state.keys[i] = can_end ? (u64)reached << rank_hash | hash >> (64 - rank_hash) | 1 : 0;
				if (!can_end)
					fetch_add(&state.dropped, 1);
			});
			u32 size = 2;
			while (size < listed)
				size *= 2;
			for (u32 i = listed + t; i < size; i += narrow_threads)
				state.keys[i] = 0;
			sync_block();
			sort(state, size);
			const u32 children = listed - state.dropped;
			if (children == 0)
				break;
			rated += children;
			paths = choose(state, now, children, s.width);
			each<lanes>(t, narrow_threads, paths, [&](u32 i, bool stores) ALWAYS_INLINED {
				const u32 code = state.kept[i];
				Path<dimension> p;
				load_child(p, from, state, now, code);
				p.flood();
				if (!stores)
					return;
				p.store_reached(sets + ((1 - now) * narrow_threads + i) * set_words);
				if (p.lane() == 0) {
					state.heads[1 - now][i] = p.head, state.edges[1 - now][i] = edges_of(state, now, code);
					history[steps * narrow_threads + i] = (u16)code;
				}
			});
			now = 1 - now;
			sync_block();
		}
		finish(s, state, now, paths, steps, history);
	}
	if (t == 0)
		atomic_add(s.rated, rated);
}

#define NARROW \
	u32 *next, const u32 *starts, const u32 *heads, const u32 *goals, const u64 *turns, const u64 *salts, u32 n, \
		u32 width, u32 max_length, u32 allowed, u32 *lengths, u64 *rated, u8 *moves, u32 *sets, u16 *history
#define NARROW_SEARCHES Searches{next, starts, heads, goals, turns, salts, n, width, max_length, allowed, \
	lengths, rated, moves, sets, history}
__global__ LAUNCH_BOUNDS(256, 4) void narrow_8(NARROW) { narrow<8>(NARROW_SEARCHES); }
__global__ LAUNCH_BOUNDS(256, 3) void narrow_9(NARROW) { narrow<9>(NARROW_SEARCHES); }
__global__ LAUNCH_BOUNDS(256, 2) void narrow_10(NARROW) { narrow<10>(NARROW_SEARCHES); }
__global__ LAUNCH_BOUNDS(256, 1) void narrow_11(NARROW) { narrow<11>(NARROW_SEARCHES); }
__global__ LAUNCH_BOUNDS(256, 1) void narrow_12(NARROW) { narrow<12>(NARROW_SEARCHES); }
#undef NARROW
#undef NARROW_SEARCHES
