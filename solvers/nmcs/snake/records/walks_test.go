package records

import (
	"slices"
	"testing"

	"gamebots/solvers/nmcs"
	"gamebots/solvers/nmcs/snake"
	"gamebots/solvers/nmcs/snake/cube"
)

// onThreads walks on the CPU, and returns the longest after each round.
func onThreads(
	t *testing.T, s Settings, starts []cube.Sequence, rounds uint64, threads int,
) (found []cube.Sequence, work nmcs.Work) {
	t.Helper()
	walked, err := Walk(t.Context(), s, starts, rounds, threads, CPUWalkers(s.Rules, threads),
		func(longest cube.Sequence, w nmcs.Work) {
			if err := cube.Check(s.Rules, longest); err != nil {
				t.Errorf("%v: %v: %v", s, longest, err)
			}
			found = append(found, longest)
			work.Add(w)
		})
	if err != nil {
		t.Fatalf("%v: %v", s, err)
	}
	longest := slices.MaxFunc(walked, func(x, y cube.Sequence) int { return len(x) - len(y) })
	if len(walked) != s.Walks || !slices.Equal(longest, found[rounds-1]) {
		t.Errorf("%v: %d walks, the longest %v, want %v", s, len(walked), longest, found[rounds-1])
	}
	return found, work
}

// TestWalk finds the longest snakes and coils of small cubes, which are known from exhaustive
// search, from nothing, and the same ones on any number of threads.
func TestWalk(t *testing.T) {
	for _, c := range []struct {
		rules  cube.Rules
		copies int
		length int
	}{
		{cube.Rules{Dimension: 3}, 0, 4}, {cube.Rules{Dimension: 4}, 0, 7}, {cube.Rules{Dimension: 5}, 0, 13},
		{cube.Rules{Dimension: 6}, 0, 26},
		{cube.Rules{Dimension: 3, Coil: true}, 0, 6}, {cube.Rules{Dimension: 4, Coil: true}, 0, 8},
		{cube.Rules{Dimension: 5, Coil: true}, 0, 14}, {cube.Rules{Dimension: 6, Coil: true}, 0, 26},
		{cube.Rules{Dimension: 7, Coil: true}, 4, 48},
	} {
		s := Settings{Settings: snake.Settings{Rules: c.rules, Algorithm: Walking, Seed: 3},
			Symmetry: Symmetry{Copies: c.copies}, Walks: 2}
		one, work := onThreads(t, s, nil, 3, 1)
		three, same := onThreads(t, s, nil, 3, 3)
		if len(one) != 3 || len(one[2]) != c.length || work.Playouts != 6*roundChanges {
			t.Errorf("%v: %d rounds, at last %d edges; %v", s, len(one), len(one[2]), work)
		}
		if !slices.EqualFunc(one, three, slices.Equal[cube.Sequence]) || work != same {
			t.Errorf("%v: %v on one thread, %v on three", s, one, three)
		}
	}
}

// TestWalkGrows lets the shortest coils grow where most of the cube is empty.
func TestWalkGrows(t *testing.T) {
	s := Settings{Settings: snake.Settings{Rules: cube.Rules{Dimension: 9, Coil: true}, Algorithm: Walking}, Walks: 2}
	found, _ := onThreads(t, s, nil, 3, 2)
	if got := len(found[2]); got < 100 {
		t.Errorf("%d edges", got)
	}
}

// TestWalkFrom walks from a given snake and makes it longer.
func TestWalkFrom(t *testing.T) {
	beam := Settings{Settings: snake.Settings{Rules: cube.Rules{Dimension: 8}, Algorithm: snake.BeamSearch, Width: 20}}
	start, _, err := Beam(t.Context(), beam, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := Settings{Settings: snake.Settings{Rules: beam.Rules, Algorithm: Walking}, Walks: 2}
	found, _ := onThreads(t, s, []cube.Sequence{start}, 5, 2)
	if got := len(found[4]); got <= len(start) {
		t.Errorf("%d edges, from %d", got, len(start))
	}
	for i := range 4 {
		if len(found[i]) < len(start) || len(found[i+1]) < len(found[i]) {
			t.Errorf("%d edges after %d", len(found[i+1]), len(found[i]))
		}
	}
}

// TestWalkerChange checks after each change that the path is a snake or a coil, and that the
// counts of the walker are those of its path.
func TestWalkerChange(t *testing.T) {
	for _, s := range []Settings{
		{Settings: snake.Settings{Rules: cube.Rules{Dimension: 3}}},
		{Settings: snake.Settings{Rules: cube.Rules{Dimension: 5}}},
		{Settings: snake.Settings{Rules: cube.Rules{Dimension: 7}}},
		{Settings: snake.Settings{Rules: cube.Rules{Dimension: 4, Coil: true}}},
		{Settings: snake.Settings{Rules: cube.Rules{Dimension: 7, Coil: true}}},
		{Settings: snake.Settings{Rules: cube.Rules{Dimension: 6, Coil: true}}, Symmetry: Symmetry{Copies: 2}},
		{Settings: snake.Settings{Rules: cube.Rules{Dimension: 7, Coil: true}}, Symmetry: Symmetry{Copies: 3}},
		{Settings: snake.Settings{Rules: cube.Rules{Dimension: 8, Coil: true}}, Symmetry: Symmetry{Copies: 4}},
	} {
		r := s.Rules
		s.Seed = 2
		w, err := s.newWalk(t.Context(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		k := newWalker(w, r)
		for range 3000 {
			k.change()
			if err := cube.Check(r, sequence(k.rotation.whole(k.path), r.Coil)); err != nil {
				t.Fatalf("%v: %v: %v", r, k.path, err)
			}
			fresh := newWalker(k.walk, r)
			if !slices.Equal(k.near, fresh.near) || k.room != fresh.room {
				t.Fatalf("%v: after %v: %d room, %v; counted anew %d, %v", r, k.path, k.room, k.near, fresh.room,
					fresh.near)
			}
		}
	}
}

// TestWalkRareCoils walks although a tenth of the walks find no coil to begin with.
func TestWalkRareCoils(t *testing.T) {
	s := Settings{Settings: snake.Settings{Rules: cube.Rules{Dimension: 8, Coil: true}, Algorithm: Walking},
		Symmetry: Symmetry{Copies: 16}, Walks: 20}
	without := 0
	for i := range s.Walks {
		w, err := s.newWalk(t.Context(), nil, i)
		if err != nil {
			t.Fatal(err)
		}
		if w.path == nil {
			without++
		}
	}
	if without == 0 || without == s.Walks {
		t.Fatalf("%d of %d walks find no coil", without, s.Walks)
	}
	if found, _ := onThreads(t, s, nil, 1, 2); len(found) != 1 {
		t.Errorf("%d rounds", len(found))
	}
	none := []*walk{{}, {}}
	if err := s.fillWalks(none); err == nil {
		t.Error("walks without a coil begin")
	}
	coil := &walk{path: []uint16{0, 1}}
	for _, walks := range [][]*walk{{{}, coil, {}}, {coil, {}, {}}, {{}, {}, coil}} {
		if err := s.fillWalks(walks); err != nil ||
			slices.ContainsFunc(walks, func(w *walk) bool { return !slices.Equal(w.path, coil.path) }) {
			t.Errorf("%v: %v", walks, err)
		}
	}
}

// TestWalkStops stops a search that still looks for the coils to begin at.
func TestWalkStops(t *testing.T) {
	s := Settings{Settings: snake.Settings{Rules: cube.Rules{Dimension: 7, Coil: true}, Algorithm: Walking}, Walks: 2,
		Symmetry: Symmetry{Copies: 2}}
	for calls := range 10 {
		_, err := Walk(&doneAfter{t.Context(), calls}, s, nil, 1, 1, CPUWalkers(s.Rules, 1),
			func(cube.Sequence, nmcs.Work) {
				t.Error("a round was made")
			})
		if err != nil {
			t.Errorf("after %d calls: %v", calls, err)
		}
	}
}

func TestWalkRefuses(t *testing.T) {
	short := cube.Sequence{0, 1, 2, 0}
	for _, s := range []Settings{
		{Settings: snake.Settings{Rules: cube.Rules{Dimension: 2}}, Walks: 1},
		{Settings: snake.Settings{Rules: cube.Rules{Dimension: 7}}},
		{Settings: snake.Settings{Rules: cube.Rules{Dimension: 7}}, Walks: MaxWalks + 1},
		{Settings: snake.Settings{Rules: cube.Rules{Dimension: 3}, Prime: cube.Sequence{0, 1, 0}}, Walks: 1},
		{Settings: snake.Settings{Rules: cube.Rules{Dimension: 3, Coil: true}, Prime: short}, Walks: 1},
	} {
		s.Algorithm = Walking
		if err := s.Check(); err == nil {
			t.Errorf("%v is possible", s)
		}
	}
	if err := (Settings{Settings: snake.Settings{Rules: cube.Rules{Dimension: 3}, Algorithm: Walking, Prime: short},
		Walks: 1}).Check(); err != nil {
		t.Errorf("a walk from a snake: %v", err)
	}
}
