package belief

import (
	"iter"
	"math"
	"slices"
	"sync"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/acpc/hand"
	"gamebots/internal/rng"
	"gamebots/solvers/cfr/abstraction"
)

// Equities computes what players with known hole cards, the rivals, win together at showdowns
// with one more player: against each hand of that player, the mean over the boards that can
// still come of 1 if the hand loses, -1 if it wins, and 1 - 2s if it ties and gets the part s of
// the pot. It may be used by several goroutines at once.
type Equities struct {
	game   *acpc.Game
	deck   []card.Card
	holes  []card.Set
	number map[card.Set]int

	mu    sync.Mutex
	first map[card.Set]*classEquity // equities by class of a single rival's hole cards, before the first board card
}

// classEquity is the equity of a class of hole cards.
type classEquity struct {
	once   sync.Once
	equity []float64
}

// NewEquities returns the equities of a game.
func NewEquities(g *acpc.Game) *Equities {
	e := &Equities{game: g, deck: g.Deck(), holes: Holes(g), number: map[card.Set]int{},
		first: map[card.Set]*classEquity{}}
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
	// fewBoards is how many are drawn against several players, whose equities are not kept
	// for other hands. The standard error is at most 0.13 of the pot.
	fewBoards = 1 << 6
)

// exact reports whether equities in a round are means over all boards.
func (e *Equities) exact(round int) bool {
	boards, rest := float64(len(e.holes)),
		len(e.deck)-(e.game.NumPlayers-1)*e.game.NumHoleCards-e.game.BoardCards(round)
	for i := range e.toCome(round) {
		boards *= float64(rest-i) / float64(i+1)
	}
	return boards <= maxShowdowns
}

// toCome returns the number of board cards after a round.
func (e *Equities) toCome(round int) int {
	return e.game.BoardCards(e.game.NumRounds-1) - e.game.BoardCards(round)
}

// Of returns the equities of rivals against each hand in a round. Dead are the hole cards of all
// known players: of the rivals, and of those who have folded. Equities against hands that share a
// card with them or the board are 0. The result must not be changed.
func (e *Equities) Of(rivals []card.Set, dead, board card.Set, round int) []float64 {
	if board != 0 || dead != rivals[0] {
		return e.compute(rivals, dead, board, round)
	}
	// Suits have no order: hands of a class have the same equities but for their names.
	class, rename := classOf(dead)
	e.mu.Lock()
	c, ok := e.first[class]
	if !ok {
		c = new(classEquity)
		e.first[class] = c
	}
	e.mu.Unlock()
	c.once.Do(func() { c.equity = e.compute([]card.Set{class}, class, board, round) })
	if class == dead {
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

func (e *Equities) compute(rivals []card.Set, dead, board card.Set, round int) []float64 {
	rest := slices.DeleteFunc(slices.Clone(e.deck), (dead | board).Has)
	switch come := e.toCome(round); {
	case !e.exact(round):
		boards := sampledBoards
		if e.game.NumPlayers > 2 {
			boards = fewBoards
		}
		return e.mean(rivals, dead, func(take func(card.Set)) {
			sample(boards, rest, come, rng.Mix(uint64(dead^board)), board, take)
		})
	case come == 2 && e.game.NumHoleCards == 2:
		return e.enumeratePairs(rivals, board, rest)
	default:
		return e.mean(rivals, dead, func(take func(card.Set)) {
			card.Subsets(rest, come, func(s card.Set) { take(board | s) })
		})
	}
}

// sample calls take with boards that a seed draws: board and come more cards of rest.
func sample(boards int, rest []card.Card, come int, seed uint64, board card.Set, take func(card.Set)) {
	stream := rng.Stream(seed)
	for range boards {
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
func (e *Equities) mean(rivals []card.Set, dead card.Set, boards func(take func(card.Set))) []float64 {
	won, met := make([]int32, len(e.holes)), make([]int32, len(e.holes))
	ranking := e.game.HandRanking
	boards(func(board card.Set) {
		best := bestOf(ranking, rivals, board)
		for i, other := range e.holes {
			if other&(board|dead) == 0 {
				won[i] += best.score(ranking.Rank(board | other))
				met[i]++
			}
		}
	})
	out := make([]float64, len(e.holes))
	for i, n := range met {
		if n > 0 {
			out[i] = float64(won[i]) / (pointsOfPot * float64(n))
		}
	}
	return out
}

// pointsOfPot are the points of a pot, which make all its parts in ties of ten players whole numbers.
const pointsOfPot = 2520

// bestHand is the best hand of the rivals on a board.
type bestHand struct {
	rank int
	tied int32 // the points of a tie with it
}

// bestOf returns the best of hole cards on a board.
func bestOf(ranking hand.Ranking, holes []card.Set, board card.Set) bestHand {
	best, with := bestHand{rank: -1}, int32(0)
	for _, hole := range holes {
		switch rank := ranking.Rank(board | hole); {
		case rank > best.rank:
			best.rank, with = rank, 1
		case rank == best.rank:
			with++
		}
	}
	best.tied = pointsOfPot - 2*pointsOfPot/(with+1)
	return best
}

// score returns the points of a showdown with another hand.
func (b *bestHand) score(rank int) int32 {
	d := int64(b.rank - rank)
	if d == 0 {
		return b.tied
	}
	return pointsOfPot * int32(d>>63|1)
}

// enumeratePairs returns the equities of rivals with two hole cards each over all boards with two
// more cards. The rank of another hand on such a board is that of the four cards together with
// the board. So each four are ranked once, and count for all six ways to take them apart.
func (e *Equities) enumeratePairs(rivals []card.Set, board card.Set, rest []card.Card) []float64 {
	ranking, n := e.game.HandRanking, len(rest)
	pair := func(low, high int) int { return high*(high-1)/2 + low }
	// The best rival if a pair comes, and what a player with the pair wins over all boards.
	best, won := make([]bestHand, pair(0, n)), make([]int32, pair(0, n))
	for high := range n {
		for low := range high {
			best[pair(low, high)] = bestOf(ranking, rivals, board|card.SetOf(rest[low], rest[high]))
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
					won[ab] += best[cd].score(rank)
					won[cd] += best[ab].score(rank)
					won[ac] += best[bd].score(rank)
					won[bd] += best[ac].score(rank)
					won[ad] += best[bc].score(rank)
					won[bc] += best[ad].score(rank)
				}
			}
		}
	}
	boards := float64((n - 2) * (n - 3) / 2)
	out := make([]float64, len(e.holes))
	for high := range n {
		for low := range high {
			out[e.number[card.SetOf(rest[low], rest[high])]] = float64(won[pair(low, high)]) / (pointsOfPot * boards)
		}
	}
	return out
}

// pot is the main pot or a side pot, of those that a player has chips in.
type pot struct {
	total, own float64   // the chips of all, and of the player
	rivals     positions // who else may win it
}

// positions is a set of positions.
type positions uint16

func (p positions) has(position int) bool { return p>>position&1 != 0 }

// potsOf returns the pots of a player who has not folded, from the main pot on.
func potsOf(s *acpc.State, player int) iter.Seq[pot] {
	return func(yield func(pot) bool) {
		players := s.Game().NumPlayers
		for low := int32(0); low < s.Spent(player); {
			high := int32(math.MaxInt32)
			for q := range players {
				if s.Spent(q) > low {
					high = min(high, s.Spent(q))
				}
			}
			p := pot{own: float64(high - low)}
			for q := range players {
				if s.Spent(q) < high {
					continue
				}
				p.total += p.own
				if q != player && !s.Folded(q) {
					p.rivals |= 1 << q
				}
			}
			if !yield(p) {
				return
			}
			low = high
		}
	}
}
