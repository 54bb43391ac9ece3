package abstraction

import (
	"math/bits"
	"strings"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/acpc/hand"
)

// Deal has the cards that one player sees: the board cards that each round added, and
// the hole cards.
type Deal struct {
	Board [acpc.MaxRounds]card.Set
	Hole  card.Set
}

// cards returns all cards of the deal.
func (d *Deal) cards() card.Set {
	s := d.Hole
	for _, b := range d.Board {
		s |= b
	}
	return s
}

// BoardText returns the board cards, with a slash between two rounds that add some.
func (d *Deal) BoardText() string {
	var rounds []string
	for _, b := range d.Board {
		if b != 0 {
			rounds = append(rounds, b.String())
		}
	}
	return strings.Join(rounds, "/")
}

// symmetry is a group of renamings of cards that leave a game as it is.
type symmetry uint8

const (
	identity symmetry = iota // none
	bySuit                   // the suits of the whole deck
	byRank                   // the suits of each rank on its own
)

func symmetryOf(g *acpc.Game, kind Kind) symmetry {
	switch {
	case kind == None:
		return identity
	case suitsMatter(g):
		return bySuit
	}
	return byRank
}

// suitsMatter reports whether any showdown of the game depends on suits.
func suitsMatter(g *acpc.Game) bool {
	if g.HandRanking == hand.ThreeCard {
		return true
	}
	return g.NumHoleCards+g.BoardCards(g.NumRounds-1) >= 5 && g.NumRanks >= 5
}

// canon returns the representative of all deals that the symmetry turns into d.
// The board is made canonical first, round by round, so the board of a canonical
// deal is the canonical board, and so are its earlier rounds.
func (s symmetry) canon(d Deal) Deal {
	switch s {
	case bySuit:
		return canonBySuit(&d)
	case byRank:
		return canonByRank(&d)
	}
	return d
}

// canonBySuit sorts the suits by their cards, the largest first.
func canonBySuit(d *Deal) Deal {
	type suit struct {
		board uint64 // 13 bits a round, the first round on top
		hole  uint16
	}
	var suits [card.NumSuits]suit
	for i := range suits {
		for _, b := range d.Board {
			suits[i].board = suits[i].board<<card.NumRanks | uint64(b.Suit(i))
		}
		suits[i].hole = d.Hole.Suit(i)
		for j := i; j > 0; j-- {
			lo, hi := suits[j-1], suits[j]
			if lo.board < hi.board || lo.board == hi.board && lo.hole <= hi.hole {
				break
			}
			suits[j-1], suits[j] = hi, lo
		}
	}
	var c Deal
	for i, t := range suits {
		for r := acpc.MaxRounds - 1; r >= 0; r-- {
			c.Board[r] |= card.Set(t.board&(1<<card.NumRanks-1)) << (16 * i)
			t.board >>= card.NumRanks
		}
		c.Hole |= card.Set(t.hole) << (16 * i)
	}
	return c
}

// canonByRank reassigns the suits of each rank, spades first: to the board's rounds
// in their order, then to the hole cards.
func canonByRank(d *Deal) Deal {
	var c Deal
	for rank := range card.NumRanks {
		suit := card.NumSuits
		take := func(from card.Set) (to card.Set) {
			for range bits.OnesCount64(uint64(from) >> rank & 0x0001_0001_0001_0001) {
				suit--
				to |= card.New(rank, suit).Bit()
			}
			return to
		}
		for r, b := range d.Board {
			c.Board[r] |= take(b)
		}
		c.Hole |= take(d.Hole)
	}
	return c
}

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
