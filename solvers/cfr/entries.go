package cfr

import (
	"errors"
	"io"

	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/checkpoint"
	"gamebots/solvers/cfr/publictree"
)

// EntryArray is an array over all entries of a layout: of regrets, or of sums of strategies,
// which have no sign. With 16 bits an entry it has a scale for every four buckets of a
// decision: their largest entry in units of the largest integer. One scale for the whole
// decision would be too coarse: a hand that is seldom played would lose its small changes
// beside one that often is.
type EntryArray struct {
	Floats    []float32
	Quantized []int16 // instead of Floats; unsigned entries in the same bits
	Scales    []float32

	signed bool
}

// newEntries returns an array of zeros.
func newEntries(l *publictree.Layout, half, signed bool) EntryArray {
	if half {
		return EntryArray{Quantized: make([]int16, l.Entries), Scales: make([]float32, l.NumScales()), signed: signed}
	}
	return EntryArray{Floats: make([]float32, l.Entries), signed: signed}
}

// largest is the integer that stores the largest entry of a scale.
func (x *EntryArray) largest() float32 {
	if x.signed {
		return 1<<15 - 1
	}
	return 1<<16 - 1
}

// row is where the entries of a decision are: actions vectors of a width, stride
// apart, from entry at on, and their scales.
type row struct{ at, scale, actions, stride, width int }

// load returns the entries of a decision and their stride. Those of 16 bits are
// unpacked into scratch.
func (x *EntryArray) load(r row, scratch []float32) (from []float32, stride int) {
	if x.Quantized == nil {
		return x.Floats[r.at:], r.stride
	}
	for a := range r.actions {
		to := scratch[a*r.width:][:r.width]
		for i, h := range x.Quantized[r.at+a*r.stride:][:r.width] {
			v := float32(h)
			if !x.signed {
				v = float32(uint16(h))
			}
			to[i] = v * x.Scales[r.scale+i/publictree.BucketsPerScale]
		}
	}
	return scratch, r.width
}

// store packs entries that load unpacked.
func (x *EntryArray) store(r row, scratch []float32) {
	if x.Quantized == nil {
		return // load returned the entries themselves
	}
	const rounding = 3 << 22 // adding and subtracting it rounds to integers, halves to even
	for i := 0; i < r.width; i += publictree.BucketsPerScale {
		largest := float32(0)
		for a := range r.actions {
			for _, v := range scratch[a*r.width+i:][:publictree.BucketsPerScale] {
				largest = max(largest, v, -v)
			}
		}
		inverse := float32(0)
		if largest > 0 {
			inverse = x.largest() / largest
		}
		for a := range r.actions {
			to := x.Quantized[r.at+a*r.stride+i:][:publictree.BucketsPerScale]
			for k, v := range scratch[a*r.width+i:][:publictree.BucketsPerScale] {
				rounded := (float32(v*inverse) + rounding) - rounding
				to[k] = int16(int32(rounded))
			}
		}
		x.Scales[r.scale+i/publictree.BucketsPerScale] = largest / x.largest()
	}
}

// unpack returns all entries as floats: the array itself, or a copy in scratch,
// which is allocated if it is nil.
func (s *State) unpack(x *EntryArray, scratch *[]float32) []float32 {
	if x.Quantized == nil {
		return x.Floats
	}
	if *scratch == nil {
		*scratch = make([]float32, s.Entries)
	}
	for i := range s.Tree.Nodes {
		if n := &s.Tree.Nodes[i]; n.Kind == betting.Decision {
			stride := s.Cards.Rounds[n.Round].Stride
			r := row{s.Entry(int32(i)), s.Scale(int32(i)), int(n.NumActions), stride, stride}
			x.load(r, (*scratch)[r.at:][:r.actions*stride])
		}
	}
	return *scratch
}

func (x *EntryArray) write(w io.Writer) error {
	return errors.Join(
		checkpoint.WriteSlice(w, x.Floats), checkpoint.WriteSlice(w, x.Quantized), checkpoint.WriteSlice(w, x.Scales),
	)
}

func (x *EntryArray) read(r io.Reader) error {
	return errors.Join(
		checkpoint.ReadSlice(r, x.Floats), checkpoint.ReadSlice(r, x.Quantized), checkpoint.ReadSlice(r, x.Scales),
	)
}
