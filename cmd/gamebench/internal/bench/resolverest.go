package bench

import (
	"context"
	"slices"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/policy"
	"gamebots/solvers/resolve"
)

// trunk is a strategy before the rest of hands is solved.
type trunk struct {
	*publictree.Layout
	policy *policy.Policy
}

// rest is the remainder of a hand from the start of a round on.
type rest struct {
	*publictree.Layout
	trained []float32 // what the strategy plays
	start   *acpc.State
	board   *abstraction.Board
}

// rest returns the remainder of a hand from a segment on, on a board.
func (t trunk) rest(segment int32, b *abstraction.Board) (rest, error) {
	root := publictree.SubgameRoot{Policy: t.policy, Segment: int(segment), Board: b.Cards}
	game, trained, err := root.Subgame()
	return rest{game, trained, stateOf(t.policy.Tree, int(segment)), b}, err
}

// offers returns the offers to the players' hands, as counterfactual values by position and bucket:
// their winnings if both play the strategy, or those of best responses to it.
func (g rest) offers(way resolver) (offers [2][]float64) {
	if !way.safe {
		return offers
	}
	e := publictree.NewEvaluator(g.Layout, 1)
	for p := range offers {
		own, best := e.Values(g.trained, p)
		if offers[p] = best; way.played {
			offers[p] = own
		}
	}
	return offers
}

// solve solves all hands from the start of a round on, on a board, and sets the weights to the
// solutions of the players.
func (t trunk) solve(
	ctx context.Context, way resolver, iterations int, b *abstraction.Board, round int, weights []float32,
) error {
	for k := range t.Tree.Segments {
		if t.Tree.Segments[k].Round != round {
			continue
		}
		if err := context.Cause(ctx); err != nil {
			return err
		}
		g, err := t.rest(int32(k), b)
		if err != nil {
			return err
		}
		if err := t.solveWhole(way, iterations, g, int32(k), weights); err != nil {
			return err
		}
	}
	return nil
}

// solveWhole solves the remainder of a hand at once. Rivers without a limit are solved as in play.
func (t trunk) solveWhole(way resolver, iterations int, g rest, segment int32, weights []float32) error {
	offers := g.offers(way)
	var solved [2][]float32
	switch {
	case g.Tree.Game.Betting == acpc.NoLimit && g.Tree.Game.NumRounds == 1:
		var err error
		if solved, err = g.solveSpot(way, offers, iterations); err != nil {
			return err
		}
	case !way.safe:
		both := resolve.Solve(g.Layout, iterations)
		solved = [2][]float32{both, both}
	default:
		for p := range solved {
			offer := resolve.Offer{Values: offers[1-p], Known: way.known, Margin: way.margin}
			solved[p] = resolve.SolveSafe(g.Layout, p, offer, iterations)
		}
	}
	t.copy(weights, segment, g.board, g.Layout, 0, &g.Cards.Rounds[0].Boards[0], solved)
	return nil
}

// copy sets the weights from a segment on, on a board, to those that the players have in a
// segment of a subgame, on the same board of it. The weights of a player without any stay.
func (t trunk) copy(
	weights []float32, segment int32, b *abstraction.Board, g *publictree.Layout, local int32,
	from *abstraction.Board, solved [2][]float32,
) {
	in := &g.Tree.Segments[local]
	offset := t.Tree.Segments[segment].First - in.First
	number := t.Tree.Segments[segment].Round
	round, own := &t.Cards.Rounds[number], &g.Cards.Rounds[in.Round]
	at := map[card.Set]int{} // the buckets of the subgame
	for h := int(from.First); h < int(from.First+from.Num); h++ {
		at[own.Hole[h]] = h
	}
	for node := in.First; node < in.Last; node++ {
		switch n := &g.Tree.Nodes[node]; n.Kind {
		case betting.Deal:
			next, boards := t.Cards.Rounds[number+1].Boards, g.Cards.Rounds[in.Round+1].Boards
			for i := range next {
				if &round.Boards[next[i].Parent] != b {
					continue
				}
				same := slices.IndexFunc(boards, func(x abstraction.Board) bool {
					return &own.Boards[x.Parent] == from && x.Cards[in.Round+1] == next[i].Cards[number+1]
				})
				t.copy(weights, t.Tree.Nodes[node+offset].First, &next[i], g, n.First, &boards[same], solved)
			}
		case betting.Decision:
			if solved[n.Actor] == nil {
				continue
			}
			from, to := solved[n.Actor][g.Entry(node):], weights[t.Entry(node+offset):]
			for h := int(b.First); h < int(b.First+b.Num); h++ {
				for a := range int(n.NumActions) {
					to[a*round.Stride+h] = from[a*own.Stride+at[round.Hole[h]]]
				}
			}
		}
	}
}
