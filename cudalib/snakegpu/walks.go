package snakegpu

import (
	"errors"
	"fmt"

	"gamebots/cudalib/driver"
	"gamebots/cudalib/launch"
	ptx "gamebots/cudalib/ptx/snake"
)

// A Walk is a snake or a coil on its walk, see solvers/nmcs/snake: vertices in their order,
// the longest path so far, and the state of its random numbers.
type Walk struct {
	Path, Longest []uint16
	Stream        uint64
	Entered       uint64 // vertices, by the searches of a run
}

// MaxWalkDimension is the highest dimension of walks: a warp keeps a byte for each vertex in
// shared memory.
const MaxWalkDimension = 13

const (
	walkThreads = 128 // of a block
	walkTrail   = 256 // vertices, as in kernels/snake/walk.cu
)

// Walks lets walks make changes, a warp each. One goroutine uses it at a time.
type Walks struct {
	gpu       *launch.Launcher
	dimension int
	coil      bool
	n, stride int // walks, and the most vertices of one

	kernel              *launch.Kernel[walkParams]
	paths, longest      driver.Buffer[uint16]
	lengths, longestOf  driver.Buffer[uint32]
	streams, entered    driver.Buffer[uint64]
	hostPaths, hostBest []uint16
}

// walkParams are the parameters of the kernel of kernels/snake/walk.cu.
type walkParams struct {
	Paths, Longest                          driver.Buffer[uint16]
	Lengths, LongestOf                      driver.Buffer[uint32]
	Streams, Entered                        driver.Buffer[uint64]
	Walks, Stride, Changes, Dimension, Coil uint32
}

// NewWalks makes room for n walks in a dimension of 3 to [MaxWalkDimension].
func NewWalks(d *driver.Device, dimension int, coil bool, n int) (*Walks, error) {
	if dimension < 3 || dimension > MaxWalkDimension || n < 1 {
		return nil, fmt.Errorf("%d walks in dimension %d: %w", n, dimension, errors.ErrUnsupported)
	}
	w := &Walks{gpu: launch.New(d, ptx.Modules, "walk"), dimension: dimension, coil: coil, n: n}
	w.stride = max(8, 1<<(dimension-1)) // in low dimensions snakes have more than half of the vertices
	w.kernel = launch.Find[walkParams](w.gpu, "walk")
	w.paths, w.longest = launch.Alloc[uint16](w.gpu, n*w.stride), launch.Alloc[uint16](w.gpu, n*w.stride)
	w.lengths, w.longestOf = launch.Alloc[uint32](w.gpu, n), launch.Alloc[uint32](w.gpu, n)
	w.streams, w.entered = launch.Alloc[uint64](w.gpu, n), launch.Alloc[uint64](w.gpu, n)
	if w.gpu.Err != nil {
		return nil, errors.Join(w.gpu.Err, w.Close())
	}
	w.hostPaths, w.hostBest = make([]uint16, n*w.stride), make([]uint16, n*w.stride)
	return w, nil
}

// Close frees the memory on the device.
func (w *Walks) Close() error { return w.gpu.Close() }

// Run lets each of the walks, as many as NewWalks made room for, make a number of changes.
func (w *Walks) Run(walks []Walk, changes int) error {
	lengths, longestOf, streams := make([]uint32, w.n), make([]uint32, w.n), make([]uint64, w.n)
	for i, walk := range walks {
		lengths[i], longestOf[i], streams[i] = uint32(len(walk.Path)), uint32(len(walk.Longest)), walk.Stream
		copy(w.hostPaths[i*w.stride:], walk.Path)
		copy(w.hostBest[i*w.stride:], walk.Longest)
	}
	p := walkParams{
		Paths: w.paths, Longest: w.longest, Lengths: w.lengths, LongestOf: w.longestOf, Streams: w.streams, Entered: w.entered,
		Walks: uint32(w.n), Stride: uint32(w.stride), Changes: uint32(changes), Dimension: uint32(w.dimension),
	}
	if w.coil {
		p.Coil = 1
	}
	const warps = walkThreads / launch.Warp
	grid := driver.Grid{Blocks: (w.n + warps - 1) / warps, Threads: walkThreads, Shared: warps * (1<<w.dimension + 4*walkTrail)}
	entered := make([]uint64, w.n)
	s := w.gpu.Stream
	err := w.gpu.Device.Do(func() error {
		return errors.Join(
			w.paths.Upload(s, w.hostPaths), w.longest.Upload(s, w.hostBest), w.lengths.Upload(s, lengths), w.longestOf.Upload(s, longestOf), w.streams.Upload(s, streams),
			w.kernel.Launch(s, grid, p),
			w.paths.Download(s, w.hostPaths), w.longest.Download(s, w.hostBest), w.lengths.Download(s, lengths), w.longestOf.Download(s, longestOf), w.streams.Download(s, streams), w.entered.Download(s, entered))
	})
	if err != nil {
		return err
	}
	for i := range walks {
		walks[i] = Walk{
			append(walks[i].Path[:0], w.hostPaths[i*w.stride:][:lengths[i]]...), append(walks[i].Longest[:0], w.hostBest[i*w.stride:][:longestOf[i]]...),
			streams[i], entered[i],
		}
	}
	return nil
}
