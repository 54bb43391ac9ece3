package cfr

import (
	"errors"
	"io"

	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/checkpoint"
	"gamebots/solvers/internal/kernels"
	"gamebots/solvers/strategy"
)

// Trainer improves a strategy by counterfactual regret minimisation in vector
// form: one traversal of the public tree treats all hands of a player at once. An
// iteration updates every player in turn, each against the others' newest
// strategies. Results have the same bits for any number of threads. A Trainer is
// used by one goroutine at a time.
type Trainer struct {
	*Layout
	Algorithm Algorithm

	iterations uint64
	regret     entryArray
	predicted  entryArray // with Predictive: the regrets that strategies are matched to
	sum        entryArray // of strategies, weighted with the player's own reach
	weights    []float32  // the sum unpacked
	responses  responses  // with BestResponse
	discounts  kernels.Discounts
	traversal  *traversal[float32]
}

// NewTrainer returns a trainer that has done no iteration.
func NewTrainer(l *Layout, a Algorithm, threads int) *Trainer {
	t := &Trainer{
		Layout: l, Algorithm: a,
		regret:    l.newEntries(a.Quantized, true),
		sum:       l.newEntries(a.Quantized, false),
		traversal: newTraversal[float32](l, threads, training),
	}
	t.traversal.down, t.traversal.up = t.down, t.up
	if a.Predictive {
		t.predicted = l.newEntries(a.Quantized, true)
	}
	if a.BestResponse {
		t.responses = make(responses, l.Entries)
	}
	return t
}

// Iterations returns the number of iterations done.
func (t *Trainer) Iterations() uint64 { return t.iterations }

// Step does one iteration.
func (t *Trainer) Step() {
	for p := range t.Tree.Game.NumPlayers {
		t.Update(p)
	}
}

// Update does one player's part of an iteration, which begins with player 0. It returns the
// values of the player's buckets at the root, which are valid until the next one.
func (t *Trainer) Update(player int) []float32 {
	if player == 0 {
		t.iterations++
		t.discounts = t.Algorithm.Discounts(t.iterations)
	}
	if t.responses != nil {
		t.respondTo(player)
	}
	t.traversal.traverse(player)
	return t.traversal.rootValue[0]
}

// matched returns the regrets that strategies are matched to.
func (t *Trainer) matched() *entryArray {
	if t.Algorithm.Predictive {
		return &t.predicted
	}
	return &t.regret
}

// row returns where the entries of a decision are for the block of a frame.
func (t *Trainer) row(f *frame[float32], node int32, n *betting.Node) row {
	return row{t.Entry(node) + f.block.First, t.scales[node] + f.block.First/bucketsPerScale, int(n.NumActions), f.stride, f.width}
}

func (t *Trainer) down(f *frame[float32], node int32, n *betting.Node, local int32) {
	r := t.row(f, node, n)
	scratch := f.unpackInto(t.Algorithm.Quantized, r)
	child := int(n.First-node) + int(local)
	reach := vector(f.reach, t.reachVector(node, int(n.Actor)), f.width)
	out := f.reach[(t.Tree.Game.NumPlayers+child)*f.width:]
	switch {
	case int(n.Actor) == t.traversal.player:
		matched, stride := t.matched().load(r, scratch[0])
		sum, _ := t.sum.load(r, scratch[1])
		kernels.MatchOwn(matched, sum, reach, f.sigma[child*f.width:], out, r.actions, stride, f.width, t.discounts.Average)
		t.sum.store(r, sum)
	case t.responses != nil:
		t.responses[r.at:].follow(reach, out, r.actions, f.width)
	default:
		matched, stride := t.matched().load(r, scratch[0])
		kernels.MatchOther(matched, reach, out, r.actions, stride, f.width)
	}
}

func (t *Trainer) up(f *frame[float32], node int32, n *betting.Node, local int32) {
	child := (int(n.First-node) + int(local)) * f.width
	value := vector(f.value, local, f.width)
	if int(n.Actor) != t.traversal.player {
		kernels.SumOther(f.value[child:], value, int(n.NumActions), f.width)
		return
	}
	r := t.row(f, node, n)
	scratch := f.unpackInto(t.Algorithm.Quantized, r)
	regret, stride := t.regret.load(r, scratch[0])
	kernels.UpdateOwn(regret, f.sigma[child:], f.value[child:], value, r.actions, stride, f.width, t.discounts)
	if t.Algorithm.Predictive {
		predicted := scratch[1]
		if !t.Algorithm.Quantized {
			predicted = t.predicted.floats[r.at:]
		}
		kernels.Predict(regret, predicted, f.value[child:], value, r.actions, stride, f.width)
		t.predicted.store(r, predicted)
	}
	t.regret.store(r, regret)
}

// Weights returns the average strategy as weights of all entries, for an
// Evaluator. The slice belongs to the trainer: the next Step changes it.
func (t *Trainer) Weights() []float32 { return t.unpack(&t.sum, &t.weights) }

// CurrentWeights returns the current strategy, the one that matches the regrets, as
// weights of all entries, for an Evaluator.
func (t *Trainer) CurrentWeights() []float32 {
	var unpacked []float32
	weights := make([]float32, t.Entries)
	for i, r := range t.unpack(t.matched(), &unpacked) {
		weights[i] = max(r, 0)
	}
	return weights
}

// Save writes the average strategy to a file. The caller may have set the seed
// and the exploitability; the rest is filled in.
func (t *Trainer) Save(path string, m strategy.Meta) error {
	m.Algorithm, m.Iterations = t.Algorithm.String(), t.iterations
	return t.saveSum(path, m, t.Weights())
}

// saveSum writes the strategy that weights of all entries describe.
func (l *Layout) saveSum(path string, m strategy.Meta, sum []float32) error {
	return l.Index.Save(path, m, func(node int32, first, bucket int, weights []float32) {
		stride := l.Cards.NumBuckets(int(l.Tree.Nodes[node].Round))
		for a := range weights {
			weights[a] = sum[first+a*stride+bucket]
		}
	})
}

var _ checkpoint.State = (*Trainer)(nil)

// WriteState writes everything that an iteration depends on.
func (t *Trainer) WriteState(w io.Writer) error {
	return writeState(w, t.iterations, &t.regret, &t.predicted, &t.sum)
}

// ReadState reads the state that a trainer of the same layout and algorithm wrote,
// on any device. Training goes on from there.
func (t *Trainer) ReadState(r io.Reader) (err error) {
	t.iterations, err = readState(r, &t.regret, &t.predicted, &t.sum)
	return err
}

func writeState(w io.Writer, iterations uint64, arrays ...*entryArray) error {
	errs := []error{checkpoint.WriteSlice(w, []uint64{iterations})}
	for _, array := range arrays {
		errs = append(errs, array.write(w))
	}
	return errors.Join(errs...)
}

func readState(r io.Reader, arrays ...*entryArray) (iterations uint64, err error) {
	first := []uint64{0}
	errs := []error{checkpoint.ReadSlice(r, first)}
	for _, array := range arrays {
		errs = append(errs, array.read(r))
	}
	return first[0], errors.Join(errs...)
}
