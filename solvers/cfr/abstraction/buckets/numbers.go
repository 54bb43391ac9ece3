package buckets

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"
)

// numbers is an array of numbers up to a largest one, in as few bytes as that allows.
type numbers struct {
	width int    // bytes of a number: 1, 2 or 4
	data  []byte // in little endian, as in files, which are read without another copy
}

// numberBytes returns the bytes that a number up to a largest one takes.
func numberBytes(largest uint32) int {
	switch {
	case largest <= math.MaxUint8:
		return 1
	case largest <= math.MaxUint16:
		return 2
	}
	return 4
}

func newNumbers(n int, largest uint32) *numbers {
	width := numberBytes(largest)
	return &numbers{width, make([]byte, n*width)}
}

func (x *numbers) at(i int) uint32 {
	switch x.width {
	case 1:
		return uint32(x.data[i])
	case 2:
		return uint32(binary.LittleEndian.Uint16(x.data[2*i:]))
	}
	return binary.LittleEndian.Uint32(x.data[4*i:])
}

func (x *numbers) set(i int, v uint32) {
	switch x.width {
	case 1:
		x.data[i] = uint8(v)
	case 2:
		binary.LittleEndian.PutUint16(x.data[2*i:], uint16(v))
	default:
		binary.LittleEndian.PutUint32(x.data[4*i:], v)
	}
}

func (x *numbers) write(w io.Writer) error {
	_, err := w.Write(x.data)
	return err
}

// readNumbers reads n numbers up to a largest one.
func readNumbers(r io.Reader, n int, largest uint32) (*numbers, error) {
	x := &numbers{width: numberBytes(largest)}
	var err error
	if x.data, err = get[uint8](r, n*x.width); err != nil {
		return nil, err
	}
	if v := x.max(); v > largest {
		return nil, fmt.Errorf("bucket %d of %d", v, largest+1)
	}
	return x, nil
}

// max returns the largest of the numbers.
func (x *numbers) max() (most uint32) {
	switch x.width {
	case 1:
		most = uint32(slices.Max(x.data))
	case 2:
		for at := 0; at < len(x.data); at += 2 {
			most = max(most, uint32(binary.LittleEndian.Uint16(x.data[at:])))
		}
	default:
		for at := 0; at < len(x.data); at += 4 {
			most = max(most, binary.LittleEndian.Uint32(x.data[at:]))
		}
	}
	return most
}
