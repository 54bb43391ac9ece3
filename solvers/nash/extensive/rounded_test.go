package extensive

import (
	"math/big"
	"testing"
)

func TestSimplest(t *testing.T) {
	for _, c := range [][3]string{
		{"0", "1", "1/2"}, {"1/3", "1/2", "2/5"}, {"-1/2", "1/3", "0"}, {"-3/4", "-1/2", "-2/3"}, {"7/5", "3", "2"},
		{"0", "1/7", "1/8"},
	} {
		low, _ := new(big.Rat).SetString(c[0])
		high, _ := new(big.Rat).SetString(c[1])
		if got := simplest(low, high).RatString(); got != c[2] {
			t.Errorf("between %s and %s: %s, want %s", c[0], c[1], got, c[2])
		}
	}
}
