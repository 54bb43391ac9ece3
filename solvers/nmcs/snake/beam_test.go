package snake

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"gamebots/solvers/nmcs"
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
			if err != nil || cube.Check(s.Rules, got) != nil || len(got) != c.length || lengths != c.length || work.Steps == 0 {
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
		if got, _, err := Beam(t.Context(), s, 2, nil); err != nil || len(got) != c.length || !slices.Equal(got[:len(s.Prime)], s.Prime) {
			t.Errorf("dimension %d, primed with %v: %v %v", c.dimension, s.Prime, got, err)
		}
	}
}

// doneAfter is a context that is done after a number of calls of Err.
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
			t.Fatalf("after %d calls: %d edges after %d steps, reported %d, %v; the whole search %d after %d", calls, len(got), part.Steps, edges, err, len(all), work.Steps)
		}
		if !steps[part.Steps] {
			amid++
		}
	}
	if amid == 0 {
		t.Error("no search stopped within an edge")
	}
}

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
		s := Settings{Rules: cube.Rules{Dimension: c.dimension}, Algorithm: BeamSearch, Width: 2000, Symmetry: y}
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
		s := Settings{Rules: cube.Rules{Dimension: 8}, Algorithm: BeamSearch, Width: 1, Symmetry: y}
		if err := s.Check(); err == nil {
			t.Errorf("%v is possible in dimension 8", y)
		}
	}
}

// TestRank ranks paths that reach more vertices higher, in all dimensions.
func TestRank(t *testing.T) {
	for d := cube.MinDimension; d <= cube.MaxDimension; d++ {
		b := &beam{settings: Settings{Rules: cube.Rules{Dimension: d}}}
		for reached := 1; reached < b.settings.Rules.Vertices(); reached *= 2 {
			if b.rank(reached-1, ^uint64(0)) >= b.rank(reached, 0) {
				t.Errorf("dimension %d: %d vertices rank below %d", d, reached, reached-1)
			}
		}
	}
}

func TestHighest(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		children := make([]child, 1+rng.IntN(300))
		for i := range children {
			children[i].rank = rng.Uint64()>>rng.IntN(40)<<8 | uint64(i%256) + uint64(i/256)<<62
		}
		n := 1 + rng.IntN(len(children))
		ranks := func(c []child) []uint64 {
			var r []uint64
			for _, x := range c {
				r = append(r, x.rank)
			}
			slices.Sort(r)
			return r
		}
		all := ranks(children)
		if got := ranks(highest(children, n)); !slices.Equal(got, all[len(all)-n:]) {
			t.Fatalf("%d highest of %v: %v", n, all, got)
		}
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

// TestImprove finds longer snakes, and the same ones in the same number of tries.
func TestImprove(t *testing.T) {
	s := Settings{Rules: cube.Rules{Dimension: 8}, Algorithm: BeamSearch, Width: 10, Seed: 1}
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
