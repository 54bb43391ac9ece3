// Minimax for Nim in the four ways of F. Fiorella, Parallel MinMax for Nim
// (Politecnico di Torino), and two more. nim.cuh has the searches of a single
// thread.
//
// Versions 1 to 4 give each move of the root to a block and each reply to a
// thread, which searches it by alpha-beta. A value at the limit of the depth is
// unknown, where the original has only won and lost; it takes a bit more.
#include "nim.cuh"

using namespace nim;

// Counts are the work of a search. Global and shared are loads and stores of threads.
struct Counts {
	u64 nodes, global, shared;

	__device__ void add_to(u64 *counts) const {
		atomic_add(&counts[0], nodes);
		atomic_add(&counts[1], global);
		atomic_add(&counts[2], shared);
	}
};

constexpr u32 max_heaps = 16;
constexpr u32 max_moves = 240;

template <class T> __device__ inline T load(const T &from, u64 &count) {
	count++;
	return from;
}

template <class T> __device__ inline void store(T &to, T value, u64 &count) {
	count++;
	to = value;
}

// Version 1: arrays of structs, as a program for one core has them. The stack of
// a thread is in global memory.

struct Nimply {
	int row, num;
};

struct Entry {
	int rows[max_heaps];
	int alpha, beta, best;
	Nimply move; // made last
};

__device__ inline void open(Entry &e, int alpha, int beta, u64 &global) {
	store(e.alpha, alpha, global);
	store(e.beta, beta, global);
	store(e.best, -infinite, global);
	store(e.move.row, 0, global);
	store(e.move.num, 0, global);
}

// minimax returns the value of the position in the first entry of a stack. It has
// sticks, and depth is at least 1.
__device__ inline int minimax(Entry *stack, int heaps, int depth, Rules r, Counts &c) {
	open(stack[0], -infinite, infinite, c.global);
	for (int at = 0;;) {
		Entry &e = stack[at];
		int row = load(e.move.row, c.global), num = load(e.move.num, c.global) + 1;
		const int alpha = load(e.alpha, c.global), beta = load(e.beta, c.global), best = load(e.best, c.global);
		while (row < heaps && (num > (int)r.limit || num > load(e.rows[row], c.global)))
			row++, num = 1;
		int value;
		if (alpha >= beta || row == heaps) {
			if (at == 0)
				return best;
			at--;
			value = -best;
		} else {
			c.nodes++;
			store(e.move.row, row, c.global);
			store(e.move.num, num, c.global);
			Entry &child = stack[at + 1];
			bool empty = true;
			for (int i = 0; i < heaps; i++) {
				const int sticks = load(e.rows[i], c.global) - (i == row ? num : 0);
				store(child.rows[i], sticks, c.global);
				empty = empty && sticks == 0;
			}
			if (!empty && at + 1 < depth) {
				open(child, -beta, -alpha, c.global);
				at++;
				continue;
			}
			value = empty ? -terminal_value(r) : 0;
		}
		Entry &parent = stack[at];
		if (value > load(parent.best, c.global)) {
			store(parent.best, value, c.global);
			if (value > load(parent.alpha, c.global))
				store(parent.alpha, value, c.global);
		}
	}
}

__global__ void nim_v1(int *results, u64 *counts, const int *board, const Nimply *moves, Entry *stacks, u32 heaps,
		u32 depth, u32 limit, u32 misere) {
	SHARED(int, rows, max_heaps);
	SHARED(Nimply, replies, max_moves);
	SHARED(int, values, max_moves);
	SHARED(u32, num_replies, 1);
	const Rules r = {limit, misere};
	const u32 t = thread_in_block();
	Counts c = {};
	if (t == 0) {
		const Nimply m = load(moves[block_in_grid()], c.global);
		u32 n = 0;
		for (u32 i = 0; i < heaps; i++) {
			const int sticks = load(board[i], c.global) - ((int)i == m.row ? m.num : 0);
			store(rows[i], sticks, c.shared);
			for (int num = 1; num <= sticks && num <= (int)limit && depth > 1; num++)
				store(replies[n++], Nimply{(int)i, num}, c.shared);
		}
		store(num_replies[0], n, c.shared);
		c.nodes = 1;
	}
	sync_block();
	const u32 n = load(num_replies[0], c.shared);
	if (t < n) {
		Entry *const stack = stacks + thread_in_grid() * (depth - 1);
		const Nimply m = load(replies[t], c.shared);
		bool empty = true;
		for (u32 i = 0; i < heaps; i++) {
			const int sticks = load(rows[i], c.shared) - ((int)i == m.row ? m.num : 0);
			store(stack[0].rows[i], sticks, c.global);
			empty = empty && sticks == 0;
		}
		c.nodes++;
		store(values[t], empty ? terminal_value(r) : depth == 2 ? 0 : minimax(stack, heaps, depth - 2, r, c), c.shared);
	}
	sync_block();
	if (t == 0) {
		// The lowest value is the best for the player who replies. (The code does not take
		// the maximum of the negatives: NVIDIA's compiler for Hopper, of CUDA 13.0, makes
		// one instruction of two such maxima and drops a sign.)
		int lowest = infinite;
		for (u32 i = 0; i < n; i++) {
			const int value = load(values[i], c.shared);
			lowest = value < lowest ? value : lowest;
		}
		int best = -lowest;
		if (n == 0) {
			bool empty = true;
			for (u32 i = 0; i < heaps; i++)
				empty = empty && load(rows[i], c.shared) == 0;
			best = empty ? terminal_value(r) : 0;
		}
		store(results[block_in_grid()], best, c.global);
	}
	c.add_to(counts);
}

// Versions 2 and 4: the same with a board in a register and moves in a byte. The
// value of a block's position is known to its first thread.
template <class Board> __device__ inline int replies(Board h, u32 depth, Rules r, Counts &c) {
	SHARED(u8, moves_made, max_moves);
	SHARED(u8, values, max_moves);
	SHARED(u32, num_replies, 1);
	const u32 t = thread_in_block();
	if (t == 0) {
		u32 n = 0;
		for (Move m = {0, 0}; depth > 1 && h && next(h, r, m);)
			store(moves_made[n++], (u8)m.byte(), c.shared);
		store(num_replies[0], n, c.shared);
		c.nodes++;
	}
	sync_block();
	const u32 n = load(num_replies[0], c.shared);
	if (t < n) {
		c.nodes++;
		const Board child = after(h, move_of(load(moves_made[t], c.shared)));
		store(values[t], (u8)(search(child, depth - 2, r, c.nodes) + 1), c.shared);
	}
	sync_block();
	int best = n > 0 ? -infinite : h ? 0 : terminal_value(r);
	if (t == 0)
		for (u32 i = 0; i < n; i++) {
			const int value = 1 - (int)load(values[i], c.shared);
			best = value > best ? value : best;
		}
	return best;
}

template <class Board>
__device__ inline void v2(int *results, u64 *counts, Board h, const u8 *moves_made, u32 depth, Rules r) {
	Counts c = {};
	const Board child = after(h, move_of(load(moves_made[block_in_grid()], c.global)));
	const int value = replies(child, depth, r, c);
	if (thread_in_block() == 0)
		store(results[block_in_grid()], value, c.global);
	c.add_to(counts);
}

__global__ void nim_v2(int *results, u64 *counts, u32 h, const u8 *moves, u32 depth, u32 limit, u32 misere) {
	v2(results, counts, h, moves, depth, Rules{limit, misere});
}

__global__ void nim_v2_wide(int *results, u64 *counts, u64 h, const u8 *moves, u32 depth, u32 limit, u32 misere) {
	v2(results, counts, h, moves, depth, Rules{limit, misere});
}

// Version 3: one more level in shared memory. A thread has a reply and the move
// after it, or several where there are more than threads.
template <class Board> __device__ inline void v3(int *results, u64 *counts, Board h, const u8 *moves_made,
		u32 depth, u32 move_stride, Rules r) {
	DYNAMIC_SHARED(u8, values); // of each reply, those of the moves after it
	SHARED(u8, best_of, max_moves);
	const u32 t = thread_in_block(), threads = threads_in_block();
	Counts c = {};
	const Board child = after(h, move_of(load(moves_made[block_in_grid()], c.global)));
	const u32 n = depth > 1 ? moves(child, r) : 0;
	for (u32 i = t; i < n * move_stride; i += threads) {
		const Board second = after(child, move(child, r, i / move_stride));
		const Move m = depth > 2 ? move(second, r, i % move_stride) : Move{0, 0};
		if (m.take == 0)
			continue;
		c.nodes++;
		store(values[i], (u8)(search(after(second, m), depth - 3, r, c.nodes) + 1), c.shared);
	}
	sync_block();
	for (u32 i = t; i < n; i += threads) {
		c.nodes++;
		const Board second = after(child, move(child, r, i));
		const u32 after_it = depth > 2 ? moves(second, r) : 0;
		int best = after_it > 0 ? -infinite : second ? 0 : terminal_value(r);
		for (u32 k = 0; k < after_it; k++) {
			const int value = 1 - (int)load(values[i * move_stride + k], c.shared);
			best = value > best ? value : best;
		}
		store(best_of[i], (u8)(best + 1), c.shared);
	}
	sync_block();
	if (t == 0) {
		c.nodes++;
		int best = n > 0 ? -infinite : child ? 0 : terminal_value(r);
		for (u32 i = 0; i < n; i++) {
			const int value = 1 - (int)load(best_of[i], c.shared);
			best = value > best ? value : best;
		}
		store(results[block_in_grid()], best, c.global);
	}
	c.add_to(counts);
}

__global__ void nim_v3(int *results, u64 *counts, u32 h, const u8 *moves, u32 depth,
		u32 move_stride, u32 limit, u32 misere) {
	v3(results, counts, h, moves, depth, move_stride, Rules{limit, misere});
}

__global__ void nim_v3_wide(int *results, u64 *counts, u64 h, const u8 *moves, u32 depth,
		u32 move_stride, u32 limit, u32 misere) {
	v3(results, counts, h, moves, depth, move_stride, Rules{limit, misere});
}

// Version 4: the blocks make their moves themselves, and agree on the best one:
// the largest word of value, index (the first move has the largest) and move.
template <class Board> __device__ inline void v4(u32 *answer, u64 *counts, Board h, u32 depth, Rules r) {
	Counts c = {};
	const Move m = move(h, r, block_in_grid());
	const int value = -replies(after(h, m), depth, r, c);
	if (thread_in_block() == 0) {
		atomic_max(answer, (u32)(value + 1) << 16 | (0xff - block_in_grid()) << 8 | m.byte());
		c.global++;
	}
	c.add_to(counts);
}

__global__ void nim_v4(u32 *answer, u64 *counts, u32 h, u32 depth, u32 limit, u32 misere) {
	v4(answer, counts, h, depth, Rules{limit, misere});
}

__global__ void nim_v4_wide(u32 *answer, u64 *counts, u64 h, u32 depth, u32 limit, u32 misere) {
	v4(answer, counts, h, depth, Rules{limit, misere});
}

// Version 5 answers queries: which moves force a win within a depth? A work item is a
// query and moves of the first three plies; a move may be none. A launch tries the
// replies from .. to-1. A bit in `won` records that a reply fails: max_moves bits for
// each query and first move.
constexpr u32 won_words = (max_moves + 31) / 32;

// holds reports whether none of the first replies refutes a move.
__device__ inline bool holds(const u32 *won, u32 replies) {
	for (u32 word = 0; replies > 0; word++) {
		const u32 n = replies < 32 ? replies : 32;
		const u32 all = n == 32 ? ~0u : (1u << n) - 1;
		if ((atomic_load(&won[word]) & all) != all)
			return false;
		replies -= n;
	}
	return true;
}

// lost reports whether the player to move loses within a depth, whatever the move.
// The moves of the second ply are distributed to the block's threads, all of which
// call it. They give up when the bit of `word` is set.
template <class Board>
__device__ inline bool lost(Board h, u32 depth, Rules r, const u32 *word, u32 bit, u32 *flags, u64 &nodes) {
	if (h == 0 || depth == 0)
		return forced(h, depth, false, r, nodes);
	const u32 t = thread_in_block();
	bool all = true;
	for (Move m = {0, 0}; all && next(h, r, m);) {
		const Board child = after(h, m);
		if (t == 0) {
			flags[0] = 0;
			flags[1] = atomic_load(word) & bit;
			nodes++;
		}
		sync_block();
		if (flags[1])
			return true;
		if (child == 0 || depth == 1) {
			all = forced(child, depth - 1, true, r, nodes);
		} else {
			const u32 n = moves(child, r);
			for (u32 i = t; i < n && !atomic_load(&flags[0]); i += threads_in_block()) {
				nodes++;
				if (forced(after(child, move(child, r, i)), depth - 2, false, r, nodes))
					atomic_or(&flags[0], 1);
			}
			sync_block();
			all = flags[0] != 0;
		}
		sync_block(); // before the flags are written again
	}
	return all;
}

template <class Board> __device__ inline void v5(u32 *won, u64 *counts, const u64 *boards, const u32 *depths,
		u32 queries, u32 move_stride, u32 from, u32 to, Rules r) {
	SHARED(u32, flags, 2);
	SHARED(u32, skip, 1);
	SHARED(u64, visited, 1);
	const u32 t = thread_in_block();
	u64 nodes = 0;
	if (t == 0)
		visited[0] = 0;
	const u64 items = (u64)queries * (to - from) * move_stride * move_stride;
	for (u64 item = block_in_grid(); item < items; item += blocks_in_grid()) {
		u64 i = item;
		const u32 third_index = (u32)(i % move_stride);
		i /= move_stride;
		const u32 first_index = (u32)(i % move_stride);
		i /= move_stride;
		const u32 second_index = from + (u32)(i % (to - from)), query = (u32)(i / (to - from));
		u32 *const bits = won + ((u64)query * move_stride + first_index) * won_words,
			*const word = &bits[second_index / 32], bit = 1u << second_index % 32;
		sync_block();
		if (t == 0)
			skip[0] = !holds(bits, from) || atomic_load(word) & bit;
		sync_block();
		if (skip[0])
			continue;
		Board h = (Board)boards[query];
		u32 depth = depths[query];
		const Move first = move(h, r, first_index);
		if (first.take == 0)
			continue;
		h = after(h, first);
		depth--;
		nodes += t == 0 && second_index == 0 && third_index == 0;
		const Move second = move(h, r, second_index);
		if (second.take == 0 || depth == 0)
			continue;
		h = after(h, second);
		depth--;
		nodes += t == 0 && third_index == 0;
		bool wins;
		if (h == 0 || depth == 0) {
			wins = forced(h, depth, true, r, nodes);
		} else {
			const Move m = move(h, r, third_index);
			if (m.take == 0)
				continue;
			nodes += t == 0;
			wins = lost(after(h, m), depth - 1, r, word, bit, flags, nodes);
		}
		if (wins && t == 0)
			atomic_or(word, bit);
	}
	sync_block();
	atomic_add(&visited[0], nodes);
	sync_block();
	if (t == 0)
		atomic_add(&counts[0], visited[0]);
}

__global__ void nim_v5(u32 *won, u64 *counts, const u64 *boards, const u32 *depths, u32 queries, u32 move_stride,
		u32 from, u32 to, u32 limit, u32 misere) {
	v5<u32>(won, counts, boards, depths, queries, move_stride, from, to, Rules{limit, misere});
}

__global__ void nim_v5_wide(u32 *won, u64 *counts, const u64 *boards, const u32 *depths, u32 queries, u32 move_stride,
		u32 from, u32 to, u32 limit, u32 misere) {
	v5<u64>(won, counts, boards, depths, queries, move_stride, from, to, Rules{limit, misere});
}

// The backward solution of a whole board, as solvers/nimsolver describes it:
// a row has a bit for each size of one heap, 1 where the position is lost. A
// block solves tiles of rows after all tiles that their moves lead to.

// An axis is a heap that numbers rows or tiles: its maximum size, and the stride of the
// number.
struct Axis {
	u32 size, stride;

	__device__ u32 digit(u32 number) const { return number / stride % (size + 1); }
};

// smallest returns the lost sizes of a row: the smallest that is not won, and then
// those that are not within the limit of a lost one.
__device__ inline u32 smallest(u32 won, u32 bound, u32 limit) {
	u32 lost = 0;
	for (u32 free = ~won & bound; free;) {
		const u32 lowest = free & (0 - free);
		lost |= lowest;
		free &= ~((lowest << 1 << limit) - lowest);
	}
	return lost;
}

// The tiles order[first ..] are solved, each of `tile` rows; x, y and z are the
// sizes of the heaps that number rows, and 16 bits of words4 are a row.
__global__ LAUNCH_BOUNDS(256, 4) void nim_solve(u16 *lost, u64 *total, const u32 *order, const Axis *axes, u32 num_axes,
		u32 first, u32 count, u32 tile, u32 x, u32 y, u32 z, u32 bound, u32 limit, u32 misere) {
	DYNAMIC_SHARED(u16, rows);
	SHARED(u32, found, 1);
	const u32 t = thread_in_block(), threads = threads_in_block();
	words4 *const lines = (words4 *)rows;
	u32 ones = 0;
	if (t == 0)
		found[0] = 0;
	for (u32 job = block_in_grid(); job < count; job += blocks_in_grid()) {
		const u32 number = order[first + job];
		words4 *const mine = (words4 *)(lost + (u64)number * tile);
		for (u32 line = t; line < tile / 8; line += threads) {
			words4 won = {0, 0, 0, 0};
			for (u32 a = 0; a < num_axes; a++) {
				const Axis axis = axes[a];
				const u32 n = axis.digit(number) < limit ? axis.digit(number) : limit;
				for (u32 take = 1; take <= n; take++)
					won |= ((const words4 *)(lost + (u64)(number - take * axis.stride) * tile))[line];
			}
			if (number == 0 && line == 0 && misere)
				won[0] |= 1; // no sticks: the player to move has won
			lines[line] = won;
		}
		sync_block();
		// Rows with the same number of sticks are independent of each other.
		for (u32 sticks = 0; sticks <= x + y + z; sticks++) {
			for (u32 i = t; i < (y + 1) * (z + 1); i += threads) {
				const u32 at_y = i % (y + 1), at_z = i / (y + 1), at_x = sticks - at_y - at_z;
				if (at_x > x) // or there are fewer sticks
					continue;
				const u32 row = at_x + (x + 1) * i;
				u32 won = rows[row];
				for (u32 take = 1; take <= (at_x < limit ? at_x : limit); take++)
					won |= rows[row - take];
				for (u32 take = 1; take <= (at_y < limit ? at_y : limit); take++)
					won |= rows[row - take * (x + 1)];
				for (u32 take = 1; take <= (at_z < limit ? at_z : limit); take++)
					won |= rows[row - take * (x + 1) * (y + 1)];
				const u32 lost_sizes = smallest(won, bound, limit);
				rows[row] = (u16)lost_sizes;
				ones += __builtin_popcount(lost_sizes);
			}
			sync_block();
		}
		// The padding behind the last row was set to 0 above, as in all tiles.
		for (u32 line = t; line < tile / 8; line += threads)
			mine[line] = lines[line];
		sync_block();
	}
	atomic_add(&found[0], ones);
	sync_block();
	if (t == 0)
		atomic_add(total, (u64)found[0]);
}
