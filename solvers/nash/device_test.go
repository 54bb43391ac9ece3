//go:build linux

package nash

import (
	"slices"
	"testing"

	"gamebots/cudalib/cudatest"
	"gamebots/cudalib/nashgpu"
	"gamebots/internal/testkit"
	"gamebots/solvers/nash/game"
	"gamebots/solvers/nash/labels"
	"gamebots/solvers/nash/verify"
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

// Many games at once have the results of each alone, a degenerate one among them.
func TestDeviceBatch(t *testing.T) {
	d := cudatest.Open(t, "", "nash")
	var games []*game.Game
	for seed := range uint64(2) {
		games = append(games, random(t, 2, 3, seed))
	}
	flat, err := game.New("all the same", [][]int64{{1, 1, 1}, {1, 1, 1}}, [][]int64{{1, 1, 1}, {1, 1, 1}})
	if err != nil {
		t.Fatal(err)
	}
	games = append(games, flat)
	results, err := SolveAll(t.Context(), games,
		Options{Device: d, limits: nashgpu.Limits{Blocks: 1, Tasks: 1000}, gamesPerBatch: 2})
	if err != nil {
		t.Fatal(err)
	}
	bySupports, err := SolveAll(t.Context(), games[1:],
		Options{Device: d, SupportsOnly: true, limits: nashgpu.Limits{Blocks: 1, Tasks: 1000}})
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range results {
		want := solved(t, games[i], Options{})
		if !r.Verified || !equal(r.Equilibria, want.Equilibria) || r.Degeneracy != want.Degeneracy {
			t.Errorf("%s: %d equilibria, want %d: %s", games[i].Title, len(r.Equilibria), len(want.Equilibria),
				r.Problem)
		}
	}
	for i, r := range bySupports {
		for j := range r.Equilibria {
			verify.Fill(games[1+i], &r.Equilibria[j])
		}
		slices.SortFunc(r.Equilibria, compare)
		if !r.Verified || !equal(r.Equilibria, results[1+i].Equilibria) {
			t.Errorf("%s: %d equilibria by their supports, want %d: %s", games[1+i].Title, len(r.Equilibria),
				len(results[1+i].Equilibria), r.Problem)
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
	cudatest.Races(t, TestDevice, TestDeviceBatch, TestDeviceSupports)
}
