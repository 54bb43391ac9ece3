package tabular

import (
	"math"
	"math/big"

	"gamebots/solvers/nash/extensive"
)

// A layout numbers the entries of a game: an entry is an action of an information set. Those of a player are
// in the order of the player's sequences (see [extensive.Sequences]), of which the empty one has an entry, too.
type layout struct {
	*extensive.Sequences
	players int
	offset  []int // the first entry of each player, and the end
	sets    [][]span
}

// A span has the entries of an information set, and the sequences of its player that they are and that
// leads to them.
type span struct{ set, first, end, sequence, parent int }

func newLayout(q *extensive.Sequences) *layout {
	l := &layout{Sequences: q, players: len(q.Count), offset: []int{0}, sets: make([][]span, len(q.Count))}
	for p, n := range q.Count {
		for _, set := range q.Sets[p] {
			sequence := int(q.First[set])
			first := l.offset[p] + sequence
			l.sets[p] = append(l.sets[p], span{
				set, first, first + len(q.Game.Sets[set].Actions), sequence, int(q.Parent[set]),
			})
		}
		l.offset = append(l.offset, l.offset[p]+n)
	}
	return l
}

// entries returns how many entries there are.
func (l *layout) entries() int { return l.offset[l.players] }

// matchAll sets sigma to the strategies that follow from weights of all entries.
func (l *layout) matchAll(sigma, weights []float64) {
	for _, sets := range l.sets {
		for _, s := range sets {
			match(sigma[s.first:s.end], weights[s.first:s.end])
		}
	}
}

// profile returns weights of entries as probabilities. They are uniform where no weight is
// positive, and where weights overflowed, as they do if a game of a thousand moves is
// sampled.
func (l *layout) profile(weights []float64) extensive.Profile {
	profile := make(extensive.Profile, len(l.Game.Sets))
	for _, sets := range l.sets {
		for _, s := range sets {
			total := 0.0
			for _, w := range weights[s.first:s.end] {
				total += w
			}
			probabilities := make([]*big.Rat, s.end-s.first)
			profile[s.set] = probabilities
			if !(total > 0) || math.IsInf(total, 1) {
				for a := range probabilities {
					probabilities[a] = big.NewRat(1, int64(len(probabilities)))
				}
				continue
			}
			sum := new(big.Rat)
			for a, w := range weights[s.first:s.end] {
				probabilities[a] = new(big.Rat).SetFloat64(w)
				sum.Add(sum, probabilities[a])
			}
			for _, x := range probabilities {
				x.Quo(x, sum)
			}
		}
	}
	return profile
}

// match sets sigma to the strategy that follows from regrets, or from a sum of strategies: in proportion to
// the positive ones, and uniform if there are none or their sum is no number.
func match(sigma, regret []float64) {
	total := 0.0
	for _, r := range regret {
		total += max(r, 0)
	}
	for a, r := range regret {
		if total > 0 && total <= math.MaxFloat64 {
			sigma[a] = max(r, 0) / total
		} else {
			sigma[a] = 1 / float64(len(regret))
		}
	}
}
