//go:build linux

package snake

import (
	"flag"
	"reflect"
	"testing"

	"gamebots/cudalib/cudatest"
	"gamebots/internal/parallel"
	"gamebots/solvers/nmcs/snake/cube"
)

// TestDeviceWalkers compares walks on a device and on the CPU: paths, random numbers and work.
func TestDeviceWalkers(t *testing.T) {
	device := flag.Lookup("device").Value.String() // of device_test.go
	cases := []struct {
		rules          cube.Rules
		walks, changes int
	}{
		{cube.Rules{Dimension: 3}, 5, 4},
		{cube.Rules{Dimension: 4, Coil: true}, 1, 4},
		{cube.Rules{Dimension: 5}, 1, 4},
		{cube.Rules{Dimension: 8}, 1, 2},
		{cube.Rules{Dimension: 8, Coil: true}, 1, 2},
	}
	if device != "fake" {
		for d := 3; d <= 13; d++ {
			for _, coil := range []bool{false, true} {
				cases = append(cases, struct {
					rules          cube.Rules
					walks, changes int
				}{cube.Rules{Dimension: d, Coil: coil}, 50, 2000})
			}
		}
	}
	d := cudatest.Open(t, device, "")
	for _, c := range cases {
		s := Settings{Rules: c.rules, Algorithm: Walking, Walks: c.walks, Seed: 4}
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
