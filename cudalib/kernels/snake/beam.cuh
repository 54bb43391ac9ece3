// A path of a beam search for snakes, for beam.cu and narrow.cu.
#pragma once
#include "snake.cuh"

namespace snake {

constexpr u32 move_bits = 4, rank_hash = 50;

// spread adds to the vertices of a word the free ones that can be reached from them,
// one dimension after the other. One call may not find all.
__device__ inline u32 spread(u32 r, u32 free) {
	r |= ((r & 0x55555555) << 1 | (r >> 1 & 0x55555555)) & free;
	r |= ((r & 0x33333333) << 2 | (r >> 2 & 0x33333333)) & free;
	r |= ((r & 0x0f0f0f0f) << 4 | (r >> 4 & 0x0f0f0f0f)) & free;
	r |= ((r & 0x00ff00ff) << 8 | (r >> 8 & 0x00ff00ff)) & free;
	return r | ((r << 16 | r >> 16) & free);
}

// Cube is the cube and its symmetry.
struct Cube {
	const u32 *unlock; // by dimension: dimensions that may be used once it was used
	const u16 *images; // of vertices under a symmetry, or none
	u32 symmetric;
};

// Path is a path in registers: the words of its sets are indexed by constants only.
template <u32 dimension> struct Path {
	static constexpr u32 words = 1u << (dimension - 5);
	u32 free[words], reached[words];
	u32 head, allowed, image; // of the head, or the head

	// around has the bits of word i of the neighbours of a vertex.
	__device__ static inline u32 around(u32 i, u32 v, u32 in_word) {
		const u32 difference = i ^ v >> 5;
		return difference == 0 ? in_word : (difference & (difference - 1)) == 0 ? 1u << (v & 31) : 0;
	}

	// drop drops the neighbours of a vertex from the free ones.
	__device__ ALWAYS_INLINE void drop(u32 v) {
		const u32 in_word = near(v & 31);
#pragma unroll
		for (u32 i = 0; i < words; i++)
			free[i] &= ~around(i, v, in_word);
	}

	// load loads the parent of a child, and makes the child's move.
	__device__ ALWAYS_INLINE void load(const u32 *sets, const u32 *heads, u32 child, const Cube &cube) {
		const u32 parent = child >> move_bits, move = child & ((1u << move_bits) - 1);
		const words4 *set = (const words4 *)(sets + (u64)parent * words);
		const u32 h = heads[parent], before = h & 0xffff;
#pragma unroll
		for (u32 i = 0; i < words / 4; i++) {
			const words4 four = set[i];
#pragma unroll
			for (u32 k = 0; k < 4; k++)
				free[4 * i + k] = four[k];
		}
		drop(before);
		head = before ^ 1u << move, allowed = h >> 16 | cube.unlock[move], image = head;
		if (cube.symmetric) {
			drop(cube.images[before]);
			image = cube.images[head];
		}
	}

	// cross adds what can be reached from a word to the words that are a step of
	// a higher dimension away. The step is a constant, so that all indices are.
	template <u32 step> __device__ ALWAYS_INLINE void cross(u32 &changed) {
#pragma unroll
		for (u32 i = 0; i < words; i++) {
			const u32 more = reached[(i ^ step) % words] & free[i];
			changed |= more & ~reached[i];
			reached[i] |= more;
		}
	}

	// flood finds the free vertices that can be reached from the head or its
	// image, and returns their number.
	__device__ ALWAYS_INLINE u32 flood() {
		const u32 in_word = near(head & 31), in_image = near(image & 31);
#pragma unroll
		for (u32 i = 0; i < words; i++)
			reached[i] = (around(i, head, in_word) | around(i, image, in_image)) & free[i];
		u32 changed;
		do {
			changed = 0;
#pragma unroll
			for (u32 i = 0; i < words; i++) {
				const u32 now = spread(reached[i], free[i]);
				changed |= now ^ reached[i];
				reached[i] = now;
			}
			cross<1>(changed), cross<2>(changed), cross<4>(changed);
			if (words > 8)
				cross<8>(changed);
			if (words > 16)
				cross<16>(changed);
			if (words > 32)
				cross<32>(changed);
		} while (changed);
		u32 n = 0;
#pragma unroll
		for (u32 i = 0; i < words; i++)
			n += __builtin_popcount(reached[i]);
		return n;
	}

	// reaches reports whether the last flood found a neighbour of a vertex.
	__device__ ALWAYS_INLINE bool reaches(u32 v) const {
		const u32 in_word = near(v & 31);
		u32 found = 0;
#pragma unroll
		for (u32 i = 0; i < words; i++)
			found |= reached[i] & around(i, v, in_word);
		return found != 0;
	}

	// hash returns a hash of everything that the path's continuations depend on.
	__device__ ALWAYS_INLINE u64 hash(u64 salt) const {
		u64 h = salt ^ (u64)head << 32 ^ (u64)allowed << 16, key = salt | 1;
#pragma unroll
		for (u32 i = 0; i < words; i += 2) {
			key += golden;
			h += (u64)(reached[i] + (u32)key) * (reached[i + 1] + (u32)(key >> 32));
			h = h << 23 | h >> 41;
		}
		return mix(h);
	}
};

} // namespace snake
