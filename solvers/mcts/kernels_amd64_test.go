package mcts

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestKernels compares both versions of each kernel, on statistics such as trees have.
func TestKernels(t *testing.T) {
	if !useAVX2 {
		t.Skip("this machine has no AVX2")
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{8, 16, 64, 176} {
		stats, amaf := make([]float32, n*numStats), make([]uint32, n)
		for range 50 {
			for i := range stats {
				stats[i] = rng.Float32() * 100
				if i/n == bonus && rng.IntN(3) == 0 {
					stats[i] = excluded
				}
			}
			const playouts = 128
			for i := range amaf {
				amaf[i] = uint32(rng.IntN(playouts+1) | rng.IntN(2*playouts+1)<<16)
			}
			want := slices.Clone(stats)
			addRAVEGo(want, amaf, 1.0/playouts, 500)
			addRAVE(stats, amaf, 1.0/playouts, 500)
			for i := range want {
				if math.Float32bits(want[i]) != math.Float32bits(stats[i]) {
					t.Fatalf("statistic %d of %d edges is %v, not %v", i, n, stats[i], want[i])
				}
			}
			bytes := make([]uint8, 4*n)
			packGo(bytes[:n], bytes[n:], amaf, 255.0/playouts)
			pack(bytes[2*n:3*n], bytes[3*n:], amaf, 255.0/playouts)
			if !slices.Equal(bytes[:2*n], bytes[2*n:]) {
				t.Fatalf("%v is packed to %v, not %v", amaf, bytes[2*n:], bytes[:2*n])
			}
			counts, more := make([]uint32, 2*n), make([]uint32, n)
			unpackGo(counts[:n], bytes, bytes[n:])
			unpack(counts[n:], bytes, bytes[n:])
			if !slices.Equal(counts[:n], counts[n:]) {
				t.Fatalf("%v is unpacked to %v, not %v", bytes[:2*n], counts[n:], counts[:n])
			}
			copy(more, amaf)
			addCountsGo(more, counts)
			addCounts(amaf, counts[:n])
			if !slices.Equal(amaf, more) {
				t.Fatalf("the sum is %v, not %v", amaf, more)
			}
			values := stats[:n]
			values[rng.IntN(n)] = values[rng.IntN(n)] // the first of equals
			if got, want := argmax(values), argmaxGo(values); got != want {
				t.Fatalf("index %d of %v, not %d", got, values, want)
			}
		}
	}
}
