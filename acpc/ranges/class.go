package ranges

import (
	"fmt"

	"gamebots/acpc/card"
)

// Class is a class of two hole cards: a pair, or two ranks, suited or offsuit. It is a cell
// of a table of 13 rows and columns, from the ace down: pairs are on the diagonal, suited
// hands above it and offsuit hands below.
type Class uint8

// NumClasses is the number of classes of a full deck.
const NumClasses = card.NumRanks * card.NumRanks

// ClassAt returns the class in a row and a column, from 0.
func ClassAt(row, column int) Class { return Class(row*card.NumRanks + column) }

// ClassOf returns the class of two cards.
func ClassOf(a, b card.Card) Class {
	high, low := card.NumRanks-1-max(a.Rank(), b.Rank()), card.NumRanks-1-min(a.Rank(), b.Rank())
	if a.Suit() == b.Suit() {
		return ClassAt(high, low)
	}
	return ClassAt(low, high)
}

// Row and Column return the place of the class in the table.
func (c Class) Row() int    { return int(c) / card.NumRanks }
func (c Class) Column() int { return int(c) % card.NumRanks }

// String returns the class as in "AA", "AKs" and "AKo".
func (c Class) String() string {
	high, low := rankAt(min(c.Row(), c.Column())), rankAt(max(c.Row(), c.Column()))
	switch {
	case c.Row() < c.Column():
		return string([]byte{high, low, 's'})
	case c.Row() > c.Column():
		return string([]byte{high, low, 'o'})
	}
	return string([]byte{high, low})
}

// rankAt returns the letter of a row or column.
func rankAt(i int) byte { return card.New(card.NumRanks-1-i, 0).String()[0] }

// Hands returns the hole cards of the class: 6 of a pair, 4 of a suited and 12 of an offsuit
// hand.
func (c Class) Hands() (hands []card.Set) {
	first, second := card.NumRanks-1-c.Row(), card.NumRanks-1-c.Column()
	for s := card.NumSuits - 1; s >= 0; s-- {
		for t := card.NumSuits - 1; t >= 0; t-- {
			suited := s == t
			if first == second && s <= t || first != second && suited != (c.Row() < c.Column()) {
				continue
			}
			hands = append(hands, card.SetOf(card.New(first, s), card.New(second, t)))
		}
	}
	return hands
}

// parseClasses returns the classes of a text such as "AA", "AKs" or "AK", the last of which
// is both suited and offsuit.
func parseClasses(typed string) ([]Class, error) {
	text := card.Plain(typed)
	if len(text) == 2 || len(text) == 3 {
		a, errA := card.Parse(text[:1] + "s")
		b, errB := card.Parse(text[1:2] + "s")
		if errA == nil && errB == nil {
			row, column := card.NumRanks-1-max(a.Rank(), b.Rank()), card.NumRanks-1-min(a.Rank(), b.Rank())
			switch {
			case len(text) == 2 && row == column:
				return []Class{ClassAt(row, row)}, nil
			case len(text) == 2:
				return []Class{ClassAt(row, column), ClassAt(column, row)}, nil
			case row != column && text[2]|0x20 == 's':
				return []Class{ClassAt(row, column)}, nil
			case row != column && text[2]|0x20 == 'o':
				return []Class{ClassAt(column, row)}, nil
			}
		}
	}
	return nil, fmt.Errorf("%q is not a hand such as AA, AKs, AKo or AK", typed)
}
