package tabular

import "gamebots/solvers/cfr"

// A traversal updates regrets from the whole tree.
type traversal struct {
	*form
	t         *Trainer
	algorithm cfr.Algorithm
	sigma     []float64 // newest strategies, by entry
	reached   []float64 // the probability of each entry's sequence under them
	predicted []float64 // regrets to which strategies are matched, by entry
	value     []float64 // what a player wins with each sequence
}

func newTraversal(t *Trainer, a cfr.Algorithm) *traversal {
	n := t.entries()
	v := &traversal{
		form: newForm(t.layout), t: t, algorithm: a, sigma: make([]float64, n), reached: make([]float64, n),
		predicted: t.regret, value: make([]float64, n),
	}
	if a.Predictive {
		v.predicted = make([]float64, n)
	}
	v.rematch()
	return v
}

// rematch sets the newest strategies from the regrets.
func (v *traversal) rematch() {
	v.matchAll(v.sigma, v.predicted)
	for p := range v.players {
		v.reach(p, v.sigma, v.reached)
	}
}

// iterate does an iteration.
func (v *traversal) iterate() {
	d := v.algorithm.Discounts(v.t.done)
	for p := range v.players {
		value := v.value[:v.Count[p]]
		v.form.value(p, v.reached, value)
		v.update(p, &d, value)
		v.reach(p, v.sigma, v.reached)
	}
}

// update adds the newest strategy of a player to its sum, and its gains to the regrets, to which it matches the
// next one. Information sets come after those that lead to them.
func (v *traversal) update(player int, d *cfr.Discounts, value []float64) {
	for i := len(v.sets[player]) - 1; i >= 0; i-- {
		s := &v.sets[player][i]
		sigma, own := v.sigma[s.first:s.end], value[s.sequence:]
		mean := 0.0
		for a, p := range sigma {
			mean += float64(p * own[a])
		}
		value[s.parent] += mean
		regret, sum, reached := v.t.regret[s.first:s.end], v.t.sum[s.first:s.end], v.reached[s.first:s.end]
		matched := v.predicted[s.first:s.end]
		total := 0.0
		for a := range sigma {
			gain := own[a] - mean
			decay := d.Negative
			if regret[a] > 0 {
				decay = d.Positive
			}
			sum[a] = float64(sum[a]*d.Average) + reached[a]
			regret[a] = max(float64(regret[a]*decay)+gain, d.Floor)
			if v.algorithm.Predictive {
				matched[a] = float64(d.Kept*regret[a]) + float64(d.Predicted*gain)
			}
			total += max(matched[a], 0)
		}
		if !(total > 0) {
			for a := range sigma {
				sigma[a] = 1 / float64(len(sigma))
			}
			continue
		}
		for a, r := range matched {
			sigma[a] = max(r, 0) / total
		}
	}
}
