package publictree

import (
	"gamebots/acpc"
	"gamebots/solvers/cfr/abstraction"
)

// twoCard is for games of two players with two hole cards. It sums reach over all
// hands up to each, and over the hands with each card, which are ruled out, in
// time linear in the hands.
type twoCard[F Float] struct {
	cards   *abstraction.Cards
	payoffs []Payoff[F]
	rounds  []*CardLists
	sizes   [][]F // size of each bucket, by round
	// lower and higher are the Ties of the last round.
	lower, higher []uint16
}

func newTwoCard[F Float](pots []acpc.Pot, cards *abstraction.Cards, lists []*CardLists) *twoCard[F] {
	e := &twoCard[F]{cards: cards, payoffs: Payoffs[F](pots), rounds: lists, sizes: sizes[F](cards)}
	e.lower, e.higher = Ties(&cards.Rounds[len(cards.Rounds)-1])
	return e
}

func (e *twoCard[F]) Scratch() int {
	largest := 0
	for r, h := range e.rounds {
		for i := range h.Boards {
			largest = max(largest, e.cards.Rounds[r].Boards[i].Width()+1+h.Boards[i].Cards*(h.PerCard+1))
		}
	}
	return largest
}

func (e *twoCard[F]) Value(
	v []F, terminal int32, player, round int, in abstraction.BoardRange, reach *[acpc.MaxPlayers][]F, scratch []F,
) {
	payoff, h := e.payoffs[terminal], e.rounds[round]
	amount := payoff.amount(player)
	for i := in.FirstBoard; i < in.LastBoard; i++ {
		b := &e.cards.Rounds[round].Boards[i]
		first, n := int(b.First), b.Width()
		at := first - in.First
		v, other := v[at:][:n], reach[1-player][at:][:n]
		all, byCard := scratch[:n+1], scratch[n+1:]
		sumAll(all, e.sizes[round][first:][:n], other)
		for c := range h.Boards[i].Cards {
			list := h.Lists[(h.Boards[i].First+c)*h.Stride:][:h.PerCard]
			sumList(byCard[c*(h.PerCard+1):][:h.PerCard+1], list, other)
		}
		if payoff.Showdown {
			e.showdown(v, h, first, amount, all, byCard)
		} else {
			e.fold(v, other, h, first, amount, all, byCard)
		}
	}
}

// sumGroups is how many groups of lanes form a group of their own.
const sumGroups = 8

// sumAll sets sums[i] to the sum of reach over the hands of the first i buckets.
// It sums groups of lanes first, and groups of sumGroups of these: a processor
// then has several additions under way, and a GPU gives each group a thread.
func sumAll[F Float](sums, sizes, reach []F) {
	sums[0] = 0
	total := F(0)
	for from := 0; from < len(reach); from += abstraction.Lanes * sumGroups {
		above := F(0) // sum of the earlier groups of lanes in this group
		for g := from; g < min(from+abstraction.Lanes*sumGroups, len(reach)); g += abstraction.Lanes {
			before, group := total+above, F(0)
			for i := g; i < g+abstraction.Lanes; i++ {
				group += F(sizes[i] * reach[i])
				sums[i+1] = before + group
			}
			above += group
		}
		total += above
	}
}

// sumList sets sums[i] to the sum of reach over the first i hands of a list, in
// groups of lanes.
func sumList[F Float](sums []F, list []uint16, reach []F) {
	sums[0] = 0
	total := F(0)
	for from := 0; from < len(list); from += abstraction.Lanes {
		group := F(0)
		for i := from; i < min(from+abstraction.Lanes, len(list)); i++ {
			group += reach[list[i]]
			sums[i+1] = total + group
		}
		total += group
	}
}

func (e *twoCard[F]) fold(v, reach []F, h *CardLists, first int, amount F, all, byCard []F) {
	total := all[len(v)]
	for i := range v {
		c := &h.Card[first+i]
		left := total - byCard[int(c[0]+1)*(h.PerCard+1)-1] - byCard[int(c[1]+1)*(h.PerCard+1)-1]
		v[i] = amount * (left + reach[i]) // the player's hand was subtracted twice
	}
}

// showdown sets v to amount times the reach of the hands below each hand minus the
// reach of the hands above it. The player's own hand is in neither.
func (e *twoCard[F]) showdown(v []F, h *CardLists, first int, amount F, all, byCard []F) {
	lower, higher := e.lower[first:][:len(v)], e.higher[first:][:len(v)]
	total := all[len(v)]
	for i := range v {
		won := all[lower[i]] + all[higher[i]] - total
		for k, c := range h.Card[first+i] {
			sums := byCard[int(c)*(h.PerCard+1):][:h.PerCard+1]
			p := h.Ties[first+i][k]
			won -= sums[p.Lower] + sums[p.Higher] - sums[h.PerCard]
		}
		v[i] = amount * won
	}
}
