// The speed of a single thread of a device: sums without memory, and chains of memory
// accesses, after Buzer and Cazenave, GPU for Monte Carlo Search, 2023,
// section 3. The launches are in probe/cores.go.
#include "cuda.cuh"

// subset_sums adds up the sums of all subsets of 1 to n.
template <class T> __device__ inline T subset_sums(u32 n) {
	T total = 0;
#pragma clang loop unroll(disable)
	for (u32 set = 0; set < 1u << n; set++) {
		T sum = 0;
#pragma clang loop unroll(disable)
		for (u32 k = 0; k < n; k++)
			if (set >> k & 1)
				sum += (T)(k + 1);
		total += sum;
	}
	return total;
}

__global__ void core_sums_int(u32 *results, u32 n) { results[thread_in_grid()] = subset_sums<u32>(n); }
__global__ void core_sums_float(float *results, u32 n) { results[thread_in_grid()] = subset_sums<float>(n); }

// chase follows a chain of indices, three at a time, and with writes reverses it as it
// goes.
template <class T> __device__ inline u32 chase(volatile T *a, u32 p, u32 accesses, u32 writes) {
	for (u32 i = 0; i < accesses; i += 3) {
		const u32 p2 = a[p], p3 = a[p2], p4 = a[p3];
		if (writes) {
			a[p] = (T)p3;
			a[p2] = (T)p4;
			a[p3] = (T)p2;
		}
		p = p4;
	}
	return p;
}

// chase_global has a chain of n 16-bit indices a thread in global memory.
__global__ void chase_global(u32 *results, u16 *chains, const u16 *chain, u32 n, u32 accesses, u32 writes) {
	u16 *const mine = chains + thread_in_grid() * n;
	for (u32 i = 0; i < n; i++)
		mine[i] = chain[i];
	results[thread_in_grid()] = chase<u16>(mine, 0, accesses, writes);
}

// chase_shared has a chain of n 8-bit indices a thread in shared memory.
__global__ void chase_shared(u32 *results, const u16 *chain, u32 n, u32 accesses, u32 writes) {
	DYNAMIC_SHARED(u8, chains);
	u8 *const mine = chains + thread_in_block() * n;
	for (u32 i = 0; i < n; i++)
		mine[i] = (u8)chain[i];
	results[thread_in_grid()] = chase<u8>(mine, 0, accesses, writes);
}
