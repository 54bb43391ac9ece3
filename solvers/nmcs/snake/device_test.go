//go:build linux

package snake_test

import (
	"context"
	"fmt"
	"reflect"
	"testing"

	"gamebots/cudalib/cudatest"
	"gamebots/internal/testkit"
	"gamebots/solvers/nmcs/snake"
)

// onCPU makes runs on the CPU.
func onCPU(t *testing.T, s snake.Settings, runs uint64) snake.Tally {
	t.Helper()
	var tally snake.Tally
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
		{snake.Settings{Dimension: 4, Level: 0, Leaf: 3}, 100, []int{1}, false},
		{snake.Settings{Dimension: 5, Level: 1, Leaf: 1}, 20, []int{1, 7}, false},
		{snake.Settings{Dimension: 4, Level: 2, Leaf: 2}, 5, []int{4}, false},
		{snake.Settings{Dimension: 5, Level: 2, Leaf: 1, Prime: snake.Sequence{0, 1, 2}},
			3, []int{0}, false},
		{snake.Settings{Dimension: 3, Level: 2, Leaf: 1, Prime: snake.Sequence{0, 1, 2, 0}}, 3,
			[]int{0}, false},
		{snake.Settings{Dimension: 4, Level: 1, Leaf: 32}, 1, nil, true},
	}
	for d := 9; d <= 13; d++ {
		cases = append(cases, struct {
			snake.Settings
			runs  uint64
			steps []int
			warps bool
		}{snake.Settings{Dimension: d, Level: 0, Leaf: 1}, 5, []int{0}, false})
	}
	if cudatest.OnGPU() {
		for d := 7; d <= 13; d++ {
			for level := range 3 {
				c := cases[0]
				c.Settings = snake.Settings{Dimension: d, Level: level, Leaf: 1}
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
		c.Seed = 5
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
				r, err := snake.NewDeviceRuns(d, c.Settings,
					snake.DeviceLayout{ByWarps: c.warps, Lanes: lanes, Steps: steps})
				if err != nil {
					t.Fatal(err)
				}
				var got snake.Tally
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

// The kernels have no races.
func TestRaces(t *testing.T) {
	testkit.SlowOnly(t)
	cudatest.Races(t, TestDeviceRuns)
}
