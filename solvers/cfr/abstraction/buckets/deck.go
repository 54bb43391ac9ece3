package buckets

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/acpc/hand"
	"gamebots/solvers/cfr/abstraction"
)

// Deck is the cards of a game: all of the game that buckets depend on.
type Deck struct {
	Suits   int    `json:"suits"`
	Ranks   int    `json:"ranks"`
	Hole    int    `json:"hole_cards"`
	Board   []int  `json:"board_cards"` // number of board cards in each round
	Ranking string `json:"ranking"`
}

// DeckOf returns the cards of a game.
func DeckOf(g *acpc.Game) Deck {
	d := Deck{Suits: g.NumSuits, Ranks: g.NumRanks, Hole: g.NumHoleCards, Ranking: g.HandRanking.String()}
	for r := range g.NumRounds {
		d.Board = append(d.Board, g.BoardCards(r))
	}
	return d
}

func (d *Deck) equal(e *Deck) bool {
	return d.Suits == e.Suits && d.Ranks == e.Ranks && d.Hole == e.Hole && d.Ranking == e.Ranking &&
		slices.Equal(d.Board, e.Board)
}

// String describes the cards, as in "4 suits of 13 ranks, 2 hole cards, 0/3/4/5 board cards,
// acpc ranking".
func (d *Deck) String() string {
	text := fmt.Sprintf("%d suits of %d ranks, %d hole cards, ", d.Suits, d.Ranks, d.Hole)
	for i, n := range d.Board {
		if i > 0 {
			text += "/"
		}
		text += fmt.Sprint(n)
	}
	return text + " board cards, " + d.Ranking + " ranking"
}

// full returns the number of cards on a full board.
func (d *Deck) full() int { return d.Board[len(d.Board)-1] }

// check returns an error for a deck that no game has.
func (d *Deck) check() error {
	if d.Suits < 1 || d.Suits > card.NumSuits || d.Ranks < 1 || d.Ranks > card.NumRanks || d.Hole < 1 || d.Hole > 2 ||
		len(d.Board) < 1 || len(d.Board) > acpc.MaxRounds || d.Board[0] < 0 || d.full() > acpc.MaxBoardCards ||
		!slices.IsSorted(d.Board) || d.full()+2*d.Hole > d.Suits*d.Ranks {
		return errors.New("the deck is impossible")
	}
	_, err := hand.ParseRanking(d.Ranking)
	return err
}

// index numbers the hole cards with board cards.
func (d *Deck) index(board int) (*abstraction.SuitIndex, error) {
	return abstraction.NewSuitIndex(d.Suits, d.Ranks, d.Hole, board)
}

// hands are the cards and the hole cards of a deck.
type hands struct {
	cards   []card.Card
	set     card.Set // all cards of the deck
	ranking hand.Ranking
	full    int // cards on a full board
	all     []holding
	// others is the number of hole cards of an opponent on a full board.
	others int
}

// holding is hole cards, and the bits of their lowest and highest card; with one hole card
// these are the same.
type holding struct {
	hole   card.Set
	lo, hi uint8
}

func newHolding(hole card.Set) holding {
	return holding{hole, uint8(bits.TrailingZeros64(uint64(hole))), uint8(63 - bits.LeadingZeros64(uint64(hole)))}
}

// newHands returns the hands of a deck without faults.
func newHands(d *Deck) *hands {
	ranking, err := hand.ParseRanking(d.Ranking)
	if err != nil {
		panic(err)
	}
	h := &hands{cards: card.Deck(d.Suits, d.Ranks), ranking: ranking, full: d.full()}
	h.set = card.SetOf(h.cards...)
	card.Subsets(h.cards, d.Hole, func(s card.Set) {
		h.all = append(h.all, newHolding(s))
	})
	left := len(h.cards) - h.full - d.Hole
	h.others = left
	if d.Hole == 2 {
		h.others = left * (left - 1) / 2
	}
	return h
}

// rest returns the cards that are not in used.
func (h *hands) rest(used card.Set) []card.Card {
	return slices.DeleteFunc(slices.Clone(h.cards), used.Has)
}
