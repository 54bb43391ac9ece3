package nim

import (
	"errors"
	"fmt"
	"math/bits"
	"strconv"
	"strings"
)

// The largest numbers of heaps of a position and of sticks of a heap.
const (
	MaxHeaps = 16
	MaxSize  = 15
)

// heapBits is the number of bits of a heap.
const heapBits = 4

// Heaps are the sizes of up to 16 heaps, the first in the lowest four bits. The value
// does not tell how many heaps there are: those above the last are empty.
type Heaps uint64

// Pack packs sizes. An error names the heap, counted from 1.
func Pack(sizes ...int) (Heaps, error) {
	switch {
	case len(sizes) == 0:
		return 0, errors.New("heaps: there is none")
	case len(sizes) > MaxHeaps:
		return 0, fmt.Errorf("heaps: %d are more than %d", len(sizes), MaxHeaps)
	}
	var h Heaps
	for i, size := range sizes {
		if size < 0 || size > MaxSize {
			return 0, fmt.Errorf("heaps: size %d of heap %d is not from 0 to %d", size, i+1, MaxSize)
		}
		h |= Heaps(size) << (heapBits * i)
	}
	return h, nil
}

// ParseHeaps parses sizes separated by semicolons, as in OpenSpiel, or by commas. It
// returns their number too.
func ParseHeaps(text string) (h Heaps, heaps int, err error) {
	sep := ";"
	if !strings.Contains(text, sep) {
		sep = ","
	}
	if strings.TrimSpace(text) == "" {
		return 0, 0, errors.New("heaps: there is none")
	}
	// One field more than allowed is enough to see that there are too many.
	fields := strings.SplitN(text, sep, MaxHeaps+1)
	sizes := make([]int, len(fields))
	for i, field := range fields[:min(len(fields), MaxHeaps)] {
		size, err := strconv.Atoi(strings.TrimSpace(field))
		switch {
		case errors.Is(err, strconv.ErrRange):
			return 0, 0, fmt.Errorf("heaps: size %s of heap %d is not from 0 to %d", field, i+1, MaxSize)
		case err != nil:
			return 0, 0, fmt.Errorf("heaps: %q of heap %d is not a number", field, i+1)
		}
		sizes[i] = size
	}
	if len(fields) > MaxHeaps {
		return 0, 0, fmt.Errorf("heaps: there are more than %d", MaxHeaps)
	}
	h, err = Pack(sizes...)
	return h, len(fields), err
}

// Rows returns the usual board of up to eight heaps, with 1, 3, 5 and so on sticks.
func Rows(n int) (h Heaps) {
	for i := range n {
		h |= Heaps(2*i+1) << (heapBits * i)
	}
	return h
}

// Size returns the size of a heap, counted from 0.
func (h Heaps) Size(heap int) int { return int(h >> (heapBits * heap) & MaxSize) }

// Take returns the heaps after a move, which must be legal.
func (h Heaps) Take(m Move) Heaps { return h - Heaps(m.Take)<<(heapBits*m.Heap) }

// Put returns the heaps before a move that led to them.
func (h Heaps) Put(m Move) Heaps { return h + Heaps(m.Take)<<(heapBits*m.Heap) }

// Sticks returns the number of sticks of all heaps.
func (h Heaps) Sticks() (n int) {
	for ; h != 0; h >>= heapBits {
		n += int(h & MaxSize)
	}
	return n
}

// Used returns the number of heaps up to the last that is not empty.
func (h Heaps) Used() int { return (bits.Len64(uint64(h)) + heapBits - 1) / heapBits }

// XOR returns the XOR of all sizes.
func (h Heaps) XOR() int {
	h ^= h >> 32
	h ^= h >> 16
	h ^= h >> 8
	h ^= h >> 4
	return int(h & MaxSize)
}

// Format formats the first heaps with a separator.
func (h Heaps) Format(heaps int, sep string) string {
	var text []byte
	for i := range heaps {
		if i > 0 {
			text = append(text, sep...)
		}
		text = strconv.AppendInt(text, int64(h.Size(i)), 10)
	}
	return string(text)
}
