package policy

import (
	"gamebots/solvers/cfr/betting"
)

// NoFullTreeError is the error for a policy whose raises are in no tree that forgets no betting.
type NoFullTreeError struct{ Game string }

func (e *NoFullTreeError) Error() string {
	return "the strategy for " + e.Game +
		" forgets dead money, on which its raises depend: no tree that remembers it has them"
}

// Full returns the policy over the tree that forgets no betting, if that fits in budget
// bytes of memory: for best responses and estimates, for which every betting sequence needs a
// node of its own. A policy that is not forgetful it returns as it is. The result shares the
// file of the policy. The error is a [*NoFullTreeError] if there is no such tree.
func (p *Policy) Full(budget int64) (*Policy, error) {
	actions := p.Tree.Shape.Betting
	switch {
	case !actions.IsForgetful():
		return p, nil
	case !actions.HasFullTree(p.Tree.Game):
		return nil, &NoFullTreeError{p.Tree.Game.Name}
	}
	if err := p.has(p.Tree.Game.NumRounds); err != nil {
		return nil, err
	}
	spec := GameSpec{Game: p.Tree.Game, Cards: p.Buckets.Name(), Actions: actions.Remembering()}
	size := sizeOf(spec.Actions.ShapeOf(spec.Game, betting.CountLimit), countsOf(p.Buckets, spec.Game.NumRounds))
	size.Bytes = size.Shape.Bytes() + 4*int64(size.Shape.Nodes) + 4*int64(size.Entries)
	if !size.Fits(budget) {
		return nil, &SizeError{Spec: spec, Size: size, Budget: budget}
	}
	x := NewIndex(betting.NewTree(spec.Game, size.Shape), p.Buckets)
	full := &Policy{Index: x, file: p.file, rounds: p.rounds, loaded: make([]float32, x.Entries)}
	own := p.Tree.Follow(x.Tree)
	for node := range x.Tree.Nodes {
		n := &x.Tree.Nodes[node]
		if n.Kind != betting.Decision {
			continue
		}
		entries := int(n.NumActions) * x.Buckets.NumBuckets(int(n.Round))
		if err := p.read(p.Entry(own[node]), full.loaded[x.Entry(int32(node)):][:entries]); err != nil {
			return nil, err
		}
	}
	return full, nil
}
