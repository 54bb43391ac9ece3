#include "textflag.h"

// AVX-512 versions of vectors.go for decisions of two to four actions, as most are: sixteen
// buckets at a time, with all that belongs to them in registers. The rows of the actions are
// at a base, one and two strides past it (R12 of entries, R13 of frames), and three (R15 and
// AX).

DATA one<>+0(SB)/4, $1.0
GLOBL one<>(SB), RODATA|NOPTR, $4

DATA smallest<>+0(SB)/4, $0x00800000 // Smallest
GLOBL smallest<>(SB), RODATA|NOPTR, $4

#define STRIDES(entries, frames) \
	MOVQ entries, R12       \
	SHLQ $2, R12            \
	LEAQ (R12)(R12*2), R15  \
	MOVQ frames, R13        \
	SHLQ $2, R13            \
	LEAQ (R13)(R13*2), AX

// POSITIVE loads the positive parts of regrets, and fetches those of the next decision: what
// is next in memory is needed next, but the processor foresees only a part of it.
#define POSITIVE(at, next, Z) \
	VMOVUPS     at, Z     \
	PREFETCHT0  next      \
	VMAXPS      Z31, Z, Z

// POSITIVE2 to POSITIVE4 leave the positive parts in Z0 to Z3 and their sum in Z8.
#define POSITIVE2 \
	POSITIVE((SI), (CX), Z0)               \
	POSITIVE((SI)(R12*1), (CX)(R12*1), Z1) \
	VADDPS Z1, Z0, Z8
#define POSITIVE3 \
	POSITIVE2                              \
	POSITIVE((SI)(R12*2), (CX)(R12*2), Z2) \
	VADDPS Z2, Z8, Z8
#define POSITIVE4 \
	POSITIVE3                              \
	POSITIVE((SI)(R15*1), (CX)(R15*1), Z3) \
	VADDPS Z3, Z8, Z8

// INVERT leaves in K1 the mask of buckets whose sum is at least Smallest, and inverts the sum.
#define INVERT \
	VCMPPS $0x1d, Z29, Z8, K1 \
	VDIVPS Z8, Z30, Z8

// PROBABILITY turns the positive part of a regret into a probability.
#define PROBABILITY(Z) \
	VMULPS    Z8, Z, Z      \
	VBLENDMPS Z, Z28, K1, Z

#define CONSTANTS \
	VBROADCASTSS one<>(SB), Z30      \
	VBROADCASTSS smallest<>(SB), Z29 \
	VPXORD       Z31, Z31, Z31

#define OTHER(Z, out) \
	PROBABILITY(Z)    \
	VMULPS  Z9, Z, Z  \
	VMOVUPS Z, out
#define OTHER2 \
	INVERT                 \
	VMOVUPS (DX), Z9       \
	OTHER(Z0, (DI))        \
	OTHER(Z1, (DI)(R13*1))
#define NEXTOTHER \
	ADDQ $64, SI \
	ADDQ $64, CX \
	ADDQ $64, DX \
	ADDQ $64, DI \
	SUBQ $16, BX

// func matchOtherFew(regret, in, out *float32, n, actions, entryStride, frameStride int, uniform float32)
TEXT ·matchOtherFew(SB), NOSPLIT, $0-60
	MOVQ  regret+0(FP), SI
	MOVQ  in+8(FP), DX
	MOVQ  out+16(FP), DI
	MOVQ  n+24(FP), BX
	MOVQ  actions+32(FP), R10
	STRIDES(entryStride+40(FP), frameStride+48(FP))
	MOVQ  R12, CX
	IMULQ R10, CX
	ADDQ  SI, CX
	VBROADCASTSS uniform+56(FP), Z28
	CONSTANTS
	CMPQ R10, $3
	JLT  other2
	JEQ  other3

other4:
	POSITIVE4
	OTHER2
	OTHER(Z2, (DI)(R13*2))
	OTHER(Z3, (DI)(AX*1))
	NEXTOTHER
	JG   other4
	VZEROUPPER
	RET

other3:
	POSITIVE3
	OTHER2
	OTHER(Z2, (DI)(R13*2))
	NEXTOTHER
	JG   other3
	VZEROUPPER
	RET

other2:
	POSITIVE2
	OTHER2
	NEXTOTHER
	JG   other2
	VZEROUPPER
	RET

#define OWN(Z, sum, next, sigma, out) \
	PROBABILITY(Z)         \
	VMOVUPS    Z, sigma    \
	VMULPS     Z9, Z, Z    \
	VMOVUPS    Z, out      \
	VMULPS     sum, Z27, Z4 \
	PREFETCHT0 next        \
	VADDPS     Z, Z4, Z4   \
	VMOVUPS    Z4, sum
#define OWN2 \
	INVERT           \
	VMOVUPS (DX), Z9 \
	OWN(Z0, (R14), (R8), (DI), (R11)) \
	OWN(Z1, (R14)(R12*1), (R8)(R12*1), (DI)(R13*1), (R11)(R13*1))
#define OWN3 \
	OWN2 \
	OWN(Z2, (R14)(R12*2), (R8)(R12*2), (DI)(R13*2), (R11)(R13*2))
#define NEXTOWN \
	ADDQ $64, SI  \
	ADDQ $64, CX  \
	ADDQ $64, R14 \
	ADDQ $64, R8  \
	ADDQ $64, DX  \
	ADDQ $64, DI  \
	ADDQ $64, R11 \
	SUBQ $16, BX

// func matchOwnFew(regret, sum, in, sigma, out *float32, n, actions, entryStride, frameStride int, uniform, decay float32)
TEXT ·matchOwnFew(SB), NOSPLIT, $0-80
	MOVQ  regret+0(FP), SI
	MOVQ  sum+8(FP), R14
	MOVQ  in+16(FP), DX
	MOVQ  sigma+24(FP), DI
	MOVQ  out+32(FP), R11
	MOVQ  n+40(FP), BX
	MOVQ  actions+48(FP), R10
	STRIDES(entryStride+56(FP), frameStride+64(FP))
	MOVQ  R12, CX
	IMULQ R10, CX
	LEAQ  (R14)(CX*1), R8
	ADDQ  SI, CX
	VBROADCASTSS uniform+72(FP), Z28
	VBROADCASTSS decay+76(FP), Z27
	CONSTANTS
	CMPQ R10, $3
	JLT  own2
	JEQ  own3

own4:
	POSITIVE4
	OWN3
	OWN(Z3, (R14)(R15*1), (R8)(R15*1), (DI)(AX*1), (R11)(AX*1))
	NEXTOWN
	JG   own4
	VZEROUPPER
	RET

own3:
	POSITIVE3
	OWN3
	NEXTOWN
	JG   own3
	VZEROUPPER
	RET

own2:
	POSITIVE2
	OWN2
	NEXTOWN
	JG   own2
	VZEROUPPER
	RET

// MEAN loads the values of a child, and adds to the mean in Z8.
#define MEAN(sigma, child, Z) \
	VMOVUPS child, Z      \
	VMULPS  sigma, Z, Z4  \
	VADDPS  Z4, Z8, Z8
#define MEAN2 \
	VPXORD Z8, Z8, Z8     \
	MEAN((DX), (DI), Z0)  \
	MEAN((DX)(R13*1), (DI)(R13*1), Z1)
#define MEAN3 \
	MEAN2 \
	MEAN((DX)(R13*2), (DI)(R13*2), Z2)

// REGRET updates regrets, given the values of the child.
#define REGRET(at, Z) \
	VMOVUPS   at, Z4            \
	VCMPPS    $0x1e, Z31, Z4, K1 \
	VBLENDMPS Z30, Z29, K1, Z5  \
	VMULPS    Z5, Z4, Z4        \
	VSUBPS    Z8, Z, Z          \
	VADDPS    Z, Z4, Z4         \
	VMAXPS    Z28, Z4, Z4       \
	VMOVUPS   Z4, at
#define REGRET2 \
	VMOVUPS Z8, (R11) \
	REGRET((SI), Z0)  \
	REGRET((SI)(R12*1), Z1)
#define NEXTREGRET \
	ADDQ $64, SI  \
	ADDQ $64, DX  \
	ADDQ $64, DI  \
	ADDQ $64, R11 \
	SUBQ $16, BX

// func updateOwnFew(regret, sigma, child, value *float32, n, actions, entryStride, frameStride int, positive, negative, floor float32)
TEXT ·updateOwnFew(SB), NOSPLIT, $0-76
	MOVQ regret+0(FP), SI
	MOVQ sigma+8(FP), DX
	MOVQ child+16(FP), DI
	MOVQ value+24(FP), R11
	MOVQ n+32(FP), BX
	MOVQ actions+40(FP), R10
	STRIDES(entryStride+48(FP), frameStride+56(FP))
	VBROADCASTSS positive+64(FP), Z30
	VBROADCASTSS negative+68(FP), Z29
	VBROADCASTSS floor+72(FP), Z28
	VPXORD       Z31, Z31, Z31
	CMPQ R10, $3
	JLT  update2
	JEQ  update3

update4:
	MEAN3
	MEAN((DX)(AX*1), (DI)(AX*1), Z3)
	REGRET2
	REGRET((SI)(R12*2), Z2)
	REGRET((SI)(R15*1), Z3)
	NEXTREGRET
	JG   update4
	VZEROUPPER
	RET

update3:
	MEAN3
	REGRET2
	REGRET((SI)(R12*2), Z2)
	NEXTREGRET
	JG   update3
	VZEROUPPER
	RET

update2:
	MEAN2
	REGRET2
	NEXTREGRET
	JG   update2
	VZEROUPPER
	RET
