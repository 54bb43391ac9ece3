// Decisions of spots with entries of 16 bits.
// PTXFLAGS: -mllvm -inline-threshold=100000
#include "spot.cuh"

__global__ void spot_down_improve_16(SPOT_DOWN(i16)) { down<improve, i16>(THE_SPOT_DOWN); }
__global__ void spot_down_average_16(SPOT_DOWN(i16)) { down<average, i16>(THE_SPOT_DOWN); }
__global__ void spot_up_improve_16(SPOT_UP(i16)) { up<improve, i16>(THE_SPOT_UP); }
__global__ void spot_up_respond_16(SPOT_UP(i16)) { up<respond, i16>(THE_SPOT_UP); }
__global__ void spot_up_average_16(SPOT_UP(i16)) { up<average, i16>(THE_SPOT_UP); }
