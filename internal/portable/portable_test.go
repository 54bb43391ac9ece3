package portable

import (
	"math"
	"testing"
)

func TestNearMath(t *testing.T) {
	for x := -699.0; x < 700; x += 0.37 {
		want := math.Exp(x)
		if got := Exp(x); math.Abs(got/want-1) > 2e-13 {
			t.Fatalf("Exp(%v) = %v, want %v", x, got, want)
		}
		if got := FastExp(x); x <= 88 && math.Abs(got/want-1) > 1e-8 {
			t.Fatalf("FastExp(%v) = %v, want %v", x, got, want)
		}
		if got := Log(want); math.Abs(got-x) > 1e-9*math.Abs(x)+1e-9 {
			t.Fatalf("Log(%v) = %v, want %v", want, got, x)
		}
	}
	if FastExp(-701) != 0 || Exp(-1e6) != Exp(-700) || Exp(1e6) != Exp(700) {
		t.Error("beyond the bounds")
	}
}
