package belief

import (
	"slices"
	"sync"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/internal/rng"
	"gamebots/solvers/cfr/abstraction"
)

// Equities computes what hole cards win at showdowns: against each hand, the mean over the
// boards that can still come of 1 for a win, 0 for a tie and -1 for a loss. It may be used
// by several goroutines at once.
type Equities struct {
	game   *acpc.Game
	deck   []card.Card
	holes  []card.Set
	number map[card.Set]int

	mu    sync.Mutex
	first map[card.Set]*classEquity // by class of hole cards, before the first board card
}

// classEquity is the equity of a class of hole cards.
type classEquity struct {
	once   sync.Once
	equity []float64
}

// NewEquities returns the equities of a game.
func NewEquities(g *acpc.Game) *Equities {
	e := &Equities{game: g, deck: g.Deck(), holes: Holes(g), number: map[card.Set]int{}, first: map[card.Set]*classEquity{}}
	for i, hole := range e.holes {
		e.number[hole] = i
	}
	return e
}

const (
	// maxShowdowns is how many showdowns are enumerated for the equity of one hand.
	maxShowdowns = 1 << 22
	// sampledBoards is how many boards are drawn where there are more: the standard error
	// against a hand is at most 0.022 of the pot, and against a range less.
	sampledBoards = 1 << 11
)

// exact reports whether equities in a round are means over all boards.
func (e *Equities) exact(round int) bool {
	boards := float64(len(e.holes))
	for i := range e.toCome(round) {
		boards *= float64(len(e.deck)-e.game.NumHoleCards-e.game.BoardCards(round)-i) / float64(i+1)
	}
	return boards <= maxShowdowns
}

// toCome returns the number of board cards after a round.
func (e *Equities) toCome(round int) int {
	return e.game.BoardCards(e.game.NumRounds-1) - e.game.BoardCards(round)
}

// Of returns the equities of hole cards against each hand in a round. Those against hands that
// share a card with them or the board are 0. The result must not be changed.
func (e *Equities) Of(hole, board card.Set, round int) []float64 {
	if board != 0 {
		return e.compute(hole, board, round)
	}
	// Suits have no order: hands of a class have the same equities but for their names.
	class, rename := classOf(hole)
	e.mu.Lock()
	c, ok := e.first[class]
	if !ok {
		c = new(classEquity)
		e.first[class] = c
	}
	e.mu.Unlock()
	c.once.Do(func() { c.equity = e.compute(class, board, round) })
	if class == hole {
		return c.equity
	}
	out := make([]float64, len(e.holes))
	for i, other := range e.holes {
		out[i] = c.equity[e.number[rename.Of(other)]]
	}
	return out
}

// classOf returns the hole cards that all hands with other names of suits have in common,
// and the renaming of the suits to them. They are in the highest suits, so that short decks
// have them.
func classOf(hole card.Set) (card.Set, abstraction.Renaming) {
	suits := make([]uint16, card.NumSuits)
	for i := range suits {
		suits[i] = hole.Suit(i)
	}
	slices.Sort(suits)
	var class card.Set
	for i, ranks := range suits {
		class |= card.Set(ranks) << (16 * i)
	}
	return class, abstraction.RenamingOf(hole, class)
}

func (e *Equities) compute(hole, board card.Set, round int) []float64 {
	rest := slices.DeleteFunc(slices.Clone(e.deck), (hole | board).Has)
	switch come := e.toCome(round); {
	case !e.exact(round):
		return e.mean(hole, func(take func(card.Set)) { sample(rest, come, rng.Mix(uint64(hole^board)), board, take) })
	case come == 2 && e.game.NumHoleCards == 2:
		return e.enumeratePairs(hole, board, rest)
	default:
		return e.mean(hole, func(take func(card.Set)) { card.Subsets(rest, come, func(s card.Set) { take(board | s) }) })
	}
}

// sample calls take with boards of so many more cards, drawn by a seed.
func sample(rest []card.Card, come int, seed uint64, board card.Set, take func(card.Set)) {
	stream := rng.Stream(seed)
	for range sampledBoards {
		all := board
		for k := range come {
			j := k + stream.IntN(len(rest)-k)
			rest[k], rest[j] = rest[j], rest[k]
			all |= rest[k].Bit()
		}
		take(all)
	}
}

// mean returns equities over boards.
func (e *Equities) mean(hole card.Set, boards func(take func(card.Set))) []float64 {
	won, met := make([]int32, len(e.holes)), make([]int32, len(e.holes))
	ranking := e.game.HandRanking
	boards(func(board card.Set) {
		rank := ranking.Rank(board | hole)
		for i, other := range e.holes {
			if other&(board|hole) == 0 {
				won[i] += score(rank, ranking.Rank(board|other))
				met[i]++
			}
		}
	})
	out := make([]float64, len(e.holes))
	for i, n := range met {
		if n > 0 {
			out[i] = float64(won[i]) / float64(n)
		}
	}
	return out
}

// score is the result of a showdown: 1, 0 or -1.
func score(own, other int) int32 {
	d := int64(own - other)
	return int32(d>>63 - -d>>63)
}

// enumeratePairs returns the equities of two hole cards over all boards with two more
// cards. The rank of another hand on such a board is that of the four cards together with
// the board. So each four are ranked once, and count for all six ways to take them apart.
func (e *Equities) enumeratePairs(hole, board card.Set, rest []card.Card) []float64 {
	ranking, n := e.game.HandRanking, len(rest)
	pair := func(low, high int) int { return high*(high-1)/2 + low }
	ranks, won := make([]int, pair(0, n)), make([]int32, pair(0, n)) // by pair: those that come, and hands
	for high := range n {
		for low := range high {
			ranks[pair(low, high)] = ranking.Rank(hole | board | card.SetOf(rest[low], rest[high]))
		}
	}
	for d := range n {
		for c := range d {
			cd := pair(c, d)
			withCD := board | rest[c].Bit() | rest[d].Bit()
			for b := range c {
				bc, bd := pair(b, c), pair(b, d)
				withBCD := withCD | rest[b].Bit()
				for a := range b {
					rank := ranking.Rank(withBCD | rest[a].Bit())
					ab, ac, ad := pair(a, b), pair(a, c), pair(a, d)
					won[ab] += score(ranks[cd], rank)
					won[cd] += score(ranks[ab], rank)
					won[ac] += score(ranks[bd], rank)
					won[bd] += score(ranks[ac], rank)
					won[ad] += score(ranks[bc], rank)
					won[bc] += score(ranks[ad], rank)
				}
			}
		}
	}
	boards := float64((n - 2) * (n - 3) / 2)
	out := make([]float64, len(e.holes))
	for high := range n {
		for low := range high {
			out[e.number[card.SetOf(rest[low], rest[high])]] = float64(won[pair(low, high)]) / boards
		}
	}
	return out
}
