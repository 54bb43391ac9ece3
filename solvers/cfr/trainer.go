package cfr

import (
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/internal/vectors"
)

// Trainer improves a strategy by counterfactual regret minimisation in vector
// form: one traversal of the public tree treats all hands of a player at once. An
// iteration updates every player in turn, each against the others' newest
// strategies. Results have the same bits for any number of threads. A Trainer is
// used by one goroutine at a time.
type Trainer struct {
	*State

	discounts vectors.Discounts
	traversal *publictree.Traversal[float32]
}

// NewTrainer returns a trainer that has done no iteration.
func NewTrainer(l *publictree.Layout, a Algorithm, threads int) *Trainer {
	t := &Trainer{State: NewState(l, a), traversal: publictree.NewTraversal[float32](l, threads)}
	t.traversal.Down, t.traversal.Up = t.down, t.up
	return t
}

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
		t.Done++
		t.discounts = t.Algorithm.Discounts(t.Done).Single()
	}
	t.traversal.Traverse(player)
	return t.traversal.RootValues()
}

// frame holds the vectors of a traversal.
type frame = publictree.Frame[float32]

// row returns where the entries of a decision are for the block of a frame.
func (t *Trainer) row(f *frame, node int32, n *betting.Node) row {
	scale := t.Scale(node) + f.Block.First/publictree.BucketsPerScale
	return row{t.Entry(node) + f.Block.First, scale, int(n.NumActions), f.Stride, f.Width}
}

// unpackInto returns two buffers for the entries of a decision if they are packed
// in 16 bits.
func (t *Trainer) unpackInto(f *frame, r row) *[2][]float32 {
	for i := range f.Unpacked {
		if n := r.actions * r.width; t.Algorithm.Quantized && len(f.Unpacked[i]) < n {
			f.Unpacked[i] = make([]float32, n)
		}
	}
	return &f.Unpacked
}

func (t *Trainer) down(f *frame, node int32, n *betting.Node, local int32) {
	r := t.row(f, node, n)
	scratch := t.unpackInto(f, r)
	child := int(n.First-node) + int(local)
	reach := f.Vector(f.Reach, t.ReachVector(node, int(n.Actor)))
	out := f.Reach[(t.Tree.Game.NumPlayers+child)*f.Width:]
	matched, stride := t.matched().load(r, scratch[0])
	if int(n.Actor) != t.traversal.Player {
		vectors.MatchOther(matched, reach, out, r.actions, stride, f.Width)
		return
	}
	sum, _ := t.Sum.load(r, scratch[1])
	sigma := f.Sigma[child*f.Width:]
	vectors.MatchOwn(matched, sum, reach, sigma, out, r.actions, stride, f.Width, t.discounts.Average)
	t.Sum.store(r, sum, t.Done)
}

func (t *Trainer) up(f *frame, node int32, n *betting.Node, local int32) {
	child := (int(n.First-node) + int(local)) * f.Width
	value := f.Vector(f.Value, local)
	if int(n.Actor) != t.traversal.Player {
		vectors.SumOther(f.Value[child:], value, int(n.NumActions), f.Width)
		return
	}
	r := t.row(f, node, n)
	scratch := t.unpackInto(f, r)
	regret, stride := t.Regret.load(r, scratch[0])
	vectors.UpdateOwn(regret, f.Sigma[child:], f.Value[child:], value, r.actions, stride, f.Width, t.discounts)
	if t.Algorithm.Predictive {
		predicted := scratch[1]
		if !t.Algorithm.Quantized {
			predicted = t.Predicted.Floats[r.at:]
		}
		vectors.Predict(regret, predicted, f.Value[child:], value, r.actions, stride, f.Width, t.discounts)
		t.Predicted.store(r, predicted, t.Done)
	}
	t.Regret.store(r, regret, t.Done)
}
