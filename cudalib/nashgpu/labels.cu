// The search by labels (tableau.cuh), of one game or of many. A block is a warp. It
// takes a task, the decisions that lead to a node, makes the tableaux by following
// them, and traverses the subtree. Its untaken branches are on a stack of its own in
// global memory. When another warp waits for work, it gets the oldest of them, which
// is the largest.
//
// Tasks are in a list that only grows. A warp draws the number of its next task, and
// waits until the task is there, or until there is no more work.
// PTXFLAGS: -mllvm -inline-threshold=1000000 -Xclang -fcuda-short-ptr -mllvm -nvptx-short-ptr
#include "tableau.cuh"

using namespace nash;

// Indices of the words that all warps share.
enum { head, tail, outstanding, draining, num_leaves, problem };

// Search is the input and the state of a launch.
struct Search {
	u32 rows, cols, labels, order;
	const double *roots; // of each game: tableaux of P and Q, probes of both
	u32 *control;
	u64 *totals; // nodes, pivots, leaves, ambiguous decisions, and the part done in parts of 2^60
	u32 *ready;  // of each task: 0 not there, 1 there, 2 taken
	u32 *tasks;  // of each: game, length, and decisions
	u32 num_tasks, budget;
	u64 *leaves; // of each: game, supports
	u32 max_leaves;
	u32 *entries; // of stacks
	double *saved;
	u32 max_entries, max_saved; // of a block
};

// poll_interval is how many nodes a warp visits between checks for waiting warps.
constexpr u32 poll_interval = 4;

constexpr u32 task_words = 2 + max_labels / 4;

// Entry is an untaken branch with its tableaux.
struct Entry {
	Labels labels, in_q;
	u32 length, label, at;
	u32 rows[2], cols[2];
	u8 vars[4 * 64];
};
constexpr u32 entry_words = 80; // entryWords of nashgpu/labels.go
static_assert(sizeof(Entry) == 4 * entry_words, "the size that nashgpu/labels.go has");

struct Task {
	Cursor w;
	const Search &s;
	Entry *stack;
	double *saved;
	double *probe; // of P and of Q, by variable
	u32 game, bottom, top, used, budget;
	u64 done;

	// new_task returns the index of a free task, or none.
	__device__ ALWAYS_INLINE u32 new_task() {
		u32 at = none;
		if (thread_in_block() == 0) {
			at = fetch_add(&s.control[tail], 1);
			if (at >= s.num_tasks) {
				at = none;
				store_release(&s.control[problem], 1);
			} else {
				fetch_add(&s.control[outstanding], 1);
			}
		}
		return from_first(at);
	}

	__device__ ALWAYS_INLINE static u32 from_first(u32 value) { return shuffle(value, 0); }

	// publish makes a task of the first decisions of the path, and of one more unless it
	// is none.
	__device__ ALWAYS_INLINE void publish(u32 length, u32 one_more) {
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
			store_release(&s.ready[at], 1);
	}

	// take waits for a task and loads it, or reports that there is none.
	__device__ ALWAYS_INLINE bool take() {
		u32 at = none;
		if (thread_in_block() == 0 && !atomic_load(&s.control[draining])) {
			at = fetch_add(&s.control[head], 1);
			if (at >= s.num_tasks)
				at = none;
			// The flag belongs to this warp. The word for the end of the work is shared
			// by all, and is read less often.
			for (u32 n = 1; at != none && !load_acquire(&s.ready[at]); n++) {
				if (n % 8 == 0 && (atomic_load(&s.control[draining]) || atomic_load(&s.control[outstanding]) == 0))
					at = none;
				else
					spin_wait();
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

	__device__ ALWAYS_INLINE void load_roots() {
		const u64 each = (u64)s.cols * (s.rows + first) + (u64)s.rows * (s.cols + first) + 2 * s.labels;
		const double *root = s.roots + game * each;
		for (u32 i = thread_in_block(); i < 2 * s.labels; i += warp)
			probe[i] = root[each - 2 * s.labels + i];
		sync_warp();
#pragma unroll 1
		for (u32 i = 0; i < 2; i++) {
			Tableau t = w.side(i);
			t.rows = i ? s.rows : s.cols;
			t.cols = i ? s.cols : s.rows;
			w.keep(i, t);
			for (u32 r = thread_in_block(); r < t.rows; r += warp) {
				t.row_var[r] = (u8)(i ? r : s.rows + r);
				t.row_probe[r] = probe[i * s.labels + t.row_var[r]];
				for (u32 c = 0; c < first + t.cols; c++)
					t.at(r, c) = root[c * t.rows + r];
			}
			for (u32 c = thread_in_block(); c < t.cols; c += warp) {
				t.col_var[c] = (u8)(i ? s.rows + c : c);
				t.col_probe[c] = probe[i * s.labels + t.col_var[c]];
			}
			root += t.rows * (first + t.cols);
		}
	}

	// entries calls f with each entry of a tableau that is this thread's, and its index.
	// They are distributed as in Tableau::pivot.
	template <class F> __device__ ALWAYS_INLINE static void entries(const Tableau &t, F f) {
		const u32 lane = thread_in_block(), sharing = t.rows <= warp / 2 ? 2 : 1, across = warp / sharing;
#pragma unroll 1
		for (u32 r = lane % across; r < t.rows; r += warp)
#pragma unroll 1
			for (u32 c = lane / across; c < first + t.cols; c += sharing)
				f(t.at(r, c), c * t.rows + r);
	}

	// save and load copy a tableau to and from memory, and return its length.
	__device__ ALWAYS_INLINE u32 save(u32 side, double *memory, u8 *vars) const {
		const Tableau t = w.side(side);
		entries(t, [&](double &x, u32 at) { memory[at] = x; });
		for (u32 r = thread_in_block(); r < t.rows; r += warp)
			vars[r] = t.row_var[r];
		for (u32 c = thread_in_block(); c < t.cols; c += warp)
			vars[64 + c] = t.col_var[c];
		return t.rows * (first + t.cols);
	}
	__device__ ALWAYS_INLINE u32 load(u32 side, const double *memory, const u8 *vars) const {
		const Tableau t = w.side(side);
		entries(t, [&](double &x, u32 at) { x = memory[at]; });
		for (u32 r = thread_in_block(); r < t.rows; r += warp) {
			t.row_var[r] = vars[r];
			t.row_probe[r] = probe[side * s.labels + vars[r]];
		}
		for (u32 c = thread_in_block(); c < t.cols; c += warp) {
			t.col_var[c] = vars[64 + c];
			t.col_probe[c] = probe[side * s.labels + vars[64 + c]];
		}
		return t.rows * (first + t.cols);
	}

	// push saves the second branch over a label.
	__device__ ALWAYS_INLINE void push(u32 label) {
		Entry &e = stack[top++];
		if (thread_in_block() == 0) {
			e.labels = w.labels;
			e.in_q = w.in_q;
			e.length = w.length;
			e.label = label;
			e.at = used;
#pragma unroll 1
			for (u32 i = 0; i < 2; i++) {
				e.rows[i] = w.side(i).rows;
				e.cols[i] = w.side(i).cols;
			}
		}
#pragma unroll 1
		for (u32 i = 0; i < 2; i++)
			used += save(i, saved + used, e.vars + 128 * i);
		sync_warp();
	}

	// pop restores the branch that was saved last.
	__device__ ALWAYS_INLINE void pop() {
		sync_warp(); // others may still look at the tableaux
		const Entry &e = stack[--top];
		w.labels = e.labels;
		w.in_q = e.in_q;
		w.length = e.length;
		used = e.at;
		u32 n = 0;
#pragma unroll 1
		for (u32 i = 0; i < 2; i++) {
			Tableau t = w.side(i);
			t.rows = e.rows[i];
			t.cols = e.cols[i];
			w.keep(i, t);
			n += load(i, saved + used + n, e.vars + 128 * i);
		}
		append_decision((u8)e.label);
	}

	// append_decision appends a decision to the path.
	__device__ ALWAYS_INLINE void append_decision(u8 decision) {
		if (thread_in_block() == 0)
			w.path[w.length] = decision;
		w.length++;
		sync_warp();
	}

	__device__ ALWAYS_INLINE void leaf() {
		w.counts.leaves++;
		if (thread_in_block() != 0)
			return;
		const u32 at = fetch_add(&s.control[num_leaves], 1);
		if (at >= s.max_leaves) {
			store_release(&s.control[problem], 2);
			return;
		}
		s.leaves[3 * (u64)at] = game;
		s.leaves[3 * (u64)at + 1] = w.in_q.words[0];
		s.leaves[3 * (u64)at + 2] = w.in_q.words[1];
	}

	__device__ ALWAYS_INLINE void count_part() {
		if (w.length <= 60)
			done += (u64)1 << (60 - w.length);
	}

	// requests returns 1 if another warp waits for work, and 2 if the launch should end.
	// The first thread decides for all, which have to take the same branch.
	__device__ ALWAYS_INLINE u32 requests() const {
		const u32 drawn = atomic_load(&s.control[head]), made = atomic_load(&s.control[tail]);
		return from_first(atomic_load(&s.control[draining]) ? 2 : drawn > made && made < s.num_tasks / 2 ? 1 : 0);
	}

	// traverse traverses the task's subtree. If the launch has to end early, it publishes
	// the rest of the subtree as tasks.
	__device__ ALWAYS_INLINE void traverse() {
		// The task's path is replayed first, without counting its work: the last decision
		// before the node has the number at - 1.
		for (u32 at = 0;;) {
			const bool replaying = at < w.length;
			if (!replaying) {
				const u32 requested = budget == 0 ? 2 : budget % poll_interval == 0 ? requests() : 0;
				if (requested == 2 && thread_in_block() == 0)
					store_release(&s.control[draining], 1);
				for (bool more = requested > 0; more; more = requested == 2) { // a branch, or all and this node
					const bool own = bottom == top;
					if (own && requested == 1)
						break;
					publish(own ? w.length : stack[bottom].length, own ? none : stack[bottom].label);
					if (own)
						return;
					bottom++;
				}
				budget--;
			}
			const Counts counted = w.counts;
			bool possible = w.settle(at == 0 ? none : w.path[at - 1]);
			if (replaying) {
				w.counts = counted;
				if (possible) {
					at++;
					continue;
				}
			}
			if (possible) {
				const u32 label = w.choose();
				if (label != none) {
					push(label);
					append_decision((u8)label | to_q);
					at = w.length;
					continue;
				}
				leaf();
			}
			count_part();
			if (w.failed || bottom == top)
				return;
			pop();
			at = w.length;
		}
	}
};

// allocate returns shared memory for n elements of a type.
template <class T> __device__ inline T *allocate(unsigned char *&free, u32 n) {
	T *const at = (T *)free;
	free += (n * sizeof(T) + 7) / 8 * 8;
	return at;
}

__global__ LAUNCH_BOUNDS(32, 16) void nash_labels(u32 rows, u32 cols, u32 order, const double *roots, u32 *control,
		u64 *totals, u32 *ready, u32 *tasks, u32 num_tasks, u32 budget, u64 *leaves, u32 max_leaves, u32 *entries,
		double *saved, u32 max_entries, u32 max_saved) {
	const Search s = {rows, cols, rows + cols, order, roots, control, totals, ready, tasks, num_tasks, budget, leaves,
		max_leaves, entries, saved, max_entries, max_saved};
	DYNAMIC_SHARED(unsigned char, memory);
	unsigned char *free = memory;
	const u32 block = block_in_grid();
	double *const p = allocate<double>(free, (cols | 1) * (rows + first)),
		*const q = allocate<double>(free, (rows | 1) * (cols + first));
	double *const p_rows = allocate<double>(free, cols), *const p_cols = allocate<double>(free, rows),
		*const q_rows = allocate<double>(free, rows), *const q_cols = allocate<double>(free, cols);
	double *const probe = allocate<double>(free, 2 * s.labels), *const scores = allocate<double>(free, 2 * s.labels);
	u8 *const p_row_var = allocate<u8>(free, cols), *const p_col_var = allocate<u8>(free, rows),
		*const q_row_var = allocate<u8>(free, rows), *const q_col_var = allocate<u8>(free, cols);
	u8 *const path = allocate<u8>(free, max_labels);
	Cursor w = {{p, p_row_var, p_col_var, p_rows, p_cols, cols | 1, 0, 0},
		{q, q_row_var, q_col_var, q_rows, q_cols, rows | 1, 0, 0}, scores, path, 0, s.labels, order, {}, {}, {}, false};
	Task t = {w, s, (Entry *)(entries + (u64)block * max_entries * entry_words), saved + (u64)block * max_saved,
		probe, 0, 0, 0, 0, budget, 0};
	while (t.take()) {
		t.traverse();
		sync_warp();
		if (thread_in_block() == 0) {
			if (t.w.failed)
				store_release(&control[problem], 3);
			fetch_add(&control[outstanding], ~0u);
		}
	}
	if (thread_in_block() == 0) {
		atomic_add(&totals[0], t.w.counts.nodes);
		atomic_add(&totals[1], t.w.counts.pivots);
		atomic_add(&totals[2], t.w.counts.leaves);
		atomic_add(&totals[3], t.w.counts.ambiguous);
		atomic_add(&totals[4], t.done);
	}
}
