// The search by labels (nash.cuh), of one game or of many. A block is a warp. It
// takes a task, the decisions that lead to a node, makes the tableaux by going
// that way again, and walks through the subtree. The branches that it still has to
// take are on a stack of its own in global memory; when another warp waits for
// work it is given the oldest of them, which is the largest.
//
// Tasks are in a list that only grows. A warp that wants one draws the next number
// and waits until that task is there, or until there is no more work.
#include "nash.cuh"

using namespace nash;

// Places of the words that all warps share.
enum { head, tail, outstanding, draining, num_leaves, problem };

// What a launch is about.
struct Search {
	u32 rows, cols, labels, order;
	const double *roots; // of each game: tableaux of P and Q, probes of both
	u32 *control;
	u64 *totals; // nodes, pivots, leaves, doubts, and done in parts of 2^60
	u32 *ready;  // of each task: 0 not there, 1 there, 2 taken
	u32 *tasks;  // of each: game, length, and decisions
	u32 num_tasks, budget;
	u64 *leaves; // of each: game, supports
	u32 max_leaves;
	u32 *entries; // of stacks
	double *saved;
	u32 max_entries, max_saved; // of a block
};

constexpr u32 task_words = 2 + max_labels / 4;

// Entry is a branch that is still to be taken, and the tableaux from which.
struct Entry {
	Labels labels, in_q;
	u32 length, label, at;
	u32 rows[2], cols[2];
	u8 vars[4 * 64];
};
constexpr u32 entry_words = 80; // nashEntryWords of cudalib/nash.go
static_assert(sizeof(Entry) == 4 * entry_words, "the size that cudalib/nash.go has");

struct Task {
	Walker w;
	const Search &s;
	Entry *stack;
	double *saved;
	u32 game, bottom, top, used, budget;
	u64 done;
	Counts before; // the decision that led here

	// task_at returns a place for a task if somebody waits or a launch ends, or
	// none where there is no place left.
	__device__ u32 new_task() {
		u32 at = none;
		if (thread_in_block() == 0) {
			at = fetch_add(&s.control[tail], 1);
			if (at >= s.num_tasks) {
				at = none;
				store_flag(&s.control[problem], 1);
			} else {
				fetch_add(&s.control[outstanding], 1);
			}
		}
		return from_first(at);
	}

	__device__ static u32 from_first(u32 value) {
		for (u32 by = warp / 2; by > 0; by /= 2) {
			const u32 other = ::shuffle_xor(value, by);
			if (thread_in_block() & by)
				value = other;
		}
		return value;
	}

	// publish makes a task of the first decisions of the path, and one more if
	// there is one.
	__device__ void publish(u32 length, u32 one_more) {
		const u32 at = new_task();
		if (at == none)
			return;
		u32 *words = s.tasks + (u64)at * task_words;
		u8 *path = (u8 *)(words + 2);
		const u32 decisions = length + (one_more != none);
		for (u32 i = thread_in_block(); i < (decisions + 3) / 4 * 4; i += warp) // as it is read in words
			path[i] = i < length ? w.path[i] : (u8)one_more;
		if (thread_in_block() == 0) {
			words[0] = game;
			words[1] = decisions;
		}
		sync_warp();
		if (thread_in_block() == 0)
			store_flag(&s.ready[at], 1);
	}

	// take waits for a task and loads it, or says that there is none.
	__device__ bool take() {
		u32 at = none;
		if (thread_in_block() == 0 && !atomic_load(&s.control[draining])) {
			at = fetch_add(&s.control[head], 1);
			if (at >= s.num_tasks)
				at = none;
			// The flag is this warp's alone, what says that there is no more work is
			// everybody's: it is asked for less often.
			for (u32 n = 1; at != none && !load_flag(&s.ready[at]); n++) {
				if (n % 8 == 0 && (atomic_load(&s.control[draining]) || atomic_load(&s.control[outstanding]) == 0))
					at = none;
				else
					rest();
			}
			if (at != none)
				s.ready[at] = 2;
		}
		at = from_first(at);
		sync_warp();
		if (at == none)
			return false;
		const u32 *words = s.tasks + (u64)at * task_words;
		game = atomic_load(&words[0]);
		w.length = atomic_load(&words[1]);
		for (u32 i = thread_in_block(); 4 * i < w.length; i += warp) {
			const u32 four = atomic_load(&words[2 + i]);
			for (u32 b = 0; b < 4; b++)
				w.path[4 * i + b] = (u8)(four >> 8 * b);
		}
		load_roots();
		w.labels = w.in_q = {};
		bottom = top = used = 0;
		sync_warp();
		return true;
	}

	__device__ void load_roots() {
		const u32 sizes[2][2] = {{s.cols, s.rows}, {s.rows, s.cols}}; // rows and columns
		const u64 each = (u64)s.cols * (s.rows + first) + (u64)s.rows * (s.cols + first) + 2 * s.labels;
		const double *root = s.roots + game * each;
		for (u32 i = 0; i < 2; i++) {
			Tableau &t = i == 0 ? w.side[0] : w.side[1];
			t.rows = sizes[i][0];
			t.cols = sizes[i][1];
			for (u32 r = thread_in_block(); r < t.rows; r += warp) {
				t.row_var[r] = (u8)(i == 0 ? s.rows + r : r);
				for (u32 c = 0; c < first + t.cols; c++)
					t.at(r, c) = root[c * t.rows + r];
			}
			for (u32 c = thread_in_block(); c < t.cols; c += warp)
				t.col_var[c] = (u8)(i == 0 ? c : s.rows + c);
			root += t.rows * (first + t.cols);
		}
		for (u32 i = thread_in_block(); i < 2 * s.labels; i += warp)
			((double *)w.side[0].probe)[i] = root[i];
	}

	// replay goes the way of the task, and says whether the node can be.
	__device__ bool replay() {
		const Counts counted = before = w.counts;
		for (u32 i = 0; i < w.length; i++) {
			const bool possible = w.decide();
			if (i + 1 == w.length)
				w.counts = before = counted;
			if (!possible || !w.force(w.path[i]))
				return false;
		}
		return true;
	}

	// copy copies a tableau to or from a place.
	__device__ static u32 copy(const Tableau &t, double *place, u8 *vars, bool save) {
		for (u32 r = thread_in_block(); r < t.rows; r += warp) {
			for (u32 c = 0; c < first + t.cols; c++)
				if (save)
					place[c * t.rows + r] = t.at(r, c);
				else
					t.at(r, c) = place[c * t.rows + r];
			if (save)
				vars[r] = t.row_var[r];
			else
				t.row_var[r] = vars[r];
		}
		for (u32 c = thread_in_block(); c < t.cols; c += warp)
			if (save)
				vars[64 + c] = t.col_var[c];
			else
				t.col_var[c] = vars[64 + c];
		return t.rows * (first + t.cols);
	}

	// push keeps the second branch over a label.
	__device__ void push(u32 label) {
		Entry &e = stack[top++];
		if (thread_in_block() == 0) {
			e.labels = w.labels;
			e.in_q = w.in_q;
			e.length = w.length;
			e.label = label;
			e.at = used;
			for (u32 i = 0; i < 2; i++) {
				e.rows[i] = i == 0 ? w.side[0].rows : w.side[1].rows;
				e.cols[i] = i == 0 ? w.side[0].cols : w.side[1].cols;
			}
		}
		used += copy(w.side[0], saved + used, e.vars, true);
		used += copy(w.side[1], saved + used, e.vars + 128, true);
		sync_warp();
	}

	// pop takes the branch that was kept last, and says whether it can be.
	__device__ bool pop() {
		sync_warp(); // others may still look at the tableaux
		Entry &e = stack[--top];
		w.labels = e.labels;
		w.in_q = e.in_q;
		w.length = e.length;
		used = e.at;
		w.side[0].rows = e.rows[0];
		w.side[0].cols = e.cols[0];
		w.side[1].rows = e.rows[1];
		w.side[1].cols = e.cols[1];
		const u32 n = copy(w.side[0], saved + used, e.vars, false);
		copy(w.side[1], saved + used + n, e.vars + 128, false);
		const u32 label = e.label;
		if (thread_in_block() == 0)
			w.path[w.length] = (u8)label;
		w.length++;
		sync_warp();
		before = w.counts;
		return w.force((u8)label);
	}

	__device__ void leaf() {
		w.counts.leaves++;
		if (thread_in_block() != 0)
			return;
		const u32 at = fetch_add(&s.control[num_leaves], 1);
		if (at >= s.max_leaves) {
			store_flag(&s.control[problem], 2);
			return;
		}
		s.leaves[3 * (u64)at] = game;
		s.leaves[3 * (u64)at + 1] = w.in_q.words[0];
		s.leaves[3 * (u64)at + 2] = w.in_q.words[1];
	}

	__device__ void ended() {
		if (w.length <= 60)
			done += (u64)1 << (60 - w.length);
	}

	// walk goes through the task's subtree. It ends early where the launch has to,
	// and then publishes what is left.
	__device__ void walk() {
		bool possible = replay();
		for (;;) {
			if (!possible) {
				ended();
				if (w.failed)
					return;
				if (bottom == top)
					return;
				possible = pop();
				continue;
			}
			// What the first thread sees counts: all have to do the same.
			const u32 news = from_first(atomic_load(&s.control[draining]) ? 2 : atomic_load(&s.control[head]) > atomic_load(&s.control[tail]) && atomic_load(&s.control[tail]) < s.num_tasks / 2 ? 1 : 0);
			if (news == 2 || budget == 0) {
				if (thread_in_block() == 0)
					store_flag(&s.control[draining], 1);
				publish(w.length, none);
				w.counts = before; // who takes it makes the last decision again
				for (; bottom < top; bottom++)
					publish(stack[bottom].length, stack[bottom].label);
				return;
			}
			if (news == 1 && bottom < top) {
				publish(stack[bottom].length, stack[bottom].label);
				bottom++;
			}
			budget--;
			w.counts.nodes++;
			possible = w.decide();
			if (!possible)
				continue;
			const u32 label = w.choose();
			if (label == none) {
				leaf();
				possible = false;
				continue;
			}
			push(label);
			if (thread_in_block() == 0)
				w.path[w.length] = (u8)label | to_q;
			w.length++;
			sync_warp();
			before = w.counts;
			possible = w.force((u8)label | to_q);
		}
	}
};

// slot returns room for n of a type in shared memory.
template <class T> __device__ inline T *slot(unsigned char *&free, u32 n) {
	T *const at = (T *)free;
	free += (n * sizeof(T) + 7) / 8 * 8;
	return at;
}

__global__ LAUNCH_BOUNDS(32, 1) void nash_labels(u32 rows, u32 cols, u32 order, const double *roots, u32 *control, u64 *totals, u32 *ready, u32 *tasks,
	u32 num_tasks, u32 budget, u64 *leaves, u32 max_leaves, u32 *entries, double *saved, u32 max_entries, u32 max_saved) {
	const Search s = {rows, cols, rows + cols, order, roots, control, totals, ready, tasks, num_tasks, budget, leaves, max_leaves, entries, saved, max_entries, max_saved};
	DYNAMIC_SHARED(unsigned char, memory);
	unsigned char *free = memory;
	const u32 block = block_in_grid();
	double *const p = slot<double>(free, (cols | 1) * (rows + first)), *const q = slot<double>(free, (rows | 1) * (cols + first));
	double *const probe = slot<double>(free, 2 * s.labels), *const scores = slot<double>(free, 2 * s.labels);
	u8 *const p_rows = slot<u8>(free, cols), *const p_cols = slot<u8>(free, rows), *const q_rows = slot<u8>(free, rows), *const q_cols = slot<u8>(free, cols);
	u8 *const path = slot<u8>(free, max_labels);
	Walker w = {{{p, p_rows, p_cols, probe, cols | 1, 0, 0}, {q, q_rows, q_cols, probe + s.labels, rows | 1, 0, 0}},
		{scores, scores + s.labels}, path, 0, s.labels, order, {}, {}, {}, false};
	Task t = {w, s, (Entry *)(entries + (u64)block * max_entries * entry_words), saved + (u64)block * max_saved, 0, 0, 0, 0, budget, 0, {}};
	while (t.take()) {
		t.walk();
		sync_warp();
		if (thread_in_block() == 0) {
			if (t.w.failed)
				store_flag(&control[problem], 3);
			fetch_add(&control[outstanding], ~0u);
		}
	}
	if (thread_in_block() == 0) {
		atomic_add(&totals[0], t.w.counts.nodes);
		atomic_add(&totals[1], t.w.counts.pivots);
		atomic_add(&totals[2], t.w.counts.leaves);
		atomic_add(&totals[3], t.w.counts.doubts);
		atomic_add(&totals[4], t.done);
	}
}
