package sequence

import (
	"math/big"
	"slices"

	"gamebots/solvers/nash/extensive"
)

// A side is a player who decides in a subgame, with his sequences there. They count from
// 0, which is the one that leads to the subgame.
type side struct {
	player int
	count  int   // number of sequences
	sets   []set // parents first
	// weight has the weights of sequences in a solution; of each set, only what its
	// actions have of their sum matters.
	weight []*big.Rat
}

// A set is an information set. Its actions are count sequences from first on.
type set struct {
	id, parent, first, count int
}

// A form is the sequence form of a subgame.
type form struct {
	sides [2]side
	cells map[[2]int]*cell
}

// A cell has the payoffs of both sides after two sequences, weighted with the
// probabilities of chance, and the sum of these.
type cell struct {
	payoffs [2]*big.Rat
	chance  *big.Rat
}

// form returns the sequence form of a subgame. A second side without sets stands for
// nobody if only one player decides.
func (s *solver) form(nodes []int) (*form, error) {
	g := s.Game
	f := &form{cells: map[[2]int]*cell{}}
	var local [2]map[int32]int // sequences of the game to those of a side
	deciding := 0
	for i := range f.sides {
		f.sides[i] = side{player: extensive.None, count: 1}
		local[i] = map[int32]int{}
	}
	sideOf := slices.Repeat([]int{extensive.None}, len(g.Players))
	seen := map[int]bool{}
	for k, i := range nodes {
		n := &g.Nodes[i]
		if s.ends(nodes, k) || g.Sets[n.Set].Player == extensive.Chance || seen[n.Set] {
			continue
		}
		seen[n.Set] = true
		p := g.Sets[n.Set].Player
		if sideOf[p] == extensive.None {
			if sideOf[p] = deciding; deciding < 2 {
				f.sides[deciding].player = p
			}
			deciding++
		}
		if sideOf[p] >= 2 {
			continue
		}
		d, l := &f.sides[sideOf[p]], local[sideOf[p]]
		h := set{n.Set, l[s.Parent[n.Set]], d.count, len(n.Children)}
		for a := range n.Children {
			l[s.First[n.Set]+int32(a)] = d.count + a
		}
		d.sets = append(d.sets, h)
		d.count += h.count
	}
	if deciding > 2 {
		return nil, &PlayersError{deciding}
	}
	s.addCells(f, local, nodes)
	return f, nil
}

// ends reports whether the k-th node of a subgame is a leaf of it: one of the game, or
// the root of a subgame that has been solved.
func (s *solver) ends(nodes []int, k int) bool {
	return s.Game.Nodes[nodes[k]].Set == extensive.None || k > 0 && s.roots[nodes[k]]
}

// addCells adds the payoffs of all leaves.
func (s *solver) addCells(f *form, local [2]map[int32]int, nodes []int) {
	g := s.Game
	type state struct {
		chance *big.Rat
		paid   [2]*big.Rat
	}
	states := make(map[int]state, len(nodes))
	for k, i := range nodes {
		n := &g.Nodes[i]
		here := state{chance: big.NewRat(1, 1), paid: [2]*big.Rat{{}, {}}}
		if k > 0 {
			above := states[n.Parent]
			here.chance = above.chance
			if q := g.Sets[g.Nodes[n.Parent].Set].Probabilities; q != nil {
				here.chance = new(big.Rat).Mul(above.chance, q[n.Action])
			}
			here.paid = above.paid
		}
		end := s.ends(nodes, k)
		for d := range f.sides {
			p := f.sides[d].player
			switch {
			case p == extensive.None:
			case end && s.values[p][i] != nil:
				here.paid[d] = new(big.Rat).Add(here.paid[d], s.values[p][i])
			case n.Outcome != extensive.None:
				here.paid[d] = new(big.Rat).Add(here.paid[d], g.Outcomes[n.Outcome].Payoffs[p])
			}
		}
		states[i] = here
		if !end {
			continue
		}
		var at [2]int
		for d := range f.sides {
			if p := f.sides[d].player; p != extensive.None {
				at[d] = local[d][s.Of[p][i]]
			}
		}
		c := f.cells[at]
		if c == nil {
			c = &cell{[2]*big.Rat{{}, {}}, new(big.Rat)}
			f.cells[at] = c
		}
		c.chance.Add(c.chance, here.chance)
		for d := range f.sides {
			c.payoffs[d].Add(c.payoffs[d], new(big.Rat).Mul(here.chance, here.paid[d]))
		}
	}
}

// zeroSum reports whether the payoffs of both sides add up to a constant. A side that is
// nobody wins what the other loses.
func (f *form) zeroSum() bool {
	if len(f.sides[1].sets) == 0 {
		return true
	}
	var constant *big.Rat
	for _, c := range f.cells {
		if c.chance.Sign() == 0 {
			continue
		}
		sum := new(big.Rat).Add(c.payoffs[0], c.payoffs[1])
		sum.Quo(sum, c.chance)
		if constant == nil {
			constant = sum
		} else if constant.Cmp(sum) != 0 {
			return false
		}
	}
	return true
}
