package records

import (
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
					t.Fatalf("dimension %d, %v: %d, %d, %d", dimension, turn, v, turn.image(v),
						turn.image(turn.image(v)))
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
		s := growth{rules: cube.Rules{Dimension: 6, Free: true}, width: 30, turn: turn}
		coil := cube.Rules{Dimension: 7, Coil: true}
		for range 10 {
			got, _, err := s.run(t.Context(), 2)
			if err != nil {
				t.Fatal(err)
			}
			if got == nil {
				break
			}
			whole := halves{got, turn.other(got)}.whole(coil)
			if err := cube.Check(coil, whole); err != nil || got.Last() != turn.image(0) {
				t.Fatalf("%v: %v leads to %d: %v", s.turn, got, got.Last(), err)
			}
			if _, ok := rotationOf(coil, whole, 2); !ok {
				t.Fatalf("%v: %v does not consist of two copies", turn, whole)
			}
			if found++; s.begin != nil && !slices.Equal(got, s.begin) {
				replaced++
			}
			if len(got) < 8 {
				break
			}
			s.begin, s.replace, s.seed = got, window{1 + stream.Below(3), len(got) - 1 - stream.Below(3)}, s.seed+1
		}
	}
	if found < 20 || replaced == 0 {
		t.Errorf("%d halves were found, %d with another part", found, replaced)
	}
}
