// The turns of the threads of a block, see host.cuh.
#include "host.cuh"

#include <algorithm>
#include <deque>
#include <vector>

#ifdef _WIN32
#include <windows.h>
#else
#include <sys/mman.h>
#endif

#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#endif

// UNSEEN functions are not instrumented by ThreadSanitizer. What they read and write orders no accesses of kernels:
// only the atomic operations of the functions that call them do.
#define UNSEEN __attribute__((noinline, no_sanitize("thread")))

// A Context is where a thread of a block goes on. make gives it a stack, on which the first switch calls a function
// that does not return.

#ifdef _WIN32

struct Context {
	void *fiber;

	void make(size_t, void (*function)()) {
		fiber = CreateFiberEx(4096, 256 << 10, 0, [](void *f) { reinterpret_cast<void (*)()>(f)(); },
			reinterpret_cast<void *>(function));
	}
	void switch_to(Context &to) {
		fiber = IsThreadAFiber() ? GetCurrentFiber() : ConvertThreadToFiber(nullptr);
		SwitchToFiber(to.fiber);
	}
};

#else

constexpr size_t stack_bytes = 256 << 10;

char *new_stack() {
	auto first = static_cast<char *>(mmap(nullptr, stack_bytes, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
	mprotect(first, 4096, PROT_NONE); // a fault is better than an overflow
	return first;
}

#ifdef __x86_64__

// switch_stacks saves the registers that functions preserve, and returns on another stack.
extern "C" void switch_stacks(void **from, void *to);
asm(R"(
	.text
switch_stacks:
	push %rbp
	push %rbx
	push %r12
	push %r13
	push %r14
	push %r15
	mov %rsp, (%rdi)
	mov %rsi, %rsp
	pop %r15
	pop %r14
	pop %r13
	pop %r12
	pop %rbx
	pop %rbp
	ret
)");

struct Context {
	void *pointer;

	void make(size_t offset, void (*function)()) {
		void **top = reinterpret_cast<void **>(new_stack() + stack_bytes - offset) - 2;
		top[0] = reinterpret_cast<void *>(function);
		top[1] = nullptr;  // its return address
		pointer = top - 6; // its registers
	}
	UNSEEN void switch_to(Context &to) { switch_stacks(&pointer, to.pointer); }
};

#else

#include <ucontext.h>

struct Context {
	ucontext_t context;

	void make(size_t offset, void (*function)()) {
		getcontext(&context);
		context.uc_stack.ss_sp = new_stack();
		context.uc_stack.ss_size = stack_bytes - offset;
		makecontext(&context, function, 0);
	}
	UNSEEN void switch_to(Context &to) { swapcontext(&context, &to.context); }
};

#endif
#endif

namespace host {

struct Stack {
	Context context;
	void *fiber; // ThreadSanitizer's name of it
};

namespace {

Queue ready;
Stack own_stack; // of the thread of the host
unsigned random_state;

void (*kernel)(void **);
void **arguments;
unsigned begun, ended; // order what the host's thread does before and after the turns

UNSEEN unsigned random_bits() { return (random_state = random_state * 1664525 + 1013904223) >> 16; }

UNSEEN void append(Queue &queue, Thread *t) {
	t->next = nullptr;
	(queue.first ? queue.last->next : queue.first) = t;
	queue.last = t;
}

UNSEEN Thread *take(Queue &queue) {
	Thread *t = queue.first;
	queue.first = t->next;
	return t;
}

// next_turn begins the turn of the first thread that is ready, or returns to the thread of the host.
UNSEEN void next_turn() {
	Thread *from = self, *to = ready.first ? take(ready) : &own_thread;
	if (to == from)
		return;
	self = to;
#ifdef __SANITIZE_THREAD__
	__tsan_switch_to_fiber(to->stack->fiber, __tsan_switch_to_fiber_no_sync);
#endif
	from->stack->context.switch_to(to->stack->context);
}

// make_ready appends the threads of a queue to those that are ready, in their order or in the opposite one.
UNSEEN void make_ready(Queue &queue) {
	if (random_bits() % 2) {
		Queue reversed = {nullptr, queue.first};
		while (queue.first) {
			Thread *t = take(queue);
			t->next = reversed.first;
			reversed.first = t;
		}
		queue = reversed;
	}
	if (queue.first) {
		(ready.first ? ready.last->next : ready.first) = queue.first;
		ready.last = queue.last;
	}
	queue = {};
}

UNSEEN void wait_in(Queue &queue) {
	append(queue, self);
	next_turn();
}

UNSEEN unsigned one_less(unsigned &n) { return --n; }

// serve runs a thread of one launch after the other.
void serve() {
	for (;;) {
		__atomic_load_n(&begun, __ATOMIC_ACQUIRE);
		kernel(arguments);
		self->block->barrier.drop();
		self->warp->barrier.drop();
		__atomic_fetch_add(&ended, 1, __ATOMIC_RELEASE);
		next_turn();
	}
}

// The threads are kept for the next launch.
std::deque<Thread> threads;

Thread *thread(unsigned i) {
	while (threads.size() <= i) {
		// Stacks that begin at different places of a page do not share the same few lines of a cache.
		const size_t offset = threads.size() * 1088 % (64 << 10);
		auto stack = new Stack;
		stack->context.make(offset, serve);
#ifdef __SANITIZE_THREAD__
		stack->fiber = __tsan_create_fiber(0);
#endif
		threads.emplace_back().stack = stack;
	}
	return &threads[i];
}

} // namespace

UNSEEN void yield() { wait_in(ready); }

UNSEEN void interleave() {
	if (random_bits() % 8 == 0)
		yield();
}

// The accesses before the waits are ordered before those after them: by arrived, before those of the last thread, and
// from there by the phase, before those of all.
void Barrier::wait() {
	if (__atomic_add_fetch(&arrived, 1, __ATOMIC_ACQ_REL) == n)
		end_phase();
	else
		wait_in(waiting);
	__atomic_load_n(&phases, __ATOMIC_ACQUIRE);
}

void Barrier::end_phase() {
	__atomic_store_n(&arrived, 0, __ATOMIC_RELAXED);
	__atomic_fetch_add(&phases, 1, __ATOMIC_RELEASE);
	make_ready(waiting);
	interleave();
}

void Barrier::drop() {
	if (unsigned left = one_less(n); __atomic_fetch_add(&arrived, 0, __ATOMIC_ACQ_REL) == left && left > 0)
		end_phase();
}

bool run(unsigned blocks, unsigned block_threads, size_t dynamic_bytes, void (*call)(void **), void **args) {
	// A GPU does not clear shared memory either.
	static std::vector<std::vector<std::max_align_t>> memories;
	constexpr int unset = 0xa5;
	const size_t words = (dynamic_bytes + (96 << 10)) / sizeof(std::max_align_t);
	kernel = call;
	arguments = args;
	own_thread.stack = &own_stack;
#ifdef __SANITIZE_THREAD__
	own_stack.fiber = __tsan_get_current_fiber();
#endif
	const unsigned concurrent = std::max(2u, 256 / block_threads);
	for (unsigned first = 0; first < blocks; first += concurrent) {
		std::deque<Block> running;
		std::deque<Warp> warps;
		Queue all = {};
		unsigned n = 0;
		for (unsigned b = first; b < std::min(blocks, first + concurrent); b++) {
			if (memories.size() <= b - first)
				memories.emplace_back();
			auto &memory = memories[b - first];
			if (memory.size() < words) {
				memory.resize(words);
				memset(memory.data(), unset, words * sizeof memory[0]);
			}
			Block &block = running.emplace_back(Block{b, blocks, block_threads, Barrier(block_threads),
				reinterpret_cast<unsigned char *>(memory.data())});
			for (unsigned i = 0; i < block_threads; i++) {
				if (i % warp_threads == 0)
					warps.emplace_back(std::min(warp_threads, block_threads - i));
				Thread *t = thread(n++);
				*t = {&block, &warps.back(), i, i % warp_threads, dynamic_bytes, nullptr, t->stack};
				append(all, t);
			}
		}
		ended = 0;
		__atomic_fetch_add(&begun, 1, __ATOMIC_RELEASE);
		make_ready(all);
		next_turn();
		if (__atomic_load_n(&ended, __ATOMIC_ACQUIRE) != n) {
			threads.clear(); // their stacks are lost
			return false;
		}
		for (unsigned i = 0; i < n; i += block_threads) {
			size_t used = 0;
			for (unsigned j = i; j < i + block_threads; j++)
				used = std::max(used, threads[j].shared_bytes);
			memset(running[i / block_threads].memory, unset, used);
		}
	}
	return true;
}

} // namespace host
