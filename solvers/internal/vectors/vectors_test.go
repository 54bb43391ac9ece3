package vectors

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestKernels compares the vector versions with the portable ones, bit by bit.
func TestKernels(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	vector := func(n int) []float32 {
		v := make([]float32, n)
		for i := range v {
			if rng.IntN(4) > 0 {
				v[i] = float32(rng.NormFloat64())
			}
		}
		return v
	}
	for range 300 {
		n, actions := 8*(1+rng.IntN(5)), 1+rng.IntN(5)
		entryStride, frameStride := n+8*rng.IntN(3), n+8*rng.IntN(3)
		entries, frame := entryStride*actions, frameStride*actions
		regret, sum, in, sigma := vector(entries), vector(entries), vector(n), vector(frame)
		child, size := vector(frame), vector(n)
		table, index := make([]uint32, 50), make([]uint32, n)
		for i := range table {
			table[i] = rng.Uint32()
		}
		for i := range index {
			index[i] = uint32(rng.IntN(len(table)))
		}
		floor := []float32{0, float32(math.Inf(-1))}[rng.IntN(2)]
		r := Discounts{Positive: 0.9, Negative: 0.5, Floor: floor, Average: 0.7, Kept: 0.8, Predicted: 0.3}

		run := func() [][]float32 {
			var out [][]float32
			keep := func(v []float32) []float32 { c := slices.Clone(v); out = append(out, c); return c }
			o := keep(make([]float32, frame))
			MatchOther(regret, in, o, actions, entryStride, frameStride)
			MatchOwn(regret, keep(sum), in, keep(sigma), keep(o), actions, entryStride, frameStride, r.Average)
			UpdateOwn(keep(regret), sigma, child, keep(make([]float32, n)), actions, entryStride, frameStride, r)
			Predict(regret, keep(make([]float32, entries)), child, in, actions, entryStride, frameStride, r)
			SumOther(child, keep(make([]float32, n)), actions, frameStride)
			Mean(sigma, child, keep(make([]float32, n)), actions, frameStride)
			LookUp(table, index, keep(make([]float32, frame)), min(actions, 4), frameStride)
			FoldOne(keep(make([]float32, n)), size, in, 1.5)
			return out
		}
		compare := func(got [][]float32) {
			Portably(func() {
				for i, want := range run() {
					if !slices.Equal(got[i], want) {
						t.Fatalf("%d buckets, %d actions, output %d: got %v, want %v", n, actions, i, got[i], want)
					}
				}
			})
		}
		compare(run())
		WithoutAVX512(func() { compare(run()) })
	}
}

// Regrets whose sum has no finite inverse count as zero.
func TestTinyRegrets(t *testing.T) {
	const n = 8
	regret, in, out := make([]float32, 2*n), make([]float32, n), make([]float32, 2*n)
	for i := range in {
		regret[i], in[i] = 1e-40, 1
	}
	check := func() {
		MatchOther(regret, in, out, 2, n, n)
		for i, x := range out {
			if x != .5 {
				t.Fatalf("probability %d is %v, want 0.5", i, x)
			}
		}
	}
	check()
	Portably(check)
}
