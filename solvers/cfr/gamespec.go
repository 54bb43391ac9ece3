package cfr

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

	table Buckets // of Buckets or of the file, once it is read
}

// withTable returns the specification with its table of buckets, if it has one, read: that
// takes most of the time in which a strategy is opened.
func (s GameSpec) withTable() (GameSpec, error) {
	var err error
	switch {
	case s.Buckets != nil:
		s.table, err = fitting(s.Game)(buckets.FromCompact(s.Buckets))
	case buckets.IsFile(s.Cards):
		s.table, err = fitting(s.Game)(buckets.Open(s.Cards))
	}
	return s, err
}

// withCards returns the specification with another card abstraction, by its name.
func (s GameSpec) withCards(name string) GameSpec {
	s.Cards, s.Buckets, s.table = name, nil, nil
	return s
}

// OpenIndex numbers the information sets of a game if its tree and its cards fit in
// a number of bytes. progress, if not nil, is called with the part that is done while
// cards are prepared, which may take seconds.
func (s GameSpec) OpenIndex(budget int64, progress func(part float64)) (*Index, error) {
	s, err := s.withTable()
	if err != nil {
		return nil, err
	}
	size, err := s.sizeFor(0)
	if err != nil {
		return nil, err
	}
	if size.Bytes = size.IndexBytes; !size.fits(budget) {
		return nil, &SizeError{Spec: s, Size: size, Budget: budget}
	}
	buckets, err := s.openBuckets(progress)
	if err != nil {
		return nil, err
	}
	return NewIndex(betting.NewTree(s.Game, size.Shape), buckets), nil
}

// OpenSampled makes the card abstraction for training by sampling with numbers of some
// bits, 32 or 16, if that fits in a number of bytes. A game that does not fit is refused
// with a [*SizeError] before anything large is allocated. progress is as in OpenIndex.
func (s GameSpec) OpenSampled(bits int, budget int64, progress func(part float64)) (Buckets, error) {
	s, err := s.withTable()
	if err != nil {
		return nil, err
	}
	size, err := s.sizeFor(bits)
	if err != nil {
		return nil, err
	}
	if !size.fits(budget) {
		return nil, &SizeError{Spec: s, Bits: bits, Size: size, Budget: budget}
	}
	return s.openBuckets(progress)
}

// Size returns the size of the game for training by sampling with numbers of some bits, or in
// vector form for 0. It allocates little but a table of buckets.
func (s GameSpec) Size(bits int) (Size, error) {
	s, err := s.withTable()
	if err != nil {
		return Size{}, err
	}
	return s.sizeFor(bits)
}

// sizeFor is Size for a game whose table of buckets is read.
func (s GameSpec) sizeFor(bits int) (Size, error) {
	shape := s.Actions.ShapeOf(s.Game, maxNodes)
	index := shape.Bytes()
	if kind, err := abstraction.ParseKind(s.Cards); err == nil {
		size := measure(s.Game, shape, kind)
		if bits == 0 {
			return size, nil
		}
		index = size.IndexBytes
	}
	buckets, err := s.countBuckets()
	if err != nil {
		return Size{}, err
	}
	size := Size{Shape: shape, Buckets: buckets, IndexBytes: index}
	decisions, actions := 0, 0
	for r := range s.Game.NumRounds {
		decisions += shape.Decisions[r]
		actions += shape.Actions[r]
		size.InfoSets += float64(shape.Decisions[r]) * buckets[r]
		size.Entries += float64(shape.Actions[r]) * buckets[r]
	}
	// The tree of package mccfr, two tables, and while it is saved the tree of its file.
	size.Bytes = memory.Saturate(float64(8*decisions+4*actions) + 2*size.Entries*float64(bits)/8 +
		float64(size.IndexBytes) + 4*float64(decisions+shape.Nodes))
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
	counted, err := s.openBuckets(nil)
	if err != nil {
		return nil, err
	}
	for r := range s.Game.NumRounds {
		buckets = append(buckets, float64(counted.NumBuckets(r)))
	}
	return buckets, nil
}

// openBuckets makes the card abstraction.
func (s GameSpec) openBuckets(progress func(part float64)) (Buckets, error) {
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
