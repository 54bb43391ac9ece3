package browse

import (
	"fmt"
	"slices"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
)

// Strategy is a strategy that is looked into. It may be used by several goroutines at once.
type Strategy struct {
	policy *cfr.Policy
	tree   *betting.Tree
	// values are counterfactual values, see cfr.Evaluator.ActionValues; nil if unknown.
	values []float64
}

// maxValued is the number of entries of the largest game whose values are computed. That
// takes about a second.
const maxValued = 1 << 20

// New prepares a strategy. It computes the values of a small game without abstraction of
// cards and with all betting remembered, for which it reads the whole file.
func New(policy *cfr.Policy, threads int) (*Strategy, error) {
	s := &Strategy{policy: policy, tree: policy.Tree}
	_, lossless := policy.Buckets.(*abstraction.Cards)
	if !lossless || policy.Entries > maxValued || policy.Tree.Shape.Betting.IsForgetful() {
		return s, nil
	}
	weights, err := policy.Weights()
	if err != nil {
		return nil, err
	}
	layout, err := policy.Layout(1 << 30)
	if err != nil {
		return nil, err
	}
	s.values = cfr.NewEvaluator(layout, threads).ActionValues(weights)
	return s, nil
}

// Game returns the strategy's game.
func (s *Strategy) Game() *acpc.Game { return s.tree.Game }

// errOffTree is the error for betting that the strategy's tree has not.
var errOffTree = fmt.Errorf("betting %w", cfr.ErrOffTree)

// step is an action on the way to a node.
type step struct {
	node   int32 // the decision before it
	action int   // of the decision
}

// path returns the actions that lead to the decision that a hand has come to, and the
// decision.
func (s *Strategy) path(hand *acpc.State) (steps []step, node int32, err error) {
	node = s.tree.Find(hand)
	if node < 0 {
		return nil, node, errOffTree
	}
	at := s.tree.Segments[0].First
	for r := range hand.Round() + 1 {
		for _, a := range hand.Actions(r) {
			at = s.tree.AfterDeal(at)
			n := &s.tree.Nodes[at]
			child := n.First
			for s.tree.Nodes[child].Action() != a {
				child++
			}
			steps = append(steps, step{at, int(child - n.First)})
			at = child
		}
	}
	return steps, node, nil
}

// boardHands is the hands that a board leaves, and their buckets.
type boardHands struct {
	*Strategy
	board   abstraction.Deal // without hole cards
	holes   []card.Set
	cards   [][]card.Card         // of holes
	buckets [acpc.MaxRounds][]int // by hand; nil until they are asked for
}

// newDeal returns the hands on a board.
func (s *Strategy) newBoardHands(board abstraction.Deal) *boardHands {
	d := &boardHands{Strategy: s, board: board}
	used := card.Set(0)
	for _, b := range board.Board {
		used |= b
	}
	var rest []card.Card
	for c := range card.SetOf(s.Game().Deck()...).All() {
		if !used.Has(c) {
			rest = append(rest, c)
		}
	}
	card.Subsets(rest, s.Game().NumHoleCards, func(hole card.Set) {
		d.holes = append(d.holes, hole)
		d.cards = append(d.cards, slices.Collect(hole.All()))
	})
	return d
}

// bucket returns the buckets of a round by hand.
func (d *boardHands) bucket(round int) []int {
	if d.buckets[round] == nil {
		d.buckets[round] = make([]int, len(d.holes))
		for h, hole := range d.holes {
			dealt := abstraction.Deal{Hole: hole}
			copy(dealt.Board[:round+1], d.board.Board[:])
			d.buckets[round][h] = d.policy.Buckets.Bucket(round, dealt)
		}
	}
	return d.buckets[round]
}

// play returns by hand the probabilities of the actions of a decision. Hands in one bucket
// share them.
func (d *boardHands) play(node int32) ([][]float64, error) {
	buckets := d.bucket(int(d.tree.Nodes[node].Round))
	known := make(map[int][]float64)
	all := make([][]float64, len(d.holes))
	var choices []cfr.Choice
	for h, b := range buckets {
		if known[b] == nil {
			var err error
			if choices, err = d.policy.ChoicesAt(choices[:0], node, b); err != nil {
				return nil, err
			}
			known[b] = probabilities(choices)
		}
		all[h] = known[b]
	}
	return all, nil
}

// probabilities returns the probabilities of choices, which a file has in 32 bits or fewer,
// so that they add up to 1.
func probabilities(choices []cfr.Choice) (all []float64) {
	total := 0.0
	for _, c := range choices {
		total += float64(c.Probability)
	}
	for _, c := range choices {
		p := 1 / float64(len(choices)) // where a file has no probability
		if total > 0 {
			p = float64(c.Probability) / total
		}
		all = append(all, p)
	}
	return all
}

// reachOf returns, by position and hand, the probability with which a player's own actions
// lead along a path.
func (d *boardHands) reachOf(path []step) ([][]float64, error) {
	reach := make([][]float64, d.Game().NumPlayers)
	for p := range reach {
		reach[p] = make([]float64, len(d.holes))
		for h := range reach[p] {
			reach[p][h] = 1
		}
	}
	for _, s := range path {
		play, err := d.play(s.node)
		if err != nil {
			return nil, err
		}
		own := reach[d.tree.Nodes[s.node].Actor]
		for h := range own {
			own[h] *= play[h][s.action]
		}
	}
	return reach, nil
}

// others returns the sum over all hands of the players but one, which share no card with a
// hand or each other, of the product of their reach.
func (d *boardHands) others(reach [][]float64, position int, hand card.Set) float64 {
	var sum func(p int, used card.Set) float64
	sum = func(p int, used card.Set) float64 {
		if p == position {
			p++
		}
		if p == len(reach) {
			return 1
		}
		total := 0.0
		for h, r := range reach[p] {
			if r > 0 && d.holes[h]&used == 0 {
				total += r * sum(p+1, used|d.holes[h])
			}
		}
		return total
	}
	return sum(0, hand)
}

// ways returns the number of ways to deal the other players' hands.
func (d *boardHands) ways() float64 {
	hole := d.Game().NumHoleCards
	left := len(d.Game().Deck())
	for _, b := range d.board.Board {
		left -= b.Len()
	}
	ways := 1.0
	for range d.Game().NumPlayers - 1 {
		left -= hole
		for k := range hole {
			ways = ways * float64(left-k) / float64(k+1)
		}
	}
	return ways
}
