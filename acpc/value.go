package acpc

import "gamebots/acpc/card"

// foldedRank is below every hand.
const foldedRank = -1

// Values returns the chips that every position has won (negative: lost) in a
// finished hand. Ties split a pot exactly, so values may be fractions.
func (s *State) Values() (values [MaxPlayers]float64) {
	ranks := s.handRanks()
	for p := range s.game.NumPlayers {
		values[p] = s.value(p, &ranks)
	}
	return values
}

// Value is Values for one position.
func (s *State) Value(p int) float64 {
	ranks := s.handRanks()
	return s.value(p, &ranks)
}

func (s *State) value(p int, ranks *[MaxPlayers]int) float64 {
	switch {
	case s.folded[p]:
		return float64(-s.spent[p])
	case s.AtShowdown():
		return s.Showdown(p, ranks)
	}
	won := int64(0)
	for q := range s.game.NumPlayers {
		if q != p {
			won += int64(s.spent[q])
		}
	}
	return float64(won)
}

// handRanks returns what Showdown needs; nothing when there is none.
func (s *State) handRanks() (ranks [MaxPlayers]int) {
	if s.AtShowdown() {
		for p := range s.game.NumPlayers {
			ranks[p] = s.HandRank(p)
		}
	}
	return ranks
}

// Showdown returns the chips that a position wins or loses at showdown
// when the hands have the given ranks (larger is better; -1 for a folded one):
// the pots are taken apart from the smallest contribution up, and each pot is
// split between the best hands in it.
func (s *State) Showdown(p int, ranks *[MaxPlayers]int) float64 {
	spent := s.spent
	value := 0.0
	for spent[p] != 0 {
		size, best := spent[p], ranks[p]
		for q := range s.game.NumPlayers {
			if spent[q] != 0 {
				size = min(size, spent[q])
				best = max(best, ranks[q])
			}
		}
		in, winners := 0, 0
		for q := range s.game.NumPlayers {
			if spent[q] != 0 {
				in++
				if ranks[q] == best {
					winners++
				}
				spent[q] -= size
			}
		}
		if ranks[p] == best {
			value += float64(int64(size)*int64(in-winners)) / float64(winners)
		} else {
			value -= float64(size)
		}
	}
	return value
}

// HandRank returns the rank of a position's hole cards with the whole board,
// larger is better, or -1 when it has folded.
func (s *State) HandRank(p int) int {
	if s.folded[p] {
		return foldedRank
	}
	g := s.game
	set := card.SetOf(s.Holes[p][:g.NumHoleCards]...) | card.SetOf(s.Board[:g.BoardCards(g.NumRounds-1)]...)
	return g.HandRanking.Rank(set)
}
