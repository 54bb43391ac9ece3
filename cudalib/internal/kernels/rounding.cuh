// Numbers of 16 bits that share a scale, as package vectors packs them (solvers/internal/vectors).
#pragma once
#include "cuda.cuh"

typedef short i16;
typedef int i32;

constexpr u32 place_step = 0x91E10DA5u; // from a threshold to that of the next place

// magnitude returns the bits of a number without its sign, of which the largest is what is no number.
__device__ ALWAYS_INLINE u32 magnitude(float x) {
	u32 bits;
	__builtin_memcpy(&bits, &x, sizeof x);
	return bits & 0x7fffffff;
}

// Packing stores numbers by the largest of their magnitudes. If that is too small or not finite, all are 0.
template <bool SIGNED> struct Packing {
	static constexpr float largest = SIGNED ? 32766 : 65534;
	static constexpr u32 fraction = SIGNED ? 16 : 15; // bits that rounding drops
	float scale, inverse;
	bool stored;

	__device__ ALWAYS_INLINE Packing(u32 most) {
		float size;
		__builtin_memcpy(&size, &most, sizeof size);
		stored = size >= 0x1p-96f && size <= 0x1.fffffep127f;
		inverse = largest * (1 << fraction) / size;
		scale = size / largest;
	}
	// packed returns the integer of a number, with the threshold of its place.
	static __device__ ALWAYS_INLINE i16 packed(float x, float inverse, u32 threshold) {
		return (i16)(((i32)(x * inverse) + (i32)(threshold >> (32 - fraction))) >> fraction);
	}
};
