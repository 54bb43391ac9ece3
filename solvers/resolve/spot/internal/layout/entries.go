package layout

import (
	"gamebots/internal/memory"
	"gamebots/solvers/internal/vectors"
)

// Entries are numbers of all actions of all hands: regrets, or sums of strategies. In 16 bits
// they have a scale for every eight hands of a decision, the largest of their entries in
// units of the largest integer. One scale for a decision would be too coarse: a hand that
// is seldom played would lose its small changes beside one that often is.
// They are rounded by the thresholds of [vectors.Threshold].
type Entries struct {
	Floats []float32
	Packed []int16 // or these
	Scales []float32
}

// NewEntries returns n entries, of 16 bits with so many scales if half is set.
func NewEntries(n, scales int64, half bool) Entries {
	if half {
		return Entries{Packed: make([]int16, n), Scales: make([]float32, scales)}
	}
	return Entries{Floats: memory.MakeTable[float32](int(n))}
}

// Load returns the entries of a decision. Those of 16 bits are unpacked into scratch.
func (e *Entries) Load(d Place, scratch []float32) []float32 {
	if e.Packed == nil {
		return e.Floats[d.At:][:d.Actions*d.Width]
	}
	to := scratch[:d.Actions*d.Width]
	unpack(to, e.Packed[d.At:], e.Scales[d.Scale:], d.Actions, d.Width)
	return to
}

// Store packs entries that load unpacked, in an iteration.
func (e *Entries) Store(d Place, from []float32, iteration uint64) {
	if e.Packed != nil {
		threshold := vectors.Threshold(d.At, iteration)
		pack(e.Packed[d.At:], e.Scales[d.Scale:], from, d.Actions, d.Width, threshold)
	}
}

// unpackGo is the portable unpack.
func unpackGo(to []float32, from []int16, scales []float32, actions, width int) {
	for a := range actions {
		for i := range width {
			to[a*width+i] = float32(from[a*width+i]) * scales[i/Block]
		}
	}
}

// packGo is the portable pack.
func packGo(to []int16, scales, from []float32, actions, width int, threshold uint32) {
	for i := 0; i < width; i += Block {
		most := uint32(0)
		for a := range actions {
			for _, x := range from[a*width+i:][:Block] {
				most = max(most, vectors.Magnitude(x))
			}
		}
		scale, inverse, ok := vectors.Signed.Scale(most)
		scales[i/Block] = scale
		for a := range actions {
			for j, x := range from[a*width+i:][:Block] {
				k := a*width + i + j
				to[k] = 0
				if ok {
					to[k] = int16(vectors.Signed.Round(x, inverse, threshold+uint32(k)*vectors.PlaceStep))
				}
			}
		}
	}
}
