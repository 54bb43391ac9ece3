package spot

import (
	"fmt"
	"math"

	"gamebots/acpc/card"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/internal/gate"
	"gamebots/solvers/resolve/spot/internal/layout"
)

// An Offer lets a player choose at the root, with each of its hands, between playing on and what
// it is offered. The other player is solved safely by that: against a player with other hands
// than expected, too, it loses hardly more than the offers.
type Offer struct {
	Player int // 0 out of position, 1 in position
	// Values are what hands win if they take the offer: their part of the pot, in chips. The
	// player may have all hands that have one, whatever its range.
	Values map[card.Set]float64
	// Known is the weight, from 0 to 1, with which the most frequent hand of the player's range comes without a
	// choice; all hands with one have what is left to 1.
	Known float64
}

// check returns a FieldError if an offer cannot be.
func (o *Offer) check() error {
	if o != nil && !(o.Player >= 0 && o.Player <= 1 && o.Known >= 0 && o.Known <= 1) {
		return &FieldError{"offer", fmt.Sprintf("player %d, known %g", o.Player, o.Known)}
	}
	return nil
}

// has reports whether a player is offered something for a hand.
func (o *Offer) has(player int, hole card.Set) bool {
	if o == nil || o.Player != player {
		return false
	}
	_, ok := o.Values[hole]
	return ok
}

// rounding is more than that of offers which a renaming of the suits leaves as they are, as a
// part of the chips in play.
const rounding = 1e-6

// invariantOffer reports whether a renaming leaves the offer of a spot as it is.
func (s *Spot) invariantOffer(r abstraction.Renaming) bool {
	if s.Offer == nil {
		return true
	}
	for hole, x := range s.Offer.Values {
		if y, ok := s.Offer.Values[r.Of(hole)]; !ok || math.Abs(x-y) > rounding*float64(s.Pot+2*s.Stack) {
			return false
		}
	}
	return true
}

// newGate returns the choice of the player who has an offer. The other hands of its range are
// offered no more than to lose all.
func (s *traversal) newGate() *gate.Gate {
	o := s.spot.Offer
	opposing := opposing(s.Root(), o.Player, s.reach[1-o.Player])
	var against, expected []float64
	for i, h := range s.Root().Hands[o.Player].Holes {
		value, ok := o.Values[h.Set()]
		if !ok {
			value = -float64(s.spot.Stack)
		}
		s.offers = append(s.offers, (value-float64(s.spot.Pot)/2)*float64(opposing[i]))
		against = append(against, float64(opposing[i]))
		expected = append(expected, float64(s.reach[o.Player][i]))
	}
	return gate.New(gate.Offers{Values: s.offers, Opposing: against, Expected: expected, Known: o.Known})
}

// enter sets the weights with which the hands of the player who has an offer play on. Those that a
// symmetry of the board makes equal have the same, to the bit.
func (s *traversal) enter() { s.enterWith(s.gate.Reach) }

func (s *traversal) enterWith(reach []float64) {
	p := s.spot.Offer.Player
	for i, x := range reach {
		s.reach[p][i] = float32(x)
	}
	s.Root().Hands[p].Symmetrise(s.reach[p])
	s.send(p)
}

// send tells a device the weights with which the hands of a player play on.
func (s *traversal) send(player int) {
	if s.gpu != nil && s.gpu.err == nil {
		s.gpu.err = s.gpu.SetStart(player, s.reach[player][:len(s.Root().Hands[player].Holes)])
	}
}

// forRanges lets the player who has an offer come with its range, and returns a function that
// undoes it.
func (s *traversal) forRanges() func() {
	if s.gate == nil {
		return func() {}
	}
	s.setReach()
	s.send(s.spot.Offer.Player)
	return s.enter
}

// chooses reports whether a player has an offer.
func (s *traversal) chooses(player int) bool { return s.gate != nil && s.spot.Offer.Player == player }

// opposing returns for each hand of a player on a board what the other player's range leaves it. Hands that a
// symmetry of the board makes equal have the same, to the bit.
func opposing(b *layout.Board, player int, reach []float32) []float32 {
	own := &b.Hands[player]
	sums := make([]float32, own.Width)
	for i, x := range gate.Opposing(own.Sets(), b.Hands[1-player].Sets(), reach) {
		sums[i] = float32(x)
	}
	own.Symmetrise(sums)
	return sums
}
