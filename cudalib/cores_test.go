//go:build linux

package cudalib_test

import (
	"errors"
	"testing"

	"gamebots/cudalib"
)

func TestChain(t *testing.T) {
	for _, n := range []int{1, 2, 8, 255} {
		chain, at, length := cudalib.Chain[uint8](n), 0, 0
		for {
			at = int(chain[at])
			if length++; at == 0 || length > n {
				break
			}
		}
		if length != n {
			t.Errorf("a chain of %d places comes back after %d", n, length)
		}
	}
}

func TestCores(t *testing.T) {
	if *device == "fake" {
		t.Skip("chains of accesses mean something on a GPU only: -device cuda")
	}
	c, err := cudalib.NewCores(openDevice(t, ""))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	short, err := c.Chase(8, 1, true, false)
	if err != nil || short <= 0 {
		t.Errorf("%v ns an access: %v", short, err)
	}
	if _, err := c.Chase(2*cudalib.LongestChain, 1, false, false); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("a chain that is too long: %v", err)
	}
	few, err := c.Sums(8, 1, false)
	if err != nil {
		t.Fatal(err)
	}
	if many, err := c.Sums(12, 1, true); err != nil || many < few {
		t.Errorf("%v for 2^12 sums, %v for 2^8: %v", many, few, err)
	}
}
