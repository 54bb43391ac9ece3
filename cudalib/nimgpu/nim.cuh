// Nim for kernels: positions, moves, and the searches that one thread does.
//
// A Board is an unsigned number with four bits a heap, the first heap lowest:
// u32 for up to eight heaps, u64 for up to sixteen. A move is a byte, its sticks
// in the low four bits and its heap above, and a value is that of the player to
// move: -1 lost, 0 unknown at this depth, 1 won.
#pragma once
#include "cuda.cuh"

namespace nim {

constexpr u32 max_depth = 64;
constexpr int infinite = 2;

// Rules are the maximum take of a move, and whether taking the last stick loses.
struct Rules {
	u32 limit, misere;
};

// terminal_value is the value of a position without sticks.
__device__ inline int terminal_value(Rules r) { return r.misere ? 1 : -1; }

template <class Board> __device__ inline u32 size(Board h, u32 shift) { return (u32)(h >> shift) & 15; }

__device__ inline u32 max_take(u32 size, Rules r) { return size < r.limit ? size : r.limit; }

// moves returns how many moves there are.
template <class Board> __device__ inline u32 moves(Board h, Rules r) {
	u32 n = 0;
	for (; h; h >>= 4)
		n += max_take((u32)h & 15, r);
	return n;
}

// A Move takes sticks from the heap that begins at a bit.
struct Move {
	u32 shift, take;

	__device__ u32 byte() const { return shift / 4 << 4 | take; }
};

__device__ inline Move move_of(u32 byte) { return {byte / 16 * 4, byte & 15}; }

template <class Board> __device__ inline Board after(Board h, Move m) { return h - ((Board)m.take << m.shift); }

// next advances to the next move, from take = 0 at first, and reports whether there
// is one.
template <class Board> __device__ inline bool next(Board h, Rules r, Move &m) {
	m.take++;
	while (m.take > r.limit || m.take > size(h, m.shift)) {
		m.shift += 4;
		m.take = 1;
		if (m.shift >= 8 * sizeof(Board) || h >> m.shift == 0)
			return false;
	}
	return true;
}

// move finds a move by its number, heap by heap, fewest sticks first. The byte
// is 0 where there is none.
template <class Board> __device__ inline Move move(Board h, Rules r, u32 number) {
	for (u32 shift = 0; h; shift += 4, h >>= 4) {
		const u32 n = max_take((u32)h & 15, r);
		if (number < n)
			return {shift, number + 1};
		number -= n;
	}
	return {0, 0};
}

// search returns the value of a position at a depth, by alpha-beta with an
// infinite window. A position on the path is a word on the stack: its move, window and
// best value.
template <class Board> __device__ inline int search(Board h, u32 depth, Rules r, u64 &nodes) {
	if (h == 0)
		return terminal_value(r);
	if (depth == 0)
		return 0;
	u32 stack[max_depth];
	int alpha = -infinite, beta = infinite, best = -infinite;
	Move m = {0, 0};
	u32 visited = 0; // of the last few nodes
	for (u32 at = depth;;) {
		if (at == 1) {
			u32 shift = 0;
			for (Board rest = h; rest && alpha < beta; shift += 4, rest >>= 4) {
				Board child = h;
				const u32 n = max_take((u32)rest & 15, r);
				for (u32 take = 0; take < n && alpha < beta; take++) {
					visited++;
					child -= (Board)1 << shift;
					const int value = child ? 0 : -terminal_value(r);
					best = value > best ? value : best;
					alpha = best > alpha ? best : alpha;
				}
			}
		} else if (alpha < beta && next(h, r, m)) {
			visited++;
			const Board child = after(h, m);
			if (child == 0) {
				best = -terminal_value(r) > best ? -terminal_value(r) : best;
				alpha = best > alpha ? best : alpha;
				continue;
			}
			stack[at--] = m.byte() | (u32)(alpha + infinite) << 8 | (u32)(beta + infinite) << 12 |
				(u32)(best + infinite) << 16;
			h = child;
			const int a = alpha;
			alpha = -beta, beta = -a, best = -infinite;
			m = {0, 0};
			continue;
		}
		if (at == depth) {
			nodes += visited;
			return best;
		}
		if (visited >> 30) {
			nodes += visited;
			visited = 0;
		}
		const int value = -best;
		const u32 word = stack[++at];
		m = move_of(word & 0xff);
		h += (Board)m.take << m.shift;
		alpha = (int)(word >> 8 & 15) - infinite;
		beta = (int)(word >> 12 & 15) - infinite;
		best = (int)(word >> 16 & 15) - infinite;
		best = value > best ? value : best;
		alpha = best > alpha ? best : alpha;
	}
}

// forced reports whether the player to move can force a win within a depth, or,
// without `win`, whether the player loses against any reply. Plies alternate: one
// move is enough to win, and one is enough not to lose.
template <class Board> __device__ inline bool forced(Board h, u32 depth, bool win, Rules r, u64 &nodes) {
	if (h == 0)
		return win == (r.misere != 0);
	if (depth == 0)
		return false;
	u8 stack[max_depth];
	Move m = {0, 0};
	u32 visited = 0;
	for (u32 at = depth;;) {
		bool result = !win; // if no move decides
		if (at == 1) {
			u32 shift = 0;
			for (Board rest = h; rest && result != win; shift += 4, rest >>= 4) {
				Board child = h;
				const u32 n = max_take((u32)rest & 15, r);
				for (u32 take = 0; take < n && result != win; take++) {
					visited++;
					child -= (Board)1 << shift;
					if (child ? !win : (!win == (r.misere != 0)) == win)
						result = win; // the game goes on, or ends well
				}
			}
		} else if (next(h, r, m)) {
			visited++;
			const Board child = after(h, m);
			if (child) {
				stack[at--] = (u8)m.byte();
				h = child;
				win = !win;
				m = {0, 0};
				continue;
			}
			if ((!win == (r.misere != 0)) != win)
				continue;
			result = win;
		}
		if (visited >> 30) {
			nodes += visited;
			visited = 0;
		}
		do {
			if (at == depth) {
				nodes += visited;
				return result;
			}
			win = !win;
			m = move_of(stack[++at]);
			h += (Board)m.take << m.shift;
		} while (result == win); // decided by it
	}
}

} // namespace nim
