package records

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"testing"
	"time"

	"gamebots/solvers/nmcs"
	"gamebots/solvers/nmcs/snake"
	"gamebots/solvers/nmcs/snake/cube"
)

// growers returns growers of some widths on the CPU.
func growers(widths ...int) Growers {
	var all []Grower
	for _, width := range widths {
		all = append(all, CPUGrower(width))
	}
	return func(int) []Grower { return all }
}

// TestBeamAvoids finds a snake that does not enter the vertices to avoid.
func TestBeamAvoids(t *testing.T) {
	walk, err := cube.ParseSequence("012310430540")
	if err != nil {
		t.Fatal(err)
	}
	s := growth{rules: cube.Rules{Dimension: 6, Free: true}, width: 100, avoid: walk}
	got, _, err := s.run(t.Context(), 2)
	if err != nil || len(got) < 5 || cube.Check(s.rules, got) != nil {
		t.Fatalf("%v: %v", got, err)
	}
	joined := halves{walk, got}.whole(cube.Rules{Dimension: 7})
	if err := cube.Check(cube.Rules{Dimension: 7}, joined); err != nil {
		t.Errorf("%v and %v do not make a snake: %v", walk, got, err)
	}
}

// TestHalves finds snakes, and the same ones again.
func TestHalves(t *testing.T) {
	const tries = 60
	for _, c := range []struct{ dimension, length, calls int }{{4, 7, tries}, {6, 25, tries}, {7, 45, tries},
		{10, 310, 3 * tries}} {
		s := Settings{Settings: snake.Settings{Rules: cube.Rules{Dimension: c.dimension}, Algorithm: HalfByHalf,
			Width: 20, Seed: 3}, Walks: 1}
		var want cube.Sequence
		for range 2 {
			best, calls := cube.Sequence(nil), 0
			err := Halves(t.Context(), s, HalvesLimits{Tries: tries}, growers(20), nil,
				func(found cube.Sequence, _ nmcs.Work) {
					if calls++; len(found) > len(best) {
						best = found
					}
					if found != nil && cube.Check(s.Rules, found) != nil {
						t.Fatalf("dimension %d: %v: %v", c.dimension, found, cube.Check(s.Rules, found))
					}
				})
			if err != nil || len(best) < c.length || calls != c.calls {
				t.Errorf("dimension %d: %d edges %v of %d, want %d: %v", c.dimension, len(best), best, calls, c.length,
					err)
			}
			if want != nil && !slices.Equal(want, best) {
				t.Errorf("dimension %d: %v, then %v", c.dimension, want, best)
			}
			want = best
		}
	}
}

// TestHalvesBatch makes several beam searches for a snake at the same time, and finds the same snakes
// again.
func TestHalvesBatch(t *testing.T) {
	const tries, together = 90, 4
	grower := CPUGrower(20)
	grower.Batch = together
	s := Settings{
		Settings: snake.Settings{Rules: cube.Rules{Dimension: 7}, Algorithm: HalfByHalf, Width: 20, Seed: 3}, Walks: 1,
	}
	var want []cube.Sequence
	for range 2 {
		var got []cube.Sequence
		err := Halves(t.Context(), s, HalvesLimits{Tries: tries}, func(int) []Grower { return []Grower{grower} }, nil,
			func(found cube.Sequence, _ nmcs.Work) {
				got = append(got, found)
			})
		if err != nil || len(got) != tries {
			t.Errorf("%d searches, want %d: %v", len(got), tries, err)
		}
		if want != nil && !reflect.DeepEqual(got, want) {
			t.Errorf("found %v, then %v", want, got)
		}
		want = got
	}
	c := &halvesChain{halvesSearch: &halvesSearch{rules: s.Rules}, grower: grower, stream: nmcs.RunKey(3, 0).Stream(7)}
	seeds := map[uint64]bool{}
	for _, try := range c.regrow(t.Context(), halves{{0, 1, 2}}, 1, HalfTurn{}) {
		seeds[try.seed] = true
	}
	if len(seeds) != together || c.tried != together {
		t.Errorf("%d searches with %d seeds, want %d", c.tried, len(seeds), together)
	}
}

// TestHalvesFails ends all chains if one has an error.
func TestHalvesFails(t *testing.T) {
	want := errors.New("no room on the device")
	fails := func(context.Context, growth) (cube.Sequence, nmcs.Work, error) { return nil, nmcs.Work{}, want }
	waits := func(ctx context.Context, _ growth) (cube.Sequence, nmcs.Work, error) {
		<-ctx.Done()
		return nil, nmcs.Work{}, nil
	}
	s := Settings{Settings: snake.Settings{Rules: cube.Rules{Dimension: 5}, Algorithm: HalfByHalf, Width: 2}, Walks: 1}
	err := Halves(t.Context(), s, HalvesLimits{},
		func(int) []Grower { return []Grower{{Width: 2, grow: waits}, {Width: 2, grow: fails}} }, nil,
		func(cube.Sequence, nmcs.Work) {})
	if !errors.Is(err, want) {
		t.Errorf("%v, want %v", err, want)
	}
}

// TestHalvesCoils finds coils, the longest possible up to dimension 6, and coils of two copies.
func TestHalvesCoils(t *testing.T) {
	for _, c := range []struct {
		dimension int
		tries     uint64
		copies    int
		length    int
	}{
		{4, 60, 0, 8}, {5, 60, 0, 14}, {6, 800, 0, 26}, {7, 400, 0, 46}, {10, 60, 0, 310},
		{4, 60, 2, 8}, {5, 60, 2, 12}, {6, 400, 2, 24}, {7, 400, 2, 44}, {10, 60, 2, 280},
	} {
		s := Settings{Settings: snake.Settings{Rules: cube.Rules{Dimension: c.dimension, Coil: true},
			Algorithm: HalfByHalf, Width: 20, Seed: 3}, Symmetry: Symmetry{Copies: c.copies}, Walks: 1}
		longest := 0
		err := Halves(t.Context(), s, HalvesLimits{Tries: c.tries}, growers(20), nil,
			func(found cube.Sequence, _ nmcs.Work) {
				longest = max(longest, len(found))
				if found == nil {
					return
				}
				if err := cube.Check(s.Rules, found); err != nil {
					t.Fatalf("dimension %d: %v: %v", c.dimension, found, err)
				}
				if _, ok := rotationOf(s.Rules, found, c.copies); !ok {
					t.Fatalf("dimension %d: %v does not consist of %d copies", c.dimension, found, c.copies)
				}
			})
		if err != nil || longest < c.length {
			t.Errorf("dimension %d, %d copies: %d edges, want %d: %v", c.dimension, c.copies, longest, c.length, err)
		}
	}
}

// TestBeamJoins finds a path between the ends of another one that makes a coil with it.
func TestBeamJoins(t *testing.T) {
	walk, err := cube.ParseSequence("012310430540")
	if err != nil {
		t.Fatal(err)
	}
	s := growth{rules: cube.Rules{Dimension: 6, Free: true}, width: 100, avoid: walk, join: true}
	got, _, err := s.run(t.Context(), 2)
	whole := halves{walk, got}.whole(cube.Rules{Dimension: 7, Coil: true})
	if err != nil || len(got) < 10 || cube.Check(cube.Rules{Dimension: 7, Coil: true}, whole) != nil {
		t.Fatalf("%v: %v, %v", got, cube.Check(cube.Rules{Dimension: 7, Coil: true}, whole), err)
	}
	s.rules.Dimension, s.avoid = 3, cube.Sequence{0, 1, 0, 0, 2, 0, 0, 1, 1} // all neighbours of vertex 7
	if got, _, err := s.run(t.Context(), 1); got != nil || err != nil {
		t.Errorf("%v leads to a vertex whose neighbours are to be avoided: %v", got, err)
	}
}

// TestBeamReplaces finds other parts of a snake, also beside a walk to avoid: what stays has the same
// vertices, and a wide beam finds parts that are no shorter.
func TestBeamReplaces(t *testing.T) {
	whole, _, err := Beam(t.Context(),
		Settings{Settings: snake.Settings{Rules: cube.Rules{Dimension: 7}, Algorithm: snake.BeamSearch, Width: 30}}, 2,
		nil)
	if err != nil {
		t.Fatal(err)
	}
	crosses := func(walk, snake cube.Sequence) bool {
		return slices.ContainsFunc(walk.Vertices()[1:],
			func(v uint16) bool { return slices.Contains(snake.Vertices()[1:], v) })
	}
	walk := cube.Sequence{0}
	for n := uint8(0); crosses(walk, whole); n++ {
		walk = cube.Sequence{n % 7, n / 7 % 7, n / 49}
	}
	other, beside := 0, 0
	for from := range len(whole) - 20 {
		s := growth{
			rules: cube.Rules{Dimension: 7, Free: true}, width: 300, begin: whole, replace: window{from, from + 12},
		}
		got, _, err := s.run(t.Context(), 1)
		if err != nil || len(got) < len(whole) || cube.Check(s.rules, got) != nil {
			t.Fatalf("%v: %v: %v, %v", s.replace, got, cube.Check(s.rules, got), err)
		}
		end := whole[s.replace.to:]
		if !slices.Equal(got[:from], whole[:from]) || !slices.Equal(got[len(got)-len(end):], end) ||
			got.Last() != whole.Last() {
			t.Fatalf("%v: %v replaces more of %v", s.replace, got, whole)
		}
		if !slices.Equal(got, whole) {
			other++
		}
		s.avoid = walk
		got, _, err = s.run(t.Context(), 1)
		if err != nil {
			t.Fatal(err)
		}
		if got == nil {
			continue
		}
		if beside++; cube.Check(s.rules, got) != nil || crosses(walk, got) {
			t.Fatalf("%v beside %v: %v", s.replace, walk, got)
		}
	}
	if other == 0 || beside == 0 {
		t.Errorf("%d parts were replaced by others, %d beside a walk", other, beside)
	}
}

// TestHalvesStopped keeps nothing of beams in the whole cube that were stopped before they began.
func TestHalvesStopped(t *testing.T) {
	r := cube.Rules{Dimension: 3}
	h := &halvesSearch{settings: Settings{Settings: snake.Settings{Rules: r}}, rules: r,
		onFound: func(cube.Sequence, nmcs.Work) {}}
	h.pool = &h.pools[3]
	c := &halvesChain{halvesSearch: h,
		grower: Grower{Width: 1, grow: func(context.Context, growth) (cube.Sequence, nmcs.Work, error) {
			return nil, nmcs.Work{}, nil
		}}}
	if err := c.extend(t.Context(), cube.Sequence{0, 1, 2, 0}, 0); err != nil || h.pool.longest > 0 {
		t.Errorf("%v: %v", h.pool.all(), err)
	}
}

func TestHalvesRefuses(t *testing.T) {
	for _, s := range []Settings{
		{Settings: snake.Settings{Rules: cube.Rules{Dimension: 3}, Width: 1}},
		{Settings: snake.Settings{Rules: cube.Rules{Dimension: 8}, Width: 0}},
		{Settings: snake.Settings{Rules: cube.Rules{Dimension: 4}, Width: 1, Prime: cube.Sequence{0, 1, 2, 3}}},
		{Settings: snake.Settings{Rules: cube.Rules{Dimension: 8}, Width: 1}, Symmetry: Symmetry{Copies: 2}},
		{Settings: snake.Settings{Rules: cube.Rules{Dimension: 8, Coil: true}, Width: 1},
			Symmetry: Symmetry{Copies: 4}},
	} {
		s.Algorithm, s.Walks = HalfByHalf, 1
		if err := s.Check(); err == nil {
			t.Errorf("%v is possible", s)
		}
	}
}

// newWalkers returns a NewWalkers that returns the same walkers each time.
func newWalkers(w Walkers) NewWalkers {
	return func(Settings) (Walkers, func() error, error) { return w, func() error { return nil }, nil }
}

// TestHalvesOf splits snakes and coils into halves and joins them again.
func TestHalvesOf(t *testing.T) {
	for _, c := range []struct {
		rules cube.Rules
		whole string
		halve bool
	}{
		{cube.Rules{Dimension: 3}, "0120", true},
		{cube.Rules{Dimension: 4}, "0120310", true},
		{cube.Rules{Dimension: 6}, "01231043054013402410431534", false}, // uses every dimension twice
		{cube.Rules{Dimension: 3, Coil: true}, "012012", true},
		{cube.Rules{Dimension: 4, Coil: true}, "01230123", true},
	} {
		whole, err := cube.ParseSequence(c.whole)
		if err != nil {
			t.Fatal(err)
		}
		h := halvesOf(c.rules, whole)
		if h[1] == nil {
			if c.halve {
				t.Errorf("%v %v has no halves", c.rules, whole)
			}
			continue
		}
		joined := h.whole(c.rules)
		if err := cube.Check(c.rules, joined); err != nil || !c.halve || len(joined) != len(whole) ||
			!c.rules.Coil && !slices.Equal(joined, whole) {
			t.Errorf("%v: halves %v of %v make %v: %v", c.rules, h, whole, joined, err)
		}
		for _, half := range h {
			if slices.Contains(half, uint8(c.rules.Dimension-1)) {
				t.Errorf("%v: half %v of %v uses the last dimension", c.rules, half, whole)
			}
		}
	}
}

// TestHalvesSweeps searches all dimensions in each of three sweeps. The walks of later ones begin at the
// longest snake that walks found before, and make other changes.
func TestHalvesSweeps(t *testing.T) {
	const sweeps = 3
	// A snake that is long for beams of width 2.
	const long = "01231043123015312304216543021304325430421403460713215043021304325421346140325034" +
		"02310430250340861523" +
		"104312301504654302130432543042140346134031703401240341643045604301230431061254230425432134"
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	s := Settings{
		Settings: snake.Settings{Rules: cube.Rules{Dimension: 9}, Algorithm: HalfByHalf, Width: 2, Seed: 3}, Walks: 2,
	}
	var dimensions []int
	one := growers(2)
	growers := func(dimension int) []Grower {
		dimensions = append(dimensions, dimension)
		return one(dimension)
	}
	walked, err := cube.ParseSequence(long)
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	streams := map[nmcs.Stream]bool{}
	walkers := func(ctx context.Context, walks []*walk) error {
		if start := sequence(walks[0].path, false); calls > 0 && !slices.Equal(start, walked) {
			t.Errorf("walks begin at %v, want %v", start, walked)
		}
		walks[0].longest = walked.Vertices() // as if they had found it
		for _, w := range walks {
			streams[w.stream] = true
		}
		if calls++; calls == sweeps {
			stop()
		}
		<-ctx.Done() // the end of the sweep
		return nil
	}
	err = Halves(ctx, s, HalvesLimits{Stage: 100 * time.Millisecond}, growers, newWalkers(walkers),
		func(cube.Sequence, nmcs.Work) {})
	if err != nil || len(streams) != sweeps*s.Walks {
		t.Errorf("%d different walks in %d sweeps: %v", len(streams), sweeps, err)
	}
	for i, dimension := range dimensions {
		if want := 8 + i%2; dimension != want {
			t.Errorf("dimensions %v are searched", dimensions)
			break
		}
	}
}

// TestHalvesWalk lets the snakes walk that are to be halves of a coil. What they become is no coil, and
// joins them, with its own halves.
func TestHalvesWalk(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	short, long := cube.Sequence{0, 1, 2, 0}, cube.Sequence{0, 1, 2, 0, 3}
	below := cube.Rules{Dimension: firstWalks}
	newWalkers := func(s Settings) (Walkers, func() error, error) {
		if s.Rules != below {
			t.Errorf("walks in %v, want %v", s.Rules, below)
		}
		return func(_ context.Context, walks []*walk) error {
			if start := sequence(walks[0].path, false); !slices.Equal(start, short) {
				t.Errorf("walks begin at %v, want %v", start, short)
			}
			walks[0].longest = long.Vertices()
			stop()
			return nil
		}, func() error { return nil }, nil
	}
	h := halvesSearch{
		settings: Settings{Settings: snake.Settings{Rules: cube.Rules{Dimension: firstWalks + 1, Coil: true},
			Algorithm: HalfByHalf, Width: 1}, Walks: 2},
		walkers: newWalkers, rules: below, pool: &pool{},
	}
	calls := 0
	h.onFound = func(found cube.Sequence, _ nmcs.Work) {
		if calls++; found != nil {
			t.Errorf("%v is reported", found)
		}
	}
	h.pool.add(pooled{whole: short})
	if err := h.walk(ctx, firstWalks); err != nil || calls != 1 {
		t.Errorf("%d reports: %v", calls, err)
	}
	got := h.pool.all()[0]
	if whole := got.halves.whole(below); !slices.Equal(got.whole, long) || !slices.Equal(whole, long) {
		t.Errorf("the longest is %v, with halves of %v; want %v", got.whole, whole, long)
	}
}

// TestHalvesStages counts the dimensions of a sweep and their walks.
func TestHalvesStages(t *testing.T) {
	for _, c := range []struct{ dimension, from, stages int }{
		{6, 6, 2}, {9, 8, 3}, {9, 9, 2}, {10, 8, 4}, {11, 8, 5}, {12, 8, 7}, {12, 12, 2}, {13, 8, 9}, {13, 11, 6},
	} {
		h := halvesSearch{settings: Settings{Settings: snake.Settings{Rules: cube.Rules{Dimension: c.dimension}}}}
		if got := h.stages(c.from); int(got) != c.stages {
			t.Errorf("from dimension %d to %d: %d stages, want %d", c.from, c.dimension, got, c.stages)
		}
	}
}

// TestHalvesChains runs several chains, in several sweeps.
func TestHalvesChains(t *testing.T) {
	for _, c := range []struct {
		rules cube.Rules
		least int
	}{{cube.Rules{Dimension: 6}, 24}, {cube.Rules{Dimension: 6, Coil: true}, 22}} {
		s := Settings{Settings: snake.Settings{Rules: c.rules, Algorithm: HalfByHalf, Width: 10}, Walks: 3}
		ctx, stop := context.WithTimeout(t.Context(), 200*time.Millisecond)
		defer stop()
		best := 0
		err := Halves(ctx, s, HalvesLimits{Stage: 20 * time.Millisecond}, growers(10, 5, 3),
			newWalkers(CPUWalkers(c.rules, 1)), func(found cube.Sequence, _ nmcs.Work) {
				if err := cube.Check(c.rules, found); err != nil && found != nil {
					t.Errorf("%v: %v: %v", c.rules, found, err)
				}
				best = max(best, len(found))
			})
		if err != nil || best < c.least {
			t.Errorf("%v: %d edges: %v", c.rules, best, err)
		}
	}
}
