package publictree

import (
	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/internal/kernels"
)

// oneCard is for games of two players with one hole card. The only hand that a
// player's card rules out for the other is that card itself, which ties at a
// showdown.
type oneCard[F Float] struct {
	cards   *abstraction.Cards
	payoffs []Payoff[F]
	sizes   [][]F // size of each bucket, by round
	fold    func(v, sizes, reach []F, amount F)
	// lower and higher are the Ties of the last round.
	lower, higher []uint16
}

func newOneCard[F Float](pots []acpc.Pot, cards *abstraction.Cards) *oneCard[F] {
	e := &oneCard[F]{cards: cards, payoffs: Payoffs[F](pots), sizes: sizes[F](cards), fold: kernels.FoldOnePortable[F]}
	if f, ok := any(kernels.FoldOne).(func(v, sizes, reach []F, amount F)); ok {
		e.fold = f // there is a vector version for 32 bits
	}
	e.lower, e.higher = Ties(&cards.Rounds[len(cards.Rounds)-1])
	return e
}

func (e *oneCard[F]) Scratch() int { return 0 }

func (e *oneCard[F]) Value(
	v []F, terminal int32, player, round int, in abstraction.BoardRange, reach *[acpc.MaxPlayers][]F, _ []F,
) {
	other := reach[1-player]
	payoff := e.payoffs[terminal]
	amount := payoff.amount(player)
	boards := e.cards.Rounds[round].Boards[in.FirstBoard:in.LastBoard]
	for i := range boards {
		b := &boards[i]
		from := int(b.First)
		n := b.Width()
		sizes := e.sizes[round][from:][:n]
		at := from - in.First
		if payoff.Showdown {
			k := int(b.Num)
			showdownOne(v[at:][:k], sizes[:k], other[at:][:k], e.lower[from:][:k], e.higher[from:][:k], amount)
			clear(v[at:][k:n]) // padding has regrets too
		} else {
			e.fold(v[at:][:n], sizes, other[at:][:n], amount)
		}
	}
}

// maxPrefixSums is the length of the sums before each of the hands of one card.
const maxPrefixSums = card.DeckSize + 1

// showdownOne sets v to amount times the reach of the hands below each hand minus
// the reach of the hands above it. Sums are taken by groups of lanes first: a
// processor then has several additions under way, and a GPU gives each group a
// thread.
func showdownOne[F Float](v, sizes, reach []F, lower, higher []uint16, amount F) {
	var below [maxPrefixSums]F // sums of the reach of the first hands
	total := F(0)
	for from := 0; from < len(reach); from += abstraction.Lanes {
		group := F(0)
		for i := from; i < min(from+abstraction.Lanes, len(reach)); i++ {
			group += F(sizes[i] * reach[i])
			below[i+1] = total + group
		}
		total += group
	}
	for i := range v {
		v[i] = amount * (below[lower[i]] + below[higher[i]] - total)
	}
}
