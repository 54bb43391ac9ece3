package strategy

import (
	"encoding/binary"
	"errors"
	"testing"

	"github.com/zeebo/xxh3"
)

// FuzzOpen uses damaged files. With repair it mends their checksums first, so
// that the damage gets past them.
func FuzzOpen(f *testing.F) {
	data := sample(f)
	f.Add(data, false)
	f.Add(data, true)
	f.Add(data[:len(data)-1], false)
	f.Add(data[:headerSize], true)
	f.Add(sampleAt(f, roundedSamplePath), false)
	f.Add(sampleAt(f, roundedSamplePath), true)
	f.Fuzz(func(t *testing.T, data []byte, repair bool) {
		if repair {
			data = mend([]byte(string(data)))
		}
		err := use(data)
		if err == nil {
			return
		}
		for _, known := range []error{ErrForeign, ErrVersion, ErrTruncated, ErrCorrupt} {
			if errors.Is(err, known) {
				return
			}
		}
		t.Errorf("no known reason: %v", err)
	})
}

// mend corrects, as far as the sizes in a file allow it, the file's size and
// its checksums, those of the blocks included.
func mend(data []byte) []byte {
	if len(data) < headerSize {
		return data
	}
	m := image{data: data}
	copy(data, Magic)
	if data[8] != versionRounded {
		data[8] = versionFloat
	}
	clear(data[9:12])
	binary.LittleEndian.PutUint64(data[24:], uint64(len(data)))
	sum := func() { binary.LittleEndian.PutUint64(data[headerSize-8:], xxh3.Hash(data[:headerSize-8])) }
	sum()
	if m.parseHeader() != nil {
		return data
	}
	front := m.front()
	m.index = data[headerSize+m.MetaSize : front]
	start := front
	for block := range m.blocks() {
		end := entryAt(m.index, block).End
		if end < start || end > m.Size {
			break
		}
		binary.LittleEndian.PutUint64(m.index[block*entrySize+8:], xxh3.Hash(data[start:end]))
		start = end
	}
	binary.LittleEndian.PutUint64(data[headerSize-16:], xxh3.Hash(data[headerSize:front]))
	sum()
	return data
}
