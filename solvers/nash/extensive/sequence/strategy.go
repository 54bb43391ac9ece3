package sequence

import (
	"math/big"
	"slices"

	"gamebots/solvers/nash/extensive"
)

// setStrategies sets the strategies of both sides from their weights. At sets that a
// side's own actions exclude it plays best replies, each with the same probability.
func (f *form) setStrategies(profile extensive.Profile) {
	for d := range f.sides {
		f.sides[d].normalise()
	}
	for d := range f.sides {
		s := &f.sides[d]
		wins := f.wins(d)
		for _, h := range slices.Backward(s.sets) {
			best := slices.MaxFunc(wins[h.first:h.first+h.count], (*big.Rat).Cmp)
			wins[h.parent].Add(wins[h.parent], best)
			strategy, replies := make([]*big.Rat, h.count), int64(0)
			for a := range strategy {
				if wins[h.first+a].Cmp(best) == 0 {
					replies++
				}
			}
			for a := range strategy {
				switch before := s.weight[h.parent]; {
				case before.Sign() > 0:
					strategy[a] = new(big.Rat).Quo(s.weight[h.first+a], before)
				case wins[h.first+a].Cmp(best) == 0:
					strategy[a] = big.NewRat(1, replies)
				default:
					strategy[a] = new(big.Rat)
				}
			}
			profile[h.id] = strategy
		}
	}
}

// normalise makes the weights of each set's actions add up to that of the sequence
// before. They are equal where they were 0, which the other side's play excludes.
func (s *side) normalise() {
	for _, h := range s.sets {
		sum, weights := new(big.Rat), s.weight[h.first:h.first+h.count]
		for _, w := range weights {
			sum.Add(sum, w)
		}
		for _, w := range weights {
			if sum.Sign() > 0 {
				w.Quo(w, sum)
			} else {
				w.SetFrac64(1, int64(h.count))
			}
			w.Mul(w, s.weight[h.parent])
		}
	}
}

// wins returns what a side wins where each of its sequences ends.
func (f *form) wins(d int) []*big.Rat {
	wins := make([]*big.Rat, f.sides[d].count)
	for s := range wins {
		wins[s] = new(big.Rat)
	}
	for at, c := range f.cells {
		if w := f.sides[1-d].weight[at[1-d]]; w.Sign() > 0 {
			wins[at[d]].Add(wins[at[d]], new(big.Rat).Mul(w, c.payoffs[d]))
		}
	}
	return wins
}
