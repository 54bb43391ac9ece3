package tabular

import "gamebots/solvers/nash/extensive"

// Evaluate returns what each player expects to win with a profile, and what a best response to the strategies
// of the others gains. [extensive.Sequences.Gains] computes the same in fractions, which takes thousands of
// times as long.
func Evaluate(q *extensive.Sequences, s extensive.Profile) (values, gains []float64) {
	l := newLayout(q)
	return newForm(l).evaluate(l.sigma(s))
}

// sigma returns the probabilities of a profile by entry.
func (l *layout) sigma(s extensive.Profile) []float64 {
	sigma := make([]float64, l.entries())
	for _, sets := range l.sets {
		for _, set := range sets {
			for a, p := range s[set.set] {
				sigma[set.first+a], _ = p.Float64()
			}
		}
	}
	return sigma
}

// Evaluate returns what each player expects to win with the average strategies, and what a best response to
// those of the others gains.
func (t *Trainer) Evaluate() (values, gains []float64) { return t.evaluate(t.sum) }

// EvaluateCurrent evaluates the current strategies, which are those of the next iteration.
func (t *Trainer) EvaluateCurrent() (values, gains []float64) {
	if t.full != nil {
		return t.evaluate(t.full.predicted)
	}
	return t.evaluate(t.regret)
}

// evaluate values the strategies that match weights of all entries.
func (t *Trainer) evaluate(weights []float64) (values, gains []float64) {
	if t.form == nil {
		t.form = newForm(t.layout)
	}
	sigma := make([]float64, t.entries())
	t.matchAll(sigma, weights)
	return t.form.evaluate(sigma)
}
