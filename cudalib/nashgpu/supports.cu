// Support enumeration on a GPU, as published programs do it: each thread solves a
// pair of supports. The CPU decides exactly about the remaining pairs.
#include "cuda.cuh"

namespace {

constexpr u32 max_support = 24; // strategies of a player

// As in solvers/nash.
constexpr double slack = 1e-10, singular = 1e-14;

__device__ inline double magnitude(double x) { return x < 0 ? -x : x; }

enum { partial, no_pivoting, butterflies };

// weight is one of the random numbers of a butterfly.
__device__ inline double weight(u32 i) { return 1 + ((i + 1) * 2654435761u / 4294967296.0 - 0.5) / 10; }

// System is a player's indifference and the probabilities of the other: solved by
// elimination in a thread's own memory.
struct System {
	double m[(max_support + 2) * (max_support + 3)];
	double z[max_support + 2];

	// solve solves sum over c in cols of at[r][c] z_c = u for r in rows, with
	// probabilities z that add up to 1.
	__device__ bool solve(const double *at, u32 stride, u32 k, u32 rows, u32 cols, u32 pivoting) {
		const u32 n = pivoting == butterflies ? (k + 2) / 2 * 2 : k + 1, w = n + 1;
		u32 i = 0;
		for (u32 set = rows; set; set &= set - 1, i++) {
			const double *row = at + __builtin_ctz(set) * stride;
			u32 j = 0;
			for (u32 other = cols; other; other &= other - 1, j++)
				m[i * w + j] = row[__builtin_ctz(other)];
			m[i * w + k] = -1;
			for (j = k + 1; j < w; j++)
				m[i * w + j] = 0;
		}
		for (; i < n; i++)
			for (u32 j = 0; j < w; j++)
				m[i * w + j] = i == k ? j < k || j == n : i == j;
		if (pivoting == butterflies)
			mix(n);
		for (u32 c = 0; c < n; c++) {
			u32 p = c;
			for (u32 r = c + 1; r < n && pivoting == partial; r++)
				if (magnitude(m[r * w + c]) > magnitude(m[p * w + c]))
					p = r;
			if (magnitude(m[p * w + c]) < singular)
				return false;
			if (p != c)
				for (u32 j = c; j < w; j++) {
					const double x = m[c * w + j];
					m[c * w + j] = m[p * w + j];
					m[p * w + j] = x;
				}
			for (u32 r = c + 1; r < n; r++) {
				const double f = m[r * w + c] / m[c * w + c];
				for (u32 j = c + 1; j < w; j++)
					m[r * w + j] -= f * m[c * w + j];
			}
		}
		for (u32 r = n; r-- > 0;) {
			double x = m[r * w + n];
			for (u32 j = r + 1; j < n; j++)
				x -= m[r * w + j] * z[j];
			z[r] = x / m[r * w + r];
		}
		if (pivoting == butterflies)
			for (u32 j = 0; j < n / 2; j++) {
				const double a = weight(j) * z[j], b = weight(j + n / 2) * z[j + n / 2];
				z[j] = a + b;
				z[j + n / 2] = a - b;
			}
		return true;
	}

	// mix multiplies the matrix by a butterfly from the left, the right side with
	// it, and from the right.
	__device__ void mix(u32 n) {
		const u32 w = n + 1, h = n / 2;
		for (u32 i = 0; i < h; i++)
			for (u32 j = 0; j < w; j++) {
				const double a = m[i * w + j], b = m[(i + h) * w + j];
				m[i * w + j] = weight(i) * (a + b);
				m[(i + h) * w + j] = weight(i + h) * (a - b);
			}
		for (u32 r = 0; r < n; r++)
			for (u32 i = 0; i < h; i++) {
				const double a = m[r * w + i], b = m[r * w + i + h];
				m[r * w + i] = weight(i) * (a + b);
				m[r * w + i + h] = weight(i + h) * (a - b);
			}
	}

	// best reports whether no probability is negative and no reply better.
	__device__ bool best(const double *at, u32 rows, u32 stride, u32 k, u32 support) const {
		for (u32 i = 0; i < k; i++)
			if (z[i] < -slack)
				return false;
		for (u32 r = 0; r < rows; r++) {
			double total = 0;
			u32 i = 0;
			for (u32 set = support; set; set &= set - 1, i++)
				total += at[r * stride + __builtin_ctz(set)] * z[i];
			if (total > z[k] + slack)
				return false;
		}
		return true;
	}
};

struct Game {
	u32 rows, cols;
	const double *a, *bt; // of the row player, row by row; of the column player, column by column
};

struct Found {
	u64 *pairs; // rows, and columns in the upper half
	u32 *count; // of pairs, more than max where some did not fit
	u32 max;

	__device__ void add(u32 rows, u32 cols) const {
		const u32 at = fetch_add(count, 1);
		if (at < max)
			pairs[at] = (u64)cols << 32 | rows;
	}
};

// solve_pair tests a pair of supports as Nguyen does: both systems are solved before
// either solution is tested.
__device__ inline void solve_pair(const Game &g, const Found &found, u32 k, u32 rows, u32 cols, u32 pivoting) {
	System x, y;
	const bool xs = x.solve(g.bt, g.rows, k, cols, rows, pivoting), ys = y.solve(g.a, g.cols, k, rows, cols, pivoting);
	if (xs && ys && x.best(g.bt, g.cols, g.rows, k, rows) && y.best(g.a, g.rows, g.cols, k, cols))
		found.add(rows, cols);
}

} // namespace

// Nguyen: a block has a row support, its threads share the column supports.
__global__ void nash_nguyen(u32 rows, u32 cols, u32 k, const double *a, const double *bt, const u32 *row_sets,
		const u32 *col_sets, u32 num_cols, u32 pivoting, u64 *pairs,	u32 *count, u32 max) {
	const Game g = {rows, cols, a, bt};
	for (u32 j = thread_in_block(); j < num_cols; j += threads_in_block())
		solve_pair(g, {pairs, count, max}, k, row_sets[block_in_grid()], col_sets[j], pivoting);
}

// Rampersaud, Mashayekhy and Grosu: a thread has a pair, counted from `from`.
__global__ void nash_grosu(u32 rows, u32 cols, u32 k, const double *a, const double *bt, const u32 *row_sets,
		const u32 *col_sets, u32 num_cols, u64 from, u64 to, u32 pivoting, u64 *pairs, u32 *count, u32 max) {
	const Game g = {rows, cols, a, bt};
	const u64 pair = from + thread_in_grid();
	if (pair < to)
		solve_pair(g, {pairs, count, max}, k, row_sets[pair / num_cols], col_sets[pair % num_cols], pivoting);
}
