// Decisions of spots with entries of 16 bits.
// PTXFLAGS: -mllvm -inline-threshold=100000
#include "spot.cuh"

__global__ void spot_down_improve_16(SPOT_BETTING(i16)) { Betting<i16>{THE_SPOT_BETTING}.down<improve, true>(); }
__global__ void spot_down_other_16(SPOT_BETTING(i16)) { Betting<i16>{THE_SPOT_BETTING}.down<improve, false>(); }
__global__ void spot_down_average_16(SPOT_BETTING(i16)) { Betting<i16>{THE_SPOT_BETTING}.down<average, false>(); }
__global__ void spot_up_improve_16(SPOT_BETTING(i16)) { Betting<i16>{THE_SPOT_BETTING}.up<improve>(); }
__global__ void spot_up_respond_16(SPOT_BETTING(i16)) { Betting<i16>{THE_SPOT_BETTING}.up<respond>(); }
__global__ void spot_up_average_16(SPOT_BETTING(i16)) { Betting<i16>{THE_SPOT_BETTING}.up<average>(); }
