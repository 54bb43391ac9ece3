//go:build linux

package probe_test

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"gamebots/cudalib/cudatest"
	"gamebots/cudalib/driver"
	"gamebots/cudalib/probe"
	"gamebots/internal/testkit"
)

// floats returns n floats of very different sizes, so that each order of
// adding them up has its own sum.
func floats(n int) []float32 {
	rng := rand.New(rand.NewPCG(uint64(n), 1))
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(math.Ldexp(rng.NormFloat64(), rng.IntN(30)))
	}
	return x
}

// The sum on the device is that on the CPU to the bit, and a sum.
func TestSummation(t *testing.T) {
	d := cudatest.Open(t, "", "probe")
	for _, n := range []int{1, 256, 257, 1024, 1025, 3333} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			x := floats(n)
			s, err := probe.NewSummation(d, n)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			if err := s.Upload(x); err != nil {
				t.Fatal(err)
			}
			want := probe.Sum(x)
			for range 2 {
				got, err := s.Sum()
				if err != nil || math.Float32bits(got) != math.Float32bits(want) {
					t.Errorf("sum %v, on the CPU %v: %v", got, want, err)
				}
			}

			exact, magnitude := new(big.Float).SetPrec(500), 0.0
			for _, v := range x {
				exact.Add(exact, big.NewFloat(float64(v)))
				magnitude += math.Abs(float64(v))
			}
			// Each float is part of at most 3+8+10 roundings on the way.
			if sum, _ := exact.Float64(); math.Abs(sum-float64(want)) > 21*magnitude*math.Pow(2, -24) {
				t.Errorf("sum %v, exactly %v", want, sum)
			}
		})
	}
}

func TestSumOfLittle(t *testing.T) {
	zero := float32(math.Copysign(0, -1))
	for _, x := range [][]float32{nil, {zero}, {zero, zero}} {
		if got := probe.Sum(x); math.Float32bits(got) != 0 {
			t.Errorf("the sum of %v is %v, want +0", x, got)
		}
	}
}

// A launcher that does not get its memory leaves nothing on the device.
func TestSummationFails(t *testing.T) {
	d := cudatest.Open(t, "memory=1048576", "probe")
	free, _, err := d.Memory()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := probe.NewSummation(d, int(free/4+1)); !errors.Is(err, driver.ErrOutOfMemory) {
		t.Errorf("error %v, want out of memory", err)
	}
	if _, err := probe.NewSummation(d, 0); err == nil {
		t.Error("a summation of nothing")
	}
	s, err := probe.NewSummation(d, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Upload([]float32{2}); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Sum(); got != 2 || err != nil {
		t.Errorf("the sum of 2 is %v: %v", got, err)
	}
}

// The kernels have no races.
func TestRaces(t *testing.T) {
	testkit.SlowOnly(t)
	cudatest.Races(t, TestSummation, TestCores, TestPinnedRoundTrip)
}
