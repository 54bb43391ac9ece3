package tabular

import (
	"gamebots/solvers/nash/extensive"
)

// A tree has the nodes of a game, for traversals of a part of it.
type tree struct {
	// By node: who decides, the first entry and the payoffs. The payoffs of a leaf are
	// those of its whole path.
	actor   []int
	entry   []int
	payoffs [][]float64
	chance  []float64 // probability of the chance move that leads to a node, or 1
}

// leaf is the actor of a leaf.
const leaf = -2

func newTree(l *layout) *tree {
	g := l.Game
	t := &tree{
		actor: make([]int, len(g.Nodes)), entry: make([]int, len(g.Nodes)),
		payoffs: make([][]float64, len(g.Nodes)), chance: make([]float64, len(g.Nodes)),
	}
	walk(g, func(i int, _, chance float64, payoffs []float64) {
		t.chance[i], t.payoffs[i] = chance, payoffs
		if set := g.Nodes[i].Set; set == extensive.None {
			t.actor[i] = leaf
		} else if t.actor[i] = g.Sets[set].Player; t.actor[i] != extensive.Chance {
			t.entry[i] = l.offset[t.actor[i]] + int(l.First[set])
		}
	})
	return t
}

// walk calls visit for each node in order with the probability of chance to get there, that of its last move
// if it is one of chance, and the payoffs so far, which are not changed.
func walk(g *extensive.Game, visit func(node int, reached, chance float64, payoffs []float64)) {
	type step struct {
		end     int // the first node after the subtree
		reached float64
		payoffs []float64
	}
	path := []step{{len(g.Nodes), 1, make([]float64, len(g.Players))}}
	outcomes := make([][]float64, len(g.Outcomes))
	for i := range g.Outcomes {
		for _, x := range g.Outcomes[i].Payoffs {
			payoff, _ := x.Float64()
			outcomes[i] = append(outcomes[i], payoff)
		}
	}
	for i := range g.Nodes {
		n := &g.Nodes[i]
		for path[len(path)-1].end <= i {
			path = path[:len(path)-1]
		}
		up := &path[len(path)-1]
		chance := 1.0
		if n.Parent != extensive.None {
			if q := g.Sets[g.Nodes[n.Parent].Set].Probabilities; q != nil {
				chance, _ = q[n.Action].Float64()
			}
		}
		payoffs := up.payoffs
		switch {
		case n.Outcome == extensive.None:
		case &payoffs[0] == &path[0].payoffs[0]: // nothing before
			payoffs = outcomes[n.Outcome]
		default:
			payoffs = append([]float64(nil), payoffs...)
			for p, x := range outcomes[n.Outcome] {
				payoffs[p] += x
			}
		}
		visit(i, up.reached*chance, chance, payoffs)
		if n.Set != extensive.None {
			path = append(path, step{n.End, up.reached * chance, payoffs})
		}
	}
}
