package bench

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"gamebots/cudalib"
	"gamebots/solvers/cfr/abstraction/kmeans"
	"gamebots/solvers/cfr/abstraction/kmeans/ondevice"
)

// kmeansWork is the work of bench kmeans: numbers of centres, and of vectors for which the
// nearest is found, on a CPU and on a GPU.
type kmeansWork struct{ centres, cpu, gpu int }

var fullKMeans = kmeansWork{centres: 9000, cpu: 1 << 12, gpu: 1 << 20}

func (w kmeansWork) onCPU(ctx context.Context, emit func(Row) error) error {
	return w.run(ctx, nil, w.cpu, 1, emit)
}

func (w kmeansWork) onGPU(ctx context.Context, d *cudalib.Device, emit func(Row) error) error {
	return w.run(ctx, d, w.gpu, 0, emit)
}

func (w kmeansWork) run(ctx context.Context, d *cudalib.Device, vectors, threads int, emit func(Row) error) error {
	for _, c := range []struct {
		name   string
		metric kmeans.Metric
		dim    int
	}{{"histograms of 50 bins", kmeans.L1, 49}, {"strengths against 8 clusters", kmeans.L2, 8}} {
		random := rand.New(rand.NewPCG(1, uint64(c.dim)))
		centres, _ := kmeans.NewCentres(c.metric, c.dim, ascending(random, w.centres, c.dim)) // they are in order
		s, err := kmeans.NewSearch(ondevice.Search(d), centres, max(1, threads))
		if err != nil {
			return err
		}
		x := ascending(random, vectors, c.dim)
		centre, square := make([]uint32, vectors), make([]uint64, vectors)
		t, err := medianTime(func() error {
			for batch := range slices.Chunk(x, s.Batch()*c.dim) {
				n := len(batch) / c.dim
				if err := s.Nearest(batch, centre[:n], square[:n]); err != nil {
					return err
				}
			}
			return context.Cause(ctx)
		})
		s.Close() // an error would not change the figures
		if err != nil {
			return err
		}
		if err := emit(Row{Case: fmt.Sprintf("%s, %d centres", c.name, w.centres), Threads: threads,
			Metric: "nearest centres", Value: float64(vectors) / t.Seconds(), Unit: "vectors/s", Repeated: t.Repeated}); err != nil {
			return err
		}
	}
	return nil
}

// ascending returns random vectors in ascending order of the sums of their coordinates, which
// ascend too, as those of cumulative histograms do.
func ascending(random *rand.Rand, n, dim int) []uint16 {
	type vector struct {
		values []uint16
		sum    int
	}
	list := make([]vector, n)
	for i := range list {
		list[i].values = make([]uint16, dim)
		for j := range list[i].values {
			list[i].values[j] = uint16(random.Uint32())
			list[i].sum += int(list[i].values[j])
		}
		slices.Sort(list[i].values)
	}
	slices.SortFunc(list, func(a, b vector) int { return cmp.Compare(a.sum, b.sum) })
	var values []uint16
	for i := range list {
		values = append(values, list[i].values...)
	}
	return values
}
