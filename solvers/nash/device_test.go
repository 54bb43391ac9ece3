//go:build linux

package nash

import (
	"testing"

	"gamebots/cudalib/cudatest"
	"gamebots/cudalib/nashgpu"
	"gamebots/internal/testkit"
	"gamebots/solvers/nash/labels"
)

// A device goes through the same tree as the CPU, node by node and pivot by pivot,
// in whatever order and with whatever interruptions.
func TestDevice(t *testing.T) {
	d := cudatest.Open(t, "", "nash")
	for _, c := range []struct {
		rows, cols int
		order      labels.Order
		limits     nashgpu.Limits
	}{
		{1, 1, labels.BySum, nashgpu.Limits{Blocks: 1, Tasks: 100}},
		{3, 3, labels.ByProduct, nashgpu.Limits{Blocks: 2, Tasks: 100, Budget: 3}},
		{4, 4, labels.BySum, nashgpu.Limits{Blocks: 2, Tasks: 100}},
		{18, 2, labels.BySum, nashgpu.Limits{Blocks: 1, Tasks: 100}}, // more rows than half a warp
		{1, 34, labels.BySum, nashgpu.Limits{Blocks: 1, Tasks: 100}}, // more columns than a whole warp
	} {
		g := random(t, c.rows, c.cols, 11)
		want := solved(t, g, Options{Order: c.order})
		got := solved(t, g, Options{Order: c.order, Device: d, limits: c.limits})
		if !equal(got.Equilibria, want.Equilibria) || got.Stats != want.Stats {
			t.Errorf("%s, %+v: %d equilibria and %+v, want %d and %+v", g.Title, c.limits, len(got.Equilibria),
				got.Stats, len(want.Equilibria), want.Stats)
		}
	}
	if !cudatest.OnGPU() {
		return
	}
	for n := 10; n <= 34; n += 3 { // sizes for a GPU, its own limits and many warps
		g := random(t, n, n-n%2, uint64(n))
		want, got := solved(t, g, Options{}), solved(t, g, Options{Device: d})
		if !equal(got.Equilibria, want.Equilibria) || got.Stats != want.Stats {
			t.Errorf("%s: %d equilibria and %+v, want %d and %+v", g.Title, len(got.Equilibria), got.Stats,
				len(want.Equilibria), want.Stats)
		}
	}
}

// The kernels of supports have the results of the CPU.
func TestDeviceSupports(t *testing.T) {
	d := cudatest.Open(t, "", "nash")
	sizes := [][2]int{{1, 1}, {4, 3}}
	if cudatest.OnGPU() {
		sizes = append(sizes, [2]int{9, 9}, [2]int{10, 12}, [2]int{12, 12})
	}
	for _, size := range sizes {
		g := random(t, size[0], size[1], 5)
		want := solved(t, g, Options{})
		for _, o := range []Options{{Method: Nguyen, BlockThreads: 32}, {Method: Grosu, BlockThreads: 64}} {
			o.Device = d
			if got := solved(t, g, o); !equal(got.Equilibria, want.Equilibria) {
				t.Errorf("%s, %s: %d equilibria, want %d", g.Title, o.Method, len(got.Equilibria), len(want.Equilibria))
			}
		}
	}
}

// The kernels have no races.
func TestRaces(t *testing.T) {
	testkit.SlowOnly(t)
	cudatest.Races(t, TestDevice, TestDeviceSupports)
}
