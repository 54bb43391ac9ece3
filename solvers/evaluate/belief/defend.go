package belief

import (
	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/internal/rng"
)

// Defends reports whether the player to act calls with a hand where its strategy has no decision. ready is
// how many chips it was ready to put into the hand: up to these it calls with every hand. Beyond, it calls
// if its mean part of the pot, against hands that are dealt at random, is at least the part that the call
// is of the pot before it. A bettor then gains nothing by hands that never win. A call of 20,000 into
// 20,200 needs one of the best hundredth of the hands, and one of 100 into 300 the better two thirds.
func Defends(s *acpc.State, ready int32, hole card.Set) bool {
	own, pot := s.Actor(), int64(0)
	to := min(s.MaxSpent(), s.Game().Stack[own])
	if to <= max(ready, s.Spent(own)) {
		return true
	}
	for p := range s.Game().NumPlayers {
		pot += int64(min(s.Spent(p), to))
	}
	return partOfPot(s, hole)*float64(pot) >= float64(to-s.Spent(own))
}

// defenceDeals is how many deals estimate a part of the pot: the standard error is at most 0.022.
const defenceDeals = 1 << 9

// partOfPot returns the mean part of the pot that the player to act wins with a hand at a showdown with all
// who have not folded, over random cards. They follow from the cards that the player sees.
func partOfPot(s *acpc.State, hole card.Set) float64 {
	g := s.Game()
	board := card.SetOf(s.Board[:g.BoardCards(s.Round())]...)
	var rest []card.Card
	for _, c := range g.Deck() {
		if !(hole | board).Has(c) {
			rest = append(rest, c)
		}
	}
	var rivals []card.Set
	for p := range g.NumPlayers {
		if p != s.Actor() && !s.Folded(p) {
			rivals = append(rivals, 0)
		}
	}
	come := g.BoardCards(g.NumRounds-1) - g.BoardCards(s.Round())
	drawn := come + len(rivals)*g.NumHoleCards
	stream, points := rng.Stream(rng.Mix(uint64(hole)^rng.Mix(uint64(board)))), 0
	for range defenceDeals {
		for k := range drawn {
			j := k + stream.IntN(len(rest)-k)
			rest[k], rest[j] = rest[j], rest[k]
		}
		last := board | card.SetOf(rest[:come]...)
		for i := range rivals {
			rivals[i] = card.SetOf(rest[come+i*g.NumHoleCards:][:g.NumHoleCards]...)
		}
		best := bestOf(g.HandRanking, rivals, last)
		points += pointsOfPot - int(best.score(g.HandRanking.Rank(last|hole)))
	}
	return float64(points) / (2 * pointsOfPot * defenceDeals)
}
