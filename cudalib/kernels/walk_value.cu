// Values of a strategy and best responses to it by walks, in 64 bits.
#include "walk_parts.cuh"

using namespace walk;

#define STRATEGY const u32 *plan, const float *constants, double *frames, double *room, void *sum, float *sum_scales
#define VALUE(way, shared) \
	walk_parts<double, way, shared>(plan, constants, frames, room, GIVEN_WORK, Valuing{sum, sum_scales});

__global__ LAUNCH_BOUNDS(352, 1) void value_down(STRATEGY, WORK) { VALUE(down, false) }
__global__ LAUNCH_BOUNDS(352, 1) void value_last(STRATEGY, WORK) { VALUE(both, true) }
__global__ LAUNCH_BOUNDS(352, 1) void value_large(STRATEGY, WORK) { VALUE(both, false) }
__global__ LAUNCH_BOUNDS(352, 1) void value_up(STRATEGY, WORK) { VALUE(up, false) }
