package cfr

import (
	"gamebots/acpc"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
)

// float is the number type of a walk: training stores and computes in 32 bits,
// evaluation in 64.
type float interface{ float32 | float64 }

// ends computes what a player wins at the end of a hand.
type ends[F float] interface {
	// value sets v, over the buckets of a part of a round, to what the
	// player's hands win at an end: the sum over the other players' hands,
	// each weighted with the product of their reach.
	// What is in scratch, of the length of scratch(), may change.
	value(v []F, end int32, player, round int, in part, reach *[acpc.MaxPlayers][]F, scratch []F)
	scratch() int
}

// newEnds returns the quickest way to value the ends of a game.
func newEnds[F float](l *Layout) ends[F] {
	g := l.Tree.Game
	switch {
	case g.NumPlayers > 2 || g.NumHoleCards > 2:
		return newDealtEnds[F](l)
	case g.NumHoleCards == 2:
		return newTwoCardEnds[F](l)
	}
	return newOneCardEnds[F](l)
}

// stake is the end of a hand of two players: player 0 wins amount (negative:
// loses it), at a showdown if the hand is better.
type stake[F float] struct {
	showdown bool
	amount   F
}

func newStakes[F float](t *betting.Tree) []stake[F] {
	stakes := make([]stake[F], len(t.Terminals))
	better := [acpc.MaxPlayers]int{1, 0}
	for i := range t.Terminals {
		stakes[i] = stake[F]{t.Terminals[i].Showdown(), F(t.Terminals[i].Value(0, &better))}
	}
	return stakes
}

// of returns the stake as a player sees it.
func (s stake[F]) of(player int) F {
	if player == 1 && !s.showdown {
		return -s.amount
	}
	return s.amount
}

// oneCardEnds values the ends of games of two players with one hole card. The
// only hand that a player's own card rules out for the other is that card
// itself, which ties at showdown.
type oneCardEnds[F float] struct {
	cards  *abstraction.Cards
	stakes []stake[F]
	sizes  [][]F // by round, of each bucket
	fold   func(v, sizes, reach []F, amount F)
	// lower and higher bound, for each bucket of the last round, the buckets
	// of its board that tie with it: those from lower up to below higher, in
	// numbers from the board's first.
	lower, higher []uint16
}

func newOneCardEnds[F float](l *Layout) *oneCardEnds[F] {
	e := &oneCardEnds[F]{cards: l.Cards, stakes: newStakes[F](l.Tree), sizes: sizesOf[F](l.Cards), fold: foldOneOf[F]}
	if f, ok := any(foldOne).(func(v, sizes, reach []F, amount F)); ok {
		e.fold = f // in 32 bits there is a vector version
	}
	e.lower, e.higher = ties(&l.Cards.Rounds[len(l.Cards.Rounds)-1])
	return e
}

// sizesOf returns how many hands each bucket has, by round.
func sizesOf[F float](cards *abstraction.Cards) (sizes [][]F) {
	for r := range cards.Rounds {
		of := make([]F, cards.Rounds[r].Stride)
		for i, s := range cards.Rounds[r].Size {
			of[i] = F(s)
		}
		sizes = append(sizes, of)
	}
	return sizes
}

// ties returns, for each bucket of a last round, where the buckets of its board
// that tie with it start and end, counted from the board's first.
func ties(round *abstraction.Round) (lower, higher []uint16) {
	lower, higher = make([]uint16, round.Stride), make([]uint16, round.Stride)
	for i := range round.Boards {
		b := &round.Boards[i]
		tieBounds(round.Rank[b.First:b.First+b.Num], lower[b.First:], higher[b.First:])
		for h := b.First + b.Num; h < b.First+int32(boardWidth(b)); h++ {
			higher[h] = uint16(boardWidth(b)) // padding ties with everything, and so has the value 0
		}
	}
	return lower, higher
}

// tieBounds sets, for each of the ascending ranks, where those equal to it
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

func (e *oneCardEnds[F]) scratch() int { return 0 }

func (e *oneCardEnds[F]) value(v []F, end int32, player, round int, in part, reach *[acpc.MaxPlayers][]F, _ []F) {
	other := reach[1-player]
	stake := e.stakes[end]
	amount := stake.of(player)
	boards := e.cards.Rounds[round].Boards[in.firstBoard:in.lastBoard]
	for i := range boards {
		b := &boards[i]
		from := int(b.First)
		n := boardWidth(b)
		sizes := e.sizes[round][from:][:n]
		at := from - in.first
		if stake.showdown {
			k := int(b.Num)
			showdownOne(v[at:][:k], sizes[:k], other[at:][:k], e.lower[from:][:k], e.higher[from:][:k], amount)
			clear(v[at:][k:n]) // padding has regrets too
		} else {
			e.fold(v[at:][:n], sizes, other[at:][:n], amount)
		}
	}
}

// foldOneOf sets v to amount times the reach of all hands but the own one, with
// sums in the order of foldOne.
func foldOneOf[F float](v, sizes, reach []F, amount F) {
	var lanes [abstraction.Lanes]F
	for i, r := range reach {
		lanes[i%len(lanes)] += F(sizes[i] * r)
	}
	total := ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]))
	for i, r := range reach {
		v[i] = amount * (total - r)
	}
}

// maxOneCard is the largest number of hands of one card, and one more.
const maxOneCard = 53

// showdownOne sets v to amount times the reach of the hands below each hand
// less that of the hands above it. Sums are taken by groups of lanes first: a
// processor then has several additions under way, and a GPU gives each group a
// thread.
func showdownOne[F float](v, sizes, reach []F, lower, higher []uint16, amount F) {
	var below [maxOneCard]F // sums of the reach of the first hands
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
