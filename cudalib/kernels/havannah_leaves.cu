// Random games of Havannah from leaves of a tree, and who put a stone where, as
// RAVE wants to know.
//
// There are few games, and what counts is how soon the longest is over. So a block
// plays those of a leaf, two threads a game, one for each player: stones of one
// player have nothing to do with those of the other, but that a game ends with the
// first that completes a structure. What only a few threads need to do, others do
// not wait for: the order of cells is drawn by the first warps while the last one
// puts the stones that lead to the leaf.
#include "havannah_lane.cuh"

using namespace havannah;

// A stone on the way from the root to a leaf has its cell in the lower half, with
// its colour on top, and in the upper half its place in the list of the cells
// that are empty at the root, or no_place.
constexpr u32 black_bit = 1 << 15, no_place = 0xffff;

// settle puts stones, as stone(i) says, each by the lane of its colour, lane 0 or 1.
template <class F> __device__ INLINED void settle(const Lane &own, const Row *rows, u32 colour, u32 num_stones, F stone) {
	for (u32 i = 0; i < num_stones; i++) {
		while (i < num_stones && (stone(i) & black_bit ? 1u : 0u) != colour)
			i++;
		if (i < num_stones)
			put(own, rows, Put{stone(i) & (black_bit - 1), rows[stone(i) & (black_bit - 1)]}, 0);
	}
}

// havannah_root puts some stones, cells with black_bit, on the empty board and
// leaves the marks, first white's. One warp does it.
__global__ void havannah_root(u32 *marks, const u32 *board, const u16 *stones, u32 num_stones, u32 room) {
	DYNAMIC_SHARED(u32, memory);
	Row *const rows = (Row *)memory;
	const u32 t = thread_in_block();
	const Lane own(memory + 8 * room + t, room);
	for (u32 i = t; i < 4 * room; i += threads_in_block())
		rows[i] = Row(board[i]);
	for (u32 i = 0; i < room; i++)
		own.word(i) = 0;
	sync_block();
	if (t < 2) {
		settle(own, rows, t, num_stones, [&](u32 i) { return (u32)stones[i]; });
		for (u32 i = 0; i < room; i++)
			marks[t * room + i] = own.word(i);
	}
}

// What a launch is about.
struct Work {
	u32 *results;        // of each leaf: twice the points of who is to move, then counts of that player, then of the other
	u32 *done;           // of each leaf: set to number when its results are there
	const u32 *board;    // its rows by cell, see havannah.cuh
	const u16 *cells;    // by number
	const u16 *empty;    // cells at the root, in the order of their numbers
	const u32 *root;     // marks
	const u32 *jobs;     // of each leaf: about it, number of its first game in two words; then the stones
	u32 pitch;           // words from a leaf's to the next one's
	u32 room, num_cells, num_empty;
	u64 seed;
	u32 games, permanent, replies, number;
};

constexpr u32 job_head = 3;

// About a leaf there is how many stones it has, who is to move, whether the root's
// stones are there, and the cell of the last stone or what is no cell.
constexpr u32 turn_bit = 1 << 16, from_root = 1 << 17, last_shift = 18, no_last = 0xffffffff >> last_shift;

// Block is what the threads of a block share.
struct Block {
	Row *rows;                // of its cells
	u32 *start;               // marks of the leaf
	u32 *list, *stones;       // its empty cells, two a word, and where stones are, see List
	u32 *counts, *points;     // two for each cell: games in which a player took it, and above those twice what they were worth
	u32 *job, *taken, *ends;  // words of the leaf; bits for places; of each thread, the ply in which its player's stone ended the game
	u16 *cells;               // by number
	u32 *lanes, *lists;       // memory of lanes, and of those that draw

	// places is how many words have a bit for each place.
	__device__ INLINED static u32 places(u32 num_cells) { return num_cells / (4 * warp) * 4 + 4; }

	__device__ INLINED Block(u32 *memory, const Work &w, u32 threads) {
		rows = (Row *)memory;
		start = memory + 8 * w.room;
		list = start + 2 * w.room;
		stones = list + 2 * w.room;
		counts = stones + w.room + 4;
		points = counts + 8 * w.room;
		taken = points + 4;
		ends = taken + places(w.num_cells);
		job = ends + threads;
		cells = (u16 *)(job + (job_head + w.num_cells + 3) / 4 * 4);
		lanes = job + (job_head + w.num_cells + 3) / 4 * 4 + (w.num_cells + 7) / 8 * 4;
		lists = lanes + threads * (w.room + Lane::more);
	}
};

// collect brings what is known of a leaf to the block's memory, and lists its
// empty cells. It returns how many there are.
__device__ INLINED u32 collect(const Work &w, const Block &b) {
	const u32 t = thread_in_block(), threads = threads_in_block();
	const u32 *const job = w.jobs + (u64)block_in_grid() * w.pitch;
	for (u32 i = t; i < w.pitch && i < job_head + w.num_cells; i += threads)
		b.job[i] = job[i];
	for (u32 i = t; i < 8 * w.room; i += threads)
		b.counts[i] = 0;
	for (u32 i = t; i < 4 * w.room; i += threads)
		b.rows[i] = Row(w.board[i]);
	for (u32 i = t; i < w.num_cells; i += threads)
		b.cells[i] = w.cells[i];
	for (u32 i = t; i < Block::places(w.num_cells); i += threads)
		b.taken[i] = 0;
	if (t == 0)
		*b.points = 0;
	sync_block();
	const u32 num_stones = b.job[0] & 0xffff;
	for (u32 i = t; i <= w.room; i += threads)
		b.stones[i] = i < w.room && b.job[0] & from_root ? (w.root[i] & cells_bits) | (w.root[w.room + i] & cells_bits) << black_cells : 0;
	sync_block();
	for (u32 i = t; i < num_stones; i += threads) {
		const u32 stone = b.job[job_head + i], place = stone >> 16, cell = stone & (black_bit - 1);
		atomic_or(&b.stones[cell / 4], 1u << ((cell & 3) + (stone & black_bit ? black_cells : 0)));
		if (place != no_place)
			atomic_or(&b.taken[place / warp], 1u << place % warp);
	}
	sync_block();
	u16 *const list = (u16 *)b.list;
	for (u32 i = t; i < w.num_empty; i += threads) {
		u32 before = __builtin_popcount(b.taken[i / warp] & ((1u << i % warp) - 1));
		for (u32 k = 0; k < i / warp; k++)
			before += __builtin_popcount(b.taken[k]);
		if (!(b.taken[i / warp] >> i % warp & 1))
			list[i - before] = w.empty[i];
	}
	u32 all = 0;
	for (u32 k = 0; k <= w.num_empty / warp; k++)
		all += __builtin_popcount(b.taken[k]);
	if (t == 0)
		list[w.num_empty - all] = list[w.num_empty - all + 1] = 0; // there is room
	sync_block();
	return w.num_empty - all;
}

// prepare puts a leaf's stones. A warp comes here.
__device__ INLINED void prepare(const Work &w, const Block &b, const Lane &own, u32 *of_warp) {
	const u32 lane = thread_in_block() % warp, about = b.job[0];
	for (u32 colour = 0; colour < 2; colour++) {
		const Lane other(of_warp + colour, w.room, false);
		for (u32 i = lane; i < w.room; i += warp)
			other.word(i) = about & from_root ? w.root[colour * w.room + i] : 0;
	}
	sync_warp();
	if (lane < 2)
		settle(own, b.rows, lane, about & 0xffff, [&](u32 i) { return b.job[job_head + i] & 0xffff; });
	sync_warp();
	for (u32 colour = 0; colour < 2; colour++) {
		const Lane other(of_warp + colour, w.room, false);
		for (u32 i = lane; i < w.room; i += warp)
			b.start[colour * w.room + i] = other.word(i);
	}
}

// permit marks the cells where a ring counts: which have so many of a player's stones
// beside them.
__device__ INLINED void permit(const Work &w, const Block &b, u32 left) {
	for (u32 i = thread_in_block(); i < left; i += threads_in_block()) {
		const u32 cell = ((const u16 *)b.list)[i];
		Row &row = b.rows[cell];
		u32 permitted = 0;
		for (u32 colour = 0; colour < 2; colour++) {
			const u32 *const start = b.start + colour * w.room;
			u32 marks[4];
			for (u32 k = 0; k < 4; k++) {
				const u32 triangle = row.offset(cell, k) / lane_pitch;
				marks[k] = triangle < w.room ? start[triangle] : 0;
			}
			if ((u32)__builtin_popcount(circle(marks, cell)) >= w.permanent)
				permitted |= 1 << colour;
		}
		row.permit(permitted);
	}
}

// play plays the games of a block, from the leaf.
__device__ INLINED void play(const Work &w, const Block &b, const Lane &own, u32 turn, u32 left, u32 game, bool plays) {
	const u32 t = thread_in_block(), side = t & 1;
	u32 end = no_end;
	b.ends[t] = no_end;
	if (plays) {
		const u32 *const marks = b.start + (turn ^ side) * w.room;
		for (u32 i = 0; i < w.room; i += 4) {
			const words4 four = *(const Words *)(marks + i);
#pragma unroll
			for (u32 k = 0; k < 4; k++)
				own.word(i + k) = four[k];
		}
	}
	const List list(b.lists, left, w.room, game);
	sync_warp();
	if (plays && side < left) {
		const u32 permit = 1 << (turn ^ side);
		u32 next = list.drawn(side);
		Row row = b.rows[next];
		for (u32 ply = side;;) {
			const Put stone = {next, row};
			const u32 other = atomic_load(&b.ends[t ^ 1]);
			next = list.drawn(ply + 2);
			row = b.rows[next];
			if (put(own, b.rows, stone, permit)) {
				end = ply;
				atomic_store(&b.ends[t], ply);
				break;
			}
			ply += 2;
			if (ply >= left || ply > other)
				break;
		}
	}
	const u32 other = shuffle_xor(end, 1), last = end < other ? end : other;
	if (!plays)
		return;
	const u32 points = last == no_end ? 1 : last % 2 ? 0 : 2; // of who is to move at the leaf
	const u32 length = last == no_end ? left : last + 1, mine = 1 | (side ? 2 - points : points) << 16;
	if (side == 0)
		atomic_add(b.points, points);
	u32 *const counts = b.counts + side * 4 * w.room;
#pragma unroll 4
	for (u32 ply = side; ply < length; ply += 2)
		atomic_add(&counts[list.drawn(ply)], mine);
}

__global__ LAUNCH_BOUNDS(512, 1) void havannah_leaves(u32 *results, u32 *done, const u32 *board, const u16 *cells, const u16 *empty, const u32 *root,
	const u32 *jobs, u32 pitch, u32 room, u32 num_cells, u32 num_empty, u64 seed, u32 games, u32 permanent, u32 replies, u32 number) {
	const Work w = {results, done, board, cells, empty, root, jobs, pitch, room, num_cells, num_empty, seed, games, permanent, replies, number};
	const u32 t = thread_in_block(), threads = threads_in_block();
	DYNAMIC_SHARED(u32, memory);
	const Block b(memory, w, threads);
	u32 *const of_warp = b.lanes + t / warp * (warp * (room + Lane::more));
	const Lane own(of_warp + t % warp, room);

	const u32 left = collect(w, b), turn = b.job[0] & turn_bit ? 1 : 0, last = b.job[0] >> last_shift;
	const u64 first = (u64)b.job[2] << 32 | b.job[1];
	const u32 together = threads / 2;
	for (u32 round = 0; round < games; round += together) {
		if (t < together && round + t < games) {
			Drawer drawer = {List(b.lists, left, room, t), b.rows, replies != 0, last == no_last ? no_cell : last, turn};
			drawer.fill(b.list, b.stones);
			for (u32 ply = 0; ply < left; ply += 8)
				drawer.draw(ply, Stream{seed, first + round + t, 0});
		}
		if (round == 0) {
			if (t / warp == threads / warp - 1)
				prepare(w, b, own, of_warp);
			sync_block();
			permit(w, b, left);
		}
		sync_block();
		play(w, b, own, turn, left, t / 2, round + t / 2 < games);
		sync_block();
	}
	u32 *const to = results + (u64)block_in_grid() * (1 + 2 * num_cells);
	if (t == 0)
		to[0] = *b.points;
	for (u32 i = t; i < num_cells; i += threads) {
		to[1 + i] = b.counts[b.cells[i]];
		to[1 + num_cells + i] = b.counts[4 * room + b.cells[i]];
	}
	sync_block();
	if (t == 0)
		tell_host(&done[block_in_grid()], number);
}
