// Training by walks, with regrets and strategies as 16-bit numbers.
#include "walk_parts.cuh"

using namespace walk;

#define TRAIN_16(way, shared) \
	walk_parts<float, way, shared>(plan, constants, frames, room, GIVEN_WORK, \
		Training<Halves<true>, Halves<false>>{{(i16 *)regret, regret_scales}, {(i16 *)matched, matched_scales}, \
			{(i16 *)sum, sum_scales}, matched != regret, rates_of(rates, clock)});

__global__ LAUNCH_BOUNDS(352, 2) void walk_down_16(TRAINED, WORK) { TRAIN_16(down, false) }
__global__ LAUNCH_BOUNDS(352, 2) void walk_last_16(TRAINED, WORK) { TRAIN_16(both, true) }
__global__ LAUNCH_BOUNDS(352, 2) void walk_large_16(TRAINED, WORK) { TRAIN_16(both, false) }
__global__ LAUNCH_BOUNDS(352, 2) void walk_up_16(TRAINED, WORK) { TRAIN_16(up, false) }
