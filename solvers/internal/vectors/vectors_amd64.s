#include "textflag.h"

// AVX2 versions of vectors.go: eight buckets at a time. There, what each does;
// here, only how. Products and sums stay apart (no FMA), so that the bits are
// those of the portable versions.

DATA one<>+0(SB)/4, $1.0
GLOBL one<>(SB), RODATA|NOPTR, $4

DATA smallest<>+0(SB)/4, $0x00800000 // Smallest
GLOBL smallest<>(SB), RODATA|NOPTR, $4

// PREFETCH fetches the entries R15 bytes after those at R8, as many as those of the decision:
// what is next in memory is needed next, but the processor foresees only a part of it.
#define PREFETCH \
	PREFETCHT0 (R8)(R15*1)

// MATCHING leaves in Y2 the mask of buckets whose positive regrets sum to at least
// Smallest, and in Y3 the reciprocal of the sum. It reads the regrets at R8 (R12 bytes apart),
// CX of them, and stores their positive parts at R9 (R13 bytes apart).
#define MATCHING(again) \
	VXORPS  Y0, Y0, Y0    \
again:                    \
	VMOVUPS (R8), Y1      \
	PREFETCH              \
	VMAXPS  Y15, Y1, Y1   \
	VADDPS  Y1, Y0, Y0    \
	VMOVUPS Y1, (R9)      \
	ADDQ    R12, R8       \
	ADDQ    R13, R9       \
	DECQ    CX            \
	JNZ     again         \
	VBROADCASTSS smallest<>(SB), Y2 \
	VCMPPS  $0x1d, Y2, Y0, Y2 \
	VDIVPS  Y0, Y13, Y3

// func matchOtherAVX2(regret, in, out *float32, n, actions, entryStride, frameStride int, uniform float32)
TEXT ·matchOtherAVX2(SB), NOSPLIT, $0-60
	MOVQ regret+0(FP), SI
	MOVQ in+8(FP), DX
	MOVQ out+16(FP), DI
	MOVQ n+24(FP), BX
	MOVQ actions+32(FP), R10
	MOVQ entryStride+40(FP), R12
	SHLQ $2, R12
	MOVQ frameStride+48(FP), R13
	SHLQ $2, R13
	MOVQ R12, R15
	IMULQ R10, R15
	VBROADCASTSS uniform+56(FP), Y14
	VBROADCASTSS one<>(SB), Y13
	VXORPS Y15, Y15, Y15

other:
	MOVQ SI, R8
	MOVQ DI, R9
	MOVQ R10, CX
	MATCHING(otherRegrets)
	VMOVUPS (DX), Y4
	MOVQ DI, R9
	MOVQ R10, CX

otherActions:
	VMULPS (R9), Y3, Y1
	VBLENDVPS Y2, Y1, Y14, Y1
	VMULPS Y4, Y1, Y1
	VMOVUPS Y1, (R9)
	ADDQ R13, R9
	DECQ CX
	JNZ  otherActions

	ADDQ $32, SI
	ADDQ $32, DX
	ADDQ $32, DI
	SUBQ $8, BX
	JG   other
	VZEROUPPER
	RET

// func matchOwnAVX2(regret, sum, in, sigma, out *float32, n, actions, entryStride, frameStride int, uniform, decay float32)
TEXT ·matchOwnAVX2(SB), NOSPLIT, $0-80
	MOVQ regret+0(FP), SI
	MOVQ sum+8(FP), R14
	MOVQ in+16(FP), DX
	MOVQ sigma+24(FP), DI
	MOVQ out+32(FP), R11
	MOVQ n+40(FP), BX
	MOVQ actions+48(FP), R10
	MOVQ entryStride+56(FP), R12
	SHLQ $2, R12
	MOVQ frameStride+64(FP), R13
	SHLQ $2, R13
	MOVQ R12, R15
	IMULQ R10, R15
	VBROADCASTSS uniform+72(FP), Y14
	VBROADCASTSS decay+76(FP), Y12
	VBROADCASTSS one<>(SB), Y13
	VXORPS Y15, Y15, Y15

own:
	MOVQ SI, R8
	MOVQ DI, R9
	MOVQ R10, CX
	MATCHING(ownRegrets)
	VMOVUPS (DX), Y4
	MOVQ DI, R9
	MOVQ R14, R8
	MOVQ R11, AX
	MOVQ R10, CX

ownActions:
	VMULPS (R9), Y3, Y1
	VBLENDVPS Y2, Y1, Y14, Y1
	VMOVUPS Y1, (R9)
	VMULPS Y4, Y1, Y1
	VMOVUPS Y1, (AX)
	VMULPS (R8), Y12, Y5
	PREFETCH
	VADDPS Y1, Y5, Y5
	VMOVUPS Y5, (R8)
	ADDQ R13, R9
	ADDQ R13, AX
	ADDQ R12, R8
	DECQ CX
	JNZ  ownActions

	ADDQ $32, SI
	ADDQ $32, R14
	ADDQ $32, DX
	ADDQ $32, DI
	ADDQ $32, R11
	SUBQ $8, BX
	JG   own
	VZEROUPPER
	RET

// func updateOwnAVX2(regret, sigma, child, value *float32, n, actions, entryStride, frameStride int, positive, negative, floor float32)
TEXT ·updateOwnAVX2(SB), NOSPLIT, $0-76
	MOVQ regret+0(FP), SI
	MOVQ sigma+8(FP), DX
	MOVQ child+16(FP), DI
	MOVQ value+24(FP), R11
	MOVQ n+32(FP), BX
	MOVQ actions+40(FP), R10
	MOVQ entryStride+48(FP), R12
	SHLQ $2, R12
	MOVQ frameStride+56(FP), R13
	SHLQ $2, R13
	VBROADCASTSS positive+64(FP), Y12
	VBROADCASTSS negative+68(FP), Y13
	VBROADCASTSS floor+72(FP), Y14
	VXORPS Y15, Y15, Y15

update:
	MOVQ DX, R8
	MOVQ DI, R9
	MOVQ R10, CX
	VXORPS Y0, Y0, Y0

mean:
	VMOVUPS (R8), Y1
	VMULPS (R9), Y1, Y1
	VADDPS Y1, Y0, Y0
	ADDQ R13, R8
	ADDQ R13, R9
	DECQ CX
	JNZ  mean

	VMOVUPS Y0, (R11)
	MOVQ SI, R8
	MOVQ DI, R9
	MOVQ R10, CX

regrets:
	VMOVUPS (R8), Y1
	VCMPPS $0x1e, Y15, Y1, Y2
	VBLENDVPS Y2, Y12, Y13, Y3
	VMULPS Y3, Y1, Y1
	VMOVUPS (R9), Y4
	VSUBPS Y0, Y4, Y4
	VADDPS Y4, Y1, Y1
	VMAXPS Y14, Y1, Y1
	VMOVUPS Y1, (R8)
	ADDQ R12, R8
	ADDQ R13, R9
	DECQ CX
	JNZ  regrets

	ADDQ $32, SI
	ADDQ $32, DX
	ADDQ $32, DI
	ADDQ $32, R11
	SUBQ $8, BX
	JG   update
	VZEROUPPER
	RET

// func predictAVX2(
//	regret, predicted, child, value *float32, n, actions, entryStride, frameStride int, kept, part float32,
// )
TEXT ·predictAVX2(SB), NOSPLIT, $0-72
	MOVQ regret+0(FP), SI
	MOVQ predicted+8(FP), DX
	MOVQ child+16(FP), DI
	MOVQ value+24(FP), R11
	MOVQ n+32(FP), BX
	MOVQ actions+40(FP), R10
	MOVQ entryStride+48(FP), R12
	SHLQ $2, R12
	MOVQ frameStride+56(FP), R13
	SHLQ $2, R13
	VBROADCASTSS kept+64(FP), Y2
	VBROADCASTSS part+68(FP), Y3

predict:
	MOVQ SI, R8
	MOVQ DX, AX
	MOVQ DI, R9
	MOVQ R10, CX
	VMOVUPS (R11), Y0

predictions:
	VMOVUPS (R9), Y1
	VSUBPS Y0, Y1, Y1
	VMULPS Y3, Y1, Y1
	VMULPS (R8), Y2, Y4
	VADDPS Y4, Y1, Y1
	VMOVUPS Y1, (AX)
	ADDQ R12, R8
	ADDQ R12, AX
	ADDQ R13, R9
	DECQ CX
	JNZ  predictions

	ADDQ $32, SI
	ADDQ $32, DX
	ADDQ $32, DI
	ADDQ $32, R11
	SUBQ $8, BX
	JG   predict
	VZEROUPPER
	RET

// func sumOtherAVX2(child, value *float32, n, actions, frameStride int)
TEXT ·sumOtherAVX2(SB), NOSPLIT, $0-40
	MOVQ child+0(FP), DI
	MOVQ value+8(FP), R11
	MOVQ n+16(FP), BX
	MOVQ actions+24(FP), R10
	DECQ R10
	MOVQ frameStride+32(FP), R13
	SHLQ $2, R13

sum:
	MOVQ DI, R9
	MOVQ R10, CX
	VMOVUPS (R9), Y0
	TESTQ CX, CX
	JZ   summed

children:
	ADDQ R13, R9
	VADDPS (R9), Y0, Y0
	DECQ CX
	JNZ  children

summed:
	VMOVUPS Y0, (R11)
	ADDQ $32, DI
	ADDQ $32, R11
	SUBQ $8, BX
	JG   sum
	VZEROUPPER
	RET

// func meanAVX2(sigma, child, value *float32, n, actions, frameStride int)
TEXT ·meanAVX2(SB), NOSPLIT, $0-48
	MOVQ sigma+0(FP), SI
	MOVQ child+8(FP), DI
	MOVQ value+16(FP), R11
	MOVQ n+24(FP), BX
	MOVQ actions+32(FP), R10
	MOVQ frameStride+40(FP), R13
	SHLQ $2, R13

mean:
	MOVQ SI, R8
	MOVQ DI, R9
	MOVQ R10, CX
	VXORPS Y0, Y0, Y0

weighted:
	VMOVUPS (R8), Y1
	VMULPS (R9), Y1, Y1
	VADDPS Y1, Y0, Y0
	ADDQ R13, R8
	ADDQ R13, R9
	DECQ CX
	JNZ  weighted

	VMOVUPS Y0, (R11)
	ADDQ $32, SI
	ADDQ $32, DI
	ADDQ $32, R11
	SUBQ $8, BX
	JG   mean
	VZEROUPPER
	RET

DATA lowByte<>+0(SB)/4, $0xff
GLOBL lowByte<>(SB), RODATA|NOPTR, $4

// func lookUpAVX2(table, index *uint32, out *float32, n, actions, frameStride, lines int)
//
// It fetches the whole table first: most of its lines are needed, but in no order.
TEXT ·lookUpAVX2(SB), NOSPLIT, $0-56
	MOVQ table+0(FP), SI
	MOVQ index+8(FP), DX
	MOVQ out+16(FP), DI
	MOVQ n+24(FP), BX
	MOVQ actions+32(FP), R10
	MOVQ frameStride+40(FP), R13
	SHLQ $2, R13
	VPBROADCASTD lowByte<>(SB), Y15
	MOVQ lines+48(FP), CX
	MOVQ SI, R8

fetch:
	PREFETCHT0 (R8)
	ADDQ $64, R8
	DECQ CX
	JGE  fetch

lookUp:
	VMOVDQU (DX), Y1
	VPCMPEQD Y2, Y2, Y2
	VPGATHERDD Y2, (SI)(Y1*4), Y0
	MOVQ DI, R9
	MOVQ R10, CX

bytes:
	VPAND Y15, Y0, Y3
	VCVTDQ2PS Y3, Y3
	VMOVUPS Y3, (R9)
	VPSRLD $8, Y0, Y0
	ADDQ R13, R9
	DECQ CX
	JNZ  bytes

	ADDQ $32, DX
	ADDQ $32, DI
	SUBQ $8, BX
	JG   lookUp
	VZEROUPPER
	RET

// func foldOneAVX2(value, size, reach *float32, n int, amount float32)
TEXT ·foldOneAVX2(SB), NOSPLIT, $0-36
	MOVQ value+0(FP), DI
	MOVQ size+8(FP), DX
	MOVQ reach+16(FP), SI
	MOVQ n+24(FP), BX
	VBROADCASTSS amount+32(FP), Y14
	VXORPS Y0, Y0, Y0
	XORQ AX, AX

dot:
	VMOVUPS (SI)(AX*4), Y1
	VMULPS (DX)(AX*4), Y1, Y1
	VADDPS Y1, Y0, Y0
	ADDQ $8, AX
	CMPQ AX, BX
	JL   dot

	VEXTRACTF128 $1, Y0, X1
	VADDPS X1, X0, X0
	VMOVHLPS X0, X0, X1
	VADDPS X1, X0, X0
	VMOVSHDUP X0, X1
	VADDSS X1, X0, X0
	VBROADCASTSS X0, Y0
	XORQ AX, AX

values:
	VSUBPS (SI)(AX*4), Y0, Y1
	VMULPS Y1, Y14, Y1
	VMOVUPS Y1, (DI)(AX*4)
	ADDQ $8, AX
	CMPQ AX, BX
	JL   values
	VZEROUPPER
	RET
