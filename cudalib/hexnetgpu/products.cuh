// Products of matrices in half precision, summed in single precision, for networks.
#pragma once

#include "cuda.cuh"

namespace hexnet {

constexpr u32 taps = 7, planes = 16, heads = 4, hidden = 64, unit = 8;
constexpr u32 warp = 32;
constexpr u32 step = 16;			// columns of a product
constexpr u32 columns = 8;			// of its result
constexpr u32 packed = 4;			// times as many columns have their weights together
constexpr u32 tile = 16;			// rows of a product
constexpr u32 tallest = 64;			// rows of a tile of products, at most
constexpr u32 padding = 16;			// bytes between rows, so that eight rows are in different banks
constexpr u32 off_board = 0xffff;	// as a neighbour
constexpr u32 at_once = 8;			// loads of a thread that are under way together
constexpr u32 copied_at_once = 4;	// likewise, of 16 bytes each
constexpr u32 weights_at_once = 32; // likewise, of weights, which are further away
constexpr u32 ones = 0x3c003c00;	// two halves

// floats2 and floats4 are loaded and stored at once.
typedef float floats2 __attribute__((vector_size(8)));
typedef float floats4 __attribute__((vector_size(16)));

#ifdef __CUDA_ARCH__

// low and high return the halves of a word, and pack makes a word of two numbers.
__device__ inline float low(u32 word) {
	float x;
	asm("{ .reg .b16 l, h; mov.b32 {l, h}, %1; cvt.f32.f16 %0, l; }" : "=f"(x) : "r"(word));
	return x;
}
__device__ inline float high(u32 word) {
	float x;
	asm("{ .reg .b16 l, h; mov.b32 {l, h}, %1; cvt.f32.f16 %0, h; }" : "=f"(x) : "r"(word));
	return x;
}
__device__ inline u32 pack(float l, float h) {
	u32 word;
	asm("{ .reg .b16 l, h; cvt.rn.f16.f32 l, %1; cvt.rn.f16.f32 h, %2; mov.b32 %0, {l, h}; }"
		: "=r"(word) : "f"(l), "f"(h));
	return word;
}

#else

// half_to_float and float_to_half do what the conversions of a device do, for finite numbers.
inline float half_to_float(u32 half) {
	const u32 exponent = half >> 10 & 31, fraction = half & 1023;
	const float magnitude = exponent == 0 ? fraction * 0x1p-24f : __builtin_ldexpf(1024 + fraction, (int)exponent - 25);
	return half >> 15 & 1 ? -magnitude : magnitude;
}
inline u32 float_to_half(float x) {
	const u32 sign = __builtin_signbit(x) ? 1 << 15 : 0;
	int exponent;
	__builtin_frexpf(x, &exponent); // the magnitude is below 2^exponent
	const int lowest = x == 0 || exponent < -13 ? -24 : exponent - 11; // of the bits that are kept
	const u32 units = (u32)__builtin_nearbyintf(__builtin_ldexpf(__builtin_fabsf(x), -lowest));
	return sign | (units + ((u32)(lowest + 24) << 10)); // from 2^-14 on, the units' highest bit counts the exponent
}
inline float low(u32 word) { return half_to_float(word & 0xffff); }
inline float high(u32 word) { return half_to_float(word >> 16); }
inline u32 pack(float l, float h) { return float_to_half(l) | float_to_half(h) << 16; }

#endif

__device__ inline float positive(float x) { return x > 0 ? x : 0; }

// copy_rows copies rows of some words4 to shared memory, with a number of bytes from row to row.
__device__ INLINED void copy_rows(unsigned char *memory, u32 stride, const words4 *from, u32 rows, u32 words) {
	const u32 all = rows * words, threads = threads_in_block();
	for (u32 first = thread_in_block(); first < all; first += copied_at_once * threads) {
		words4 loaded[copied_at_once];
#pragma unroll
		for (u32 k = 0; k < copied_at_once; k++)
			if (const u32 i = first + k * threads; i < all)
				loaded[k] = from[i];
#pragma unroll
		for (u32 k = 0; k < copied_at_once; k++)
			if (const u32 i = first + k * threads; i < all)
				*(words4 *)(memory + i / words * stride + i % words * sizeof(words4)) = loaded[k];
	}
}

// A Products has the two instructions of tensor cores that the network needs, and the positive
// parts of two halves. The lanes of a warp call its functions together.
//
// load loads a matrix of 16 rows and 16 columns of halves. A lane gives the address in shared
// memory of the first (lane < 16) or the second half of row lane % 16. With g = lane / 4 and
// t = lane % 4, it gets of row g the columns 2t and 2t+1, the same of row g+8, and of both rows
// the columns 8 further.
//
// load_transposed loads it transposed: with the numbers of a row where load has those of a column.
// A lane gives the address of a half of row lane % 8 of the upper (lane < 16) or the lower rows, the
// first half if lane % 16 < 8.
//
// multiply adds products with matrices of 16 rows and 8 columns, of which a lane has of column g
// the rows 2t and 2t+1, and those 8 further. Of a result it has of row g the columns 2t and 2t+1,
// and the same of row g+8.

// Shuffles does them by shuffles, for devices without these instructions, and for tests.
struct Shuffles {
	static __device__ inline u32 positive(u32 halves) {
		const u32 negative = halves >> 15 & 0x10001u;
		return halves & ~(negative * 0xffffu);
	}

	static __device__ INLINED void load(u32 (&a)[4], const unsigned char *memory, u32 address) {
		const u32 g = thread_in_block() % warp / 4, t = thread_in_block() % 4;
		warp_exchange(address, [&](auto of) {
#pragma unroll
			for (u32 i = 0; i < 4; i++)
				a[i] = shared_load(memory, of(8 * i + g) + 4 * t);
		});
	}

	static __device__ INLINED void load_transposed(u32 (&a)[4], const unsigned char *memory, u32 address) {
		const u32 g = thread_in_block() % warp / 4, t = thread_in_block() % 4;
		warp_exchange(address, [&](auto of) {
#pragma unroll
			for (u32 i = 0; i < 4; i++) {
				const u32 first = shared_load(memory, of(8 * i + 2 * t) + g / 2 * 4),
					second = shared_load(memory, of(8 * i + 2 * t + 1) + g / 2 * 4);
				a[i] = g % 2 == 0 ? (first & 0xffff) | second << 16 : first >> 16 | (second & 0xffff0000);
			}
		});
	}

	struct Column {
		u32 rows[2];
	};
	struct Rows {
		u32 words[4];
	};

	template <u32 M, u32 N>
	static __device__ INLINED void multiply(float (&sums)[M][N][4], const u32 (&a)[M][4], const u32 (&b)[N][2]) {
		const u32 g = thread_in_block() % warp / 4, t = thread_in_block() % 4;
		Rows rows[M][4];
#pragma unroll
		for (u32 m = 0; m < M; m++)
			warp_exchange(Rows{{a[m][0], a[m][1], a[m][2], a[m][3]}}, [&](auto of) {
#pragma unroll
				for (u32 q = 0; q < 4; q++)
					rows[m][q] = of(4 * g + q);
			});
#pragma unroll
		for (u32 n = 0; n < N; n++)
			warp_exchange(Column{{b[n][0], b[n][1]}}, [&](auto of) {
#pragma unroll
				for (u32 c = 0; c < 2; c++)
#pragma unroll
					for (u32 q = 0; q < 4; q++) {
						const Column column = of(4 * (2 * t + c) + q);
#pragma unroll
						for (u32 m = 0; m < M; m++)
#pragma unroll
							for (u32 half = 0; half < 2; half++) {
								float &sum = sums[m][n][2 * half + c];
#pragma unroll
								for (u32 k = 0; k < 2; k++) {
									const u32 x = rows[m][q].words[2 * k + half], w = column.rows[k];
									sum = fused(high(x), high(w), fused(low(x), low(w), sum));
								}
							}
					}
			});
	}
};

#ifdef __CUDA_ARCH__

// TensorCores does them by the instructions of devices of compute capability 8.0 and later.
struct TensorCores {
	static __device__ inline u32 positive(u32 halves) {
		u32 x;
		asm("max.f16x2 %0, %1, %2;" : "=r"(x) : "r"(halves), "r"(0));
		return x;
	}

	static __device__ INLINED void load(u32 (&a)[4], const unsigned char *memory, u32 address) {
		asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
					 : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
					 : "r"(shared_address(memory, address))
					 : "memory");
	}

	static __device__ INLINED void load_transposed(u32 (&a)[4], const unsigned char *memory, u32 address) {
		asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
					 : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
					 : "r"(shared_address(memory, address))
					 : "memory");
	}

	template <u32 M, u32 N>
	static __device__ INLINED void multiply(float (&sums)[M][N][4], const u32 (&a)[M][4], const u32 (&b)[N][2]) {
#pragma unroll
		for (u32 m = 0; m < M; m++)
#pragma unroll
			for (u32 n = 0; n < N; n++) {
				float(&s)[4] = sums[m][n];
				asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
					"{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
					: "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
					: "r"(a[m][0]), "r"(a[m][1]), "r"(a[m][2]), "r"(a[m][3]), "r"(b[n][0]), "r"(b[n][1]));
			}
	}
};

#else

// TensorCores on the host takes fewer exchanges, and so less time, than Shuffles.
struct TensorCores : Shuffles {
	template <u32 M, u32 N> static void multiply(float (&sums)[M][N][4], const u32 (&a)[M][4], const u32 (&b)[N][2]) {
		struct Operands {
			u32 a[M][4], b[N][2];
		} operands;
		__builtin_memcpy(operands.a, a, sizeof a);
		__builtin_memcpy(operands.b, b, sizeof b);
		const u32 g = thread_in_block() % warp / 4, t = thread_in_block() % 4;
		warp_exchange(operands, [&](auto of) {
			for (u32 q = 0; q < 4; q++) {
				const Operands left = of(4 * g + q), right[2] = {of(4 * (2 * t) + q), of(4 * (2 * t + 1) + q)};
				for (u32 m = 0; m < M; m++)
					for (u32 n = 0; n < N; n++)
						for (u32 i = 0; i < 4; i++)
							for (u32 k = 0; k < 2; k++) {
								const u32 x = left.a[m][2 * k + i / 2], w = right[i % 2].b[n][k];
								sums[m][n][i] = fused(high(x), high(w), fused(low(x), low(w), sums[m][n][i]));
							}
			}
		});
	}
};

#endif

} // namespace hexnet
