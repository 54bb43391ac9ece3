package records

import (
	"context"
	"slices"
	"testing"

	"gamebots/solvers/nmcs"
	"gamebots/solvers/nmcs/snake"
	"gamebots/solvers/nmcs/snake/cube"
)

// TestBeamSymmetric finds snakes whose halves are images of each other.
func TestBeamSymmetric(t *testing.T) {
	for _, c := range []struct {
		dimension int
		symmetry  string
		length    int // the longest, or what is found
	}{{3, "vertex:1", 4}, {4, "edge:1", 7}, {6, "vertex:3", 26}, {7, "edge:3", 47}, {8, "vertex:4", 90}} {
		y, err := ParseSymmetry(c.symmetry)
		if err != nil {
			t.Fatal(err)
		}
		s := Settings{Settings: snake.Settings{Rules: cube.Rules{Dimension: c.dimension}, Algorithm: snake.BeamSearch,
			Width: 2000}, Symmetry: y}
		got, _, err := Beam(t.Context(), s, 2, nil)
		if err != nil || len(got) < c.length {
			t.Errorf("dimension %d, %v: %d edges %v, want %d: %v", c.dimension, y, len(got), got, c.length, err)
		}
		if err := cube.Check(s.Rules, got); err != nil {
			t.Errorf("dimension %d, %v: %v", c.dimension, y, err)
		}
		back := slices.Clone(got)
		slices.Reverse(back)
		if !slices.Equal(back.Canonical(), got) {
			t.Errorf("dimension %d, %v: %v is not the same from its other end", c.dimension, y, got)
		}
	}
	for _, text := range []string{"edge", "edge:-1", "face:1", "edge:x"} {
		if y, err := ParseSymmetry(text); err == nil {
			t.Errorf("%q is %v", text, y)
		}
	}
	for _, y := range []Symmetry{{Middle: "edge", Pairs: 4}, {Middle: "vertex"}, {Middle: "vertex", Pairs: 5}} {
		s := Settings{Settings: snake.Settings{Rules: cube.Rules{Dimension: 8}, Algorithm: snake.BeamSearch, Width: 1},
			Symmetry: y}
		if err := s.Check(); err == nil {
			t.Errorf("%v is possible in dimension 8", y)
		}
	}
}

// TestImprove finds longer snakes, and the same ones in the same number of tries.
func TestImprove(t *testing.T) {
	s := Settings{
		Settings: snake.Settings{Rules: cube.Rules{Dimension: 8}, Algorithm: snake.BeamSearch, Width: 10, Seed: 1},
	}
	beam := func(_ context.Context, s Settings) (cube.Sequence, nmcs.Work, error) {
		return Beam(t.Context(), s, 2, nil)
	}
	start, _, err := beam(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	improve := func() (all []int, best cube.Sequence) {
		err := Improve(t.Context(), s, start, 60, beam, func(found cube.Sequence, _ nmcs.Work) {
			if err := cube.Check(s.Rules, found); err != nil {
				t.Error(err)
			}
			if all = append(all, len(found)); len(found) > len(best) {
				best = found
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		return all, best
	}
	all, best := improve()
	again, _ := improve()
	if len(best) <= len(start) || len(all) != 60 || !slices.Equal(all, again) {
		t.Errorf("from %d edges to %d: %v, %v", len(start), len(best), all, again)
	}
}

// doneAfter is a context that is done after left calls of Err.
type doneAfter struct {
	context.Context
	left int
}

func (d *doneAfter) Err() error {
	if d.left--; d.left < 0 {
		return context.Canceled
	}
	return nil
}
