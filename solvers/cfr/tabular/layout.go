package tabular

import (
	"math"
	"math/big"

	"gamebots/solvers/nash/extensive"
)

// A layout numbers the entries of a game: an entry is an action of an information set. Those of a player are
// in the order of the player's sequences (see [extensive.Sequences]), of which the empty one has an entry, too.
type layout struct {
	*extensive.Sequences
	players int
	offset  []int // the first entry of each player, and the end
	sets    [][]span
}

// A span has the entries of an information set, and the sequences of its player that they are and that
// leads to them.
type span struct{ set, first, end, sequence, parent int }

func newLayout(q *extensive.Sequences) *layout {
	l := &layout{Sequences: q, players: len(q.Count), offset: []int{0}, sets: make([][]span, len(q.Count))}
	for p, n := range q.Count {
		for _, set := range q.Sets[p] {
			sequence := int(q.First[set])
			first := l.offset[p] + sequence
			l.sets[p] = append(l.sets[p], span{
				set, first, first + len(q.Game.Sets[set].Actions), sequence, int(q.Parent[set]),
			})
		}
		l.offset = append(l.offset, l.offset[p]+n)
	}
	return l
}

// entries returns how many entries there are.
func (l *layout) entries() int { return l.offset[l.players] }

// matchAll sets sigma to the strategies that follow from weights of all entries, see match.
func (l *layout) matchAll(sigma, weights []float64, tie float64) {
	for _, sets := range l.sets {
		for _, s := range sets {
			match(sigma[s.first:s.end], weights[s.first:s.end], tie)
		}
	}
}

// profile returns weights of entries as probabilities. They are uniform where no weight is
// positive, and where weights overflowed, as they do if a game of a thousand moves is
// sampled.
func (l *layout) profile(weights []float64) extensive.Profile {
	profile := make(extensive.Profile, len(l.Game.Sets))
	for _, sets := range l.sets {
		for _, s := range sets {
			total := 0.0
			for _, w := range weights[s.first:s.end] {
				total += w
			}
			probabilities := make([]*big.Rat, s.end-s.first)
			profile[s.set] = probabilities
			if !(total > 0) || math.IsInf(total, 1) {
				for a := range probabilities {
					probabilities[a] = big.NewRat(1, int64(len(probabilities)))
				}
				continue
			}
			sum := new(big.Rat)
			for a, w := range weights[s.first:s.end] {
				probabilities[a] = new(big.Rat).SetFloat64(w)
				sum.Add(sum, probabilities[a])
			}
			for _, x := range probabilities {
				x.Quo(x, sum)
			}
		}
	}
	return profile
}

// match sets sigma to the strategy that follows from regrets, or from a sum of strategies: in proportion to
// the positive ones, and uniform if their sum is no more than a tie or no number.
func match(sigma, regret []float64, tie float64) {
	total := 0.0
	for _, r := range regret {
		total += max(r, 0)
	}
	for a, r := range regret {
		if total > tie && total <= math.MaxFloat64 {
			sigma[a] = max(r, 0) / total
		} else {
			sigma[a] = 1 / float64(len(regret))
		}
	}
}

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
