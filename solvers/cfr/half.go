package cfr

import (
	"errors"
	"io"

	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/checkpoint"
)

// numbers is an array over all entries: of regrets, or of sums of strategies,
// which have no sign. With 16 bits an entry there is a scale for every scaled
// buckets of a decision: the largest of their numbers in units of the largest
// integer. That is finer than one scale a decision, by which a hand that is
// seldom played would lose what it learns beside one that often is.
type numbers struct {
	floats []float32
	halves []int16 // or these, unsigned ones in the same bits
	scales []float32
	signed bool
}

// newNumbers returns an array of zeros.
func (l *Layout) newNumbers(half, signed bool) numbers {
	if half {
		return numbers{halves: make([]int16, l.Entries), scales: make([]float32, l.numScales()), signed: signed}
	}
	return numbers{floats: make([]float32, l.Entries), signed: signed}
}

// largest is the integer that the largest number of a scale is stored as.
func (x *numbers) largest() float32 {
	if x.signed {
		return 1<<15 - 1
	}
	return 1<<16 - 1
}

// row is where the numbers of a decision are: actions vectors of width, stride
// apart, from entry at on, and their scales.
type row struct{ at, scale, actions, stride, width int }

// load returns the numbers of a decision and their stride. Those of 16 bits are
// unpacked to room.
func (x *numbers) load(r row, room []float32) (from []float32, stride int) {
	if x.halves == nil {
		return x.floats[r.at:], r.stride
	}
	for a := range r.actions {
		to := room[a*r.width:][:r.width]
		for i, h := range x.halves[r.at+a*r.stride:][:r.width] {
			v := float32(h)
			if !x.signed {
				v = float32(uint16(h))
			}
			to[i] = v * x.scales[r.scale+i/scaled]
		}
	}
	return room, r.width
}

// store packs what load unpacked.
func (x *numbers) store(r row, room []float32) {
	if x.halves == nil {
		return // load returned the numbers themselves
	}
	const whole = 3 << 22 // adding it rounds to whole numbers, halves to even
	for i := 0; i < r.width; i += scaled {
		most := float32(0)
		for a := range r.actions {
			for _, v := range room[a*r.width+i:][:scaled] {
				most = max(most, v, -v)
			}
		}
		inverse := float32(0)
		if most > 0 {
			inverse = x.largest() / most
		}
		for a := range r.actions {
			to := x.halves[r.at+a*r.stride+i:][:scaled]
			for k, v := range room[a*r.width+i:][:scaled] {
				rounded := (float32(v*inverse) + whole) - whole
				to[k] = int16(int32(rounded))
			}
		}
		x.scales[r.scale+i/scaled] = most / x.largest()
	}
}

// unpacked returns all numbers as floats: the array itself, or a copy in room,
// which is made where it is nil.
func (l *Layout) unpacked(x *numbers, room *[]float32) []float32 {
	if x.halves == nil {
		return x.floats
	}
	if *room == nil {
		*room = make([]float32, l.Entries)
	}
	for i := range l.Tree.Nodes {
		if n := &l.Tree.Nodes[i]; n.Kind == betting.Decision {
			stride := l.Cards.Rounds[n.Round].Stride
			r := row{l.Entry[i], l.scales[i], int(n.NumActions), stride, stride}
			x.load(r, (*room)[r.at:][:r.actions*stride])
		}
	}
	return *room
}

// bytes is how much memory the array takes.
func (x *numbers) bytes() int {
	return 4*len(x.floats) + 2*len(x.halves) + 4*len(x.scales)
}

func (x *numbers) write(w io.Writer) error {
	return errors.Join(checkpoint.WriteSlice(w, x.floats), checkpoint.WriteSlice(w, x.halves), checkpoint.WriteSlice(w, x.scales))
}

func (x *numbers) read(r io.Reader) error {
	return errors.Join(checkpoint.ReadSlice(r, x.floats), checkpoint.ReadSlice(r, x.halves), checkpoint.ReadSlice(r, x.scales))
}
