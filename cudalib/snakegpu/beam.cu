// Beam search for snakes: extends the kept paths by one edge, and finds the children
// to keep. Each kernel strides over the paths or over their children. The CPU
// reference implementation, solvers/nmcs/snake/internal/beam, keeps the same paths.
#include "beam.cuh"

using namespace snake;

constexpr u32 bins = 8192; // rankBins in snakegpu/beam.go

__device__ inline u64 edges_after(const u64 *edges, u32 child) {
	return mix(edges[child >> move_bits] + ((child & ((1u << move_bits) - 1)) + 1) * golden);
}

// append returns the index of a thread's n elements in a list that the grid appends to.
// All threads of the block must call it.
__device__ inline u32 append(u32 *counter, u32 n) {
	SHARED(u32, counts, 2);
	sync_block();
	if (thread_in_block() == 0)
		counts[0] = 0;
	sync_block();
	const u32 mine = fetch_add(&counts[0], n);
	sync_block();
	if (thread_in_block() == 0)
		counts[1] = fetch_add(counter, counts[0]);
	sync_block();
	return counts[1] + mine;
}

// beam_children lists the children of n paths.
__global__ void beam_children(u32 *children, u32 *count, const u32 *sets, const u32 *heads, u32 n, u32 words,
		const u16 *images, u32 symmetric) {
	for (u32 first = block_in_grid() * threads_in_block(); first < n; first += blocks_in_grid() * threads_in_block()) {
		const u32 i = first + thread_in_block();
		u32 moves = 0;
		if (i < n) {
			const u32 head = heads[i] & 0xffff, allowed = heads[i] >> 16;
			for (u32 m = 0; allowed >> m; m++) {
				const u32 v = head ^ 1u << m;
				u32 may = allowed >> m & sets[(u64)i * words + (v >> 5)] >> (v & 31) & 1;
				if (symmetric && may) {
					// The head may not be adjacent to its image.
					const u32 image = images[head];
					may = __builtin_popcount(v ^ images[v]) >= 2 &&
						(image == head || __builtin_popcount(v ^ image) >= 2);
				}
				moves |= may << m;
			}
		}
		u32 at = append(count, __builtin_popcount(moves));
		for (; moves; moves &= moves - 1)
			children[at++] = i << move_bits | (u32)__builtin_ctz(moves);
	}
}

template <u32 dimension>
__device__ ALWAYS_INLINE void rank(u64 *ranks, const u32 *children, const u32 *sets, const u32 *heads,
		u32 n, const Cube &cube, u64 salt) {
	each<Path<dimension>::lanes>((u32)thread_in_grid(), (u32)threads_in_grid(), n,
			[&](u32 i, bool stores) ALWAYS_INLINED {
		Path<dimension> p;
		p.load(sets, heads, children[i], cube);
		const u32 reached = p.flood();
		const u64 hash = p.hash(salt);
		if (stores && p.lane() == 0)
			ranks[i] = (u64)reached << rank_hash | hash >> (64 - rank_hash) | 1;
	});
}

#define BEAM_CUBE const u32 *unlock, const u16 *images, u32 symmetric
#define BEAM_RANK u64 *ranks, const u32 *children, const u32 *sets, const u32 *heads, u32 n, u64 salt, BEAM_CUBE
__global__ LAUNCH_BOUNDS(128, 8) void beam_rank_8(BEAM_RANK) {
	rank<8>(ranks, children, sets, heads, n, Cube{unlock, images, symmetric}, salt);
}
__global__ LAUNCH_BOUNDS(128, 6) void beam_rank_9(BEAM_RANK) {
	rank<9>(ranks, children, sets, heads, n, Cube{unlock, images, symmetric}, salt);
}
__global__ LAUNCH_BOUNDS(128, 4) void beam_rank_10(BEAM_RANK) {
	rank<10>(ranks, children, sets, heads, n, Cube{unlock, images, symmetric}, salt);
}
__global__ LAUNCH_BOUNDS(128, 2) void beam_rank_11(BEAM_RANK) {
	rank<11>(ranks, children, sets, heads, n, Cube{unlock, images, symmetric}, salt);
}
__global__ LAUNCH_BOUNDS(128, 2) void beam_rank_12(BEAM_RANK) {
	rank<12>(ranks, children, sets, heads, n, Cube{unlock, images, symmetric}, salt);
}
__global__ LAUNCH_BOUNDS(128, 2) void beam_rank_13(BEAM_RANK) {
	rank<13>(ranks, children, sets, heads, n, Cube{unlock, images, symmetric}, salt);
}

// beam_enter inserts children into a hash table by their ranks: a slot has a rank and
// the complement of the lowest hash of edges.
__global__ void beam_enter(u64 *table, u32 *slots, const u64 *ranks, const u32 *children,
		const u64 *edges, u32 n, u32 mask) {
	for (u32 i = (u32)thread_in_grid(); i < n; i += (u32)threads_in_grid()) {
		const u64 r = ranks[i];
		u32 at = (u32)(r >> 1) & mask;
		for (;; at = (at + 1) & mask) {
			const u64 found = claim_slot(&table[2 * (u64)at], r);
			if (found == 0 || found == r)
				break;
		}
		slots[i] = at;
		atomic_max(&table[2 * (u64)at + 1], ~edges_after(edges, children[i]));
	}
}

// beam_drop removes duplicates: it sets the ranks of all but one of equal children to 0.
__global__ void beam_drop(u64 *ranks, u32 *count, const u64 *table, const u32 *slots,
		const u32 *children, const u64 *edges, u32 n) {
	for (u32 first = block_in_grid() * threads_in_block(); first < n; first += blocks_in_grid() * threads_in_block()) {
		const u32 i = first + thread_in_block();
		u32 stays = 0;
		if (i < n) {
			stays = table[2 * (u64)slots[i] + 1] == ~edges_after(edges, children[i]);
			if (!stays)
				ranks[i] = 0;
		}
		append(count, stays);
	}
}

// beam_count counts the ranks whose bits in mask are as wanted, by the bits at shift.
__global__ void beam_count(u32 *counts, const u64 *ranks, u32 n, u64 wanted, u64 mask, u32 shift) {
	DYNAMIC_SHARED(u32, mine);
	for (u32 i = thread_in_block(); i < bins; i += threads_in_block())
		mine[i] = 0;
	sync_block();
	for (u32 i = (u32)thread_in_grid(); i < n; i += (u32)threads_in_grid()) {
		const u64 r = ranks[i];
		if (r != 0 && (r & mask) == wanted)
			atomic_add(&mine[(u32)(r >> shift) & (bins - 1)], 1u);
	}
	sync_block();
	for (u32 i = thread_in_block(); i < bins; i += threads_in_block())
		if (mine[i])
			atomic_add(&counts[i], mine[i]);
}

// beam_keep lists the children of at least a rank.
__global__ void beam_keep(u32 *kept, u32 *count, const u64 *ranks, const u32 *children, u32 n, u64 threshold) {
	for (u32 first = block_in_grid() * threads_in_block(); first < n; first += blocks_in_grid() * threads_in_block()) {
		const u32 i = first + thread_in_block();
		const u32 keep = i < n && ranks[i] >= threshold;
		const u32 at = append(count, keep);
		if (keep)
			kept[at] = children[i];
	}
}

template <u32 dimension>
__device__ ALWAYS_INLINE void grow(u32 *to, u32 *to_heads, u64 *to_edges, const u32 *kept, const u32 *sets,
		const u32 *heads, const u64 *edges, u32 n, const Cube &cube) {
	each<Path<dimension>::lanes>((u32)thread_in_grid(), (u32)threads_in_grid(), n,
			[&](u32 i, bool stores) ALWAYS_INLINED {
		Path<dimension> p;
		p.load(sets, heads, kept[i], cube);
		p.flood();
		if (!stores)
			return;
		p.store_reached(to + (u64)i * p.set_words);
		if (p.lane() == 0) {
			to_heads[i] = p.head | p.allowed << 16;
			to_edges[i] = edges_after(edges, kept[i]);
		}
	});
}

#define BEAM_GROW u32 *to, u32 *to_heads, u64 *to_edges, const u32 *kept, const u32 *sets, const u32 *heads, \
	const u64 *edges, u32 n, BEAM_CUBE
__global__ LAUNCH_BOUNDS(128, 8) void beam_grow_8(BEAM_GROW) {
	grow<8>(to, to_heads, to_edges, kept, sets, heads, edges, n, Cube{unlock, images, symmetric});
}
__global__ LAUNCH_BOUNDS(128, 6) void beam_grow_9(BEAM_GROW) {
	grow<9>(to, to_heads, to_edges, kept, sets, heads, edges, n, Cube{unlock, images, symmetric});
}
__global__ LAUNCH_BOUNDS(128, 4) void beam_grow_10(BEAM_GROW) {
	grow<10>(to, to_heads, to_edges, kept, sets, heads, edges, n, Cube{unlock, images, symmetric});
}
__global__ LAUNCH_BOUNDS(128, 2) void beam_grow_11(BEAM_GROW) {
	grow<11>(to, to_heads, to_edges, kept, sets, heads, edges, n, Cube{unlock, images, symmetric});
}
__global__ LAUNCH_BOUNDS(128, 2) void beam_grow_12(BEAM_GROW) {
	grow<12>(to, to_heads, to_edges, kept, sets, heads, edges, n, Cube{unlock, images, symmetric});
}
__global__ LAUNCH_BOUNDS(128, 2) void beam_grow_13(BEAM_GROW) {
	grow<13>(to, to_heads, to_edges, kept, sets, heads, edges, n, Cube{unlock, images, symmetric});
}

#undef BEAM_CUBE
#undef BEAM_RANK
#undef BEAM_GROW
