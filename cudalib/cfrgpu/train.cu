// Training with regrets and strategies as floats.
// PTXFLAGS: -mllvm -inline-threshold=1000000 -Xclang -fcuda-short-ptr -mllvm -nvptx-short-ptr
#include "segment.cuh"

using namespace traversal;

#define TRAIN(direction, shared, cards) \
	traverse_parts<float, direction, shared, cards<float>>(plan, constants, frames, scratch, THE_WORK, \
		Training<Floats, Floats>{{(float *)regret}, {(float *)matched}, {(float *)sum}, matched != regret, \
			load_rates(rates, clock, ahead)}); \
	(void)regret_scales, (void)matched_scales, (void)sum_scales;

__global__ LAUNCH_BOUNDS(320, 2) void train_down(TRAIN_ARRAYS, WORK_PARAMETERS) { TRAIN(down, true, NoCards) }
__global__ LAUNCH_BOUNDS(320, 2) void train_down_large(TRAIN_ARRAYS, WORK_PARAMETERS) { TRAIN(down, false, NoCards) }
__global__ LAUNCH_BOUNDS(32, 17) void train_one_narrow(TRAIN_ARRAYS, WORK_PARAMETERS) { TRAIN(both, true, OneCard) }
__global__ LAUNCH_BOUNDS(320, 2) void train_one_last(TRAIN_ARRAYS, WORK_PARAMETERS) { TRAIN(both, true, OneCard) }
__global__ LAUNCH_BOUNDS(320, 2) void train_one_large(TRAIN_ARRAYS, WORK_PARAMETERS) { TRAIN(both, false, OneCard) }
__global__ LAUNCH_BOUNDS(320, 2) void train_one_up(TRAIN_ARRAYS, WORK_PARAMETERS) { TRAIN(up, true, OneCard) }
__global__ LAUNCH_BOUNDS(320, 2) void train_one_up_large(TRAIN_ARRAYS, WORK_PARAMETERS) { TRAIN(up, false, OneCard) }
__global__ LAUNCH_BOUNDS(192, 4) void train_two_narrow(TRAIN_ARRAYS, WORK_PARAMETERS) { TRAIN(both, true, TwoCards) }
__global__ LAUNCH_BOUNDS(320, 2) void train_two_last(TRAIN_ARRAYS, WORK_PARAMETERS) { TRAIN(both, true, TwoCards) }
__global__ LAUNCH_BOUNDS(320, 2) void train_two_large(TRAIN_ARRAYS, WORK_PARAMETERS) { TRAIN(both, false, TwoCards) }
__global__ LAUNCH_BOUNDS(320, 2) void train_two_up(TRAIN_ARRAYS, WORK_PARAMETERS) { TRAIN(up, true, TwoCards) }
__global__ LAUNCH_BOUNDS(320, 2) void train_two_up_large(TRAIN_ARRAYS, WORK_PARAMETERS) { TRAIN(up, false, TwoCards) }
