package cfr

import (
	"math/bits"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/solvers/cfr/abstraction"
)

// twoCardEnds values the ends of games of two players with two hole cards. A
// hand rules out the other player's hands that share a card with it; sums of
// reach by card take them out again without looking at pairs of hands.
type twoCardEnds[F float] struct {
	cards  *abstraction.Cards
	stakes []stake[F]
	rounds []twoCards
	// lower and higher are as in oneCardEnds.
	lower, higher []uint16
}

// twoCards lists the hands of each bucket of a round: bucket h holds
// hands[start[h]:start[h+1]], its canonical hand first.
type twoCards struct {
	start []int32
	hands [][2]card.Card
}

func newTwoCardEnds[F float](l *Layout) *twoCardEnds[F] {
	e := &twoCardEnds[F]{cards: l.Cards, stakes: newStakes[F](l.Tree)}
	for r := range l.Cards.Rounds {
		e.rounds = append(e.rounds, newTwoCards(l.Cards, r))
	}
	last := &l.Cards.Rounds[len(l.Cards.Rounds)-1]
	e.lower, e.higher = ties(last)
	return e
}

func newTwoCards(cards *abstraction.Cards, r int) twoCards {
	round := &cards.Rounds[r]
	t := twoCards{start: make([]int32, round.Stride+1)}
	for h, size := range round.Size {
		t.start[h+1] = t.start[h] + int32(size)
	}
	t.hands = make([][2]card.Card, t.start[round.Stride])
	next := append([]int32(nil), t.start...)
	for i := range round.Boards {
		b := &round.Boards[i]
		cards.Holes(r, b, func(hole card.Set, bucket int) {
			h := int(b.First) + bucket
			k := next[h]
			next[h]++
			t.hands[k] = twoOf(hole)
			if hole == round.Hole[h] {
				first := t.start[h]
				t.hands[first], t.hands[k] = t.hands[k], t.hands[first]
			}
		})
	}
	return t
}

// twoOf returns the cards of a set of two.
func twoOf(s card.Set) [2]card.Card {
	var hand [2]card.Card
	for i := range hand {
		bit := bits.TrailingZeros64(uint64(s))
		hand[i] = card.New(bit%16, bit/16)
		s &= s - 1
	}
	return hand
}

// held is a sum of reach over hands, and the same over those with each card.
type held[F float] struct {
	all F
	by  [card.DeckSize]F
}

func (s *held[F]) add(hands [][2]card.Card, reach F) {
	for _, h := range hands {
		s.all += reach
		s.by[h[0]] += reach
		s.by[h[1]] += reach
	}
}

// without returns the sum over hands that have neither of two cards, but for
// the hand of both, which it takes out twice.
func (s *held[F]) without(h [2]card.Card) F { return s.all - s.by[h[0]] - s.by[h[1]] }

func (e *twoCardEnds[F]) value(v []F, end int32, player, round int, in part, reach *[acpc.MaxPlayers][]F) {
	stake := e.stakes[end]
	boards := e.cards.Rounds[round].Boards[in.firstBoard:in.lastBoard]
	for i := range boards {
		first, n, at := int(boards[i].First), int(boards[i].Num), int(boards[i].First)-in.first
		v, other := v[at:][:n], reach[1-player][at:][:n]
		if stake.showdown {
			e.showdown(v, other, first, stake.of(player))
		} else {
			e.fold(v, other, &e.rounds[round], first, stake.of(player))
		}
	}
}

func (e *twoCardEnds[F]) fold(v, reach []F, in *twoCards, first int, amount F) {
	var sum held[F]
	for i, r := range reach {
		sum.add(in.hands[in.start[first+i]:in.start[first+i+1]], r)
	}
	for i, r := range reach {
		v[i] = amount * (sum.without(in.hands[in.start[first+i]]) + r)
	}
}

// showdown goes through the hands upwards, with the sum of those below, and
// then downwards with the sum of those above. The own hand is in neither.
func (e *twoCardEnds[F]) showdown(v, reach []F, first int, amount F) {
	in := &e.rounds[len(e.rounds)-1]
	lower, higher := e.lower[first:][:len(v)], e.higher[first:][:len(v)]
	add := func(sum *held[F], from, to uint16) {
		for i := from; i < to; i++ {
			sum.add(in.hands[in.start[first+int(i)]:in.start[first+int(i)+1]], reach[i])
		}
	}
	var below, above held[F]
	for i := 0; i < len(v); i = int(higher[i]) {
		for h := i; h < int(higher[i]); h++ {
			v[h] = below.without(in.hands[in.start[first+h]])
		}
		add(&below, uint16(i), higher[i])
	}
	for i := len(v) - 1; i >= 0; i = int(lower[i]) - 1 {
		for h := i; h >= int(lower[i]); h-- {
			v[h] = amount * (v[h] - above.without(in.hands[in.start[first+h]]))
		}
		add(&above, lower[i], uint16(i)+1)
	}
}
