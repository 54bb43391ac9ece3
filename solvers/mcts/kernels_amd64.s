#include "textflag.h"

// AVX2 versions of kernels.go: eight edges at a time. Products and sums are not
// fused (no FMA), so that the bits are those of the portable versions.

DATA half<>+0(SB)/4, $0x3f000000
GLOBL half<>(SB), RODATA|NOPTR, $4

// SPLIT_AMAF loads the AMAF counts of eight edges: playouts to Y0, twice the points
// to Y1.
#define SPLIT_AMAF \
	VMOVDQU (SI)(AX*4), Y0; \
	VPSRLD $16, Y0, Y1; \
	VPSLLD $16, Y0, Y0; \
	VPSRLD $16, Y0, Y0; \
	VCVTDQ2PS Y0, Y0; \
	VCVTDQ2PS Y1, Y1

// func addRAVEAVX2(stats *float32, amaf *uint32, n int, weight, rave float32)
TEXT ·addRAVEAVX2(SB), NOSPLIT, $0-32
	MOVQ stats+0(FP), DI // values, then the others n floats apart
	MOVQ amaf+8(FP), SI
	MOVQ n+16(FP), CX
	VBROADCASTSS weight+24(FP), Y15
	VBROADCASTSS rave+28(FP), Y14
	VBROADCASTSS half<>(SB), Y13
	VMULPS Y13, Y15, Y13
	LEAQ (DI)(CX*4), R8   // visits
	LEAQ (R8)(CX*4), R9   // scores
	LEAQ (R9)(CX*4), R10  // RAVE's visits
	LEAQ (R10)(CX*4), R11 // and its scores
	LEAQ (R11)(CX*4), R12 // bonuses
	XORQ AX, AX

eight:
	SPLIT_AMAF
	VMULPS Y15, Y0, Y0
	VADDPS (R10)(AX*4), Y0, Y0
	VMULPS Y13, Y1, Y1
	VADDPS (R11)(AX*4), Y1, Y1
	VMOVUPS Y0, (R10)(AX*4)
	VMOVUPS Y1, (R11)(AX*4)
	VMULPS Y1, Y14, Y2
	VMULPS (R9)(AX*4), Y0, Y3
	VADDPS Y3, Y2, Y2
	VADDPS (R8)(AX*4), Y14, Y4
	VMULPS Y4, Y0, Y4
	VDIVPS Y4, Y2, Y2
	VADDPS (R12)(AX*4), Y2, Y2
	VMOVUPS Y2, (DI)(AX*4)
	ADDQ $8, AX
	CMPQ AX, CX
	JLT  eight
	VZEROUPPER
	RET

// func argmaxAVX2(values *float32, n int) int
TEXT ·argmaxAVX2(SB), NOSPLIT, $0-24
	MOVQ values+0(FP), SI
	MOVQ n+8(FP), CX
	VMOVUPS (SI), Y0
	MOVQ $8, AX
	JMP  enough

more:
	VMAXPS (SI)(AX*4), Y0, Y0
	ADDQ $8, AX

enough:
	CMPQ AX, CX
	JLT  more

	// The maximum of eight, in all lanes.
	VPERM2F128 $1, Y0, Y0, Y1
	VMAXPS Y1, Y0, Y0
	VSHUFPS $0x4e, Y0, Y0, Y1
	VMAXPS Y1, Y0, Y0
	VSHUFPS $0xb1, Y0, Y0, Y1
	VMAXPS Y1, Y0, Y0

	XORQ AX, AX

find:
	VCMPPS $0, (SI)(AX*4), Y0, Y1
	VMOVMSKPS Y1, BX
	TESTL BX, BX
	JNZ  found
	ADDQ $8, AX
	CMPQ AX, CX
	JLT  find

found:
	BSFL BX, BX
	ADDQ BX, AX
	MOVQ AX, ret+16(FP)
	VZEROUPPER
	RET

// func addCountsAVX2(to, from *uint32, n int)
TEXT ·addCountsAVX2(SB), NOSPLIT, $0-24
	MOVQ to+0(FP), DI
	MOVQ from+8(FP), SI
	MOVQ n+16(FP), CX
	XORQ AX, AX

add:
	VMOVDQU (DI)(AX*4), Y0
	VPADDD (SI)(AX*4), Y0, Y0
	VMOVDQU Y0, (DI)(AX*4)
	ADDQ $8, AX
	CMPQ AX, CX
	JLT  add
	VZEROUPPER
	RET

// func packAVX2(playouts, points *uint8, amaf *uint32, n int, scale float32)
TEXT ·packAVX2(SB), NOSPLIT, $0-36
	MOVQ playouts+0(FP), DI
	MOVQ points+8(FP), DX
	MOVQ amaf+16(FP), SI
	MOVQ n+24(FP), CX
	VBROADCASTSS scale+32(FP), Y5
	VBROADCASTSS half<>(SB), Y7
	VMULPS Y7, Y5, Y6
	XORQ AX, AX

pack:
	SPLIT_AMAF
	VMULPS Y5, Y0, Y0
	VMULPS Y6, Y1, Y1
	VADDPS Y7, Y0, Y0
	VADDPS Y7, Y1, Y1
	VCVTTPS2DQ Y0, Y0
	VCVTTPS2DQ Y1, Y1
	VEXTRACTI128 $1, Y0, X2
	VEXTRACTI128 $1, Y1, X3
	VPACKUSDW X2, X0, X0
	VPACKUSDW X3, X1, X1
	VPACKUSWB X1, X0, X0
	VMOVQ X0, (DI)(AX*1)
	VMOVHPS X0, (DX)(AX*1)
	ADDQ $8, AX
	CMPQ AX, CX
	JLT  pack
	VZEROUPPER
	RET

// func unpackAVX2(amaf *uint32, playouts, points *uint8, n int)
TEXT ·unpackAVX2(SB), NOSPLIT, $0-32
	MOVQ amaf+0(FP), DI
	MOVQ playouts+8(FP), SI
	MOVQ points+16(FP), DX
	MOVQ n+24(FP), CX
	XORQ AX, AX

unpack:
	VPMOVZXBD (SI)(AX*1), Y0
	VPMOVZXBD (DX)(AX*1), Y1
	VPSLLD $17, Y1, Y1
	VPOR Y1, Y0, Y0
	VMOVDQU Y0, (DI)(AX*4)
	ADDQ $8, AX
	CMPQ AX, CX
	JLT  unpack
	VZEROUPPER
	RET

// func pause()
TEXT ·pause(SB), NOSPLIT, $0-0
	PAUSE
	RET

// func prefetchLines(first *float32, n int)
TEXT ·prefetchLines(SB), NOSPLIT, $0-16
	MOVQ first+0(FP), DI
	MOVQ n+8(FP), CX

line:
	BYTE $0x0f; BYTE $0x0d; BYTE $0x0f // PREFETCHW (DI)
	ADDQ $64, DI
	SUBQ $16, CX
	JG   line
	RET
