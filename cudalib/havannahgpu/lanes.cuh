// What the lanes of a warp do together. All of them call these functions.
#pragma once

#include "cuda.cuh"

namespace gumbel {

constexpr u32 warp = 32;

__device__ inline u32 lane() { return thread_in_block() % warp; }

// spread calls f with the numbers below n: a lane with every 32nd of them.
template <class F> __device__ INLINED void spread(u32 n, F f) {
	for (u32 i = lane(); i < n; i += warp)
		f(i);
}

// once calls f in one lane, after what all lanes did before, and before what they do next.
template <class F> __device__ INLINED void once(F f) {
	sync_warp();
	if (lane() == 0)
		f();
	sync_warp();
}

// reduce returns what f, which takes two values in any order, makes of those of all lanes.
template <class T, class F> __device__ INLINED T reduce(T x, F f) {
#pragma unroll
	for (u32 by = warp / 2; by > 0; by /= 2)
		warp_exchange(x, [&](auto of) { x = f(x, of(lane() ^ by)); });
	return x;
}

template <class T> __device__ INLINED T greatest(T x) {
	return reduce(x, [](T x, T y) { return y > x ? y : x; });
}

// lower returns those of a set of lanes that are before this one.
__device__ inline u32 lower(u32 lanes) { return lanes & ((1u << lane()) - 1); }

} // namespace gumbel
