package cfr

import (
	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/solvers/cfr/abstraction"
)

// dealtEnds values the ends of any game by a sum over all deals, joined into
// tuples of buckets. It is meant for small games of several players.
type dealtEnds[F float] struct {
	cards  *abstraction.Cards
	rounds []tuples[F]
	// payoff is, by end, what each player wins: without a showdown one item
	// a player, else one a player for each tuple of the last round.
	payoff [][]F
	folded []bool // by end: no showdown
}

// tuples lists what all players can hold at once in a round. Tuple k puts
// player p in bucket[k*players+p] and stands for count[k] deals; those of
// board b are [first[b], first[b+1]).
type tuples[F float] struct {
	first  []int
	bucket []int32
	count  []F
}

func newDealtEnds[F float](l *Layout) *dealtEnds[F] {
	e := &dealtEnds[F]{cards: l.Cards}
	for r := range l.Cards.Rounds {
		e.rounds = append(e.rounds, newTuples[F](l.Cards, r))
	}
	players := l.Tree.Game.NumPlayers
	last := len(e.rounds) - 1
	deals := &e.rounds[last]
	for i := range l.Tree.Terminals {
		end := &l.Tree.Terminals[i]
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
					ranks[p] = int(l.Cards.Rounds[last].Rank[deals.bucket[k+p]])
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

func newTuples[F float](cards *abstraction.Cards, r int) tuples[F] {
	var t tuples[F]
	players := cards.Game.NumPlayers
	for i := range cards.Rounds[r].Boards {
		b := &cards.Rounds[r].Boards[i]
		t.first = append(t.first, len(t.count))
		type held struct {
			hole   card.Set
			bucket int32
		}
		var hands []held
		cards.Holes(r, b, func(hole card.Set, bucket int) {
			hands = append(hands, held{hole, b.First + int32(bucket)})
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

func (e *dealtEnds[F]) scratch() int { return 0 }

func (e *dealtEnds[F]) value(v []F, end int32, player, round int, in part, reach *[acpc.MaxPlayers][]F, _ []F) {
	clear(v)
	t := &e.rounds[round]
	players := e.cards.Game.NumPlayers
	payoff, step := e.payoff[end], players
	if e.folded[end] {
		step = 0
	}
	sizes := e.cards.Rounds[round].Size
	for k := t.first[in.firstBoard]; k < t.first[in.lastBoard]; k++ {
		buckets := t.bucket[k*players:][:players]
		own := buckets[player]
		weight := t.count[k] / F(sizes[own])
		for q, bucket := range buckets {
			if q != player {
				weight *= reach[q][int(bucket)-in.first]
			}
		}
		v[int(own)-in.first] += F(weight * payoff[k*step+player])
	}
}
