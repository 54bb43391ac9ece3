package havannah

import (
	"math"

	"gamebots/hexproto/havannah"
	"gamebots/solvers/hexnet"
	"gamebots/solvers/playout"
)

// A Network answers for a batch of positions: a [hexnet.Evaluator] or a [hexnet.Device].
type Network interface {
	Evaluate(planes []uint8, o *hexnet.Outputs) error
}

// FirstStone returns the first move of a game in which the opponent may swap: one after
// which the network expects the most even game. The value is that of the player who makes
// it. Symmetric cells count as one.
func FirstStone(n Network, g *havannah.Grid) (best havannah.Move, value float64, err error) {
	orbits := g.Orbits()
	encoder, planes, outputs := NewEncoder(g), []uint8(nil), hexnet.Outputs{}
	for _, cell := range orbits {
		b, err := havannah.Setup(g.Side, []havannah.Move{cell}, nil, havannah.Black)
		if err != nil {
			return 0, 0, err
		}
		planes = encoder.Append(planes, playout.NewPosition(b))
	}
	if err := n.Evaluate(planes, &outputs); err != nil {
		return 0, 0, err
	}
	value = -1
	for i, cell := range orbits {
		if v := -math.Abs(float64(outputs.Value[i])); v > value {
			best, value = cell, v
		}
	}
	return best, value, nil
}
