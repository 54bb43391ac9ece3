package browse

import (
	"gamebots/acpc/card"
	"gamebots/solvers/cfr/publictree"
)

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
