package resolve

import (
	"slices"

	"gamebots/acpc"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/policy"
)

// continuations are the factors by which the opponent multiplies the weights of an action after the
// first round: it plays as expected, or folds, calls or raises more often.
var continuations = []func(acpc.ActionType) float64{
	func(acpc.ActionType) float64 { return 1 }, biased(acpc.Fold), biased(acpc.Call), biased(acpc.Raise),
}

func biased(more acpc.ActionType) func(acpc.ActionType) float64 {
	return func(t acpc.ActionType) float64 {
		if t == more {
			return 10
		}
		return 1
	}
}

// limited is the first round of a subgame, with the values of its ends.
type limited struct {
	*publictree.Layout
	player int
	played []float32
	hands  int
	// bucket is, by round, board and hand of the root, the bucket on this board, or -1.
	bucket [][][]int
}

// point is a decision or an end of the first round.
type point struct {
	node     int32
	actor    int
	children []*point
	regrets  [][]float64 // regrets by action and hand
	sums     [][]float64
	// values are what the player wins at an end, by its hand and then that of the opponent.
	values []float64
}

func newLimited(s *publictree.Layout, player int, played []float32) *limited {
	l := &limited{Layout: s, player: player, played: played, hands: s.Cards.Rounds[0].Stride}
	for r := range s.Cards.Rounds {
		round := &s.Cards.Rounds[r]
		boards := make([][]int, len(round.Boards))
		for i := range round.Boards {
			b := &round.Boards[i]
			boards[i] = slices.Repeat([]int{-1}, l.hands)
			for h := int(b.First); h < int(b.First+b.Num); h++ {
				hand := h
				for q := r; q > 0; q-- {
					hand = int(s.Cards.Rounds[q].Up[hand])
				}
				boards[i][hand] = h
			}
		}
		l.bucket = append(l.bucket, boards)
	}
	return l
}

// point returns the first round from a node on.
func (l *limited) point(node int32) *point {
	n := &l.Tree.Nodes[node]
	p := &point{node: node, actor: int(n.Actor)}
	own, other := policy.FullRange(l.Cards.Rounds[0].Hole), make([][]float64, len(continuations))
	for c := range other {
		other[c] = own
	}
	switch n.Kind {
	case betting.Decision:
		for a := range int32(n.NumActions) {
			p.children = append(p.children, l.point(n.First+a))
		}
	case betting.Terminal:
		p.values = l.ends(node, own, other[:1])[0]
	case betting.Deal:
		p.actor = 1 - l.player
		for _, values := range l.ends(node, own, other) {
			p.children = append(p.children, &point{values: values})
		}
	}
	for range p.children {
		p.regrets, p.sums = append(p.regrets, make([]float64, l.hands)), append(p.sums, make([]float64, l.hands))
	}
	return p
}

// ends returns the values of all pairs of hands from a node on, by continuation.
func (l *limited) ends(node int32, own []float64, other [][]float64) [][]float64 {
	values := make([][]float64, len(other))
	for c := range values {
		values[c] = make([]float64, l.hands*l.hands)
	}
	l.add(values, node, 0, own, other, 1)
	return values
}

// add accumulates the values below a node on one board. own is the player's reach, other[c] the
// opponent's under continuation c, and chance the probability of the board.
func (l *limited) add(values [][]float64, node int32, board int, own []float64, other [][]float64, chance float64) {
	n := &l.Tree.Nodes[node]
	round := int(n.Round)
	switch n.Kind {
	case betting.Terminal:
		l.addTerminal(values, n, l.bucket[round][board], own, other, chance)
	case betting.Deal:
		g := l.Tree.Game
		left := g.NumSuits*g.NumRanks - g.BoardCards(round) - 2*g.NumHoleCards
		for i := range l.Cards.Rounds[round+1].Boards {
			if b := &l.Cards.Rounds[round+1].Boards[i]; int(b.Parent) == board {
				l.add(values, l.Tree.Segments[n.First].First, i, own, other, chance/float64(left))
			}
		}
	case betting.Decision:
		for a := range int32(n.NumActions) {
			child, own, other := n.First+a, own, slices.Clone(other)
			if int(n.Actor) == l.player {
				own = l.after(node, int(a), board, own, continuations[0])
			} else {
				for c := range other {
					other[c] = l.after(node, int(a), board, other[c], continuations[c])
				}
			}
			l.add(values, child, board, own, other, chance)
		}
	}
}

// after returns the reach after an action by a continuation of the strategy.
func (l *limited) after(
	node int32, action, board int, reach []float64, weight func(acpc.ActionType) float64,
) []float64 {
	n := &l.Tree.Nodes[node]
	round := int(n.Round)
	stride, first := l.Cards.Rounds[round].Stride, l.Entry(node)
	out := make([]float64, len(reach))
	for i, b := range l.bucket[round][board] {
		if b < 0 || reach[i] == 0 {
			continue
		}
		taken, total := 0.0, 0.0
		for a := range int(n.NumActions) {
			x := weight(l.Tree.Nodes[int(n.First)+a].Action().Type) * float64(l.played[first+a*stride+b])
			if total += x; a == action {
				taken = x
			}
		}
		if total > 0 {
			out[i] = reach[i] * taken / total
		} else {
			out[i] = reach[i] / float64(n.NumActions)
		}
	}
	return out
}

// addTerminal adds the values of the end of a hand.
func (l *limited) addTerminal(
	values [][]float64, n *betting.Node, bucket []int, own []float64, other [][]float64, chance float64,
) {
	pot, holes := &l.Tree.Terminals[n.First], l.Cards.Rounds[0].Hole
	rank := func(hand int) int {
		if ranks := l.Cards.Rounds[n.Round].Rank; ranks != nil {
			return int(ranks[bucket[hand]])
		}
		return 0
	}
	for i, x := range own {
		if x == 0 || bucket[i] < 0 {
			continue
		}
		for j, hole := range holes {
			if bucket[j] < 0 || holes[i]&hole != 0 {
				continue
			}
			var ranks [acpc.MaxPlayers]int
			ranks[l.player], ranks[1-l.player] = rank(i), rank(j)
			won := pot.Value(l.player, &ranks) * x * chance
			for c := range values {
				values[c][i*l.hands+j] += won * other[c][j]
			}
		}
	}
}

// proportions returns weights by action and hand as probabilities.
func proportions(weights [][]float64) [][]float64 {
	out := make([][]float64, len(weights))
	for a := range out {
		out[a] = make([]float64, len(weights[a]))
		for i := range out[a] {
			total := 0.0
			for b := range weights {
				total += weights[b][i]
			}
			if out[a][i] = 1 / float64(len(weights)); total > 0 {
				out[a][i] = weights[a][i] / total
			}
		}
	}
	return out
}
