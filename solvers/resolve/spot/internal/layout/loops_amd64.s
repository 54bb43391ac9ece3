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

// COLUMNS transposes the four rows of 4 x 4 floats side by side that registers have, and leaves the
// columns there.
#define COLUMNS(A, B, C, D) \
	VUNPCKLPS B, A, Z16  \
	VUNPCKHPS B, A, Z17  \
	VUNPCKLPS D, C, Z18  \
	VUNPCKHPS D, C, Z19  \
	VUNPCKLPD Z18, Z16, A \
	VUNPCKHPD Z18, Z16, B \
	VUNPCKLPD Z19, Z17, C \
	VUNPCKHPD Z19, Z17, D

// EVERYFOURTH loads the addresses of four vectors.
#define EVERYFOURTH(at) \
	MOVQ at(AX), R8     \
	MOVQ at+32(AX), R9  \
	MOVQ at+64(AX), R10 \
	MOVQ at+96(AX), R11

// LOADFOUR loads four floats of each of four vectors.
#define LOADFOUR(at, X, Z) \
	VMOVUPS      at(R8)(DX*1), X          \
	VINSERTF32X4 $1, at(R9)(DX*1), Z, Z   \
	VINSERTF32X4 $2, at(R10)(DX*1), Z, Z  \
	VINSERTF32X4 $3, at(R11)(DX*1), Z, Z

// STOREFOUR stores four floats of each of four vectors.
#define STOREFOUR(at, X, Z) \
	VMOVUPS       X, at(R8)(DX*1)      \
	VEXTRACTF32X4 $1, Z, at(R9)(DX*1)  \
	VEXTRACTF32X4 $2, Z, at(R10)(DX*1) \
	VEXTRACTF32X4 $3, Z, at(R11)(DX*1)

// func transposeInAVX512(rows *tileRow, from **float32, width int)
TEXT ·transposeInAVX512(SB), NOSPLIT, $0-24
	MOVQ rows+0(FP), DI
	MOVQ from+8(FP), AX
	MOVQ width+16(FP), CX
	SHLQ $2, CX
	XORQ DX, DX

in512:
	EVERYFOURTH(0)
	LOADFOUR(0, X0, Z0)
	LOADFOUR(16, X4, Z4)
	LOADFOUR(32, X8, Z8)
	LOADFOUR(48, X12, Z12)
	EVERYFOURTH(8)
	LOADFOUR(0, X1, Z1)
	LOADFOUR(16, X5, Z5)
	LOADFOUR(32, X9, Z9)
	LOADFOUR(48, X13, Z13)
	EVERYFOURTH(16)
	LOADFOUR(0, X2, Z2)
	LOADFOUR(16, X6, Z6)
	LOADFOUR(32, X10, Z10)
	LOADFOUR(48, X14, Z14)
	EVERYFOURTH(24)
	LOADFOUR(0, X3, Z3)
	LOADFOUR(16, X7, Z7)
	LOADFOUR(32, X11, Z11)
	LOADFOUR(48, X15, Z15)
	COLUMNS(Z0, Z1, Z2, Z3)
	COLUMNS(Z4, Z5, Z6, Z7)
	COLUMNS(Z8, Z9, Z10, Z11)
	COLUMNS(Z12, Z13, Z14, Z15)
	VMOVUPS Z0, (DI)
	VMOVUPS Z1, 64(DI)
	VMOVUPS Z2, 128(DI)
	VMOVUPS Z3, 192(DI)
	VMOVUPS Z4, 256(DI)
	VMOVUPS Z5, 320(DI)
	VMOVUPS Z6, 384(DI)
	VMOVUPS Z7, 448(DI)
	VMOVUPS Z8, 512(DI)
	VMOVUPS Z9, 576(DI)
	VMOVUPS Z10, 640(DI)
	VMOVUPS Z11, 704(DI)
	VMOVUPS Z12, 768(DI)
	VMOVUPS Z13, 832(DI)
	VMOVUPS Z14, 896(DI)
	VMOVUPS Z15, 960(DI)
	ADDQ $1024, DI
	ADDQ $64, DX
	CMPQ DX, CX
	JLT  in512
	VZEROUPPER
	RET

// func transposeOutAVX512(rows *tileRow, to **float32, width int)
TEXT ·transposeOutAVX512(SB), NOSPLIT, $0-24
	MOVQ rows+0(FP), DI
	MOVQ to+8(FP), AX
	MOVQ width+16(FP), CX
	SHLQ $2, CX
	XORQ DX, DX

out512:
	VMOVUPS (DI), Z0
	VMOVUPS 64(DI), Z1
	VMOVUPS 128(DI), Z2
	VMOVUPS 192(DI), Z3
	VMOVUPS 256(DI), Z4
	VMOVUPS 320(DI), Z5
	VMOVUPS 384(DI), Z6
	VMOVUPS 448(DI), Z7
	VMOVUPS 512(DI), Z8
	VMOVUPS 576(DI), Z9
	VMOVUPS 640(DI), Z10
	VMOVUPS 704(DI), Z11
	VMOVUPS 768(DI), Z12
	VMOVUPS 832(DI), Z13
	VMOVUPS 896(DI), Z14
	VMOVUPS 960(DI), Z15
	COLUMNS(Z0, Z1, Z2, Z3)
	COLUMNS(Z4, Z5, Z6, Z7)
	COLUMNS(Z8, Z9, Z10, Z11)
	COLUMNS(Z12, Z13, Z14, Z15)
	EVERYFOURTH(0)
	STOREFOUR(0, X0, Z0)
	STOREFOUR(16, X4, Z4)
	STOREFOUR(32, X8, Z8)
	STOREFOUR(48, X12, Z12)
	EVERYFOURTH(8)
	STOREFOUR(0, X1, Z1)
	STOREFOUR(16, X5, Z5)
	STOREFOUR(32, X9, Z9)
	STOREFOUR(48, X13, Z13)
	EVERYFOURTH(16)
	STOREFOUR(0, X2, Z2)
	STOREFOUR(16, X6, Z6)
	STOREFOUR(32, X10, Z10)
	STOREFOUR(48, X14, Z14)
	EVERYFOURTH(24)
	STOREFOUR(0, X3, Z3)
	STOREFOUR(16, X7, Z7)
	STOREFOUR(32, X11, Z11)
	STOREFOUR(48, X15, Z15)
	ADDQ $1024, DI
	ADDQ $64, DX
	CMPQ DX, CX
	JLT  out512
	VZEROUPPER
	RET

DATA largest<>+0(SB)/4, $32766.0
GLOBL largest<>(SB), RODATA|NOPTR, $4

DATA largestFraction<>+0(SB)/4, $2147352576.0 // 32766 * 2^16
GLOBL largestFraction<>(SB), RODATA|NOPTR, $4

DATA magnitude<>+0(SB)/4, $0x7fffffff
GLOBL magnitude<>(SB), RODATA|NOPTR, $4

// Of thresholds: what eight places add to the first, and the step from a block to the next.
DATA places<>+0(SB)/4, $0
DATA places<>+4(SB)/4, $0x91E10DA5
DATA places<>+8(SB)/4, $0x23C21B4A
DATA places<>+12(SB)/4, $0xB5A328EF
DATA places<>+16(SB)/4, $0x47843694
DATA places<>+20(SB)/4, $0xD9654439
DATA places<>+24(SB)/4, $0x6B4651DE
DATA places<>+28(SB)/4, $0xFD275F83
GLOBL places<>(SB), RODATA|NOPTR, $32

DATA blockStep<>+0(SB)/4, $0x8F086D28
GLOBL blockStep<>(SB), RODATA|NOPTR, $4

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

// func packAVX2(to *int16, scales, from *float32, actions, width int, threshold uint32)
TEXT ·packAVX2(SB), NOSPLIT, $0-44
	MOVQ to+0(FP), DI
	MOVQ scales+8(FP), R8
	MOVQ from+16(FP), SI
	MOVQ actions+24(FP), R10
	MOVQ width+32(FP), R12
	MOVQ R12, BX
	SHLQ $1, R12
	VPBROADCASTD magnitude<>(SB), Y15
	VMOVSS       largest<>(SB), X14
	VMOVSS       largestFraction<>(SB), X13
	MOVL         threshold+40(FP), AX
	VMOVD        AX, X12
	VPBROADCASTD X12, Y12
	VPADDD       places<>(SB), Y12, Y12  // thresholds of the block
	VPBROADCASTD blockStep<>(SB), Y11
	IMUL3L       $0x91E10DA5, BX, AX
	VMOVD        AX, X10
	VPBROADCASTD X10, Y10                // from an action to the next

packBlock:
	MOVQ  SI, R11
	MOVQ  R10, CX
	VPXOR Y0, Y0, Y0

most:
	VPAND   (R11), Y15, Y1
	VPMAXUD Y1, Y0, Y0
	LEAQ (R11)(R12*2), R11
	DECQ CX
	JNZ  most
	VEXTRACTI128 $1, Y0, X1
	VPMAXUD      X1, X0, X0
	VPSHUFD      $0x4e, X0, X1
	VPMAXUD      X1, X0, X0
	VPSHUFD      $0xb1, X0, X1
	VPMAXUD      X1, X0, X0
	VDIVSS       X14, X0, X2   // the scale
	VMOVSS       X2, (R8)
	VDIVSS       X0, X13, X1   // its inverse
	VBROADCASTSS X1, Y1
	VMOVD        X0, AX
	MOVQ  DI, R9
	MOVQ  R10, CX
	SUBL  $0x0f800000, AX      // 2^-96
	CMPL  AX, $0x70000000      // and from there to infinity
	JCC   clearAction
	MOVQ    SI, R11
	VMOVDQA Y12, Y3

packAction:
	VMULPS       (R11), Y1, Y0
	VCVTTPS2DQ   Y0, Y0
	VPSRLD       $16, Y3, Y2
	VPADDD       Y10, Y3, Y3
	VPADDD       Y2, Y0, Y0
	VPSRAD       $16, Y0, Y0
	VEXTRACTI128 $1, Y0, X2
	VPACKSSDW    X2, X0, X0
	VMOVDQU      X0, (R9)
	ADDQ R12, R9
	LEAQ (R11)(R12*2), R11
	DECQ CX
	JNZ  packAction

blockPacked:
	VPADDD Y11, Y12, Y12
	ADDQ $4, R8
	ADDQ $32, SI
	ADDQ $16, DI
	SUBQ $8, BX
	JG   packBlock
	VZEROUPPER
	RET

clearAction:
	VPXOR   X0, X0, X0
	VMOVDQU X0, (R9)
	ADDQ R12, R9
	DECQ CX
	JNZ  clearAction
	JMP  blockPacked
