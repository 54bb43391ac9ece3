package browse

import (
	"fmt"
	"slices"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/policy"
)

// Strategy is a strategy that is looked into. It may be used by several goroutines at once.
type Strategy struct {
	policy *policy.Policy
	tree   *betting.Tree
	// values are counterfactual values, see publictree.Evaluator.ActionValues; nil if unknown.
	values []float64
}

// maxValued is the number of entries of the largest game whose values are computed. That
// takes about a second.
const maxValued = 1 << 20

// New prepares a strategy, which may lack the last rounds. It computes the values of a small
// game without abstraction of cards and with all betting remembered, for which it reads the
// whole file.
func New(p *policy.Policy, threads int) (*Strategy, error) {
	s := &Strategy{policy: p, tree: p.Tree}
	_, lossless := p.Buckets.(*abstraction.Cards)
	whole := p.Rounds() == p.Tree.Game.NumRounds
	if !lossless || !whole || p.Entries > maxValued || p.Tree.Shape.Betting.IsForgetful() {
		return s, nil
	}
	weights, err := p.Weights()
	if err != nil {
		return nil, err
	}
	layout, err := publictree.LayoutOf(p, 1<<30)
	if err != nil {
		return nil, err
	}
	s.values = publictree.NewEvaluator(layout, threads).ActionValues(weights)
	return s, nil
}

// Game returns the strategy's game.
func (s *Strategy) Game() *acpc.Game { return s.tree.Game }

// errOffTree is the error for betting that the strategy's tree has not.
var errOffTree = fmt.Errorf("betting %w", policy.ErrOffTree)

// node returns the decision that a hand has come to.
func (s *Strategy) node(hand *acpc.State) (int32, error) {
	node := s.tree.Find(hand)
	if node < 0 {
		return node, errOffTree
	}
	return node, nil
}

// boardHands is the hands that a board leaves.
type boardHands struct {
	*Strategy
	policy.Hands
}

// newBoardHands returns the hands on a board, which has no hole cards.
func (s *Strategy) newBoardHands(board abstraction.Deal) *boardHands {
	d := &boardHands{s, policy.Hands{Policy: s.policy, Board: board.Board}}
	used := card.Set(0)
	for _, b := range board.Board {
		used |= b
	}
	var rest []card.Card
	for c := range card.SetOf(s.Game().Deck()...).All() { // this is the order in which hands are listed
		if !used.Has(c) {
			rest = append(rest, c)
		}
	}
	card.Subsets(rest, s.Game().NumHoleCards, func(hole card.Set) { d.Holes = append(d.Holes, hole) })
	return d
}

// others returns the sum over all hands of the players but one, which share no card with a
// hand or each other, of the product of their reach.
func (d *boardHands) others(reach [][]float64, position int, hand card.Set) float64 {
	others := slices.Delete(slices.Clone(reach), position, position+1)
	var sum func(others [][]float64, used card.Set) float64
	sum = func(others [][]float64, used card.Set) float64 {
		total := 0.0
		for h, r := range others[0] {
			if r > 0 && d.Holes[h]&used == 0 {
				if len(others) > 1 {
					r *= sum(others[1:], used|d.Holes[h])
				}
				total += r
			}
		}
		return total
	}
	return sum(others, hand)
}

// ways returns the number of ways to deal the other players' hands.
func (d *boardHands) ways() float64 {
	hole := d.Game().NumHoleCards
	left := len(d.Game().Deck())
	for _, b := range d.Board {
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

// maxRoundNodes is the number of nodes of the largest last round that is valued. In hold'em
// that takes about a tenth of a second.
const maxRoundNodes = 2000

// valued reports whether the values of a decision are known: of all in a small game, and in
// the last round of a two-player game, unless it has very many raises.
func (s *Strategy) valued(node int32) bool {
	if s.values != nil {
		return true
	}
	g := s.Game()
	if int(s.tree.Nodes[node].Round) < g.NumRounds-1 || g.NumPlayers != 2 || g.NumHoleCards > 2 {
		return false
	}
	segment := s.tree.Segments[s.tree.SegmentOf(node)]
	return segment.Last-segment.First <= maxRoundNodes
}

// lastRound returns what the actions of a decision on a full board of two players win: by
// action and hand, the sum over the other player's hands, each weighted by its reach.
func (d *boardHands) lastRound(node int32) (wins [][]float64, err error) {
	segment := d.tree.SegmentOf(node)
	root := publictree.SubgameRoot{Policy: d.policy, Segment: segment, Board: d.Board}
	game, played, err := root.Subgame()
	if err != nil {
		return nil, err
	}
	local, own := node-d.tree.Segments[segment].First, &game.Cards.Rounds[0]
	values := publictree.NewEvaluator(game, 1).ActionValues(played)[game.Entry(local):]
	at := make(map[card.Set]int, len(own.Hole))
	for h, hole := range own.Hole {
		at[hole] = h
	}
	for a := range int(game.Tree.Nodes[local].NumActions) {
		var row []float64
		for _, hole := range d.Holes {
			row = append(row, values[a*own.Stride+at[hole]])
		}
		wins = append(wins, row)
	}
	return wins, nil
}
