// Values of a strategy and best responses to it by walks, in 64 bits.
#include "walk_parts.cuh"

using namespace walk;

#define VALUE_ARRAYS const u32 *plan, const float *constants, double *frames, double *room, void *sum, float *sum_scales
#define VALUE_WALK(way, shared) \
	walk_parts<double, way, shared>(plan, constants, frames, room, WALK_GIVEN, Valuing{sum, sum_scales});

__global__ LAUNCH_BOUNDS(352, 1) void value_down(VALUE_ARRAYS, WALK_WORK) { VALUE_WALK(down, false) }
__global__ LAUNCH_BOUNDS(352, 1) void value_last(VALUE_ARRAYS, WALK_WORK) { VALUE_WALK(both, true) }
__global__ LAUNCH_BOUNDS(352, 1) void value_large(VALUE_ARRAYS, WALK_WORK) { VALUE_WALK(both, false) }
__global__ LAUNCH_BOUNDS(352, 1) void value_up(VALUE_ARRAYS, WALK_WORK) { VALUE_WALK(up, false) }
