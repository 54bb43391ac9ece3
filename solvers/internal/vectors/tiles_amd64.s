#include "textflag.h"

// AVX2 versions of portable.go: a tile is four registers. There, what each does; here, only
// how. Products and sums stay apart (no FMA), so that the bits are those of the portable
// versions.

// CARD leaves in BX the address of the sums, at R13, of the card in the entry AX whose bits
// end at shift.
#define CARD(shift) \
	MOVQ AX, BX       \
	SHRQ $shift, BX   \
	ANDQ $63, BX      \
	SHLQ $7, BX       \
	ADDQ R13, BX

// ADDTO adds Y0 to Y3 to the tile at BX.
#define ADDTO \
	VADDPS  (BX), Y0, Y4   \
	VADDPS  32(BX), Y1, Y5 \
	VADDPS  64(BX), Y2, Y6 \
	VADDPS  96(BX), Y3, Y7 \
	VMOVUPS Y4, (BX)       \
	VMOVUPS Y5, 32(BX)     \
	VMOVUPS Y6, 64(BX)     \
	VMOVUPS Y7, 96(BX)

// LOAD loads the tile at an address.
#define LOAD(from, a, b, c, d) \
	VMOVUPS (from), a   \
	VMOVUPS 32(from), b \
	VMOVUPS 64(from), c \
	VMOVUPS 96(from), d

// STORE stores a tile.
#define STORE(a, b, c, d, to) \
	VMOVUPS a, (to)   \
	VMOVUPS b, 32(to) \
	VMOVUPS c, 64(to) \
	VMOVUPS d, 96(to)

// JOIN joins Y0 to Y3 with the tile at DI by the mode R12. The larger is kept as by >, with
// the first of two that are equal.
#define JOIN(maximum, store) \
	CMPQ   R12, $1           \
	JLT    store             \
	JEQ    maximum           \
	VADDPS (DI), Y0, Y0      \
	VADDPS 32(DI), Y1, Y1    \
	VADDPS 64(DI), Y2, Y2    \
	VADDPS 96(DI), Y3, Y3    \
	JMP    store             \
maximum:                     \
	VMAXPS (DI), Y0, Y0      \
	VMAXPS 32(DI), Y1, Y1    \
	VMAXPS 64(DI), Y2, Y2    \
	VMAXPS 96(DI), Y3, Y3    \
store:                       \
	STORE(Y0, Y1, Y2, Y3, DI)

// func followAVX2(x *Tile, order *uint64, hands int, reach *float32, reachWidth int, table *float32, width, columns int, path *uint32, length int)
TEXT ·followAVX2(SB), NOSPLIT, $0-80
	MOVQ  x+0(FP), DI
	MOVQ  order+8(FP), SI
	MOVQ  hands+16(FP), DX
	MOVQ  reach+24(FP), R8
	MOVQ  reachWidth+32(FP), R15
	SHLQ  $2, R15
	MOVQ  table+40(FP), R9
	MOVQ  width+48(FP), R10
	SHLQ  $2, R10
	MOVQ  columns+56(FP), R11
	IMULQ R10, R11
	MOVQ  path+64(FP), R12
	MOVQ  length+72(FP), R13

hand:
	MOVQ  (SI), AX
	MOVQ  AX, BX
	ANDQ  $2047, BX
	IMULQ R15, BX
	ADDQ  R8, BX
	LOAD(BX, Y0, Y1, Y2, Y3)
	SHRQ  $34, AX
	IMULQ R11, AX
	ADDQ  R9, AX
	XORQ  CX, CX

column:
	CMPQ   CX, R13
	JGE    followed
	MOVL   (R12)(CX*4), BX
	IMULQ  R10, BX
	ADDQ   AX, BX
	VMULPS (BX), Y0, Y0
	VMULPS 32(BX), Y1, Y1
	VMULPS 64(BX), Y2, Y2
	VMULPS 96(BX), Y3, Y3
	INCQ   CX
	JMP    column

followed:
	STORE(Y0, Y1, Y2, Y3, DI)
	ADDQ $8, SI
	ADDQ $128, DI
	DECQ DX
	JNZ  hand
	VZEROUPPER
	RET

// func addAVX2(all, by *Tile, order *uint64, hands int, x *Tile, twoCards bool)
TEXT ·addAVX2(SB), NOSPLIT, $0-41
	MOVQ    all+0(FP), R8
	MOVQ    by+8(FP), R13
	MOVQ    order+16(FP), SI
	MOVQ    hands+24(FP), DX
	MOVQ    x+32(FP), DI
	MOVBLZX twoCards+40(FP), CX
	LOAD(R8, Y12, Y13, Y14, Y15)

added:
	MOVQ   (SI), AX
	LOAD(DI, Y0, Y1, Y2, Y3)
	VADDPS Y0, Y12, Y12
	VADDPS Y1, Y13, Y13
	VADDPS Y2, Y14, Y14
	VADDPS Y3, Y15, Y15
	CARD(11)
	ADDTO
	TESTL  CX, CX
	JZ     oneCard
	CARD(17)
	ADDTO

oneCard:
	ADDQ $8, SI
	ADDQ $128, DI
	DECQ DX
	JNZ  added
	STORE(Y12, Y13, Y14, Y15, R8)
	VZEROUPPER
	RET

// func valueAVX2(to *Tile, order *uint64, hands int, all, by, own, pays *Tile, mode Mode, twoCards bool)
TEXT ·valueAVX2(SB), NOSPLIT, $0-61
	MOVQ    to+0(FP), DI
	MOVQ    order+8(FP), SI
	MOVQ    hands+16(FP), DX
	MOVQ    all+24(FP), R8
	MOVQ    by+32(FP), R13
	MOVQ    own+40(FP), R9
	MOVQ    pays+48(FP), R10
	MOVLQZX mode+56(FP), R12
	MOVBLZX twoCards+60(FP), CX
	LOAD(R8, Y12, Y13, Y14, Y15)
	LOAD(R10, Y8, Y9, Y10, Y11)

valued:
	MOVQ   (SI), AX
	CARD(11)
	VSUBPS (BX), Y12, Y0
	VSUBPS 32(BX), Y13, Y1
	VSUBPS 64(BX), Y14, Y2
	VSUBPS 96(BX), Y15, Y3
	TESTL  CX, CX
	JZ     pay
	CARD(17)
	VSUBPS (BX), Y0, Y0
	VSUBPS 32(BX), Y1, Y1
	VSUBPS 64(BX), Y2, Y2
	VSUBPS 96(BX), Y3, Y3
	TESTQ  R9, R9
	JZ     pay
	VADDPS (R9), Y0, Y0
	VADDPS 32(R9), Y1, Y1
	VADDPS 64(R9), Y2, Y2
	VADDPS 96(R9), Y3, Y3
	ADDQ   $128, R9

pay:
	VMULPS Y8, Y0, Y0
	VMULPS Y9, Y1, Y1
	VMULPS Y10, Y2, Y2
	VMULPS Y11, Y3, Y3
	JOIN(larger, keep)
	ADDQ $8, SI
	ADDQ $128, DI
	DECQ DX
	JNZ  valued
	VZEROUPPER
	RET

// func sweepAVX2(to *Tile, order *uint64, hands int, all, by, x, pays *Tile, twoCards bool)
TEXT ·sweepAVX2(SB), NOSPLIT, $0-57
	MOVQ    to+0(FP), DI
	MOVQ    order+8(FP), SI
	MOVQ    hands+16(FP), DX
	MOVQ    all+24(FP), R8
	MOVQ    by+32(FP), R13
	MOVQ    x+40(FP), R9
	MOVQ    pays+48(FP), R10
	MOVBLZX twoCards+56(FP), CX
	LOAD(R8, Y12, Y13, Y14, Y15)

swept:
	MOVQ   (SI), AX
	CARD(11)
	MOVQ   BX, R11
	VSUBPS (BX), Y12, Y0
	VSUBPS 32(BX), Y13, Y1
	VSUBPS 64(BX), Y14, Y2
	VSUBPS 96(BX), Y15, Y3
	TESTL  CX, CX
	JZ     before
	CARD(17)
	VSUBPS (BX), Y0, Y0
	VSUBPS 32(BX), Y1, Y1
	VSUBPS 64(BX), Y2, Y2
	VSUBPS 96(BX), Y3, Y3

before:
	SHRQ   $23, AX
	ANDQ   $2047, AX
	SHLQ   $7, AX
	LEAQ   (DI)(AX*1), R12
	ADDQ   R9, AX
	TESTQ  R10, R10
	JZ     set
	LOAD(R12, Y4, Y5, Y6, Y7)
	VSUBPS Y0, Y4, Y0
	VSUBPS Y1, Y5, Y1
	VSUBPS Y2, Y6, Y2
	VSUBPS Y3, Y7, Y3
	VMULPS (R10), Y0, Y0
	VMULPS 32(R10), Y1, Y1
	VMULPS 64(R10), Y2, Y2
	VMULPS 96(R10), Y3, Y3

set:
	STORE(Y0, Y1, Y2, Y3, R12)
	LOAD(AX, Y0, Y1, Y2, Y3)
	VADDPS Y0, Y12, Y12
	VADDPS Y1, Y13, Y13
	VADDPS Y2, Y14, Y14
	VADDPS Y3, Y15, Y15
	TESTL  CX, CX
	JZ     one
	ADDTO

one:
	MOVQ R11, BX
	ADDTO
	ADDQ $8, SI
	DECQ DX
	JNZ  swept
	STORE(Y12, Y13, Y14, Y15, R8)
	VZEROUPPER
	RET

// func joinAVX2(to, values *Tile, hands int, mode Mode)
TEXT ·joinAVX2(SB), NOSPLIT, $0-28
	MOVQ    to+0(FP), DI
	MOVQ    values+8(FP), SI
	MOVQ    hands+16(FP), DX
	MOVLQZX mode+24(FP), R12

joined:
	LOAD(SI, Y0, Y1, Y2, Y3)
	JOIN(largest, kept)
	ADDQ $128, SI
	ADDQ $128, DI
	DECQ DX
	JNZ  joined
	VZEROUPPER
	RET

// func decideAVX2(mean, values *Tile, actions *[]uint32, n int, sigma, gains, each *Tile)
TEXT ·decideAVX2(SB), NOSPLIT, $0-56
	MOVQ   mean+0(FP), DI
	MOVQ   values+8(FP), SI
	MOVQ   actions+16(FP), R8
	MOVQ   n+24(FP), DX
	MOVQ   sigma+32(FP), R9
	MOVQ   gains+40(FP), R10
	MOVQ   each+48(FP), R11
	VXORPS Y8, Y8, Y8
	VXORPS Y9, Y9, Y9
	VXORPS Y10, Y10, Y10
	VXORPS Y11, Y11, Y11

action:
	MOVQ (R8), R12
	MOVQ 8(R8), BX
	MOVL (R12), AX
	SHLQ $7, AX
	ADDQ SI, AX
	LOAD(AX, Y0, Y1, Y2, Y3)
	MOVQ $1, CX

source:
	CMPQ   CX, BX
	JGE    summed
	MOVL   (R12)(CX*4), AX
	SHLQ   $7, AX
	ADDQ   SI, AX
	VADDPS (AX), Y0, Y0
	VADDPS 32(AX), Y1, Y1
	VADDPS 64(AX), Y2, Y2
	VADDPS 96(AX), Y3, Y3
	INCQ   CX
	JMP    source

summed:
	STORE(Y0, Y1, Y2, Y3, R11)
	VMULPS (R9), Y0, Y0
	VMULPS 32(R9), Y1, Y1
	VMULPS 64(R9), Y2, Y2
	VMULPS 96(R9), Y3, Y3
	VADDPS Y0, Y8, Y8
	VADDPS Y1, Y9, Y9
	VADDPS Y2, Y10, Y10
	VADDPS Y3, Y11, Y11
	ADDQ   $24, R8
	ADDQ   $128, R9
	ADDQ   $128, R11
	DECQ   DX
	JNZ    action
	STORE(Y8, Y9, Y10, Y11, DI)
	MOVQ   n+24(FP), DX
	MOVQ   each+48(FP), R11

gain:
	LOAD(R11, Y0, Y1, Y2, Y3)
	VSUBPS Y8, Y0, Y0
	VSUBPS Y9, Y1, Y1
	VSUBPS Y10, Y2, Y2
	VSUBPS Y11, Y3, Y3
	VADDPS (R10), Y0, Y0
	VADDPS 32(R10), Y1, Y1
	VADDPS 64(R10), Y2, Y2
	VADDPS 96(R10), Y3, Y3
	STORE(Y0, Y1, Y2, Y3, R10)
	ADDQ   $128, R10
	ADDQ   $128, R11
	DECQ   DX
	JNZ    gain
	VZEROUPPER
	RET
