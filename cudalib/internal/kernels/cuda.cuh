// The parts of CUDA that kernels use, for two compilers: clang without NVIDIA's
// headers, which compiles them to PTX, and a host C++ compiler, with which a thread of
// the host runs the CUDA threads in turns (host.cuh). A kernel that uses nothing else runs in
// both.
#pragma once

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

// words4 is four words that are loaded and stored at once.
typedef u32 words4 __attribute__((vector_size(16)));

// NOINLINE marks a function that is called seldom.
#define NOINLINE __attribute__((noinline))

// ALWAYS_INLINE marks a function whose objects should stay in registers.
#define ALWAYS_INLINE __attribute__((always_inline)) inline


#ifdef __CUDA_ARCH__

#define __global__ extern "C" __attribute__((global))
#define __device__ __attribute__((device))

// INLINED is for functions that get pointers to shared memory: only where they
// are inlined does the compiler know which memory it is, and that is faster.
#define INLINED inline __attribute__((always_inline))

// LAUNCH_BOUNDS declares the maximum threads of a block and the minimum blocks of a
// multiprocessor, which together bound the registers of a thread.
#define LAUNCH_BOUNDS(threads, blocks) __attribute__((launch_bounds(threads, blocks)))

// SHARED declares an array of n elements that the threads of a block share.
#define SHARED(type, name, n) static __attribute__((shared)) type name[n]

// DYNAMIC_SHARED names the shared memory that a launch asks for.
#define DYNAMIC_SHARED(type, name) \
	extern __attribute__((shared)) words4 dynamic_shared[]; \
	type *const name = (type *)dynamic_shared

__device__ inline u32 thread_in_block() { return __nvvm_read_ptx_sreg_tid_x(); }
__device__ inline u32 threads_in_block() { return __nvvm_read_ptx_sreg_ntid_x(); }
__device__ inline u32 block_in_grid() { return __nvvm_read_ptx_sreg_ctaid_x(); }
__device__ inline u32 blocks_in_grid() { return __nvvm_read_ptx_sreg_nctaid_x(); }

// sync_block is a barrier for all threads of the block.
__device__ inline void sync_block() { __syncthreads(); }

// upper_half returns the upper 32 bits. They are a register of their own, but for a
// shift NVIDIA's assembler emits an instruction.
__device__ inline u32 upper_half(u64 x) {
	u32 upper;
	asm("{ .reg .b32 lower; mov.b64 {lower, %0}, %1; }" : "=r"(upper) : "l"(x));
	return upper;
}

// shuffle_down returns the value of the thread `by` lanes higher in the warp, or an
// arbitrary one beyond its end. All threads of the warp must call it.
__device__ inline u32 shuffle_down(u32 value, u32 by) {
	return __nvvm_shfl_sync_down_i32(0xffffffffu, value, by, 31);
}
__device__ inline float shuffle_down(float value, u32 by) {
	return __nvvm_shfl_sync_down_f32(0xffffffffu, value, by, 31);
}

// shuffle_up returns the value of the thread `by` lanes lower.
__device__ inline float shuffle_up(float value, u32 by) {
	return __nvvm_shfl_sync_up_f32(0xffffffffu, value, by, 0);
}

// atomic_add adds to a counter that threads share, in shared or global memory.
__device__ inline void atomic_add(u32 *counter, u32 n) { __nvvm_atom_add_gen_i((int *)counter, (int)n); }
__device__ inline void atomic_add(u64 *counter, u64 n) { __nvvm_atom_add_gen_ll((long long *)counter, (long long)n); }
// atomic_or sets bits of a shared word, atomic_max raises a shared number, and
// atomic_load reads a word that other threads change meanwhile.
__device__ inline void atomic_or(u32 *word, u32 bits) { __nvvm_atom_or_gen_i((int *)word, (int)bits); }
__device__ inline void atomic_max(u32 *word, u32 n) { __nvvm_atom_max_gen_ui(word, n); }
__device__ inline u32 atomic_load(const u32 *word) { return *(const volatile u32 *)word; }
__device__ inline void atomic_store(u32 *word, u32 value) { *(volatile u32 *)word = value; }

// fetch_add adds to a counter atomically, and returns its previous value.
__device__ inline u32 fetch_add(u32 *counter, u32 n) { return (u32)__nvvm_atom_add_gen_i((int *)counter, (int)n); }
__device__ inline u64 fetch_add(u64 *counter, u64 n) {
	return (u64)__nvvm_atom_add_gen_ll((long long *)counter, (long long)n);
}

__device__ inline void atomic_max(u64 *slot, u64 value) { __nvvm_atom_max_gen_ull(slot, value); }

// shuffle returns the value of a thread of the warp. All threads must call it.
__device__ inline u32 shuffle(u32 value, u32 lane) { return __nvvm_shfl_sync_idx_i32(0xffffffffu, value, lane, 31); }

// warp_exchange calls f with a function that returns the value of any thread of the
// warp. All threads call both with the same arguments.
template <class T, class F> __device__ inline void warp_exchange(T value, F f) {
	f([&](u32 lane) {
		u32 words[sizeof value / 4];
		__builtin_memcpy(words, &value, sizeof value);
#pragma unroll
		for (u32 i = 0; i < sizeof value / 4; i++)
			words[i] = shuffle(words[i], lane);
		T x;
		__builtin_memcpy(&x, words, sizeof x);
		return x;
	});
}

// prefetch fetches a cache line for a load that comes soon.
__device__ inline void prefetch(const void *at) { asm volatile("prefetch.global.L1 [%0];" : : "l"(at)); }

// prefetch_l2 does so into the cache that all blocks share.
__device__ inline void prefetch_l2(const void *at) { asm volatile("prefetch.global.L2 [%0];" : : "l"(at)); }

// force_load keeps the loads of words whose only purpose is to fill the cache. Without
// an instruction that uses them the compiler would drop them.
__device__ inline void force_load(u32 words) {
	asm volatile("{ .reg .pred never; setp.eq.u32 never, %0, 0x7fedcba9; @never membar.cta; }" : : "r"(words));
}

// opaque returns its argument and hides it from the optimiser. Where a zero divisor is
// replaced and the quotient discarded, the optimiser would divide by the zero, which
// takes a slow path of 30 instructions.
__device__ inline float opaque(float x) {
	float same;
	asm("mov.f32 %0, %1;" : "=f"(same) : "f"(x));
	return same;
}
__device__ inline double opaque(double x) {
	double same;
	asm("mov.f64 %0, %1;" : "=d"(same) : "d"(x));
	return same;
}

// exact_fma returns x*y + z where x, y or z is 0, or y is 1, so that one rounding gives
// the bits of two. Its name stays in the PTX, whose test allows no other fma.
__device__ inline float exact_fma(float x, float y, float z) {
	float sum;
	asm("fma.rn.f32 %0, %1, %2, %3; // exact" : "=f"(sum) : "f"(x), "f"(y), "f"(z));
	return sum;
}
__device__ inline double exact_fma(double x, double y, double z) {
	double sum;
	asm("fma.rn.f64 %0, %1, %2, %3; // exact" : "=d"(sum) : "d"(x), "d"(y), "d"(z));
	return sum;
}

// fused returns x*y + z rounded once, where the bits of the CPU are not required.
__device__ inline float fused(float x, float y, float z) {
	float sum;
	asm("fma.rn.f32 %0, %1, %2, %3; // fused" : "=f"(sum) : "f"(x), "f"(y), "f"(z));
	return sum;
}

// sync_warp is a barrier for the threads of the warp, and makes their writes visible
// to each other.
__device__ inline void sync_warp() { __nvvm_bar_warp_sync(0xffffffffu); }

// shared_load and shared_store access a word of dynamic shared memory, at an
// offset in bytes.
__device__ inline u32 shared_address(const unsigned char *memory, u32 offset) {
	return (u32)(u64)(const __attribute__((address_space(3))) unsigned char *)memory + offset;
}
__device__ inline u32 shared_load(const unsigned char *memory, u32 offset) {
	u32 x;
	asm volatile("ld.shared.u32 %0, [%1];" : "=r"(x) : "r"(shared_address(memory, offset)) : "memory");
	return x;
}
__device__ inline void shared_store(unsigned char *memory, u32 offset, u32 x) {
	asm volatile("st.shared.u32 [%0], %1;" : : "r"(shared_address(memory, offset)), "r"(x) : "memory");
}

__device__ inline u32 multiply_high(u32 x, u32 y) {
	u32 z;
	asm("mul.hi.u32 %0, %1, %2;" : "=r"(z) : "r"(x), "r"(y));
	return z;
}

// multiply_wide returns a product of 64 bits in one instruction, also where the compiler
// has widened the factors elsewhere.
__device__ inline u64 multiply_wide(u32 x, u32 y) {
	u64 z;
	asm("mul.wide.u32 %0, %1, %2;" : "=l"(z) : "r"(x), "r"(y));
	return z;
}

// advance returns the address in global memory so many times some bytes further, also in
// one instruction.
template <class T> __device__ inline T *advance(T *at, u32 times, u32 bytes) {
	u64 to;
	asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(to) : "r"(times), "r"(bytes), "l"(at));
	return (T *)(__attribute__((address_space(1))) T *)to;
}

// store_if stores a value in global memory if a condition holds, without a branch.
__device__ inline void store_if(bool condition, float *at, float x) {
	asm volatile("{ .reg .pred stores; setp.ne.u32 stores, %0, 0; @stores st.global.f32 [%1], %2; }"
				 : : "r"((u32)condition), "l"(at), "f"(x) : "memory");
}

// shift_in shifts a word to the left, and the highest bit of another one in.
__device__ inline u32 shift_in(u32 word, u32 from) {
	u32 x;
	asm("shf.l.wrap.b32 %0, %1, %2, 1;" : "=r"(x) : "r"(from), "r"(word));
	return x;
}

// highest_bit returns the index of the highest bit that is set.
__device__ inline u32 highest_bit(u32 bits) {
	u32 x;
	asm("bfind.u32 %0, %1;" : "=r"(x) : "r"(bits));
	return x;
}

// load_acquire and store_release synchronise with threads of other blocks: writes before
// the store are visible to a thread that has loaded its value.
__device__ inline u32 load_acquire(const u32 *flag) {
	const u32 value = *(const volatile u32 *)flag;
	__nvvm_membar_gl();
	return value;
}
__device__ inline void store_release(u32 *flag, u32 value) {
	__nvvm_membar_gl();
	*(volatile u32 *)flag = value;
}

// load_acquire_block and store_release_block do so for threads of the same block.
__device__ inline void store_release_block(u32 *word, u32 value) {
	__nvvm_membar_cta();
	*(volatile u32 *)word = value;
}
__device__ inline u32 load_acquire_block(const u32 *word) {
	const u32 value = *(const volatile u32 *)word;
	__nvvm_membar_cta();
	return value;
}

// store_release_host sets a word of the host's memory. Writes of the block before its
// last barrier are visible to a host that reads the value.
__device__ inline void store_release_host(u32 *word, u32 value) {
	__nvvm_membar_sys();
	*(volatile u32 *)word = value;
}

// spin_wait lets other warps run while a thread polls a flag.
__device__ inline void spin_wait() {
	for (const u32 start = __nvvm_read_ptx_sreg_clock(); __nvvm_read_ptx_sreg_clock() - start < 1000;) {
	}
}

// ballot returns a bit for each thread of the warp whose vote is true, and shuffle_xor
// the value of the thread whose number differs in the bits of `by`. All threads of the
// warp must call them.
__device__ inline u32 ballot(bool vote) { return __nvvm_vote_ballot_sync(0xffffffffu, vote); }
__device__ inline u32 shuffle_xor(u32 value, u32 by) { return __nvvm_shfl_sync_bfly_i32(0xffffffffu, value, by, 31); }

#else

#include "host.cuh"

#define __global__
#define __device__
#define INLINED inline
#define LAUNCH_BOUNDS(threads, blocks)

#define SHARED(type, name, n) type *const name = host::shared<type>(n)

#define DYNAMIC_SHARED(type, name) type *const name = (type *)host::self->block->memory

inline u32 thread_in_block() { return host::self->thread; }
inline u32 threads_in_block() { return host::self->block->threads; }
inline u32 block_in_grid() { return host::self->block->index; }
inline u32 blocks_in_grid() { return host::self->block->blocks; }
inline void sync_block() { host::self->block->barrier.wait(); }
inline u32 upper_half(u64 x) { return (u32)(x >> 32); }
inline u32 shuffle_down(u32 value, u32 by) { return host::shuffle_down(value, by); }
inline float shuffle_down(float value, u32 by) { return host::shuffle_down(value, by); }
inline u32 shuffle(u32 value, u32 lane) { return host::shuffle(value, lane); }
template <class T, class F> void warp_exchange(T value, F f) { host::exchange(value, f); }
inline void prefetch(const void *) {}
inline void prefetch_l2(const void *) {}
inline void force_load(u32) {}
template <class Real> Real opaque(Real x) { return x; }
inline float exact_fma(float x, float y, float z) { return x * y + z; }
inline double exact_fma(double x, double y, double z) { return x * y + z; }
inline float fused(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
inline void sync_warp() { host::self->warp->barrier.wait(); }
inline u32 shared_load(const unsigned char *memory, u32 offset) { return *(const u32 *)(memory + offset); }
inline void shared_store(unsigned char *memory, u32 offset, u32 x) { *(u32 *)(memory + offset) = x; }
inline u32 multiply_high(u32 x, u32 y) { return (u32)((u64)x * y >> 32); }
inline u64 multiply_wide(u32 x, u32 y) { return (u64)x * y; }
template <class T> T *advance(T *at, u32 times, u32 bytes) { return (T *)((u64)at + (u64)times * bytes); }
inline void store_if(bool condition, float *at, float x) {
	if (condition)
		*at = x;
}
inline u32 shift_in(u32 word, u32 from) { return word << 1 | from >> 31; }
inline u32 highest_bit(u32 bits) { return 31 - __builtin_clz(bits); }
inline void atomic_max(u64 *slot, u64 value) {
	u64 was = __atomic_load_n(slot, __ATOMIC_RELAXED);
	host::interleave();
	while (was < value && !__atomic_compare_exchange_n(slot, &was, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
}
inline float shuffle_up(float value, u32 by) { return host::shuffle_down(value, -by); }
template <class T> T fetch_add(T *counter, std::type_identity_t<T> n) {
	host::interleave();
	return __atomic_fetch_add(counter, n, __ATOMIC_RELAXED);
}
template <class T> void atomic_add(T *counter, T n) { fetch_add(counter, n); }
inline u32 load_acquire(const u32 *flag) { return __atomic_load_n(flag, __ATOMIC_ACQUIRE); }
inline void store_release(u32 *flag, u32 value) { __atomic_store_n(flag, value, __ATOMIC_RELEASE); }
inline void store_release_block(u32 *word, u32 value) { __atomic_store_n(word, value, __ATOMIC_RELEASE); }
inline u32 load_acquire_block(const u32 *word) {
	host::yield();
	return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}
inline void store_release_host(u32 *word, u32 value) { __atomic_store_n(word, value, __ATOMIC_RELEASE); }
inline void spin_wait() { host::yield(); }
inline u32 shuffle_xor(u32 value, u32 by) { return host::shuffle(value, host::self->lane ^ by); }
inline u32 ballot(bool vote) { return host::ballot(vote); }
inline void atomic_or(u32 *word, u32 bits) {
	host::interleave();
	__atomic_fetch_or(word, bits, __ATOMIC_RELAXED);
}
inline u32 atomic_load(const u32 *word) { return __atomic_load_n(word, __ATOMIC_RELAXED); }
inline void atomic_store(u32 *word, u32 value) { __atomic_store_n(word, value, __ATOMIC_RELAXED); }
inline void atomic_max(u32 *word, u32 n) {
	u32 old = atomic_load(word);
	host::interleave();
	while (old < n && !__atomic_compare_exchange_n(word, &old, n, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
	}
}

#endif

__device__ inline double shuffle_down(double value, u32 by) {
	u32 halves[2];
	__builtin_memcpy(halves, &value, sizeof value);
	halves[0] = shuffle_down(halves[0], by);
	halves[1] = shuffle_down(halves[1], by);
	__builtin_memcpy(&value, halves, sizeof value);
	return value;
}

// The index of a thread in the grid, and the number of threads, for grid-stride loops.
__device__ inline u64 thread_in_grid() { return (u64)block_in_grid() * threads_in_block() + thread_in_block(); }
__device__ inline u64 threads_in_grid() { return (u64)blocks_in_grid() * threads_in_block(); }
