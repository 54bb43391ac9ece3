package records

import (
	"slices"
	"testing"

	"gamebots/solvers/nmcs/snake"
	"gamebots/solvers/nmcs/snake/cube"
)

// TestBeamCoils finds the longest coils of small cubes, which are known from exhaustive search.
func TestBeamCoils(t *testing.T) {
	for _, c := range []struct{ dimension, width, length int }{{3, 10, 6}, {4, 10, 8}, {5, 100, 14}, {6, 1000, 26},
		{7, 2000, 44}} {
		s := Settings{Settings: snake.Settings{Rules: cube.Rules{Dimension: c.dimension, Coil: true},
			Algorithm: snake.BeamSearch, Width: c.width, Seed: 1}}
		one, work, err := Beam(t.Context(), s, 1, nil)
		if err != nil || cube.Check(s.Rules, one) != nil || len(one) < c.length {
			t.Errorf("dimension %d: %d edges %v, want %d: %v", c.dimension, len(one), one, c.length, err)
		}
		three, same, err := Beam(t.Context(), s, 3, nil)
		if err != nil || work != same || !slices.Equal(one, three) {
			t.Errorf("dimension %d: %v on one thread, %v on three: %v", c.dimension, one, three, err)
		}
	}
}

// TestBeamRotations finds coils that consist of copies of one path.
func TestBeamRotations(t *testing.T) {
	for _, c := range []struct{ dimension, copies, length int }{{5, 2, 14}, {6, 2, 26}, {6, 3, 24}, {7, 2, 48},
		{7, 4, 48}, {8, 8, 80}} {
		s := Settings{Settings: snake.Settings{Rules: cube.Rules{Dimension: c.dimension, Coil: true},
			Algorithm: snake.BeamSearch, Width: 100}, Symmetry: Symmetry{Copies: c.copies}}
		longest := 0
		for s.Seed = range uint64(40) {
			found, _, err := Beam(t.Context(), s, 1, nil)
			if err != nil {
				t.Fatal(err)
			}
			if len(found) == 0 {
				continue
			}
			if err := cube.Check(s.Rules, found); err != nil {
				t.Errorf("%v: %v: %v", s, found, err)
			}
			if _, ok := rotationOf(s.Rules, found, c.copies); !ok {
				t.Errorf("%v: %v does not have the symmetry", s, found)
			}
			longest = max(longest, len(found))
		}
		if longest < c.length {
			t.Errorf("%v: %d edges, want %d", s, longest, c.length)
		}
	}
}

// TestRotationOf finds the rotation that a coil has, and none that it does not have.
func TestRotationOf(t *testing.T) {
	r := cube.Rules{Dimension: 6, Coil: true}
	coil, err := cube.ParseSequence("01234254123450125423412543")
	if err != nil || cube.Check(r, coil) != nil {
		t.Fatal(err, cube.Check(r, coil))
	}
	turns, ok := rotationOf(r, coil, 2)
	if !ok {
		t.Fatalf("%v has no rotation", coil)
	}
	for i, v := range coil.Vertices()[:13] {
		if want := coil.Vertices()[i+13]; turns.turn(v) != want || turns.turn(want) != v {
			t.Errorf("vertex %d turns to %d and %d to %d", v, turns.turn(v), want, turns.turn(want))
		}
	}
	for _, copies := range []int{3, 13, 26} {
		if _, ok := rotationOf(r, coil, copies); ok {
			t.Errorf("%v consists of %d copies", coil, copies)
		}
	}
}

func TestRotationRefuses(t *testing.T) {
	for _, s := range []Settings{
		{Settings: snake.Settings{Rules: cube.Rules{Dimension: 6, Coil: true}, Algorithm: snake.BeamSearch},
			Symmetry: Symmetry{Copies: 7}},
		{Settings: snake.Settings{Rules: cube.Rules{Dimension: 6, Coil: true}, Algorithm: snake.BeamSearch},
			Symmetry: Symmetry{Copies: 1 << 40}},
		{Settings: snake.Settings{Rules: cube.Rules{Dimension: 6}, Algorithm: snake.BeamSearch},
			Symmetry: Symmetry{Copies: 2}},
		{Settings: snake.Settings{Rules: cube.Rules{Dimension: 6, Coil: true}, Algorithm: snake.BeamSearch},
			Symmetry: Symmetry{Middle: "edge", Pairs: 2}},
		{Settings: snake.Settings{Rules: cube.Rules{Dimension: 6, Coil: true}, Algorithm: snake.NMCS, Leaf: 1},
			Symmetry: Symmetry{Copies: 2}},
	} {
		s.Width = 1
		if err := s.Check(); err == nil {
			t.Errorf("%v is possible", s)
		}
	}
}
