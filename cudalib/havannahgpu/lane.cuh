// A player's stones in a random game of Havannah, in the memory of a thread that
// puts them one after another. Groups are made of triangles, see board.cuh. There is
// more memory for a game here, so a mark has 32 bits, which is faster.
#pragma once

#include "board.cuh"

namespace havannah {

// The same word of all lanes is side by side.
constexpr u32 lane_pitch = sizeof(u32) * warp; // bytes

// A mark has the cells with a stone, root_bit if the triangle is the root of its group,
// the group's border in a root, and above link_shift the offset in bytes of the mark of
// the root or of a triangle nearer to it: in a root, its own. Without stones it is 0.
constexpr u32 link_shift = 16, link_bits = 0xffff0000, border_bits = 0xfff0;

constexpr u32 no_result = 0xffffffff;

// Row is a cell's row of the board: the offsets of the marks of the other triangles
// around it, and its border as in marks. For each colour a bit is set if its stones may
// complete a ring there.
struct Row {
	u32 low, high;

	Row() = default;
	__device__ INLINED explicit Row(u32 row)
		: low((row & 0xff) * lane_pitch | (row >> 8 & 0xff) * lane_pitch << 16),
		  high((row >> 16 & 0xff) * lane_pitch | ((1u << (row >> 24)) & border_bits) << 16) {}

	// offset returns the offset of the i-th triangle's mark. The first triangle is the
	// cell's own.
	__device__ INLINED u32 offset(u32 cell, u32 i) const {
		return i == 0 ? cell / 4 * lane_pitch : i == 1 ? low & 0xffff : i == 2 ? low >> 16
			: high & (0x10000 - lane_pitch);
	}
	// neighbour returns the i-th cell of the circle.
	__device__ INLINED u32 neighbour(u32 cell, u32 i) const {
		const u32 triangle = i < 2 ? offset(cell, 0) : i == 2 ? offset(cell, 1)
			: i < 5 ? offset(cell, 2) : offset(cell, 3);
		const u32 index = (cell & 3) + 1 + i % 2;
		return triangle / lane_pitch * 4 | (index < 3 ? index : index - 3);
	}
	__device__ INLINED u32 border() const { return high >> 16; }
	__device__ INLINED void allow_ring(u32 colours) { high |= colours; }
	__device__ INLINED u32 allows_ring(u32 colour) const { return high & colour; }
};

// circle returns a bit for each stone around a cell, in the order of the circle. It is
// given the marks of the triangles there.
__device__ INLINED u32 circle(const u32 (&marks)[4], u32 cell) {
	const u32 even = marks[0] | marks[2] << 16, odd = marks[1] | marks[3] << 16;
	// See Around.
	const u32 turned = ((even & 0x70007) | (odd & 0x70007) << 8) * 9 >> (cell & 3);
	return ((turned & 0x20202) * (1u << 25 | 1u << 19 | 1u << 13) +
		(turned & 0x4040004) * (1u << 25 | 1u << 11 | 1u << 5)) >> 26;
}

// Lane is a thread's memory: a mark for each triangle, one for cells off the board, and
// the roots of four empty groups.
struct Lane {
	static constexpr u32 extra_words = 5;
	u32 *first;
	u32 empty_groups; // offset of the first empty group

	__device__ INLINED Lane(u32 *first, u32 num_triangles, bool mine = true) : first(first),
			empty_groups((num_triangles + 1) * lane_pitch) {
		if (mine) {
			word(num_triangles) = 0;
#pragma unroll
			for (u32 i = 0; i < 4; i++)
				word(num_triangles + 1 + i) = empty_group(i);
		}
	}
	__device__ INLINED u32 &word(u32 i) const { return at(i * lane_pitch); }
	__device__ INLINED u32 &at(u32 offset) const { return *(u32 *)((u8 *)first + offset); }
	__device__ INLINED u32 empty_group(u32 i) const { return (empty_groups + i * lane_pitch) << link_shift | root_bit; }
};

// List is where a game's order of cells is drawn: the cells that are left come first,
// then those that were drawn, the first of them last.
struct List {
	u16 *first;
	u32 n;

	// There are two words before a list.
	static constexpr u32 before = 2;
	__device__ INLINED static u32 words(u32 n) { return before + (n + 1) / 2; }
	__device__ INLINED List(u32 *lists, u32 n, u32 game)
		: first((u16 *)(lists + game / warp * (words(n) * warp) + before * warp + game % warp)), n(n) {}
	__device__ INLINED u16 &at(u32 i) const {
		return *(u16 *)((u8 *)first + (int)(i >> 1) * (int)lane_pitch + (i & 1) * 2);
	}
	// drawn returns the cell of a ply, and some cell for up to four plies after the last.
	__device__ INLINED u32 drawn(u32 ply) const {
		const int i = (int)(n - 1 - ply);
		return *(const u16 *)((const u8 *)first + (i >> 1) * (int)lane_pitch + (i & 1) * 2);
	}

	// fill sets the list to the empty cells, two a word.
	__device__ INLINED void fill(const u32 *cells) const {
		u32 *const words = (u32 *)first;
		for (u32 i = 1; i <= before; i++)
			*(u32 *)((u8 *)words - i * lane_pitch) = 0;
#pragma unroll 8
		for (u32 i = 0; i < (n + 1) / 2; i++)
			words[i * warp] = cells[i];
	}

	// draw draws the cells of eight plies, see board.cuh's.
	__device__ INLINED void draw(u32 ply, const Stream &s) const {
		u32 random[4] = {ply / 8, (u32)s.playout, (u32)(s.playout >> 32), s.move};
		philox(random, (u32)s.seed, (u32)(s.seed >> 32));
#pragma unroll
		for (u32 k = 0; k < 8; k++) {
			const u32 left = n - ply - k;
			if ((int)left <= 0)
				break;
			u32 &low = random[k / 4 * 2], &high = random[k / 4 * 2 + 1];
			const u64 product = (u64)low * left;
			const u64 upper = (u64)high * left + upper_half(product);
			low = (u32)product;
			high = (u32)upper;

			u16 &chosen = at(upper_half(upper)), &end = at(left - 1);
			const u16 cell = chosen, moved = end;
			chosen = moved;
			end = cell;
		}
	}
};

// Placement is a cell to put a stone on.
struct Placement {
	u32 cell;
	Row row;
};

// put puts a stone, and returns nonzero if it completes a structure. A ring counts if the
// cell's row allows it.
__device__ INLINED u32 put(const Lane &m, const Row *rows, const Placement &p, u32 colour_bit) {
	u32 offset[4], mark[4], at[4];
#pragma unroll
	for (u32 i = 0; i < 4; i++)
		mark[i] = m.at(offset[i] = p.row.offset(p.cell, i));
	const u32 full[4] = {0, mark[1] & cell_bits, mark[2] & cell_bits, mark[3] & cell_bits};
	const u32 own_cells = (mark[0] & cell_bits) | 1u << (p.cell & 3);
	const u32 own = circle(mark, p.cell);
	// A circle without a gap, of a ring that did not count, begins anywhere.
	const u32 before = own << 1 | own >> 5, firsts = own == 63 ? 1 : own & ~before;
	// Each run of stones in the circle leads to the root of its group, from the triangle
	// of its first stone.
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
	while (!(mark[0] & mark[1] & mark[2] & mark[3] & root_bit)) {
#pragma unroll
		for (u32 i = 0; i < 4; i++)
			mark[i] = m.at(at[i] = mark[i] >> link_shift);
	}

	// The lowest of the roots becomes the root of all.
	const u32 border = (mark[0] | mark[1] | mark[2] | mark[3] | p.row.border()) & border_bits;
	const u32 low = mark[0] < mark[1] ? mark[0] : mark[1], lower = mark[2] < mark[3] ? mark[2] : mark[3];
	const u32 some = low < lower ? low : lower, alone = firsts ? ~0u : offset[0] << link_shift;
	const u32 lowest = some < alone ? some : alone;
	const u32 link = lowest & link_bits, root = lowest >> link_shift, root_mark = lowest | root_bit | border;
#pragma unroll
	for (u32 i = 0; i < 4; i++)
		if (run[i])
			m.at(at[i]) = (mark[i] & cell_bits) | link;
	m.at(root) = root_mark;
	m.at(offset[0]) = own_cells | (root == offset[0] ? root_mark : link);

	const u32 corners = border >> 4 & 0x3f, edges = border >> 10, fewer = edges & (edges - 1);
	u32 ends = (corners & (corners - 1)) | (fewer & (fewer - 1));
	// Two runs of one group are a ring, and so are stones that surround a neighbour between
	// two others.
	const u32 permitted = p.row.allows_ring(colour_bit) ? ~0u : 0;
	const bool twice = (mark[0] == mark[1]) | (mark[0] == mark[2]) | (mark[0] == mark[3]) | (mark[1] == mark[2]) |
		(mark[1] == mark[3]) | (mark[2] == mark[3]);
	ends |= twice ? permitted : 0;
	u32 middles = own & before & (own >> 1 | own << 5) & permitted;
	if (middles) {
		// Both other cells of its triangle must have stones.
		if (full[1] != cell_bits)
			middles &= ~4u;
		if (full[2] != cell_bits)
			middles &= ~24u;
		if (full[3] != cell_bits)
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
