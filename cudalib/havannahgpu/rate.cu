// Random games of Havannah after moves of one position. A thread plays a game at
// a time (board.cuh); a warp plays a part of the games after one move, and
// then another part. Warps are independent of each other.
#include "board.cuh"

using namespace havannah;

// Work is the input and the output of a launch.
struct Work {
	u64 *counts;         // of each move: wins, losses, draws, plies, ends by structures
	words4 *orders;      // an order of cells for each thread
	const u32 *board;    // its rows by cell, see board.cuh
	const u16 *position; // stones as cell and colour, then empty cells in the order of their numbers
	const u32 *moves;    // of each: its index in the list of empty cells, its number for the stream
	u32 num_triangles;   // of the board, rounded up to a multiple of four
	u32 num_cells, num_stones, num_moves, turn;
	u64 seed, first, n;  // playouts of each move
	u32 part;            // playouts of a thread before the warp turns to other ones
};

constexpr u32 num_counts = 12, counts_stride = 16;
enum { wins, losses, draws, plies, ends };
constexpr u32 black_stone = 1 << 15;

// count counts games of a move that ended with stone number `length`.
__device__ INLINED void count(u32 *counts, u32 length, u32 won, u32 games) {
	atomic_add(&counts[!won ? draws : length % 2 ? wins : losses], games);
	atomic_add(&counts[plies], length * games);
	atomic_add(&counts[ends + won], games);
}

// Lane is a thread, and its part of the warp's memory.
struct Lane {
	u32 index, lanes;
	u32 *start, *list, *counts; // the position after the move, cells that are empty then, results
	Memory memory;
	words4 *order;              // of cells, eight in each element
	u64 stride;                 // from one element to the next
};

// play plays games of a move. Their numbers, from `first` on, go to the lanes in turn. A
// lane whose game is over waits for the others, on side 10 for a quarter of the time.
// Starting its next game instead was no faster, because then some lane always has a
// stone with many neighbours.
template <bool compress>
__device__ INLINED void play(const Work &w, const Lane &l, const u32 *board, u32 left,
		u32 number, u64 first, u32 games) {
	for (u32 round = 0; round < games; round += l.lanes) {
		const u32 game = round + l.index;
		sync_warp();
		if (game >= games)
			continue;
		copy(l.memory, l.list, list_words(left));
		draw(l.memory, left, Stream{w.seed, first + game, number}, l.order, l.stride);
		copy(l.memory, l.start, w.num_triangles);

		const words4 *order = l.order;
		words4 eight = *order;
		u32 ply = 0;
		while (true) {
			const u32 two = eight[0];
			const Outcomes outcomes = put_both<compress>(l.memory, board, w.turn ^ 1, two & 0xffff, two >> 16);
			ply += 2;
			if (ply >= left || outcomes.first.ends() || outcomes.second.ends()) {
				const bool by_first = ply > left || outcomes.first.ends();
				count(l.counts, by_first ? ply : 1 + ply, (by_first ? outcomes.first : outcomes.second).structures(),
					1);
				break;
			}
			eight = words4{eight[1], eight[2], eight[3], 0};
			if (ply % 8 == 0) {
				order += l.stride;
				eight = *order;
			}
		}
	}
}

template <bool compress> __device__ INLINED void rate(const Work &w) {
	const u32 t = thread_in_block(), threads = threads_in_block(), num_triangles = w.num_triangles;
	DYNAMIC_SHARED(u32, board);
	u32 *const base = board + 4 * num_triangles; // the position
	u32 *const of_warp = base + num_triangles +
		t / warp * (2 * num_triangles + counts_stride + warp * (num_triangles + 1));
	const Lane l = {
		t % warp, threads < warp ? threads : warp,
		of_warp, of_warp + num_triangles, of_warp + 2 * num_triangles,
		Memory{of_warp + 2 * num_triangles + counts_stride + t % warp},
		w.orders + thread_in_grid(), threads_in_grid(),
	};
	const u16 *const empty = w.position + w.num_stones;
	const u32 num_empty = w.num_cells - w.num_stones;

	for (u32 i = t; i < 4 * num_triangles; i += threads)
		board[i] = w.board[i];
	for (u32 i = 0; i <= num_triangles; i++) // the last is off the board and stays empty
		l.memory.word(i) = 0;
	sync_block();
	if (t == 0) {
		for (u32 i = 0; i < w.num_stones; i++)
			put<compress>(l.memory, board, w.position[i] & black_stone ? 1 : 0, w.position[i] & ~black_stone);
		for (u32 i = 0; i < num_triangles; i++)
			base[i] = l.memory.word(i);
	}
	sync_block();

	const u64 part_games = (u64)l.lanes * w.part, parts = (w.n - 1) / part_games + 1;
	const u32 warps = (threads + warp - 1) / warp;
	// Blocks take the first parts in turn, so that few parts are spread over all.
	for (u64 job = (u64)(t / warp) * blocks_in_grid() + block_in_grid(); job < parts * w.num_moves;
			job += (u64)blocks_in_grid() * warps) {
		const u64 move = job / parts, from = job % parts * part_games;
		const u32 games = (u32)(w.n - from < part_games ? w.n - from : part_games);
		const u32 chosen = w.moves[2 * move]; // num_empty for none
		const u32 left = chosen < num_empty ? num_empty - 1 : num_empty;
		u32 won = none;
		copy(l.memory, base, num_triangles);
		if (chosen < num_empty)
			won = put<compress>(l.memory, board, w.turn, empty[chosen]);
		sync_warp();
		for (u32 i = l.index; i < num_triangles; i += l.lanes) {
			u32 packed = 0;
			for (u32 k = 0; k < 3; k++) {
				const u32 e = 3 * i + k;
				if (e < left)
					packed |= (u32)empty[e < chosen ? e : e + 1] << k * element_width;
			}
			l.list[i] = packed;
		}
		for (u32 i = l.index; i < num_counts; i += l.lanes)
			l.counts[i] = 0;
		if (l.index == 0)
			for (u32 i = 0; i < num_triangles; i++)
				l.start[i] = l.memory.word(i);
		sync_warp();
		if (!won && left > 0)
			play<compress>(w, l, board, left, w.moves[2 * move + 1], w.first + from, games);
		else if (l.index == 0)
			count(l.counts, 1, won, games);
		sync_warp();
		for (u32 i = l.index; i < num_counts; i += l.lanes)
			if (l.counts[i])
				atomic_add(&w.counts[num_counts * move + i], (u64)l.counts[i]);
		sync_warp();
	}
}

__global__ LAUNCH_BOUNDS(512, 1) void havannah_rate(u64 *counts, words4 *orders, const u32 *board, const u16 *position,
		const u32 *moves, u32 num_triangles, u32 num_cells, u32 num_stones, u32 num_moves, u32 turn, u64 seed,
		u64 first, u64 n, u32 part, u32 compress) {
	const Work w = {counts, orders, board, position, moves, num_triangles, num_cells, num_stones,
		num_moves, turn, seed, first, n, part};
	if (compress)
		rate<true>(w);
	else
		rate<false>(w);
}
