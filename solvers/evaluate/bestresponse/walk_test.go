package bestresponse

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/internal/pokertest"
	"gamebots/solvers/policy"
)

// walker answers a simple player by walking through the hands of a game one by one.
type walker struct {
	tree      *betting.Tree
	kind      policy.Plain
	responder int
	own       card.Set
	follow    [acpc.MaxRounds]bool // rounds in which it plays as the simple player does
	counts    map[card.Set][3]int  // deals that are lost, tied and won, by board
}

// value returns what the responder wins in the mean over what it does not see, from a node on.
func (w *walker) value(node int32, board card.Set) float64 {
	n := &w.tree.Nodes[node]
	switch n.Kind {
	case betting.Terminal:
		return w.showdown(&w.tree.Terminals[n.First], board)
	case betting.Deal:
		next := &w.tree.Segments[n.First]
		sum, boards := 0.0, 0
		rest := slices.DeleteFunc(w.tree.Game.Deck(), (board | w.own).Has)
		card.Subsets(rest, int(w.tree.Game.NumBoardCards[next.Round]), func(cards card.Set) {
			sum += w.value(next.First, board|cards)
			boards++
		})
		return sum / float64(boards)
	}
	best, mean, total := math.Inf(-1), 0.0, 0.0
	for child := n.First; child < n.First+int32(n.NumActions); child++ {
		v := w.value(child, board)
		p := w.probability(n, child)
		best, mean, total = max(best, v), mean+p*v, total+p
	}
	if int(n.Actor) == w.responder && !w.follow[n.Round] {
		return best
	}
	return mean / total
}

// probability returns how often, but for a factor, the simple player plays a child of a node.
func (w *walker) probability(n *betting.Node, child int32) float64 {
	a, last := w.tree.Nodes[child].Action(), n.First+int32(n.NumActions)-1
	raises := w.tree.Nodes[last].Action().Type == acpc.Raise
	switch {
	case a.Type == acpc.Fold:
		return map[bool]float64{true: 1}[w.kind == policy.PlainFold]
	case a.Type == acpc.Raise && (child < last || w.kind == policy.PlainCall || w.kind == policy.PlainFold),
		a.Type == acpc.Call && raises && w.kind == policy.PlainRaise,
		a.Type == acpc.Call && w.kind == policy.PlainFold && w.tree.Nodes[n.First].Action().Type == acpc.Fold:
		return 0
	}
	return 1
}

// showdown returns what the responder wins in the mean over the hands of the other player, and over the cards that are
// dealt after an all-in.
func (w *walker) showdown(pot *acpc.Pot, board card.Set) float64 {
	counts, ok := w.counts[board]
	if !ok {
		counts = w.count(board)
		w.counts[board] = counts
	}
	sum, hands := 0.0, 0
	for outcome, n := range counts {
		var ranks [acpc.MaxPlayers]int
		ranks[w.responder] = outcome - 1
		sum += float64(n) * pot.Value(w.responder, &ranks)
		hands += n
	}
	return sum / float64(hands)
}

// count returns in how many deals the responder loses, ties and wins.
func (w *walker) count(board card.Set) (counts [3]int) {
	g := w.tree.Game
	rest := slices.DeleteFunc(g.Deck(), (board | w.own).Has)
	card.Subsets(rest, g.BoardCards(g.NumRounds-1)-board.Len(), func(cards card.Set) {
		full := board | cards
		card.Subsets(slices.DeleteFunc(slices.Clone(rest), cards.Has), g.NumHoleCards, func(other card.Set) {
			counts[1+cmp.Compare(g.HandRanking.Rank(w.own|full), g.HandRanking.Rank(other|full))]++
		})
	})
	return counts
}

// A walk through all hands finds what best responses win from simple players in no-limit games. Who always folds loses
// 750 mb.
func TestPlainNoLimit(t *testing.T) {
	uneven := pokertest.NoLimit(t, 9, 2, 3, 1, 1)
	uneven.Stack[0] -= 150
	for _, g := range []*acpc.Game{pokertest.NoLimit(t, 200, 2, 3, 1, 1), uneven, pokertest.Game(t, "leduc-nolimit")} {
		tree := betting.NewTree(g, parse(t, "1,a/a").ShapeOf(g, 1<<20))
		for _, kind := range policy.Plains {
			s, err := PlainStrategy(kind, tree)
			if err != nil {
				t.Fatal(err)
			}
			best := exact(t, s, 2)
			for p, x := range best {
				want, hands := 0.0, 0
				card.Subsets(g.Deck(), g.NumHoleCards, func(own card.Set) {
					w := &walker{tree: tree, kind: kind, responder: p, own: own, counts: map[card.Set][3]int{}}
					want += w.value(0, 0)
					hands++
				})
				if want /= float64(hands); math.Abs(x-want) > 1e-6*max(float64(g.MaxBlind()), want) {
					t.Errorf("%s, %s, position %d: %v, want %v", g.Name, kind, p+1, x, want)
				}
			}
			if mb := 500 * (best[0] + best[1]) / float64(g.MaxBlind()); kind == policy.PlainFold && g.Blind[0] > 0 &&
				g.Blind[1] > 0 && g.Blind[0] != g.Blind[1] && math.Abs(mb-750) > 1e-9 {
				t.Errorf("%s: who always folds loses %v mb, want 750", g.Name, mb)
			}
		}
	}
}
