#include "textflag.h"

// AVX2 and AVX-512 versions of loops.go. There, what each does; here, only how. Products and
// sums stay apart (no FMA), so that the bits are those of the portable versions.

// CARDS leaves in AX and BX the offsets, among the sums by card, of the cards of the hand at
// an address.
#define CARDS(at) \
	MOVBLZX (at), AX   \
	MOVBLZX 1(at), BX  \
	SHLQ    $6, AX     \
	SHLQ    $6, BX

// SAME leaves in AX the address of the reach of the same hand, whose place is R15 bytes past
// the hand.
#define SAME(at) \
	MOVWLZX (at)(R15*1), AX \
	SHLQ    $6, AX          \
	ADDQ    reach+8(FP), AX

// AVX2: a row is two registers. The sum of all hands is in Y12 and Y13.
#define ASCEND ·ascendAVX2
#define ADD ·addAVX2
#define TOTAL ·totalAVX2
#define LOADSUMS \
	VMOVUPS (R8), Y12   \
	VMOVUPS 32(R8), Y13 \
	ADDQ    $64, R8
#define STORESUMS \
	VMOVUPS Y12, -64(R8) \
	VMOVUPS Y13, -32(R8)
#define LOADPAYS \
	VMOVUPS (AX), Y14 \
	VMOVUPS 32(AX), Y15
#define LOADOTHERPAYS \
	VMOVUPS (AX), Y10 \
	VMOVUPS 32(AX), Y11
#define WITHOUT \
	VSUBPS (R8)(AX*1), Y12, Y0   \
	VSUBPS 32(R8)(AX*1), Y13, Y1 \
	VSUBPS (R8)(BX*1), Y0, Y0    \
	VSUBPS 32(R8)(BX*1), Y1, Y1
#define ADDSAME \
	VADDPS (AX), Y0, Y0 \
	VADDPS 32(AX), Y1, Y1
#define PAY \
	VMULPS Y14, Y0, Y0 \
	VMULPS Y15, Y1, Y1
#define PAYOTHER \
	VMULPS Y10, Y0, Y0 \
	VMULPS Y11, Y1, Y1
#define ADDVALUE \
	VADDPS (DI), Y0, Y0 \
	VADDPS 32(DI), Y1, Y1
#define STOREVALUE \
	VMOVUPS Y0, (DI) \
	VMOVUPS Y1, 32(DI)
#define ADDHAND \
	VMOVUPS (SI), Y0               \
	VMOVUPS 32(SI), Y1             \
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
#include "rows_amd64.h"

#undef ASCEND
#undef ADD
#undef TOTAL
#undef LOADSUMS
#undef STORESUMS
#undef LOADPAYS
#undef LOADOTHERPAYS
#undef WITHOUT
#undef ADDSAME
#undef PAY
#undef PAYOTHER
#undef ADDVALUE
#undef STOREVALUE
#undef ADDHAND

// AVX-512: a row is a register. The sum of all hands is in Z12.
#define ASCEND ·ascendAVX512
#define ADD ·addAVX512
#define TOTAL ·totalAVX512
#define LOADSUMS \
	VMOVUPS (R8), Z12 \
	ADDQ    $64, R8
#define STORESUMS \
	VMOVUPS Z12, -64(R8)
#define LOADPAYS \
	VMOVUPS (AX), Z14
#define LOADOTHERPAYS \
	VMOVUPS (AX), Z10
#define WITHOUT \
	VSUBPS (R8)(AX*1), Z12, Z0 \
	VSUBPS (R8)(BX*1), Z0, Z0
#define ADDSAME \
	VADDPS (AX), Z0, Z0
#define PAY \
	VMULPS Z14, Z0, Z0
#define PAYOTHER \
	VMULPS Z10, Z0, Z0
#define ADDVALUE \
	VADDPS (DI), Z0, Z0
#define STOREVALUE \
	VMOVUPS Z0, (DI)
#define ADDHAND \
	VMOVUPS (SI), Z0           \
	VADDPS  Z0, Z12, Z12       \
	VADDPS  (R8)(AX*1), Z0, Z2 \
	VADDPS  (R8)(BX*1), Z0, Z4 \
	VMOVUPS Z2, (R8)(AX*1)     \
	VMOVUPS Z4, (R8)(BX*1)
#include "rows_amd64.h"

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
