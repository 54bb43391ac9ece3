#include "textflag.h"

// AVX2 versions of loops.go: a lane is two registers. There, what each does; here, only how.
// Products and sums stay apart (no FMA), so that the bits are those of the portable
// versions.

// CARDS leaves in AX and BX the offsets, among the sums by card, of the cards of the hand at
// an address.
#define CARDS(at) \
	MOVBLZX (at), AX   \
	MOVBLZX 1(at), BX  \
	SHLQ    $6, AX     \
	SHLQ    $6, BX

// BELOW leaves in Y0 and Y1 the sum over the hands without the cards AX and BX.
#define BELOW \
	VSUBPS (R8)(AX*1), Y12, Y0   \
	VSUBPS 32(R8)(AX*1), Y13, Y1 \
	VSUBPS (R8)(BX*1), Y0, Y0    \
	VSUBPS 32(R8)(BX*1), Y1, Y1

// ADDHAND adds the reach at an address to the sums, and to those of the cards AX and BX.
#define ADDHAND(at) \
	VMOVUPS (at), Y0               \
	VMOVUPS 32(at), Y1             \
	VADDPS  Y0, Y12, Y12           \
	VADDPS  Y1, Y13, Y13           \
	VADDPS  (R8)(AX*1), Y0, Y2     \
	VADDPS  32(R8)(AX*1), Y1, Y3   \
	VADDPS  (R8)(BX*1), Y0, Y4     \
	VADDPS  32(R8)(BX*1), Y1, Y5   \
	VMOVUPS Y2, (R8)(AX*1)         \
	VMOVUPS Y3, 32(R8)(AX*1)       \
	VMOVUPS Y4, (R8)(BX*1)         \
	VMOVUPS Y5, 32(R8)(BX*1)

// func ascendAVX2(values, reach *tileRow, sums *sums, own, other *hole, groups *group, n int, pays *tileRow)
TEXT ·ascendAVX2(SB), NOSPLIT, $0-64
	MOVQ    values+0(FP), DI
	MOVQ    reach+8(FP), SI
	MOVQ    sums+16(FP), R8
	MOVQ    own+24(FP), R9
	MOVQ    other+32(FP), R10
	MOVQ    groups+40(FP), R11
	MOVQ    n+48(FP), R12
	MOVQ    pays+56(FP), AX
	VMOVUPS (AX), Y14
	VMOVUPS 32(AX), Y15
	VMOVUPS (R8), Y12
	VMOVUPS 32(R8), Y13
	ADDQ    $64, R8
	MOVQ    R9, R13  // the first hands
	MOVQ    R10, DX

upward:
	MOVWLZX (R11), CX
	LEAQ    (R13)(CX*2), CX
	CMPQ    R9, CX
	JGE     valuedUpward

valueUpward:
	CARDS(R9)
	BELOW
	VMULPS  Y14, Y0, Y0
	VMULPS  Y15, Y1, Y1
	VMOVUPS Y0, (DI)
	VMOVUPS Y1, 32(DI)
	ADDQ    $64, DI
	ADDQ    $2, R9
	CMPQ    R9, CX
	JLT     valueUpward

valuedUpward:
	MOVWLZX 2(R11), CX
	LEAQ    (DX)(CX*2), CX
	CMPQ    R10, CX
	JGE     addedUpward

addUpward:
	CARDS(R10)
	ADDHAND(SI)
	ADDQ $64, SI
	ADDQ $2, R10
	CMPQ R10, CX
	JLT  addUpward

addedUpward:
	ADDQ $4, R11
	DECQ R12
	JNZ  upward
	VZEROUPPER
	RET

// func descendAVX2(values, reach *tileRow, sums *sums, own, other *hole, groups *group, n int, pays *tileRow)
TEXT ·descendAVX2(SB), NOSPLIT, $0-64
	MOVQ    sums+16(FP), R8
	MOVQ    groups+40(FP), R11
	MOVQ    n+48(FP), R12
	MOVQ    pays+56(FP), AX
	VMOVUPS (AX), Y14
	VMOVUPS 32(AX), Y15
	VMOVUPS (R8), Y12
	VMOVUPS 32(R8), Y13
	ADDQ    $64, R8
	LEAQ    -4(R11)(R12*4), R11 // the last group

downward:
	XORQ    R9, R9
	XORQ    R10, R10
	CMPQ    R12, $1
	JEQ     firstGroup
	MOVWLZX -4(R11), R9
	MOVWLZX -2(R11), R10

firstGroup:
	MOVWLZX (R11), CX
	SUBQ    R9, CX
	MOVQ    R9, DI
	SHLQ    $6, DI
	ADDQ    values+0(FP), DI
	SHLQ    $1, R9
	ADDQ    own+24(FP), R9
	TESTQ   CX, CX
	JZ      valuedDownward

valueDownward:
	CARDS(R9)
	BELOW
	VMULPS  Y14, Y0, Y0
	VMULPS  Y15, Y1, Y1
	VADDPS  (DI), Y0, Y0
	VADDPS  32(DI), Y1, Y1
	VMOVUPS Y0, (DI)
	VMOVUPS Y1, 32(DI)
	ADDQ    $64, DI
	ADDQ    $2, R9
	DECQ    CX
	JNZ     valueDownward

valuedDownward:
	MOVWLZX 2(R11), CX
	SUBQ    R10, CX
	MOVQ    R10, SI
	SHLQ    $6, SI
	ADDQ    reach+8(FP), SI
	SHLQ    $1, R10
	ADDQ    other+32(FP), R10
	TESTQ   CX, CX
	JZ      addedDownward

addDownward:
	CARDS(R10)
	ADDHAND(SI)
	ADDQ $64, SI
	ADDQ $2, R10
	DECQ CX
	JNZ  addDownward

addedDownward:
	SUBQ    $4, R11
	DECQ    R12
	JNZ     downward
	MOVQ    sums+16(FP), R8
	VMOVUPS Y12, (R8)
	VMOVUPS Y13, 32(R8)
	VZEROUPPER
	RET

// func addAVX2(reach *tileRow, sums *sums, holes *hole, n int)
TEXT ·addAVX2(SB), NOSPLIT, $0-32
	MOVQ    reach+0(FP), SI
	MOVQ    sums+8(FP), R8
	MOVQ    holes+16(FP), R10
	MOVQ    n+24(FP), CX
	VMOVUPS (R8), Y12
	VMOVUPS 32(R8), Y13
	ADDQ    $64, R8

add:
	CARDS(R10)
	ADDHAND(SI)
	ADDQ $64, SI
	ADDQ $2, R10
	DECQ CX
	JNZ  add
	VMOVUPS Y12, -64(R8)
	VMOVUPS Y13, -32(R8)
	VZEROUPPER
	RET

// func totalAVX2(values, reach *tileRow, sums *sums, own *hole, same *uint16, n int, pays *tileRow, add bool)
TEXT ·totalAVX2(SB), NOSPLIT, $0-57
	MOVQ    values+0(FP), DI
	MOVQ    reach+8(FP), SI
	MOVQ    sums+16(FP), R8
	MOVQ    own+24(FP), R9
	MOVQ    same+32(FP), R10
	MOVQ    n+40(FP), CX
	MOVQ    pays+48(FP), AX
	MOVBLZX add+56(FP), R11
	VMOVUPS (AX), Y14
	VMOVUPS 32(AX), Y15
	VMOVUPS (R8), Y12
	VMOVUPS 32(R8), Y13
	ADDQ    $64, R8

total:
	CARDS(R9)
	BELOW
	MOVWLZX (R10), AX
	SHLQ    $6, AX
	VADDPS  (SI)(AX*1), Y0, Y0
	VADDPS  32(SI)(AX*1), Y1, Y1
	VMULPS  Y14, Y0, Y0
	VMULPS  Y15, Y1, Y1
	TESTL   R11, R11
	JZ      set
	VADDPS  (DI), Y0, Y0
	VADDPS  32(DI), Y1, Y1

set:
	VMOVUPS Y0, (DI)
	VMOVUPS Y1, 32(DI)
	ADDQ    $64, DI
	ADDQ    $2, R9
	ADDQ    $2, R10
	DECQ    CX
	JNZ     total
	VZEROUPPER
	RET

// HALF transposes 4 columns of the 8 rows whose first and second four are in X0/Y0 to Y3,
// which leaves the columns in Y8 to Y11.
#define HALF \
	VUNPCKLPS Y1, Y0, Y4  \
	VUNPCKHPS Y1, Y0, Y5  \
	VUNPCKLPS Y3, Y2, Y6  \
	VUNPCKHPS Y3, Y2, Y7  \
	VUNPCKLPD Y6, Y4, Y8  \
	VUNPCKHPD Y6, Y4, Y9  \
	VUNPCKLPD Y7, Y5, Y10 \
	VUNPCKHPD Y7, Y5, Y11

// func transposeInAVX2(rows *float32, from **float32, width int)
TEXT ·transposeInAVX2(SB), NOSPLIT, $0-24
	MOVQ rows+0(FP), DI
	MOVQ from+8(FP), AX
	MOVQ width+16(FP), CX
	SHLQ $2, CX
	MOVQ (AX), R8
	MOVQ 8(AX), R9
	MOVQ 16(AX), R10
	MOVQ 24(AX), R11
	MOVQ 32(AX), R12
	MOVQ 40(AX), R13
	MOVQ 48(AX), BX
	MOVQ 56(AX), SI
	XORQ DX, DX

in:
	VMOVUPS     (R8)(DX*1), X0
	VMOVUPS     (R9)(DX*1), X1
	VMOVUPS     (R10)(DX*1), X2
	VMOVUPS     (R11)(DX*1), X3
	VINSERTF128 $1, (R12)(DX*1), Y0, Y0
	VINSERTF128 $1, (R13)(DX*1), Y1, Y1
	VINSERTF128 $1, (BX)(DX*1), Y2, Y2
	VINSERTF128 $1, (SI)(DX*1), Y3, Y3
	HALF
	VMOVUPS Y8, (DI)
	VMOVUPS Y9, 64(DI)
	VMOVUPS Y10, 128(DI)
	VMOVUPS Y11, 192(DI)
	ADDQ $256, DI
	ADDQ $16, DX
	CMPQ DX, CX
	JLT  in
	VZEROUPPER
	RET

// func transposeOutAVX2(rows *float32, to **float32, width int)
TEXT ·transposeOutAVX2(SB), NOSPLIT, $0-24
	MOVQ rows+0(FP), DI
	MOVQ to+8(FP), AX
	MOVQ width+16(FP), CX
	SHLQ $2, CX
	MOVQ (AX), R8
	MOVQ 8(AX), R9
	MOVQ 16(AX), R10
	MOVQ 24(AX), R11
	MOVQ 32(AX), R12
	MOVQ 40(AX), R13
	MOVQ 48(AX), BX
	MOVQ 56(AX), SI
	XORQ DX, DX

out:
	VMOVUPS     (DI), X0
	VMOVUPS     64(DI), X1
	VMOVUPS     128(DI), X2
	VMOVUPS     192(DI), X3
	VINSERTF128 $1, 256(DI), Y0, Y0
	VINSERTF128 $1, 320(DI), Y1, Y1
	VINSERTF128 $1, 384(DI), Y2, Y2
	VINSERTF128 $1, 448(DI), Y3, Y3
	HALF
	VMOVUPS Y8, (R8)(DX*1)
	VMOVUPS Y9, (R9)(DX*1)
	VMOVUPS Y10, (R10)(DX*1)
	VMOVUPS Y11, (R11)(DX*1)
	VMOVUPS     16(DI), X0
	VMOVUPS     80(DI), X1
	VMOVUPS     144(DI), X2
	VMOVUPS     208(DI), X3
	VINSERTF128 $1, 272(DI), Y0, Y0
	VINSERTF128 $1, 336(DI), Y1, Y1
	VINSERTF128 $1, 400(DI), Y2, Y2
	VINSERTF128 $1, 464(DI), Y3, Y3
	HALF
	VMOVUPS Y8, (R12)(DX*1)
	VMOVUPS Y9, (R13)(DX*1)
	VMOVUPS Y10, (BX)(DX*1)
	VMOVUPS Y11, (SI)(DX*1)
	ADDQ $512, DI
	ADDQ $32, DX
	CMPQ DX, CX
	JLT  out
	VZEROUPPER
	RET

DATA largest<>+0(SB)/4, $32767.0
GLOBL largest<>(SB), RODATA|NOPTR, $4

DATA magnitude<>+0(SB)/4, $0x7fffffff
GLOBL magnitude<>(SB), RODATA|NOPTR, $4

// func unpackAVX2(to *float32, from *int16, scales *float32, actions, width int)
TEXT ·unpackAVX2(SB), NOSPLIT, $0-40
	MOVQ to+0(FP), DI
	MOVQ from+8(FP), SI
	MOVQ scales+16(FP), R8
	MOVQ actions+24(FP), R10
	MOVQ width+32(FP), R12
	MOVQ R12, BX
	SHLQ $1, R12

unpackBlock:
	VBROADCASTSS (R8), Y1
	MOVQ DI, R9
	MOVQ SI, R11
	MOVQ R10, CX

unpackAction:
	VPMOVSXWD (R11), Y0
	VCVTDQ2PS Y0, Y0
	VMULPS    Y1, Y0, Y0
	VMOVUPS   Y0, (R9)
	ADDQ R12, R11
	LEAQ (R9)(R12*2), R9
	DECQ CX
	JNZ  unpackAction
	ADDQ $4, R8
	ADDQ $16, SI
	ADDQ $32, DI
	SUBQ $8, BX
	JG   unpackBlock
	VZEROUPPER
	RET

// func packAVX2(to *int16, scales, from *float32, actions, width int)
TEXT ·packAVX2(SB), NOSPLIT, $0-40
	MOVQ to+0(FP), DI
	MOVQ scales+8(FP), R8
	MOVQ from+16(FP), SI
	MOVQ actions+24(FP), R10
	MOVQ width+32(FP), R12
	MOVQ R12, BX
	SHLQ $1, R12
	VBROADCASTSS magnitude<>(SB), Y15
	VMOVSS       largest<>(SB), X14
	VXORPS       X13, X13, X13

packBlock:
	MOVQ   SI, R11
	MOVQ   R10, CX
	VXORPS Y0, Y0, Y0

most:
	VANDPS (R11), Y15, Y1
	VMAXPS Y1, Y0, Y0
	LEAQ (R11)(R12*2), R11
	DECQ CX
	JNZ  most
	VEXTRACTF128 $1, Y0, X1
	VMAXPS       X1, X0, X0
	VMOVHLPS     X0, X0, X1
	VMAXPS       X1, X0, X0
	VMOVSHDUP    X0, X1
	VMAXSS       X1, X0, X0
	VDIVSS       X14, X0, X2   // the scale
	VMOVSS       X2, (R8)
	VDIVSS       X0, X14, X1   // its inverse
	VCMPSS       $0, X13, X0, X2
	VANDNPS      X1, X2, X1    // 0 if all are 0
	VBROADCASTSS X1, Y1
	MOVQ SI, R11
	MOVQ DI, R9
	MOVQ R10, CX

packAction:
	VMULPS       (R11), Y1, Y0
	VCVTPS2DQ    Y0, Y0
	VEXTRACTI128 $1, Y0, X2
	VPACKSSDW    X2, X0, X0
	VMOVDQU      X0, (R9)
	ADDQ R12, R9
	LEAQ (R11)(R12*2), R11
	DECQ CX
	JNZ  packAction
	ADDQ $4, R8
	ADDQ $32, SI
	ADDQ $16, DI
	SUBQ $8, BX
	JG   packBlock
	VZEROUPPER
	RET
