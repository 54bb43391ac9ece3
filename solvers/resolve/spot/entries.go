package spot

import "gamebots/internal/memory"

// entries are numbers of all actions of all hands: regrets, or sums of strategies. In 16 bits
// they have a scale for every eight hands of a decision, the largest of their entries in
// units of the largest integer. One scale for a decision would be too coarse: a hand that
// is seldom played would lose its small changes beside one that often is.
type entries struct {
	floats []float32
	packed []int16 // or these
	scales []float32
}

// block is the number of hands that share a scale.
const block = 8

// decisionEntries are where the entries of a decision on a board are: action by action, over
// as many hands as the width, from entry at on; and their scales.
type decisionEntries struct {
	at, scale      int64
	actions, width int
}

func newEntries(n, scales int64, half bool) entries {
	if half {
		return entries{packed: make([]int16, n), scales: make([]float32, scales)}
	}
	return entries{floats: memory.MakeTable[float32](int(n))}
}

// load returns the entries of a decision. Those of 16 bits are unpacked into scratch.
func (e *entries) load(d decisionEntries, scratch []float32) []float32 {
	if e.packed == nil {
		return e.floats[d.at:][:d.actions*d.width]
	}
	to := scratch[:d.actions*d.width]
	unpack(to, e.packed[d.at:], e.scales[d.scale:], d.actions, d.width)
	return to
}

// store packs entries that load unpacked.
func (e *entries) store(d decisionEntries, from []float32) {
	if e.packed != nil {
		pack(e.packed[d.at:], e.scales[d.scale:], from, d.actions, d.width)
	}
}

// largest is the integer that stores the largest entry of a block.
const largest = 1<<15 - 1

// unpackGo is the portable unpack.
func unpackGo(to []float32, from []int16, scales []float32, actions, width int) {
	for a := range actions {
		for i := range width {
			to[a*width+i] = float32(from[a*width+i]) * scales[i/block]
		}
	}
}

// packGo is the portable pack.
func packGo(to []int16, scales, from []float32, actions, width int) {
	const rounding = 3 << 22 // adding and subtracting it rounds to integers, halves to even
	for i := 0; i < width; i += block {
		most := float32(0)
		for a := range actions {
			for _, x := range from[a*width+i:][:block] {
				most = max(most, x, -x)
			}
		}
		inverse := float32(0)
		if most > 0 {
			inverse = largest / most
		}
		for a := range actions {
			for j, x := range from[a*width+i:][:block] {
				to[a*width+i+j] = int16((float32(x*inverse) + rounding) - rounding)
			}
		}
		scales[i/block] = most / largest
	}
}
