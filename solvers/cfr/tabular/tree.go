package tabular

import (
	"math"
	"math/big"

	"gamebots/solvers/nash/extensive"
)

// A tree is a game as arrays. An entry is an action of an information set.
type tree struct {
	*extensive.Sequences
	players int
	// By node: who decides, the first entry and the payoffs. The payoffs of a leaf are
	// those of its whole path.
	actor   []int
	entry   []int
	payoffs [][]float64
	chance  []float64 // probability of the chance move that leads to a node, or 1
	first   []int     // first entry of each information set
	entries int
}

// leaf is the actor of a leaf.
const leaf = -2

func newTree(q *extensive.Sequences) *tree {
	g := q.Game
	t := &tree{
		Sequences: q, players: len(g.Players), actor: make([]int, len(g.Nodes)), entry: make([]int, len(g.Nodes)),
		payoffs: make([][]float64, len(g.Nodes)), chance: make([]float64, len(g.Nodes)),
	}
	for i := range g.Sets {
		t.first = append(t.first, t.entries)
		if g.Sets[i].Player != extensive.Chance {
			t.entries += len(g.Sets[i].Actions)
		}
	}
	for i := range g.Nodes {
		n := &g.Nodes[i]
		t.chance[i], t.payoffs[i] = 1, make([]float64, t.players)
		if n.Parent != extensive.None {
			copy(t.payoffs[i], t.payoffs[n.Parent])
			if q := g.Sets[g.Nodes[n.Parent].Set].Probabilities; q != nil {
				t.chance[i], _ = q[n.Action].Float64()
			}
		}
		if n.Outcome != extensive.None {
			for p, x := range g.Outcomes[n.Outcome].Payoffs {
				payoff, _ := x.Float64()
				t.payoffs[i][p] += payoff
			}
		}
		t.actor[i] = leaf
		if n.Set != extensive.None {
			t.actor[i], t.entry[i] = g.Sets[n.Set].Player, t.first[n.Set]
		}
	}
	return t
}

// entriesOf returns the entries of an information set.
func (t *tree) entriesOf(set int) (first, end int) {
	return t.first[set], t.first[set] + len(t.Game.Sets[set].Actions)
}

// profile returns weights of entries as probabilities. They are uniform where no weight is
// positive, and where weights overflowed, as they do if a game of a thousand moves is
// sampled.
func (t *tree) profile(weights []float64) extensive.Profile {
	s := make(extensive.Profile, len(t.Game.Sets))
	for _, sets := range t.Sets {
		for _, set := range sets {
			first, end := t.entriesOf(set)
			total := 0.0
			for _, w := range weights[first:end] {
				total += w
			}
			s[set] = make([]*big.Rat, end-first)
			if !(total > 0) || math.IsInf(total, 1) {
				for a := range s[set] {
					s[set][a] = big.NewRat(1, int64(end-first))
				}
				continue
			}
			sum := new(big.Rat)
			for a, w := range weights[first:end] {
				s[set][a] = new(big.Rat).SetFloat64(w)
				sum.Add(sum, s[set][a])
			}
			for _, x := range s[set] {
				x.Quo(x, sum)
			}
		}
	}
	return s
}

// match sets sigma to the strategy that follows from regrets: in proportion to the
// positive ones, and uniform if there are none.
func match(sigma, regret []float64) {
	total := 0.0
	for _, r := range regret {
		total += max(r, 0)
	}
	for a, r := range regret {
		if total > 0 {
			sigma[a] = max(r, 0) / total
		} else {
			sigma[a] = 1 / float64(len(regret))
		}
	}
}
