package publictree

import (
	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/solvers/cfr/abstraction"
)

// enumerated is an evaluator for any game: it sums over all deals, joined into tuples of
// buckets. It is meant for small games of several players.
type enumerated[F Float] struct {
	cards  *abstraction.Cards
	rounds []tuples[F]
	// payoff is, by terminal node, the winnings of each player: without a showdown one
	// item a player, otherwise one a player for each tuple of the last round.
	payoff [][]F
	folded []bool // terminal nodes without a showdown
}

// tuples lists the combinations of buckets that the players can hold in a round. Tuple k puts
// player p in bucket[k*players+p] and stands for count[k] deals; those of
// board b are [first[b], first[b+1]).
type tuples[F Float] struct {
	first  []int
	bucket []int32
	count  []F
}

// newEnumerated returns the evaluator of a game whose terminal nodes have these
// pots. It is the reference for the others.
func newEnumerated[F Float](pots []acpc.Pot, cards *abstraction.Cards) *enumerated[F] {
	e := &enumerated[F]{cards: cards}
	for r := range cards.Rounds {
		e.rounds = append(e.rounds, newTuples[F](cards, r))
	}
	players := cards.Game.NumPlayers
	last := len(e.rounds) - 1
	deals := &e.rounds[last]
	for i := range pots {
		end := &pots[i]
		e.folded = append(e.folded, !end.Showdown())
		var ranks [acpc.MaxPlayers]int
		var payoff []F
		if e.folded[i] {
			for p := range players {
				payoff = append(payoff, F(end.Value(p, &ranks)))
			}
		}
		for k := 0; k < len(deals.bucket) && !e.folded[i]; k += players {
			for p := range players {
				ranks[p] = -1
				if !end.Folded[p] {
					ranks[p] = int(cards.Rounds[last].Rank[deals.bucket[k+p]])
				}
			}
			for p := range players {
				payoff = append(payoff, F(end.Value(p, &ranks)))
			}
		}
		e.payoff = append(e.payoff, payoff)
	}
	return e
}

func newTuples[F Float](cards *abstraction.Cards, r int) tuples[F] {
	var t tuples[F]
	players := cards.Game.NumPlayers
	for i := range cards.Rounds[r].Boards {
		b := &cards.Rounds[r].Boards[i]
		t.first = append(t.first, len(t.count))
		type holding struct {
			hole   card.Set
			bucket int32
		}
		var hands []holding
		cards.Holes(r, b, func(hole card.Set, bucket int) {
			hands = append(hands, holding{hole, b.First + int32(bucket)})
		})
		found := make(map[[acpc.MaxPlayers]int32]int)
		var tuple [acpc.MaxPlayers]int32
		var deal func(p int, used card.Set)
		deal = func(p int, used card.Set) {
			if p == players {
				k, ok := found[tuple]
				if !ok {
					k = len(t.count)
					found[tuple] = k
					t.bucket = append(t.bucket, tuple[:players]...)
					t.count = append(t.count, 0)
				}
				t.count[k]++
				return
			}
			for _, h := range hands {
				if h.hole&used == 0 {
					tuple[p] = h.bucket
					deal(p+1, used|h.hole)
				}
			}
		}
		deal(0, 0)
	}
	t.first = append(t.first, len(t.count))
	return t
}

func (e *enumerated[F]) Scratch() int { return 0 }

func (e *enumerated[F]) Value(
	v []F, terminal int32, player, round int, in abstraction.BoardRange, reach *[acpc.MaxPlayers][]F, _ []F,
) {
	clear(v)
	t := &e.rounds[round]
	players := e.cards.Game.NumPlayers
	payoff, step := e.payoff[terminal], players
	if e.folded[terminal] {
		step = 0
	}
	sizes := e.cards.Rounds[round].Size
	for k := t.first[in.FirstBoard]; k < t.first[in.LastBoard]; k++ {
		buckets := t.bucket[k*players:][:players]
		own := buckets[player]
		weight := t.count[k] / F(sizes[own])
		for q, bucket := range buckets {
			if q != player {
				weight *= reach[q][int(bucket)-in.First]
			}
		}
		v[int(own)-in.First] += F(weight * payoff[k*step+player])
	}
}
