// The search by labels of solvers/nash for one warp, with the same bits: tableaux
// of two polytopes whose rows are shared out to the threads, so that each sum over
// a row's columns has the order that it has on the CPU. All threads of the warp
// run all functions here together, with the same arguments.
#pragma once

#include "cuda.cuh"

namespace nash {

constexpr u32 warp = 32;
constexpr u32 max_labels = 128;
constexpr u8 to_q = 0x80; // in a decision: the label goes to Q, else to P

// As in solvers/nash/tableau.go.
constexpr u32 constant = 0, forgotten = 1, first = 2;
constexpr double error_floor = 1e-11, error_scale = 1024, pivot_floor = 1e-9;
constexpr u32 patience = 500;

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

// Best is a number and whose it is, or none.
struct Best {
	double value;
	u32 index;

	// least and most return the best of all threads, of equals that of the least
	// index.
	__device__ static Best least(Best b) {
		for (u32 by = warp / 2; by > 0; by /= 2) {
			const double value = shuffle_xor(b.value, by);
			const u32 index = ::shuffle_xor(b.index, by);
			if (value < b.value || (value == b.value && index < b.index))
				b = {value, index};
		}
		return b;
	}
	__device__ static Best most(Best b) {
		const Best found = least({-b.value, b.index});
		return {-found.value, found.index};
	}
};

constexpr u32 none = ~0u;
constexpr double infinity = __builtin_inf();

struct Labels {
	u64 words[2];
	__device__ bool has(u32 l) const { return words[l >> 6] >> (l & 63) & 1; }
	__device__ void add(u32 l) { words[l >> 6] |= (u64)1 << (l & 63); }
};

enum Outcome { forced, empty, doubtful, stuck };

struct Tableau {
	double *a; // column after column
	u8 *row_var, *col_var;
	const double *probe;
	u32 stride; // odd, so that rows too are in different banks
	u32 rows, cols;

	__device__ double &at(u32 r, u32 c) const { return a[c * stride + r]; }

	// slack returns how far above 0 the variable of a row is on all of the face.
	__device__ double slack(u32 r) const {
		double lowest = at(r, constant), at_probe = lowest - at(r, forgotten), size = 1;
		for (u32 c = 0; c < cols; c++) {
			const double x = at(r, first + c);
			lowest -= larger(x, 0);
			at_probe -= x * probe[col_var[c]];
			size += magnitude(x);
		}
		return lowest - larger(error_floor * size, error_scale * magnitude(at_probe - probe[row_var[r]]));
	}

	__device__ void pivot(u32 r, u32 c) {
		const u32 lane = thread_in_block(), column = first + c;
		const double p = 1 / at(r, column);
		sync_warp();
		for (u32 j = lane; j < first + cols; j += warp)
			at(r, j) = (j == column ? 1 : at(r, j)) * p;
		sync_warp();
		for (u32 i = lane; i < rows; i += warp) {
			if (i == r)
				continue;
			const double f = at(i, column);
			at(i, column) = 0;
			for (u32 j = 0; j < first + cols; j++)
				at(i, j) -= f * at(r, j);
			at(i, constant) = larger(at(i, constant), 0);
		}
		if (lane == 0) {
			const u8 v = row_var[r];
			row_var[r] = col_var[c];
			col_var[c] = v;
		}
		sync_warp();
	}

	__device__ void forget(u32 c) {
		const u32 last = cols - 1;
		const double value = probe[col_var[c]];
		for (u32 r = thread_in_block(); r < rows; r += warp) {
			at(r, forgotten) += at(r, first + c) * value;
			at(r, first + c) = at(r, first + last);
		}
		sync_warp();
		if (thread_in_block() == 0)
			col_var[c] = col_var[last];
		cols--;
		sync_warp();
	}

	__device__ void drop(u32 r) {
		const u32 last = rows - 1;
		if (r != last) {
			for (u32 j = thread_in_block(); j < first + cols; j += warp)
				at(r, j) = at(last, j);
			if (thread_in_block() == 0)
				row_var[r] = row_var[last];
		}
		rows--;
		sync_warp();
	}

	// find returns the place of a variable in a list, or none.
	__device__ static u32 find(const u8 *list, u32 n, u32 v) {
		for (u32 i = 0; i < n; i += warp)
			if (const u32 found = ballot(i + thread_in_block() < n && list[i + thread_in_block()] == v))
				return i + __builtin_ctz(found);
		return none;
	}

	__device__ Outcome force(u32 v, u64 &pivots) {
		const u32 c = find(col_var, cols, v);
		if (c != none) {
			forget(c);
			return forced;
		}
		const u32 r = find(row_var, rows, v);
		if (r == none)
			return empty;
		for (u32 n = 0; n < patience; n++) {
			if (slack(r) > 0)
				return empty;
			u32 enter = none;
			double best = pivot_floor;
			for (u32 j = 0; j < cols; j++)
				if (at(r, first + j) > best) {
					best = at(r, first + j);
					enter = j;
				}
			pivots++;
			if (enter == none)
				return force_doubtful(r);
			Best leave = {infinity, none};
			for (u32 i = thread_in_block(); i < rows; i += warp) {
				const double x = at(i, first + enter);
				if (x > pivot_floor && i != r) {
					const double ratio = at(i, constant) / x;
					if (ratio < leave.value)
						leave = {ratio, i};
				}
			}
			leave = Best::least(leave);
			if (!(leave.value < at(r, constant) / best))
				leave.index = r;
			pivot(leave.index, enter);
			if (leave.index == r) {
				forget(enter);
				return forced;
			}
		}
		return stuck;
	}

	__device__ Outcome force_doubtful(u32 r) {
		u32 column = none;
		double best = pivot_floor;
		for (u32 j = 0; j < cols; j++)
			if (magnitude(at(r, first + j)) > best) {
				best = magnitude(at(r, first + j));
				column = j;
			}
		sync_warp();
		if (column == none) {
			drop(r);
			return doubtful;
		}
		pivot(r, column);
		forget(column);
		return doubtful;
	}
};

struct Counts {
	u64 nodes, pivots, leaves, doubts;
};

// Walker is a node of a tree and the way there.
struct Walker {
	Tableau side[2]; // P and Q
	double *scores[2];
	u8 *path;
	u32 length, num_labels, order;
	Labels labels, in_q;
	Counts counts;
	bool failed;

	// force carries out a decision, and says whether the face has a point.
	__device__ bool force(u8 decision) {
		const u32 label = decision & ~to_q;
		labels.add(label);
		if (decision & to_q)
			in_q.add(label);
		const Outcome o = decision & to_q ? side[1].force(label, counts.pivots) : side[0].force(label, counts.pivots);
		counts.doubts += o == doubtful;
		failed = failed || o == stuck;
		return o != empty && !failed;
	}

	// decide gives labels to one side whose variables on the other cannot be 0, and
	// says whether both faces have points.
	__device__ bool decide() {
		for (u32 quiet = 0; quiet < 2;)
			for (u32 s = 0; s < 2; s++) {
				quiet++;
				if (!(s == 0 ? decide(side[0], to_q, quiet) : decide(side[1], 0, quiet)))
					return false;
			}
		return true;
	}

	__device__ bool decide(Tableau &t, u8 to, u32 &quiet) {
		for (u32 base = (t.rows + warp - 1) / warp * warp; base > 0;) {
			base -= warp;
			const u32 r = base + thread_in_block();
			u32 positive = ballot(r < t.rows && t.slack(r) > 0);
			while (positive) {
				const u32 bit = 31 - __builtin_clz(positive);
				positive ^= 1u << bit;
				const u32 v = t.row_var[base + bit];
				sync_warp();
				t.drop(base + bit);
				if (!labels.has(v)) {
					quiet = 0;
					if (!force((u8)v | to))
						return false;
				}
			}
		}
		return true;
	}

	// choose returns the label to branch over, or none.
	__device__ u32 choose() {
		const u32 lane = thread_in_block();
		for (u32 l = lane; l < num_labels; l += warp)
			scores[0][l] = scores[1][l] = 0;
		sync_warp();
		for (u32 s = 0; s < 2; s++) {
			const Tableau &t = s == 0 ? side[0] : side[1];
			for (u32 r = lane; r < t.rows; r += warp) {
				double down = 1e-9;
				for (u32 c = 0; c < t.cols; c++)
					down += larger(t.at(r, first + c), 0);
				scores[s][t.row_var[r]] = t.at(r, constant) / down;
			}
		}
		sync_warp();
		Best best = {-1, none};
		for (u32 l = lane; l < num_labels; l += warp) {
			if (labels.has(l))
				continue;
			double score = scores[0][l] + scores[1][l];
			if (order)
				score = (scores[0][l] + 0.01) * (scores[1][l] + 0.01);
			if (score > best.value)
				best = {score, l};
		}
		best = Best::most(best);
		sync_warp();
		return best.index;
	}
};

} // namespace nash
