//go:build linux

package records

import (
	"reflect"
	"testing"

	"gamebots/cudalib/cudatest"
	"gamebots/internal/parallel"
	"gamebots/solvers/nmcs/snake"
	"gamebots/solvers/nmcs/snake/cube"
)

// TestDeviceWalkers compares walks on a device and on the CPU: paths, random numbers and work.
func TestDeviceWalkers(t *testing.T) {
	type walks struct {
		rules                  cube.Rules
		copies, walks, changes int
	}
	cases := []walks{
		{cube.Rules{Dimension: 3}, 0, 5, 4},
		{cube.Rules{Dimension: 4, Coil: true}, 0, 1, 4},
		{cube.Rules{Dimension: 5}, 0, 1, 4},
		{cube.Rules{Dimension: 8}, 0, 1, 2},
		{cube.Rules{Dimension: 8, Coil: true}, 0, 1, 2},
		{cube.Rules{Dimension: 6, Coil: true}, 2, 3, 4},
		{cube.Rules{Dimension: 7, Coil: true}, 3, 2, 4},
		{cube.Rules{Dimension: 7, Coil: true}, 4, 2, 4},
	}
	if cudatest.OnGPU() {
		for d := 3; d <= 13; d++ {
			cases = append(cases, walks{cube.Rules{Dimension: d}, 0, 50, 2000},
				walks{cube.Rules{Dimension: d, Coil: true}, 0, 50, 2000})
		}
		for d := 7; d <= 11; d++ {
			cases = append(cases, walks{cube.Rules{Dimension: d, Coil: true}, 2, 20, 1000},
				walks{cube.Rules{Dimension: d, Coil: true}, 4, 20, 1000})
		}
	}
	d := cudatest.Open(t, "", "snake")
	for _, c := range cases {
		s := Settings{Settings: snake.Settings{Rules: c.rules, Algorithm: Walking, Seed: 4},
			Symmetry: Symmetry{Copies: c.copies}, Walks: c.walks}
		t.Run(s.String(), func(t *testing.T) {
			var want, got []*walk
			for i := range c.walks {
				for _, walks := range []*[]*walk{&want, &got} {
					w, err := s.newWalk(t.Context(), nil, i)
					if err != nil {
						t.Fatal(err)
					}
					*walks = append(*walks, w)
				}
			}
			w, err := NewDeviceWalkers(d, s)
			if err != nil {
				t.Fatal(err)
			}
			for range 2 {
				parallel.For(2, c.walks, func(_, i int) { want[i].change(t.Context(), c.rules, c.changes) })
				if err := w.change(got, c.changes); err != nil {
					t.Fatal(err)
				}
				for i := range want {
					if !reflect.DeepEqual(got[i], want[i]) {
						t.Fatalf("walk %d: %v, want %v", i, got[i], want[i])
					}
				}
			}
			if err := w.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}
