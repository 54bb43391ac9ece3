package cfr

import (
	"errors"
	"io"

	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/checkpoint"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/strategy"
)

// Double is a [Trainer] that computes and stores everything in 64 bits. It is several times as slow,
// and its curves are those of the algorithms digit by digit, as package tabular has them. It has no
// best responses. A Double is used by one goroutine at a time.
type Double struct {
	*publictree.Layout
	algorithm Algorithm
	done      uint64
	// By entry, as those of State.
	regret, predicted, sum []float64
	discounts              Discounts
	traversal              *publictree.Traversal[float64]
}

// NewDouble returns a trainer that has done no iteration.
func NewDouble(l *publictree.Layout, a Algorithm, threads int) *Double {
	t := &Double{
		Layout: l, algorithm: a, regret: make([]float64, l.Entries), sum: make([]float64, l.Entries),
		traversal: publictree.NewTraversal[float64](l, threads),
	}
	if a.Predictive {
		t.predicted = make([]float64, l.Entries)
	}
	t.traversal.Down, t.traversal.Up = t.down, t.up
	return t
}

// Iterations returns the number of iterations done.
func (t *Double) Iterations() uint64 { return t.done }

// Step does one iteration.
func (t *Double) Step() {
	t.done++
	t.discounts = t.algorithm.Discounts(t.done)
	for p := range t.Tree.Game.NumPlayers {
		t.traversal.Traverse(p)
	}
}

// matched returns the regrets that strategies are matched to.
func (t *Double) matched() []float64 {
	if t.algorithm.Predictive {
		return t.predicted
	}
	return t.regret
}

func (t *Double) down(f *publictree.Frame[float64], node int32, n *betting.Node, local int32) {
	at, child := t.Entry(node)+f.Block.First, int(n.First-node)+int(local)
	out := f.Reach[(t.Tree.Game.NumPlayers+child)*f.Width:]
	matched, sum, sigma := t.matched()[at:], t.sum[at:], f.Sigma[child*f.Width:]
	for i, reach := range f.Vector(f.Reach, t.ReachVector(node, int(n.Actor))) {
		total := 0.0
		for a := range int(n.NumActions) {
			total += max(matched[a*f.Stride+i], 0)
		}
		for a := range int(n.NumActions) {
			p := 1 / float64(n.NumActions)
			if total > 0 {
				p = max(matched[a*f.Stride+i], 0) / total
			}
			played := float64(reach * p)
			out[a*f.Width+i] = played
			if int(n.Actor) == t.traversal.Player {
				sigma[a*f.Width+i] = p
				sum[a*f.Stride+i] = float64(sum[a*f.Stride+i]*t.discounts.Average) + played
			}
		}
	}
}

func (t *Double) up(f *publictree.Frame[float64], node int32, n *betting.Node, local int32) {
	at, child := t.Entry(node)+f.Block.First, (int(n.First-node)+int(local))*f.Width
	values, sigma := f.Value[child:], f.Sigma[child:]
	value := f.Vector(f.Value, local)
	own := int(n.Actor) == t.traversal.Player
	for i := range value {
		value[i] = 0
		for a := range int(n.NumActions) {
			p := 1.0 // the reach of the others is in the values
			if own {
				p = sigma[a*f.Width+i]
			}
			value[i] += float64(p * values[a*f.Width+i])
		}
		if !own {
			continue
		}
		for a := range int(n.NumActions) {
			e, gain := at+a*f.Stride+i, values[a*f.Width+i]-value[i]
			decay := t.discounts.Negative
			if t.regret[e] > 0 {
				decay = t.discounts.Positive
			}
			t.regret[e] = max(float64(t.regret[e]*decay)+gain, t.discounts.Floor)
			if t.algorithm.Predictive {
				t.predicted[e] = float64(t.discounts.Kept*t.regret[e]) + float64(t.discounts.Predicted*gain)
			}
		}
	}
}

// Weights returns the average strategy as weights of all entries, for an Evaluator.
func (t *Double) Weights() []float32 { return single(t.sum) }

// CurrentWeights returns the current strategy as weights of all entries, for an Evaluator.
func (t *Double) CurrentWeights() []float32 { return single(t.matched()) }

// single returns the numbers that are not negative in 32 bits, and zeros.
func single(from []float64) []float32 {
	to := make([]float32, len(from))
	for i, x := range from {
		to[i] = float32(max(x, 0))
	}
	return to
}

// Save writes the average strategy to a file, as [State.Save] does.
func (t *Double) Save(path string, m strategy.Meta) error {
	m.Algorithm, m.Iterations = t.algorithm.String(), t.done
	return t.SaveWeights(path, m, t.Weights())
}

// WriteState writes everything that an iteration depends on.
func (t *Double) WriteState(w io.Writer) error {
	return errors.Join(
		checkpoint.WriteSlice(w, []uint64{t.done}), checkpoint.WriteSlice(w, t.regret),
		checkpoint.WriteSlice(w, t.predicted), checkpoint.WriteSlice(w, t.sum),
	)
}

// ReadState reads the state that a trainer of the same layout and algorithm wrote.
func (t *Double) ReadState(r io.Reader) error {
	done := []uint64{0}
	err := errors.Join(
		checkpoint.ReadSlice(r, done), checkpoint.ReadSlice(r, t.regret),
		checkpoint.ReadSlice(r, t.predicted), checkpoint.ReadSlice(r, t.sum),
	)
	t.done = done[0]
	return err
}
