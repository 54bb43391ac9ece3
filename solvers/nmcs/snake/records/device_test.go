//go:build linux

package records

import (
	"runtime"
	"slices"
	"testing"

	"gamebots/cudalib/cudatest"
	"gamebots/internal/testkit"
	"gamebots/solvers/nmcs/snake"
	"gamebots/solvers/nmcs/snake/cube"
)

// TestDeviceBeam compares beam searches for snakes that grow from their middle on a device and on
// the CPU.
func TestDeviceBeam(t *testing.T) {
	cases := []Settings{
		{Settings: snake.Settings{Rules: cube.Rules{Dimension: 4}, Width: 1},
			Symmetry: Symmetry{Middle: "vertex", Pairs: 2}},
		{Settings: snake.Settings{Rules: cube.Rules{Dimension: 3}, Width: 2},
			Symmetry: Symmetry{Middle: "edge", Pairs: 1}},
	}
	if cudatest.OnGPU() {
		for d := 6; d <= 13; d++ {
			plain := snake.Settings{Rules: cube.Rules{Dimension: d}, Width: 30_000 >> (d - 6)}
			cases = append(cases, Settings{Settings: plain, Symmetry: Symmetry{Middle: "edge", Pairs: (d - 1) / 2}})
		}
	}
	d := cudatest.Open(t, "", "snake")
	for _, s := range cases {
		s.Algorithm, s.Seed = snake.BeamSearch, 3
		t.Run(s.String(), func(t *testing.T) {
			want, wantWork, err := Beam(t.Context(), s, 2, nil)
			if err != nil {
				t.Fatal(err)
			}
			got, work, err := DeviceBeam(t.Context(), d, s, nil)
			if err != nil || !slices.Equal(got, want) || work != wantWork {
				t.Errorf("%v of %d edges, %v; want %v of %d, %v: %v", got, len(got), work, want, len(want), wantWork,
					err)
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
		s := Settings{Settings: snake.Settings{Rules: cube.Rules{Dimension: dimension}, Algorithm: HalfByHalf,
			Width: width}, Walks: 1}
		g, err := NewDeviceGrowers(d, s)
		if err != nil {
			t.Fatal(err)
		}
		grower := g.Of(dimension)[0] // narrower where a block has no room
		var both cube.Sequence
		for i := range searches {
			x := growth{rules: cube.Rules{Dimension: dimension - 1, Free: true}, width: grower.Width, seed: uint64(i),
				avoid: both}
			want, work, err := x.run(t.Context(), 1)
			if err != nil {
				t.Fatal(err)
			}
			if !cudatest.OnGPU() {
				// The last edge only: on the fake device each takes long.
				x.begin = want[:max(0, len(want)-1)]
				if want, work, err = x.run(t.Context(), 1); err != nil {
					t.Fatal(err)
				}
			}
			compare := func() {
				t.Helper()
				if got, gotWork, err := grower.grow(t.Context(), x); err != nil || !slices.Equal(got, want) ||
					gotWork != work {
					t.Errorf("dimension %d, %v: %v, %v; want %v, %v: %v", dimension, x.replace, got, gotWork, want,
						work, err)
				}
			}
			compare()
			found := want
			x.begin, x.replace = want, window{from: len(want) / 3, to: len(want)/3 + 2}
			if cudatest.OnGPU() {
				x.replace.to = len(want) * 2 / 3
			}
			if want, work, err = x.run(t.Context(), 1); err != nil {
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
	s := Settings{Settings: snake.Settings{Rules: cube.Rules{Dimension: 5}, Algorithm: HalfByHalf, Width: 3}, Walks: 1}
	g, err := NewDeviceGrowers(d, s)
	if err != nil {
		t.Fatal(err)
	}
	x := growth{rules: cube.Rules{Dimension: 4, Free: true}, width: 3}
	wide := x
	wide.width = 1000 // paths, and a block has room for 256
	for _, c := range []struct {
		growth
		fails bool
	}{{wide, true}, {wide, true}, {x, false}} {
		if got, _, err := g.Of(5)[0].grow(t.Context(), c.growth); (err != nil) != c.fails {
			t.Errorf("width %d: %v, %v", c.width, got, err)
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
		s := Settings{Settings: snake.Settings{Rules: cube.Rules{Dimension: dimension, Coil: true},
			Algorithm: HalfByHalf, Width: width}, Walks: 1}
		g, err := NewDeviceGrowers(d, s)
		if err != nil {
			t.Fatal(err)
		}
		grower := g.Of(dimension)[0] // narrower where a block has no room
		joined := 0
		if dimension > 11 {
			searches = min(searches, 5) // the CPU takes seconds for each
		}
		for i := range searches {
			x := growth{rules: cube.Rules{Dimension: dimension - 1, Free: true}, width: grower.Width, seed: i}
			other, _, err := x.run(t.Context(), threads)
			if err != nil {
				t.Fatal(err)
			}
			x.avoid, x.join = other[:max(2, len(other)*2/3-int(i))], true // a shorter one ends beside its start
			want, work, err := x.run(t.Context(), threads)
			if err != nil {
				t.Fatal(err)
			}
			if !cudatest.OnGPU() && dimension > 6 {
				// The last edges only: on the fake device each takes long.
				x.begin = want[:max(0, len(want)-4)]
				if want, work, err = x.run(t.Context(), threads); err != nil {
					t.Fatal(err)
				}
			}
			if len(want) > 0 {
				joined++
			}
			if got, gotWork, err := grower.grow(t.Context(), x); err != nil || !slices.Equal(got, want) ||
				gotWork != work {
				t.Errorf("dimension %d, search %d: %v, %v; want %v, %v: %v", dimension, i, got, gotWork, want, work,
					err)
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
	turns := []HalfTurn{ // the first dimension has no image but itself, two are swapped, and some flipped
		{Names: [cube.MaxDimension]uint8{0, 2, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11}, Flips: 0b1001},
		{Names: [cube.MaxDimension]uint8{0, 2, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11}, Flips: 0b0111},
	}
	for _, dimension := range dimensions {
		s := Settings{Settings: snake.Settings{Rules: cube.Rules{Dimension: dimension, Coil: true},
			Algorithm: HalfByHalf, Width: width}, Symmetry: Symmetry{Copies: 2}, Walks: 1}
		g, err := NewDeviceGrowers(d, s)
		if err != nil {
			t.Fatal(err)
		}
		grower := g.Of(dimension)[0] // narrower where a block has no room
		found := 0
		for i, turn := range turns {
			x := growth{rules: cube.Rules{Dimension: dimension - 1, Free: true}, width: grower.Width, seed: uint64(i),
				turn: turn}
			for _, replace := range []bool{false, true} {
				want, work, err := x.run(t.Context(), 1)
				if err != nil {
					t.Fatal(err)
				}
				if !cudatest.OnGPU() && dimension > 6 && !replace {
					// The last edges only: on the fake device each takes long.
					x.begin = want[:max(0, len(want)-4)]
					if want, work, err = x.run(t.Context(), 1); err != nil {
						t.Fatal(err)
					}
				}
				if got, gotWork, err := grower.grow(t.Context(), x); err != nil || !slices.Equal(got, want) ||
					gotWork != work {
					t.Errorf("dimension %d, %v, %v: %v, %v; want %v, %v: %v", dimension, turn, x.replace, got, gotWork,
						want, work, err)
				}
				if len(want) < 5 {
					break
				}
				found++
				x.begin, x.replace = want, window{from: len(want) / 3, to: len(want)/3 + 2}
				if cudatest.OnGPU() {
					x.replace.to = len(want) * 2 / 3
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
	cudatest.Races(t, TestDeviceBeam, TestDeviceGrowers, TestDeviceGrowersJoin, TestDeviceGrowersHalfTurn,
		TestDeviceWalkers)
}
