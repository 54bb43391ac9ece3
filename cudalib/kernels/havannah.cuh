// A thread's random game of Havannah, to the bit what the manual of
// gamebots/solvers/playout says.
//
// A thread has 16 bits for each cell, which are a list of the empty cells while
// their order is drawn, and then the stones and what joins them. It is all that
// bounds how many games a multiprocessor plays at a time.
#pragma once

#include "cuda.cuh"

namespace havannah {

constexpr u32 warp = 32;

// Cells are numbered from 1; number 0 is off the board, and always empty.
// place_of says where the memory of a warp has an element of each of its
// threads: two elements a word, and the same word of all threads side by side.
// However different the elements are that the threads of a warp want, each then
// finds its own in a bank of its own.
__device__ inline u32 place_of(u32 element) { return element >> 1 << 6 | (element & 1); }
__device__ inline u32 element_at(u32 place) { return place >> 6 << 1 | (place & 1); }

using Word = u32 __attribute__((may_alias));

// Memory is that of one thread.
struct Memory {
	u16 *first;

	__device__ Memory(Word *of_block, u32 words, u32 thread)
		: first((u16 *)(of_block + (u64)(thread / warp) * words * warp + thread % warp)) {}
	__device__ u16 &operator[](u32 place) const { return first[place]; }
	__device__ Word &word(u32 i) const { return ((Word *)first)[i * warp]; }
};

// Philox4x32-10 of a counter under a key.
__device__ inline void philox(u32 (&c)[4], u32 key0, u32 key1) {
	for (u32 round = 0; round < 10; round++) {
		const u64 x = (u64)c[0] * 0xD2511F53u, y = (u64)c[2] * 0xCD9E8D57u;
		c[0] = (u32)(y >> 32) ^ c[1] ^ key0;
		c[1] = (u32)y;
		c[2] = (u32)(x >> 32) ^ c[3] ^ key1;
		c[3] = (u32)x;
		key0 += 0x9E3779B9u;
		key1 += 0xBB67AE85u;
	}
}

struct Stream {
	u64 seed, playout;
	u32 move;
};

// draw takes all n cells of a list in random order. Cell i of the order goes to
// order[i * stride].
__device__ inline void draw(const Memory &list, u32 n, const Stream &s, u16 *order, u64 stride) {
	for (u32 ply = 0; ply < n;) {
		u32 random[4] = {ply / 8, (u32)s.playout, (u32)(s.playout >> 32), s.move};
		philox(random, (u32)s.seed, (u32)(s.seed >> 32));
#pragma unroll
		for (u32 k = 0; k < 8; k++, ply++) {
			// Past the end this draws the one cell that is left, in vain.
			const u32 left = ply < n ? n - ply : 1;
			u32 &low = random[k / 4 * 2], &high = random[k / 4 * 2 + 1];
			const u64 product = (u64)low * left;
			const u64 upper = (u64)high * left + (product >> 32);
			low = (u32)product;
			high = (u32)upper;
			u16 &chosen = list[place_of((u32)(upper >> 32))];
			if (ply < n)
				order[ply * stride] = chosen;
			chosen = list[place_of(left - 1)];
		}
	}
}

// A cell has the places of its neighbours, in a circle, and its border: six bits
// for corners and six above for edges, as havannah.Border has them.
struct Cell {
	words4 halves;

	__device__ u32 near(u32 d) const { return halves[d / 2] >> (d & 1) * 16 & 0xffff; }
	__device__ u32 border() const { return halves[3] & 0xffff; }
};

// What a cell has in memory: 0 while it is empty; else a colour and either the
// place of another stone of its group or, if it stands for the group, a mark and
// the group's border. The mark is a bit that places do not use.
constexpr u32 white = 1 << 14, black = 1 << 15, place_bits = white - 1;
constexpr u32 stands = 2, border_shift = 2;

enum Structures : u32 { none = 0, ring = 1, bridge = 2, fork = 4 }; // havannah.Structures

// find returns the place of the stone that stands for a stone's group. With
// compression the way there is one step the next time.
template <bool compress> __device__ inline u32 find(const Memory &m, u32 place) {
	const u32 stone = m[place];
	u32 at = place, found = stone;
	while (!(found & stands)) {
		at = found & place_bits;
		found = m[at];
	}
	if (compress && at != place)
		m[place] = (stone & ~place_bits) | at;
	return at;
}

// put puts a stone on an empty cell and returns the structures it completes.
template <bool compress> __device__ inline u32 put(const Memory &m, const Cell *cells, u32 place, u32 colour) {
	const Cell *const cell = cells + element_at(place);
	const u16 *const near = (const u16 *)cell;
	const Cell here = *cell;
	u32 own = 0;
#pragma unroll
	for (u32 d = 0; d < 6; d++)
		own |= m[here.near(d)] & colour ? 1u << d : 0;

	// A neighbour of each run of own stones around the cell; two runs of one
	// group are a ring.
	u32 root = 0, border = here.border() << border_shift, won = none;
	for (u32 firsts = own & ~(own << 1 | own >> 5); firsts; firsts &= firsts - 1) {
		const u32 other = find<compress>(m, near[__builtin_ctz(firsts)]);
		if (other == root) {
			won = ring;
			continue;
		}
		border |= m[other] & place_bits;
		if (root)
			m[other] = colour | root;
		else
			root = other;
	}
	if (root)
		m[place] = colour | root;
	else
		root = place;
	m[root] = colour | stands | border;

	// A neighbour between two others may have been surrounded by this stone.
	const u32 twice = own | own << 6;
	for (u32 middles = own & twice >> 1 & twice >> 5; middles; middles &= middles - 1) {
		const Cell middle = cells[element_at(near[__builtin_ctz(middles)])];
		u32 all = colour;
#pragma unroll
		for (u32 d = 0; d < 6; d++)
			all &= m[middle.near(d)];
		if (all)
			won |= ring;
	}
	const u32 corners = border >> border_shift & 0x3f, edges = border >> (border_shift + 6);
	if (corners & (corners - 1))
		won |= bridge;
	const u32 fewer = edges & (edges - 1);
	if (fewer & (fewer - 1))
		won |= fork;
	return won;
}

} // namespace havannah
