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
			values := numbers[:n]
			values[rng.IntN(n)] = values[rng.IntN(n)] // of equals the first
			if got, want := highest(values), highestGo(values); got != want {
				t.Fatalf("place %d of %v, not %d", got, values, want)
			}
		}
	}
}
