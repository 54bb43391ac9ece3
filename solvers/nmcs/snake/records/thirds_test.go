package records

import (
	"os"
	"slices"
	"testing"

	"gamebots/internal/testkit"
	"gamebots/solvers/nmcs/snake/cube"
)

// TestRegrowEnd finds the last edges of the longest snakes of small cubes again, which use their
// last dimension twice.
func TestRegrowEnd(t *testing.T) {
	for _, c := range []struct {
		dimension int
		snake     string
	}{
		{6, "01231043054013402410431534"},
		{7, "01203104210350124065042034012403504203401206104210"},
	} {
		r := cube.Rules{Dimension: c.dimension}
		whole, err := cube.ParseSequence(c.snake)
		if err != nil {
			t.Fatal(err)
		}
		for cut := range thirdCuts[0] {
			k := newWalker(newWalk(whole[:len(whole)-cut], false, nil, 0), r)
			k.regrowEnd(thirdCuts[0])
			if got := sequence(k.path, false); cube.Check(r, got) != nil || len(got) != len(whole) {
				t.Errorf("dimension %d: %d edges %v of %d without %d: %v", c.dimension, len(got), got, len(whole), cut,
					cube.Check(r, got))
			}
			if fresh := newWalker(k.walk, r); !slices.Equal(k.near, fresh.near) {
				t.Errorf("dimension %d without %d: %v; counted anew %v", c.dimension, cut, k.near, fresh.near)
			}
			if got := regrowEnds(r, whole[:len(whole)-cut]); cube.Check(r, got) != nil || len(got) < len(whole)-cut {
				t.Errorf("dimension %d without %d: %v: %v", c.dimension, cut, got, cube.Check(r, got))
			}
		}
	}
}

// TestReferenceThird finds the third part of the longest snake of dimension 9 behind its first
// two, which are a pair of halves.
func TestReferenceThird(t *testing.T) {
	for _, file := range testkit.ReferenceFiles(t, "snake/records.txt") {
		in, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		entries, err := cube.Read(in)
		in.Close()
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if e.Rules != (cube.Rules{Dimension: 9}) || len(e.Sequence) != 191 {
				continue
			}
			pair := e.Sequence[:187]
			if last := slices.Index(pair, 8); slices.Contains(pair[last+1:], 8) {
				t.Fatalf("%v is no pair of halves", pair)
			}
			if got := regrowEnds(e.Rules, pair); cube.Check(e.Rules, got) != nil || len(got) != 191 {
				t.Errorf("%d edges %v: %v", len(got), got, cube.Check(e.Rules, got))
			}
		}
	}
}
