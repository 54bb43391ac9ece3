// A path of a beam search for snakes, for beam.cu and narrow.cu.
#pragma once
#include "snake.cuh"

namespace snake {

constexpr u32 move_bits = 4, rank_hash = 50;
constexpr u32 words_of_thread = 64; // of a set at most, as in snakegpu/beam.go

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

// each calls f for the paths below n, by turns with other threads. Where several lanes share a path,
// all threads of a warp make the same number of calls: those that have no path left get the last one
// again and false, and must not store it.
template <u32 lanes, class F> __device__ ALWAYS_INLINE void each(u32 thread, u32 threads, u32 n, F f) {
	if constexpr (lanes == 1) {
		for (u32 i = thread; i < n; i += threads)
			f(i, true);
	} else {
		const u32 in_warp = thread % 32;
		for (u32 first = (thread - in_warp) / lanes; first < n; first += threads / lanes) {
			const u32 i = first + in_warp / lanes;
			f(i < n ? i : n - 1, i < n);
		}
	}
}

// Path is a path in registers: the words of its sets are indexed by constants only. A thread has
// registers for 64 words of two sets, so above dimension 11 neighbouring threads of a warp, the
// lanes, share a path. All threads of the warp then call flood, reaches and hash.
template <u32 dimension> struct Path {
	static constexpr u32 set_words = 1u << (dimension - 5);
	// words of a thread, and threads of a path
	static constexpr u32 words = set_words < words_of_thread ? set_words : words_of_thread, lanes = set_words / words;
	u32 free[words], reached[words];
	u32 head, allowed, image; // of the head, or the head

	__device__ static inline u32 lane() { return lanes == 1 ? 0 : thread_in_block() % lanes; }

	// word_of_set returns the number in the set of word i of this thread.
	__device__ static inline u32 word_of_set(u32 i) { return lane() * words + i; }

	// around has the bits of word i of the neighbours of a vertex.
	__device__ static inline u32 around(u32 i, u32 v, u32 in_word) {
		const u32 difference = word_of_set(i) ^ v >> 5;
		return difference == 0 ? in_word : (difference & (difference - 1)) == 0 ? 1u << (v & 31) : 0;
	}

	// drop drops the neighbours of a vertex from the free ones.
	__device__ ALWAYS_INLINE void drop(u32 v) {
		const u32 in_word = near(v & 31);
#pragma unroll
		for (u32 i = 0; i < words; i++)
			free[i] &= ~around(i, v, in_word);
	}

	// load_free loads the free vertices from a set.
	__device__ ALWAYS_INLINE void load_free(const u32 *set) {
		const words4 *mine = (const words4 *)(set + word_of_set(0));
#pragma unroll
		for (u32 i = 0; i < words / 4; i++) {
			const words4 four = mine[i];
#pragma unroll
			for (u32 k = 0; k < 4; k++)
				free[4 * i + k] = four[k];
		}
	}

	// store_reached stores what the last flood found in a set.
	__device__ ALWAYS_INLINE void store_reached(u32 *set) const {
		words4 *mine = (words4 *)(set + word_of_set(0));
#pragma unroll
		for (u32 i = 0; i < words / 4; i++)
			mine[i] = words4{reached[4 * i], reached[4 * i + 1], reached[4 * i + 2], reached[4 * i + 3]};
	}

	// load loads the parent of a child, and makes the child's move.
	__device__ ALWAYS_INLINE void load(const u32 *sets, const u32 *heads, u32 child, const Cube &cube) {
		const u32 parent = child >> move_bits, move = child & ((1u << move_bits) - 1);
		const u32 h = heads[parent], before = h & 0xffff;
		load_free(sets + (u64)parent * set_words);
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

	// cross_lanes does so with the words of another lane.
	template <u32 step> __device__ ALWAYS_INLINE void cross_lanes(u32 &changed) {
#pragma unroll
		for (u32 i = 0; i < words; i++) {
			const u32 more = shuffle_xor(reached[i], step) & free[i];
			changed |= more & ~reached[i];
			reached[i] |= more;
		}
	}

	// sum returns the sum over the lanes.
	__device__ static ALWAYS_INLINE u32 sum(u32 n) {
#pragma unroll
		for (u32 step = 1; step < lanes; step *= 2)
			n += shuffle_xor(n, step);
		return n;
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
			if constexpr (words > 8)
				cross<8>(changed);
			if constexpr (words > 16)
				cross<16>(changed);
			if constexpr (words > 32)
				cross<32>(changed);
			if constexpr (lanes > 1)
				cross_lanes<1>(changed);
			if constexpr (lanes > 2)
				cross_lanes<2>(changed);
			if constexpr (lanes > 1)
				changed = ballot(changed != 0);
		} while (changed);
		u32 n = 0;
#pragma unroll
		for (u32 i = 0; i < words; i++)
			n += __builtin_popcount(reached[i]);
		return sum(n);
	}

	// reaches reports whether the last flood found a neighbour of a vertex.
	__device__ ALWAYS_INLINE bool reaches(u32 v) const {
		const u32 in_word = near(v & 31);
		u32 found = 0;
#pragma unroll
		for (u32 i = 0; i < words; i++)
			found |= reached[i] & around(i, v, in_word);
		return sum(found != 0) != 0;
	}

	// hash returns a hash of everything that the path's continuations depend on. The lanes hash
	// their words one after another.
	__device__ ALWAYS_INLINE u64 hash(u64 salt) const {
		u64 h = salt ^ (u64)head << 32 ^ (u64)allowed << 16;
#pragma unroll
		for (u32 turn = 0; turn < lanes; turn++) {
			u64 key = (salt | 1) + word_of_set(0) / 2 * golden;
#pragma unroll
			for (u32 i = 0; i < words; i += 2) {
				key += golden;
				h += (u64)(reached[i] + (u32)key) * (reached[i + 1] + (u32)(key >> 32));
				h = h << 23 | h >> 41;
			}
			if constexpr (lanes > 1) {
				const u32 from = thread_in_block() % 32 - lane() + turn;
				h = (u64)shuffle((u32)(h >> 32), from) << 32 | shuffle((u32)h, from);
			}
		}
		return mix(h);
	}
};

} // namespace snake
