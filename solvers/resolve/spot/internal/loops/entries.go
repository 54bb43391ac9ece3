package loops

import (
	"gamebots/internal/memory"
	"gamebots/solvers/resolve/spot/internal/layout"
)

// Entries are numbers of all actions of all hands: regrets, or sums of strategies. In 16 bits
// they have a scale for every eight hands of a decision, the largest of their entries in
// units of the largest integer. One scale for a decision would be too coarse: a hand that
// is seldom played would lose its small changes beside one that often is.
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
func (e *Entries) Load(d layout.Place, scratch []float32) []float32 {
	if e.Packed == nil {
		return e.Floats[d.At:][:d.Actions*d.Width]
	}
	to := scratch[:d.Actions*d.Width]
	unpack(to, e.Packed[d.At:], e.Scales[d.Scale:], d.Actions, d.Width)
	return to
}

// Store packs entries that load unpacked.
func (e *Entries) Store(d layout.Place, from []float32) {
	if e.Packed != nil {
		pack(e.Packed[d.At:], e.Scales[d.Scale:], from, d.Actions, d.Width)
	}
}

// largest is the integer that stores the largest entry of a block.
const largest = 1<<15 - 1

// unpackGo is the portable unpack.
func unpackGo(to []float32, from []int16, scales []float32, actions, width int) {
	for a := range actions {
		for i := range width {
			to[a*width+i] = float32(from[a*width+i]) * scales[i/layout.Block]
		}
	}
}

// packGo is the portable pack.
func packGo(to []int16, scales, from []float32, actions, width int) {
	const rounding = 3 << 22 // adding and subtracting it rounds to integers, halves to even
	for i := 0; i < width; i += layout.Block {
		most := float32(0)
		for a := range actions {
			for _, x := range from[a*width+i:][:layout.Block] {
				most = max(most, x, -x)
			}
		}
		inverse := float32(0)
		if most > 0 {
			inverse = largest / most
		}
		for a := range actions {
			for j, x := range from[a*width+i:][:layout.Block] {
				to[a*width+i+j] = int16((float32(x*inverse) + rounding) - rounding)
			}
		}
		scales[i/layout.Block] = most / largest
	}
}
