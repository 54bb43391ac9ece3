package buckets

import (
	"encoding/binary"
	"io"
	"math"

	"gamebots/internal/memory"
)

// Numbers is an array of numbers up to a largest one, in as few bytes as that allows.
type Numbers struct {
	Width int    // bytes of a number: 1, 2 or 4
	Data  []byte // little endian as in files, which are read without another copy
}

// NumberBytes returns the bytes that a number up to a largest one takes.
func NumberBytes(largest uint32) int {
	switch {
	case largest <= math.MaxUint8:
		return 1
	case largest <= math.MaxUint16:
		return 2
	}
	return 4
}

// NewNumbers returns n zeros that can be up to a largest number.
func NewNumbers(n int, largest uint32) *Numbers {
	width := NumberBytes(largest)
	return &Numbers{width, memory.MakeTable[byte](n * width)}
}

// At returns a number.
func (x *Numbers) At(i int) uint32 {
	switch x.Width {
	case 1:
		return uint32(x.Data[i])
	case 2:
		return uint32(binary.LittleEndian.Uint16(x.Data[2*i:]))
	}
	return binary.LittleEndian.Uint32(x.Data[4*i:])
}

// Set sets a number.
func (x *Numbers) Set(i int, v uint32) {
	switch x.Width {
	case 1:
		x.Data[i] = uint8(v)
	case 2:
		binary.LittleEndian.PutUint16(x.Data[2*i:], uint16(v))
	default:
		binary.LittleEndian.PutUint32(x.Data[4*i:], v)
	}
}

// Write writes the numbers in little endian.
func (x *Numbers) Write(w io.Writer) error {
	_, err := w.Write(x.Data)
	return err
}

// Exceed reports whether a number is larger than the largest one. Tables have millions of
// numbers, mostly of two bytes: these are compared four at once.
func (x *Numbers) Exceed(largest uint32) bool {
	i, n := 0, len(x.Data)/x.Width
	if x.Width == 2 {
		const lanes, carries = 0x0000ffff_0000ffff, 0x00010000_00010000
		add := uint64(math.MaxUint16-largest) * (carries >> 16) // carries out of lanes that are larger
		over := uint64(0)
		for ; i+4 <= n; i += 4 {
			four := binary.LittleEndian.Uint64(x.Data[2*i:])
			over |= (four&lanes + add) | (four>>16&lanes + add)
		}
		if over&carries != 0 {
			return true
		}
	}
	for ; i < n; i++ {
		if x.At(i) > largest {
			return true
		}
	}
	return false
}
