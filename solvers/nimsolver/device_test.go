//go:build linux

package nimsolver_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"gamebots/cudalib/cudatest"
	"gamebots/hexproto/nim"
	"gamebots/internal/testkit"
	"gamebots/solvers/nimsolver"
)

func open(t testing.TB) *nimsolver.Device {
	t.Helper()
	d, err := nimsolver.NewDevice(cudatest.Open(t, "", "nim"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

// sameOnDevice tests that all versions find the value and move of alpha-beta on the
// CPU.
func sameOnDevice(t *testing.T, d *nimsolver.Device, p nimsolver.Position, depth int) {
	t.Helper()
	want, err := nimsolver.Search(t.Context(), p, depth, 0)
	if err != nil {
		t.Fatal(err)
	}
	for v := nimsolver.FirstVersion; v <= nimsolver.SolveVersion; v++ {
		got, err := d.Search(v, p, depth)
		if err != nil || got.Move != want.Move || got.Value != want.Value {
			t.Errorf("version %d: %+v at depth %d: %+v, want %+v: %v", v, p, depth, got, want, err)
		}
		if nodes := splitNodes(t, v, p, depth); nodes > 0 && got.Nodes != nodes {
			t.Errorf("version %d: %+v at depth %d: %d nodes, want %d", v, p, depth, got.Nodes, nodes)
		}
	}
}

// splitNodes counts the nodes of versions 1 to 4: all of the first two plies, or
// three, and those of alpha-beta below. For version 5 it returns 0.
func splitNodes(t *testing.T, v nimsolver.Version, p nimsolver.Position, depth int) uint64 {
	t.Helper()
	plies := 2
	switch v {
	case 3:
		plies = 3
	case nimsolver.SolveVersion:
		return 0
	}
	var count func(h nim.Heaps, ply int) uint64
	count = func(h nim.Heaps, ply int) (n uint64) {
		if ply == depth {
			return 0
		}
		if ply == plies {
			r, err := nimsolver.Search(t.Context(), nimsolver.Position{Rules: p.Rules, Heaps: h}, depth-ply, 0)
			if err != nil {
				t.Fatal(err)
			}
			return r.Nodes
		}
		for _, m := range p.Rules.AppendMoves(h, nil) {
			n += 1 + count(h.Take(m), ply+1)
		}
		return n
	}
	return count(p.Heaps, 0)
}

// On the fake device each CUDA thread is a thread of the host, so that boards are
// small there.
func TestDeviceSearch(t *testing.T) {
	t.Run("few", func(t *testing.T) {
		d := open(t)
		rng := rand.New(rand.NewPCG(9, 9))
		for range 8 {
			sameOnDevice(t, d, somePosition(rng, 3, 2), 1+rng.IntN(4))
		}
		sameOnDevice(t, d, nimsolver.Position{}, 3)
		sameOnDevice(t, d, nimsolver.Position{Heaps: 0x112}, 4)
		sameOnDevice(t, d, nimsolver.Position{Heaps: 0x1100_0000_0001}, 3) // 64 bits
	})
	t.Run("rows", func(t *testing.T) {
		if !cudatest.OnGPU() {
			t.Skip("takes too long but with -device cuda")
		}
		d := open(t)
		for n := 1; n <= 7; n++ {
			for depth := 1; depth <= 6; depth++ {
				sameOnDevice(t, d, nimsolver.Position{Heaps: nim.Rows(n)}, depth)
			}
		}
	})
	t.Run("many", func(t *testing.T) {
		if !cudatest.OnGPU() {
			t.Skip("takes too long but with -device cuda")
		}
		d := open(t)
		rng := rand.New(rand.NewPCG(8, 9))
		for range 1000 {
			sameOnDevice(t, d, somePosition(rng, 6, 9), 1+rng.IntN(6))
		}
		sameOnDevice(t, d, nimsolver.Position{Heaps: nim.Rows(8)}, 7)
		sameOnDevice(t, d, nimsolver.Position{Heaps: 0xffffffffffffffff}, 3)
	})
}

func TestDeviceTable(t *testing.T) {
	d := open(t)
	boards := []nim.Heaps{0, 0x5, 0x222, 0x112302}
	if cudatest.OnGPU() {
		boards = append(boards, nim.Rows(6), nim.Rows(7), nim.Rows(8), 0x1111111111111111, 0xfffff)
	}
	for _, board := range boards {
		for _, rules := range []nim.Rules{{}, {Misere: true}, {MaxTake: 2}, {Misere: true, MaxTake: 1}} {
			p := nimsolver.Position{Rules: rules, Heaps: board}
			want, err := nimsolver.NewTable(t.Context(), p, 2, nil)
			if err != nil {
				t.Fatal(err)
			}
			got, err := d.NewTable(t.Context(), p)
			if err != nil || !got.Equal(want) {
				t.Errorf("%+v: the tables differ: %v", p, err)
			}
		}
	}
}

func TestDeviceRefuses(t *testing.T) {
	d := open(t)
	for _, c := range []struct {
		v     nimsolver.Version
		p     nimsolver.Position
		depth int
	}{
		{0, nimsolver.Position{Heaps: 1}, 1},
		{6, nimsolver.Position{Heaps: 1}, 1},
		{4, nimsolver.Position{Heaps: 1}, 0},
		{4, nimsolver.Position{Heaps: 1}, -1},
		{4, nimsolver.Position{Heaps: 1}, nimsolver.MaxDepth + 1},
		{5, nimsolver.Position{Heaps: 1}, 0},
		{1, nimsolver.Position{Heaps: 1, Rules: nim.Rules{MaxTake: -3}}, 1},
		{5, nimsolver.Position{Heaps: 1, Rules: nim.Rules{MaxTake: 16}}, 1},
	} {
		if _, err := d.Search(c.v, c.p, c.depth); !errors.Is(err, nimsolver.ErrInput) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	if _, err := d.NewTable(t.Context(), nimsolver.Position{Heaps: 0xffffffffffffffff}); !errors.Is(err,
		nimsolver.ErrTooLarge) {
		t.Errorf("sixteen full heaps: %v", err)
	}
}

// TestDeviceAgrees needs a GPU: on the fake one it would take too long.
func TestDeviceAgrees(t *testing.T) {
	if !cudatest.OnGPU() {
		t.Skip("compares 10,000 positions with -device cuda only")
	}
	d := open(t)
	rng := rand.New(rand.NewPCG(4, 4))
	for i := range 10_000 {
		p := somePosition(rng, 8, 5)
		want := p.Rules.Lost(p.Heaps)
		r, err := d.Search(nimsolver.SolveVersion, p, 6)
		if err != nil || r.Value == nimsolver.Loss && !want || r.Value == nimsolver.Win && want {
			t.Fatalf("position %d, %+v: %+v, lost by the rule: %v: %v", i, p, r, want, err)
		}
	}
}

// BenchmarkDevice needs a GPU: -device cuda.
func BenchmarkDevice(b *testing.B) {
	if !cudatest.OnGPU() {
		b.Skip("measures with -device cuda only")
	}
	d := open(b)
	for _, c := range []struct {
		version nimsolver.Version
		depth   int
	}{{1, 5}, {2, 5}, {3, 5}, {4, 5}, {5, 5}, {1, 7}, {2, 7}, {3, 7}, {4, 7}, {5, 7}, {5, 9}} {
		b.Run(fmt.Sprintf("version %d depth %d", c.version, c.depth), func(b *testing.B) {
			for b.Loop() {
				r, err := d.Search(c.version, nimsolver.Position{Heaps: nim.Rows(8)}, c.depth)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(r.Nodes), "nodes")
			}
		})
	}
	for _, board := range []nim.Heaps{nim.Rows(8), 0xffffffff} {
		b.Run(fmt.Sprintf("solve %x", uint64(board)), func(b *testing.B) {
			s, err := d.PrepareTable(nimsolver.Position{Heaps: board})
			if err != nil {
				b.Fatal(err)
			}
			defer s.Close()
			for b.Loop() {
				lost, err := s.Build()
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(lost), "lost")
			}
		})
	}
	b.Run("whole answer", func(b *testing.B) {
		for b.Loop() {
			if _, err := d.NewTable(b.Context(), nimsolver.Position{Heaps: nim.Rows(8)}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// The kernels have no races.
func TestRaces(t *testing.T) {
	testkit.SlowOnly(t)
	cudatest.Races(t, TestDeviceSearch, TestDeviceTable)
}
