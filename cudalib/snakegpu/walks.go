package snakegpu

import (
	"errors"
	"fmt"

	"gamebots/cudalib/driver"
	"gamebots/cudalib/internal/launch"
)

// A Walk is a snake or a coil on its walk, see solvers/nmcs/snake/records: vertices in their order,
// the longest path so far, and the state of its random numbers.
type Walk struct {
	Path, Longest []uint16
	Stream        uint64
	Turn          Turn   // rotation of a coil that consists of copies of the path
	Entered       uint64 // vertices, by the searches of a run
}

// A Turn maps the vertices of a path to those of its next copy: bit i of an image is bit From[i]
// of the vertex. It then inverts the bits in Flips.
type Turn struct {
	From  [maxBits]uint8
	Flips uint16
}

// WalkSpec describes walks.
type WalkSpec struct {
	Dimension int // 3 to [MaxDimension]
	Coil      bool
	Copies    int // copies of the path that make up a coil; 0 is 1
	Walks     int
}

const (
	walkThreads = 128 // threads of a block
	walkTrail   = 256 // vertices, as in walk.cu
	maxBits     = 16  // bits of a vertex, there, too
)

// Walks lets walks make changes, a warp each. One goroutine uses it at a time.
type Walks struct {
	gpu    *launch.Launcher
	spec   WalkSpec
	stride int // the most vertices of a walk

	kernel              *launch.Kernel[walkParams]
	paths, longest      driver.Buffer[uint16]
	lengths, longestOf  driver.Buffer[uint32]
	streams, entered    driver.Buffer[uint64]
	flips               driver.Buffer[uint32]
	from                driver.Buffer[uint8]
	hostPaths, hostBest []uint16
}

// walkParams are the parameters of the kernel of walk.cu.
type walkParams struct {
	Paths, Longest                                  driver.Buffer[uint16]
	Lengths, LongestOf                              driver.Buffer[uint32]
	Streams, Entered                                driver.Buffer[uint64]
	Flips                                           driver.Buffer[uint32]
	From                                            driver.Buffer[uint8]
	Walks, Stride, Changes, Dimension, Coil, Copies uint32
}

// NewWalks makes room for walks.
func NewWalks(d *driver.Device, spec WalkSpec) (*Walks, error) {
	n := spec.Walks
	if spec.Dimension < 3 || spec.Dimension > MaxDimension || n < 1 {
		return nil, fmt.Errorf("%d walks in dimension %d: %w", n, spec.Dimension, errors.ErrUnsupported)
	}
	w := &Walks{gpu: launch.New(d, Modules, "walk"), spec: spec}
	w.stride = max(8, 1<<(spec.Dimension-1)) // snakes of low dimensions have more than half of the vertices
	w.kernel = launch.Find[walkParams](w.gpu, "walk")
	w.paths, w.longest = launch.Alloc[uint16](w.gpu, n*w.stride), launch.Alloc[uint16](w.gpu, n*w.stride)
	w.lengths, w.longestOf = launch.Alloc[uint32](w.gpu, n), launch.Alloc[uint32](w.gpu, n)
	w.streams, w.entered = launch.Alloc[uint64](w.gpu, n), launch.Alloc[uint64](w.gpu, n)
	w.flips, w.from = launch.Alloc[uint32](w.gpu, n), launch.Alloc[uint8](w.gpu, n*maxBits)
	if w.gpu.Err != nil {
		return nil, errors.Join(w.gpu.Err, w.Close())
	}
	w.hostPaths, w.hostBest = make([]uint16, n*w.stride), make([]uint16, n*w.stride)
	return w, nil
}

// Close frees the memory on the device.
func (w *Walks) Close() error { return w.gpu.Close() }

// Run lets each of the walks, as many as NewWalks made room for, make some changes.
func (w *Walks) Run(walks []Walk, changes int) error {
	n := w.spec.Walks
	lengths, longestOf, streams := make([]uint32, n), make([]uint32, n), make([]uint64, n)
	flips, from := make([]uint32, n), make([]uint8, 0, n*maxBits)
	for i, walk := range walks {
		lengths[i], longestOf[i], streams[i] = uint32(len(walk.Path)), uint32(len(walk.Longest)), walk.Stream
		copy(w.hostPaths[i*w.stride:], walk.Path)
		copy(w.hostBest[i*w.stride:], walk.Longest)
		flips[i], from = uint32(walk.Turn.Flips), append(from, walk.Turn.From[:]...)
	}
	p := walkParams{
		Paths: w.paths, Longest: w.longest, Lengths: w.lengths, LongestOf: w.longestOf, Streams: w.streams,
		Entered: w.entered, Flips: w.flips, From: w.from,
		Walks: uint32(n), Stride: uint32(w.stride), Changes: uint32(changes), Dimension: uint32(w.spec.Dimension),
		Copies: uint32(max(1, w.spec.Copies)),
	}
	if w.spec.Coil {
		p.Coil = 1
	}
	const warps = walkThreads / launch.Warp
	grid := driver.Grid{
		Blocks: (n + warps - 1) / warps, Threads: walkThreads, Shared: warps * (1<<w.spec.Dimension + 4*walkTrail),
	}
	entered := make([]uint64, n)
	s := w.gpu.Stream
	err := w.gpu.Device.Do(func() error {
		return errors.Join(
			w.paths.Upload(s, w.hostPaths), w.longest.Upload(s, w.hostBest), w.lengths.Upload(s, lengths),
			w.longestOf.Upload(s, longestOf), w.streams.Upload(s, streams),
			w.flips.Upload(s, flips), w.from.Upload(s, from),
			w.kernel.Launch(s, grid, p),
			w.paths.Download(s, w.hostPaths), w.longest.Download(s, w.hostBest), w.lengths.Download(s, lengths),
			w.longestOf.Download(s, longestOf), w.streams.Download(s, streams), w.entered.Download(s, entered))
	})
	if err != nil {
		return err
	}
	for i := range walks {
		walk := &walks[i]
		walk.Path = append(walk.Path[:0], w.hostPaths[i*w.stride:][:lengths[i]]...)
		walk.Longest = append(walk.Longest[:0], w.hostBest[i*w.stride:][:longestOf[i]]...)
		walk.Stream, walk.Entered = streams[i], entered[i]
	}
	return nil
}
