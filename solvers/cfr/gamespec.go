package cfr

import (
	"fmt"

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
}

// OpenIndex numbers the information sets of a game if its tree and its cards fit in
// a number of bytes. progress, if not nil, is called with the part that is done while
// cards are prepared, which may take seconds.
func (s GameSpec) OpenIndex(budget int64, progress func(part float64)) (*Index, error) {
	shape := s.Actions.ShapeOf(s.Game, maxNodes)
	if kind, err := abstraction.ParseKind(s.Cards); err == nil {
		size := measure(s.Game, shape, kind)
		if !shape.Complete || size.IndexBytes > budget {
			return nil, &SizeError{Game: s.Game, Kind: kind, Size: size, Budget: budget}
		}
		return NewIndex(betting.NewTree(s.Game, shape), abstraction.New(s.Game, kind)), nil
	}
	if !shape.Complete {
		return nil, fmt.Errorf("%s has over %s betting sequences, too many to lay out", s.Game.Name, amount(maxNodes))
	}
	if need := nodeBytes * int64(shape.Nodes); need > budget {
		return nil, fmt.Errorf("the betting of %s needs %s, %s are free", s.Game.Name, memory.Bytes(need), memory.Bytes(budget))
	}
	buckets, err := s.openBuckets(progress)
	if err != nil {
		return nil, err
	}
	return NewIndex(betting.NewTree(s.Game, shape), buckets), nil
}

// openBuckets makes a card abstraction that is no [abstraction.Cards].
func (s GameSpec) openBuckets(progress func(part float64)) (Buckets, error) {
	switch {
	case s.Buckets != nil:
		return fitting(s.Game)(buckets.FromCompact(s.Buckets))
	case buckets.IsFile(s.Cards):
		return fitting(s.Game)(buckets.Open(s.Cards))
	case abstraction.IsEHS(s.Cards):
		return abstraction.OpenEHS(s.Game, s.Cards, "", progress)
	case s.Cards == abstraction.BoardlessName:
		return abstraction.NewBoardless(s.Game), nil
	}
	_, err := abstraction.ParseKind(s.Cards)
	return nil, err
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
