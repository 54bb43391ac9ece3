package resolve

import (
	"slices"

	"gamebots/acpc/card"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/spot"
	"gamebots/solvers/cfr/subgame"
)

// knownPart is the part of the deals in which the opponent is taken to come with its range. It
// makes a strategy about as hard to exploit from 0.3 to 0.9, and harder than 0 and 1 do
// (gamebots bench resolve).
const knownPart = 0.5

// offer returns what the opponent is offered at the start of a round: what its hands win from
// the solution of the round before, or on the river from the blueprint. It is nil for a turn,
// for which there is neither, after a late solution, and where the blueprint has lost the hand.
func (r *round) offer(last *solution, line []spot.Action, board card.Set) (*spot.Offer, error) {
	switch {
	case last != nil && r.late(last.solver):
		return nil, nil
	case last != nil:
		return r.offerOfSolution(last, line)
	case r.index == River && r.blueprint.Rounds > River:
		return r.offerOfBlueprint(board)
	}
	return nil, nil
}

// offerOfSolution offers what hands win at the start of the round from the solution that held at
// the end of the one before.
func (r *round) offerOfSolution(last *solution, line []spot.Action) (*spot.Offer, error) {
	dealt := r.spot.Board[len(r.spot.Board)-1]
	node, err := last.solver.At(spot.LineOf(line) + "-" + dealt.String())
	if err != nil {
		return nil, err
	}
	o := &spot.Offer{Player: r.place(r.index, 1-r.own), Values: map[card.Set]float64{}, Known: knownPart}
	for _, h := range node.Hands[o.Player] {
		if h.Opposing > 0 {
			o.Values[h.Hole] = h.Value
		}
	}
	return o, nil
}

// offerOfBlueprint offers what best responses win from the blueprint's own river, in the betting
// to which the hand was most probably mapped, as parts of the pot.
func (r *round) offerOfBlueprint(board card.Set) (*spot.Offer, error) {
	at := r.trunk.Likeliest()
	if at == nil {
		return nil, nil
	}
	tree := r.blueprint.Index.Tree
	segment := tree.SegmentOf(at.Node)
	first, rest := tree.Segments[segment].First, tree.From(segment)
	cards := abstraction.NewOnBoard(rest.Game, board)
	hands := &cards.Rounds[0]
	var reach subgame.Ranges
	for p := range reach {
		reach[p] = make([]float64, len(hands.Hole))
		for i, hole := range hands.Hole {
			if hole != 0 {
				reach[p][i] = r.reach[p][r.number[hole]]
			}
		}
	}
	if slices.Max(reach[r.own]) == 0 {
		return nil, nil
	}
	s := subgame.New(rest, cards, reach)
	played := make([]float32, s.Entries)
	for node := range int32(len(rest.Nodes)) {
		if rest.Nodes[node].Kind != betting.Decision {
			continue
		}
		play, err := r.trunk.Probabilities(first + node)
		if err != nil {
			return nil, err
		}
		for a, row := range play {
			for i, hole := range hands.Hole {
				if hole != 0 {
					played[s.Entry(node)+a*hands.Stride+i] = float32(row[r.number[hole]])
				}
			}
		}
	}
	mapped := at.Hand()
	pot := float64(mapped.Spent(0) + mapped.Spent(1))
	o := NewOffer(s, cfr.NewEvaluator(s.Layout, 1).Responses(played), 1-r.own, pot)
	for hole, x := range o.Values {
		o.Values[hole] = x * float64(r.spot.Pot) / pot
	}
	o.Player = r.place(r.index, 1-r.own)
	return o, nil
}

// NewOffer returns an offer of what the responses in a subgame with a pot win, by position and
// bucket, to the player in a position.
func NewOffer(s *subgame.Subgame, responses [][]float64, position int, pot float64) *spot.Offer {
	o := &spot.Offer{Player: position, Values: map[card.Set]float64{}, Known: knownPart}
	holes := s.Cards.Rounds[0].Hole
	opposing := subgame.Opposing(holes, s.Ranges[1-position])
	for i, hole := range holes {
		if opposing[i] > 0 {
			o.Values[hole] = responses[position][i]/opposing[i] + pot/2
		}
	}
	return o
}
