//go:build linux

package probe_test

import (
	"errors"
	"testing"

	"gamebots/cudalib/cudatest"
	"gamebots/cudalib/probe"
	"gamebots/internal/testkit"
)

func TestChain(t *testing.T) {
	for _, n := range []int{1, 2, 8, 255} {
		chain, at, length := probe.Chain(n), 0, 0
		for {
			at = int(chain[at])
			if length++; at == 0 || length > n {
				break
			}
		}
		if length != n {
			t.Errorf("a chain of %d elements comes back after %d", n, length)
		}
	}
}

// What is measured is nothing to test, but that it can be.
func TestCores(t *testing.T) {
	c, err := probe.NewCores(cudatest.Open(t, "", "probe"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, shared := range []bool{false, true} {
		for _, writes := range []bool{false, true} {
			if _, err := c.Chase(8, shared, writes); err != nil {
				t.Errorf("shared %v, writes %v: %v", shared, writes, err)
			}
		}
	}
	if _, err := c.Chase(2*probe.MaxChain, false, false); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("a chain that is too long: %v", err)
	}
	for _, floats := range []bool{false, true} {
		if _, err := c.Sums(4, 1, floats); err != nil {
			t.Errorf("floats %v: %v", floats, err)
		}
	}
}

// The kernels have no races.
func TestRaces(t *testing.T) {
	testkit.SlowOnly(t)
	cudatest.Races(t, TestCores, TestPinnedRoundTrip)
}
