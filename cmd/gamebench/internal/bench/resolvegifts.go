package bench

import (
	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/policy"
	"gamebots/solvers/resolve"
)

// offers returns what the hands of the players are offered, as counterfactual values by position
// and bucket: what they win if both play the strategy, or what best responses win from it, with
// what was given away before if the way has gifts.
func (g rest) offers(way resolver, before trunk) (offers [2][]float64, err error) {
	if !way.safe {
		return offers, nil
	}
	e := cfr.NewEvaluator(g.Layout, 1)
	for p := range offers {
		own, best := e.Values(g.trained, p)
		if offers[p] = best; way.played {
			offers[p] = own
		}
	}
	if !way.gifts {
		return offers, nil
	}
	holes := g.Cards.Rounds[0].Hole
	for p := range offers {
		gifts, err := before.gifts(g, p)
		if err != nil {
			return offers, err
		}
		for i, opposing := range resolve.Opposing(holes, g.Ranges[1-p]) {
			offers[p][i] += opposing * gifts[holes[i]]
		}
	}
	return offers, nil
}

// gifts returns by hand how many chips a player has given away by its actions before a
// round: at each decision, how much more another action would have won. So much more the player
// may win in the round without winning more than from the strategy (Brown and Sandholm, "Safe
// and nested subgame solving for imperfect-information games", NIPS 2017).
func (t trunk) gifts(g rest, player int) (map[card.Set]float64, error) {
	last := &t.Cards.Rounds[g.round]
	gifts := map[card.Set]float64{}
	for n := g.from; t.Tree.Parent(n) >= 0; n = t.Tree.Parent(n) {
		at := t.Tree.Parent(n)
		decision := &t.Tree.Nodes[at]
		if decision.Kind != betting.Decision || int(decision.Actor) != player {
			continue
		}
		number, taken := int(decision.Round), int(n-decision.First)
		seen := policy.Hands{Policy: t.policy, Holes: t.holes(number, g.board.Cards)}
		copy(seen.Board[:number+1], g.board.Cards[:number+1])
		reach, err := seen.Reach(at)
		if err != nil {
			return nil, err
		}
		opposing := map[card.Set]float64{}
		for i, x := range resolve.Opposing(seen.Holes, reach[1-player]) {
			opposing[seen.Holes[i]] = x
		}
		round := &t.Cards.Rounds[number]
		for h := int(g.board.First); h < int(g.board.First+g.board.Num); h++ {
			hole, bucket := last.Hole[h], h
			for r := g.round; r > number; r-- {
				bucket = int(t.Cards.Rounds[r].Up[bucket])
			}
			if opposing[hole] == 0 {
				continue
			}
			value := func(a int) float64 { return t.values[t.Entry(at)+a*round.Stride+bucket] }
			best := value(taken)
			for a := range int(decision.NumActions) {
				best = max(best, value(a))
			}
			gifts[hole] += (best - value(taken)) / opposing[hole]
		}
	}
	return gifts, nil
}

// holes returns all hole cards that the board leaves up to a round.
func (t trunk) holes(round int, board [acpc.MaxRounds]card.Set) (holes []card.Set) {
	dealt := card.Set(0)
	for _, cards := range board[:round+1] {
		dealt |= cards
	}
	g := t.Tree.Game
	var deck []card.Card
	for _, c := range g.Deck() {
		if dealt&c.Bit() == 0 {
			deck = append(deck, c)
		}
	}
	card.Subsets(deck, g.NumHoleCards, func(s card.Set) { holes = append(holes, s) })
	return holes
}
