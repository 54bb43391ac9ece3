package strategy

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"
)

// A rounded probability counts steps of 1/(2^bits - 1), in a byte. The steps of an
// information set add up to 1, so the file leaves out those of its last action. zstd brings
// a byte to the few bits that it tells: packing two into one before gained nothing.

// Sets is how many actions each of some consecutive information sets has.
type Sets struct{ Actions, Count int }

const (
	// MaxBits is the largest number of bits of a rounded probability.
	MaxBits = 8
	// maxActions bounds the memory for an information set of a hostile file.
	maxActions = 1 << 16
)

// document is the metadata of a file of rounded probabilities: JSON, and after it the bytes
// of the information sets and of the buckets, which base64 would make longer.
type document struct {
	Meta
	SetsBytes    int `json:"sets_bytes"`
	BucketsBytes int `json:"buckets_bytes"`
}

// marshalRounded returns the metadata of a file of rounded probabilities.
func marshalRounded(m Meta, sets []Sets) ([]byte, error) {
	var list []byte // two varints for each
	for _, s := range sets {
		list = binary.AppendUvarint(list, uint64(s.Actions))
		list = binary.AppendUvarint(list, uint64(s.Count))
	}
	d := document{Meta: m, SetsBytes: len(list), BucketsBytes: len(m.Buckets)}
	d.Buckets = nil
	text, err := json.Marshal(d)
	return slices.Concat(text, list, m.Buckets), err
}

// steps returns what the steps of an information set add up to.
func (m *Meta) steps() int { return 1<<m.Bits - 1 }

// run is consecutive information sets with equally many actions.
type run struct {
	actions       uint64
	first, stored uint64 // its first probability, and the first that is stored
	end           uint64 // the first probability after it
}

// parseRounded parses what marshalRounded returned.
func (m *image) parseRounded(data []byte) error {
	var d document
	text := json.NewDecoder(bytes.NewReader(data))
	if err := text.Decode(&d); err != nil {
		return err
	}
	data = data[text.InputOffset():]
	if d.SetsBytes < 0 || d.SetsBytes > len(data) || d.BucketsBytes != len(data)-d.SetsBytes {
		return fmt.Errorf("%d bytes of information sets and %d of buckets in %d", d.SetsBytes,
			d.BucketsBytes, len(data))
	}
	if d.Bits < 1 || d.Bits > MaxBits {
		return fmt.Errorf("%d bits a probability, not 1 to %d", d.Bits, MaxBits)
	}
	m.meta = d.Meta
	if d.BucketsBytes > 0 {
		m.meta.Buckets = slices.Clone(data[d.SetsBytes:]) // the file may be closed before it is used
	}
	return m.parseSets(data[:d.SetsBytes])
}

// parseSets parses the list of information sets, which must have as many values as the
// file.
func (m *image) parseSets(list []byte) error {
	next := run{}
	for len(list) > 0 {
		actions, n := binary.Uvarint(list)
		count, k := binary.Uvarint(list[max(0, n):])
		if n <= 0 || k <= 0 {
			return errors.New("the information sets are cut short")
		}
		list = list[n+k:]
		if actions < 1 || actions > maxActions || count > (math.MaxInt64-next.end)/actions {
			return fmt.Errorf("%d information sets of %d actions", count, actions)
		}
		next.actions, next.first, next.end = actions, next.end, next.end+count*actions
		m.runs = append(m.runs, next)
		next.stored += count * (actions - 1)
	}
	if next.stored != m.Values {
		return fmt.Errorf("the information sets have %d values, the file has %d", next.stored, m.Values)
	}
	return nil
}

// length returns the number of probabilities.
func (m *image) length() uint64 {
	switch {
	case m.Version == versionFloat:
		return m.Values
	case len(m.runs) == 0:
		return 0
	}
	return m.runs[len(m.runs)-1].end
}

// readRounded is Read for rounded probabilities.
func (f *File) readRounded(at uint64, dst []float32) error {
	steps := f.image.meta.steps()
	var few [8]byte
	runs := f.image.runs
	runs = runs[sort.Search(len(runs), func(i int) bool { return runs[i].end > at }):]
	for ; len(dst) > 0; runs = runs[1:] {
		r := &runs[0]
		set := append(few[:0], make([]byte, r.actions)...)
		for len(dst) > 0 && at < r.end {
			number, action := (at-r.first)/r.actions, (at-r.first)%r.actions
			stored := set[:len(set)-1]
			err := f.view(r.stored+number*uint64(len(stored)), len(stored), func(raw []byte, from int) error {
				copy(stored[from:], raw)
				return nil
			})
			if err != nil {
				return err
			}
			left := steps
			for _, x := range stored {
				left -= int(x)
			}
			if left < 0 {
				return fmt.Errorf("%w: information set %d of those from value %d on: more than %d steps", ErrCorrupt,
					number, r.first, steps)
			}
			set[len(stored)] = byte(left)
			n := min(len(dst), len(set)-int(action))
			for i, x := range set[action:][:n] {
				dst[i] = float32(x) / float32(steps)
			}
			at, dst = at+uint64(n), dst[n:]
		}
	}
	return nil
}

// rare is a probability below which an action is not rounded up from never to more than that.
const rare = .1

// round appends the steps of an information set but those of its last action. They are the
// probabilities rounded down, and one more for those that lost most, so that all add up. Steps larger
// than [rare] never go to what is rare: few of such actions are meant.
func round(dst []byte, set []float32, steps int) []byte {
	from, left := len(dst), steps
	for _, v := range set {
		down := int(float64(v) * float64(steps))
		dst = append(dst, byte(down))
		left -= down
	}
	rounded := dst[from:]
	lost := func(i int) float64 {
		lost := float64(set[i])*float64(steps) - float64(rounded[i])
		if set[i] < rare && float64(steps)*rare < 1 {
			lost -= float64(steps)
		}
		return lost
	}
	for ; left > 0; left-- {
		most := 0
		for i := range set {
			if lost(i) > lost(most) {
				most = i
			}
		}
		rounded[most]++
	}
	return dst[:len(dst)-1]
}
