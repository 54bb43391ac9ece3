package bestresponse

import (
	"fmt"

	"gamebots/acpc"
	"gamebots/internal/memory"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
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
// [*GameError] for games that this package does not answer.
func Read(p *policy.Policy, play func([]policy.Choice)) (*Strategy, error) {
	if err := Check(p.Tree); err != nil {
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
	return &Strategy{Index: p.Index, probability: policy.Played[float32](p.Index, weights, play)}, nil
}

// FromWeights returns the strategy with weights of all entries, as a trainer has them.
func FromWeights(x *policy.Index, weights []float32) (*Strategy, error) {
	if err := Check(x.Tree); err != nil {
		return nil, err
	}
	return &Strategy{Index: x, probability: policy.Played[float32](x, weights, nil)}, nil
}

// of returns the probabilities of an action by bucket.
func (s *Strategy) of(node int32, action int) []float32 {
	stride := s.Buckets.NumBuckets(int(s.Tree.Nodes[node].Round))
	return s.probability[s.Entry(node)+action*stride:][:stride]
}

// GameError is the error for a game that has no best response here.
type GameError struct{ Game, Reason string }

func (e *GameError) Error() string {
	return fmt.Sprintf("%s has no exact best response by boards: %s", e.Game, e.Reason)
}

// CheckRules returns a *GameError unless a game is one of two players with one or two hole
// cards each, and new board cards in every round but the first.
func CheckRules(g *acpc.Game) error {
	refuse := func(reason string) error { return &GameError{g.Name, reason} }
	switch {
	case g.NumPlayers != 2:
		return refuse(fmt.Sprintf("it has %d players, not two", g.NumPlayers))
	case g.NumHoleCards < 1 || g.NumHoleCards > 2:
		return refuse(fmt.Sprintf("it has %d hole cards, not one or two", g.NumHoleCards))
	case g.NumBoardCards[0] > 0:
		return refuse("its first round has board cards")
	}
	for r := 1; r < g.NumRounds; r++ {
		if g.NumBoardCards[r] == 0 {
			return refuse("a later round has no new board cards")
		}
	}
	return nil
}

// Check returns a *GameError unless a tree is of a game with two players and one or two
// hole cards each, new board cards in every round, all legal raises, and the same betting
// in all segments of a round: a limit game without stacks.
func Check(t *betting.Tree) error {
	g := t.Game
	refuse := func(reason string) error { return &GameError{g.Name, reason} }
	if err := CheckRules(g); err != nil {
		return err
	}
	if !t.Shape.Betting.All() {
		return refuse(fmt.Sprintf("the strategy knows only the raises %s", t.Shape.Betting))
	}
	first := make([]*betting.Segment, g.NumRounds)
	for i := range t.Segments {
		s := &t.Segments[i]
		if first[s.Round] == nil {
			first[s.Round] = s
		}
		if !sameShape(t, first[s.Round], s) {
			return refuse("its betting rounds differ, as in a no-limit game")
		}
	}
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if n.Kind != betting.Terminal {
			continue
		}
		if pot := &t.Terminals[n.First]; pot.Showdown() && (int(n.Round) < g.NumRounds-1 || pot.Spent[0] != pot.Spent[1]) {
			return refuse("players can be all-in before the end")
		}
	}
	return nil
}

// sameShape reports whether two segments have the same nodes but for their pots.
func sameShape(t *betting.Tree, a, b *betting.Segment) bool {
	if a.Last-a.First != b.Last-b.First {
		return false
	}
	for i := range a.Last - a.First {
		x, y := &t.Nodes[a.First+i], &t.Nodes[b.First+i]
		if x.Kind != y.Kind || x.Actor != y.Actor || x.NumActions != y.NumActions || x.Kind == betting.Decision && x.First-a.First != y.First-b.First ||
			x.Kind == betting.Terminal && t.Terminals[x.First].Folded != t.Terminals[y.First].Folded {
			return false
		}
	}
	return true
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

// PlainIn returns a simple strategy in a game. The error is a [*GameError] for games that this
// package does not answer.
func PlainIn(p policy.Plain, g *acpc.Game) (*Strategy, error) {
	shape := betting.Actions{}.ShapeOf(g, maxPlainNodes)
	if !shape.Complete {
		return nil, &GameError{g.Name, fmt.Sprintf("it has over %d betting sequences", maxPlainNodes)}
	}
	return PlainStrategy(p, betting.NewTree(g, shape))
}

// PlainStrategy returns a simple strategy in the game of a betting tree.
func PlainStrategy(p policy.Plain, tree *betting.Tree) (*Strategy, error) {
	if err := Check(tree); err != nil {
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
