package preflop

import (
	"cmp"
	"fmt"
	"math"
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
	// Raises are the sizes of the first raise, the second, and so on. All-in is always possible, and no raise is
	// smaller than the rules allow.
	Raises [][]Size
	// Calls allows calls that lead to a flop. Otherwise who does not raise folds.
	Calls bool
	// Rake is the part of a pot that the house takes at a showdown or after a flop, and Cap the most, 0 for no limit.
	// After a flop it is that of the mean pot.
	Rake, Cap float64
	// Line has raises that are possible beside Raises. Given, if not nil, returns a strategy by action and class that
	// is not to be changed, or nil for a decision that is solved.
	Line  []Action
	Given func(line, actions []Action) [][]float64
}

// A Size is what a raise is to: in big blinds, or so many times the bet before it.
type Size struct{ To, Times float64 }

// maxLines bounds the products of numbers of sizes, so that the tree has less than a gigabyte.
const maxLines = 10_000

// Rounded returns an amount in millionths, so that sums and products of the same amounts are the same.
func Rounded(x float64) float64 { return math.Round(1e6*x) / 1e6 }

// Check returns an error for a game that cannot be played.
func (g *Game) Check() error {
	lines := 1.
	for _, sizes := range g.Raises {
		lines *= float64(1 + len(sizes))
	}
	switch {
	case !(g.Ante >= 0):
		return fmt.Errorf("an ante of %g", g.Ante)
	case !(g.Stack-g.Ante > 1 && g.Stack <= 1000):
		return fmt.Errorf("stacks of %g: want more than the big blind and the ante, and at most 1000", g.Stack)
	case lines > maxLines:
		return fmt.Errorf("raises of %.0f lines: want at most %d", lines, maxLines)
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
	Limp      // calls the big blind
	Check
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
	return [...]string{"fold", "limp", "check", "call", "", "all-in"}[a.Kind]
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
	folded   bool    // the actor has folded
	end      []share // where nobody has
	given    bool    // the strategy is not to be changed
	// By action and class.
	regrets, sums, strategy [][]float64
}

// tree returns the betting from a point on, where the players have bet these amounts without antes, the last raise was
// by this much, and so many raises were made, the last one by raiser.
func (g *Game) tree(line []Action, actor int, bet [2]float64, last float64, raises, raiser int) *node {
	n := &node{line: slices.Clip(line), actor: actor, spent: [2]float64{bet[0] + g.Ante, bet[1] + g.Ante}}
	most, facing := g.Stack-g.Ante, bet[1-actor]
	after := func(a Action, child *node) {
		n.actions, n.children = append(n.actions, a), append(n.children, child)
		for _, rows := range []*[][]float64{&n.regrets, &n.sums, &n.strategy} {
			*rows = append(*rows, make([]float64, classes))
		}
	}
	next, with := bet, func(a Action) []Action { return append(n.line, a) }
	if fold := (Action{Kind: Fold}); facing > bet[actor] {
		after(fold, &node{line: with(fold), actor: actor, spent: n.spent, folded: true})
	}
	next[actor] = facing
	switch call := (Action{Kind: Call}); {
	case !g.Calls && facing < most:
	case len(line) == 0:
		limp := Action{Kind: Limp}
		after(limp, g.tree(with(limp), 1-actor, next, last, raises, nobody))
	default:
		if facing == bet[actor] {
			call.Kind = Check
		}
		put := facing + g.Ante
		after(call, &node{line: with(call), spent: [2]float64{put, put}, end: flopAfter(raiser, (most-facing)/(2*put))})
	}
	if facing < most {
		for _, a := range g.raises(line, facing, last, raises) {
			next[actor] = a.To
			after(a, g.tree(with(a), 1-actor, next, max(last, a.To-facing), raises+1, actor))
		}
	}
	if g.Given == nil {
		return n
	}
	if given := g.Given(n.line, n.actions); given != nil {
		n.given, n.strategy = true, given
	}
	return n
}

// raises returns those at a point, all-in at the end.
func (g *Game) raises(line []Action, facing, last float64, raises int) (list []Action) {
	most := g.Stack - g.Ante
	add := func(to float64) {
		a := Action{Raise, Rounded(to)}
		if a.To >= Rounded(facing+last) && a.To < most && !slices.Contains(list, a) {
			list = append(list, a)
		}
	}
	if raises < len(g.Raises) {
		for _, size := range g.Raises[raises] {
			add(size.To + size.Times*facing)
		}
	}
	if n := len(line); n < len(g.Line) && g.Line[n].Kind == Raise && slices.Equal(line, g.Line[:n]) {
		add(g.Line[n].To)
	}
	slices.SortFunc(list, func(x, y Action) int { return cmp.Compare(x.To, y.To) })
	return append(list, Action{AllIn, most})
}
