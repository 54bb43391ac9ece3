package snake

import (
	"cmp"
	"context"
	"fmt"
	"math/bits"
	"strings"

	"gamebots/internal/usererr"
	"gamebots/solvers/nmcs"
	"gamebots/solvers/nmcs/snake/cube"
)

// Algorithm is a search algorithm.
type Algorithm string

// The algorithms.
const (
	NMCS       Algorithm = "nmcs"   // [Run]
	NRPA       Algorithm = "nrpa"   // [Run]
	BeamSearch Algorithm = "beam"   // [Beam]
	HalfByHalf Algorithm = "halves" // [Halves]
	Walking    Algorithm = "walk"   // [Walk]
)

// UsesBeams reports whether the algorithm makes beam searches.
func (a Algorithm) UsesBeams() bool { return a == BeamSearch || a == HalfByHalf }

// Settings are everything that the result of a search depends on.
type Settings struct {
	Rules     cube.Rules
	Algorithm Algorithm
	Seed      uint64
	Prime     cube.Sequence // all paths begin with it; walks begin at it

	Level      int           // NMCS, NRPA
	Leaf       int           // NMCS: playouts of a leaf
	Policy     nmcs.Policy   // NMCS
	Iterations int           // NRPA: searches of the level below
	Width      int           // beam search, halves
	Symmetry   Symmetry      // beam search, walk
	Avoid      cube.Sequence // beam search: a walk from vertex 0 whose vertices the snake must not enter
	Join       bool          // beam search: the snake ends where that walk ends
	HalfTurn   HalfTurn      // beam search: the snake ends at the image of vertex 0, and does not enter those of its vertices
	Replace    Window        // beam search: the edges of the prime that others replace
	Walks      int           // walk, halves; beam search: 0 for none
}

// Window is a part of a sequence: the edges from number From to the one before To, counted from
// 0. It is empty if both are 0, and otherwise ends before the sequence does.
type Window struct{ From, To int }

// kept returns the edges that all paths begin with, and those that they end with.
func (s Settings) kept() (begin, end cube.Sequence) {
	if s.Replace == (Window{}) {
		return s.Prime, nil
	}
	return s.Prime[:s.Replace.From], s.Prime[s.Replace.To:]
}

// The ranges of settings.
const (
	MaxLevel = 6
	MaxLeaf  = 1 << 20
	MaxWidth = 1 << 28
	MaxWalks = 1 << 20
)

// Check returns an error if a setting is out of range, or the [*cube.Fault] of a prime that
// is no snake.
func (s Settings) Check() error {
	if err := s.Rules.Check(); err != nil {
		return err
	}
	beams, runs := s.Algorithm.UsesBeams(), s.Algorithm == NMCS || s.Algorithm == NRPA
	if !runs && !beams && s.Algorithm != Walking {
		all := []string{string(NMCS), string(NRPA), string(BeamSearch), string(HalfByHalf), string(Walking)}
		return fmt.Errorf("algorithm %q is not %s", s.Algorithm, usererr.OneOf(string(s.Algorithm), all))
	}
	lowestLevel, fewestWalks := 0, 0
	switch s.Algorithm {
	case NRPA:
		lowestLevel = 1
	case HalfByHalf, Walking:
		fewestWalks = 1
	}
	for _, x := range []struct {
		name            string
		value, min, max int
		used            bool
	}{
		{"level", s.Level, lowestLevel, MaxLevel, runs},
		{"leaf", s.Leaf, 1, MaxLeaf, s.Algorithm == NMCS},
		{"iterations", s.Iterations, 1, 1 << 20, s.Algorithm == NRPA},
		{"width", s.Width, 1, MaxWidth, beams},
		{"walks", s.Walks, fewestWalks, MaxWalks, !runs},
	} {
		if x.used && (x.value < x.min || x.value > x.max) {
			return fmt.Errorf("%s %d is not one of %d to %d", x.name, x.value, x.min, x.max)
		}
	}
	if err := s.checkSymmetry(); err != nil {
		return err
	}
	if s.Algorithm == HalfByHalf {
		if err := s.checkHalves(); err != nil {
			return err
		}
	}
	if s.Algorithm == Walking {
		return s.checkWalk()
	}
	if s.Rules.Coil && len(s.Prime) > 0 {
		return fmt.Errorf("a coil cannot begin with a given sequence")
	}
	if s.Replace != (Window{}) {
		if err := s.checkReplace(); err != nil {
			return err
		}
	}
	_, err := s.start()
	if err == nil && (len(s.Avoid) > 0 || s.Join) {
		err = s.checkAvoid()
	}
	if err == nil && s.HalfTurn != (HalfTurn{}) {
		err = s.checkHalfTurn()
	}
	return err
}

// checkReplace returns an error if the edges to replace are not a part within the prime of a beam
// search, or the prime is no snake.
func (s Settings) checkReplace() error {
	if w := s.Replace; w.From < 0 || w.From >= w.To || w.To >= len(s.Prime) {
		return fmt.Errorf("edges %d to %d are not within a sequence of %d", w.From, w.To, len(s.Prime))
	}
	if s.Algorithm != BeamSearch || !s.Rules.Free || s.Join {
		return fmt.Errorf("only a beam search with all moves, to no other end, can replace edges")
	}
	if err := cube.Check(cube.Rules{Dimension: s.Rules.Dimension, Free: true}, s.Prime); err != nil {
		return fmt.Errorf("prime: %w", err)
	}
	return nil
}

// checkAvoid returns an error if the prime enters a vertex to be avoided.
func (s Settings) checkAvoid() error {
	if s.Algorithm != BeamSearch || s.Symmetry != (Symmetry{}) || s.Rules.Coil {
		return fmt.Errorf("only a beam search for snakes without symmetry can avoid a walk")
	}
	avoided, v := map[uint32]bool{}, uint32(0)
	for i, m := range s.Avoid {
		if v ^= 1 << m; int(m) >= s.Rules.Dimension {
			return &cube.Fault{Edge: i + 1, Vertex: v, Reason: fmt.Sprintf("is outside of the cube of dimension %d", s.Rules.Dimension)}
		}
		avoided[v] = true
	}
	end := v
	for i, v := range vertices(s.Prime) {
		switch v := uint32(v); {
		case i > 0 && avoided[v]:
			return &cube.Fault{Edge: i, Vertex: v, Reason: "is to be avoided"}
		case s.Join && bits.OnesCount32(v^end) < 2:
			return &cube.Fault{Edge: i, Vertex: v, Reason: "touches the end of the walk to join"}
		}
	}
	return nil
}

// start returns the position after the prime, or after what is kept of its beginning.
func (s Settings) start() (*cube.Board, error) {
	begin, _ := s.kept()
	b, err := cube.NewAfter(s.Rules, begin)
	if err != nil && len(begin) > 0 {
		err = fmt.Errorf("prime: %w", err)
	}
	return b, err
}

// worker returns a worker for NMCS or NRPA. The settings must be valid.
func (s Settings) worker() nmcs.Worker {
	newBoard := func() *cube.Board { return cube.New(s.Rules) }
	start, err := s.start()
	if err != nil {
		panic(err)
	}
	if s.Algorithm == NRPA {
		return nmcs.NewNRPA(newBoard, start, s.Level, s.Iterations, 1)
	}
	return nmcs.NewNested(newBoard, start, s.Level, s.Leaf, s.Policy)
}

// Run makes runs of NMCS or NRPA on threads of the CPU and adds them to a tally: see
// [nmcs.Run].
func Run(ctx context.Context, t *nmcs.Tally, s Settings, maxRuns uint64, threads int, onProgress func()) error {
	if err := s.Check(); err != nil {
		return err
	}
	nmcs.Run(ctx, t, nmcs.Options{Seed: s.Seed, MaxRuns: maxRuns, Threads: threads}, s.worker, onProgress)
	return nil
}

// Sequence returns a line as a sequence, with the prime.
func (s Settings) Sequence(l nmcs.Line) cube.Sequence { return s.Rules.Sequence(s.Prime, l.Moves) }

// String describes all settings that matter. Equal texts give equal results.
func (s Settings) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s in dimension %d, %s", s.Rules.Kind(), s.Rules.Dimension, s.Algorithm)
	switch s.Algorithm {
	case NMCS:
		fmt.Fprintf(&b, " of level %d, leaf %d, policy %v", s.Level, s.Leaf, s.Policy)
	case NRPA:
		fmt.Fprintf(&b, " of level %d, %d iterations", s.Level, s.Iterations)
	case BeamSearch, HalfByHalf:
		fmt.Fprintf(&b, " of width %d", s.Width)
		if s.Walks > 0 {
			fmt.Fprintf(&b, ", %d walks", s.Walks)
		}
	case Walking:
		fmt.Fprintf(&b, ", %d walks", s.Walks)
	}
	if s.Symmetry != (Symmetry{}) {
		fmt.Fprintf(&b, ", symmetry %v", s.Symmetry)
	}
	if s.Rules.Free {
		b.WriteString(", all moves")
	}
	return fmt.Sprintf("%s, seed %d, prime %q", &b, s.Seed, cmp.Or(s.Prime.String(), "none"))
}
