package spot

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"gamebots/acpc/card"
	"gamebots/solvers/cfr/abstraction"
)

// A Lock is a part of a strategy that is given instead of found: what a player does with some
// hands at a decision.
type Lock struct {
	Line string // to the decision, as [Solver.At] reads it
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

// lockKey is a decision on a board.
type lockKey struct {
	street, board int
	node          int32
}

// locked are the probabilities of the actions at a decision, action by action over the
// actor's hands; negative ones are not given.
type locked []float32

// lock adds the locks of the spot.
func (s *Solver) lock() error {
	s.locks = map[lockKey]locked{}
	for i := range s.spot.Locks {
		l := &s.spot.Locks[i]
		p, n, err := s.findDecision(l.Line)
		if err != nil {
			return fmt.Errorf("lock: %w", err)
		}
		h := &s.boards[p.street][p.board].hands[n.actor]
		key := lockKey{p.street, p.board, p.node}
		if s.locks[key] == nil {
			s.locks[key] = slices.Repeat(locked{-1}, int(n.actions)*h.width)
		}
		places, held := h.places(), 0
		for _, hole := range slices.Sorted(maps.Keys(l.Hands)) {
			if hole.Len() != 2 {
				return fmt.Errorf("lock: line %q: %v is not two cards", l.Line, hole)
			}
			probabilities, err := s.probabilities(p, n, l.Hands[hole])
			if err != nil {
				return fmt.Errorf("lock: line %q: %v: %w", l.Line, hole, err)
			}
			place := places[holeOf(p.renaming.Of(hole)).index()]
			if place == absent {
				continue // not in the range, or on the board
			}
			held++
			for a, x := range probabilities {
				s.locks[key][a*h.width+int(place)] = float32(x)
			}
		}
		if held == 0 && len(l.Hands) > 0 {
			return fmt.Errorf("lock: line %q: the player %s, who acts there, holds none of its %d hands", l.Line, PlayerNames[n.actor], len(l.Hands))
		}
	}
	return nil
}

// probabilities returns the probabilities of the actions of a decision from those by their
// texts.
func (s *Solver) probabilities(p point, n *node, by map[string]float64) (all []float64, err error) {
	sum, found := 0.0, 0
	var possible []string
	for a := range int32(n.actions) {
		text := s.streets[p.street].nodes[n.first+a].action.String()
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
func (s *Solver) start() {
	for key, l := range s.locks {
		d := s.decision(key.street, key.board, &s.streets[key.street].nodes[key.node])
		for _, e := range []*entries{&s.regrets, &s.sums} {
			of := e.load(d, make([]float32, d.actions*d.width))
			l.apply(of)
			e.store(d, of)
		}
	}
}

// apply sets the regrets of locked hands, or the sums of their strategies: matching them
// gives what is locked.
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
