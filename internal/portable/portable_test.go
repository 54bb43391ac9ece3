package portable

import (
	"math"
	"testing"
)

func TestNearMath(t *testing.T) {
	for x := -699.0; x < 700; x += 0.37 {
		want := math.Exp(x)
		if got := FastExp(x); x <= 88 && math.Abs(got/want-1) > 1e-8 {
			t.Fatalf("FastExp(%v) = %v, want %v", x, got, want)
		}
		if got := Log(want); math.Abs(got-x) > 1e-9*math.Abs(x)+1e-9 {
			t.Fatalf("Log(%v) = %v, want %v", want, got, x)
		}
	}
	if FastExp(-701) != 0 {
		t.Error("beyond the bound")
	}
}
