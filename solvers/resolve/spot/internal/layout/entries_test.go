package layout

import (
	"math"
	"slices"
	"testing"

	"gamebots/internal/rng"
	"gamebots/solvers/internal/vectors"
)

// Packing has the same bits with the portable loop and with AVX2, also of numbers that are too
// small for a scale, infinite or none.
func TestPack(t *testing.T) {
	const actions, width = 3, 2 * Block
	random := rng.Stream(1)
	tiny, inf, nan := float32(1e-36), float32(math.Inf(1)), float32(math.NaN())
	for name, special := range map[string][]float32{
		"zeros": nil, "tiny": {tiny, -5e-35, 1e-38, 1e-45}, "small": {1e-28, -3e-29}, "least": {0x1p-96, -0x1p-97},
		"large": {3e38, -1e38, 1e30}, "infinite": {1, inf}, "minus infinite": {-inf, 2}, "none": {3, nan},
		"none, then infinite": {nan, inf, 4}, "infinite, then none": {inf, -nan},
	} {
		from := make([]float32, actions*width)
		copy(from, special)
		for i := range actions * width {
			if i%width >= Block { // the other block has ordinary numbers
				from[i] = float32(random.Float64() - .5)
			}
		}
		pack := func() (packed []int16, scales, unpacked []float32) {
			packed, scales, unpacked = make([]int16, len(from)), make([]float32, 2), make([]float32, len(from))
			pack(packed, scales, from, actions, width, 12345)
			unpack(unpacked, packed, scales, actions, width)
			return packed, scales, unpacked
		}
		packed, scales, unpacked := pack()
		vectors.Portably(func() {
			p, s, u := pack()
			if !slices.Equal(p, packed) || !slices.EqualFunc(s, scales, sameBits) ||
				!slices.EqualFunc(u, unpacked, sameBits) {
				t.Errorf("%s: %v %v, with portable loops %v %v", name, packed, scales, p, s)
			}
		})
		for i, x := range unpacked {
			step := scales[i%width/Block]
			switch finite := step-step == 0; {
			case !finite && x == x:
				t.Errorf("%s: %g is packed as %g, beside one that is not finite", name, from[i], x)
			case finite && math.Abs(float64(x-from[i])) > max(float64(step), 0x1p-96):
				t.Errorf("%s: %g is packed as %g", name, from[i], x)
			}
		}
	}
}

func sameBits(a, b float32) bool { return math.Float32bits(a) == math.Float32bits(b) }

// Numbers that change by a small part of a step in each iteration change in the end as much as
// they would without rounding.
func TestSmallChanges(t *testing.T) {
	const iterations, actions, width = 4000, 2, 2 * Block
	step := 1 / vectors.Signed.Largest
	d := Place{At: 5 * width, Scale: 5, Actions: actions, Width: width}
	e := NewEntries(d.At+actions*width, d.Scale+2, true)
	change := func(i, iteration int) float32 {
		switch {
		case i%Block > 0:
			return step * float32(i-width) / (2 * width) // at most half a step up or down
		case iteration == 0:
			return 1 // the largest of its block
		}
		return 0
	}
	scratch := make([]float32, actions*width)
	for iteration := range iterations {
		entries := e.Load(d, scratch)
		for i := range entries {
			entries[i] += change(i, iteration)
		}
		e.Store(d, entries, uint64(iteration))
	}
	for i, x := range e.Load(d, scratch) {
		want := change(i, 0)
		if i%Block > 0 {
			want *= iterations
		}
		if math.Abs(float64(x-want)) > float64(4*step) {
			t.Errorf("entry %d: %g, want %g: %g steps more", i, x, want, (x-want)/step)
		}
	}
}
