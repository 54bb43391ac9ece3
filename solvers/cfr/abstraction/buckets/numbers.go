package buckets

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"sync"

	"gamebots/internal/memory"
	"gamebots/internal/parallel"
)

// numbers is an array of numbers up to a largest one, in as few bytes as that allows.
type numbers struct {
	width int    // bytes of a number: 1, 2 or 4
	data  []byte // little endian as in files, which are read without another copy
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
	return &numbers{width, memory.MakeTable[byte](n * width)}
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
	if x.data, err = getBytes(r, n*x.width); err != nil {
		return nil, err
	}
	const chunk = 1 << 20
	exceeds := make([]bool, (len(x.data)+chunk-1)/chunk)
	parallel.For(runtime.GOMAXPROCS(0), len(exceeds), func(_, i int) {
		part := numbers{x.width, x.data[i*chunk : min((i+1)*chunk, len(x.data))]}
		exceeds[i] = part.exceed(largest)
	})
	if slices.Contains(exceeds, true) {
		return nil, fmt.Errorf("a bucket beyond the %d of the round", largest+1)
	}
	return x, nil
}

// numbersLater takes the frames of n numbers up to a largest one from a reader, and returns a
// function that decompresses them when it is first called. It returns nil if they are damaged.
func numbersLater(r *frameReader, n int, largest uint32) (func() *numbers, error) {
	frames, err := r.take(n * numberBytes(largest))
	if err != nil {
		return nil, err
	}
	return sync.OnceValue(func() *numbers {
		r, err := newFrameReader(bufio.NewReader(bytes.NewReader(frames)))
		if err != nil {
			return nil
		}
		defer r.Close()
		x, err := readNumbers(r, n, largest)
		if err != nil {
			return nil
		}
		return x
	}), nil
}

// exceed reports whether a number is larger than the largest one. Tables have millions of
// numbers, mostly of two bytes: these are compared four at once.
func (x *numbers) exceed(largest uint32) bool {
	i, n := 0, len(x.data)/x.width
	if x.width == 2 {
		const lanes, carries = 0x0000ffff_0000ffff, 0x00010000_00010000
		add := uint64(math.MaxUint16-largest) * (carries >> 16) // carries out of lanes that are larger
		over := uint64(0)
		for ; i+4 <= n; i += 4 {
			four := binary.LittleEndian.Uint64(x.data[2*i:])
			over |= (four&lanes + add) | (four>>16&lanes + add)
		}
		if over&carries != 0 {
			return true
		}
	}
	for ; i < n; i++ {
		if x.at(i) > largest {
			return true
		}
	}
	return false
}
