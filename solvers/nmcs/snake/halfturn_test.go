package snake

import (
	"errors"
	"math/bits"
	"slices"
	"testing"

	"gamebots/solvers/nmcs"
	"gamebots/solvers/nmcs/snake/cube"
)

// TestDrawHalfTurn draws automorphisms that are their own inverse, of all kinds.
func TestDrawHalfTurn(t *testing.T) {
	stream := nmcs.RunKey(1, 0).Stream(0)
	for dimension := 3; dimension < cube.MaxDimension; dimension++ {
		pairs := map[int]bool{}
		for range 300 {
			turn := drawHalfTurn(dimension, &stream)
			for at := 0; at < 1<<dimension; at += 1<<dimension/512 | 1 { // some vertices of a large cube
				v := uint16(at)
				if turn.image(turn.image(v)) != v || turn.image(v) == v || turn.image(v)>>dimension != 0 {
					t.Fatalf("dimension %d, %v: %d, %d, %d", dimension, turn, v, turn.image(v), turn.image(turn.image(v)))
				}
				if apart := turn.image(v) ^ turn.image(v^1); bits.OnesCount16(apart) != 1 {
					t.Fatalf("dimension %d, %v: images of neighbours differ by %b", dimension, turn, apart)
				}
			}
			swapped := 0
			for m, name := range turn.Names[:dimension] {
				if int(name) != m {
					swapped++
				}
			}
			pairs[swapped/2] = true
		}
		if len(pairs) != (dimension-1)/2+1 {
			t.Errorf("dimension %d: %v pairs of dimensions", dimension, pairs)
		}
	}
}

// TestBeamHalfTurn finds halves of coils whose other half is their image, and other parts of them.
func TestBeamHalfTurn(t *testing.T) {
	stream := nmcs.RunKey(2, 0).Stream(0)
	found, replaced := 0, 0
	for range 20 {
		turn := drawHalfTurn(6, &stream)
		s := Settings{Rules: cube.Rules{Dimension: 6, Free: true}, Algorithm: BeamSearch, Width: 30, HalfTurn: turn}
		coil := cube.Rules{Dimension: 7, Coil: true}
		for range 10 {
			got, _, err := Beam(t.Context(), s, 2, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got == nil {
				break
			}
			whole := halves{got, turn.other(got)}.whole(coil)
			if err := cube.Check(coil, whole); err != nil || last(got) != turn.image(0) {
				t.Fatalf("%v: %v leads to %d: %v", s.HalfTurn, got, last(got), err)
			}
			if _, ok := rotationOf(coil, whole, 2); !ok {
				t.Fatalf("%v: %v does not consist of two copies", turn, whole)
			}
			if found++; s.Prime != nil && !slices.Equal(got, s.Prime) {
				replaced++
			}
			if len(got) < 8 {
				break
			}
			s.Prime, s.Replace, s.Seed = got, Window{1 + stream.Below(3), len(got) - 1 - stream.Below(3)}, s.Seed+1
		}
	}
	if found < 20 || replaced == 0 {
		t.Errorf("%d halves were found, %d with another part", found, replaced)
	}
}

func TestHalfTurnRefuses(t *testing.T) {
	turn := HalfTurn{Names: [cube.MaxDimension]uint8{1, 0, 2, 3, 4, 5}, Flips: 0b1100}
	good := Settings{Rules: cube.Rules{Dimension: 6, Free: true}, Algorithm: BeamSearch, Width: 30, HalfTurn: turn}
	if err := good.Check(); err != nil {
		t.Fatal(err)
	}
	for what, change := range map[string]func(*Settings){
		"canonical moves":  func(s *Settings) { s.Rules.Free = false },
		"a coil":           func(s *Settings) { s.Rules.Coil = true },
		"a walk to avoid":  func(s *Settings) { s.Avoid = cube.Sequence{0} },
		"one flip":         func(s *Settings) { s.HalfTurn.Flips = 0b100 },
		"a flip outside":   func(s *Settings) { s.HalfTurn.Flips = 1<<6 | 0b100 },
		"no way back":      func(s *Settings) { s.HalfTurn.Flips = 0b101 },
		"a vertex at rest": func(s *Settings) { s.HalfTurn.Flips = 0b11 },
		"no permutation":   func(s *Settings) { s.HalfTurn.Names[0] = 2 },
		"a cycle of three": func(s *Settings) {
			s.HalfTurn.Names[0], s.HalfTurn.Names[1], s.HalfTurn.Names[4] = 1, 4, 0
		},
	} {
		s := good
		if change(&s); s.Check() == nil {
			t.Errorf("%s: %v is possible", what, s.HalfTurn)
		}
	}
	for _, prime := range []cube.Sequence{{2}, {2, 3}, {4, 5, 2, 3}} { // beside the end, at it, and at the image of its second vertex
		s := good
		if s.Prime = prime; !errors.As(s.Check(), new(*cube.Fault)) {
			t.Errorf("a prime of %v: %v", prime, s.Check())
		}
	}
}
