package strategy

import (
	"math/rand/v2"
	"path/filepath"
	"testing"
)

// BenchmarkLookup reads the probabilities of one decision at a time: "cached"
// from as many blocks as the cache holds, "uncached" from 16 times as many.
func BenchmarkLookup(b *testing.B) {
	for _, c := range []struct {
		name   string
		blocks int
	}{{"cached", cacheSlots}, {"uncached", 16 * cacheSlots}} {
		b.Run(c.name, func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "s")
			n := c.blocks * defaultBlockLen
			rng := rand.New(rand.NewPCG(1, 1))
			err := Write(path, kuhnMeta, uint64(n), func(dst []float32, _ uint64) error {
				for i := range dst {
					dst[i] = max(0, rng.Float32()-0.25) // some actions are never taken
				}
				return nil
			})
			if err != nil {
				b.Fatal(err)
			}
			f := open(b, path)
			readAll(b, f)
			decision := make([]float32, 3)
			for b.Loop() {
				if err := f.Read(uint64(rng.IntN(n-len(decision))), decision); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
