// A random game of Havannah in a thread, the same to the bit as that of
// solvers/playout.
//
// Cells are in triangles of three that all touch, so that the stones of one
// colour in a triangle are always one group. Groups are union-find sets of triangles.
// A triangle takes 16 bits for each colour: the cells with a stone, and the link to its
// group. That is 404 bytes on side 10, and the less memory a game takes, the more games
// a multiprocessor plays at a time. While the order of cells is drawn, the same memory
// holds the list of cells.
//
// The cell with row r and column c has index (r+c)%3 in its triangle. Around it, in a
// circle, are two cells of its own triangle, one of another, two of a third and one of
// a fourth. For any index p, these have the indices p+1, p+2; p+1; p+2, p+1; p+2,
// modulo 3.
#pragma once

#include "cuda.cuh"

namespace havannah {

constexpr u32 warp = 32;

// A cell is four times the number of its triangle plus its index there. Each has a row
// of the board: the numbers of the three other triangles around it, eight bits each,
// and above them the bit of its border in a mark.
//
// A mark is the state of a triangle for a colour: a bit for each cell with a stone,
// root_bit if the triangle is the root of its group, and then, in a root, the group's
// border, six bits for corners and six for edges, or else the number of a triangle
// nearer to the root.
constexpr u32 cell_bits = 7, root_bit = 8, field_shift = 4, field_bits = 0xfff0, triangle_bits = 0xff0;

// Memory is a thread's. The same word of all threads of a warp is side by side, so that
// each thread has a bank of its own, whichever words the threads access. A word has the
// marks of white and black of a triangle.
struct Memory {
	u32 *first;

	__device__ INLINED u32 &word(u32 i) const { return *(u32 *)((u8 *)first + i * (u32)(sizeof(u32) * warp)); }
};

// Marks are those of one colour. A triangle's number is shifted by field_shift, as in
// marks.
using Mark = u16 __attribute__((may_alias));
struct Marks {
	Mark *first;

	__device__ INLINED Marks(const Memory &m, u32 colour) : first((Mark *)m.first + colour) {}
	__device__ INLINED Mark &operator[](u32 triangle) const {
		return *(Mark *)((u8 *)first + triangle * (sizeof(u32) * warp >> field_shift));
	}
};

// DenseMarks are those in an array of a word for each triangle.
struct DenseMarks {
	Mark *first;

	__device__ INLINED DenseMarks(const u32 *words, u32 colour) : first((Mark *)words + colour) {}
	__device__ INLINED Mark operator[](u32 triangle) const { return first[triangle >> (field_shift - 1)]; }
};

using Words = words4 __attribute__((may_alias));

// copy sets words of a thread's memory, four at a time.
__device__ INLINED void copy(const Memory &to, const u32 *from, u32 words) {
#pragma unroll 4
	for (u32 i = 0; i < words; i += 4) {
		const words4 four = *(const Words *)(from + i);
#pragma unroll
		for (u32 k = 0; k < 4; k++)
			to.word(i + k) = four[k];
	}
}

// Philox4x32-10 of a counter under a key.
__device__ INLINED void philox(u32 (&c)[4], u32 key0, u32 key1) {
#pragma unroll
	for (u32 round = 0; round < 10; round++) {
		const u64 x = (u64)c[0] * 0xD2511F53u, y = (u64)c[2] * 0xCD9E8D57u;
		c[0] = upper_half(y) ^ c[1] ^ key0;
		c[1] = (u32)y;
		c[2] = upper_half(x) ^ c[3] ^ key1;
		c[3] = (u32)x;
		key0 += 0x9E3779B9u;
		key1 += 0xBB67AE85u;
	}
}

struct Stream {
	u64 seed, playout;
	u32 move;
};

// A list of cells has three a word, of ten bits each.
constexpr u32 element_width = 10, element_bits = (1 << element_width) - 1;

struct Element {
	u32 word, shift;

	// The product is i/3, as long as it has 32 bits.
	__device__ INLINED Element(u32 i) : word(i * 0x5556 >> 16), shift((i - 3 * word) * element_width) {}
};

// list_words is how many words n cells take.
__device__ inline u32 list_words(u32 n) { return (n + 2) / 3; }

// draw takes all n cells of a list in random order. Eight at a time go to order,
// order[stride] and so on; the last of them is filled up with any cell.
__device__ INLINED void draw(const Memory &list, u32 n, const Stream &s, words4 *order, u64 stride) {
	for (u32 ply = 0; ply < n; ply += 8) {
		u32 random[4] = {ply / 8, (u32)s.playout, (u32)(s.playout >> 32), s.move};
		philox(random, (u32)s.seed, (u32)(s.seed >> 32));
		words4 eight;
#pragma unroll
		for (u32 k = 0; k < 8; k++) {
			const int more = (int)(n - ply - k);
			const u32 left = more > 1 ? more : 1;
			u32 &low = random[k / 4 * 2], &high = random[k / 4 * 2 + 1];
			const u64 product = (u64)low * left;
			const u64 upper = (u64)high * left + upper_half(product);
			low = (u32)product;
			high = (u32)upper;

			const Element chosen(upper_half(upper)), last(left - 1);
			const u32 word = list.word(chosen.word);
			const u32 cell = word >> chosen.shift & element_bits;
			list.word(chosen.word) = word ^ (cell ^ (list.word(last.word) >> last.shift & element_bits))
				<< chosen.shift;
			eight[k / 2] = k % 2 ? eight[k / 2] | cell << 16 : cell;
		}
		*order = eight;
		order += stride;
	}
}

// Around has the stones of one colour around a cell.
struct Around {
	u32 triangles[4], marks[4]; // its own, and the others in the order of the circle
	u32 stones;                 // six bits, in the order of the circle

	template <class M> __device__ INLINED Around(const M &m, u32 cell, u32 row) {
		triangles[0] = cell >> 2 << field_shift;
		triangles[1] = row << field_shift & triangle_bits;
		triangles[2] = row >> (8 - field_shift) & triangle_bits;
		triangles[3] = row >> (16 - field_shift) & triangle_bits;
#pragma unroll
		for (u32 i = 0; i < 4; i++)
			marks[i] = m[triangles[i]];
		// The cells of a triangle in a byte, rotated so that those with the indices p+1
		// and p+2 come to the bits 1 and 2. One product then gathers the first of them in
		// the upper bits, and one the second; its other bits overflow or are below.
		const u32 even = (marks[0] | marks[2] << 16) & 0x70007, odd = (marks[1] | marks[3] << 16) & 0x70007;
		const u32 turned = (even | odd << 8) * 9 >> (cell & 3);
		stones = ((turned & 0x20202) * (1u << 25 | 1u << 19 | 1u << 13) +
			(turned & 0x4040004) * (1u << 25 | 1u << 11 | 1u << 5)) >> 26;
	}
};

enum Structures : u32 { none = 0, ring = 1, bridge = 2, fork = 4 }; // havannah.Structures

// Outcome is the result of a stone: whether it completes a ring, and the border of
// its group as in marks.
struct Outcome {
	u32 rings, border;

	__device__ INLINED u32 bridges() const {
		const u32 corners = border >> field_shift & 0x3f;
		return corners & (corners - 1);
	}
	__device__ INLINED u32 forks() const {
		const u32 edges = border >> (field_shift + 6), fewer = edges & (edges - 1);
		return fewer & (fewer - 1);
	}
	__device__ INLINED bool ends() const { return rings | bridges() | forks(); }
	__device__ INLINED u32 structures() const {
		return (rings ? ring : none) | (bridges() ? bridge : none) | (forks() ? fork : none);
	}
};

// Stone is a stone that is being put on an empty cell, in steps so that two stones can
// be put at once: see put_both.
struct Stone {
	const Marks marks;
	const u32 cell, row;
	const Around around;
	u32 firsts, at[4], mark[4]; // of runs of stones in the circle
	u32 middles;                // neighbours that may be surrounded now
	Outcome outcome = {0, 0};

	// For each run, the triangle of its first stone leads to the root of its group. Where
	// there is no run, the root is a number that no triangle has.
	__device__ INLINED Stone(const Marks &marks, const u32 *board, u32 cell)
		: marks(marks), cell(cell), row(board[cell]), around(marks, cell, row) {
		const u32 own = around.stones;
		firsts = own & ~(own << 1 | own >> 5);
		middles = own & (own << 1 | own >> 5) & (own >> 1 | own << 5);
#pragma unroll
		for (u32 i = 0; i < 4; i++) {
			at[i] = run(i) ? around.triangles[i] : (256 + i) << field_shift;
			mark[i] = run(i) ? around.marks[i] : root_bit;
		}
	}

	__device__ INLINED bool run(u32 i) const {
		constexpr u32 first_of[4] = {3, 4, 24, 32};
		return firsts & first_of[i];
	}

	__device__ INLINED u32 found() const { return mark[0] & mark[1] & mark[2] & mark[3] & root_bit; }

	// find takes a step towards the roots of the groups.
	__device__ INLINED void find() {
#pragma unroll
		for (u32 i = 0; i < 4; i++)
			if (!(mark[i] & root_bit)) {
				at[i] = mark[i] & triangle_bits;
				mark[i] = marks[at[i]];
			}
	}

	// join merges the groups that were found with the stone. The root with the lowest
	// number becomes the root: then the longest path that a warp follows for its 32
	// stones is 1.4 steps on average on side 10. Compression links the triangles around
	// the cell to the root.
	template <bool compress> __device__ INLINED void join() {
		const u32 border = outcome.border = (mark[0] | mark[1] | mark[2] | mark[3] | 1u << (row >> 24)) & field_bits;
		const u32 own_triangle = around.triangles[0], own_cells = (around.marks[0] & cell_bits) | 1u << (cell & 3);
		u32 root = at[0], root_mark = mark[0];
#pragma unroll
		for (u32 i = 1; i < 4; i++)
			if (at[i] < root)
				root = at[i], root_mark = mark[i];
		if (!firsts)
			root = own_triangle;
#pragma unroll
		for (u32 i = 0; i < 4; i++) {
			if (compress && run(i) && around.triangles[i] != root)
				marks[around.triangles[i]] = (around.marks[i] & cell_bits) | root;
			if (run(i) && at[i] != root)
				marks[at[i]] = (mark[i] & cell_bits) | root;
		}
		marks[root] = (root_mark & cell_bits) | root_bit | border;
		marks[own_triangle] = own_cells | (own_triangle == root ? root_bit | border : root);

		// Two runs of one group are a ring.
		outcome.rings = at[0] == at[1] || at[0] == at[2] || at[0] == at[3] || at[1] == at[2] ||
			at[1] == at[3] || at[2] == at[3];
	}

	// test_surrounded tests whether one of the neighbours between two others is surrounded
	// now.
	__device__ INLINED void test_surrounded(const u32 *board) {
		const u32 i = __builtin_ctz(middles);
		const u32 *const t = around.triangles, triangle = i < 2 ? t[0] : i == 2 ? t[1] : i < 5 ? t[2] : t[3];
		const u32 index = (cell & 3) + 1 + i % 2,
			there = triangle >> field_shift << 2 | (index < 3 ? index : index - 3);
		outcome.rings |= Around(marks, there, board[there]).stones == 63;
		middles &= middles - 1;
	}
};

// put puts a stone and returns the structures that it completes.
template <bool compress> __device__ INLINED u32 put(const Memory &m, const u32 *board, u32 colour, u32 cell) {
	Stone stone(Marks(m, colour), board, cell);
	while (!stone.found())
		stone.find();
	stone.template join<compress>();
	while (stone.middles)
		stone.test_surrounded(board);
	return stone.outcome.structures();
}

struct Outcomes {
	Outcome first, second;
};

// put_both puts a stone of each colour, the one of `colour` first. The two are
// independent, so that a thread that waits for the memory of one works on the other.
template <bool compress>
__device__ INLINED Outcomes put_both(const Memory &m, const u32 *board, u32 colour, u32 cell, u32 next) {
	Stone first(Marks(m, colour), board, cell), second(Marks(m, colour ^ 1), board, next);
	while (!(first.found() & second.found())) {
		first.find();
		second.find();
	}
	first.template join<compress>();
	second.template join<compress>();
	while (first.middles | second.middles) {
		if (first.middles)
			first.test_surrounded(board);
		if (second.middles)
			second.test_surrounded(board);
	}
	return {first.outcome, second.outcome};
}

} // namespace havannah
