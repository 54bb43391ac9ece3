package cfr

import (
	"errors"
	"io"

	"gamebots/solvers/cfr/checkpoint"
	"gamebots/solvers/strategy"
)

// Trainer improves a strategy by counterfactual regret minimisation in vector
// form: one walk over the public tree treats all hands of a player at once. An
// iteration updates every player in turn, each against the others' newest
// strategies. Its results have the same bits for any number of threads. A
// Trainer is used by one goroutine at a time.
type Trainer struct {
	*Layout
	Algorithm Algorithm

	iterations uint64
	regret     []float32
	matched    []float32 // what strategies are matched to: regret, or what is predicted of it
	sum        []float32 // strategies, weighted with the own reach
	responses  responses // best responses, where training is against them
	rates      rates
	walk       *walk[float32]
}

// NewTrainer returns a trainer that has done no iteration.
func NewTrainer(l *Layout, a Algorithm, threads int) *Trainer {
	t := &Trainer{
		Layout: l, Algorithm: a,
		regret: make([]float32, l.Entries),
		sum:    make([]float32, l.Entries),
		walk:   newWalk[float32](l, threads, true),
	}
	t.walk.down, t.walk.up = t.down, t.up
	t.matched = t.regret
	if a.Predictive {
		t.matched = make([]float32, l.Entries)
	}
	if a.BestResponse {
		t.responses = make(responses, l.Entries)
	}
	return t
}

// Iterations returns how many iterations were done.
func (t *Trainer) Iterations() uint64 { return t.iterations }

// Step does one iteration.
func (t *Trainer) Step() {
	t.iterations++
	t.rates = t.Algorithm.rates(t.iterations)
	for p := range t.Tree.Game.NumPlayers {
		if t.responses != nil {
			t.respondTo(p)
		}
		t.walk.traverse(p)
	}
}

func (t *Trainer) down(f *frame[float32], node int32, n *Node, local int32) {
	stride := f.stride
	at := t.Entry[node] + f.in.first
	child := int(n.First-node) + int(local)
	reach := vector(f.reach, t.slot(node, int(n.Actor)), f.width)
	out := f.reach[(t.Tree.Game.NumPlayers+child)*f.width:]
	switch {
	case int(n.Actor) == t.walk.player:
		matchOwn(t.matched[at:], t.sum[at:], reach, f.sigma[child*f.width:], out,
			int(n.NumActions), stride, f.width, t.rates.average)
	case t.responses != nil:
		t.responses[at:].follow(reach, out, int(n.NumActions), f.width)
	default:
		matchOther(t.matched[at:], reach, out, int(n.NumActions), stride, f.width)
	}
}

func (t *Trainer) up(f *frame[float32], node int32, n *Node, local int32) {
	child := (int(n.First-node) + int(local)) * f.width
	value := vector(f.value, local, f.width)
	if int(n.Actor) == t.walk.player {
		at := t.Entry[node] + f.in.first
		updateOwn(t.regret[at:], f.sigma[child:], f.value[child:], value,
			int(n.NumActions), f.stride, f.width, t.rates)
		if t.Algorithm.Predictive {
			predict(t.regret[at:], t.matched[at:], f.value[child:], value, int(n.NumActions), f.stride, f.width)
		}
	} else {
		sumOther(f.value[child:], value, int(n.NumActions), f.width)
	}
}

// Weights returns the average strategy as weights of all entries, for an
// Evaluator. They are the trainer's own: the next Step changes them.
func (t *Trainer) Weights() []float32 { return t.sum }

// Save writes the average strategy to a file. The caller may have set the seed
// and the exploitability; the rest is filled in.
func (t *Trainer) Save(path string, m strategy.Meta) error {
	m.Algorithm, m.Iterations = t.Algorithm.String(), t.iterations
	return t.saveSum(path, m, t.sum)
}

// saveSum writes a strategy that is given as weights of all entries.
func (l *Layout) saveSum(path string, m strategy.Meta, sum []float32) error {
	return l.Index.Save(path, m, func(node int32, bucket int, weights []float32) {
		stride := l.Cards.NumBuckets(int(l.Tree.Nodes[node].Round))
		for a := range weights {
			weights[a] = sum[l.Entry[node]+a*stride+bucket]
		}
	})
}

var _ checkpoint.State = (*Trainer)(nil)

// WriteState writes all that an iteration depends on.
func (t *Trainer) WriteState(w io.Writer) error {
	return writeState(w, t.iterations, t.regret, t.prediction(), t.sum)
}

// ReadState goes on where the trainer was that wrote the state, of the same
// layout and algorithm, on whatever device.
func (t *Trainer) ReadState(r io.Reader) (err error) {
	t.iterations, err = readState(r, t.regret, t.prediction(), t.sum)
	return err
}

func writeState(w io.Writer, iterations uint64, arrays ...[]float32) error {
	errs := []error{checkpoint.WriteSlice(w, []uint64{iterations})}
	for _, array := range arrays {
		errs = append(errs, checkpoint.WriteSlice(w, array))
	}
	return errors.Join(errs...)
}

func readState(r io.Reader, arrays ...[]float32) (iterations uint64, err error) {
	first := []uint64{0}
	errs := []error{checkpoint.ReadSlice(r, first)}
	for _, array := range arrays {
		errs = append(errs, checkpoint.ReadSlice(r, array))
	}
	return first[0], errors.Join(errs...)
}

// prediction returns what is matched where that is not the regrets themselves.
func (t *Trainer) prediction() []float32 {
	if t.Algorithm.Predictive {
		return t.matched
	}
	return nil
}
