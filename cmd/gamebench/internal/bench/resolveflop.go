package bench

import (
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/resolve"
)

// limitedFactor is how many times more iterations a flop has that is solved to its end: it takes far
// less time than the turns after it.
const limitedFactor = 4

// solveLimited solves a flop to its end, and then each turn from the ranges of that solution to the
// end of the hand. It sets the weights from the flop's segment on.
func (t trunk) solveLimited(way resolver, iterations int, g rest, segment int32, weights []float32) error {
	offers := g.offers(way)
	in := &g.Tree.Segments[0]
	for p := range offers {
		solved := resolve.SolveLimited(g.Layout, p, way.offer(offers, p, g), g.trained, limitedFactor*iterations)
		t.copy(weights, segment, g.board, g.Layout, 0, &g.Cards.Rounds[0].Boards[0], only(p, solved))
		reach := g.reach(solved)
		for node := in.First; node < in.Last; node++ {
			if g.Tree.Nodes[node].Kind != betting.Deal {
				continue
			}
			deal := t.Tree.Segments[segment].First + node - in.First
			next := t.Cards.Rounds[g.round+1].Boards
			for i := range next {
				if &t.Cards.Rounds[g.round].Boards[next[i].Parent] != g.board {
					continue
				}
				if err := t.solveAfter(way, iterations, p, t.Tree.Nodes[deal].First, &next[i], g, reach[node],
					weights); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// solveAfter solves a segment for a player, who comes to it with the reach at the end of the round
// before.
func (t trunk) solveAfter(
	way resolver, iterations, p int, segment int32, b *abstraction.Board, before rest,
	reach [2][]float64, weights []float32,
) error {
	g, err := t.rest(segment, b)
	if err != nil {
		return err
	}
	at := before.buckets()
	for q := range reach {
		most := 0.0
		ranges := make([]float64, len(g.Ranges[q]))
		for h, hole := range g.Cards.Rounds[0].Hole {
			if hole != 0 {
				ranges[h] = reach[q][at[hole]]
				most = max(most, ranges[h])
			}
		}
		if most > 0 { // or else the strategy's ranges are as good as any
			g.Ranges[q] = ranges
		}
	}
	offers := g.offers(way)
	solved := resolve.SolveSafe(g.Layout, p, way.offer(offers, p, g), iterations)
	t.copy(weights, segment, b, g.Layout, 0, &g.Cards.Rounds[0].Boards[0], only(p, solved))
	return nil
}

// offer returns what the opponent of a player is offered; nothing if the way is not safe.
func (way resolver) offer(offers [2][]float64, player int, g rest) resolve.Offer {
	if !way.safe {
		return resolve.Offer{Values: make([]float64, g.Cards.Rounds[0].Stride), Known: 1}
	}
	return resolve.Offer{Values: offers[1-player], Known: way.known, Margin: way.margin}
}

// only returns the weights of a player by position.
func only(player int, weights []float32) (both [2][]float32) {
	both[player] = weights
	return both
}

// reach returns by node of the first segment, position and hand with which reach weights lead there.
func (g rest) reach(weights []float32) [][2][]float64 {
	in := &g.Tree.Segments[0]
	reach := make([][2][]float64, in.Last)
	reach[0] = [2][]float64{g.Ranges[0], g.Ranges[1]}
	for node := in.First; node < in.Last; node++ {
		n := &g.Tree.Nodes[node]
		if n.Kind != betting.Decision {
			continue
		}
		stride, own := g.Cards.Rounds[0].Stride, weights[g.Entry(node):]
		for a := range int(n.NumActions) {
			after := make([]float64, stride)
			for h, x := range reach[node][n.Actor] {
				after[h] = x * float64(own[a*stride+h]) // probabilities
			}
			child := reach[node]
			child[n.Actor] = after
			reach[int(n.First)+a] = child
		}
	}
	return reach
}
