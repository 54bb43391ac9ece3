package snake

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"gamebots/solvers/nmcs"
	"gamebots/solvers/nmcs/snake/cube"
)

// An Algorithm is a way to search.
type Algorithm string

const (
	NMCS       Algorithm = "nmcs"
	NRPA       Algorithm = "nrpa"
	BeamSearch Algorithm = "beam"
	HalfByHalf Algorithm = "halves"
)

// Settings are all that a search depends on.
type Settings struct {
	Rules     cube.Rules
	Algorithm Algorithm
	Seed      uint64
	Prime     cube.Sequence // that all paths begin with

	Level      int           // NMCS, NRPA
	Leaf       int           // NMCS: playouts of a leaf
	Policy     nmcs.Policy   // NMCS
	Iterations int           // NRPA: of each level
	Width      int           // beam search, halves
	Symmetry   Symmetry      // beam search
	Avoid      cube.Sequence // beam search: a walk from vertex 0 that the snake does not enter again
}

// The ranges of settings.
const (
	MaxLevel = 6
	MaxLeaf  = 1 << 20
	MaxWidth = 1 << 28
)

// Check returns an error that names what is out of its range, or the [*Fault] of
// a prime that is no snake.
func (s Settings) Check() error {
	if err := s.Rules.Check(); err != nil {
		return err
	}
	beams := s.Algorithm == BeamSearch || s.Algorithm == HalfByHalf
	if s.Algorithm != NMCS && s.Algorithm != NRPA && !beams {
		return fmt.Errorf("algorithm %q is none of %s, %s, %s and %s", s.Algorithm, NMCS, NRPA, BeamSearch, HalfByHalf)
	}
	lowest := 0
	if s.Algorithm == NRPA {
		lowest = 1
	}
	for _, x := range []struct {
		name               string
		value, least, most int
		matters            bool
	}{
		{"level", s.Level, lowest, MaxLevel, !beams},
		{"leaf", s.Leaf, 1, MaxLeaf, s.Algorithm == NMCS},
		{"iterations", s.Iterations, 1, 1 << 20, s.Algorithm == NRPA},
		{"width", s.Width, 1, MaxWidth, beams},
	} {
		if x.matters && (x.value < x.least || x.value > x.most) {
			return fmt.Errorf("%s %d is not one of %d to %d", x.name, x.value, x.least, x.most)
		}
	}
	if beams && s.Rules.Coil {
		return fmt.Errorf("algorithm %s is for snakes: from a coil's head all of its start can be reached", s.Algorithm)
	}
	if s.Algorithm == HalfByHalf {
		if err := s.checkHalves(); err != nil {
			return err
		}
	}
	if s.Rules.Coil && len(s.Prime) > 0 {
		return fmt.Errorf("a coil cannot begin with a given sequence")
	}
	if s.Symmetry.Middle != "" {
		if s.Algorithm != BeamSearch || len(s.Prime) > 0 {
			return fmt.Errorf("symmetry %v is for beam searches that begin with nothing", s.Symmetry)
		}
		if err := s.Symmetry.check(s.Rules); err != nil {
			return err
		}
	}
	_, err := s.start()
	if err == nil && len(s.Avoid) > 0 {
		err = s.checkAvoid()
	}
	return err
}

// checkAvoid returns an error where the prime enters what is to be avoided.
func (s Settings) checkAvoid() error {
	if s.Algorithm != BeamSearch || s.Symmetry.Middle != "" {
		return fmt.Errorf("only beam searches without a symmetry avoid a walk")
	}
	avoided, v := map[uint32]bool{}, uint32(0)
	for i, m := range s.Avoid {
		if v ^= 1 << m; int(m) >= s.Rules.Dimension {
			return &cube.Fault{Edge: i + 1, Vertex: v, Reason: fmt.Sprintf("is outside of the cube of dimension %d", s.Rules.Dimension)}
		}
		avoided[v] = true
	}
	v = 0
	for i, m := range s.Prime {
		if v ^= 1 << m; avoided[v] {
			return &cube.Fault{Edge: i + 1, Vertex: v, Reason: "is to be avoided"}
		}
	}
	return nil
}

// start returns the board after the prime.
func (s Settings) start() (*cube.Board, error) {
	b, err := cube.NewAfter(s.Rules, s.Prime)
	if err != nil && len(s.Prime) > 0 {
		err = fmt.Errorf("the sequence to begin with: %w", err)
	}
	return b, err
}

// worker returns what does runs of NMCS and NRPA. The settings must be valid.
func (s Settings) worker() nmcs.Worker {
	fresh := func() *cube.Board { return cube.New(s.Rules) }
	start, err := s.start()
	if err != nil {
		panic(err)
	}
	if s.Algorithm == NRPA {
		return nmcs.NewNRPA(fresh, start, s.Level, s.Iterations, 1)
	}
	return nmcs.NewNested(fresh, start, s.Level, s.Leaf, s.Policy)
}

// Run adds runs of NMCS or NRPA to a tally, on threads of the CPU, see
// [nmcs.Do].
func Run(ctx context.Context, t *nmcs.Tally, s Settings, runs uint64, threads int, progress func()) error {
	if err := s.Check(); err != nil {
		return err
	}
	nmcs.Run(ctx, t, nmcs.Options{Seed: s.Seed, MaxRuns: runs, Threads: threads}, s.worker, progress)
	return nil
}

// Sequence returns a line as a sequence, with what it began with.
func (s Settings) Sequence(l nmcs.Line) cube.Sequence { return s.Rules.Sequence(s.Prime, l.Moves) }

// String names all that results depend on.
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
		if s.Symmetry.Middle != "" {
			fmt.Fprintf(&b, ", symmetry %v", s.Symmetry)
		}
	}
	if s.Rules.Free {
		b.WriteString(", all moves")
	}
	return fmt.Sprintf("%s, seed %d, prime %q", &b, s.Seed, cmp.Or(s.Prime.String(), "none"))
}
