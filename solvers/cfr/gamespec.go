package cfr

import (
	"fmt"

	"gamebots/acpc"
	"gamebots/internal/memory"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
)

// Terms are what a strategy tells apart in a game: the names of its cards and
// its actions.
type Terms struct {
	Game    *acpc.Game
	Cards   string // "lossless", "none", "quick", …
	Actions betting.Actions
}

// OpenIndex numbers the information sets of a game in some terms, if its tree
// and its cards take no more than a number of bytes. Cards that take
// long to prepare tell how much of that is done; tell may be nil.
func (t Terms) OpenIndex(budget int64, tell func(part float64)) (*Index, error) {
	shape := t.Actions.ShapeOf(t.Game, maxNodes)
	if kind, err := abstraction.ParseKind(t.Cards); err == nil {
		size := measure(t.Game, shape, kind)
		if !shape.Complete || size.IndexBytes > budget {
			return nil, &SizeError{Game: t.Game, Kind: kind, Size: size, Budget: budget}
		}
		return NewIndex(betting.NewTree(t.Game, shape), abstraction.New(t.Game, kind)), nil
	}
	if !shape.Complete {
		return nil, fmt.Errorf("%s has over %s betting sequences, too many to lay out", t.Game.Name, amount(maxNodes))
	}
	if need := nodeBytes * int64(shape.Nodes); need > budget {
		return nil, fmt.Errorf("the betting of %s needs %s, %s are free", t.Game.Name, memory.Bytes(need), memory.Bytes(budget))
	}
	buckets, err := t.openBuckets(tell)
	if err != nil {
		return nil, err
	}
	return NewIndex(betting.NewTree(t.Game, shape), buckets), nil
}

// openBuckets makes an abstraction of cards that is no abstraction.Cards.
func (t Terms) openBuckets(tell func(part float64)) (Buckets, error) {
	if abstraction.IsEHS(t.Cards) {
		return abstraction.OpenEHS(t.Game, t.Cards, "", tell)
	}
	if t.Cards == abstraction.BoardlessName {
		return abstraction.NewBoardless(t.Game), nil
	}
	_, err := abstraction.ParseKind(t.Cards)
	return nil, err
}
