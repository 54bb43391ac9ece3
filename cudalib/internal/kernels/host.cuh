// Runs kernels on the host, for tests. Each CUDA thread of the blocks that run at the same time has a stack of its own.
// One thread of the host runs them in turns, which end at barriers, shuffles and some atomic operations. The order of
// the turns is pseudo-random and the same in every run. It gives wrong results where a barrier is missing, and
// ThreadSanitizer, which is told which thread runs, reports the accesses.
//
// The turns themselves are in gamebots/cudalib/cudatest/src/host.cpp.
#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>

namespace host {

constexpr unsigned warp_threads = 32;

struct Thread;

// Queue has threads in the order of their turns.
struct Queue {
	Thread *first, *last;
};

// Barrier makes n threads wait for each other.
class Barrier {
	unsigned n, arrived = 0, phases = 0;
	Queue waiting = {};

	void end_phase();

  public:
	explicit Barrier(unsigned n) : n(n) {}
	void wait();
	void drop(); // instead of all further waits of a thread

	// phase returns how often the threads have waited. It is the same for all until they wait again.
	unsigned phase() const { return __atomic_load_n(&phases, __ATOMIC_RELAXED); }
};

struct Warp {
	Barrier barrier;
	unsigned threads;
	struct alignas(16) Value {
		unsigned words[32];
	} exchanged[2][warp_threads] = {}; // by the parity of the barrier's phase

	explicit Warp(unsigned threads) : barrier(threads), threads(threads) {}
};

struct Block {
	unsigned index, blocks, threads;
	Barrier barrier;
	unsigned char *memory; // the shared memory, dynamic part first
};

// Thread is a CUDA thread.
struct Thread {
	Block *block = nullptr;
	Warp *warp = nullptr;
	unsigned thread = 0, lane = 0;
	size_t shared_bytes = 0; // taken by the launch and by declarations so far
	Thread *next = nullptr;  // in a queue
	struct Stack *stack = nullptr;
};

// self is the thread whose turn it is: that of the host while no kernel runs.
inline Thread own_thread, *self = &own_thread;

// yield gives all other threads that do not wait at a barrier a turn, and interleave does so now and then.
void yield();
void interleave();

// shared returns the next n elements of the block's shared memory. All threads reach
// the same declarations in the same order, and so get the same arrays.
template <class T> T *shared(size_t n) {
	size_t at = (self->shared_bytes + 15) / 16 * 16;
	self->shared_bytes = at + n * sizeof(T);
	return reinterpret_cast<T *>(self->block->memory + at);
}

// exchange calls f with a function that returns the value of any thread of the warp. The next exchange uses other
// memory, and the one after it begins when all threads are done with this one.
template <class T, class F> void exchange(T value, F f) {
	static_assert(sizeof(T) <= sizeof(Warp::Value));
	Warp &warp = *self->warp;
	Warp::Value *values = warp.exchanged[warp.barrier.phase() % 2];
	memcpy(&values[self->lane], &value, sizeof value);
	warp.barrier.wait();
	f([&](unsigned lane) {
		T x;
		memcpy(&x, &values[lane], sizeof x);
		return x;
	});
}

template <class T> T shuffle(T value, unsigned from) {
	exchange(value, [&](auto of) { value = of(from); });
	return value;
}

template <class T> T shuffle_down(T value, unsigned by) {
	return shuffle(value, self->lane + by < warp_threads ? self->lane + by : self->lane);
}

inline unsigned ballot(bool vote) {
	unsigned all = 0;
	exchange((unsigned)vote, [&](auto of) {
		for (unsigned lane = 0; lane < self->warp->threads; lane++)
			all |= of(lane) << lane;
	});
	return all;
}

// run runs a kernel, which is called with pointers to its arguments. A few blocks run at the same time, so that races
// between blocks show too. It reports whether all threads came to an end: they do not if some wait at a barrier that
// the others never reach.
bool run(unsigned blocks, unsigned threads, size_t dynamic_bytes, void (*kernel)(void **), void **arguments);

} // namespace host
