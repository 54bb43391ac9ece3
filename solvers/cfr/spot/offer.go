package spot

import (
	"fmt"

	"gamebots/acpc/card"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/internal/gate"
)

// An Offer lets a player choose at the root, with each of its hands, between playing on and what
// it is offered. The other player is solved safely by that: against a player with other hands
// than expected, too, it loses hardly more than the offers. For the largest margin the player
// chooses the hand with which it plays on instead, and wins what this hand wins beyond its offer;
// the other player then loses as much less than the offers as it can, with every hand.
type Offer struct {
	Player int // 0 out of position, 1 in position
	// Values are what hands win if they take the offer: their part of the pot, in chips. The
	// player may have all hands that have one, whatever its range.
	Values map[card.Set]float64
	// Known is the part of the deals, from 0 to 1, in which there is no choice, and the player
	// comes with its range.
	Known float64
	// Margin is set for the largest margin.
	Margin bool
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

// invariant reports whether a renaming leaves the offer as it is.
func (o *Offer) invariant(r abstraction.Renaming) bool {
	if o == nil {
		return true
	}
	for hole, x := range o.Values {
		if y, ok := o.Values[r.Of(hole)]; !ok || x != y {
			return false
		}
	}
	return true
}

// newGate returns the choice of the player who has an offer. The other hands of its range are
// offered no more than to lose all.
func (s *Solver) newGate() *gate.Gate {
	o := s.spot.Offer
	opposing := s.opposing(s.boards[s.first][0], o.Player, s.reach[1-o.Player])
	var offers, against, expected []float64
	for i, h := range s.boards[s.first][0].hands[o.Player].holes {
		value, ok := o.Values[h.set()]
		if !ok {
			value = -float64(s.spot.Stack)
		}
		offers = append(offers, (value-float64(s.spot.Pot)/2)*float64(opposing[i]))
		against = append(against, float64(opposing[i]))
		expected = append(expected, float64(s.reach[o.Player][i]))
	}
	return gate.New(gate.Offers{Values: offers, Opposing: against, Expected: expected, Known: o.Known, Margin: o.Margin})
}

// enter sets the weights with which the hands of the player who has an offer play on.
func (s *Solver) enter() {
	for i, x := range s.gate.Reach {
		s.reach[s.spot.Offer.Player][i] = float32(x)
	}
}

// opposing returns for each hand of a player on a board the sum of the other player's reach
// over the hands that share no card with it.
func (s *Solver) opposing(b *board, player int, reach []float32) []float32 {
	sums := make([]float32, b.hands[player].width)
	newTiles(len(s.ones)).ends(b, player, []end{{reach: reach, value: sums, payoff: payoff{all: 1}}}, false)
	return sums
}
