package cfr

import (
	"fmt"

	"gamebots/acpc"
	"gamebots/internal/memory"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/policy"
)

// Fits returns a [*policy.SizeError] if training by the algorithm does not fit in a budget of bytes:
// some algorithms need more than [publictree.Prepare] assumes.
func (a Algorithm) Fits(l *publictree.Layout, budget int64) error {
	size := publictree.Measure(l.Tree.Game, l.Tree.Shape, l.Cards.Kind)
	entries := int64(l.Entries)
	array := 4 * entries // bytes of an array over all entries
	switch {
	case a.Quantized:
		array = 2*entries + 4*int64(l.NumScales())
	case a.Double:
		array = 8 * entries
	}
	if a.Quantized || a.Double {
		size.Bytes += 2*array - 2*4*entries // the regrets and the sum
		size.Bytes += 4 * entries           // weights that are evaluated
	}
	if a.Predictive {
		size.Bytes += array
	}
	if a.BestResponse {
		size.Bytes += 2 * entries
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
		return nil, &policy.SizeError{Spec: s, Bits: bits, Size: size, Budget: budget}
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

// Fit is a change of a training with which it fits in memory. One field is set beside
// Bytes.
type Fit struct {
	Actions betting.Actions
	// Forgetful is set for strategies that forget the betting of earlier rounds.
	Forgetful bool
	Cards     string // another card abstraction
	Bits      int    // bits of a number
	Rounds    int    // rounds that are kept of the game
	Bytes     int64  // memory that the training then takes
}

// Fits returns changes with which the game of an error would fit: of each kind the smallest change
// of a few that were tried.
func Fits(e *policy.SizeError) (fits []Fit) {
	try := func(f Fit, change func(s *policy.GameSpec, bits *int)) bool {
		s, bits := e.Spec, e.Bits
		change(&s, &bits)
		if !e.Size.Shape.Complete && s.Actions.String() == e.Spec.Actions.String() {
			return false // whatever the cards
		}
		size, err := Measure(s, bits)
		if err != nil || !size.Fits(e.Budget) {
			return false
		}
		f.Bytes = size.Bytes
		fits = append(fits, f)
		return true
	}
	if e.Spec.Game.Betting == acpc.NoLimit && !e.Spec.Actions.HasOpponent() {
		for _, a := range []betting.Actions{betting.FCPA, betting.FCPA2, betting.FCPA1, betting.FCA} {
			if e.Spec.Actions.String() == a.String() {
				continue
			}
			if try(Fit{Actions: a}, func(s *policy.GameSpec, _ *int) { s.Actions = a }) {
				break
			}
		}
	}
	// Of two players, not all algorithms that sample train such strategies.
	if e.Bits != 0 && e.Spec.Game.NumPlayers > 2 && !e.Spec.Actions.IsForgetful() {
		try(Fit{Forgetful: true}, func(s *policy.GameSpec, _ *int) { s.Actions = s.Actions.Forgetful() })
	}
	for _, cards := range otherCards(e) {
		if try(Fit{Cards: cards}, func(s *policy.GameSpec, bits *int) {
			*s = s.WithCards(cards)
			if abstraction.IsEHS(cards) && *bits == 0 {
				*bits = 32
			}
		}) {
			break
		}
	}
	if e.Bits == 32 {
		try(Fit{Bits: 16}, func(_ *policy.GameSpec, bits *int) { *bits = 16 })
	}
	for r := len(e.Size.RoundBytes) - 2; r >= 0 && e.Size.Shape.Complete; r-- {
		if e.Size.RoundBytes[r] <= e.Budget {
			return append(fits, Fit{Rounds: r + 1, Bytes: e.Size.RoundBytes[r]})
		}
	}
	return fits
}

// otherCards returns card abstractions with fewer information sets, the most first. There are
// none with which a betting tree fits that is too large by itself.
func otherCards(e *policy.SizeError) (names []string) {
	if !e.Size.Shape.Complete {
		return nil
	}
	if e.Spec.Cards == abstraction.None.String() {
		names = append(names, abstraction.Lossless.String())
	}
	if !abstraction.EHSFits(e.Spec.Game) {
		return names
	}
	if !abstraction.IsEHS(e.Spec.Cards) {
		return append(names, abstraction.EHSName)
	}
	for _, n := range []int{200, 100, 50, 20, 10} {
		name := fmt.Sprintf("%s(%d,%d,%d)", abstraction.EHSName, n, n, n)
		if size, err := Measure(e.Spec.WithCards(name), e.Bits); err == nil && size.Bytes < e.Size.Bytes {
			names = append(names, name)
		}
	}
	return names
}
