// The method of supports for a GPU: two programs of others, in which each thread
// solves for a pair of supports, and our own, in which a thread goes through the
// column supports of its row support by shared eliminations, as
// solvers/nash/columntree.go does. What is left is decided exactly on the CPU.
#include "cuda.cuh"

namespace {

constexpr u32 max_support = 24; // strategies of a player

// As in solvers/nash/support.go and columntree.go.
constexpr double slack = 1e-10, tiny = 1e-10, singular = 1e-14;

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

	// best says whether no probability is negative and no reply better.
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
	u32 *count; // how many there are, more than max where some were lost; and doubts
	u32 max;

	__device__ void add(u32 rows, u32 cols) const {
		const u32 at = fetch_add(count, 1);
		if (at < max)
			pairs[at] = (u64)cols << 32 | rows;
	}
};

// solve_pair looks at a pair of supports as Nguyen does: both systems are solved
// before anything is tested.
__device__ inline void solve_pair(const Game &g, const Found &found, u32 k, u32 rows, u32 cols, u32 pivoting) {
	System x, y;
	const bool xs = x.solve(g.bt, g.rows, k, cols, rows, pivoting), ys = y.solve(g.a, g.cols, k, rows, cols, pivoting);
	if (xs && ys && x.best(g.bt, g.cols, g.rows, k, rows) && y.best(g.a, g.rows, g.cols, k, cols))
		found.add(rows, cols);
}

} // namespace

// Nguyen: a block has a row support, its threads share the column supports.
__global__ void nash_nguyen(u32 rows, u32 cols, u32 k, const double *a, const double *bt, const u32 *row_sets, const u32 *col_sets, u32 num_cols, u32 pivoting,
	u64 *pairs,	u32 *count, u32 max) {
	const Game g = {rows, cols, a, bt};
	for (u32 j = thread_in_block(); j < num_cols; j += threads_in_block())
		solve_pair(g, {pairs, count, max}, k, row_sets[block_in_grid()], col_sets[j], pivoting);
}

// Rampersaud, Mashayekhy and Grosu: a thread has a pair, counted from `from`.
__global__ void nash_grosu(u32 rows, u32 cols, u32 k, const double *a, const double *bt, const u32 *row_sets, const u32 *col_sets, u32 num_cols, u64 from,
	u64 to, u32 pivoting, u64 *pairs, u32 *count, u32 max) {
	const Game g = {rows, cols, a, bt};
	const u64 pair = from + thread_in_grid();
	if (pair < to)
		solve_pair(g, {pairs, count, max}, k, row_sets[pair / num_cols], col_sets[pair % num_cols], pivoting);
}

namespace {

// Tree is a thread's walk through the column supports of its row support. All
// threads of a warp go the same way, so that what they have in global memory at
// one place is read together.
struct Tree {
	const Game &g;
	const Found &found;
	const double *a; // payoffs of the row player in shared memory
	double *memory;  // levels, one after the other; a thread's numbers are `stride` apart
	u64 stride;
	u32 k, rows;     // of the support, its set
	u32 dead;        // the depth from which columns were dependent, or k
	u32 chosen[max_support];

	__device__ double &at(u32 level, u32 row, u32 col) const { return memory[((level * k + row) * (g.cols + 1) + col) * stride]; }

	__device__ void start(u32 set) {
		rows = set;
		dead = k;
		u32 s = 0;
		for (; set; set &= set - 1, s++) {
			for (u32 c = 0; c < g.cols; c++)
				at(0, s, c) = a[__builtin_ctz(set) * g.cols + c];
			at(0, s, g.cols) = 1;
		}
	}

	// eliminate chooses a column, and makes the next level of the columns behind it.
	__device__ void eliminate(u32 depth, u32 c) {
		chosen[depth] = c;
		u32 p = depth;
		double size = 0;
		for (u32 s = depth; s < k; s++) {
			const double x = magnitude(at(depth, s, c));
			if (x > size) {
				size = x;
				p = s;
			}
		}
		if (dead >= depth)
			dead = size < tiny ? depth : k;
		if (dead == depth)
			fetch_add(&found.count[1], 1);
		const double scale = 1 / at(depth, p, c);
		for (u32 j = c + 1; j <= g.cols; j++)
			at(depth + 1, depth, j) = at(depth, p, j) * scale;
		for (u32 s = 0; s < k; s++) {
			if (s == depth)
				continue;
			const u32 from = s == p ? depth : s; // changes places with the pivot's row
			const double f = at(depth, from, c);
			for (u32 j = c + 1; j <= g.cols; j++)
				at(depth + 1, s, j) = at(depth, from, j) - f * at(depth + 1, depth, j);
		}
	}

	// pairs tries all pairs of columns from a number on as the last two.
	__device__ void pairs(u32 from) {
		const u32 level = k - 2;
		const double b1 = at(level, k - 2, g.cols), b2 = at(level, k - 1, g.cols);
		double value[max_support];
		for (u32 c = from; c < g.cols; c++) {
			const double p1 = at(level, k - 2, c), p2 = at(level, k - 1, c);
			for (u32 j = c + 1; j < g.cols; j++) {
				const double q1 = at(level, k - 2, j), q2 = at(level, k - 1, j);
				double det = p1 * q2 - q1 * p2, zc = b1 * q2 - q1 * b2, zj = p1 * b2 - b1 * p2;
				if (det < 0) {
					det = -det;
					zc = -zc;
					zj = -zj;
				}
				if (dead < k || (zc < 0 && zc < -slack * (magnitude(b1 * q2) + magnitude(q1 * b2))) ||
					(zj < 0 && zj < -slack * (magnitude(p1 * b2) + magnitude(b1 * p2))))
					continue;
				u32 s = 0;
				for (; s < k - 2; s++) {
					const double b = det * at(level, s, g.cols), p = at(level, s, c) * zc, q = at(level, s, j) * zj, z = b - p - q;
					if (z < 0 && z < -slack * (magnitude(b) + magnitude(p) + magnitude(q)))
						break;
					value[s] = z;
				}
				if (s < k - 2)
					continue;
				value[k - 2] = zc;
				value[k - 1] = zj;
				chosen[k - 2] = c;
				chosen[k - 1] = j;
				if (best(det, value))
					add();
			}
		}
	}

	// best says whether no row outside of the support is a better reply.
	__device__ bool best(double det, const double *value) const {
		for (u32 set = ~rows & ((1u << g.rows) - 1); set; set &= set - 1) {
			const double *row = a + __builtin_ctz(set) * g.cols;
			double total = 0;
			for (u32 i = 0; i < k; i++)
				total += row[chosen[i]] * value[i];
			if (total > det && total > det * (1 + slack))
				return false;
		}
		return true;
	}

	__device__ void add() const {
		u32 cols = 0;
		for (u32 i = 0; i < k; i++)
			cols |= 1u << chosen[i];
		found.add(rows, cols);
	}

	// walk goes through all column supports that begin with a column.
	__device__ void walk(u32 column) {
		if (k == 1) {
			const double det = at(0, 0, column), one = 1;
			chosen[0] = column;
			if (best(det, &one))
				add();
			return;
		}
		if (k == 2) { // the first column is one of a pair
			if (column == 0)
				pairs(0);
			return;
		}
		eliminate(0, column);
		u32 depth = 1, next = column + 1;
		while (depth > 0) {
			if (depth == k - 2) {
				pairs(next);
				next = g.cols;
			}
			if (next + (k - depth) > g.cols) {
				depth--;
				next = chosen[depth] + 1;
				continue;
			}
			eliminate(depth, next);
			depth++;
			next++;
		}
	}
};

} // namespace

// Ours: the threads of a warp have a row support each, and take the first column
// from a list of work: for each first column all groups of row supports.
__global__ LAUNCH_BOUNDS(128, 4) void nash_tree(u32 rows, u32 cols, u32 k, const double *a, const u32 *row_sets, u32 num_rows, u32 *work, double *memory,
	u64 *pairs, u32 *count, u32 max) {
	const Game g = {rows, cols, a, nullptr};
	const Found found = {pairs, count, max};
	SHARED(double, payoffs, max_support *max_support);
	for (u32 i = thread_in_block(); i < rows * cols; i += threads_in_block())
		payoffs[i] = a[i];
	sync_block();
	Tree t = {g, found, payoffs, memory + thread_in_grid(), threads_in_grid(), k, 0, 0, {}};
	const u32 groups = (num_rows + 31) / 32, lane = thread_in_block() % 32;
	for (;;) {
		u32 job = 0;
		if (lane == 0)
			job = fetch_add(work, 1);
		for (u32 by = 16; by > 0; by /= 2) {
			const u32 other = shuffle_xor(job, by);
			if (lane & by)
				job = other;
		}
		if (job >= groups * (cols - k + 1))
			break;
		const u32 i = job % groups * 32 + lane;
		t.start(row_sets[i < num_rows ? i : 0]);
		if (i >= num_rows)
			t.dead = 0; // nobody's row support
		if (i < num_rows)
			t.walk(job / groups);
	}
}

// The second player's part: a thread has a pair that the first kernel left.
__global__ void nash_second(u32 rows, u32 cols, u32 k, const double *bt, const u64 *from, u32 num, u64 *pairs, u32 *count, u32 max) {
	for (u64 i = thread_in_grid(); i < num; i += threads_in_grid()) {
		const u32 row_set = (u32)from[i], col_set = (u32)(from[i] >> 32);
		System x;
		if (!x.solve(bt, rows, k, col_set, row_set, partial) || x.best(bt, cols, rows, k, row_set))
			Found{pairs, count, max}.add(row_set, col_set);
	}
}
