package bestresponse

import (
	"fmt"

	"gamebots/acpc"
	"gamebots/internal/memory"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/segment"
	"gamebots/solvers/policy"
)

// Strategy is a strategy of both players as it is played. It does not change after it is
// made and may be shared.
type Strategy struct {
	*policy.Index
	// probability of action a in bucket b of a decision is at
	// Entry[node] + a*buckets + b.
	probability []float32
}

// Read reads a whole policy. play, if not nil, changes the probabilities of an information
// set to those that the player plays; they need not sum to one. The error is a
// [*segment.GameError] for games that this package does not answer.
func Read(p *policy.Policy, play func([]policy.Choice)) (*Strategy, error) {
	if err := segment.CheckRules(p.Tree.Game); err != nil { // before the tree is made
		return nil, err
	}
	p, err := p.Full(memory.Available())
	if err != nil {
		return nil, err
	}
	weights, err := p.Weights()
	if err != nil {
		return nil, err
	}
	return FromWeights(p.Index, weights, play)
}

// FromWeights is Read for the weights of all entries, as a trainer has them.
func FromWeights(x *policy.Index, weights []float32, play func([]policy.Choice)) (*Strategy, error) {
	if err := segment.CheckRules(x.Tree.Game); err != nil {
		return nil, err
	}
	return &Strategy{Index: x, probability: policy.Played[float32](x, weights, play)}, nil
}

// of returns the probabilities of an action by bucket.
func (s *Strategy) of(node int32, action int) []float32 {
	stride := s.Buckets.NumBuckets(int(s.Tree.Nodes[node].Round))
	return s.probability[s.Entry(node)+action*stride:][:stride]
}

// symmetric is a card abstraction that may treat hands alike that a renaming of the suits
// turns into each other.
type symmetric interface {
	// SuitSymmetric reports whether it does so for all hands.
	SuitSymmetric() bool
}

// deckOf returns the deck of a strategy's game. Boards are joined by their suits if the
// strategy cannot tell them apart.
func (s *Strategy) deckOf() *deck {
	b, ok := s.Buckets.(symmetric)
	return newDeck(s.Tree.Game, ok && b.SuitSymmetric())
}

// unordered is a card abstraction that may not depend on the order in which a board was
// dealt.
type unordered interface {
	// IgnoresOrder reports whether a bucket depends on the hole cards, the round, and the
	// board as a whole only.
	IgnoresOrder() bool
}

func (s *Strategy) unordered() bool {
	b, ok := s.Buckets.(unordered)
	return ok && b.IgnoresOrder()
}

// maxPlainNodes bounds the betting tree of a game for simple strategies.
const maxPlainNodes = 1 << 20

// PlainIn returns a simple strategy in a game with these raises. The error is a [*segment.GameError] for
// games that this package does not answer, and a [*MenuError] for too many raises.
func PlainIn(p policy.Plain, g *acpc.Game, a betting.Actions) (*Strategy, error) {
	if err := segment.CheckRules(g); err != nil {
		return nil, err
	}
	shape := a.ShapeOf(g, maxPlainNodes)
	if !shape.Complete {
		return nil, &MenuError{g.Name, a}
	}
	return PlainStrategy(p, betting.NewTree(g, shape))
}

// MenuError is the error for a game with too many betting sequences for a simple strategy.
type MenuError struct {
	Game   string
	Raises betting.Actions
}

func (e *MenuError) Error() string {
	raises := "every raise"
	if !e.Raises.All() {
		raises = "the raises " + e.Raises.String()
	}
	return fmt.Sprintf("%s with %s has over %d betting sequences", e.Game, raises, maxPlainNodes)
}

// PlainStrategy returns a simple strategy in the game of a betting tree.
func PlainStrategy(p policy.Plain, tree *betting.Tree) (*Strategy, error) {
	if err := segment.CheckRules(tree.Game); err != nil {
		return nil, err
	}
	x := policy.NewIndex(tree, blind{})
	s := &Strategy{Index: x, probability: make([]float32, x.Entries)}
	for i := range tree.Nodes {
		n := &tree.Nodes[i]
		if n.Kind != betting.Decision {
			continue
		}
		action := func(t acpc.ActionType) int { // the last of this type, or -1
			for a := int(n.NumActions) - 1; a >= 0; a-- {
				if tree.Nodes[int(n.First)+a].Action().Type == t {
					return a
				}
			}
			return -1
		}
		row := s.probability[x.Entry(int32(i)):][:n.NumActions]
		call, raise, fold := action(acpc.Call), action(acpc.Raise), action(acpc.Fold)
		switch {
		case p == policy.PlainFold && fold >= 0:
			row[fold] = 1
		case p == policy.PlainRaise && raise >= 0:
			row[raise] = 1
		case p == policy.PlainHalf && raise >= 0:
			row[raise], row[call] = .5, .5
		default:
			row[call] = 1
		}
	}
	return s, nil
}

// blind is the card abstraction with one bucket.
type blind struct{}

func (blind) Name() string                     { return "blind" }
func (blind) NumBuckets(int) int               { return 1 }
func (blind) Bucket(int, abstraction.Deal) int { return 0 }
func (blind) SuitSymmetric() bool              { return true }
func (blind) IgnoresOrder() bool               { return true }
