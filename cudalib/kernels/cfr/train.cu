// Training by walks, with regrets and strategies as floats.
// PTXFLAGS: -mllvm -inline-threshold=1000000 -Xclang -fcuda-short-ptr -mllvm -nvptx-short-ptr
#include "segment.cuh"

using namespace walk;

#define WALK_TRAIN(way, shared, cards) \
	walk_parts<float, way, shared, cards<float>>(plan, constants, frames, room, WALK_GIVEN, \
		Training<Floats, Floats>{{(float *)regret}, {(float *)matched}, {(float *)sum}, matched != regret, rates_of(rates, clock, ahead)}); \
	(void)regret_scales, (void)matched_scales, (void)sum_scales;

__global__ LAUNCH_BOUNDS(320, 2) void walk_down(WALK_ARRAYS, WALK_WORK) { WALK_TRAIN(down, true, NoCards) }
__global__ LAUNCH_BOUNDS(320, 2) void walk_down_large(WALK_ARRAYS, WALK_WORK) { WALK_TRAIN(down, false, NoCards) }
__global__ LAUNCH_BOUNDS(32, 17) void walk_one_narrow(WALK_ARRAYS, WALK_WORK) { WALK_TRAIN(both, true, OneCard) }
__global__ LAUNCH_BOUNDS(320, 2) void walk_one_last(WALK_ARRAYS, WALK_WORK) { WALK_TRAIN(both, true, OneCard) }
__global__ LAUNCH_BOUNDS(320, 2) void walk_one_large(WALK_ARRAYS, WALK_WORK) { WALK_TRAIN(both, false, OneCard) }
__global__ LAUNCH_BOUNDS(320, 2) void walk_one_up(WALK_ARRAYS, WALK_WORK) { WALK_TRAIN(up, true, OneCard) }
__global__ LAUNCH_BOUNDS(320, 2) void walk_one_up_large(WALK_ARRAYS, WALK_WORK) { WALK_TRAIN(up, false, OneCard) }
__global__ LAUNCH_BOUNDS(192, 4) void walk_two_narrow(WALK_ARRAYS, WALK_WORK) { WALK_TRAIN(both, true, TwoCards) }
__global__ LAUNCH_BOUNDS(320, 2) void walk_two_last(WALK_ARRAYS, WALK_WORK) { WALK_TRAIN(both, true, TwoCards) }
__global__ LAUNCH_BOUNDS(320, 2) void walk_two_large(WALK_ARRAYS, WALK_WORK) { WALK_TRAIN(both, false, TwoCards) }
__global__ LAUNCH_BOUNDS(320, 2) void walk_two_up(WALK_ARRAYS, WALK_WORK) { WALK_TRAIN(up, true, TwoCards) }
__global__ LAUNCH_BOUNDS(320, 2) void walk_two_up_large(WALK_ARRAYS, WALK_WORK) { WALK_TRAIN(up, false, TwoCards) }
