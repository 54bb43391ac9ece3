// Training by walks, with regrets and strategies as 16-bit numbers.
#include "walk_parts.cuh"

using namespace walk;

#define WALK_TRAIN_16(way, shared) \
	walk_parts<float, way, shared>(plan, constants, frames, room, WALK_GIVEN, \
		Training<Halves<true>, Halves<false>>{{(i16 *)regret, regret_scales}, {(i16 *)matched, matched_scales}, \
			{(i16 *)sum, sum_scales}, matched != regret, rates_of(rates, clock)});

__global__ LAUNCH_BOUNDS(352, 2) void walk_down_16(WALK_ARRAYS, WALK_WORK) { WALK_TRAIN_16(down, false) }
__global__ LAUNCH_BOUNDS(352, 2) void walk_last_16(WALK_ARRAYS, WALK_WORK) { WALK_TRAIN_16(both, true) }
__global__ LAUNCH_BOUNDS(352, 2) void walk_large_16(WALK_ARRAYS, WALK_WORK) { WALK_TRAIN_16(both, false) }
__global__ LAUNCH_BOUNDS(352, 2) void walk_up_16(WALK_ARRAYS, WALK_WORK) { WALK_TRAIN_16(up, false) }
