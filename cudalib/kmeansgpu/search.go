package kmeansgpu

import (
	"embed"
	"errors"

	"gamebots/cudalib/driver"
	"gamebots/cudalib/internal/launch"
)

// Metric is a distance of vectors.
type Metric int

const (
	L1 Metric = iota // the sum of absolute differences, exact for up to 256 coordinates
	L2               // the Euclidean distance
)

// As in nearest.cu.
const (
	nearestThreads = 256
	tileVectors    = 128
	tileCentres    = 64
)

// Search finds nearest centres on a device. It is used by one goroutine at a time.
type Search struct {
	gpu     *launch.Launcher
	dim     int
	columns *launch.Kernel[columnsParams]
	nearest *launch.Kernel[nearestParams]

	staged           driver.Buffer[uint16] // vectors one after the other
	vectors, centres columns
	centre           driver.Buffer[uint32] // nearest centre by vector
	square           driver.Buffer[uint64]
}

// columns are vectors by coordinate.
type columns struct {
	values driver.Buffer[uint16]
	n      int // vectors
	stride int // from a coordinate to the next
}

// columnsParams are the parameters of kmeans_columns.
type columnsParams struct {
	To, From  driver.Buffer[uint16]
	N, Stride uint64
	Dim       uint32
}

// nearestParams are the parameters of kmeans_nearest_l1 and kmeans_nearest_l2.
type nearestParams struct {
	Vectors      driver.Buffer[uint16]
	N, Stride    uint64
	Centres      driver.Buffer[uint16]
	NumCentres   uint32
	CentreStride uint64
	Dim          uint32
	Nearest      driver.Buffer[uint32]
	Square       driver.Buffer[uint64]
}

// New returns a search for vectors with dim coordinates.
func New(d *driver.Device, m Metric, dim int) (*Search, error) {
	s := &Search{gpu: launch.New(d, Modules, "nearest"), dim: dim}
	s.columns = launch.Find[columnsParams](s.gpu, "kmeans_columns")
	s.nearest = launch.Find[nearestParams](s.gpu, [...]string{L1: "kmeans_nearest_l1", L2: "kmeans_nearest_l2"}[m])
	return launch.Finish(s.gpu, s)
}

// Close frees the memory on the device.
func (s *Search) Close() error { return s.gpu.Close() }

// SetCentres sets the centres, one after the other, at least one.
func (s *Search) SetCentres(values []uint16) error { return s.upload(&s.centres, values, tileCentres) }

// SetVectors sets the vectors, one after the other, at least one.
func (s *Search) SetVectors(values []uint16) error { return s.upload(&s.vectors, values, tileVectors) }

// upload copies vectors to the device, with room for whole tiles.
func (s *Search) upload(to *columns, values []uint16, tile int) error {
	n := len(values) / s.dim
	stride := (n + tile - 1) / tile * tile
	err := errors.Join(launch.Grow(s.gpu, &s.staged, len(values)), launch.Grow(s.gpu, &to.values, stride*s.dim))
	if err != nil {
		return err
	}
	to.n, to.stride = n, stride
	return errors.Join(
		s.staged.Slice(0, len(values)).Upload(s.gpu.Stream, values),
		s.columns.Launch(s.gpu.Stream, launch.Loop(n),
			columnsParams{to.values, s.staged, uint64(n), uint64(stride), uint32(s.dim)}),
	)
}

// Nearest sets, for each vector, the nearest centre, the first of several, and the square of
// its distance.
func (s *Search) Nearest(centre []uint32, square []uint64) error {
	n := s.vectors.n
	if err := errors.Join(launch.Grow(s.gpu, &s.centre, n), launch.Grow(s.gpu, &s.square, n)); err != nil {
		return err
	}
	return errors.Join(
		s.nearest.Launch(s.gpu.Stream, driver.Grid{Blocks: s.vectors.stride / tileVectors, Threads: nearestThreads},
			nearestParams{
				Vectors: s.vectors.values, N: uint64(n), Stride: uint64(s.vectors.stride),
				Centres: s.centres.values, NumCentres: uint32(s.centres.n), CentreStride: uint64(s.centres.stride),
				Dim: uint32(s.dim), Nearest: s.centre, Square: s.square,
			}),
		s.centre.Slice(0, n).Download(s.gpu.Stream, centre),
		s.square.Slice(0, n).Download(s.gpu.Stream, square),
	)
}

// Modules are the compiled kernels, NAME.ptx.gz for each source NAME.cu.
//
//go:embed *.ptx.gz
var Modules embed.FS
