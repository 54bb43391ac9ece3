package extensive

import (
	"cmp"
	"fmt"
	"math/big"
	"strconv"

	"gamebots/internal/memory"
	"gamebots/internal/usererr"
	"gamebots/solvers/nash/bimatrix"
)

// Chance is the player of chance moves.
const Chance = -1

// None is the parent of the root, the set of a leaf, and the outcome where there is none.
const None = -1

// MaxNodes bounds the trees that are read or built, and MaxPlayers and MaxBytes the files that are read.
const (
	MaxPlayers = 16
	MaxNodes   = 1 << 24
	MaxBytes   = 1 << 30
)

// ErrTooManyNodes is returned for trees with more than MaxNodes nodes.
var ErrTooManyNodes = fmt.Errorf("the tree has more than %d nodes", MaxNodes)

// A Game is an extensive game. It does not change after it is made, and may be shared
// between goroutines.
type Game struct {
	Title, Comment string
	Warning        *bimatrix.Warning // the first one of a file, or nil
	Players        []string
	// Nodes are in depth-first order, children in the order of actions. The nodes of a
	// subtree are adjacent, and the root is the first.
	Nodes []Node
	// Sets are in the order of their first nodes.
	Sets     []Set
	Outcomes []Outcome

	setNames []string // see SetName
}

// A Node is a position of the game.
type Node struct {
	Name     string
	Parent   int
	Action   int // action of the parent that leads here
	Set      int // or None for a leaf
	Outcome  int // or None; payoffs add up along a path
	Children []int
	End      int // the first node after the subtree
}

// A Set is an information set, or the chance moves that share their probabilities.
type Set struct {
	Name          string
	Player        int // from 0, or Chance
	Number        int // among the sets of the player, from 1
	Actions       []string
	Probabilities []*big.Rat // probability of each action, for chance moves only
	Nodes         []int
}

// An Outcome has a payoff of each player.
type Outcome struct {
	Name    string
	Payoffs []*big.Rat
}

// PlayerName returns the name of a player as text output has it, or else the number: "player 2".
func (g *Game) PlayerName(player int) string {
	number := strconv.Itoa(player + 1)
	if name := usererr.Names(g.Players, len(g.Players))[player]; name != number {
		return name
	}
	return "player " + number
}

// SetName returns the name of a player's information set as [usererr.Names] has it among those of all
// sets of the player. A set without a name has that of its first node.
func (g *Game) SetName(set int) string { return g.setNames[set] }

// label returns the name of an information set. A set without one has that of its first node, or
// else its number.
func (g *Game) label(set int) string {
	s := &g.Sets[set]
	return cmp.Or(s.Name, g.Nodes[s.Nodes[0]].Name, strconv.Itoa(s.Number))
}

// ActionNames returns the names of a set's actions as [usererr.Names] has them.
func (g *Game) ActionNames(set int) []string {
	return usererr.Names(g.Sets[set].Actions, len(g.Sets[set].Actions))
}

// ConstantSum reports whether the payoffs of all players add up to the same number
// wherever the game ends, so that two players want the opposite.
func (g *Game) ConstantSum() bool {
	sums := make([]*big.Rat, len(g.Nodes)) // along the path
	var constant *big.Rat
	for i := range g.Nodes {
		n := &g.Nodes[i]
		sums[i] = zero
		if n.Parent != None {
			sums[i] = sums[n.Parent]
		}
		if n.Outcome != None {
			sums[i] = new(big.Rat).Set(sums[i])
			for _, x := range g.Outcomes[n.Outcome].Payoffs {
				sums[i].Add(sums[i], x)
			}
		}
		switch {
		case n.Set != None:
		case constant == nil:
			constant = sums[i]
		case constant.Cmp(sums[i]) != 0:
			return false
		}
	}
	return true
}

// room returns an error if no node can be added.
func (g *Game) room() error {
	const nodeBytes = 100 // with its place among the children of its parent
	n := len(g.Nodes)
	switch {
	case n == MaxNodes:
		return ErrTooManyNodes
	case n == cap(g.Nodes) && n > 1<<20: // it grows by a quarter
		return memory.Enough("the tree", nodeBytes*int64(n)*5/4, memory.Available())
	}
	return nil
}

// add appends a node after its parent, and returns its number.
func (g *Game) add(n Node) int {
	i := len(g.Nodes)
	if n.Parent != None {
		parent := &g.Nodes[n.Parent]
		n.Action = len(parent.Children)
		parent.Children = append(parent.Children, i)
	}
	if n.Set != None {
		s := &g.Sets[n.Set]
		s.Nodes = append(s.Nodes, i)
	}
	g.Nodes = append(g.Nodes, n)
	return i
}

// finish sets the ends of all subtrees, and the numbers and names of sets.
func (g *Game) finish() {
	named := make([][]string, 1+len(g.Players)) // names of sets, of chance first
	for i := range g.Sets {
		s := &g.Sets[i]
		all := &named[1+s.Player]
		*all = append(*all, cmp.Or(s.Name, g.Nodes[s.Nodes[0]].Name))
		s.Number = len(*all)
	}
	for i, all := range named {
		named[i] = usererr.Names(all, len(all))
	}
	for _, s := range g.Sets {
		g.setNames = append(g.setNames, named[1+s.Player][s.Number-1])
	}
	for i := len(g.Nodes) - 1; i >= 0; i-- {
		n := &g.Nodes[i]
		n.End = i + 1
		if k := len(n.Children); k > 0 {
			n.End = g.Nodes[n.Children[k-1]].End
		}
	}
}

// checkProbabilities returns an error if numbers are not a distribution.
func checkProbabilities(probabilities []*big.Rat) error {
	sum := new(big.Rat)
	for _, p := range probabilities {
		if p.Sign() < 0 {
			return fmt.Errorf("a probability of %s", p.RatString())
		}
		sum.Add(sum, p)
	}
	if sum.Cmp(one) != 0 {
		return fmt.Errorf("probabilities add up to %s, not to 1", sum.RatString())
	}
	return nil
}

// The numbers that are shared, and never changed.
var (
	zero = new(big.Rat)
	one  = big.NewRat(1, 1)
)
