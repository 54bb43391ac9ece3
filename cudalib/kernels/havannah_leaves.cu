// Random games of Havannah from leaves of a tree: a block of threads plays those
// of a leaf, a thread a game at a time (havannah.cuh), and counts which player
// put a stone where, as RAVE wants to know.
#include "havannah.cuh"

using namespace havannah;

// A stone on the way from the root to a leaf has its cell in the lower half, with
// its colour on top, and in the upper half its place in the list of the cells
// that are empty at the root, or no_place.
constexpr u32 black_bit = 1 << 15, no_place = 0xffff;

// havannah_root puts some stones, cells with black_bit, on the empty board and
// leaves the marks. One thread does it.
__global__ void havannah_root(u32 *marks, const u32 *board, const u16 *stones, u32 num_stones, u32 room) {
	DYNAMIC_SHARED(u32, memory); // a lane's
	if (thread_in_block() != 0)
		return;
	const Memory m{memory};
	for (u32 i = 0; i <= room; i++)
		m.word(i) = 0;
	for (u32 i = 0; i < num_stones; i++)
		put<false>(m, board, stones[i] & black_bit ? 1 : 0, stones[i] & (black_bit - 1));
	for (u32 i = 0; i < room; i++)
		marks[i] = m.word(i);
}

// What a launch is about.
struct Work {
	u32 *results;        // of each leaf: twice the points of who is to move, then counts of that player, then of the other
	words4 *orders;      // room for an order of cells a thread
	const u32 *board;    // its rows by cell, see havannah.cuh
	const u16 *cells;    // by number
	const u16 *empty;    // cells at the root, in the order of their numbers
	const u32 *root;     // marks
	const u32 *jobs;     // of each leaf four words: where its stones are, how many they are with turn_bit and from_root, number of its first game; then the stones
	u32 room, num_cells, num_empty;
	u64 seed;
	u32 games, permanent;
};

constexpr u32 turn_bit = 1 << 16, from_root = 1 << 17;

// A stone's own neighbours that stood there before the games began.
__device__ INLINED u32 permanent_beside(const u32 *start, const u32 *board, u32 colour, u32 cell) {
	return __builtin_popcount(Around(DenseMarks(start, colour), cell, board[cell]).stones);
}

// Block is what the threads of a block share.
struct Block {
	u32 *board, *start, *list; // its rows, marks and empty cells of the leaf
	u32 *counts, *points;      // two for each cell: games in which a player took it, and above those twice what they were worth
	u32 left;                  // cells in the list
};

// prepare puts a leaf's stones and lists the cells that are left. All threads come
// here; spare is memory of a lane of the first warp.
__device__ INLINED u32 prepare(const Work &w, const Block &b, const u32 *leaf, const Memory &spare) {
	const u32 t = thread_in_block(), threads = threads_in_block();
	const u32 *const stones = w.jobs + leaf[0];
	const u32 num_stones = leaf[1] & 0xffff, counters = 8 * w.room;
	for (u32 i = t; i < counters; i += threads)
		b.counts[i] = 0;
	for (u32 i = t; i < 4 * w.room; i += threads)
		b.board[i] = w.board[i];
	sync_block();
	for (u32 i = t; i < num_stones; i += threads)
		if (stones[i] >> 16 != no_place)
			b.counts[stones[i] >> 16] = 1; // taken
	sync_block();
	if (t == 0) {
		for (u32 i = 0; i <= w.room; i++)
			spare.word(i) = i < w.room && leaf[1] & from_root ? w.root[i] : 0;
		for (u32 i = 0; i < num_stones; i++)
			put<false>(spare, b.board, stones[i] & black_bit ? 1 : 0, stones[i] & (black_bit - 1));
		for (u32 i = 0; i < w.room; i++)
			b.start[i] = spare.word(i);
		b.start[w.room] = 0; // off the board
		*b.points = 0;
	}
	// Every warp counts what is left, the last one lists it.
	const u32 lane = t % warp;
	const bool lists = t / warp == threads / warp - 1;
	if (lists) {
		for (u32 i = lane; i < w.room; i += warp)
			b.list[i] = 0;
		sync_warp();
	}
	u32 left = 0;
	for (u32 first = 0; first < w.num_empty; first += warp) {
		const u32 i = first + lane;
		const bool free = i < w.num_empty && !b.counts[i];
		const u32 all = ballot(free);
		if (lists && free) {
			const Element e(left + __builtin_popcount(all & ((1u << lane) - 1)));
			atomic_or(&b.list[e.word], (u32)w.empty[i] << e.shift);
		}
		left += __builtin_popcount(all);
	}
	sync_block();
	for (u32 i = t; i < counters; i += threads)
		b.counts[i] = 0;
	for (u32 i = 0; i <= w.room; i++)
		spare.word(i) = 0; // off the board stays empty
	sync_block();
	return left;
}

// play plays a thread's games from a leaf.
__device__ INLINED void play(const Work &w, const Block &b, const Memory &memory, u32 turn, u64 first) {
	const u64 stride = threads_in_grid();
	words4 *const orders = w.orders + thread_in_grid();
	const u32 left = b.left;
	for (u32 game = thread_in_block(); game < w.games; game += threads_in_block()) {
		copy(memory, b.list, list_words(left));
		draw(memory, left, Stream{w.seed, first + game, 0}, orders, stride);
		copy(memory, b.start, w.room);

		const words4 *order = orders;
		words4 eight = *order;
		u32 ply = 0, points = 1; // of who is to move at the leaf
		while (true) {
			const u32 one = eight[0] & 0xffff, two = eight[0] >> 16;
			Outcomes outcomes = put_both<false>(memory, b.board, turn, one, two);
			if (outcomes.first.rings && permanent_beside(b.start, b.board, turn, one) < w.permanent)
				outcomes.first.rings = 0;
			if (outcomes.second.rings && permanent_beside(b.start, b.board, turn ^ 1, two) < w.permanent)
				outcomes.second.rings = 0;
			ply += 2;
			if (outcomes.first.ends() || ply > left) {
				ply--; // the second was not put
				if (outcomes.first.ends())
					points = 2;
				break;
			}
			if (outcomes.second.ends()) {
				points = 0;
				break;
			}
			if (ply == left)
				break;
			eight = words4{eight[1], eight[2], eight[3], 0};
			if (ply % 8 == 0) {
				order += stride;
				eight = *order;
			}
		}
		atomic_add(b.points, points);
		const u32 mine = 1 | points << 16, others = 1 | (2 - points) << 16;
		order = orders;
		for (u32 i = 0; i < ply; i += 2) {
			if (i % 8 == 0) {
				eight = *order;
				order += stride;
			}
			atomic_add(&b.counts[eight[0] & 0xffff], mine);
			if (i + 1 < ply)
				atomic_add(&b.counts[4 * w.room + (eight[0] >> 16)], others);
			eight = words4{eight[1], eight[2], eight[3], 0};
		}
	}
}

__global__ LAUNCH_BOUNDS(512, 1) void havannah_leaves(u32 *results, words4 *orders, const u32 *board, const u16 *cells, const u16 *empty, const u32 *root,
	const u32 *jobs, u32 room, u32 num_cells, u32 num_empty, u64 seed, u32 games, u32 permanent) {
	const Work w = {results, orders, board, cells, empty, root, jobs, room, num_cells, num_empty, seed, games, permanent};
	const u32 t = thread_in_block(), threads = threads_in_block();
	DYNAMIC_SHARED(u32, memory);
	u32 *const start = memory + 4 * room, *const list = start + room + 4, *const counts = list + room, *const points = counts + 8 * room;
	Block b = {memory, start, list, counts, points, 0};
	const Memory own{points + 4 + t / warp * (warp * (room + 1)) + t % warp};

	const u32 *const leaf = jobs + 4 * block_in_grid();
	const u32 turn = leaf[1] & turn_bit ? 1 : 0;
	b.left = prepare(w, b, leaf, own);
	play(w, b, own, turn, (u64)leaf[3] << 32 | leaf[2]);
	sync_block();
	u32 *const to = results + (u64)block_in_grid() * (1 + 2 * num_cells);
	if (t == 0)
		to[0] = *points;
	for (u32 i = t; i < num_cells; i += threads) {
		to[1 + i] = counts[cells[i]];
		to[1 + num_cells + i] = counts[4 * room + cells[i]];
	}
}
