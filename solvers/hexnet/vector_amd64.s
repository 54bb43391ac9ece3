#include "textflag.h"

// AVX2 versions of the loops of vector.go.

// EIGHTS is a function (to, x *float32, eights int) that computes Y0, of to, from it and
// Y1, of x.
#define EIGHTS(compute) \
	MOVQ to+0(FP), DI      \
	MOVQ x+8(FP), SI       \
	MOVQ eights+16(FP), CX \
eight:                     \
	VMOVUPS (DI), Y0       \
	VMOVUPS (SI), Y1       \
	compute                \
	VMOVUPS Y0, (DI)       \
	ADDQ    $32, DI        \
	ADDQ    $32, SI        \
	DECQ    CX             \
	JNZ     eight          \
	VZEROUPPER             \
	RET

#define SUM VADDPS Y1, Y0, Y0
#define LARGER VMAXPS Y0, Y1, Y0
#define POSITIVE VPSRAD $31, Y1, Y0; VPANDN Y1, Y0, Y0
#define NONZERO VXORPS Y2, Y2, Y2; VCMPPS $4, Y2, Y1, Y1; VANDPS Y1, Y0, Y0

// func addAVX2(to, x *float32, eights int)
TEXT ·addAVX2(SB), NOSPLIT, $0-24
	EIGHTS(SUM)

// func raiseAVX2(to, x *float32, eights int)
TEXT ·raiseAVX2(SB), NOSPLIT, $0-24
	EIGHTS(LARGER)

// func reluAVX2(to, x *float32, eights int)
TEXT ·reluAVX2(SB), NOSPLIT, $0-24
	EIGHTS(POSITIVE)

// func maskAVX2(to, x *float32, eights int)
TEXT ·maskAVX2(SB), NOSPLIT, $0-24
	EIGHTS(NONZERO)
