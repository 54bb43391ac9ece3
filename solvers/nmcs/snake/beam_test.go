package snake

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"gamebots/solvers/nmcs/snake/cube"
)

// TestBeam finds the longest snakes of small cubes, which are known from exhaustive search.
func TestBeam(t *testing.T) {
	for _, c := range []struct{ dimension, width, length int }{
		{3, 10, 4}, {4, 10, 7}, {5, 100, 13}, {6, 5000, 26},
	} {
		s := Settings{Rules: cube.Rules{Dimension: c.dimension}, Algorithm: BeamSearch, Width: c.width, Seed: 1}
		var want cube.Sequence
		for _, threads := range []int{1, 3} {
			lengths := 0
			got, work, err := Beam(t.Context(), s, threads, func(p BeamProgress) { lengths = p.Length })
			if err != nil || cube.Check(s.Rules, got) != nil || len(got) != c.length || lengths != c.length ||
				work.Steps == 0 {
				t.Errorf("dimension %d: %d edges %v: %v", c.dimension, len(got), got, err)
			}
			if want == nil {
				want = got
			}
			if !slices.Equal(got, want) {
				t.Errorf("dimension %d: %v on %d threads, %v on one", c.dimension, got, threads, want)
			}
		}
		// Primed with the beginning of its result, it finds as much.
		s.Prime = want[:len(want)/2]
		if got, _, err := Beam(t.Context(), s, 2, nil); err != nil || len(got) != c.length ||
			!slices.Equal(got[:len(s.Prime)], s.Prime) {
			t.Errorf("dimension %d, primed with %v: %v %v", c.dimension, s.Prime, got, err)
		}
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

// TestBeamStops stops a search in the middle of an edge: it returns the snake without it.
func TestBeamStops(t *testing.T) {
	s := Settings{Rules: cube.Rules{Dimension: 8}, Algorithm: BeamSearch, Width: 3000, Seed: 1}
	steps := map[uint64]bool{0: true} // after each edge
	all, work, err := Beam(t.Context(), s, 1, func(p BeamProgress) { steps[p.Work.Steps] = true })
	if err != nil {
		t.Fatal(err)
	}
	amid := 0
	for calls := 0; calls < 300; calls += 7 {
		edges := 0
		got, part, err := Beam(&doneAfter{t.Context(), calls}, s, 1, func(p BeamProgress) { edges = p.Length })
		if err != nil || len(got) != edges || edges >= len(all) || part.Steps >= work.Steps {
			t.Fatalf("after %d calls: %d edges after %d steps, reported %d, %v; the whole search %d after %d", calls,
				len(got), part.Steps, edges, err, len(all), work.Steps)
		}
		if !steps[part.Steps] {
			amid++
		}
	}
	if amid == 0 {
		t.Error("no search stopped within an edge")
	}
}

func BenchmarkBeam(b *testing.B) {
	for _, c := range []struct{ dimension, width int }{{7, 20000}, {8, 20000}, {9, 5000}} {
		b.Run(fmt.Sprint(c.dimension, c.width), func(b *testing.B) {
			s := Settings{Rules: cube.Rules{Dimension: c.dimension}, Algorithm: BeamSearch, Width: c.width, Seed: 1}
			var got cube.Sequence
			for b.Loop() {
				got, _, _ = Beam(b.Context(), s, 1, nil)
			}
			b.ReportMetric(float64(len(got)), "edges")
		})
	}
}
