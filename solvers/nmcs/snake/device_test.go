//go:build linux

package snake_test

import (
	"context"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"gamebots/cudalib/cudatest"
	"gamebots/internal/testkit"
	"gamebots/solvers/nmcs"
	"gamebots/solvers/nmcs/snake"
	"gamebots/solvers/nmcs/snake/cube"
)

// onCPU makes runs on the CPU.
func onCPU(t *testing.T, s snake.Settings, runs uint64) nmcs.Tally {
	t.Helper()
	var tally nmcs.Tally
	if err := snake.Run(t.Context(), &tally, s, runs, 2, nil); err != nil {
		t.Fatal(err)
	}
	return tally
}

// TestDeviceRuns compares runs on a device and on the CPU.
func TestDeviceRuns(t *testing.T) {
	cases := []struct {
		snake.Settings
		runs  uint64
		steps []int
		warps bool
	}{
		{snake.Settings{Rules: cube.Rules{Dimension: 4}, Level: 0, Leaf: 3}, 100, []int{1}, false},
		{snake.Settings{Rules: cube.Rules{Dimension: 5}, Level: 1, Leaf: 1}, 20, []int{1, 7}, false},
		{snake.Settings{Rules: cube.Rules{Dimension: 4}, Level: 2, Leaf: 2}, 5, []int{4}, false},
		{snake.Settings{Rules: cube.Rules{Dimension: 5, Free: true}, Level: 2, Leaf: 1, Prime: cube.Sequence{0, 1, 2}}, 3, []int{0}, false},
		{snake.Settings{Rules: cube.Rules{Dimension: 3}, Level: 2, Leaf: 1, Prime: cube.Sequence{0, 1, 2, 0}}, 3, []int{0}, false},
		{snake.Settings{Rules: cube.Rules{Dimension: 4}, Level: 1, Leaf: 32}, 1, nil, true},
	}
	for d := 9; d <= 13; d++ {
		cases = append(cases, struct {
			snake.Settings
			runs  uint64
			steps []int
			warps bool
		}{snake.Settings{Rules: cube.Rules{Dimension: d}, Level: 0, Leaf: 1}, 5, []int{0}, false})
	}
	if cudatest.OnGPU() {
		for d := 7; d <= 13; d++ {
			for level := range 3 {
				c := cases[0]
				c.Settings = snake.Settings{Rules: cube.Rules{Dimension: d}, Level: level, Leaf: 1}
				c.runs = []uint64{100_000, 1000, 4}[level]
				if d >= 11 {
					c.runs = []uint64{10_000, 100, 1}[level]
				}
				c.steps = []int{0}
				if d >= 12 && level == 2 {
					continue
				}
				cases = append(cases, c)
				c.warps, c.Leaf, c.runs = true, 32, max(1, c.runs/50)
				if level < 2 || d < 10 {
					cases = append(cases, c)
				}
			}
		}
	}
	d := cudatest.Open(t, "", "snake")
	for _, c := range cases {
		c.Algorithm, c.Seed = snake.NMCS, 5
		t.Run(fmt.Sprint(c.Settings, c.warps), func(t *testing.T) {
			want := onCPU(t, c.Settings, c.runs)
			if c.warps {
				c.steps = []int{0}
			}
			for _, steps := range c.steps {
				lanes := 128
				if cudatest.OnGPU() {
					lanes = 0
				}
				r, err := snake.NewDeviceRuns(d, c.Settings, snake.DeviceLayout{ByWarps: c.warps, Lanes: lanes, Steps: steps})
				if err != nil {
					t.Fatal(err)
				}
				var got nmcs.Tally
				if err := r.Run(context.Background(), &got, c.runs, nil); err != nil {
					t.Fatal(err)
				}
				if !reflect.DeepEqual(got, want) {
					t.Errorf("steps %d: %v, want %v", steps, got, want)
				}
				if err := r.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// TestDeviceBeam compares beam searches on a device and on the CPU.
func TestDeviceBeam(t *testing.T) {
	cases := []snake.Settings{
		{Rules: cube.Rules{Dimension: 3, Free: true}, Width: 2, Prime: cube.Sequence{0}},
		{Rules: cube.Rules{Dimension: 4}, Width: 1, Symmetry: snake.Symmetry{Middle: "vertex", Pairs: 2}},
		{Rules: cube.Rules{Dimension: 3}, Width: 2, Symmetry: snake.Symmetry{Middle: "edge", Pairs: 1}},
	}
	for d := 9; d <= 13; d++ { // lower ones use the kernels of 8
		// The last edge only: on the fake device each takes long.
		s := snake.Settings{Rules: cube.Rules{Dimension: d}, Algorithm: snake.BeamSearch, Width: 2}
		long, _, err := snake.Beam(t.Context(), s, 2, nil)
		if err != nil {
			t.Fatal(err)
		}
		s.Prime = long[:len(long)-1]
		cases = append(cases, s)
	}
	if cudatest.OnGPU() {
		for d := 6; d <= 13; d++ {
			s := snake.Settings{Rules: cube.Rules{Dimension: d}, Width: 30_000 >> (d - 6)}
			cases = append(cases, s)
			s.Symmetry = snake.Symmetry{Middle: "edge", Pairs: (d - 1) / 2}
			cases = append(cases, s)
		}
	}
	d := cudatest.Open(t, "", "snake")
	for _, s := range cases {
		s.Algorithm, s.Seed = snake.BeamSearch, 3
		t.Run(s.String(), func(t *testing.T) {
			want, wantWork, err := snake.Beam(t.Context(), s, 2, nil)
			if err != nil {
				t.Fatal(err)
			}
			got, work, err := snake.DeviceBeam(t.Context(), d, s, nil)
			if err != nil || !slices.Equal(got, want) || work != wantWork {
				t.Errorf("%v of %d edges, %v; want %v of %d, %v: %v", got, len(got), work, want, len(want), wantWork, err)
			}
		})
	}
}

// TestDeviceGrowers compares beam searches for halves on a device and on the CPU.
func TestDeviceGrowers(t *testing.T) {
	d := cudatest.Open(t, "", "snake")
	width, searches := 3, 1
	dimensions := []int{5, 12, 13}
	if cudatest.OnGPU() {
		width, searches, dimensions = 200, 4, []int{5, 6, 7, 8, 9, 10, 11, 12, 13}
	}
	for _, dimension := range dimensions {
		s := snake.Settings{Rules: cube.Rules{Dimension: dimension}, Algorithm: snake.HalfByHalf, Width: width, Walks: 1}
		g, err := snake.NewDeviceGrowers(d, s)
		if err != nil {
			t.Fatal(err)
		}
		grower := g.Of(dimension)[0] // narrower where a block has no room
		var both cube.Sequence
		for i := range searches {
			x := snake.Settings{Rules: cube.Rules{Dimension: dimension - 1, Free: true}, Algorithm: snake.BeamSearch, Width: grower.Width, Seed: uint64(i), Avoid: both}
			want, work, err := snake.Beam(t.Context(), x, 1, nil)
			if err != nil {
				t.Fatal(err)
			}
			if !cudatest.OnGPU() {
				// The last edge only: on the fake device each takes long.
				x.Prime = want[:max(0, len(want)-1)]
				if want, work, err = snake.Beam(t.Context(), x, 1, nil); err != nil {
					t.Fatal(err)
				}
			}
			compare := func() {
				t.Helper()
				if got, gotWork, err := grower.Beam(t.Context(), x); err != nil || !slices.Equal(got, want) || gotWork != work {
					t.Errorf("dimension %d, %v: %v, %v; want %v, %v: %v", dimension, x.Replace, got, gotWork, want, work, err)
				}
			}
			compare()
			found := want
			x.Prime, x.Replace = want, snake.Window{From: len(want) / 3, To: len(want)/3 + 2}
			if cudatest.OnGPU() {
				x.Replace.To = len(want) * 2 / 3
			}
			if want, work, err = snake.Beam(t.Context(), x, 1, nil); err != nil {
				t.Fatal(err)
			}
			compare()
			both = found[:len(found)/2]
		}
		if err := g.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestDeviceGrowersFail makes further beam searches after some for which there is no room.
func TestDeviceGrowersFail(t *testing.T) {
	d := cudatest.Open(t, "", "snake")
	s := snake.Settings{Rules: cube.Rules{Dimension: 5}, Algorithm: snake.HalfByHalf, Width: 3, Walks: 1}
	g, err := snake.NewDeviceGrowers(d, s)
	if err != nil {
		t.Fatal(err)
	}
	x := snake.Settings{Rules: cube.Rules{Dimension: 4, Free: true}, Algorithm: snake.BeamSearch, Width: 3}
	wide := x
	wide.Width = 1000 // paths, and a block has room for 256
	for _, c := range []struct {
		snake.Settings
		fails bool
	}{{wide, true}, {wide, true}, {x, false}} {
		if got, _, err := g.Of(5)[0].Beam(t.Context(), c.Settings); (err != nil) != c.fails {
			t.Errorf("width %d: %v, %v", c.Width, got, err)
		}
	}
	if err := g.Close(); err != nil {
		t.Error(err)
	}
}

// TestDeviceGrowersJoin compares beam searches for the halves of coils on a device and on the CPU:
// those of paths between the ends of another one.
func TestDeviceGrowersJoin(t *testing.T) {
	d := cudatest.Open(t, "", "snake")
	width, searches, dimensions := 3, uint64(2), []int{6, 12, 13}
	if cudatest.OnGPU() {
		width, searches, dimensions = 200, 20, []int{5, 6, 7, 8, 9, 10, 11, 12, 13}
	}
	threads := runtime.NumCPU() // otherwise the CPU's searches take minutes
	for _, dimension := range dimensions {
		s := snake.Settings{Rules: cube.Rules{Dimension: dimension, Coil: true}, Algorithm: snake.HalfByHalf, Width: width, Walks: 1}
		g, err := snake.NewDeviceGrowers(d, s)
		if err != nil {
			t.Fatal(err)
		}
		grower := g.Of(dimension)[0] // narrower where a block has no room
		joined := 0
		if dimension > 11 {
			searches = min(searches, 5) // the CPU takes seconds for each
		}
		for i := range searches {
			x := snake.Settings{Rules: cube.Rules{Dimension: dimension - 1, Free: true}, Algorithm: snake.BeamSearch, Width: grower.Width, Seed: i}
			other, _, err := snake.Beam(t.Context(), x, threads, nil)
			if err != nil {
				t.Fatal(err)
			}
			x.Avoid, x.Join = other[:max(2, len(other)*2/3-int(i))], true // a shorter one ends beside its start
			want, work, err := snake.Beam(t.Context(), x, threads, nil)
			if err != nil {
				t.Fatal(err)
			}
			if !cudatest.OnGPU() && dimension > 6 {
				// The last edges only: on the fake device each takes long.
				x.Prime = want[:max(0, len(want)-4)]
				if want, work, err = snake.Beam(t.Context(), x, threads, nil); err != nil {
					t.Fatal(err)
				}
			}
			if len(want) > 0 {
				joined++
			}
			if got, gotWork, err := grower.Beam(t.Context(), x); err != nil || !slices.Equal(got, want) || gotWork != work {
				t.Errorf("dimension %d, search %d: %v, %v; want %v, %v: %v", dimension, i, got, gotWork, want, work, err)
			}
		}
		if joined == 0 {
			t.Errorf("dimension %d: no path joins the other one", dimension)
		}
		if err := g.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestDeviceGrowersHalfTurn compares beam searches for halves that do not meet their image.
func TestDeviceGrowersHalfTurn(t *testing.T) {
	d := cudatest.Open(t, "", "snake")
	width, dimensions := 3, []int{6, 12, 13}
	if cudatest.OnGPU() {
		width, dimensions = 200, []int{5, 6, 7, 8, 9, 10, 11, 12, 13}
	}
	turns := []snake.HalfTurn{ // the first dimension has no image but itself, two are swapped, and some flipped
		{Names: [cube.MaxDimension]uint8{0, 2, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11}, Flips: 0b1001},
		{Names: [cube.MaxDimension]uint8{0, 2, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11}, Flips: 0b0111},
	}
	for _, dimension := range dimensions {
		s := snake.Settings{Rules: cube.Rules{Dimension: dimension, Coil: true}, Algorithm: snake.HalfByHalf, Symmetry: snake.Symmetry{Copies: 2}, Width: width, Walks: 1}
		g, err := snake.NewDeviceGrowers(d, s)
		if err != nil {
			t.Fatal(err)
		}
		grower := g.Of(dimension)[0] // narrower where a block has no room
		found := 0
		for i, turn := range turns {
			x := snake.Settings{Rules: cube.Rules{Dimension: dimension - 1, Free: true}, Algorithm: snake.BeamSearch, Width: grower.Width, Seed: uint64(i), HalfTurn: turn}
			for _, replace := range []bool{false, true} {
				want, work, err := snake.Beam(t.Context(), x, 1, nil)
				if err != nil {
					t.Fatal(err)
				}
				if !cudatest.OnGPU() && dimension > 6 && !replace {
					// The last edges only: on the fake device each takes long.
					x.Prime = want[:max(0, len(want)-4)]
					if want, work, err = snake.Beam(t.Context(), x, 1, nil); err != nil {
						t.Fatal(err)
					}
				}
				if got, gotWork, err := grower.Beam(t.Context(), x); err != nil || !slices.Equal(got, want) || gotWork != work {
					t.Errorf("dimension %d, %v, %v: %v, %v; want %v, %v: %v", dimension, turn, x.Replace, got, gotWork, want, work, err)
				}
				if len(want) < 5 {
					break
				}
				found++
				x.Prime, x.Replace = want, snake.Window{From: len(want) / 3, To: len(want)/3 + 2}
				if cudatest.OnGPU() {
					x.Replace.To = len(want) * 2 / 3
				}
			}
		}
		if found == 0 {
			t.Errorf("dimension %d: no half was found", dimension)
		}
		if err := g.Close(); err != nil {
			t.Error(err)
		}
	}
}

// The kernels have no races.
func TestRaces(t *testing.T) {
	testkit.SlowOnly(t)
	cudatest.Races(t, TestDeviceRuns, TestDeviceBeam, TestDeviceGrowers, TestDeviceGrowersJoin, TestDeviceGrowersHalfTurn)
}
