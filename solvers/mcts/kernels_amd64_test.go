package mcts

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestKernels holds both versions of each kernel side by side, on numbers as trees
// have them.
func TestKernels(t *testing.T) {
	if !useAVX2 {
		t.Skip("this machine has no AVX2")
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{8, 16, 64, 176} {
		numbers, played, won := make([]float32, n*numNumbers), make([]float32, n), make([]float32, n)
		for range 50 {
			for i := range numbers {
				numbers[i] = rng.Float32() * 100
				if i/n == bonus && rng.IntN(3) == 0 {
					numbers[i] = never
				}
			}
			for i := range played {
				played[i], won[i] = float32(rng.IntN(128)), rng.Float32()*64
			}
			want := slices.Clone(numbers)
			addRAVEGo(want, played, won, 1.0/128, 500)
			addRAVE(numbers, played, won, 1.0/128, 500)
			for i := range want {
				if math.Float32bits(want[i]) != math.Float32bits(numbers[i]) {
					t.Fatalf("number %d of %d edges is %v, not %v", i, n, numbers[i], want[i])
				}
			}
			addToGo(want[:4*n], numbers[n:5*n])
			addTo(numbers[:4*n], slices.Clone(numbers[n:5*n]))
			for i := range want {
				if math.Float32bits(want[i]) != math.Float32bits(numbers[i]) {
					t.Fatalf("sum %d of %d is %v, not %v", i, 4*n, numbers[i], want[i])
				}
			}
			counts, bytes := make([]uint32, n-rng.IntN(lanes)), make([]uint8, 2*n)
			for i := range counts {
				counts[i] = rng.Uint32() &^ 0x8000_8000
			}
			setCountsGo(want, want[n:], counts)
			setCounts(numbers, numbers[n:], counts)
			packGo(bytes[:n], played, 255.0/128)
			pack(bytes[n:], played, 255.0/128)
			unpackGo(want[2*n:3*n], bytes)
			unpack(numbers[2*n:3*n], bytes)
			if !slices.Equal(bytes[:n], bytes[n:]) || !slices.Equal(want[:3*n], numbers[:3*n]) {
				t.Fatalf("%v and %v are not %v and %v", bytes[n:], numbers[:3*n], bytes[:n], want[:3*n])
			}
			values := numbers[:n]
			values[rng.IntN(n)] = values[rng.IntN(n)] // of equals the first
			if got, want := highest(values), highestGo(values); got != want {
				t.Fatalf("place %d of %v, not %d", got, values, want)
			}
		}
	}
}
