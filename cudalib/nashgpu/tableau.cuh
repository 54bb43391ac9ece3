// The search by labels of solvers/nash for one warp, with the same bits: tableaux
// of two polytopes, whose rows are distributed to the threads, so that each sum over
// a row's columns has the order that it has on the CPU. All threads of the warp call
// all functions here, with the same arguments.
//
// Where both tableaux have few rows, all rows are scanned at the same time. Work other
// than sums is also distributed by columns if a tableau has few rows.
//
// Loops are not unrolled, and each step is compiled once: warps wait mostly for
// instructions, because these do not fit in their cache.
#pragma once

#include "cuda.cuh"

namespace nash {

constexpr u32 warp = 32;
constexpr u32 max_labels = 128;
constexpr u8 to_q = 0x80; // in a decision: the label goes to Q, else to P

// As in solvers/nash/labels.
constexpr u32 constant = 0, forgotten = 1, first = 2;
constexpr double error_floor = 1e-11, error_scale = 1024, pivot_floor = 1e-9;
constexpr u32 max_pivots = 500;

__device__ inline double magnitude(double x) { return x < 0 ? -x : x; }
__device__ inline double larger(double x, double y) { return x > y ? x : y; }

__device__ inline double shuffle_xor(double value, u32 by) {
	u64 bits;
	__builtin_memcpy(&bits, &value, sizeof bits);
	const u32 low = ::shuffle_xor((u32)bits, by), high = ::shuffle_xor((u32)(bits >> 32), by);
	bits = (u64)high << 32 | low;
	__builtin_memcpy(&value, &bits, sizeof bits);
	return value;
}

constexpr u32 none = ~0u;

// Best is a number and its index, or none.
struct Best {
	double value;
	u32 index;

	// smallest and largest return the best of all threads. Of equals it is the one with
	// the preferred index, or else with the smallest.
	__device__ ALWAYS_INLINE static Best smallest(Best b, u32 preferred = none) {
		double value = b.value;
		for (u32 by = warp / 2; by > 0; by /= 2) {
			const double other = shuffle_xor(value, by);
			value = other < value ? other : value;
		}
		const u32 index = b.value == value ? b.index : none;
		if (preferred != none && ballot(index == preferred))
			return {value, preferred};
		for (u32 i = 0; i < max_labels; i += warp)
			if (const u32 found = ballot(index / warp == i / warp))
				return {value, i + __builtin_ctz(found)};
		return {value, none};
	}
	__device__ ALWAYS_INLINE static Best largest(Best b) {
		const Best found = smallest({-b.value, b.index});
		return {-found.value, found.index};
	}
};

constexpr double infinity = __builtin_inf();

// Labels is a set. It is in registers, because no index into it is computed.
struct Labels {
	u64 words[2];
	__device__ ALWAYS_INLINE bool has(u32 l) const {
		const u64 low = words[0], high = words[1];
		return (l < 64 ? low : high) >> (l & 63) & 1;
	}
	__device__ ALWAYS_INLINE void add(u32 l) {
		const u64 bit = (u64)1 << (l & 63);
		words[0] |= l < 64 ? bit : 0;
		words[1] |= l < 64 ? 0 : bit;
	}
};

enum Outcome { forced, empty, ambiguous, cycling };

// Tableau is one of the two. Its arrays are in shared memory.
struct Tableau {
	double *a; // column after column
	u8 *row_var, *col_var;
	double *row_probe, *col_probe; // the values of these variables at the probe
	u32 stride;                    // odd, so that rows too are in different banks
	u32 rows, cols;

	__device__ ALWAYS_INLINE double &at(u32 r, u32 c) const { return a[c * stride + r]; }

	// RowScan has a lower bound of a row's variable on the whole face, and the column to
	// pivot on, if an entry is large enough.
	struct RowScan {
		double slack;
		u32 enter;
	};
	__device__ ALWAYS_INLINE RowScan scan_row(u32 r) const {
		double lowest = at(r, constant), at_probe = lowest - at(r, forgotten), size = 1, largest = pivot_floor;
		RowScan s = {0, none};
#pragma unroll 1
		for (u32 c = 0; c < cols; c++) {
			const double x = at(r, first + c);
			lowest -= larger(x, 0);
			at_probe -= x * col_probe[c];
			size += magnitude(x);
			if (x > largest) {
				largest = x;
				s.enter = c;
			}
		}
		s.slack = lowest - larger(error_floor * size, error_scale * magnitude(at_probe - row_probe[r]));
		return s;
	}

	// score returns how close the variable of a row is to being positive on the whole
	// face.
	__device__ ALWAYS_INLINE double score(u32 r) const {
		double down = 1e-9;
#pragma unroll 1
		for (u32 c = 0; c < cols; c++)
			down += larger(at(r, first + c), 0);
		return at(r, constant) / down;
	}

	__device__ ALWAYS_INLINE void pivot(u32 r, u32 c) {
		const u32 lane = thread_in_block(), column = first + c;
		const double p = 1 / at(r, column);
		sync_warp();
#pragma unroll 1
		for (u32 j = lane; j < first + cols; j += warp)
			at(r, j) = (j == column ? 1 : at(r, j)) * p;
		sync_warp();
		// Where there are few rows two threads share each, by columns.
		const u32 sharing = rows <= warp / 2 ? 2 : 1, across = warp / sharing;
#pragma unroll 1
		for (u32 base = 0; base < rows; base += across) {
			const u32 i = base + lane % across, from = lane / across;
			const bool mine = i < rows && i != r;
			const double f = mine ? at(i, column) : 0;
			sync_warp(); // all that have the row have read f
			if (!mine)
				continue;
			if (column % sharing == from)
				at(i, column) = 0;
			subtract(from * stride + i, from * stride + r, f, (first + cols - from + sharing - 1) / sharing,
				sharing * stride);
			if (from == constant)
				at(i, constant) = larger(at(i, constant), 0);
		}
		if (lane == 0) {
			const u8 v = row_var[r];
			row_var[r] = col_var[c];
			col_var[c] = v;
			const double value = row_probe[r];
			row_probe[r] = col_probe[c];
			col_probe[c] = value;
		}
		sync_warp();
	}

	// subtract subtracts f times n entries from others. Both are given by the index of
	// their first and a step.
	__device__ ALWAYS_INLINE void subtract(u32 target, u32 source, double f, u32 n, u32 step) const {
		for (; n >= 4; n -= 4) { // all are read before the first is written
			const double x0 = a[target], x1 = a[target + step], x2 = a[target + 2 * step], x3 = a[target + 3 * step];
			const double y0 = a[source], y1 = a[source + step], y2 = a[source + 2 * step], y3 = a[source + 3 * step];
			a[target] = x0 - f * y0;
			a[target + step] = x1 - f * y1;
			a[target + 2 * step] = x2 - f * y2;
			a[target + 3 * step] = x3 - f * y3;
			target += 4 * step;
			source += 4 * step;
		}
#pragma unroll 1
		for (; n > 0; n--) {
			a[target] -= f * a[source];
			target += step;
			source += step;
		}
	}

	__device__ ALWAYS_INLINE void forget(u32 c) {
		const u32 last = cols - 1;
		const double value = col_probe[c];
		for (u32 r = thread_in_block(); r < rows; r += warp) {
			const double x = at(r, first + c), y = at(r, first + last);
			at(r, forgotten) += x * value;
			at(r, first + c) = y;
		}
		sync_warp();
		if (thread_in_block() == 0) {
			col_var[c] = col_var[last];
			col_probe[c] = col_probe[last];
		}
		cols--;
		sync_warp();
	}

	__device__ ALWAYS_INLINE void drop(u32 r) {
		const u32 last = rows - 1;
		if (r != last) {
			for (u32 j = thread_in_block(); j < first + cols; j += warp)
				at(r, j) = at(last, j);
			if (thread_in_block() == 0) {
				row_var[r] = row_var[last];
				row_probe[r] = row_probe[last];
			}
		}
		rows--;
		sync_warp();
	}

	// find returns the index of a variable in a list, or none.
	__device__ ALWAYS_INLINE static u32 find(const u8 *list, u32 n, u32 v) {
		for (u32 i = 0; i < n; i += warp)
			if (const u32 found = ballot(i + thread_in_block() < n && list[i + thread_in_block()] == v))
				return i + __builtin_ctz(found);
		return none;
	}

	// largest returns the column of the largest entry of a row, whatever its sign, or
	// none where all are small.
	__device__ ALWAYS_INLINE u32 largest(u32 r) const {
		u32 column = none;
		double best = pivot_floor;
#pragma unroll 1
		for (u32 j = 0; j < cols; j++)
			if (magnitude(at(r, first + j)) > best) {
				best = magnitude(at(r, first + j));
				column = j;
			}
		return column;
	}

	// force narrows the face to where a variable is 0.
	__device__ ALWAYS_INLINE Outcome force(u32 v, u64 &pivots) {
		Outcome o = forced;
		u32 c = find(col_var, cols, v);
		if (c == none) {
			const u32 r = find(row_var, rows, v);
			if (r == none)
				return empty;
			u32 leaving = none;
			for (u32 n = 0; leaving != r; n++) {
				if (n == max_pivots)
					return cycling;
				const RowScan s = scan_row(r);
				if (s.slack > 0)
					return empty;
				c = s.enter;
				leaving = r;
				pivots++;
				if (c == none) {
					o = ambiguous;
					c = largest(r);
					if (c == none) {
						sync_warp(); // all have read the row
						drop(r);
						return ambiguous;
					}
				} else {
					Best lowest = {infinity, none}; // of equals row r, and then the first
					for (u32 i = thread_in_block(); i < rows; i += warp) {
						const double x = at(i, first + c);
						if (x > pivot_floor) {
							const double ratio = at(i, constant) / x;
							if (ratio < lowest.value || (ratio == lowest.value && i == r))
								lowest = {ratio, i};
						}
					}
					leaving = Best::smallest(lowest, r).index;
				}
				pivot(leaving, c);
			}
		}
		forget(c);
		return o;
	}
};

struct Counts {
	u64 nodes, pivots, leaves, ambiguous;
};

// Cursor is a node of a tree and the path to it.
struct Cursor {
	Tableau p, q;
	double *scores; // of variables on P, then on Q
	u8 *path;
	u32 length, num_labels, order;
	Labels labels, in_q;
	Counts counts;
	bool failed;

	// side returns one of the tableaux, and keep stores its new size: so forcing is
	// compiled once for both, and all is in registers.
	template <class T> __device__ ALWAYS_INLINE static T pick(u32 s, T of_p, T of_q) { return s ? of_q : of_p; }
	__device__ ALWAYS_INLINE Tableau side(u32 s) const {
		return {pick(s, p.a, q.a), pick(s, p.row_var, q.row_var), pick(s, p.col_var, q.col_var),
			pick(s, p.row_probe, q.row_probe), pick(s, p.col_probe, q.col_probe), pick(s, p.stride, q.stride),
			pick(s, p.rows, q.rows), pick(s, p.cols, q.cols)};
	}
	__device__ ALWAYS_INLINE void keep(u32 s, const Tableau &t) {
		p.rows = pick(s, t.rows, p.rows);
		p.cols = pick(s, t.cols, p.cols);
		q.rows = pick(s, q.rows, t.rows);
		q.cols = pick(s, q.cols, t.cols);
	}

	// settle applies a decision, if there is one, and then assigns to one side the labels
	// whose variables on the other cannot be 0. It reports whether both faces have
	// points. Before the decision all such labels were assigned.
	__device__ ALWAYS_INLINE bool settle(u32 decision) {
		// Of each side, the known rows with a positive variable.
		u32 known = decision == none ? 0 : 3, positive_p = 0, positive_q = 0;
		u32 s = 1, quiet = 0, base = 0, left = 0; // the side that is scanned, down to row base, and rows that are left
		bool counted = false;
		for (;;) {
			if (decision == none) {
				counts.nodes += !counted;
				counted = true;
				if (left == 0) {
					bool both = false; // sides are scanned
					if (base == 0) {
						if (s == 1 && quiet >= 2)
							return true;
						s ^= 1;
						quiet++;
						if (known >> s & 1) {
							left = pick(s, positive_p, positive_q);
							positive_p = pick(s, 0u, positive_p); // they are processed now
							positive_q = pick(s, positive_q, 0u);
							continue;
						}
						known |= 1 << s;
						base = (side(s).rows + warp - 1) / warp * warp;
						both = p.rows < warp && p.rows + q.rows <= warp && base > 0;
					}
					if (base > 0) {
						base -= warp;
						const u32 lane = thread_in_block(), at = both && lane >= p.rows ? 1 : both ? 0 : s;
						const Tableau t = side(at);
						const u32 r = both ? lane - pick(at, 0u, p.rows) : base + lane;
						left = ballot(r < t.rows && t.scan_row(r).slack > 0);
						if (both) {
							const u32 of_p = left % ((u32)1 << p.rows), of_q = left >> p.rows;
							known = 3;
							positive_p = pick(s, 0u, of_p);
							positive_q = pick(s, of_q, 0u);
							left = pick(s, of_p, of_q);
						}
					}
					continue;
				}
				const u32 bit = 31 - __builtin_clz(left);
				left ^= 1u << bit;
				Tableau t = side(s);
				const u32 v = t.row_var[base + bit];
				sync_warp();
				t.drop(base + bit);
				keep(s, t);
				if (labels.has(v))
					continue;
				quiet = 0;
				decision = v | (s ? 0 : to_q);
			}
			const u32 label = decision & ~to_q, to = decision & to_q ? 1 : 0;
			labels.add(label);
			if (to)
				in_q.add(label);
			Tableau t = side(to);
			const Outcome o = t.force(label, counts.pivots);
			keep(to, t);
			known &= ~(1u << to);
			counts.ambiguous += o == ambiguous;
			failed = failed || o == cycling;
			if (o == empty || failed)
				return false;
			decision = none;
		}
	}

	// choose returns the label to branch over, or none.
	__device__ ALWAYS_INLINE u32 choose() {
		const u32 lane = thread_in_block();
		for (u32 l = lane; l < 2 * num_labels; l += warp)
			scores[l] = 0;
		sync_warp();
#pragma unroll 1
		for (u32 i = lane; i < p.rows + q.rows; i += warp) {
			const u32 s = i >= p.rows;
			const Tableau t = side(s);
			const u32 r = i - pick(s, 0u, p.rows);
			scores[s * num_labels + t.row_var[r]] = t.score(r);
		}
		sync_warp();
		Best best = {-1, none};
		for (u32 l = lane; l < num_labels; l += warp) {
			if (labels.has(l))
				continue;
			const double x = scores[l], y = scores[num_labels + l];
			const double score = order ? (x + 0.01) * (y + 0.01) : x + y;
			if (score > best.value)
				best = {score, l};
		}
		best = Best::largest(best);
		sync_warp();
		return best.index;
	}
};

} // namespace nash
