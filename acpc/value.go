package acpc

import "gamebots/acpc/card"

// foldedRank is below every hand.
const foldedRank = -1

// Values returns the chips that every position has won (negative: lost) in a
// finished hand. Ties split a pot exactly, so values may be fractions.
func (s *State) Values() (values [MaxPlayers]float64) {
	pot, ranks := s.Pot(), s.handRanks()
	for p := range s.game.NumPlayers {
		values[p] = pot.Value(p, &ranks)
	}
	return values
}

// Value is Values for one position.
func (s *State) Value(p int) float64 {
	pot, ranks := s.Pot(), s.handRanks()
	return pot.Value(p, &ranks)
}

// handRanks returns the ranks for Pot.Value, all 0 without a showdown.
func (s *State) handRanks() (ranks [MaxPlayers]int) {
	if s.AtShowdown() {
		for p := range s.game.NumPlayers {
			ranks[p] = s.HandRank(p)
		}
	}
	return ranks
}

// Pot has all that the result of a finished hand depends on besides its cards: the chips
// that every position has put in, and which positions have folded.
type Pot struct {
	Players int
	Spent   [MaxPlayers]int32
	Folded  [MaxPlayers]bool
}

// Pot returns the pot as it is now.
func (s *State) Pot() Pot {
	return Pot{Players: s.game.NumPlayers, Spent: s.spent, Folded: s.folded}
}

// Chips returns the chips that all positions have put in.
func (k Pot) Chips() int64 {
	sum := int64(0)
	for _, spent := range k.Spent[:k.Players] {
		sum += int64(spent)
	}
	return sum
}

// Showdown reports whether hands are compared: at least two positions have not folded.
func (k *Pot) Showdown() bool {
	stayed := 0
	for _, folded := range k.Folded[:k.Players] {
		if !folded {
			stayed++
		}
	}
	return stayed > 1
}

// Value returns the chips that a position wins or, if negative, loses with the given ranks
// of the hands (larger is better, -1 for a folded hand; unused if all others have folded).
// Side pots are formed from the smallest contribution up, and each is split between the
// best hands in it.
func (k *Pot) Value(p int, ranks *[MaxPlayers]int) float64 {
	switch {
	case k.Folded[p]:
		return float64(-k.Spent[p])
	case !k.Showdown():
		return float64(k.Chips() - int64(k.Spent[p]))
	}
	spent := k.Spent
	value := 0.0
	for spent[p] != 0 {
		size, best := spent[p], ranks[p]
		for q := range k.Players {
			if spent[q] != 0 {
				size = min(size, spent[q])
				best = max(best, ranks[q])
			}
		}
		in, winners := 0, 0
		for q := range k.Players {
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

// HandRank returns the rank of a position's hole cards with the whole board (larger is
// better), or -1 if it has folded.
func (s *State) HandRank(p int) int {
	if s.folded[p] {
		return foldedRank
	}
	return s.game.HandRanking.Rank(s.usable(p))
}

// HandName returns what a position's hole cards make with the whole board, as in "two pair, kings and eights".
func (s *State) HandName(p int) string { return s.game.HandRanking.Name(s.usable(p)) }

// usable returns the cards that a position has with the whole board.
func (s *State) usable(p int) card.Set {
	g := s.game
	return card.SetOf(s.Holes[p][:g.NumHoleCards]...) | card.SetOf(s.Board[:g.BoardCards(g.NumRounds-1)]...)
}
