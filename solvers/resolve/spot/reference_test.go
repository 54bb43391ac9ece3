package spot

import (
	"slices"

	"gamebots/acpc/card"
	"gamebots/acpc/hand"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/resolve/spot/internal/layout"
)

// reference values the average strategies of a solver by enumeration of all pairs of hands
// and all boards: without symmetry, sums by card or vectors.
type reference struct {
	*Solver
	holes [2][]card.Set
	best  bool // the valued player plays a best response; otherwise the average strategy
}

func newReference(s *Solver) *reference {
	r := &reference{Solver: s}
	for p := range r.holes {
		for _, h := range s.Boards[s.First][0].Hands[p].Holes {
			r.holes[p] = append(r.holes[p], h.Set())
		}
	}
	return r
}

// value returns what a player wins on average, in chips beyond half of the pot.
func (r *reference) value(player int) float64 {
	var reach [2][]float64
	pairs := 0.0
	for p := range reach {
		for _, h := range r.holes[p] {
			reach[p] = append(reach[p], r.spot.Ranges[p].Weight(h))
		}
	}
	for i, x := range r.holes[player] {
		for j, y := range r.holes[1-player] {
			if x&y == 0 {
				pairs += reach[player][i] * reach[1-player][j]
			}
		}
	}
	root := point{street: r.First, renaming: abstraction.Renaming{0, 1, 2, 3}, cards: slices.Clone(r.spot.Board)}
	sum := 0.0
	for i, v := range r.values(root, player, reach[1-player]) {
		sum += reach[player][i] * v
	}
	return sum / pairs
}

// values returns the values of the player's hands at a point, each weighted with the reach of the
// other player's hands.
func (r *reference) values(p point, player int, other []float64) []float64 {
	values := make([]float64, len(r.holes[player]))
	n := &r.Streets[p.street].Nodes[p.node]
	board := card.SetOf(p.cards...)
	switch n.Kind {
	case layout.Deal:
		for c := range card.Card(card.DeckSize) {
			if board.Has(c) {
				continue
			}
			next := p
			next.cards = slices.Clone(p.cards)
			left := slices.Clone(other)
			for j, y := range r.holes[1-player] {
				if y.Has(c) {
					left[j] = 0
				}
			}
			for i, v := range r.values(r.afterCard(next, c), player, left) {
				if !r.holes[player][i].Has(c) {
					values[i] += v / float64(52-len(p.cards)-4)
				}
			}
		}
	case layout.Decision:
		for a := range int(n.Actions) {
			next := p
			next.node = n.First + int32(a)
			if int(n.Actor) != player {
				reach := slices.Clone(other)
				for j, y := range r.holes[1-player] {
					reach[j] *= r.probability(p, n, y, a)
				}
				for i, v := range r.values(next, player, reach) {
					values[i] += v
				}
				continue
			}
			for i, v := range r.values(next, player, other) {
				switch {
				case !r.best:
					values[i] += v * r.probability(p, n, r.holes[player][i], a)
				case a == 0 || v > values[i]:
					values[i] = v
				}
			}
		}
	default:
		for i, x := range r.holes[player] {
			for j, y := range r.holes[1-player] {
				if x&y == 0 && x&board == 0 && y&board == 0 {
					values[i] += other[j] * r.win(n, player, board, x, y)
				}
			}
		}
	}
	return values
}

// win returns what a player wins at an end beyond half of the pot.
func (r *reference) win(n *layout.Node, player int, board, own, other card.Set) float64 {
	stake := float64(r.spot.Pot)/2 + float64(n.Put)
	rake := r.spot.Rake.of(r.spot.Pot + 2*int(n.Put))
	mine, others := hand.ACPC.Rank(board|own), hand.ACPC.Rank(board|other)
	switch {
	case n.Kind == layout.Fold && int(n.Actor) == player, n.Kind == layout.Showdown && mine < others:
		return -stake
	case n.Kind == layout.Fold, mine > others:
		return stake - rake
	}
	return -rake / 2
}

// probability returns how often a hand does an action on average.
func (r *reference) probability(p point, n *layout.Node, hole card.Set, action int) float64 {
	h := &r.Boards[p.street][p.board].Hands[n.Actor]
	i := h.Places()[layout.HoleOf(p.renaming.Of(hole)).Index()]
	if i == layout.Absent {
		return 0
	}
	d := r.Decision(p.street, p.board, n)
	sums := r.sums.Load(d, make([]float32, d.Actions*d.Width))
	total := 0.0
	for a := range d.Actions {
		total += float64(sums[a*d.Width+int(i)])
	}
	if total == 0 {
		return 1 / float64(d.Actions)
	}
	return float64(sums[action*d.Width+int(i)]) / total
}

// share returns the part of the pot that a hand wins of another on a river.
func share(board, own, other card.Set) float64 {
	switch mine, others := hand.ACPC.Rank(board|own), hand.ACPC.Rank(board|other); {
	case mine > others:
		return 1
	case mine == others:
		return .5
	}
	return 0
}
