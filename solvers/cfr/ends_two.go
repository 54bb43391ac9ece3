package cfr

import (
	"gamebots/acpc"
	"gamebots/solvers/cfr/abstraction"
)

// twoCardEnds values the ends of games of two players with two hole cards: sums
// of reach over all hands up to each, and the same over the hands with each card,
// which are ruled out, in time linear in the hands.
type twoCardEnds[F float] struct {
	cards  *abstraction.Cards
	stakes []stake[F]
	rounds []*hands
	sizes  [][]F // by round, of each bucket
	// lower and higher are as in oneCardEnds.
	lower, higher []uint16
}

func newTwoCardEnds[F float](l *Layout) *twoCardEnds[F] {
	e := &twoCardEnds[F]{cards: l.Cards, stakes: newStakes[F](l.Tree), rounds: l.hands, sizes: sizesOf[F](l.Cards)}
	last := &l.Cards.Rounds[len(l.Cards.Rounds)-1]
	e.lower, e.higher = ties(last)
	return e
}

func (e *twoCardEnds[F]) scratch() int {
	most := 0
	for r, h := range e.rounds {
		for i := range h.boards {
			most = max(most, boardWidth(&e.cards.Rounds[r].Boards[i])+1+h.boards[i].cards*(h.each+1))
		}
	}
	return most
}

// boardWidth returns how many buckets a board has, padding included.
func boardWidth(b *abstraction.Board) int {
	return int(b.Num+abstraction.Lanes-1) &^ (abstraction.Lanes - 1)
}

func (e *twoCardEnds[F]) value(v []F, end int32, player, round int, in part, reach *[acpc.MaxPlayers][]F, scratch []F) {
	stake, h := e.stakes[end], e.rounds[round]
	amount := stake.of(player)
	for i := in.firstBoard; i < in.lastBoard; i++ {
		b := &e.cards.Rounds[round].Boards[i]
		first, n := int(b.First), boardWidth(b)
		at := first - in.first
		v, other := v[at:][:n], reach[1-player][at:][:n]
		all, byCard := scratch[:n+1], scratch[n+1:]
		sumAll(all, e.sizes[round][first:][:n], other)
		for c := range h.boards[i].cards {
			list := h.lists[(h.boards[i].first+c)*h.stride:][:h.each]
			sumList(byCard[c*(h.each+1):][:h.each+1], list, other)
		}
		if stake.showdown {
			e.showdown(v, h, first, amount, all, byCard)
		} else {
			e.fold(v, other, h, first, amount, all, byCard)
		}
	}
}

// sumGroups is how many groups of lanes are summed up by themselves.
const sumGroups = 8

// sumAll sets sums[i] to the sum of reach over the hands of the first i buckets.
// They are summed up in groups of lanes, and these in groups of sumGroups, each
// by itself first: a processor then has several additions under way, and a GPU
// gives each group a thread.
func sumAll[F float](sums, sizes, reach []F) {
	sums[0] = 0
	total := F(0)
	for from := 0; from < len(reach); from += abstraction.Lanes * sumGroups {
		above := F(0) // of the groups before, in this one of theirs
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
func sumList[F float](sums []F, list []uint16, reach []F) {
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

func (e *twoCardEnds[F]) fold(v, reach []F, h *hands, first int, amount F, all, byCard []F) {
	total := all[len(v)]
	for i := range v {
		c := &h.card[first+i]
		left := total - byCard[int(c[0]+1)*(h.each+1)-1] - byCard[int(c[1]+1)*(h.each+1)-1]
		v[i] = amount * (left + reach[i]) // the own hand was taken out twice
	}
}

// showdown values hands by the sum of those below less that of those above. The
// own hand is in neither.
func (e *twoCardEnds[F]) showdown(v []F, h *hands, first int, amount F, all, byCard []F) {
	lower, higher := e.lower[first:][:len(v)], e.higher[first:][:len(v)]
	total := all[len(v)]
	for i := range v {
		won := all[lower[i]] + all[higher[i]] - total
		for k, c := range h.card[first+i] {
			sums := byCard[int(c)*(h.each+1):][:h.each+1]
			p := h.places[first+i][k]
			won -= sums[p.lower] + sums[p.higher] - sums[h.each]
		}
		v[i] = amount * won
	}
}
