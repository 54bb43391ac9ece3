package publictree

import (
	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/internal/vectors"
)

// Float is the number type of a traversal: training computes in 32 bits,
// evaluation in 64.
type Float interface{ float32 | float64 }

// terminalValues computes terminal values. It may be used by several goroutines at
// once, each with scratch memory of its own.
type terminalValues[F Float] interface {
	// Value sets v, over the buckets of a range of boards of a round, to the winnings
	// of the player's hands at a terminal node: the sum over the other players'
	// hands, each weighted with the product of their reach. reach has a vector
	// over the same buckets for each player. scratch has the length Scratch() and
	// is overwritten.
	Value(v []F, terminal int32, player, round int, in abstraction.BoardRange, reach *[acpc.MaxPlayers][]F, scratch []F)
	Scratch() int
}

// New returns the fastest evaluator for a game whose terminal nodes have these
// pots. lists are the card lists of every round, nil where usesCardLists is
// false.
func newTerminals[F Float](pots []acpc.Pot, cards *abstraction.Cards, lists []*CardLists) terminalValues[F] {
	g := cards.Game
	switch {
	case g.NumPlayers > 2 || g.NumHoleCards > 2:
		return newEnumerated[F](pots, cards)
	case g.NumHoleCards == 2:
		return newTwoCard[F](pots, cards, lists)
	}
	return newOneCard[F](pots, cards)
}

// usesCardLists reports whether the evaluator of a game needs card lists.
func usesCardLists(g *acpc.Game) bool { return g.NumPlayers == 2 && g.NumHoleCards == 2 }

// Payoff is the payoff of a terminal node of a game of two players: player 0 wins
// Amount (loses it where it is negative), at a showdown if the hand is better.
type Payoff[F Float] struct {
	Showdown bool
	Amount   F
}

// Payoffs returns the payoffs of terminal nodes.
func Payoffs[F Float](pots []acpc.Pot) []Payoff[F] {
	payoffs := make([]Payoff[F], len(pots))
	better := [acpc.MaxPlayers]int{1, 0}
	for i := range pots {
		payoffs[i] = Payoff[F]{pots[i].Showdown(), F(pots[i].Value(0, &better))}
	}
	return payoffs
}

// amount returns the amount from a player's side.
func (p Payoff[F]) amount(player int) F {
	if player == 1 && !p.Showdown {
		return -p.Amount
	}
	return p.Amount
}

// sizes returns how many hands each bucket has, by round.
func sizes[F Float](cards *abstraction.Cards) (sizes [][]F) {
	for r := range cards.Rounds {
		round := make([]F, cards.Rounds[r].Stride)
		for i, s := range cards.Rounds[r].Size {
			round[i] = F(s)
		}
		sizes = append(sizes, round)
	}
	return sizes
}

// Ties returns, for each bucket of a last round, the buckets of its board that tie
// with it: [lower, higher), counted from the board's first.
func Ties(round *abstraction.Round) (lower, higher []uint16) {
	lower, higher = make([]uint16, round.Stride), make([]uint16, round.Stride)
	for i := range round.Boards {
		b := &round.Boards[i]
		tieBounds(round.Rank[b.First:b.First+b.Num], lower[b.First:], higher[b.First:])
		for h := b.First + b.Num; h < b.First+int32(b.Width()); h++ {
			higher[h] = uint16(b.Width()) // padding ties with everything, and so has the value 0
		}
	}
	return lower, higher
}

// tieBounds sets, for each of the ascending ranks, where the ranks equal to it
// start and end.
func tieBounds(ranks []int32, lower, higher []uint16) {
	for i := range ranks {
		if i > 0 && ranks[i] == ranks[i-1] {
			lower[i] = lower[i-1]
		} else {
			lower[i] = uint16(i)
		}
	}
	for i := len(ranks) - 1; i >= 0; i-- {
		if i+1 < len(ranks) && ranks[i] == ranks[i+1] {
			higher[i] = higher[i+1]
		} else {
			higher[i] = uint16(i + 1)
		}
	}
}

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
	e := &oneCard[F]{cards: cards, payoffs: Payoffs[F](pots), sizes: sizes[F](cards), fold: vectors.FoldOnePortable[F]}
	if f, ok := any(vectors.FoldOne).(func(v, sizes, reach []F, amount F)); ok {
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
