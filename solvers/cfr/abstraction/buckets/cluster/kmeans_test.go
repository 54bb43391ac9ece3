package cluster

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"gamebots/internal/rng"
	"gamebots/solvers/cfr/abstraction/buckets"
)

// scattered returns random vectors with random weights.
func scattered(n, dim int, seed uint64) *points {
	random := rand.New(rand.NewPCG(seed, seed))
	s := &points{Dim: dim}
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

func cluster(t *testing.T, s *points, o clustering) *buckets.Centres {
	t.Helper()
	c, err := s.Cluster(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// distortion returns the sum that Cluster makes small.
func distortion(s *points, c *buckets.Centres) (sum float64) {
	for i := range s.Len() {
		_, square := c.Nearest(s.At(i))
		sum += float64(s.Weights[i]) * float64(square)
	}
	return sum
}

// Nearest skips centres by their keys, and a search by their neighbours too, from any first
// centre. They find what looking at all centres finds, the first of equal ones.
func TestNearest(t *testing.T) {
	for _, m := range []buckets.Metric{buckets.L1, buckets.L2} {
		c := cluster(t, scattered(3000, 8, 1), clustering{Metric: m, Centres: 200, Iterations: 2})
		c, _ = buckets.NewCentres(m, c.Dim, slices.Concat(c.Values, c.At(199), c.At(199)))
		few, all := buckets.NewNeighbours(c, 7, 2), buckets.NewNeighbours(c, c.Len(), 2)
		asked := scattered(2000, 8, 2)
		asked.Add(c.At(199), 1)
		for i := range asked.Len() {
			x := asked.At(i)
			want := 0
			for k := range c.Len() {
				if m.Square(x, c.At(k)) < m.Square(x, c.At(want)) {
					want = k
				}
			}
			first := (201 + i) % c.Len()
			start := m.Square(x, c.At(first))
			for name, find := range map[string]func() (int, uint64){
				"by keys":           func() (int, uint64) { return c.Nearest(x) },
				"by few neighbours": func() (int, uint64) { return few.From(x, buckets.Key(x), first, start) },
				"by all neighbours": func() (int, uint64) { return all.From(x, buckets.Key(x), first, start) },
			} {
				if got, square := find(); got != want || square != m.Square(x, c.At(want)) {
					t.Fatalf("metric %d, %s from %d: centre %d at %d, want %d at %d", m, name, first, got, square, want,
						m.Square(x, c.At(want)))
				}
			}
		}
	}
}

// First centres are drawn as if every vector were compared with each of them.
func TestSpread(t *testing.T) {
	for _, m := range []buckets.Metric{buckets.L1, buckets.L2} {
		newAttempt := func() *attempt {
			s := scattered(2*chunkLen+100, 5, 6)
			a := &attempt{points: s, clustering: clustering{Metric: m, Centres: 150, Threads: 2}, ctx: t.Context(),
				random: rng.Stream(3)}
			a.prepare()
			return a
		}
		a := newAttempt()
		got, place := a.spread()
		want := newAttempt()
		var values []uint16
		for n := range want.clustering.Centres {
			total := want.chunks(func(_, from, to int) (sum float64) {
				for i := from; i < to; i++ {
					if n == 0 {
						want.square[i] = 1
					}
					sum += want.distortion(i)
				}
				return sum
			})
			x := want.At(want.draw(total))
			values = append(values, x...)
			for i := range want.Len() {
				if d := m.Square(x, want.At(i)); n == 0 || d < want.square[i] {
					want.square[i] = d
				}
			}
		}
		if c, _ := want.rank(values); !slices.Equal(got.Values, c.Values) || !slices.Equal(a.square, want.square) {
			t.Errorf("metric %d: other first centres", m)
		}
		for i := range a.Len() {
			if d := m.Square(a.At(i), got.At(int(place[a.nearest[i]]))); d != a.square[i] {
				t.Fatalf("metric %d: vector %d is %d from its centre, want %d", m, i, d, a.square[i])
			}
		}
	}
}

// Groups that are far apart are found, and centres are their weighted means.
func TestClusterFindsGroups(t *testing.T) {
	s := &points{Dim: 2}
	for group, base := range []uint16{60000, 1000, 20000} {
		for i := range uint16(50) {
			s.Add([]uint16{base + i%7, base + i%5}, 1)
		}
		s.Add([]uint16{base + 1000, base}, uint64(1+9950*group)) // pulls the mean of the later groups
	}
	c := cluster(t, s, clustering{Metric: buckets.L2, Centres: 3, Restarts: 3, Iterations: 20, Seed: 1})
	if c.Len() != 3 {
		t.Fatalf("%d centres", c.Len())
	}
	for i, want := range [][2]uint16{{1995, 1000}, {20997, 20000}, {60022, 60002}} {
		got := c.At(i)
		for k := range want {
			if d := int(got[k]) - int(want[k]); d < -1 || d > 1 {
				t.Errorf("centre %d is %v, want %v", i, got, want)
			}
		}
	}
}

// A seed gives the same centres for any number of threads, and another seed others.
func TestClusterIsReproducible(t *testing.T) {
	s := scattered(3*chunkLen, 5, 3)
	for _, m := range []buckets.Metric{buckets.L1, buckets.L2} {
		o := clustering{Metric: m, Centres: 40, Seed: 7, Restarts: 2, Iterations: 5, Threads: 1}
		want := cluster(t, s, o)
		for o.Threads = 2; o.Threads < 5; o.Threads++ {
			if got := cluster(t, s, o); !slices.Equal(got.Values, want.Values) {
				t.Errorf("metric %d: %d threads find other centres", m, o.Threads)
			}
		}
		o.Seed++
		if got := cluster(t, s, o); slices.Equal(got.Values, want.Values) {
			t.Errorf("metric %d: another seed finds the same centres", m)
		}
	}
}

// More iterations, centres and attempts lower the distortion.
func TestClusterImproves(t *testing.T) {
	s := scattered(4000, 5, 4)
	for _, m := range []buckets.Metric{buckets.L1, buckets.L2} {
		o := clustering{Metric: m, Centres: 30, Seed: 3, Restarts: 1, Iterations: 0}
		seeded := distortion(s, cluster(t, s, o))
		o.Iterations = 30
		moved := distortion(s, cluster(t, s, o))
		o.Restarts = 5
		restarted := distortion(s, cluster(t, s, o))
		o.Centres = 60
		finer := distortion(s, cluster(t, s, o))
		if moved > .9*seeded || restarted >= moved || finer > .8*restarted {
			t.Errorf("metric %d: distortion %g at first, %g after iterations, %g of five attempts, %g with 60 centres",
				m, seeded, moved, restarted, finer)
		}
	}
}

// Equal vectors are joined, so that few of them have a centre each.
func TestClusterOfFewVectors(t *testing.T) {
	s := &points{Dim: 1}
	for i := range 100 {
		s.Add([]uint16{uint16(i % 4 * 10)}, 1)
	}
	c := cluster(t, s, clustering{Metric: buckets.L1, Centres: 7, Iterations: 3})
	if !slices.Equal(c.Values, []uint16{0, 10, 20, 30}) {
		t.Errorf("centres %v", c.Values)
	}
}

// cancelledLater is a context that is done once it has been asked some times.
type cancelledLater struct {
	context.Context
	left int
}

func (c *cancelledLater) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

func TestClusterStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	o := clustering{Centres: 50, Restarts: 1000, Iterations: 1000, OnProgress: func(part float64) {
		if !(part >= 0 && part <= 1) {
			t.Errorf("told of the part %v", part)
		}
		cancel()
	}}
	if _, err := scattered(500, 3, 5).Cluster(ctx, o); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	for asked := range 6 {
		ctx := &cancelledLater{Context: t.Context(), left: asked}
		_, err := scattered(500, 3, 5).Cluster(ctx, clustering{Centres: 3, Iterations: 2})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("done when asked for the %dth time: error %v", asked+1, err)
		}
	}
	for name, s := range map[string]*points{"no vectors": {Dim: 3}, "few vectors": scattered(5, 3, 5)} {
		if _, err := s.Cluster(ctx, o); !errors.Is(err, context.Canceled) {
			t.Errorf("%s, afterwards: error %v", name, err)
		}
	}
}

func BenchmarkNearest(b *testing.B) {
	for name, dim := range map[string]int{"l1": 49, "l2": 8} {
		m := buckets.L1
		if dim == 8 {
			m = buckets.L2
		}
		s := scattered(20_000, dim, 1)
		c, err := s.Cluster(b.Context(), clustering{Metric: m, Centres: 1000, Iterations: 1})
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			i := 0
			for b.Loop() {
				c.Nearest(s.At(i % s.Len()))
				i++
			}
		})
	}
}
