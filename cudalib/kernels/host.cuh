// Runs kernels on the host: a thread for each CUDA thread, a barrier for sync_block,
// and an exchange of values in a warp for the shuffles. It is slow, but has the GPU's
// races: ThreadSanitizer finds a missing barrier.
#pragma once

#include <algorithm>
#include <barrier>
#include <cstddef>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <semaphore>
#include <thread>
#include <type_traits>
#include <vector>

namespace host {

constexpr unsigned warp_threads = 32;

struct Warp {
	std::barrier<> barrier;
	unsigned threads;
	struct alignas(16) Value {
		unsigned words[32];
	} exchanged[warp_threads] = {};

	explicit Warp(unsigned threads) : barrier(threads), threads(threads) {}
};

struct Block {
	unsigned index, blocks, threads;
	std::barrier<> barrier;
	std::vector<std::unique_ptr<Warp>> warps;
	std::vector<std::max_align_t> memory; // the shared memory, dynamic part first
	size_t dynamic_bytes;

	Block(unsigned index, unsigned blocks, unsigned threads, size_t dynamic_bytes)
		: index(index), blocks(blocks), threads(threads), barrier(threads),
		  memory((dynamic_bytes + (96 << 10)) / sizeof(std::max_align_t)), dynamic_bytes(dynamic_bytes) {
		// A GPU does not clear shared memory either.
		memset(memory.data(), 0xa5, memory.size() * sizeof(std::max_align_t));
		for (unsigned first = 0; first < threads; first += warp_threads)
			warps.push_back(std::make_unique<Warp>(std::min(warp_threads, threads - first)));
	}
};

// The CUDA thread that a host thread runs.
struct Thread {
	Block *block;
	unsigned thread;
	size_t shared_bytes; // taken by its declarations so far
};

inline thread_local Thread self;

// shared returns the next n elements of the block's shared memory. All threads reach
// the same declarations in the same order, and so get the same arrays.
template <class T> T *shared(size_t n) {
	size_t at = (self.shared_bytes + 15) / 16 * 16;
	self.shared_bytes = at + n * sizeof(T);
	return reinterpret_cast<T *>(reinterpret_cast<unsigned char *>(self.block->memory.data()) + at);
}

// exchange calls f with a function that returns the value of any thread of the warp.
template <class T, class F> void exchange(T value, F f) {
	static_assert(sizeof(T) <= sizeof(Warp::Value));
	Warp &warp = *self.block->warps[self.thread / warp_threads];
	memcpy(&warp.exchanged[self.thread % warp_threads], &value, sizeof value);
	warp.barrier.arrive_and_wait();
	f([&](unsigned lane) {
		T x;
		memcpy(&x, &warp.exchanged[lane], sizeof x);
		return x;
	});
	warp.barrier.arrive_and_wait(); // before the next exchange
}

template <class T> T shuffle(T value, unsigned from) {
	exchange(value, [&](auto of) { value = of(from); });
	return value;
}

template <class T> T shuffle_down(T value, unsigned by) {
	unsigned lane = self.thread % warp_threads;
	return shuffle(value, lane + by < warp_threads ? lane + by : lane);
}

inline unsigned ballot(bool vote) {
	unsigned all = 0;
	exchange((unsigned)vote, [&](auto of) {
		for (unsigned lane = 0; lane < self.block->warps[self.thread / warp_threads]->threads; lane++)
			all |= of(lane) << lane;
	});
	return all;
}

// Pool has the host threads of CUDA threads. They are kept, because a kernel of a test ends
// sooner than its threads would start, above all under ThreadSanitizer.
class Pool {
	struct Worker {
		std::binary_semaphore begin{0};
		std::thread thread;
	};
	std::mutex running;
	std::vector<std::unique_ptr<Worker>> workers;
	std::counting_semaphore<> done{0};
	std::function<void(unsigned)> work; // none ends the threads

	void serve(Worker &w, unsigned number) {
		for (;;) {
			w.begin.acquire();
			if (!work)
				return;
			work(number);
			done.release();
		}
	}

  public:
	// run calls f(0) to f(n - 1), each on a thread of its own, and waits for them.
	void run(unsigned n, std::function<void(unsigned)> f) {
		std::lock_guard lock(running);
		work = std::move(f);
		while (workers.size() < n) {
			unsigned number = workers.size();
			Worker &w = *workers.emplace_back(std::make_unique<Worker>());
			w.thread = std::thread([this, &w, number] { serve(w, number); });
		}
		for (unsigned i = 0; i < n; i++)
			workers[i]->begin.release();
		for (unsigned i = 0; i < n; i++)
			done.acquire();
	}

	~Pool() {
		work = nullptr;
		for (auto &w : workers) {
			w->begin.release();
			w->thread.join();
		}
	}
};

inline Pool pool;

// run runs a kernel. A few blocks run at the same time, so that races between blocks
// show too.
template <class Kernel> void run(unsigned blocks, unsigned threads, size_t dynamic_bytes, Kernel kernel) {
	const unsigned concurrent = std::max(2u, 256 / threads);
	for (unsigned first = 0; first < blocks; first += concurrent) {
		std::vector<std::unique_ptr<Block>> running;
		for (unsigned b = first; b < std::min(blocks, first + concurrent); b++)
			running.push_back(std::make_unique<Block>(b, blocks, threads, dynamic_bytes));
		pool.run(running.size() * threads, [&](unsigned i) {
			Block *block = running[i / threads].get();
			unsigned t = i % threads;
			self = Thread{block, t, block->dynamic_bytes};
			kernel();
			// No thread waits for one that has ended.
			block->barrier.arrive_and_drop();
			block->warps[t / warp_threads]->barrier.arrive_and_drop();
		});
	}
}

} // namespace host
