// A player's stones in a random game of Havannah, in the memory of a thread that
// puts them one after another. Groups are made of triangles, see board.cuh; as
// there is memory for more here, a mark has 32 bits and is found sooner.
#pragma once

#include "board.cuh"

namespace havannah {

// Of a lane's memory, words of the same place are side by side for all lanes.
constexpr u32 lane_pitch = sizeof(u32) * warp; // bytes

// A mark has the cells with a stone, whether the triangle stands for its group, its
// group's border if it does, and above link_shift where the mark is, in bytes, of
// the triangle that stands for the group or is nearer to that: its own if it does.
// Where there is no stone it is 0.
constexpr u32 link_shift = 16, link_bits = 0xffff0000, border_bits = 0xfff0;

constexpr u32 no_result = 0xffffffff;

// Row is a cell's row of the board: where the marks of the other triangles around it are,
// and its border as marks have it. For each colour there is a bit: whether
// a stone of it may complete a ring there.
struct Row {
	u32 low, high;

	Row() = default;
	__device__ INLINED explicit Row(u32 row)
		: low((row & 0xff) * lane_pitch | (row >> 8 & 0xff) * lane_pitch << 16),
		  high((row >> 16 & 0xff) * lane_pitch | ((1u << (row >> 24)) & border_bits) << 16) {}

	// offset returns where the i-th triangle's mark is. The first triangle is the
	// cell's own.
	__device__ INLINED u32 offset(u32 cell, u32 i) const {
		return i == 0 ? cell / 4 * lane_pitch : i == 1 ? low & 0xffff : i == 2 ? low >> 16 : high & (0x10000 - lane_pitch);
	}
	// neighbour is the cell at a place of the circle.
	__device__ INLINED u32 neighbour(u32 cell, u32 i) const {
		const u32 triangle = i < 2 ? offset(cell, 0) : i == 2 ? offset(cell, 1) : i < 5 ? offset(cell, 2) : offset(cell, 3);
		const u32 place = (cell & 3) + 1 + i % 2;
		return triangle / lane_pitch * 4 | (place < 3 ? place : place - 3);
	}
	__device__ INLINED u32 border() const { return high >> 16; }
	__device__ INLINED void permit(u32 colours) { high |= colours; }
	__device__ INLINED u32 permits(u32 colour) const { return high & colour; }
};

// circle returns a bit for each stone around a cell, in the order of the circle, by
// the cells with stones of the triangles there: in even those of the first and the
// third, in odd of the second and the fourth.
__device__ INLINED u32 circle(u32 even, u32 odd, u32 cell) {
	// See Around.
	const u32 turned = ((even & 0x70007) | (odd & 0x70007) << 8) * 9 >> (cell & 3);
	return ((turned & 0x20202) * (1u << 25 | 1u << 19 | 1u << 13) + (turned & 0x4040004) * (1u << 25 | 1u << 11 | 1u << 5)) >> 26;
}
__device__ INLINED u32 circle(const u32 (&marks)[4], u32 cell) {
	return circle(marks[0] | marks[2] << 16, marks[1] | marks[3] << 16, cell);
}

// Lane is a thread's memory: a mark for each triangle and for what is off the board,
// and four that stand for groups without stones.
struct Lane {
	static constexpr u32 more = 5;
	u32 *first;
	u32 nobody; // the first of the four

	__device__ INLINED Lane(u32 *first, u32 room, bool mine = true) : first(first), nobody((room + 1) * lane_pitch) {
		if (mine) {
			word(room) = 0;
#pragma unroll
			for (u32 i = 0; i < 4; i++)
				word(room + 1 + i) = empty_group(i);
		}
	}
	__device__ INLINED u32 &word(u32 i) const { return at(i * lane_pitch); }
	__device__ INLINED u32 &at(u32 offset) const { return *(u32 *)((u8 *)first + offset); }
	__device__ INLINED u32 empty_group(u32 i) const { return (nobody + i * lane_pitch) << link_shift | stands; }
};

// List is where a game's order of cells is drawn: the cells that are left come first,
// then those that were drawn, the first of them last.
//
// Behind it are, for replies, a word for each triangle and one for what is off the
// board, of the cells with white stones and above them with black ones, and for each
// cell its place in the list.
struct List {
	u16 *first;
	u32 n, room;

	// There are two words before a list.
	static constexpr u32 before = 2;
	__device__ INLINED static u32 words(u32 n, u32 room) { return before + (n + 1) / 2 + room + 1 + 2 * room; }
	__device__ INLINED List(u32 *lists, u32 n, u32 room, u32 game)
		: first((u16 *)(lists + game / warp * (words(n, room) * warp) + before * warp + game % warp)), n(n), room(room) {}
	__device__ INLINED u16 &at(u32 i) const { return *(u16 *)((u8 *)first + (int)(i >> 1) * (int)lane_pitch + (i & 1) * 2); }
	// drawn is the cell of a ply, and some cell for up to four more than there are.
	__device__ INLINED u32 drawn(u32 ply) const {
		const int i = (int)(n - 1 - ply);
		return *(const u16 *)((const u8 *)first + (i >> 1) * (int)lane_pitch + (i & 1) * 2);
	}
	__device__ INLINED u32 &stones(u32 offset) const { return *(u32 *)((u8 *)first + (n + 1) / 2 * lane_pitch + offset); }
	__device__ INLINED u16 &place(u32 cell) const { return at(((n + 1) / 2 + room + 1) * 2 + cell); }
};

constexpr u32 no_cell = 0xffffffff, black_cells = 3; // bits of white's before black's

// Drawer draws the order of a game's cells.
struct Drawer {
	const List list;
	const Row *rows;
	const bool replies;
	u32 last, colour; // where the last stone was put, or no_cell; the player to move

	// fill sets the list to the cells that are left, two a word, and where stones are.
	__device__ INLINED void fill(const u32 *cells, const u32 *stones) const {
		u32 *const words = (u32 *)list.first;
		for (u32 i = 1; i <= List::before; i++)
			*(u32 *)((u8 *)words - i * lane_pitch) = 0;
#pragma unroll 8
		for (u32 i = 0; i < (list.n + 1) / 2; i++)
			words[i * warp] = cells[i];
		if (!replies)
			return;
		for (u32 i = 0; i <= list.room; i++)
			list.stones(i * lane_pitch) = stones[i];
		for (u32 i = 0; i < list.n; i++)
			list.place(list.at(i)) = i;
	}

	// reply returns the cell that keeps a bridge against the last stone, or no_cell: one
	// that is empty between two stones of the player to move, around that one.
	__device__ INLINED u32 reply() const {
		const Row row = rows[last];
		u32 stones[4];
#pragma unroll
		for (u32 i = 0; i < 4; i++)
			stones[i] = list.stones(row.offset(last, i));
		const u32 even = stones[0] | stones[2] << 16, odd = stones[1] | stones[3] << 16;
		const u32 white = circle(even, odd, last), black = circle(even >> black_cells, odd >> black_cells, last);
		const u32 own = colour ? black : white;
		const u32 keep = (own << 1 | own >> 5) & (own >> 1 | own << 5) & ~(white | black) & 63;
		return keep ? row.neighbour(last, __builtin_ctz(keep)) : no_cell;
	}

	// draw draws the cells of eight plies, see board.cuh's.
	__device__ INLINED void draw(u32 ply, const Stream &s) {
		u32 random[4] = {ply / 8, (u32)s.playout, (u32)(s.playout >> 32), s.move};
		philox(random, (u32)s.seed, (u32)(s.seed >> 32));
#pragma unroll
		for (u32 k = 0; k < 8; k++) {
			const u32 left = list.n - ply - k;
			if ((int)left <= 0)
				break;
			u32 &low = random[k / 4 * 2], &high = random[k / 4 * 2 + 1];
			const u64 product = (u64)low * left;
			const u64 upper = (u64)high * left + upper_half(product);
			low = (u32)product;
			high = (u32)upper;

			u32 i = upper_half(upper);
			if (replies && last != no_cell) {
				const u32 keeps = reply();
				if (keeps != no_cell)
					i = list.place(keeps);
			}
			u16 &chosen = list.at(i), &end = list.at(left - 1);
			const u16 cell = chosen, moved = end;
			chosen = moved;
			end = cell;
			if (replies) {
				list.place(moved) = i;
				list.stones(cell / 4 * lane_pitch) |= 1u << ((cell & 3) + (colour ? black_cells : 0));
				last = cell;
				colour ^= 1;
			}
		}
	}
};

// Put is a cell to put a stone on.
struct Put {
	u32 cell;
	Row row;
};

// put puts a stone, and returns something but 0 if it completes a structure. A ring counts
// where the cell's row permits it.
__device__ INLINED u32 put(const Lane &m, const Row *rows, const Put &p, u32 permit) {
	u32 offset[4], mark[4], at[4];
#pragma unroll
	for (u32 i = 0; i < 4; i++)
		mark[i] = m.at(offset[i] = p.row.offset(p.cell, i));
	const u32 full[4] = {0, mark[1] & cells_bits, mark[2] & cells_bits, mark[3] & cells_bits};
	const u32 own_cells = (mark[0] & cells_bits) | 1u << (p.cell & 3);
	const u32 own = circle(mark, p.cell);
	// A circle without a gap begins anywhere: it was a ring that did not count.
	const u32 before = own << 1 | own >> 5, firsts = own == 63 ? 1 : own & ~before;
	// Each run of stones in the circle leads to what stands for its group, over the
	// triangle of its first stone.
	constexpr u32 first_of[4] = {3, 4, 24, 32};
	bool run[4];
#pragma unroll
	for (u32 i = 0; i < 4; i++) {
		run[i] = firsts & first_of[i];
		at[i] = (run[i] ? mark[i] : m.empty_group(i)) >> link_shift;
	}
#pragma unroll
	for (u32 i = 0; i < 4; i++)
		mark[i] = m.at(at[i]);
	while (!(mark[0] & mark[1] & mark[2] & mark[3] & stands)) {
#pragma unroll
		for (u32 i = 0; i < 4; i++)
			mark[i] = m.at(at[i] = mark[i] >> link_shift);
	}

	// Of their triangles the lowest stands for all from now on.
	const u32 border = (mark[0] | mark[1] | mark[2] | mark[3] | p.row.border()) & border_bits;
	const u32 low = mark[0] < mark[1] ? mark[0] : mark[1], lower = mark[2] < mark[3] ? mark[2] : mark[3];
	const u32 some = low < lower ? low : lower, alone = firsts ? ~0u : offset[0] << link_shift;
	const u32 lowest = some < alone ? some : alone;
	const u32 link = lowest & link_bits, root = lowest >> link_shift, root_mark = lowest | stands | border;
#pragma unroll
	for (u32 i = 0; i < 4; i++)
		if (run[i])
			m.at(at[i]) = (mark[i] & cells_bits) | link;
	m.at(root) = root_mark;
	m.at(offset[0]) = own_cells | (root == offset[0] ? root_mark : link);

	const u32 corners = border >> 4 & 0x3f, edges = border >> 10, fewer = edges & (edges - 1);
	u32 ends = (corners & (corners - 1)) | (fewer & (fewer - 1));
	// Two runs of one group are a ring, and so is what surrounds a neighbour between two
	// others.
	const u32 permitted = p.row.permits(permit) ? ~0u : 0;
	const bool twice = (mark[0] == mark[1]) | (mark[0] == mark[2]) | (mark[0] == mark[3]) | (mark[1] == mark[2]) | (mark[1] == mark[3]) | (mark[2] == mark[3]);
	ends |= twice ? permitted : 0;
	u32 middles = own & before & (own >> 1 | own << 5) & permitted;
	if (middles) {
		// The two others of its triangle are beside it.
		if (full[1] != cells_bits)
			middles &= ~4u;
		if (full[2] != cells_bits)
			middles &= ~24u;
		if (full[3] != cells_bits)
			middles &= ~32u;
		for (; middles; middles &= middles - 1) {
			const u32 there = p.row.neighbour(p.cell, __builtin_ctz(middles));
			const Row row = rows[there];
			u32 marks[4];
#pragma unroll
			for (u32 k = 0; k < 4; k++)
				marks[k] = m.at(row.offset(there, k));
			if (circle(marks, there) == 63)
				ends = 1;
		}
	}
	return ends;
}

} // namespace havannah
