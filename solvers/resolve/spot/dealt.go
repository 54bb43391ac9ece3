package spot

import (
	"errors"

	"gamebots/acpc/card"
	"gamebots/solvers/resolve/spot/internal/layout"
	"gamebots/solvers/resolve/spot/internal/loops"
)

// Dealt returns what the hands of a player win after a line that leads to a decision at the start of
// the second street: their part of the pot less what they still put in, in chips. It leaves out hands
// to which the other player can hold none.
func (s *Solution) Dealt(line string, player int) (map[card.Set]float64, error) {
	p, _, err := s.findDecision(line)
	if err != nil {
		return nil, err
	}
	key := p.key()
	both, ok := s.dealt[key]
	if !ok {
		if both, err = s.captures(&p); err != nil {
			return nil, err
		}
	}
	values := map[card.Set]float64{}
	for _, h := range s.hands(p, player, both[player], false) {
		if h.Opposing > 0 {
			values[h.Hole] = h.Value
		}
	}
	return values, nil
}

// keep brings the sums of strategies of the first street back from the device, and what the average
// strategies lead to on all boards of the next one.
func (s *traversal) keep() error {
	kept, next := s.Size, s.First+1
	if next < layout.NumStreets {
		kept = s.Base[next][0][0]
	}
	s.sums = loops.NewEntries(kept.At, kept.Scale, s.quantized)
	err := s.gpu.Read(layout.Sums, s.gpu.spot, layout.Place{}, s.sums.Floats, s.sums.Packed, s.sums.Scales)
	s.dealt = map[layout.NodeKey][2]*capture{}
	for q := 0; q < 2 && next < layout.NumStreets; q++ {
		s.traverse(&pass{Pass: layout.Pass{Purpose: layout.Average, Player: q}})
		for board, b := range s.Boards[next] {
			for i := range s.Streets[next].Batches {
				for _, root := range s.Streets[next].Batches[i].Roots {
					key := layout.NodeKey{Street: next, Board: board, Node: root}
					both := s.dealt[key]
					if q == 0 {
						both = [2]*capture{{NodeKey: key}, {NodeKey: key}}
						s.dealt[key] = both
					}
					value, reach := make([]float32, b.Hands[q].Width), make([]float32, b.Hands[1-q].Width)
					spot := s.gpu.spot
					err = errors.Join(err, s.gpu.Values(spot, key, q, value), s.gpu.Reach(spot, key, 1-q, reach))
					both[q].value = value
					both[0].reach[1-q], both[1].reach[1-q] = reach, reach
				}
			}
		}
	}
	return errors.Join(s.gpu.err, err)
}
