// What kernels share that train poker strategies with betting sequences as the lanes of a warp.
#pragma once
#include "cuda.cuh"

#define INLINE __device__ inline __attribute__((always_inline))

namespace poker {

constexpr u32 lanes = 32;
constexpr u32 max_path = 8;
constexpr u32 none = ~0u;
constexpr u32 hand_bits = 11, card_bits = 6; // of a hand's number, and of a card

// The program of a betting round is data: the ends and the decisions of a player, each with the
// columns on the way there. An end has the numbers of its values, or none.
struct End {
	u32 length, path[max_path], fold, showdown;
};
struct Decision {
	u32 column, actions, length, path[max_path];
};

// load_actions loads what each action of a decision has, a width apart.
template <u32 MOST> INLINE void load_actions(float (&to)[MOST], const float *from, u32 width, u32 actions) {
#pragma unroll
	for (u32 a = 0; a < MOST; a++)
		to[a] = a < actions ? from[a * width] : 0;
}

// match computes the strategy of a decision of at most MOST actions from its regrets.
template <u32 MOST> INLINE void match(const float (&regret)[MOST], float *sigma, u32 width, u32 actions) {
	float p[MOST], total = 0;
#pragma unroll
	for (u32 a = 0; a < MOST; a++)
		p[a] = a < actions && regret[a] > 0 ? regret[a] : 0;
#pragma unroll
	for (u32 a = 0; a < MOST; a++)
		total += p[a];
	const bool some = total >= 0x1p-126f;
	const float inverse = 1 / opaque(some ? total : 1);
	const float scale = some ? inverse : 0, base = some ? 0 : 1 / opaque((float)actions);
#pragma unroll
	for (u32 a = 0; a < MOST; a++)
		if (a < actions)
			sigma[a * width] = p[a] * scale + base;
}

} // namespace poker
