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
		numbers, taken := make([]float32, n*numNumbers), make([]uint32, n)
		for range 50 {
			for i := range numbers {
				numbers[i] = rng.Float32() * 100
				if i/n == bonus && rng.IntN(3) == 0 {
					numbers[i] = never
				}
			}
			const games = 128
			for i := range taken {
				taken[i] = uint32(rng.IntN(games+1) | rng.IntN(2*games+1)<<16)
			}
			want := slices.Clone(numbers)
			addRAVEGo(want, taken, 1.0/games, 500)
			addRAVE(numbers, taken, 1.0/games, 500)
			for i := range want {
				if math.Float32bits(want[i]) != math.Float32bits(numbers[i]) {
					t.Fatalf("number %d of %d edges is %v, not %v", i, n, numbers[i], want[i])
				}
			}
			bytes := make([]uint8, 4*n)
			packGo(bytes[:n], bytes[n:], taken, 255.0/games)
			pack(bytes[2*n:3*n], bytes[3*n:], taken, 255.0/games)
			if !slices.Equal(bytes[:2*n], bytes[2*n:]) {
				t.Fatalf("%v is packed to %v, not %v", taken, bytes[2*n:], bytes[:2*n])
			}
			counts, more := make([]uint32, 2*n), make([]uint32, n)
			unpackGo(counts[:n], bytes, bytes[n:])
			unpack(counts[n:], bytes, bytes[n:])
			if !slices.Equal(counts[:n], counts[n:]) {
				t.Fatalf("%v is unpacked to %v, not %v", bytes[:2*n], counts[n:], counts[:n])
			}
			copy(more, taken)
			addToGo(more, counts)
			addTo(taken, counts[:n])
			if !slices.Equal(taken, more) {
				t.Fatalf("the sum is %v, not %v", taken, more)
			}
			values := numbers[:n]
			values[rng.IntN(n)] = values[rng.IntN(n)] // of equals the first
			if got, want := highest(values), highestGo(values); got != want {
				t.Fatalf("place %d of %v, not %d", got, values, want)
			}
		}
	}
}
