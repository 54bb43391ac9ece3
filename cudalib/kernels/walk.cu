// Training by walks, with regrets and strategies as floats.
#include "walk_parts.cuh"

using namespace walk;

#define WALK_TRAIN(way, shared) \
	walk_parts<float, way, shared>(plan, constants, frames, room, WALK_GIVEN, \
		Training<Floats, Floats>{{(float *)regret}, {(float *)matched}, {(float *)sum}, matched != regret, rates_of(rates, clock)}); \
	(void)regret_scales, (void)matched_scales, (void)sum_scales;

__global__ LAUNCH_BOUNDS(352, 2) void walk_down(WALK_ARRAYS, WALK_WORK) { WALK_TRAIN(down, false) }
__global__ LAUNCH_BOUNDS(352, 2) void walk_last(WALK_ARRAYS, WALK_WORK) { WALK_TRAIN(both, true) }
__global__ LAUNCH_BOUNDS(352, 2) void walk_large(WALK_ARRAYS, WALK_WORK) { WALK_TRAIN(both, false) }
__global__ LAUNCH_BOUNDS(352, 2) void walk_up(WALK_ARRAYS, WALK_WORK) { WALK_TRAIN(up, false) }
