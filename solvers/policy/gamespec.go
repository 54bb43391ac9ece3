package policy

import (
	"gamebots/acpc"
	"gamebots/internal/memory"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/abstraction/buckets"
	"gamebots/solvers/cfr/betting"
)

// GameSpec is a game with the abstractions in which a strategy is trained.
type GameSpec struct {
	Game *acpc.Game
	// Cards is the name of the card abstraction ("lossless", "none", "quick", …), or the path
	// of a file of buckets.
	Cards string
	// Buckets is the abstraction itself where a strategy's file has it, see
	// [strategy.Meta]. Cards is its name then.
	Buckets []byte
	Actions betting.Actions

	table Buckets // read from the file Buckets, or from the strategy's own
}

// WithTable returns the specification with its table of buckets read, if it has one, so that
// other methods need not read it again: that takes most of the time in which a strategy is opened.
func (s GameSpec) WithTable() (GameSpec, error) {
	var err error
	switch {
	case s.table != nil:
	case s.Buckets != nil:
		s.table, err = fitting(s.Game)(buckets.FromCompact(s.Buckets))
	case buckets.IsFile(s.Cards):
		s.table, err = fitting(s.Game)(buckets.Open(s.Cards))
	}
	return s, err
}

// openIndex numbers the information sets of a game if its tree and its cards fit in
// budget bytes. progress, if not nil, is called with the part that is done while
// cards are prepared, which may take seconds.
func (s GameSpec) openIndex(budget int64, progress func(part float64)) (*Index, error) {
	s, err := s.WithTable()
	if err != nil {
		return nil, err
	}
	size, err := s.Count()
	if err != nil {
		return nil, err
	}
	if !size.Fits(budget) {
		return nil, &SizeError{Spec: s, Size: size, Budget: budget}
	}
	buckets, err := s.OpenBuckets(progress)
	if err != nil {
		return nil, err
	}
	return NewIndex(betting.NewTree(s.Game, size.Shape), buckets), nil
}

// Count counts the betting sequences, buckets, information sets and entries of a game, and the
// memory of their index. It allocates little but a table of buckets.
func (s GameSpec) Count() (Size, error) {
	s, err := s.WithTable()
	if err != nil {
		return Size{}, err
	}
	buckets, err := s.countBuckets()
	if err != nil {
		return Size{}, err
	}
	size := sizeOf(s.Actions.ShapeOf(s.Game, betting.CountLimit), buckets)
	index := float64(size.Shape.Bytes())
	if kind, err := abstraction.ParseKind(s.Cards); err == nil {
		buckets, boards := abstraction.Count(s.Game, kind)
		for r := range s.Game.NumRounds {
			index += Stride(buckets[r], boards[r]) * BucketBytes
		}
	}
	size.IndexBytes = memory.Saturate(index)
	size.Bytes = size.IndexBytes
	return size, nil
}

// countBuckets returns the numbers of buckets by round.
func (s GameSpec) countBuckets() (buckets []float64, err error) {
	if kind, err := abstraction.ParseKind(s.Cards); err == nil {
		buckets, _ = abstraction.Count(s.Game, kind)
		return buckets, nil
	}
	if abstraction.IsEHS(s.Cards) {
		sizes, err := abstraction.EHSSizes(s.Game, s.Cards)
		for _, n := range sizes {
			buckets = append(buckets, float64(n))
		}
		return buckets, err
	}
	counted, err := s.OpenBuckets(nil)
	if err != nil {
		return nil, err
	}
	return countsOf(counted, s.Game.NumRounds), nil
}

// countsOf returns the numbers of buckets of the first rounds.
func countsOf(b Buckets, rounds int) (buckets []float64) {
	for r := range rounds {
		buckets = append(buckets, float64(b.NumBuckets(r)))
	}
	return buckets
}

// OpenBuckets makes the card abstraction. progress is as in [Open].
func (s GameSpec) OpenBuckets(progress func(part float64)) (Buckets, error) {
	switch {
	case s.table != nil:
		return s.table, nil
	case abstraction.IsEHS(s.Cards):
		return abstraction.OpenEHS(s.Game, s.Cards, "", progress)
	case s.Cards == abstraction.BoardlessName:
		return abstraction.NewBoardless(s.Game), nil
	}
	kind, err := abstraction.ParseKind(s.Cards)
	if err != nil {
		return nil, err
	}
	return abstraction.New(s.Game, kind), nil
}

// fitting returns a function that refuses a table for the cards of another game.
func fitting(g *acpc.Game) func(t *buckets.Table, err error) (Buckets, error) {
	return func(t *buckets.Table, err error) (Buckets, error) {
		if err == nil {
			err = t.Fits(g)
		}
		if err != nil {
			return nil, err
		}
		return t, nil
	}
}
