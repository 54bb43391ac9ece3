//go:build linux

package cluster

import (
	"errors"
	"slices"
	"testing"

	"gamebots/cudalib"
	"gamebots/cudalib/cudatest"
	"gamebots/internal/testkit"
	"gamebots/solvers/cfr/abstraction/buckets"
)

// A device finds the centres that the CPU finds, of vectors that fill several blocks and of
// fewer than one has, with more and with fewer coordinates than are copied at once.
func TestKMeansOnDevice(t *testing.T) {
	d := cudatest.Open(t, "", "kmeans")
	for _, c := range []struct {
		metric          buckets.Metric
		n, dim, centres int
	}{
		{buckets.L1, 300, 49, 70},
		{buckets.L1, 40, 3, 5},
		{buckets.L2, 300, 8, 130},
		{buckets.L2, 129, 17, 3},
	} {
		o := clustering{Metric: c.metric, Centres: c.centres, Seed: 1, Iterations: 2}
		s := scattered(c.n, c.dim, uint64(c.n))
		want := cluster(t, s, o)
		o.Device = d
		if got := cluster(t, s, o); !slices.Equal(got.Values, want.Values) {
			t.Errorf("%+v: other centres than on the CPU", c)
		}
	}
}

// A search finds the same centres and distances on the device and on the CPU, for the
// largest distances too, and of equal centres the first.
func TestSearchOnDevice(t *testing.T) {
	d := cudatest.Open(t, "", "kmeans")
	for _, m := range []buckets.Metric{buckets.L1, buckets.L2} {
		const dim = 33
		zeros, ones := make([]uint16, dim), slices.Repeat([]uint16{65535}, dim)
		middle := cluster(t, scattered(200, dim, 1), clustering{Metric: m, Centres: 66}).Values
		c, ok := buckets.NewCentres(m, dim, slices.Concat(zeros, zeros, middle, middle[len(middle)-dim:]))
		if !ok {
			t.Fatal("the centres are not in order")
		}
		vectors := slices.Concat(ones, zeros, middle, scattered(130, dim, 2).Values)
		n := len(vectors) / dim
		var centre [2][]uint32
		var square [2][]uint64
		for i, on := range []*cudalib.Device{nil, d} {
			centre[i], square[i] = make([]uint32, n), make([]uint64, n)
			s, err := newSearch(on, c, 1)
			if err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(s.Nearest(vectors, centre[i], square[i]), s.Close()); err != nil {
				t.Fatal(err)
			}
		}
		if !slices.Equal(centre[0], centre[1]) || !slices.Equal(square[0], square[1]) {
			t.Errorf("metric %d: centres %v at %v, on the CPU %v at %v", m, centre[1], square[1], centre[0], square[0])
		}
	}
}

// The kernels have no races.
func TestRaces(t *testing.T) {
	testkit.SlowOnly(t)
	cudatest.Races(t, TestKMeansOnDevice, TestSearchOnDevice)
}
