package cfr

import (
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/internal/kernels"
)

// Trainer improves a strategy by counterfactual regret minimisation in vector
// form: one traversal of the public tree treats all hands of a player at once. An
// iteration updates every player in turn, each against the others' newest
// strategies. Results have the same bits for any number of threads. A Trainer is
// used by one goroutine at a time.
type Trainer struct {
	*State

	responses responses // nil without Algorithm.BestResponse
	discounts kernels.Discounts
	traversal *traversal[float32]
}

// NewTrainer returns a trainer that has done no iteration.
func NewTrainer(l *Layout, a Algorithm, threads int) *Trainer {
	t := &Trainer{State: l.NewState(a), traversal: newTraversal[float32](l, threads, training)}
	t.traversal.down, t.traversal.up = t.down, t.up
	if a.BestResponse {
		t.responses = make(responses, l.Entries)
	}
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
		t.discounts = t.Algorithm.Discounts(t.Done)
	}
	if t.responses != nil {
		t.respondTo(player)
	}
	t.traversal.traverse(player)
	return t.traversal.rootValue[0]
}

// row returns where the entries of a decision are for the block of a frame.
func (t *Trainer) row(f *frame[float32], node int32, n *betting.Node) row {
	scale := t.scales[node] + f.block.First/bucketsPerScale
	return row{t.Entry(node) + f.block.First, scale, int(n.NumActions), f.stride, f.width}
}

func (t *Trainer) down(f *frame[float32], node int32, n *betting.Node, local int32) {
	r := t.row(f, node, n)
	scratch := f.unpackInto(t.Algorithm.Quantized, r)
	child := int(n.First-node) + int(local)
	reach := vector(f.reach, t.ReachVector(node, int(n.Actor)), f.width)
	out := f.reach[(t.Tree.Game.NumPlayers+child)*f.width:]
	switch {
	case int(n.Actor) == t.traversal.player:
		matched, stride := t.matched().load(r, scratch[0])
		sum, _ := t.Sum.load(r, scratch[1])
		sigma := f.sigma[child*f.width:]
		kernels.MatchOwn(matched, sum, reach, sigma, out, r.actions, stride, f.width, t.discounts.Average)
		t.Sum.store(r, sum)
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
	regret, stride := t.Regret.load(r, scratch[0])
	kernels.UpdateOwn(regret, f.sigma[child:], f.value[child:], value, r.actions, stride, f.width, t.discounts)
	if t.Algorithm.Predictive {
		predicted := scratch[1]
		if !t.Algorithm.Quantized {
			predicted = t.Predicted.Floats[r.at:]
		}
		kernels.Predict(regret, predicted, f.value[child:], value, r.actions, stride, f.width)
		t.Predicted.store(r, predicted)
	}
	t.Regret.store(r, regret)
}
