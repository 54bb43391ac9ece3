// Search of supports by exchanging columns (solvers/nash/supports) on a GPU: a warp
// follows a segment of a covering walk of column supports with a few row supports at
// the same time. All take the same steps. A thread has a column outside of the support
// of one of the tableaux, which are in shared memory.
#include "cuda.cuh"

namespace {

// As in solvers/nash/supports.
constexpr double exchange_band = 1e-5, max_entry = 3000, max_fresh_entry = 1e5, max_error = 1e-9;

constexpr u32 warp = 32;

__device__ inline double magnitude(double x) { return x < 0 ? -x : x; }

// Pairs are a list of pairs of supports: rows, and columns in the upper half. Its
// count exceeds max where some did not fit.
struct Pairs {
	u64 *list;
	u32 *count;
	u32 max;

	__device__ void add(u32 rows, u32 cols) const {
		const u32 at = fetch_add(count, 1);
		if (at < max)
			list[at] = (u64)cols << 32 | rows;
	}
};

struct ExchangeSearch {
	u32 m, n, k, width, groups; // rows and columns; columns in the support and outside; row supports
	const double *a, *probe, *at_probe;
	// the warp's tableaux, their right-hand sides for ones and for the probe, a column, scratch memory
	double *table, *ones, *probe_sides, *column, *scratch;
	u8 *in, *outs;
	bool filter; // intervals in floats of 32 bits first
	u32 lane, group, position, shift;
	bool active;
	u32 rows; // the row support of this thread's group
	bool large;   // an entry of this thread's is above the limit
	double limit;

	__device__ double &at(u32 row) const { return table[row * warp + lane]; }

	__device__ void start(u32 support) {
		u32 i = 0, o = 0;
		sync_warp();
		for (u32 c = 0; c < n; c++)
			if (support >> c & 1) {
				if (lane == 0)
					in[i] = (u8)c;
				i++;
			} else {
				if (lane == 0)
					outs[o] = (u8)c;
				o++;
			}
		sync_warp();
	}

	// eliminate makes the tableaux of the support by elimination.
	__device__ void eliminate() {
		const u32 w = n + 2;
		double *const mine = scratch + group * k * w;
		if (active) {
			u32 set = rows;
			for (u32 i = 0; i < k; i++, set &= set - 1) {
				const u32 r = __builtin_ctz(set);
				for (u32 q = position; q < w; q += width)
					mine[i * w + q] = q < k ? a[r * n + in[q]] : q < n ? a[r * n + outs[q - k]] : q == n ? 1
						: at_probe[r];
			}
		}
		for (u32 c = 0; c < k; c++) {
			sync_warp();
			u32 p = c;
			double largest = 0;
			if (active)
				for (u32 i = c; i < k; i++) {
					const double x = magnitude(mine[i * w + c]);
					if (x > largest) {
						largest = x;
						p = i;
					}
				}
			const double scale = active ? 1 / mine[p * w + c] : 0;
			sync_warp();
			if (active)
				for (u32 q = position; q < w; q += width) {
					const double x = mine[c * w + q], top = mine[p * w + q] * scale;
					mine[p * w + q] = x;
					mine[c * w + q] = top;
				}
			sync_warp();
			if (active)
				for (u32 i = 0; i < k; i++) {
					const double f = mine[i * w + c];
					for (u32 q = position; q < w; q += width)
						if (i != c && q > c)
							mine[i * w + q] -= f * mine[c * w + q];
				}
		}
		sync_warp();
		large = false;
		limit = max_fresh_entry;
		if (active) {
			for (u32 i = 0; i < k; i++)
				keep(i, mine[i * w + k + position]);
			u32 i = k;
			for (u32 r = 0; r < m; r++) {
				if (rows >> r & 1)
					continue;
				double x = a[r * n + outs[position]];
				for (u32 p = 0; p < k; p++)
					x -= a[r * n + in[p]] * at(p);
				keep(i, x);
				double one = 1, probed = at_probe[r];
				for (u32 p = 0; p < k && i % width == position; p++) {
					one -= a[r * n + in[p]] * mine[p * w + n];
					probed -= a[r * n + in[p]] * mine[p * w + n + 1];
				}
				if (i % width == position) {
					ones[group * m + i] = one;
					probe_sides[group * m + i] = probed;
				}
				i++;
			}
			for (i = position; i < k; i += width) {
				ones[group * m + i] = mine[i * w + n];
				probe_sides[group * m + i] = mine[i * w + n + 1];
			}
		}
		sync_warp();
	}

	__device__ void keep(u32 row, double x) {
		at(row) = x;
		large = large || !(magnitude(x) <= limit);
	}

	// step moves to a neighbour.
	__device__ void step(u32 out, u32 enter) {
		const u32 from = group * width + enter;
		double scale = 0, q = 0, one = 0, probed = 0;
		if (active) {
			scale = 1 / table[out * warp + from];
			q = position == enter ? scale : at(out) * scale;
			one = ones[group * m + out] * scale;
			probed = probe_sides[group * m + out] * scale;
		}
		sync_warp();
		if (active)
			for (u32 i = position; i < m; i += width) {
				const double f = table[i * warp + from];
				column[group * m + i] = f;
				ones[group * m + i] = i == out ? one : ones[group * m + i] - f * one;
				probe_sides[group * m + i] = i == out ? probed : probe_sides[group * m + i] - f * probed;
			}
		sync_warp();
		limit = max_entry;
		large = !(magnitude(q) <= limit);
		if (active) {
			const double kept = position == enter ? 0 : 1;
			const double *const f = column + group * m;
			for (u32 i = 0; i < m; i++)
				keep(i, kept * at(i) - f[i] * q);
			at(out) = q;
		}
		exchange(out, enter);
		if (ballot(active && large))
			eliminate();
	}

	__device__ void exchange(u32 out, u32 enter) {
		if (lane == 0) {
			const u8 c = in[out];
			in[out] = outs[enter];
			outs[enter] = c;
		}
		sync_warp();
	}

	__device__ u32 support() const {
		u32 set = 0;
		for (u32 i = 0; i < k; i++)
			set |= 1u << in[i];
		return set;
	}

	// group_bits returns this group's bits of a ballot.
	__device__ u32 group_bits(u32 votes) const { return votes >> shift & (width == warp ? ~0u : (1u << width) - 1); }

	// read finds the neighbours of the support that may have an equilibrium, and lists
	// the support as undecided where the tableau is too inaccurate.
	__device__ void read(const Pairs &found, const Pairs &undecided) const {
		const bool unclear = group_bits(ballot(active && large)) != 0;
		u32 negative = 0;
		for (u32 i = 0; i < m; i += width) {
			const u32 row = i + position;
			negative |= group_bits(ballot(active && row < m && ones[group * m + row] < -exchange_band)) << i;
		}
		bool alive = active && !unclear;
		if (active && position == 0) {
			if (unclear)
				undecided.add(rows, support());
			else if (negative == 0)
				found.add(rows, support());
		}
		// A column that makes a negative variable smaller is ruled out.
		for (u32 left = alive ? negative : 0; ballot(left != 0);)
			if (left) {
				const u32 row = __builtin_ctz(left);
				left &= left - 1;
				if (at(row) >= exchange_band) {
					alive = false;
					left = 0;
				}
			}
		if (filter) {
			float low = 0, high = __builtin_inff();
			for (u32 i = 0; i < m; i++) {
				if (i % 4 == 0 && !ballot(alive))
					return;
				if (!alive)
					continue;
				const float x = (float)(ones[group * m + i] + exchange_band), entry = (float)(at(i) - exchange_band),
					t = x / entry;
				if (entry > 0 && t < high)
					high = t;
				if (entry < 0 && t > low)
					low = t;
				alive = low <= high * 1.0001f;
			}
		}
		if (ballot(alive) && alive)
			interval(found);
		sync_warp();
	}

	// interval finds the column that can leave for this thread's.
	__device__ NOINLINE void interval(const Pairs &found) const {
		double low = 0, high = __builtin_inf();
		for (u32 i = 0; i < m; i++) {
			const double x = ones[group * m + i] + exchange_band, entry = at(i) - exchange_band;
			if (entry > 0) {
				if (x < high * entry)
					high = x / entry;
			} else if (entry < 0) {
				if (x < low * entry)
					low = x / entry;
			} else if (x < 0) {
				return;
			}
			if (low > high)
				return;
		}
		for (u32 i = 0; i < k; i++) {
			double x = ones[group * m + i], entry = at(i);
			if (entry < 0) {
				x = -x;
				entry = -entry;
			}
			if (x + exchange_band < low * (entry - exchange_band) || x - exchange_band > high * (entry + exchange_band))
				continue;
			found.add(rows, (support() & ~(1u << in[i])) | 1u << outs[position]);
		}
	}

	// inaccurate reports whether the tableau's error at the probe exceeds max_error.
	__device__ bool inaccurate() const {
		bool bad = false;
		if (active)
			for (u32 i = position; i < m; i += width) {
				double x = probe_sides[group * m + i];
				for (u32 c = 0; c < width; c++)
					x -= table[i * warp + group * width + c] * probe[outs[c]];
				if (i < k)
					x -= probe[in[i]];
				bad = bad || !(magnitude(x) < max_error);
			}
		return group_bits(ballot(bad)) != 0;
	}
};

__device__ inline u32 up16(u32 bytes) { return (bytes + 15) / 16 * 16; }

} // namespace

// A block is a warp. A job is a group of row supports and a segment of the covering
// walk: a start and steps. The lower byte of a step is the index of the column that
// leaves, the upper byte that of the column that enters.
__global__ LAUNCH_BOUNDS(32, 20) void nash_exchange(u32 rows, u32 cols, u32 k, u32 groups, u32 filter, const double *a,
		const double *probe, const double *at_probe, const u32 *row_sets, u32 num_rows, const u32 *starts,
		const u32 *ends, const u16 *steps, u32 num_parts, u32 *work, u64 *pairs, u32 *num_pairs, u32 max_pairs,
		u64 *unclear, u32 *num_unclear, u32 max_unclear) {
	DYNAMIC_SHARED(unsigned char, memory);
	const u32 width = cols - k, lane = thread_in_block(), group = lane / width;
	unsigned char *free = memory;
	ExchangeSearch w = {rows, cols, k, width, groups, a, probe, at_probe, nullptr, nullptr, nullptr, nullptr, nullptr,
		nullptr, nullptr, filter != 0, lane, group, lane % width, group * width, false, 0, false, 0};
	w.table = (double *)free;
	w.ones = w.table + rows * warp;
	w.probe_sides = w.ones + groups * rows;
	w.column = w.probe_sides + groups * rows;
	w.scratch = w.column + groups * rows;
	w.in = (u8 *)(w.scratch + groups * k * (cols + 2));
	w.outs = w.in + up16(k);
	const Pairs found = {pairs, num_pairs, max_pairs}, undecided = {unclear, num_unclear, max_unclear};
	const u32 sets = (num_rows + groups - 1) / groups;
	for (;;) {
		const u32 job = shuffle(lane == 0 ? fetch_add(work, 1) : 0, 0);
		if (job / num_parts >= sets)
			break;
		const u32 part = job % num_parts, set = job / num_parts * groups + group;
		w.active = group < groups && set < num_rows;
		w.rows = w.active ? row_sets[set] : 0;
		w.start(starts[part]);
		w.eliminate();
		w.read(found, undecided);
		const u32 from = part == 0 ? 0 : ends[part - 1], to = ends[part];
		for (u32 s = from; s < to; s++) {
			w.step(steps[s] & 0xff, steps[s] >> 8);
			w.read(found, undecided);
		}
		const bool inaccurate = w.inaccurate();
		if (!ballot(inaccurate))
			continue;
		w.start(starts[part]);
		for (u32 s = from;; s++) {
			if (inaccurate && w.active && w.position == 0)
				undecided.add(w.rows, w.support());
			if (s == to)
				break;
			w.exchange(steps[s] & 0xff, steps[s] >> 8);
		}
	}
}
