// Values of a strategy and best responses to it by walks, in 64 bits.
// PTXFLAGS: -mllvm -inline-threshold=1000000 -Xclang -fcuda-short-ptr -mllvm -nvptx-short-ptr
#include "segment.cuh"

using namespace walk;

#define VALUE_ARRAYS const u32 *plan, const float *constants, double *frames, double *room, void *sum, float *sum_scales
#define VALUE_WALK(way, shared, cards) \
	walk_parts<double, way, shared, cards<double>>(plan, constants, frames, room, WALK_GIVEN, Valuing{sum, sum_scales});

__global__ LAUNCH_BOUNDS(320, 1) void value_down(VALUE_ARRAYS, WALK_WORK) { VALUE_WALK(down, true, NoCards) }
__global__ LAUNCH_BOUNDS(320, 1) void value_down_large(VALUE_ARRAYS, WALK_WORK) { VALUE_WALK(down, false, NoCards) }
__global__ LAUNCH_BOUNDS(320, 1) void value_one_last(VALUE_ARRAYS, WALK_WORK) { VALUE_WALK(both, true, OneCard) }
__global__ LAUNCH_BOUNDS(320, 1) void value_one_large(VALUE_ARRAYS, WALK_WORK) { VALUE_WALK(both, false, OneCard) }
__global__ LAUNCH_BOUNDS(320, 1) void value_one_up(VALUE_ARRAYS, WALK_WORK) { VALUE_WALK(up, true, OneCard) }
__global__ LAUNCH_BOUNDS(320, 1) void value_one_up_large(VALUE_ARRAYS, WALK_WORK) { VALUE_WALK(up, false, OneCard) }
__global__ LAUNCH_BOUNDS(320, 1) void value_two_last(VALUE_ARRAYS, WALK_WORK) { VALUE_WALK(both, true, TwoCards) }
__global__ LAUNCH_BOUNDS(320, 1) void value_two_large(VALUE_ARRAYS, WALK_WORK) { VALUE_WALK(both, false, TwoCards) }
__global__ LAUNCH_BOUNDS(320, 1) void value_two_up(VALUE_ARRAYS, WALK_WORK) { VALUE_WALK(up, true, TwoCards) }
__global__ LAUNCH_BOUNDS(320, 1) void value_two_up_large(VALUE_ARRAYS, WALK_WORK) { VALUE_WALK(up, false, TwoCards) }
