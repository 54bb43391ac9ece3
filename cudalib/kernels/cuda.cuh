// What a kernel needs of CUDA, for two compilers: clang without NVIDIA's
// headers, which makes PTX of it, and a host C++ compiler, with which a thread
// of the host plays each CUDA thread (host.cuh). A kernel that uses nothing
// else runs in both.
#pragma once

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

// Four words that are loaded and stored at once.
typedef u32 words4 __attribute__((vector_size(16)));

#ifdef __CUDA_ARCH__

#define __global__ extern "C" __attribute__((global))
#define __device__ __attribute__((device))

// LAUNCH_BOUNDS tells how many threads a block has at most, and how many blocks
// a multiprocessor is to hold, which bounds the registers of a thread.
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

// sync_block waits for all threads of the block; each has to come here.
__device__ inline void sync_block() { __syncthreads(); }

// shuffle_down returns the value of the thread that is `by` places further in
// the warp, or an arbitrary one where there is none. All threads of the warp
// have to come here.
__device__ inline u32 shuffle_down(u32 value, u32 by) {
	return __nvvm_shfl_sync_down_i32(0xffffffffu, value, by, 31);
}
__device__ inline float shuffle_down(float value, u32 by) {
	return __nvvm_shfl_sync_down_f32(0xffffffffu, value, by, 31);
}

// atomic_add adds to a counter that threads share, in shared or global memory.
__device__ inline void atomic_add(u32 *counter, u32 n) { __nvvm_atom_add_gen_i((int *)counter, (int)n); }
__device__ inline void atomic_add(u64 *counter, u64 n) { __nvvm_atom_add_gen_ll((long long *)counter, (long long)n); }

#else

#include "host.cuh"

#define __global__
#define __device__
#define LAUNCH_BOUNDS(threads, blocks)

#define SHARED(type, name, n) type *const name = host::shared<type>(n)

#define DYNAMIC_SHARED(type, name) type *const name = (type *)host::self.block->memory.data()

inline u32 thread_in_block() { return host::self.thread; }
inline u32 threads_in_block() { return host::self.block->threads; }
inline u32 block_in_grid() { return host::self.block->index; }
inline u32 blocks_in_grid() { return host::self.block->blocks; }
inline void sync_block() { host::self.block->barrier.arrive_and_wait(); }
inline u32 shuffle_down(u32 value, u32 by) { return host::shuffle_down(value, by); }
inline float shuffle_down(float value, u32 by) { return host::shuffle_down(value, by); }
template <class T> void atomic_add(T *counter, T n) { __atomic_fetch_add(counter, n, __ATOMIC_RELAXED); }

#endif

__device__ inline double shuffle_down(double value, u32 by) {
	u32 halves[2];
	__builtin_memcpy(halves, &value, sizeof value);
	halves[0] = shuffle_down(halves[0], by);
	halves[1] = shuffle_down(halves[1], by);
	__builtin_memcpy(&value, halves, sizeof value);
	return value;
}

// The place of a thread in the grid, and how many there are. A loop from the
// one in strides of the other shares out any number of elements.
__device__ inline u64 thread_in_grid() { return (u64)block_in_grid() * threads_in_block() + thread_in_block(); }
__device__ inline u64 threads_in_grid() { return (u64)blocks_in_grid() * threads_in_block(); }
