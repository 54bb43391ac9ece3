package publictree

import (
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/policy"
)

// LayoutOf lays the game of a policy out for an Evaluator, if that fits in a budget of bytes. For
// card abstractions without exact best responses the error is a [*NoBestResponseError].
func LayoutOf(p *policy.Policy, budget int64) (*Layout, error) {
	if err := CheckCards(p); err != nil {
		return nil, err
	}
	g, cards := p.Tree.Game, p.Buckets.(*abstraction.Cards)
	size := Measure(g, p.Tree.Shape, cards.Kind)
	if size.Bytes > budget {
		return nil, sizeError(g, cards.Kind, p.Tree.Shape.Betting, size, budget)
	}
	return NewLayout(p.Tree, cards), nil
}

// CheckCards returns a [*NoBestResponseError] for a policy with a card abstraction without exact
// best responses.
func CheckCards(p *policy.Policy) error {
	if _, ok := p.Buckets.(*abstraction.Cards); !ok {
		return &NoBestResponseError{p.Buckets.Name()}
	}
	return nil
}

// NoBestResponseError is the error for a card abstraction, by its name, over which there
// are no exact best responses.
type NoBestResponseError struct{ Cards string }

func (e *NoBestResponseError) Error() string {
	return e.Cards + " cards: exact best responses need a strategy that was trained with lossless cards, or with none"
}
