// The loops over the rows of tiles, in terms of what loops_amd64.s defines for each instruction
// set: R8 has the address of the sums by card, AX and BX choose two of them, and AX is also the
// address of pays and of the reach of the same hand.

// func ascend(values, reach *tileRow, sums *sums, own *hole, same *uint16, other *hole, groups *group, n int,
//	worse, notBetter *tileRow)
TEXT ASCEND(SB), NOSPLIT, $0-80
	MOVQ values+0(FP), DI
	MOVQ reach+8(FP), SI
	MOVQ sums+16(FP), R8
	MOVQ own+24(FP), R9
	MOVQ same+32(FP), R15
	SUBQ R9, R15
	MOVQ other+40(FP), R10
	MOVQ groups+48(FP), R11
	MOVQ n+56(FP), R12
	MOVQ worse+64(FP), AX
	LOADPAYS
	MOVQ notBetter+72(FP), AX
	LOADOTHERPAYS
	LOADSUMS
	MOVQ R9, R13  // the first hands
	MOVQ R10, DX

nextGroup:
	MOVWLZX (R11), CX
	LEAQ    (R13)(CX*2), CX
	MOVQ    R9, R14  // the first hand of the group
	CMPQ    R9, CX
	JGE     worsePaid

payWorse:
	CARDS(R9)
	WITHOUT
	PAY
	STOREVALUE
	ADDQ $64, DI
	ADDQ $2, R9
	CMPQ R9, CX
	JLT  payWorse

worsePaid:
	MOVWLZX 2(R11), CX
	LEAQ    (DX)(CX*2), CX
	CMPQ    R10, CX
	JGE     groupAdded

addGroup:
	CARDS(R10)
	ADDHAND
	ADDQ $64, SI
	ADDQ $2, R10
	CMPQ R10, CX
	JLT  addGroup

groupAdded:
	MOVQ R9, CX
	SUBQ R14, CX
	JEQ  groupPaid
	SHLQ $5, CX
	SUBQ CX, DI

payNotBetter:
	CARDS(R14)
	WITHOUT
	SAME(R14)
	ADDSAME
	PAYOTHER
	ADDVALUE
	STOREVALUE
	ADDQ $64, DI
	ADDQ $2, R14
	CMPQ R14, R9
	JLT  payNotBetter

groupPaid:
	ADDQ $4, R11
	DECQ R12
	JNZ  nextGroup
	STORESUMS
	VZEROUPPER
	RET

// func add(reach *tileRow, sums *sums, holes *hole, n int)
TEXT ADD(SB), NOSPLIT, $0-32
	MOVQ reach+0(FP), SI
	MOVQ sums+8(FP), R8
	MOVQ holes+16(FP), R10
	MOVQ n+24(FP), CX
	LOADSUMS

add:
	CARDS(R10)
	ADDHAND
	ADDQ $64, SI
	ADDQ $2, R10
	DECQ CX
	JNZ  add
	STORESUMS
	VZEROUPPER
	RET

// func total(values, reach *tileRow, sums *sums, own *hole, same *uint16, n int, pays *tileRow, add bool)
TEXT TOTAL(SB), NOSPLIT, $0-57
	MOVQ    values+0(FP), DI
	MOVQ    sums+16(FP), R8
	MOVQ    own+24(FP), R9
	MOVQ    same+32(FP), R15
	SUBQ    R9, R15
	MOVQ    n+40(FP), CX
	MOVQ    pays+48(FP), AX
	LOADPAYS
	MOVBLZX add+56(FP), R11
	LOADSUMS

total:
	CARDS(R9)
	WITHOUT
	SAME(R9)
	ADDSAME
	PAY
	TESTL R11, R11
	JZ    set
	ADDVALUE

set:
	STOREVALUE
	ADDQ $64, DI
	ADDQ $2, R9
	DECQ CX
	JNZ  total
	VZEROUPPER
	RET
