// Values of a strategy and of best responses to it, in 64 bits.
// PTXFLAGS: -mllvm -inline-threshold=1000000 -Xclang -fcuda-short-ptr -mllvm -nvptx-short-ptr
#include "segment.cuh"

using namespace traversal;

#define EVALUATE_ARRAYS const u32 *plan, const float *constants, double *frames, \
	double *scratch, void *sum, float *sum_scales
#define EVALUATE(direction, shared, cards) \
	traverse_parts<double, direction, shared, cards<double>>(plan, constants, frames, scratch, \
		THE_WORK, Evaluation{sum, sum_scales});

__global__ LAUNCH_BOUNDS(320, 1) void evaluate_down(EVALUATE_ARRAYS, WORK_PARAMETERS) { EVALUATE(down, true, NoCards) }
__global__ LAUNCH_BOUNDS(320, 1) void evaluate_down_large(EVALUATE_ARRAYS, WORK_PARAMETERS) {
	EVALUATE(down, false, NoCards)
}
__global__ LAUNCH_BOUNDS(320, 1) void evaluate_one_last(EVALUATE_ARRAYS, WORK_PARAMETERS) {
	EVALUATE(both, true, OneCard)
}
__global__ LAUNCH_BOUNDS(320, 1) void evaluate_one_large(EVALUATE_ARRAYS, WORK_PARAMETERS) {
	EVALUATE(both, false, OneCard)
}
__global__ LAUNCH_BOUNDS(320, 1) void evaluate_one_up(EVALUATE_ARRAYS, WORK_PARAMETERS) { EVALUATE(up, true, OneCard) }
__global__ LAUNCH_BOUNDS(320, 1) void evaluate_one_up_large(EVALUATE_ARRAYS, WORK_PARAMETERS) {
	EVALUATE(up, false, OneCard)
}
__global__ LAUNCH_BOUNDS(320, 1) void evaluate_two_last(EVALUATE_ARRAYS, WORK_PARAMETERS) {
	EVALUATE(both, true, TwoCards)
}
__global__ LAUNCH_BOUNDS(320, 1) void evaluate_two_large(EVALUATE_ARRAYS, WORK_PARAMETERS) {
	EVALUATE(both, false, TwoCards)
}
__global__ LAUNCH_BOUNDS(320, 1) void evaluate_two_up(EVALUATE_ARRAYS, WORK_PARAMETERS) { EVALUATE(up, true, TwoCards) }
__global__ LAUNCH_BOUNDS(320, 1) void evaluate_two_up_large(EVALUATE_ARRAYS, WORK_PARAMETERS) {
	EVALUATE(up, false, TwoCards)
}
