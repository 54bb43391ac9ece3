package tabular

import (
	"errors"
	"fmt"
	"io"
	"math"

	"gamebots/internal/usererr"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/checkpoint"
	"gamebots/solvers/nash/extensive"
)

// A Trainer improves a strategy of each player. It is used by one goroutine at a time.
type Trainer struct {
	*layout
	// Algorithm is the variant, by its name and parameters.
	Algorithm string

	done        uint64    // iterations
	regret, sum []float64 // regrets and sums of strategies, by entry
	iterate     func()
	form        *form      // nil until it is needed
	full        *traversal // nil for algorithms that sample
}

// Algorithms lists the names of the variants: those of package cfr, and the sampling ones.
func Algorithms() []string {
	var names []string
	for _, a := range cfr.Algorithms {
		names = append(names, a.Name)
	}
	return append(names, External)
}

// parse returns a variant of package cfr by its name, which parameters may follow in brackets.
func parse(text string) (cfr.Algorithm, error) {
	name, parameters, given, err := cfr.SplitAlgorithm(text)
	a, ok := cfr.AlgorithmByName(name)
	if name == "outcome" {
		return a, fmt.Errorf("%q went with 0.3.0 (the last commit with it is 5b68c516): want %s", name, External)
	}
	if !ok {
		return a, fmt.Errorf("unknown algorithm %q: want %s", text, usererr.OneOf(name, Algorithms()))
	}
	if err != nil || !given {
		return a, err
	}
	return a.WithParameters(parameters)
}

// maxPayoff bounds payoffs, so that no sum of regrets overflows.
const maxPayoff = 1e100

// ErrPayoffs is returned for a game with payoffs that are too large.
var ErrPayoffs = fmt.Errorf("payoffs over %g are too large to train with", maxPayoff)

// New returns a trainer that has done no iteration. The seed is for algorithms that
// sample. It fails for unknown algorithms, and with ErrPayoffs.
func New(q *extensive.Sequences, algorithm string, seed uint64) (*Trainer, error) {
	t := &Trainer{layout: newLayout(q), Algorithm: algorithm}
	tooLarge := false
	walk(q.Game, func(_ int, _, _ float64, payoffs []float64) {
		for _, x := range payoffs {
			tooLarge = tooLarge || !(math.Abs(x) <= maxPayoff) // NaN, too
		}
	})
	t.regret, t.sum = make([]float64, t.entries()), make([]float64, t.entries())
	if algorithm == External {
		if tooLarge {
			return nil, ErrPayoffs
		}
		t.iterate = newSampler(t, seed).iterate
		return t, nil
	}
	a, err := parse(algorithm)
	switch {
	case err != nil:
		return nil, err
	case tooLarge:
		return nil, ErrPayoffs
	}
	t.full = newTraversal(t, a)
	t.iterate, t.form = t.full.iterate, t.full.form
	return t, nil
}

// Step does one iteration, which updates every player in turn.
func (t *Trainer) Step() {
	t.done++
	t.iterate()
}

// Iterations returns the number of iterations done.
func (t *Trainer) Iterations() uint64 { return t.done }

// Profile returns the average strategies. Fractions are exactly the weights that were
// summed up, in floats.
func (t *Trainer) Profile() extensive.Profile { return t.profile(t.sum) }

// predicted returns what a traversal keeps besides regrets and sums, or nil.
func (t *Trainer) predicted() []float64 {
	if t.full == nil || !t.full.algorithm.Predictive {
		return nil
	}
	return t.full.predicted
}

// WriteState writes everything that an iteration depends on.
func (t *Trainer) WriteState(w io.Writer) error {
	return errors.Join(checkpoint.WriteSlice(w, []uint64{t.done}), checkpoint.WriteSlice(w, t.regret),
		checkpoint.WriteSlice(w, t.predicted()), checkpoint.WriteSlice(w, t.sum))
}

// ReadState reads the state that a trainer of the same game and algorithm wrote.
func (t *Trainer) ReadState(r io.Reader) error {
	done := []uint64{0}
	err := errors.Join(checkpoint.ReadSlice(r, done), checkpoint.ReadSlice(r, t.regret),
		checkpoint.ReadSlice(r, t.predicted()), checkpoint.ReadSlice(r, t.sum))
	t.done = done[0]
	if t.full != nil {
		t.full.rematch()
	}
	return err
}

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
	t.matchAll(sigma, weights, 0)
	return t.form.evaluate(sigma)
}

// A traversal updates regrets from the whole tree.
type traversal struct {
	*form
	t         *Trainer
	algorithm cfr.Algorithm
	sigma     []float64 // newest strategies, by entry
	reached   []float64 // the probability of each entry's sequence under them
	predicted []float64 // regrets to which strategies are matched, by entry
	value     []float64 // what a player wins with each sequence
	tie       float64   // regrets of which no more is positive are rounding: the actions tie
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
	for _, t := range v.wins {
		for _, x := range t.wins {
			v.tie = max(v.tie, 1e-12*math.Abs(x))
		}
	}
	v.rematch()
	return v
}

// rematch sets the newest strategies from the regrets.
func (v *traversal) rematch() {
	v.matchAll(v.sigma, v.predicted, v.tie)
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
		if !(total > v.tie) {
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
