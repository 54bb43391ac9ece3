#include "textflag.h"

// AVX2 and FMA versions of portable.go. There, what each does; here, only how. Each sum has
// its products in the same order, so the bits are the same.

// ROW leaves in a register the address of row number (SI)(offset) of x, and moves on by the
// taps between the gathered rows.
#define ROW(register) \
	MOVLQSX (SI), register \
	IMULQ   DX, register   \
	ADDQ    AX, register   \
	LEAQ    (SI)(BX*4), SI

// TERMS adds a value of x times the weights Y0 and Y1.
#define TERMS(row, low, high) \
	VBROADCASTSS (row)(CX*1), Y2  \
	VFMADD231PS  Y0, Y2, low      \
	VFMADD231PS  Y1, Y2, high

// func addProductAVX2(to, x *float32, rows *int32, panel *float32, n, taps, in, columns int)
//
// Six rows at a time keep twelve sums of eight columns in registers, then one at a time.
TEXT ·addProductAVX2(SB), NOSPLIT, $24-64
	MOVQ to+0(FP), DI
	MOVQ n+32(FP), R14
	MOVQ taps+40(FP), BX
	MOVQ in+48(FP), DX
	SHLQ $2, DX

six:
	CMPQ    R14, $6
	JLT     one
	MOVQ    columns+56(FP), AX
	SHLQ    $2, AX
	LEAQ    (AX)(AX*2), R8
	LEAQ    (DI)(R8*1), R9       // of row 3
	VMOVUPS (DI), Y4
	VMOVUPS 32(DI), Y5
	VMOVUPS (DI)(AX*1), Y6
	VMOVUPS 32(DI)(AX*1), Y7
	VMOVUPS (DI)(AX*2), Y8
	VMOVUPS 32(DI)(AX*2), Y9
	VMOVUPS (R9), Y10
	VMOVUPS 32(R9), Y11
	VMOVUPS (R9)(AX*1), Y12
	VMOVUPS 32(R9)(AX*1), Y13
	VMOVUPS (R9)(AX*2), Y14
	VMOVUPS 32(R9)(AX*2), Y15
	MOVQ    x+8(FP), AX
	MOVQ    panel+24(FP), R15
	MOVQ    $0, tap-8(SP)

sixTap:
	MOVQ rows+16(FP), SI
	MOVQ tap-8(SP), CX
	LEAQ (SI)(CX*4), SI
	ROW(R8)
	ROW(R9)
	ROW(R10)
	ROW(R11)
	ROW(R12)
	ROW(R13)
	XORQ CX, CX

sixColumns:
	VMOVUPS (R15), Y0
	VMOVUPS 32(R15), Y1
	TERMS(R8, Y4, Y5)
	TERMS(R9, Y6, Y7)
	TERMS(R10, Y8, Y9)
	TERMS(R11, Y10, Y11)
	TERMS(R12, Y12, Y13)
	TERMS(R13, Y14, Y15)
	ADDQ    $64, R15
	ADDQ    $4, CX
	CMPQ    CX, DX
	JLT     sixColumns
	MOVQ    tap-8(SP), CX
	INCQ    CX
	MOVQ    CX, tap-8(SP)
	CMPQ    CX, BX
	JLT     sixTap

	MOVQ    columns+56(FP), AX
	SHLQ    $2, AX
	LEAQ    (AX)(AX*2), R8
	LEAQ    (DI)(R8*1), R9
	VMOVUPS Y4, (DI)
	VMOVUPS Y5, 32(DI)
	VMOVUPS Y6, (DI)(AX*1)
	VMOVUPS Y7, 32(DI)(AX*1)
	VMOVUPS Y8, (DI)(AX*2)
	VMOVUPS Y9, 32(DI)(AX*2)
	VMOVUPS Y10, (R9)
	VMOVUPS Y11, 32(R9)
	VMOVUPS Y12, (R9)(AX*1)
	VMOVUPS Y13, 32(R9)(AX*1)
	VMOVUPS Y14, (R9)(AX*2)
	VMOVUPS Y15, 32(R9)(AX*2)
	LEAQ    (DI)(R8*2), DI
	LEAQ    (BX)(BX*2), AX
	SHLQ    $3, AX               // 6 rows of 4 bytes a tap
	ADDQ    AX, rows+16(FP)
	SUBQ    $6, R14
	JMP     six

one:
	CMPQ    R14, $0
	JEQ     done
	VMOVUPS (DI), Y4
	VMOVUPS 32(DI), Y5
	MOVQ    x+8(FP), AX
	MOVQ    panel+24(FP), R15
	MOVQ    rows+16(FP), R9
	LEAQ    (R9)(BX*4), R10

oneTap:
	MOVQ R9, SI
	ROW(R8)
	XORQ CX, CX

oneColumn:
	VMOVUPS (R15), Y0
	VMOVUPS 32(R15), Y1
	TERMS(R8, Y4, Y5)
	ADDQ    $64, R15
	ADDQ    $4, CX
	CMPQ    CX, DX
	JLT     oneColumn
	ADDQ    $4, R9
	CMPQ    R9, R10
	JLT     oneTap

	VMOVUPS Y4, (DI)
	VMOVUPS Y5, 32(DI)
	MOVQ    R10, rows+16(FP)
	MOVQ    columns+56(FP), AX
	LEAQ    (DI)(AX*4), DI
	DECQ    R14
	JMP     one

done:
	VZEROUPPER
	RET

// func addGradientAVX2(gradient, x, d *float32, rows *int32, n, taps, in, columns int)
TEXT ·addGradientAVX2(SB), NOSPLIT, $0-64
	MOVQ    gradient+0(FP), DI
	MOVQ    x+8(FP), AX
	MOVQ    d+16(FP), R8
	MOVQ    rows+24(FP), SI
	MOVQ    n+32(FP), R14
	MOVQ    taps+40(FP), BX
	MOVQ    in+48(FP), DX
	SHLQ    $2, DX
	MOVQ    columns+56(FP), R9
	SHLQ    $2, R9
	LEAQ    (R9)(R9*2), R10
	VMOVUPS (DI), Y4
	VMOVUPS 32(DI), Y5
	VMOVUPS (DI)(R9*1), Y6
	VMOVUPS 32(DI)(R9*1), Y7
	VMOVUPS (DI)(R9*2), Y8
	VMOVUPS 32(DI)(R9*2), Y9
	VMOVUPS (DI)(R10*1), Y10
	VMOVUPS 32(DI)(R10*1), Y11

row:
	ROW(CX)
	VMOVUPS      (R8), Y0
	VMOVUPS      32(R8), Y1
	ADDQ         R9, R8
	VBROADCASTSS (CX), Y2
	VFMADD231PS  Y0, Y2, Y4
	VFMADD231PS  Y1, Y2, Y5
	VBROADCASTSS 4(CX), Y3
	VFMADD231PS  Y0, Y3, Y6
	VFMADD231PS  Y1, Y3, Y7
	VBROADCASTSS 8(CX), Y12
	VFMADD231PS  Y0, Y12, Y8
	VFMADD231PS  Y1, Y12, Y9
	VBROADCASTSS 12(CX), Y13
	VFMADD231PS  Y0, Y13, Y10
	VFMADD231PS  Y1, Y13, Y11
	DECQ         R14
	JNZ          row

	VMOVUPS Y4, (DI)
	VMOVUPS Y5, 32(DI)
	VMOVUPS Y6, (DI)(R9*1)
	VMOVUPS Y7, 32(DI)(R9*1)
	VMOVUPS Y8, (DI)(R9*2)
	VMOVUPS Y9, 32(DI)(R9*2)
	VMOVUPS Y10, (DI)(R10*1)
	VMOVUPS Y11, 32(DI)(R10*1)
	VZEROUPPER
	RET
