package cfr

import (
	"errors"
	"io"

	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/checkpoint"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/internal/vectors"
)

// EntryArray is an array over all entries of a layout: of regrets, or of sums of strategies,
// which have no sign. With 16 bits an entry it has a scale for every four buckets of a
// decision: their largest entry in units of the largest integer. One scale for the whole
// decision would be too coarse: a hand that is seldom played would lose its small changes
// beside one that often is. They are rounded by the thresholds of package vectors.
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

// quantizer returns how entries are packed.
func (x *EntryArray) quantizer() vectors.Quantizer {
	if x.signed {
		return vectors.Signed
	}
	return vectors.Unsigned
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

// store packs entries that load unpacked, in an iteration.
func (x *EntryArray) store(r row, scratch []float32, iteration uint64) {
	if x.Quantized == nil {
		return // load returned the entries themselves
	}
	q, first := x.quantizer(), vectors.Threshold(int64(r.at), iteration)
	for i := 0; i < r.width; i += publictree.BucketsPerScale {
		most := uint32(0)
		for a := range r.actions {
			for _, v := range scratch[a*r.width+i:][:publictree.BucketsPerScale] {
				most = max(most, vectors.Magnitude(v))
			}
		}
		scale, inverse, ok := q.Scale(most)
		x.Scales[r.scale+i/publictree.BucketsPerScale] = scale
		for a := range r.actions {
			at := a*r.stride + i
			to := x.Quantized[r.at+at:][:publictree.BucketsPerScale]
			for k, v := range scratch[a*r.width+i:][:publictree.BucketsPerScale] {
				to[k] = 0
				if ok {
					to[k] = int16(q.Round(v, inverse, first+uint32(at+k)*vectors.PlaceStep))
				}
			}
		}
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
