// Training by walks, with regrets and strategies as floats.
#include "walk_parts.cuh"

using namespace walk;

#define TRAIN(way, shared) \
	walk_parts<float, way, shared>(plan, constants, frames, room, GIVEN_WORK, \
		Training<Floats, Floats>{{(float *)regret}, {(float *)matched}, {(float *)sum}, matched != regret, rates_of(rates, clock)}); \
	(void)regret_scales, (void)matched_scales, (void)sum_scales;

__global__ LAUNCH_BOUNDS(352, 2) void walk_down(TRAINED, WORK) { TRAIN(down, false) }
__global__ LAUNCH_BOUNDS(352, 2) void walk_last(TRAINED, WORK) { TRAIN(both, true) }
__global__ LAUNCH_BOUNDS(352, 2) void walk_large(TRAINED, WORK) { TRAIN(both, false) }
__global__ LAUNCH_BOUNDS(352, 2) void walk_up(TRAINED, WORK) { TRAIN(up, false) }
