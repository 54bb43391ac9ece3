// Walks over snakes and coils, a warp each. It makes the same changes as
// solvers/nmcs/snake/records/walk.go, which describes them.
#include "snake.cuh"

using namespace snake;

// As in walk.go.
constexpr u32 min_window = 3, max_part = 60, end_percent = 20;
constexpr u32 max_entered = 300, max_trail = 256;
constexpr int edge_worth = 10, max_shorter = 8;
constexpr u32 near_goal = 64, never_free = 128;

// Walks are the walks of a launch.
struct Walks {
	u16 *paths, *longest;      // `stride` vertices of each
	u32 *lengths, *longest_of; // vertices
	u64 *streams, *entered;    // random numbers, and vertices entered by searches
	const u32 *flips;          // of the rotation of each
	const u8 *from;            // and 16 of each: by bit of an image, the bit of the vertex that it has
	u32 n, stride, changes, dimension, coil, copies;
};

__device__ inline u32 below(u64 &stream, u32 n) { return (u32)((u64)draw(stream) * n >> 32); }

// draw_move draws one of several moves, given as bits.
__device__ inline u32 draw_move(u64 &stream, u32 moves) {
	for (u32 skip = below(stream, __builtin_popcount(moves)); skip > 0; skip--)
		moves &= moves - 1;
	return __builtin_ctz(moves);
}

__device__ inline u32 smaller(u32 x, u32 y) { return x < y ? x : y; }

// Walker makes the changes of a walk. All threads of its warp have the same values, except of
// `lane`, `across` and `from`.
struct Walker {
	u8 *near;     // by vertex: itself and its neighbours on the path, and near_goal
	u16 *trail;   // vertices, and moves to try at each of them
	u16 *left;
	u16 *path;
	u32 dimension, lane;
	u32 across;   // what leads from a vertex to the one that this thread counts for
	u32 from;     // the bit of a vertex that this thread's bit of its image has, or a bit that is never set
	u32 flips, copies;
	u32 vertices, longest; // of the path, and of the longest so far
	u64 stream;
	int room, gates;
	u64 entered;

	// counts reports whether this thread counts for a neighbour of a vertex; the thread
	// after these counts for the vertex itself, and the others for nothing.
	__device__ ALWAYS_INLINE bool counts() const { return lane < dimension; }

	// turn returns the image of a vertex in the next copy.
	__device__ ALWAYS_INLINE u32 turn(u32 v) const { return ballot(v >> from & 1) ^ flips; }

	__device__ ALWAYS_INLINE void enter_one(u32 v, u32 &moves, u32 &closing) {
		u32 n = ~0u;
		if (lane <= dimension)
			n = ++near[v ^ across];
		moves = ballot(counts() && n == 1);
		closing = ballot(counts() && n == near_goal + 2);
		room -= __builtin_popcount(ballot((n & ~near_goal) <= 2)), gates -= __builtin_popcount(closing);
		sync_warp();
	}

	__device__ ALWAYS_INLINE void leave_one(u32 v) {
		u32 n = ~0u;
		if (lane <= dimension)
			n = --near[v ^ across];
		room += __builtin_popcount(ballot((n & ~near_goal) < 2));
		gates += __builtin_popcount(ballot(counts() && n == near_goal + 1));
		sync_warp();
	}

	// enter puts a vertex on the path, and its images on the copies.
	__device__ ALWAYS_INLINE void enter(u32 v, u32 &moves, u32 &closing) {
		u32 image = v;
		for (u32 i = 1; i < copies; i++)
			enter_one(image = turn(image), moves, closing);
		enter_one(v, moves, closing);
	}

	__device__ ALWAYS_INLINE void leave(u32 v) {
		u32 image = v;
		for (u32 i = 1; i < copies; i++)
			leave_one(image = turn(image));
		leave_one(v);
	}

	// clear counts for an empty path. A path cannot enter vertices that are their own images, or
	// adjacent to one.
	__device__ ALWAYS_INLINE void clear() {
		for (u32 i = lane; i < 1u << dimension; i += 32)
			near[i] = 0;
		sync_warp();
		room = (int)(2u << dimension);
		for (u32 v = 0; copies > 1 && v < 1u << dimension; v++) {
			bool meets = false;
			u32 image = v;
			for (u32 i = 1; i < copies; i++) {
				image = turn(image);
				meets |= __builtin_popcount(v ^ image) < 2;
			}
			if (meets) {
				room -= 2;
				if (lane == 0)
					near[v] = never_free;
			}
		}
		sync_warp();
	}

	__device__ ALWAYS_INLINE void enter_all(const u16 *part, u32 n) {
		u32 moves, closing;
		for (u32 i = 0; i < n; i++)
			enter(part[i], moves, closing);
	}

	__device__ ALWAYS_INLINE void aim(u32 goal) {
		u32 n = 0;
		if (counts())
			n = near[goal ^ across] |= near_goal;
		gates = __builtin_popcount(ballot(n == near_goal + 1));
		sync_warp();
	}

	__device__ ALWAYS_INLINE void unaim(u32 goal) {
		if (counts())
			near[goal ^ across] &= (u8)~near_goal;
		sync_warp();
	}

	__device__ ALWAYS_INLINE int worth(u32 part) const { return edge_worth * (int)part + room / (int)copies; }

	// worth_with returns the worth of the path with a part, whose last vertex may have to be entered
	// still.
	__device__ ALWAYS_INLINE int worth_with(u32 last, bool still, u32 part) {
		u32 moves, closing;
		if (still)
			enter(last, moves, closing);
		const int all = worth(part);
		if (still)
			leave(last);
		return all;
	}

	__device__ ALWAYS_INLINE bool accepts(int less) {
		const u32 zeros = (u32)less / 2;
		return less < 2 || ((u64)draw(stream) >> (32 - smaller(zeros, 32)) == 0 && zeros <= 32);
	}

	// is_old reports whether the trail is the old part.
	__device__ ALWAYS_INLINE bool is_old(const u16 *old, u32 n) const {
		bool differs = false;
		for (u32 i = lane; i < n; i += 32)
			differs |= trail[i] != old[i];
		return ballot(differs) == 0;
	}

	// search looks for another part, and returns its number of vertices, 0 for none. It is
	// the beginning of the trail.
	__device__ ALWAYS_INLINE u32 search(const u16 *old, u32 old_vertices, int least, int before, bool window) {
		u32 v = old[0], at = 0;
		if (lane == 0)
			trail[0] = (u16)v;
		for (u32 n = 1;; n++) {
			u32 moves, closing, part = at + 1;
			enter(v, moves, closing);
			u32 last = v;
			if (closing) {
				last = v ^ 1u << draw_move(stream, closing);
				if (lane == 0)
					trail[part] = (u16)last;
				part++;
				sync_warp();
			} else if (gates == 0)
				moves = 0;
			const bool whole = closing || (!window && moves == 0);
			const bool found = whole && (int)part >= least && (part != old_vertices || !is_old(old, part)) &&
				accepts(before - worth_with(last, closing, part));
			const bool exhausted = found || n == max_entered || at == max_trail - 2;
			while (exhausted || moves == 0) {
				leave(v);
				if (at == 0) {
					entered += n;
					return found ? part : 0;
				}
				at--;
				v = trail[at], moves = left[at];
			}
			const u32 bit = 1u << draw_move(stream, moves);
			v ^= bit;
			sync_warp(); // before trail and left change that others read
			if (lane == 0)
				left[at] = (u16)(moves ^ bit), trail[at + 1] = (u16)v;
			at++;
		}
	}

	__device__ ALWAYS_INLINE void reverse() {
		for (u32 i = lane; i < vertices / 2; i += 32) {
			const u16 v = path[i];
			path[i] = path[vertices - 1 - i], path[vertices - 1 - i] = v;
		}
		sync_warp();
	}

	// replace puts the trail in the place of a part of the path.
	__device__ ALWAYS_INLINE void replace(u32 from, u32 to, u32 part) {
		const u32 tail = vertices - to, now = from + part;
		for (u32 moved = 0; now != to && moved < tail; moved += 32) {
			const u32 i = moved + lane;
			const u32 at = now < to ? i : tail - 1 - i; // what is moved does not overwrite what is yet to be
			u16 v = 0;
			if (i < tail)
				v = path[to + at];
			sync_warp();
			if (i < tail)
				path[now + at] = v;
			sync_warp();
		}
		for (u32 i = lane; i < part; i += 32)
			path[from + i] = trail[i];
		vertices = now + tail;
		sync_warp();
	}

	// change tries a change.
	__device__ ALWAYS_INLINE void change(bool coil) {
		const u32 last = vertices - 1;
		u32 from, to = vertices;
		const bool window = coil || below(stream, 100) >= end_percent;
		if (!window) {
			if (below(stream, 2) == 0)
				reverse();
			from = last - 1 - below(stream, smaller(max_part, last));
		} else if (last < min_window)
			return;
		else {
			const u32 edges = min_window + below(stream, smaller(max_part, last) - min_window + 1);
			from = below(stream, last - edges + 1);
			to = from + edges;
		}
		const u32 old_vertices = to - from;
		const u16 *const old = path + from;
		const int before = worth(old_vertices), least = (int)longest - max_shorter - (int)(vertices - old_vertices);
		for (u32 i = 0; i < old_vertices; i++)
			leave(old[i]);
		gates = 1;
		if (window)
			aim(path[to]);
		const u32 part = search(old, old_vertices, least, before, window);
		if (window)
			unaim(path[to]);
		if (part == 0) {
			enter_all(old, old_vertices);
			return;
		}
		enter_all(trail, part);
		replace(from, to, part);
	}
};

// walk makes the changes of a launch. The shared memory of a warp is the counts of all
// vertices, the trail, and its moves.
__global__ LAUNCH_BOUNDS(128, 8) void walk(u16 *paths, u16 *longest, u32 *lengths,
		u32 *longest_of, u64 *streams, u64 *entered, const u32 *flips, const u8 *from, u32 n, u32 stride, u32 changes,
		u32 dimension, u32 coil, u32 copies) {
	const Walks w = {paths, longest, lengths, longest_of, streams, entered, flips, from, n,
		stride, changes, dimension, coil, copies};
	DYNAMIC_SHARED(u8, memory);
	const u32 lane = thread_in_block() % 32, in_block = thread_in_block() / 32;
	const u32 number = block_in_grid() * (threads_in_block() / 32) + in_block;
	if (number >= w.n)
		return;
	u8 *const mine = memory + in_block * ((1u << w.dimension) + 4 * max_trail);
	Walker k = {mine + 4 * max_trail, (u16 *)mine, (u16 *)mine + max_trail, w.paths + (u64)number * w.stride,
		w.dimension, lane, lane < w.dimension ? 1u << lane : 0, lane < w.dimension ? (u32)w.from[number * 16 + lane]
		: 31, w.flips[number], w.copies, w.lengths[number], w.longest_of[number], w.streams[number], 0, 0, 0};
	k.clear();
	k.enter_all(k.path, k.vertices);
	u16 *const best = w.longest + (u64)number * w.stride;
	for (u32 i = 0; i < w.changes; i++) {
		k.change(w.coil != 0);
		if (k.vertices > k.longest) {
			k.longest = k.vertices;
			for (u32 j = lane; j < k.longest; j += 32)
				best[j] = k.path[j];
			sync_warp();
		}
	}
	if (lane == 0)
		w.lengths[number] = k.vertices, w.longest_of[number] = k.longest, w.streams[number] = k.stream,
			w.entered[number] = k.entered;
}
