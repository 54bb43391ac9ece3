package abstraction

import "gamebots/acpc/card"

// Renaming is a renaming of the suits: what each suit becomes.
type Renaming [card.NumSuits]uint8

// Renamings returns all renamings of the suits, the identity first.
func Renamings() (all []Renaming) {
	for a := range uint8(card.NumSuits) {
		for b := range uint8(card.NumSuits) {
			for c := range uint8(card.NumSuits) {
				if a != b && a != c && b != c {
					all = append(all, Renaming{a, b, c, 6 - a - b - c})
				}
			}
		}
	}
	return all
}

// RenamingOf returns the renaming that turns one set of cards into another, which must differ
// in the names of suits only. Suits with the same cards stay in their order.
func RenamingOf(from, to card.Set) (r Renaming) {
	taken := [card.NumSuits]bool{}
	for suit := range r {
		for other := range r {
			if !taken[other] && from.Suit(suit) == to.Suit(other) {
				r[suit], taken[other] = uint8(other), true
				break
			}
		}
	}
	return r
}

// Of returns what a set of cards becomes.
func (r Renaming) Of(s card.Set) (renamed card.Set) {
	for suit, to := range r {
		renamed |= card.Set(s.Suit(suit)) << (16 * to)
	}
	return renamed
}
