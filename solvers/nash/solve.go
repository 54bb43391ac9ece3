package nash

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"gamebots/cudalib/nashgpu"
	"gamebots/solvers/nash/bimatrix"
	"gamebots/solvers/nash/internal/extreme"
	"gamebots/solvers/nash/labels"
	"gamebots/solvers/nash/verify"
)

// secondOrderFrom is the number of a player's strategies from which on the search is
// repeated in another order. Margins of decisions shrink eightfold for every two
// strategies, to the order of rounding errors at 32.
const secondOrderFrom = 33

// Solve finds all equilibria of a game, or one by LemkeHowson. When ctx ends it returns
// what was found so far, and the error of ctx.
func Solve(ctx context.Context, g *bimatrix.Game, o Options) (*Result, error) {
	if err := g.Check(); err != nil {
		return nil, err
	}
	o = o.withDefaults()
	s := &solver{&Result{Stats: Stats{Method: o.Method}}, verify.New(g), o}
	if o.Method == LemkeHowson {
		return s.Result, s.findOne(ctx)
	}
	s.testDegeneracy(ctx)
	var err error
	if s.Degeneracy != Degenerate {
		err = s.search(ctx)
	}
	return s.Result, s.finish(ctx, err)
}

// A solver makes the result of one game.
type solver struct {
	*Result
	verifier *verify.Verifier
	options  Options
}

// findOne finds one equilibrium, and verifies it: in floats, or in integers if these do
// not lead to one.
func (s *solver) findOne(ctx context.Context) error {
	rows, cols, pivots, ok := labels.NewSpace(s.verifier, s.options.Order).LemkeHowson(ctx, 0)
	var e *verify.Equilibrium
	if ok {
		e, _ = s.verifier.Candidate(rows, cols)
	}
	if e == nil {
		found, exactPivots, err := extreme.LemkeHowson(ctx, s.verifier, 0)
		if err != nil {
			return err
		}
		e, pivots = &found, exactPivots
	}
	s.Verified, s.Stats.Pivots = s.verifier.Verify(e), pivots
	s.Equilibria = []verify.Equilibrium{*e}
	if e.Index == 0 {
		s.Degeneracy = Degenerate
	}
	return nil
}

// testDegeneracy sets Degeneracy, if the game is to be tested and the test ends.
func (s *solver) testDegeneracy(ctx context.Context) {
	test := s.options.TestDegeneracy
	if test == TestNever || s.options.SkipChecks ||
		test == TestAuto && s.verifier.A.Rows+s.verifier.A.Cols > maxTested {
		return
	}
	switch degenerate, err := extreme.IsDegenerate(ctx, s.verifier, s.options.Threads); {
	case degenerate:
		s.Degeneracy = Degenerate
	case err == nil:
		s.Degeneracy = Nondegenerate
	}
}

// search finds the equilibria of a game that is assumed to be nondegenerate. It
// returns errDegenerate if a candidate shows that it is not, or errSingular or
// labels.ErrCycling if floats cannot tell.
func (s *solver) search(ctx context.Context) error {
	c := newCollector(ctx, s.verifier, s.options.Progress)
	defer c.cancel()
	stats, err := find(ctx, s.options, c)
	s.Stats.Nodes, s.Stats.Pivots, s.Stats.Ambiguous = stats.Nodes, stats.Pivots, stats.Ambiguous
	s.Equilibria = c.equilibria
	s.Stats.Candidates, s.Stats.Rejected = c.candidates, c.rejected
	if c.failed != nil {
		return c.failed
	}
	large := max(s.verifier.A.Rows, s.verifier.A.Cols) >= secondOrderFrom
	if err == nil && s.options.Method == Labels && large && !s.options.SkipChecks {
		err = s.searchAgain(ctx)
	}
	return err
}

// find searches by the method of the options and has c decide about candidates.
func find(ctx context.Context, o Options, c *collector) (labels.Stats, error) {
	if o.Method != Labels {
		c.enumerated = true
		return enumerate(ctx, o, c)
	}
	space := labels.NewSpace(c.verifier, o.Order)
	search := labels.Options{Threads: o.Threads, OnCandidate: c.Candidate, Progress: c.progress.add}
	if o.Device != nil {
		return space.SearchDevice(c.ctx, o.Device, o.limits, search)
	}
	return space.Search(c.ctx, search)
}

// enumerate enumerates pairs of supports.
func enumerate(ctx context.Context, o Options, c *collector) (labels.Stats, error) {
	search := pairOptions{Threads: o.Threads, BlockThreads: o.BlockThreads,
		OnCandidate: c.Candidate, Progress: c.progress.add}
	var pairs uint64
	var err error
	switch {
	case o.Device != nil:
		pairs, err = searchPairsOn(ctx, o.Device, programs[o.Method], c.verifier, search)
	case o.Method == Grosu:
		err = fmt.Errorf("method %s needs a GPU", o.Method)
	default:
		pairs, err = searchPairs(c.ctx, c.verifier, search)
	}
	return labels.Stats{Nodes: pairs}, err
}

// searchAgain repeats a search in the other order. It returns an error unless it finds
// the same.
func (s *solver) searchAgain(ctx context.Context) error {
	c := newCollector(ctx, s.verifier, new(Progress))
	defer c.cancel()
	o := s.options
	o.Order = 1 - o.Order
	if _, err := find(ctx, o, c); err != nil {
		return err
	}
	slices.SortFunc(s.Equilibria, compare)
	slices.SortFunc(c.equilibria, compare)
	if slices.CompareFunc(s.Equilibria, c.equilibria, compare) != 0 {
		return fmt.Errorf("two orders of branching find different equilibria, %d and %d", len(s.Equilibria),
			len(c.equilibria))
	}
	s.SecondOrder = true
	return nil
}

// finish searches a game in integers if it is degenerate or if the search in floats
// failed with err, also as it left more pairs than a device holds, and verifies the result.
func (s *solver) finish(ctx context.Context, err error) error {
	o := s.options
	tied := s.Degeneracy == Degenerate || errors.Is(err, errDegenerate)
	if tied || errors.Is(err, errSingular) || errors.Is(err, labels.ErrCycling) ||
		errors.Is(err, nashgpu.ErrTooManyPairs) {
		// The statistics of the search in floats depend on which goroutine was first.
		s.Stats = Stats{Method: Labels}
		o.Progress.reset()
		s.Equilibria, s.Stats.Nodes, err = extreme.Search(ctx, s.verifier,
			extreme.Options{Threads: o.Threads, Progress: o.Progress.add,
				OnFound: func(n int) { o.Progress.found.Store(int64(n)) }})
		s.Stats.Candidates = uint64(len(s.Equilibria))
		if tied || slices.ContainsFunc(s.Equilibria, func(e verify.Equilibrium) bool { return e.Index == 0 }) {
			s.Degeneracy = Degenerate
		}
	}
	slices.SortFunc(s.Equilibria, compare)
	s.Complete = err == nil
	proved := o.SkipChecks || err != nil || s.Degeneracy == Degenerate
	s.verifyAll(s.verifier, proved && !errors.Is(err, extreme.ErrWrong), o.Threads)
	return err
}
