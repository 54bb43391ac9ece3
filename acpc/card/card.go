package card

import (
	"fmt"
	"strings"
)

// The largest deck: 13 ranks of 4 suits.
const (
	NumRanks = 13
	NumSuits = 4
	DeckSize = NumRanks * NumSuits
)

const (
	rankChars = "23456789TJQKA"
	suitChars = "cdhs"
)

// Card is one card, rank*4 + suit: rank 0 is the deuce and 12 the ace, suits
// 0 to 3 are clubs, diamonds, hearts and spades.
type Card uint8

// New returns the card of a rank (0 to 12) and a suit (0 to 3).
func New(rank, suit int) Card { return Card(rank*NumSuits + suit) }

// Rank returns 0 for a deuce up to 12 for an ace.
func (c Card) Rank() int { return int(c) / NumSuits }

// Suit returns 0 to 3 for clubs, diamonds, hearts and spades.
func (c Card) Suit() int { return int(c) % NumSuits }

// String returns the card as the protocol writes it, such as "As" or "Td".
func (c Card) String() string { return string(c.Append(nil)) }

// Append appends the card's two characters to dst.
func (c Card) Append(dst []byte) []byte {
	return append(dst, rankChars[c.Rank()], suitChars[c.Suit()])
}

// Parse reads the card at the start of s, in either case. Text after its two characters
// is ignored.
func Parse(s string) (Card, error) {
	if len(s) < 2 {
		return 0, fmt.Errorf("card %q is not a rank and a suit such as As", s)
	}
	rank, suit := index(rankChars, s[0]), index(suitChars, s[1])
	if rank < 0 || suit < 0 {
		two := string([]rune(s)[:min(2, len([]rune(s)))])
		return 0, fmt.Errorf("card %q is not a rank of %s and a suit of %s", two, rankChars, suitChars)
	}
	return New(rank, suit), nil
}

var plain = strings.NewReplacer(
	"♣", "c", "♦", "d", "♥", "h", "♠", "s", "♧", "c", "♢", "d", "♡", "h", "♤", "s", "10", "T",
)

// Plain returns a text of cards with the letters that [Parse] reads for the signs of suits, and T
// for 10.
func Plain(text string) string { return plain.Replace(text) }

// index is strings.IndexByte without regard to case.
func index(chars string, c byte) int {
	for i := range len(chars) {
		if chars[i] == c || chars[i]|0x20 == c|0x20 && chars[i] >= 'A' && c >= 'A' {
			return i
		}
	}
	return -1
}

// Deck returns the cards of a reduced deck, the highest ranks of the highest
// suits, in the order in which the original dealer lays them out: suit by
// suit, ranks ascending.
func Deck(suits, ranks int) []Card {
	deck := make([]Card, 0, suits*ranks)
	for suit := NumSuits - suits; suit < NumSuits; suit++ {
		for rank := NumRanks - ranks; rank < NumRanks; rank++ {
			deck = append(deck, New(rank, suit))
		}
	}
	return deck
}
