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

// Equal reports whether the cards are the same.
func (d *Deck) Equal(e *Deck) bool {
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

// Full returns the number of cards on a full board.
func (d *Deck) Full() int { return d.Board[len(d.Board)-1] }

// Check returns an error for a deck that no game has.
func (d *Deck) Check() error {
	if d.Suits < 1 || d.Suits > card.NumSuits || d.Ranks < 1 || d.Ranks > card.NumRanks || d.Hole < 1 || d.Hole > 2 ||
		len(d.Board) < 1 || len(d.Board) > acpc.MaxRounds || d.Board[0] < 0 || d.Full() > acpc.MaxBoardCards ||
		!slices.IsSorted(d.Board) || d.Full()+2*d.Hole > d.Suits*d.Ranks {
		return errors.New("the deck is impossible")
	}
	_, err := hand.ParseRanking(d.Ranking)
	return err
}

// Index numbers the hole cards with board cards.
func (d *Deck) Index(board int) (*abstraction.SuitIndex, error) {
	return abstraction.NewSuitIndex(d.Suits, d.Ranks, d.Hole, board)
}

// Holdings are the cards and the hole cards of a deck.
type Holdings struct {
	Cards   []card.Card
	Set     card.Set // all cards of the deck
	All     []Holding
	ranking hand.Ranking
	full    int // cards on a full board
	// Others is the number of hole cards of an opponent on a full board.
	Others int
}

// Holding is hole cards, and the bits of their lowest and highest card; with one hole card
// these are the same.
type Holding struct {
	Hole   card.Set
	Lo, Hi uint8
}

// NewHolding returns hole cards with the bits of their cards.
func NewHolding(hole card.Set) Holding {
	return Holding{hole, uint8(bits.TrailingZeros64(uint64(hole))), uint8(63 - bits.LeadingZeros64(uint64(hole)))}
}

// newHoldings returns the hands of a deck without faults.
func newHoldings(d *Deck) *Holdings {
	ranking, err := hand.ParseRanking(d.Ranking)
	if err != nil {
		panic(err)
	}
	h := &Holdings{Cards: card.Deck(d.Suits, d.Ranks), ranking: ranking, full: d.Full()}
	h.Set = card.SetOf(h.Cards...)
	card.Subsets(h.Cards, d.Hole, func(s card.Set) {
		h.All = append(h.All, NewHolding(s))
	})
	h.Others = card.Combinations(len(h.Cards)-h.full-d.Hole, d.Hole)
	return h
}

// Rest returns the cards that are not in used.
func (h *Holdings) Rest(used card.Set) []card.Card {
	return slices.DeleteFunc(slices.Clone(h.Cards), used.Has)
}
