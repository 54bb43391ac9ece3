package preflop

import (
	"fmt"
	"slices"
)

// The positions of two players.
const (
	SmallBlind = iota // acts first
	BigBlind
)

// A Game is the betting before the flop. Amounts are in big blinds; the small blind is a half.
type Game struct {
	Stack float64 // what each player has before blinds and antes
	Ante  float64 // what each player puts in beside the blinds
	// Raises are the amounts to which the first raise may be, the second, and so on. All-in is always possible, and no
	// raise is smaller than the rules allow.
	Raises [][]float64
	// Rake is the part of a pot that the house takes at a showdown, and Cap the most, 0 for no limit.
	Rake, Cap float64
}

// Check returns an error for a game that cannot be played.
func (g *Game) Check() error {
	switch {
	case !(g.Ante >= 0):
		return fmt.Errorf("an ante of %g", g.Ante)
	case !(g.Stack-g.Ante > 1 && g.Stack <= 1000):
		return fmt.Errorf("stacks of %g: want more than the big blind and the ante, and at most 1000", g.Stack)
	case !(g.Rake >= 0 && g.Rake < 1) || !(g.Cap >= 0):
		return fmt.Errorf("a rake of %g, at most %g", g.Rake, g.Cap)
	}
	return nil
}

// Kind is what an action is.
type Kind uint8

// The kinds of actions.
const (
	Fold Kind = iota
	Call
	Raise
	AllIn
)

// An Action is one at a decision.
type Action struct {
	Kind Kind
	To   float64 // what a raise is to, in big blinds
}

// String returns the action as in "fold", "raise to 2.5" or "all-in".
func (a Action) String() string {
	if a.Kind == Raise {
		return fmt.Sprintf("raise to %g", a.To)
	}
	return [...]string{"fold", "call", "", "all-in"}[a.Kind]
}

// MarshalText writes the action as String does.
func (a Action) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// node is a point of the betting. One without actions is the end of a hand.
type node struct {
	line     []Action
	actor    int
	actions  []Action
	children []*node
	spent    [2]float64
	folded   bool // the actor has folded
	// By action and class.
	regrets, sums, strategy [][]float64
}

// tree returns the betting from a point on, where the players have bet these amounts without antes, the last raise was
// by this much, and so many raises were made.
func (g *Game) tree(line []Action, actor int, bet [2]float64, last float64, raises int) *node {
	n := &node{line: slices.Clip(line), actor: actor, spent: [2]float64{bet[0] + g.Ante, bet[1] + g.Ante}}
	most, facing := g.Stack-g.Ante, bet[1-actor]
	after := func(a Action, child *node) {
		n.actions, n.children = append(n.actions, a), append(n.children, child)
		for _, rows := range []*[][]float64{&n.regrets, &n.sums, &n.strategy} {
			*rows = append(*rows, make([]float64, classes))
		}
	}
	next := bet
	fold := Action{Kind: Fold}
	after(fold, &node{line: append(n.line, fold), actor: actor, spent: n.spent, folded: true})
	if facing == most {
		call := Action{Kind: Call}
		after(call, &node{line: append(n.line, call), spent: [2]float64{g.Stack, g.Stack}})
		return n
	}
	if raises < len(g.Raises) {
		for _, to := range g.Raises[raises] {
			if to >= facing+last && to < most {
				a := Action{Raise, to}
				next[actor] = to
				after(a, g.tree(append(n.line, a), 1-actor, next, to-facing, raises+1))
			}
		}
	}
	a := Action{AllIn, most}
	next[actor] = most
	after(a, g.tree(append(n.line, a), 1-actor, next, max(last, most-facing), raises+1))
	return n
}
