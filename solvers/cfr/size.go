package cfr

import (
	"gamebots/internal/memory"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/policy"
)

// Fits returns a [*policy.SizeError] if training by the algorithm does not fit in a budget of bytes:
// some algorithms need more than [publictree.Prepare] assumes.
func (a Algorithm) Fits(l *publictree.Layout, budget int64) error {
	size := publictree.Measure(l.Tree.Game, l.Tree.Shape, l.Cards.Kind)
	entries := int64(l.Entries)
	array := 4 * entries // bytes of an array over all entries
	if a.Quantized {
		array = 2*entries + 4*int64(l.NumScales())
		size.Bytes += 2*array - 2*4*entries // the regrets and the sum
		size.Bytes += 4 * entries           // weights that are evaluated
	}
	if a.Predictive {
		size.Bytes += array
	}
	if size.Bytes > budget {
		return l.SizeError(size.Bytes, budget)
	}
	return nil
}

// OpenSampled makes the card abstraction for training a game by sampling with numbers of some
// bits, 32 or 16, if that fits in budget bytes. A game that does not fit is refused
// with a [*policy.SizeError] before anything large is allocated. progress, if not nil, is called
// with the part that is done, which may take seconds.
func OpenSampled(s policy.GameSpec, bits int, budget int64, progress func(part float64)) (policy.Buckets, error) {
	s, err := s.WithTable()
	if err != nil {
		return nil, err
	}
	size, err := Measure(s, bits)
	if err != nil {
		return nil, err
	}
	if !size.Fits(budget) {
		return nil, &policy.SizeError{Spec: s, Size: size, Budget: budget}
	}
	return s.OpenBuckets(progress)
}

// Measure returns the size of a game for training by sampling with numbers of some bits, or in
// vector form for 0. It allocates little but a table of buckets.
func Measure(s policy.GameSpec, bits int) (policy.Size, error) {
	size, err := s.Count()
	if err != nil {
		return policy.Size{}, err
	}
	if kind, err := abstraction.ParseKind(s.Cards); err == nil && bits == 0 {
		return publictree.Measure(s.Game, size.Shape, kind), nil
	}
	decisions, actions := 0, 0
	for r := range s.Game.NumRounds {
		decisions += size.Shape.Decisions[r]
		actions += size.Shape.Actions[r]
	}
	// The tree of package mccfr, two tables, and while it is saved the tree of its file.
	size.Bytes = memory.Saturate(float64(8*decisions+4*actions) + 2*size.Entries*float64(bits)/8 +
		float64(size.IndexBytes) + 4*float64(decisions+size.Shape.Nodes))
	return size, nil
}
