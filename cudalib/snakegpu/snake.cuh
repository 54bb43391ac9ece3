// Searches for snakes in the box: random games in sets of bits, and the searches
// around them. solvers/nmcs and solvers/nmcs/snake describe them, and are the CPU
// reference implementation.
//
// A vertex of the cube is a number of `dimension` bits. Its lowest five are its bit
// in a word of a set, the others the word.
#pragma once
#include "cuda.cuh"

namespace snake {

// A move is a dimension, and a record has eight of them a word, first one
// lowest.
constexpr u32 in_word = 8;

// ---- random numbers, as in internal/rng

constexpr u64 golden = 0x9e3779b97f4a7c15;

__device__ inline u64 mix(u64 x) {
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
	x = (x ^ x >> 27) * 0x94d049bb133111eb;
	return x ^ x >> 31;
}

__device__ inline u64 run_key(u64 seed, u64 run) { return mix(mix(seed) + run * golden); }
__device__ inline u64 child_key(u64 key, u32 ply, u32 move) { return mix(key ^ ((u64)ply << 32 | move) * golden); }
__device__ inline u64 stream_of(u64 key, u32 slot) { return mix(key + (slot + 1) * golden) | 1; }

__device__ inline u32 draw(u64 &stream) {
	const u32 low = (u32)stream, high = (u32)(stream >> 32);
	stream = (u64)low * 4294883355u + high;
	return low ^ high;
}

// ---- a game

// near has the neighbours of a bit in its word.
__device__ inline u32 near(u32 bit_index) {
	u32 bits = 0;
	for (u32 i = 0; i < 5; i++)
		bits |= 0x80000000u >> (bit_index ^ 31 ^ 1 << i);
	return bits;
}

// Words of sets in shared memory: word w of a thread is at w * stride + thread,
// so that the words of a warp are in 32 banks, whichever w its threads access.
// Offsets are in bytes, and the stride is a power of two, so the word of a
// neighbour is an exclusive or away. Offsets have 32 bits and cost one instruction,
// where pointers cost three.
template <u32 stride> struct SharedSet {
	unsigned char *memory;
	u32 thread;

	__device__ inline u32 offset(u32 v) const { return (v >> 5) * stride * 4 | thread * 4; }
	__device__ inline u32 get(u32 offset) const { return shared_load(memory, offset); }
	__device__ inline void put(u32 offset, u32 word) const { shared_store(memory, offset, word); }
	__device__ inline void put_word(u32 w, u32 word) const { put(w * stride * 4 | thread * 4, word); }
};

// step finds the moves from vertex v, blocks all its neighbours, and draws a move. It
// returns the move's bit, or 0 if there is none.
template <u32 dimension, u32 stride>
__device__ inline u32 step(const SharedSet<stride> &set, u32 v, u32 allowed, u64 &stream) {
	const u32 bit_index = v & 31, mine = set.offset(v);
	const u32 word = set.get(mine);
	u32 others[dimension - 5];
#pragma unroll
	for (u32 j = 0; j < dimension - 5; j++)
		others[j] = set.get(mine ^ stride * 4 << j);
	// The blocked neighbours, from the highest dimension down: each is moved to the top
	// bit of a word, and shifted in from there.
	u32 blocked = 0;
	const u32 top = bit_index ^ 31;
#pragma unroll
	for (u32 j = dimension - 5; j-- > 0;)
		blocked = shift_in(blocked, others[j] << top);
	u32 bits = 0;
#pragma unroll
	for (u32 i = 5; i-- > 0;) {
		const u32 shift = top ^ 1 << i;
		blocked = shift_in(blocked, word << shift);
		bits |= 0x80000000u >> shift;
	}
	set.put(mine, word | bits);
	const u32 bit = 1u << bit_index;
#pragma unroll
	for (u32 j = 0; j < dimension - 5; j++)
		set.put(mine ^ stride * 4 << j, others[j] | bit);
	u32 moves = allowed & ~blocked;
	if (moves == 0)
		return 0;
	const u32 n = __builtin_popcount(moves);
	u32 skip = multiply_high(draw(stream), n);
#pragma unroll
	for (u32 i = 0; i < 3; i++)
		moves = skip > i ? moves & (moves - 1) : moves;
#pragma clang loop unroll(disable)
	for (; skip > 3; skip--)
		moves &= moves - 1;
	return moves & -moves;
}

// Work is the state of a launch. There is a lane for each search.
struct Work {
	// position of each level from 1 up and lane, where the neighbours of the head are blocked too
	u32 *sets;
	u32 *records;      // of each buffer, word and lane
	u64 *streams;      // of each slot of a leaf and lane
	u32 *saved;        // of each field and lane: the state of a lane between launches
	const u32 *start;  // the set of the first position, its head, the dimensions it allows
	u32 *lengths;      // of each run that ended: moves, from 1 up
	u32 *lines;        // and their record
	u64 *counts;       // playouts, their moves, runs that were begun
	u64 seed, first;   // number of the first run
	u32 runs, level, leaf, full, lanes;
};

enum { playouts, moves_made, begun };

// Buffers of records. Pairs swap their roles: of play, one has the playout and the
// other the best of the level; of line, one has the moves of level 1 and the other the
// best line of level 2.
enum { play, line = 2, moves_of_two = 4, buffers };

// Lane is a search without its playout. A playout that a launch does not finish is
// played again in the next.
template <u32 dimension> struct Lane {
	static constexpr u32 words = 1u << (dimension - 5);
	static constexpr u32 record_words = (1u << (dimension - 1)) / in_word;

	// Fields, in the order in which they are saved.
	u32 state;                                 // see below
	u32 run, slot, flip, flip_line;
	u32 head, allowed, todo, length, from;     // of level 1; moves to try; moves since the start; those before the line
	int best;                                  // length
	u32 best_from, best_lane, best_buffer;     // length before it; lane and buffer of its moves
	u32 head2, allowed2, todo2, length2, best2_from;
	int best2;                                 // the same of level 2
	u32 key_low, key_high;                     // of the run
	static constexpr u32 saved_fields = 22;

	enum { no_run, playing, ended, idle };

	__device__ inline u64 key() const { return (u64)key_high << 32 | key_low; }

	__device__ inline u32 *set(const Work &w, u32 lane, u32 level) const {
		return w.sets + ((u64)(level - 1) * w.lanes + lane) * words;
	}
	__device__ inline u32 &record(const Work &w, u32 lane, u32 buffer, u32 word) const {
		return w.records[((u64)buffer * record_words + word) * w.lanes + lane];
	}
	__device__ inline u32 move(const Work &w, u32 lane, u32 buffer, u32 i) const {
		return record(w, lane, buffer, i / in_word) >> (i % in_word * 4) & 15;
	}
	__device__ inline void append(const Work &w, u32 lane, u32 buffer, u32 i, u32 move) const {
		u32 &word = record(w, lane, buffer, i / in_word);
		word = i % in_word ? word | move << (i % in_word * 4) : move;
	}

	// moves_from returns the moves from a vertex, and blocks its neighbours.
	__device__ static inline u32 moves_from(u32 *set, u32 v, u32 allowed) {
		const u32 bit_index = v & 31, w = v >> 5, word = set[w];
		u32 moves = 0;
		for (u32 i = 0; i < 5; i++)
			moves |= (~word >> (bit_index ^ 1 << i) & 1) << i;
		set[w] = word | near(bit_index);
		for (u32 j = 0; j < dimension - 5; j++) {
			const u32 other = set[w ^ 1 << j];
			moves |= (~other >> bit_index & 1) << (j + 5);
			set[w ^ 1 << j] = other | 1u << bit_index;
		}
		return moves & allowed;
	}

	__device__ static inline u32 allow(const Work &w, u32 allowed, u32 bit) { return allowed | (bit << 1 & w.full); }

	// begin_level1 starts a search of level 1 from a position after some moves.
	__device__ inline void begin_level1(const Work &w, u32 lane, const u32 *position, u32 v,
			u32 allow, u64 search_key) {
		u32 *mine = set(w, lane, 1);
#pragma clang loop unroll(disable)
		for (u32 i = 0; i < words; i++)
			mine[i] = position[i];
		head = v, allowed = allow, slot = 0;
#pragma clang loop unroll(disable)
		for (u32 i = 0; i < w.leaf; i++)
			w.streams[(u64)i * w.lanes + lane] = stream_of(search_key, i);
		best = (int)length;
		if (w.level == 0)
			best--, todo = 0; // the first playout is better, and it starts right here
		else
			todo = moves_from(mine, head, allowed);
	}

	// begin_run starts the next run, if there is one.
	__device__ inline bool begin_run(const Work &w, u32 lane) {
		run = (u32)fetch_add(&w.counts[begun], 1);
		if (run >= w.runs) {
			state = idle;
			return false;
		}
		const u64 k = run_key(w.seed, w.first + run);
		key_low = (u32)k, key_high = (u32)(k >> 32);
		length = from = 0;
		const u32 v = w.start[words], allow = w.start[words + 1];
		if (w.level < 2) {
			begin_level1(w, lane, w.start, v, allow, k);
			return true;
		}
		u32 *two = set(w, lane, 2);
#pragma clang loop unroll(disable)
		for (u32 i = 0; i < words; i++)
			two[i] = w.start[i];
		head2 = v, allowed2 = allow, length2 = 0, best2 = 0;
		todo2 = moves_from(two, head2, allowed2);
		if (todo2)
			try_level1(w, lane);
		else
			todo = 0;
		return true;
	}

	// try_level1 tries the next move of level 2.
	__device__ inline void try_level1(const Work &w, u32 lane) {
		const u32 bit = todo2 & -todo2, m = __builtin_ctz(bit);
		from = length2, length = length2 + 1;
		append(w, lane, line + flip_line, 0, m);
		begin_level1(w, lane, set(w, lane, 2), head2 ^ bit, allow(w, allowed2, bit), child_key(key(), length2, m));
	}

	// end_run keeps the result, whose moves are in a buffer.
	__device__ inline void end_run(const Work &w, u32 lane, u32 moves, u32 buffer) {
#pragma clang loop unroll(disable)
		for (u32 i = 0; i < (moves + in_word - 1) / in_word; i++)
			w.lines[(u64)run * record_words + i] = record(w, lane, buffer, i);
		w.lengths[run] = moves + 1;
		state = no_run;
	}

	// better reports whether a playout of level 1 is longer than this lane's best, and
	// keeps it: its moves are in a buffer of a lane.
	__device__ inline bool better(u32 moves, u32 lane, u32 buffer) {
		const int total = (int)(length + moves);
		if (total <= best)
			return false;
		best = total, best_from = length, best_lane = lane, best_buffer = buffer;
		return true;
	}

	// advance advances the search to the start of the next playout. It is called when all
	// playouts of a leaf are done, or when there is no run.
	__device__ NOINLINE void advance(const Work &w, u32 lane) {
		if (state == ended) {
			if (w.level == 0) {
				copy_line(w, lane, (u32)best);
				end_run(w, lane, (u32)best, line + flip_line);
			} else {
				todo &= todo - 1;
				while (todo == 0 && (u32)best > length) {
					const u32 m = move(w, best_lane, best_buffer, length - best_from);
					append(w, lane, line + flip_line, length - from, m);
					head ^= 1u << m, allowed = allow(w, allowed, 1u << m), length++;
					todo = moves_from(set(w, lane, 1), head, allowed);
				}
			}
		}
		if (state == no_run && !begin_run(w, lane))
			return;
		// A search of level 1 without moves to try is over.
		while (state != idle && todo == 0 && w.level > 0) {
			if (w.level == 1)
				end_run(w, lane, length, line + flip_line);
			else
				end_level1(w, lane);
			if (state == no_run)
				begin_run(w, lane);
		}
		if (state != idle)
			state = playing;
	}

	// copy_line copies the best of a run of level 0 to the line.
	__device__ inline void copy_line(const Work &w, u32 lane, u32 moves) {
#pragma clang loop unroll(disable)
		for (u32 i = 0; i < (moves + in_word - 1) / in_word; i++)
			record(w, lane, line + flip_line, i) = record(w, best_lane, best_buffer, i);
	}

	// end_level1 passes the result of level 1 to level 2.
	__device__ inline void end_level1(const Work &w, u32 lane) {
		state = playing;
		if (todo2 && (int)length > best2) {
			best2 = (int)length, best2_from = length2;
			flip_line ^= 1;
		}
		todo2 &= todo2 - 1;
		while (todo2 == 0 && (u32)best2 > length2) {
			const u32 m = move(w, lane, line + (flip_line ^ 1), length2 - best2_from);
			append(w, lane, moves_of_two, length2, m);
			head2 ^= 1u << m, allowed2 = allow(w, allowed2, 1u << m), length2++;
			todo2 = moves_from(set(w, lane, 2), head2, allowed2);
		}
		if (todo2)
			try_level1(w, lane);
		else
			end_run(w, lane, length2, moves_of_two);
	}

	__device__ inline void load(const Work &w, u32 lane) {
		u32 *const field = (u32 *)this;
#pragma unroll
		for (u32 i = 0; i < saved_fields; i++)
			field[i] = w.saved[(u64)i * w.lanes + lane];
	}
	__device__ inline void save(const Work &w, u32 lane) const {
		const u32 *const field = (const u32 *)this;
#pragma unroll
		for (u32 i = 0; i < saved_fields; i++)
			w.saved[(u64)i * w.lanes + lane] = field[i];
	}
};

// Playout is the part of a lane's playout that changes with every move, and is kept in
// registers.
template <u32 dimension> struct Playout {
	u32 v, allowed, n, bits; // head, dimensions, number of moves, the last eight or fewer
	u64 stream;
	u32 *record;             // its word 0; the others follow at this stride
	u32 record_stride, full;

	// begin sets up the first position, after the move that is tried.
	template <u32 stride>
	__device__ inline void begin(const Work &w, const Lane<dimension> &from, u32 lane, const SharedSet<stride> &board) {
		const words4 *set = (const words4 *)from.set(w, lane, 1);
#pragma unroll
		for (u32 i = 0; i < Lane<dimension>::words / 4; i++) {
			const words4 four = set[i];
#pragma unroll
			for (u32 k = 0; k < 4; k++)
				board.put_word(4 * i + k, four[k]);
		}
		full = w.full, record_stride = w.lanes;
		const u32 bit = from.todo & -from.todo; // 0 at level 0
		v = from.head ^ bit, allowed = from.allowed | (bit << 1 & full);
		n = bit != 0;
		bits = bit ? highest_bit(bit) << 28 : 0;
	}

	// writes_to sets where the moves go.
	__device__ inline void writes_to(const Work &w, const Lane<dimension> &me, u32 lane) {
		record = &me.record(w, lane, play + me.flip, 0);
	}

	// advance makes moves, up to a number. It reports whether the playout continues.
	template <u32 stride> __device__ inline bool advance(const SharedSet<stride> &board, u32 steps) {
#pragma clang loop unroll(disable)
		for (u32 k = 0; k < steps; k++) {
			const u32 bit = step<dimension, stride>(board, v, allowed, stream);
			if (bit == 0)
				return false;
			v ^= bit, allowed |= bit << 1 & full;
			bits = bits >> 4 | highest_bit(bit) << 28;
			n++;
			if (n % in_word == 0)
				record[(u64)(n / in_word - 1) * record_stride] = bits;
		}
		return true;
	}

	// put_record writes the last moves to the record.
	__device__ inline void put_record() const {
		if (n % in_word)
			record[(u64)(n / in_word) * record_stride] = bits >> (4 * (in_word - n % in_word));
	}
};

} // namespace snake
