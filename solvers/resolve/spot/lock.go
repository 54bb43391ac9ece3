package spot

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"gamebots/acpc/card"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/resolve/spot/internal/layout"
)

// A Lock is a part of a strategy that is given instead of found: what a player does with some
// hands at a decision.
type Lock struct {
	Line string // leads to the decision, as [Solution.At] reads it
	// Hands are the probabilities of actions, by hole cards and the texts of the actions; those
	// that are not there are never played.
	Hands map[card.Set]map[string]float64
}

// invariant reports whether a renaming leaves the strategy as it is, for a line with some
// cards.
func (l *Lock) invariant(cards []card.Card, r abstraction.Renaming) bool {
	for _, c := range cards {
		if r.Of(c.Bit()) != c.Bit() {
			return false
		}
	}
	for hole, probabilities := range l.Hands {
		if !maps.Equal(probabilities, l.Hands[r.Of(hole)]) {
			return false
		}
	}
	return true
}

// locked are the probabilities of the actions at a decision, action by action over the
// actor's hands; negative ones are not given.
type locked []float32

// lock adds the locks of the spot.
func (s *traversal) lock() error {
	s.locks = map[layout.NodeKey]locked{}
	for i := range s.spot.Locks {
		l := &s.spot.Locks[i]
		p, n, err := s.findDecision(l.Line)
		if err != nil {
			return fmt.Errorf("lock: %w", err)
		}
		h := &s.Boards[p.street][p.board].Hands[n.Actor]
		key := p.key()
		if s.locks[key] == nil {
			s.locks[key] = slices.Repeat(locked{-1}, int(n.Actions)*h.Width)
		}
		places, held := h.Places(), 0
		for _, hole := range slices.Sorted(maps.Keys(l.Hands)) {
			if hole.Len() != 2 {
				return fmt.Errorf("lock: line %q: %v is not two cards", l.Line, hole)
			}
			probabilities, err := s.probabilities(p, n, l.Hands[hole])
			if err != nil {
				return fmt.Errorf("lock: line %q: %v: %w", l.Line, hole, err)
			}
			place := places[layout.HoleOf(p.renaming.Of(hole)).Index()]
			if place == layout.Absent {
				continue // not in the range, or on the board
			}
			held++
			for a, x := range probabilities {
				s.locks[key][a*h.Width+int(place)] = float32(x)
			}
		}
		if held == 0 && len(l.Hands) > 0 {
			return fmt.Errorf("lock: line %q: the player %s, who acts there, holds none of its %d hands",
				l.Line, PlayerNames[n.Actor], len(l.Hands))
		}
	}
	return nil
}

// probabilities returns the probabilities of the actions of a decision from those by their
// texts.
func (t *table) probabilities(p point, n *layout.Node, by map[string]float64) (all []float64, err error) {
	sum, found := 0.0, 0
	var possible []string
	for a := range int32(n.Actions) {
		text := t.taken[p.street][n.First+a].String()
		possible = append(possible, text)
		x, ok := by[text]
		if !(x >= 0 && x <= 1) {
			return nil, fmt.Errorf("%g is not a probability", x)
		}
		if ok {
			found++
		}
		sum += x
		all = append(all, x)
	}
	if found < len(by) {
		return nil, fmt.Errorf("the actions are %s", strings.Join(possible, ", "))
	}
	if math.Abs(sum-1) > 1e-3 {
		return nil, fmt.Errorf("the probabilities add up to %.4g instead of 1", sum)
	}
	return all, nil
}

// start sets the entries of locked hands before the first iteration.
func (s *traversal) start() {
	for key, l := range s.locks {
		d := s.Decision(key.Street, key.Board, &s.Streets[key.Street].Nodes[key.Node])
		for _, e := range []*layout.Entries{&s.regrets, &s.sums} {
			of := e.Load(d, make([]float32, d.Actions*d.Width))
			l.apply(of)
			e.Store(d, of, 0)
		}
	}
}

// load returns the entries of a decision. Locked ones of 16 bits are set again: they were rounded
// beside others, which may be far larger.
func (s *traversal) load(e *layout.Entries, d layout.Place, key layout.NodeKey, scratch []float32) []float32 {
	entries := e.Load(d, scratch)
	if l := s.locks[key]; l != nil && e.Packed != nil {
		l.apply(entries)
	}
	return entries
}

// apply sets the regrets of locked hands, or the sums of their strategies, so that matching
// them gives the locked probabilities.
func (l locked) apply(entries []float32) {
	for i, p := range l {
		if p >= 0 {
			entries[i] = p
		}
	}
}

// value sets the values of locked hands to the mean of the actions.
func (l locked) value(value, child []float32) {
	for i := range value {
		if l[i] < 0 {
			continue
		}
		sum := float32(0)
		for a := i; a < len(l); a += len(value) {
			sum += float32(l[a] * child[a])
		}
		value[i] = sum
	}
}
