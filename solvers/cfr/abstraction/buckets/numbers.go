package buckets

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"

	"gamebots/internal/parallel"
	"gamebots/solvers/cfr/abstraction/internal/packed"
)

// readNumbers reads n numbers up to a largest one.
func readNumbers(r io.Reader, n int, largest uint32) (*packed.Numbers, error) {
	x := &packed.Numbers{Width: packed.Bytes(largest)}
	var err error
	if x.Data, err = getBytes(r, n*x.Width); err != nil {
		return nil, err
	}
	const chunk = 1 << 20
	exceeds := make([]bool, (len(x.Data)+chunk-1)/chunk)
	parallel.For(runtime.GOMAXPROCS(0), len(exceeds), func(_, i int) {
		part := packed.Numbers{Width: x.Width, Data: x.Data[i*chunk : min((i+1)*chunk, len(x.Data))]}
		exceeds[i] = part.Exceed(largest)
	})
	if slices.Contains(exceeds, true) {
		return nil, fmt.Errorf("a bucket beyond the %d of the round", largest+1)
	}
	return x, nil
}

// numbersLater takes the frames of n numbers up to a largest one from a reader, and returns a
// function that decompresses them when it is first called. It returns nil if they are damaged.
func numbersLater(r *frameReader, n int, largest uint32) (func() *packed.Numbers, error) {
	frames, err := r.take(n * packed.Bytes(largest))
	if err != nil {
		return nil, err
	}
	return sync.OnceValue(func() *packed.Numbers {
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
