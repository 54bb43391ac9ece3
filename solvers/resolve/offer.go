package resolve

import (
	"context"
	"slices"

	"gamebots/acpc/card"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/internal/gate"
	"gamebots/solvers/policy"
	"gamebots/solvers/resolve/spot"
)

// blueprintFraction is the fraction of deals in which the opponent is assumed to follow the
// blueprint, and so to come with its range. From 0.3 to 0.9 a strategy is about as hard to exploit,
// and harder than with 0 and 1 (docs/nolimit-bot.md).
const blueprintFraction = 0.5

// offer returns what the opponent is offered at the start of a round: what its hands win from
// the solution of the round before, or else from the blueprint. It is nil after a late solution,
// where the blueprint lacks rounds or has lost the hand, and when the context is done.
//
// It is nil, too, in games of more than two players. There a blueprint guarantees nothing that could be kept, and to be
// safe from all hands costs most of what is won: on rivers of six players only 10 to 300 of 1,081 are in a range.
func (r *round) offer(ctx context.Context, last *solution, line []spot.Action) (*spot.Offer, error) {
	switch {
	case r.game.NumPlayers > 2, last != nil && r.late(last.solver):
		return nil, nil
	case last != nil:
		return r.offerOfSolution(last, line)
	case r.blueprint.Rounds < r.game.NumRounds:
		return nil, nil
	}
	o, err := r.offerOfBlueprint(ctx)
	if err != nil && ctx.Err() != nil {
		//lint:ignore nilerr there was no time
		return nil, nil
	}
	return o, err
}

// offerOfSolution offers what hands win at the start of the round from the solution that held at
// the end of the one before.
func (r *round) offerOfSolution(last *solution, line []spot.Action) (*spot.Offer, error) {
	dealt := r.spot.Board[len(r.spot.Board)-1]
	o := &spot.Offer{Player: 1 - r.own, Known: blueprintFraction}
	var err error
	o.Values, err = last.solver.Solution().Dealt(spot.LineOf(line)+"-"+dealt.String(), o.Player)
	return o, err
}

// offerOfBlueprint offers what best responses win from the blueprint in the rest of the hand, in
// the betting to which it was most probably mapped, as parts of the pot.
func (r *round) offerOfBlueprint(ctx context.Context) (*spot.Offer, error) {
	at := r.mapped
	if at == nil {
		return nil, nil
	}
	index := r.blueprint.Index
	segment := index.Tree.SegmentOf(at.Node)
	rest := index.Tree.From(segment)
	cards := abstraction.NewOnBoard(rest.Game, card.SetOf(r.spot.Board...))
	hands := &cards.Rounds[0]
	var reach [2][]float64
	for q, p := range r.players {
		reach[p] = make([]float64, len(hands.Hole))
		for i, hole := range hands.Hole {
			if hole != 0 {
				reach[p][i] = r.reach[q][r.number[hole]]
			}
		}
	}
	own := r.players[r.own]
	if slices.Max(reach[own]) == 0 {
		return nil, nil
	}
	s := publictree.NewSubgame(rest, cards, reach)
	played := make([]float32, s.Entries)
	board := policy.BoardOf(r.start, r.index)
	err := s.Fill(played, index, segment, board, func(dst []float64, node int32, bucket int) ([]float64, error) {
		if err := ctx.Err(); err != nil || int(index.Tree.Nodes[node].Actor) != own {
			return dst, err
		}
		return r.blueprint.Played(dst, node, bucket)
	})
	if err != nil {
		return nil, err
	}
	mapped := at.Hand()
	pot := float64(mapped.Pot().Chips())
	_, best := publictree.NewEvaluator(s, r.options.Threads).Values(played, 1-own)
	o := &spot.Offer{Player: 1 - r.own, Values: map[card.Set]float64{}, Known: blueprintFraction}
	opposing := gate.Opposing(hands.Hole, hands.Hole, s.Ranges[own])
	for i, hole := range hands.Hole {
		if opposing[i] > 0 { // counterfactual values become parts of the pot
			o.Values[hole] = (best[i]/opposing[i] + pot/2) * float64(r.spot.Pot) / pot
		}
	}
	return o, nil
}
