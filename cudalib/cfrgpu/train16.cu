// Training with regrets and strategies as 16-bit numbers.
// PTXFLAGS: -mllvm -inline-threshold=1000000 -Xclang -fcuda-short-ptr -mllvm -nvptx-short-ptr
#include "segment.cuh"

using namespace traversal;

#define TRAIN_16(direction, shared, cards) \
	traverse_parts<float, direction, shared, cards<float>>(plan, constants, frames, scratch, THE_WORK, \
		Training<Quantized<true>, Quantized<false>>{ \
			{(i16 *)regret, regret_scales, load_threshold(clock, ahead)}, \
			{(i16 *)matched, matched_scales, load_threshold(clock, ahead)}, \
			{(i16 *)sum, sum_scales, load_threshold(clock, ahead)}, \
			matched != regret, load_rates(rates, clock, ahead)});

__global__ LAUNCH_BOUNDS(320, 2) void train_down_16(TRAIN_ARRAYS, WORK_PARAMETERS) { TRAIN_16(down, true, NoCards) }
__global__ LAUNCH_BOUNDS(320, 2) void train_down_large_16(TRAIN_ARRAYS, WORK_PARAMETERS) {
	TRAIN_16(down, false, NoCards)
}
__global__ LAUNCH_BOUNDS(32, 17) void train_one_narrow_16(TRAIN_ARRAYS, WORK_PARAMETERS) {
	TRAIN_16(both, true, OneCard)
}
__global__ LAUNCH_BOUNDS(320, 2) void train_one_last_16(TRAIN_ARRAYS, WORK_PARAMETERS) { TRAIN_16(both, true, OneCard) }
__global__ LAUNCH_BOUNDS(320, 2) void train_one_large_16(TRAIN_ARRAYS, WORK_PARAMETERS) {
	TRAIN_16(both, false, OneCard)
}
__global__ LAUNCH_BOUNDS(320, 2) void train_one_up_16(TRAIN_ARRAYS, WORK_PARAMETERS) { TRAIN_16(up, true, OneCard) }
__global__ LAUNCH_BOUNDS(320, 2) void train_one_up_large_16(TRAIN_ARRAYS, WORK_PARAMETERS) {
	TRAIN_16(up, false, OneCard)
}
__global__ LAUNCH_BOUNDS(192, 3) void train_two_narrow_16(TRAIN_ARRAYS, WORK_PARAMETERS) {
	TRAIN_16(both, true, TwoCards)
}
__global__ LAUNCH_BOUNDS(320, 2) void train_two_last_16(TRAIN_ARRAYS, WORK_PARAMETERS) {
	TRAIN_16(both, true, TwoCards)
}
__global__ LAUNCH_BOUNDS(320, 2) void train_two_large_16(TRAIN_ARRAYS, WORK_PARAMETERS) {
	TRAIN_16(both, false, TwoCards)
}
__global__ LAUNCH_BOUNDS(320, 2) void train_two_up_16(TRAIN_ARRAYS, WORK_PARAMETERS) { TRAIN_16(up, true, TwoCards) }
__global__ LAUNCH_BOUNDS(320, 2) void train_two_up_large_16(TRAIN_ARRAYS, WORK_PARAMETERS) {
	TRAIN_16(up, false, TwoCards)
}
