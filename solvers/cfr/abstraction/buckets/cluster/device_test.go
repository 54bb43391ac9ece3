//go:build linux

package cluster_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"gamebots/cudalib/cudatest"
	"gamebots/internal/testkit"
	"gamebots/solvers/cfr/abstraction/buckets/cluster"
	"gamebots/solvers/cfr/abstraction/buckets/internal/bucketstest"
	"gamebots/solvers/cfr/abstraction/internal/nearest"
	"gamebots/solvers/cfr/abstraction/kmeans"
)

// A device makes the buckets, and the report, that the CPU makes. On the fake one the game is
// small; on a GPU there are hands for many searches.
func TestBuildOnDevice(t *testing.T) {
	d := cudatest.Open(t, "", "kmeans")
	g, r := bucketstest.Small, bucketstest.SmallRecipe
	if cudatest.OnGPU() {
		g, r = tens, coarse
	}
	want := bucketstest.Build(t, g, r, cluster.Options{})
	got := bucketstest.Build(t, g, r, cluster.Options{Threads: 2, Device: cluster.OnDevice(d)})
	if !bucketstest.Equal(t, got, want) || !slices.Equal(got.Reports(), want.Reports()) {
		t.Errorf("other buckets than on the CPU: %+v, want %+v", got.Reports(), want.Reports())
	}
}

// A device finds the centres that the CPU finds, of vectors that fill several blocks and of
// fewer than one has, with more and with fewer coordinates than are copied at once.
func TestKMeansOnDevice(t *testing.T) {
	d := cluster.OnDevice(cudatest.Open(t, "", "kmeans"))
	for _, c := range []struct {
		metric          nearest.Metric
		n, dim, centres int
	}{
		{nearest.L1, 300, 49, 70},
		{nearest.L1, 40, 3, 5},
		{nearest.L2, 300, 8, 130},
		{nearest.L2, 129, 17, 3},
	} {
		o := kmeans.Options{Metric: c.metric, Centres: c.centres, Seed: 1, Iterations: 2}
		s := scattered(c.n, c.dim, uint64(c.n))
		want := centresOf(t, s, o)
		o.Device = d
		if got := centresOf(t, s, o); !slices.Equal(got.Values, want.Values) {
			t.Errorf("%+v: other centres than on the CPU", c)
		}
	}
}

// A search finds the same centres and distances on the device and on the CPU, for the
// largest distances too, and of equal centres the first.
func TestSearchOnDevice(t *testing.T) {
	d := cluster.OnDevice(cudatest.Open(t, "", "kmeans"))
	for _, m := range []nearest.Metric{nearest.L1, nearest.L2} {
		const dim = 33
		zeros, ones := make([]uint16, dim), slices.Repeat([]uint16{65535}, dim)
		middle := centresOf(t, scattered(200, dim, 1), kmeans.Options{Metric: m, Centres: 66}).Values
		c, ok := nearest.NewCentres(m, dim, slices.Concat(zeros, zeros, middle, middle[len(middle)-dim:]))
		if !ok {
			t.Fatal("the centres are not in order")
		}
		vectors := slices.Concat(ones, zeros, middle, scattered(130, dim, 2).Values)
		n := len(vectors) / dim
		var centre [2][]uint32
		var square [2][]uint64
		for i, on := range []kmeans.Device{nil, d} {
			centre[i], square[i] = make([]uint32, n), make([]uint64, n)
			s, err := kmeans.NewSearch(on, c, 1)
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

// scattered returns n vectors with weights.
func scattered(n, dim int, seed uint64) *kmeans.Set {
	random := rand.New(rand.NewPCG(seed, seed))
	s := &kmeans.Set{Dim: dim}
	for range n {
		x := make([]uint16, dim)
		base := random.IntN(1 << 15)
		for i := range x {
			x[i] = uint16(base + random.IntN(1<<12))
		}
		s.Add(x, uint64(1+random.IntN(20)))
	}
	return s
}

func centresOf(t *testing.T, s *kmeans.Set, o kmeans.Options) *nearest.Centres {
	t.Helper()
	c, err := s.Cluster(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}
