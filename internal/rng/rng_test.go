package rng_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"gamebots/internal/rng"
)

var _ rand.Source = (*rng.Stream)(nil)

// The numbers are those that S. Vigna's reference implementation, splitmix64.c,
// gives for the seed 1234567.
func TestStreamIsSplitMix64(t *testing.T) {
	s := rng.Stream(1234567)
	for i, want := range []uint64{6457827717110365317, 3203168211198807973, 9817491932198370423,
		4593380528125082431, 16408922859458223821} {
		if got := rng.At(1234567, uint64(i)); got != want {
			t.Errorf("number %d is %d, want %d", i, got, want)
		}
		if got := s.Uint64(); got != want {
			t.Errorf("number %d of the stream is %d, want %d", i, got, want)
		}
	}
}

func TestRanges(t *testing.T) {
	s := rng.Stream(1)
	var counts [7]int
	sum32, sum64 := 0.0, 0.0
	const n = 70000
	for range n {
		counts[s.IntN(len(counts))]++
		x, y := s.Float32(), s.Float64()
		if x < 0 || x >= 1 || y < 0 || y >= 1 {
			t.Fatalf("%g and %g are not in [0, 1)", x, y)
		}
		sum32, sum64 = sum32+float64(x), sum64+y
	}
	for i, k := range counts {
		if k < 9600 || k > 10400 { // 4 standard deviations
			t.Errorf("%d was drawn %d times of %d", i, k, n)
		}
	}
	if sum32/n < 0.495 || sum32/n > 0.505 || sum64/n < 0.495 || sum64/n > 0.505 {
		t.Errorf("means %g and %g", sum32/n, sum64/n)
	}
	if rng.Mix(0) != 0 {
		t.Error("Mix(0) is not 0")
	}
}

func ExampleStream() {
	s := rng.Stream(1)
	fmt.Println(s.IntN(6), s.IntN(6), s.IntN(6))
	// Output: 3 4 5
}

func BenchmarkStream(b *testing.B) {
	s, sum := rng.Stream(1), float32(0)
	for b.Loop() {
		sum += s.Float32()
	}
	_ = sum
}
