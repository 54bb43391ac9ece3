// Random games of Havannah from leaves of a tree, and where each player put stones, for
// RAVE.
//
// There are few games, and a search waits for the longest. So a block plays the games
// of a leaf with two threads a game, one for each player: the stones of the players
// are independent of each other, until the first of them completes a structure. Other
// warps of the block draw the orders of cells, a few plies ahead.
// PTXFLAGS: -Xclang -fcuda-short-ptr -mllvm -nvptx-short-ptr
#include "lane.cuh"

using namespace havannah;

// A stone on the path from the root to a leaf has its cell in the lower half, with
// its colour in the top bit, and in the upper half its index in the list of the cells
// that are empty at the root, or no_index.
constexpr u32 black_bit = 1 << 15, no_index = 0xffff;

// put_stones puts the stones stone(i), each by the lane of its colour, lane 0 or 1.
template <class F>
__device__ INLINED void put_stones(const Lane &own, const Row *rows, u32 colour, u32 num_stones, F stone) {
	for (u32 i = 0; i < num_stones; i++) {
		while (i < num_stones && (stone(i) & black_bit ? 1u : 0u) != colour)
			i++;
		if (i < num_stones)
			put(own, rows, Placement{stone(i) & (black_bit - 1), rows[stone(i) & (black_bit - 1)]}, 0);
	}
}

// havannah_mark_root puts some stones, cells with black_bit, on the empty board and
// stores the marks, first white's. It is run by one warp.
__global__ void havannah_mark_root(u32 *marks, const u32 *board, const u16 *stones, u32 num_stones, u32 num_triangles) {
	DYNAMIC_SHARED(u32, memory);
	Row *const rows = (Row *)memory;
	const u32 t = thread_in_block();
	const Lane own(memory + 8 * num_triangles + t, num_triangles);
	for (u32 i = t; i < 4 * num_triangles; i += threads_in_block())
		rows[i] = Row(board[i]);
	for (u32 i = 0; i < num_triangles; i++)
		own.word(i) = 0;
	sync_block();
	if (t < 2) {
		put_stones(own, rows, t, num_stones, [&](u32 i) { return (u32)stones[i]; });
		for (u32 i = 0; i < num_triangles; i++)
			marks[t * num_triangles + i] = own.word(i);
	}
}

// Work is the input and the output of a launch.
struct Work {
	// results of each leaf: twice the points of the player to move, then counts of that player, then of the other
	u32 *results;
	u32 *done;           // of each leaf: set to batch when its results are complete
	const u32 *board;    // its rows by cell, see board.cuh
	const u16 *cells;    // by number
	const u16 *empty;    // cells at the root, in the order of their numbers
	const u32 *root;     // marks
	// jobs of each leaf: the first word, see below, and the number of its first game in two; then the stones
	const u32 *jobs;
	u32 pitch;           // words from a leaf's job to the next
	u32 num_triangles, num_cells, num_empty;
	u64 seed;
	u32 games, at_once; // from a leaf; of these, how many are played at a time
	u32 permanent, batch;

	// players is how many threads of a block play. The others draw, one for each game.
	__device__ INLINED u32 players() const { return (2 * at_once + warp - 1) / warp * warp; }
};

constexpr u32 job_head = 3;

// The first word of a job has the number of stones, the player to move, and whether the
// root's stones are on the board.
constexpr u32 turn_bit = 1 << 16, from_root = 1 << 17;

constexpr u32 black_cells = 3; // bits of white's cells before black's in Block::stones

// Block is the state that the threads of a block share.
struct Block {
	Row *rows, *playout_rows; // of its cells; of empty ones, with the colours whose rings count
	u32 *start;               // marks, of the root and then of the leaf
	u32 *stones;              // by triangles, the leaf's: cells with white ones, and above those black ones
	u32 *list;                // its empty cells, two a word
	// two words for each cell: games in which a player took it, and above these twice the player's points
	u32 *counts, *points;
	u32 *job;                 // words of the leaf
	u32 *end_ply;             // of each thread that plays, the ply in which its stone ended the game
	u32 *drawn;               // of each warp that draws, how many plies are drawn
	u16 *cells, *empty;       // by number; at the root
	u32 *players, *lists;     // memory of the threads that play, and of those that draw

	__device__ INLINED Block(u32 *memory, const Work &w) {
		const u32 halves = (w.num_cells + 7) / 8 * 4; // words for a cell each
		rows = (Row *)memory;
		playout_rows = rows + 4 * w.num_triangles;
		start = memory + 16 * w.num_triangles;
		stones = start + 2 * w.num_triangles;
		list = stones + w.num_triangles + 4;
		counts = list + halves + 4;
		points = counts + 8 * w.num_triangles;
		drawn = points + 4;
		end_ply = drawn + 16;
		job = end_ply + w.players();
		cells = (u16 *)(job + (job_head + w.num_cells + 3) / 4 * 4);
		empty = cells + 2 * halves;
		players = (u32 *)(empty + 2 * halves);
		lists = players + w.players() * (w.num_triangles + Lane::extra_words);
	}
};

// load_leaf loads a leaf into the block's memory, lists its empty cells, and returns
// their number.
__device__ INLINED u32 load_leaf(const Work &w, const Block &b) {
	const u32 t = thread_in_block(), threads = threads_in_block();
	const u32 *const job = w.jobs + (u64)block_in_grid() * w.pitch;
	const u32 mine = t < w.pitch ? job[t] : 0; // early: a load from the host's memory takes long
	for (u32 i = t; i < 4 * w.num_triangles; i += threads)
		b.rows[i] = Row(w.board[i]);
	for (u32 i = t; i < 2 * w.num_triangles; i += threads)
		b.start[i] = w.root[i];
	for (u32 i = t; i < w.num_cells; i += threads)
		b.cells[i] = w.cells[i];
	for (u32 i = t; i < w.num_empty; i += threads)
		b.empty[i] = w.empty[i];
	for (u32 i = t; i < 8 * w.num_triangles; i += threads)
		b.counts[i] = 0;
	if (t == 0)
		*b.points = 0;
	if (t < job_head + w.num_cells)
		b.job[t] = mine;
	for (u32 i = t + threads; i < w.pitch && i < job_head + w.num_cells; i += threads)
		b.job[i] = job[i];
	sync_block();

	const u32 header = b.job[0], num_stones = header & 0xffff, *const stones = b.job + job_head;
	for (u32 i = t; i <= w.num_triangles; i += threads) {
		u32 there = 0;
		if (i < w.num_triangles && header & from_root)
			there = (b.start[i] & cell_bits) | (b.start[w.num_triangles + i] & cell_bits) << black_cells;
		for (u32 k = 0; k < num_stones; k++) {
			const u32 cell = stones[k] & (black_bit - 1);
			if (cell / 4 == i)
				there |= 1u << ((cell & 3) + (stones[k] & black_bit ? black_cells : 0));
		}
		b.stones[i] = there;
	}
	u16 *const list = (u16 *)b.list;
	u32 left = w.num_empty;
	for (u32 k = 0; k < num_stones; k++)
		left -= stones[k] >> 16 != no_index;
	for (u32 i = t; i < w.num_empty; i += threads) {
		u32 before = 0;
		bool free = true;
		for (u32 k = 0; k < num_stones; k++) {
			const u32 index = stones[k] >> 16;
			before += index < i;
			free &= index != i;
		}
		if (free)
			list[i - before] = b.empty[i];
	}
	if (t < 2)
		list[left + t] = 0; // padding
	sync_block();
	return left;
}

// prepare puts a leaf's stones. It is run by one warp.
__device__ INLINED void prepare(const Work &w, const Block &b, const Lane &own, u32 *of_warp) {
	const u32 lane = thread_in_block() % warp, header = b.job[0];
	for (u32 colour = 0; colour < 2; colour++) {
		const Lane other(of_warp + colour, w.num_triangles, false);
		for (u32 i = lane; i < w.num_triangles; i += warp)
			other.word(i) = header & from_root ? b.start[colour * w.num_triangles + i] : 0;
	}
	sync_warp();
	if (lane < 2)
		put_stones(own, b.rows, lane, header & 0xffff, [&](u32 i) { return b.job[job_head + i] & 0xffff; });
	sync_warp();
	for (u32 colour = 0; colour < 2; colour++) {
		const Lane other(of_warp + colour, w.num_triangles, false);
		for (u32 i = lane; i < w.num_triangles; i += warp)
			b.start[colour * w.num_triangles + i] = other.word(i);
	}
}

// allow_rings marks the cells where a ring counts: those with enough of a player's
// permanent stones beside them. It is run by some of the threads.
__device__ INLINED void allow_rings(const Work &w, const Block &b, u32 left, u32 thread, u32 threads) {
	for (u32 i = thread; i < left; i += threads) {
		const u32 cell = ((const u16 *)b.list)[i];
		Row row = b.rows[cell];
		u32 white[4], black[4];
		for (u32 k = 0; k < 4; k++) {
			white[k] = b.stones[row.offset(cell, k) / lane_pitch];
			black[k] = white[k] >> black_cells;
		}
		row.allow_ring(((u32)__builtin_popcount(circle(white, cell)) >= w.permanent ? 1 : 0) |
			((u32)__builtin_popcount(circle(black, cell)) >= w.permanent ? 2 : 0));
		b.playout_rows[cell] = row;
	}
}

// load_marks sets a lane's marks to those of the leaf.
__device__ INLINED void load_marks(const Lane &own, const u32 *marks, u32 num_triangles) {
	for (u32 i = 0; i < num_triangles; i += 4) {
		const words4 four = *(const Words *)(marks + i);
#pragma unroll
		for (u32 k = 0; k < 4; k++)
			own.word(i + k) = four[k];
	}
}

// head_start is how many plies are drawn before the first game begins.
constexpr u32 head_start = 8;

// draw draws the orders of a warp's games. It synchronises with the other threads once,
// after the first head_start plies.
__device__ INLINED void draw(const Block &b, const List &list, u32 *drawn, const Stream &s, bool active) {
	const bool publishes = thread_in_block() % warp == 0;
	if (publishes)
		store_release_block(drawn, 0);
	if (active)
		list.fill(b.list);
	const u32 n = list.n;
	u32 ply = 0;
#pragma unroll 1
	for (u32 part = 0; part < 2; part++) {
#pragma unroll 1
		for (const u32 to = part == 0 && head_start < n ? head_start : n; ply < to; ply += 8) {
			if (active)
				list.draw(ply, s);
			sync_warp();
			if (publishes)
				store_release_block(drawn, ply + 8);
		}
		if (part == 0)
			sync_block();
	}
}

// play plays one player's part of a game from the leaf. All threads of a warp call it,
// also those without a game.
__device__ INLINED void play(const Work &w, const Block &b, const Lane &own, u32 turn, const List &list,
		const u32 *drawn, bool active) {
	const u32 t = thread_in_block(), side = t & 1, left = list.n;
	u32 end = no_result;
	if (active && side < left) {
		const u32 colour_bit = 1 << (turn ^ side);
		u32 ready = load_acquire_block(drawn), cell = list.drawn(side), next = list.drawn(side + 2);
		u32 ply = side, ended = 0; // whether by the stone before: read late, so that nothing waits for it
		Row row = b.playout_rows[cell];
		for (bool over = false; ply < left && !over;) {
			while (ready < ply + 5 && ready < left)
				ready = load_acquire_block(drawn);
			const u32 until = ready < left ? ready - 4 : left;
			do {
				// The loads for the next stone are issued early.
				const Placement stone = {cell, row};
				const u32 other = atomic_load(&b.end_ply[t ^ 1]);
				row = b.playout_rows[cell = next];
				next = list.drawn(ply + 4);
				const u32 ends = put(own, b.rows, stone, colour_bit);
				over = ended || ply > other;
				if (over)
					break;
				ended = ends;
				ply += 2;
			} while (ply < until);
		}
		if (ended) {
			end = ply - 2;
			atomic_store(&b.end_ply[t], end);
		}
	}
	const u32 other = shuffle_xor(end, 1), last = end < other ? end : other;
	if (!active)
		return;
	const u32 points = last == no_result ? 1 : last % 2 ? 0 : 2; // of the player to move at the leaf
	const u32 length = last == no_result ? left : last + 1, mine = 1 | (side ? 2 - points : points) << 16;
	if (side == 0)
		atomic_add(b.points, points);
	u32 *const counts = b.counts + side * 4 * w.num_triangles;
#pragma unroll 4
	for (u32 ply = side; ply < length; ply += 2)
		atomic_add(&counts[list.drawn(ply)], mine);
}

__global__ LAUNCH_BOUNDS(384, 1) void havannah_leaves(u32 *results, u32 *done, const u32 *board, const u16 *cells,
		const u16 *empty, const u32 *root, const u32 *jobs, u32 pitch, u32 num_triangles, u32 num_cells, u32 num_empty,
		u64 seed, u32 games, u32 at_once, u32 permanent, u32 batch) {
	const Work w = {results, done, board, cells, empty, root, jobs, pitch, num_triangles, num_cells, num_empty,
		seed, games, at_once, permanent, batch};
	const u32 t = thread_in_block(), players = w.players();
	DYNAMIC_SHARED(u32, memory);
	const Block b(memory, w);

	const u32 left = load_leaf(w, b), turn = b.job[0] & turn_bit ? 1 : 0;
	const u64 first = (u64)b.job[2] << 32 | b.job[1];
	for (u32 round = 0; round < games; round += at_once) {
		const u32 slot = t < players ? t / 2 : t - players;
		const bool active = slot < at_once && round + slot < games;
		const List list(b.lists, left, slot);
		u32 *const drawn = b.drawn + slot / warp;
		if (t >= players) {
			draw(b, list, drawn, Stream{seed, first + round + slot, 0}, active);
		} else {
			u32 *const of_warp = b.players + t / warp * (warp * (num_triangles + Lane::extra_words));
			const Lane own(of_warp + t % warp, num_triangles);
			b.end_ply[t] = no_result;
			if (round == 0) {
				// The last warp puts stones while the others compute where rings count.
				const u32 permit_threads = players > warp ? players - warp : warp;
				if (t >= players - warp)
					prepare(w, b, own, of_warp);
				if (t < permit_threads)
					allow_rings(w, b, left, t, permit_threads);
			}
			sync_block();
			if (active)
				load_marks(own, b.start + (turn ^ (t & 1)) * num_triangles, num_triangles);
			play(w, b, own, turn, list, drawn, active);
		}
		sync_block();
	}
	u32 *const to = results + (u64)block_in_grid() * (1 + 2 * num_cells);
	if (t == 0)
		to[0] = *b.points;
	for (u32 i = t; i < num_cells; i += threads_in_block()) {
		to[1 + i] = b.counts[b.cells[i]];
		to[1 + num_cells + i] = b.counts[4 * num_triangles + b.cells[i]];
	}
	sync_block();
	if (t == 0)
		store_release_host(&done[block_in_grid()], batch);
}
