// Random games of Havannah after moves of one position. A thread plays a game at
// a time (havannah.cuh); a block plays a part of the games after one move, and
// then another part.
#include "havannah.cuh"

using namespace havannah;

// What a launch is about.
struct Work {
	u64 *counts;          // of each move: wins, losses, draws, plies, ends by structures
	u16 *orders;          // room for an order of cells a thread
	const Cell *cells;    // of the board, with number 0
	const u16 *position;  // places of stones with their colours, then of empty cells
	const u32 *moves;     // of each: its place in the list of empty cells, its number for the stream
	u32 num_cells, num_stones, num_moves, turn;
	u64 seed, first, n;   // playouts of each move
	u32 part;             // playouts of a thread before the block turns to other ones
};

constexpr u32 num_counts = 12;
enum { wins, losses, draws, plies, ends };

// count counts games of a move that ended with the stone number `length`.
__device__ inline void count(u32 *counts, u32 length, u32 won, u32 games) {
	atomic_add(&counts[!won ? draws : length % 2 ? wins : losses], games);
	atomic_add(&counts[plies], length * games);
	atomic_add(&counts[ends + won], games);
}

template <bool compress> __device__ inline void rate(const Work &w) {
	const u32 t = thread_in_block(), threads = threads_in_block();
	const u32 words = (w.num_cells + 2) / 2; // of the cells and number 0
	DYNAMIC_SHARED(Cell, cells);
	Word *const base = (Word *)(cells + w.num_cells + 1); // the position
	Word *const start = base + words;                     // and after the move
	Word *const list = start + words;                     // cells that are empty then
	u32 *const counts = (u32 *)(list + words);
	Word *const memory = (Word *)(counts + num_counts);
	const Memory mine(memory, words, t), firsts(memory, words, 0);
	const u32 num_empty = w.num_cells - w.num_stones;
	u16 *const order = w.orders + thread_in_grid();

	for (u32 i = t; i <= w.num_cells; i += threads)
		cells[i] = w.cells[i];
	for (u32 i = t; i < words; i += threads)
		firsts.word(i) = 0;
	sync_block();
	if (t == 0)
		for (u32 i = 0; i < w.num_stones; i++)
			put<compress>(firsts, cells, w.position[i] & place_bits, w.position[i] & ~place_bits);
	sync_block();
	for (u32 i = t; i < words; i += threads)
		base[i] = firsts.word(i);

	const u64 parts = (w.n - 1) / ((u64)threads * w.part) + 1;
	for (u64 job = block_in_grid(); job < parts * w.num_moves; job += blocks_in_grid()) {
		const u32 move = (u32)(job / parts);
		const u64 from = job % parts * threads * w.part;
		const u32 games = (u32)(w.n - from < (u64)threads * w.part ? w.n - from : (u64)threads * w.part);
		const u32 chosen = w.moves[2 * move]; // num_empty for none
		const u32 left = chosen < num_empty ? num_empty - 1 : num_empty;
		const u16 *const empty = w.position + w.num_stones;
		sync_block();
		for (u32 i = t; i < words; i += threads)
			firsts.word(i) = base[i];
		for (u32 i = t; i < left; i += threads)
			((u16 *)list)[i] = empty[i < chosen ? i : i + 1];
		for (u32 i = t; i < num_counts; i += threads)
			counts[i] = 0;
		sync_block();
		u32 over = none;
		if (t == 0 && chosen < num_empty) {
			over = put<compress>(firsts, cells, empty[chosen], w.turn ? black : white);
			if (over)
				count(counts, 1, over, games);
		}
		sync_block();
		for (u32 i = t; i < words; i += threads)
			start[i] = firsts.word(i);
		const bool ended = counts[plies] != 0;
		sync_block();

		for (u32 game = ended ? games : t; game < games; game += threads) {
			for (u32 i = 0; i < words; i++)
				mine.word(i) = list[i];
			draw(mine, left, Stream{w.seed, w.first + from + game, w.moves[2 * move + 1]}, order, threads_in_grid());
			for (u32 i = 0; i < words; i++)
				mine.word(i) = start[i];
			u32 ply = 0, won = none, next = order[0];
			while (ply < left && !won) {
				const u32 place = next;
				ply++;
				next = order[(u64)(ply < left ? ply : 0) * threads_in_grid()];
				won = put<compress>(mine, cells, place, (w.turn + ply) % 2 ? black : white);
			}
			count(counts, 1 + ply, won, 1);
		}
		sync_block();
		for (u32 i = t; i < num_counts; i += threads)
			if (counts[i])
				atomic_add(&w.counts[num_counts * (u64)move + i], (u64)counts[i]);
	}
}

__global__ void havannah_rate(u64 *counts, u16 *orders, const Cell *cells, const u16 *position, const u32 *moves, u32 num_cells,
	u32 num_stones, u32 num_moves, u32 turn, u64 seed, u64 first, u64 n, u32 part, u32 compress) {
	const Work w = {counts, orders, cells, position, moves, num_cells, num_stones, num_moves, turn, seed, first, n, part};
	if (compress)
		rate<true>(w);
	else
		rate<false>(w);
}
