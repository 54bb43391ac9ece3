package tabular

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gamebots/solvers/cfr"
	"gamebots/solvers/nash/extensive"
)

// A Trainer improves a strategy of each player. It is used by one goroutine at a time.
type Trainer struct {
	*tree
	// Algorithm is the variant, by its name.
	Algorithm string
	// Iterations is the number of iterations done.
	Iterations uint64

	regret, sum []float64 // regrets and sums of strategies, by entry
	iterate     func()
}

// Algorithms lists the names of the variants, the default first: those of package cfr
// that need no best responses, and the sampling ones.
func Algorithms() []string {
	var names []string
	for _, a := range cfr.Algorithms {
		if !a.BestResponse {
			names = append(names, a.Name)
		}
	}
	return append(names, External, Outcome)
}

// maxPayoff bounds payoffs, so that no sum of regrets overflows.
const maxPayoff = 1e100

// ErrPayoffs is returned for a game with payoffs that are too large.
var ErrPayoffs = fmt.Errorf("payoffs over %g are too large to train with", maxPayoff)

// New returns a trainer that has done no iteration. The seed is for algorithms that
// sample. It fails for unknown algorithms, and with ErrPayoffs.
func New(q *extensive.Sequences, algorithm string, seed uint64) (*Trainer, error) {
	if !slices.Contains(Algorithms(), algorithm) {
		return nil, fmt.Errorf("unknown algorithm %q: want one of %s", algorithm, strings.Join(Algorithms(), ", "))
	}
	t := &Trainer{tree: newTree(q), Algorithm: algorithm}
	for _, payoffs := range t.payoffs {
		if slices.ContainsFunc(payoffs, func(x float64) bool { return !(math.Abs(x) <= maxPayoff) }) { // NaN, too
			return nil, ErrPayoffs
		}
	}
	t.regret, t.sum = make([]float64, t.entries), make([]float64, t.entries)
	if a, ok := cfr.AlgorithmByName(algorithm); ok {
		t.iterate = newTraversal(t, a).iterate
	} else {
		t.iterate = newSampler(t, seed).iterate
	}
	return t, nil
}

// Step does one iteration, which updates every player in turn.
func (t *Trainer) Step() {
	t.Iterations++
	t.iterate()
}

// Profile returns the average strategies. Fractions are exactly the weights that were
// summed up, in floats.
func (t *Trainer) Profile() extensive.Profile { return t.profile(t.sum) }
