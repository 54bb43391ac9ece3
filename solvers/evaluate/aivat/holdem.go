package aivat

import (
	"fmt"
	"sync"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/policy"
)

// The rounds of hold'em.
const (
	preflop = iota
	flop
	turn
	river
)

// holdem is the value function of limit hold'em for strategies with buckets. On the
// turn and the river it is exact: it plays the strategies against each other with the
// actual cards, over all river cards. On the flop, and for the deal of the turn, it is
// the value of the two players' buckets in bucketGame. Before the flop it is the mean
// of that over all flops, given both hands.
type holdem struct {
	*Estimator
	games [2]*bucketGame // games by seat of the known player
	flops *flopBuckets
	// pairs are the preflop values, by the class of the other player's hand.
	pairs []pair
	// start is the mean value of the first position by seat, and starts the same by
	// seat and the other player's hand.
	start  [2]float64
	starts [2][]float64
}

// pair is the values of all hands against one. It is computed on first use, which takes
// a processor about a tenth of a second.
type pair struct {
	once   sync.Once
	values [2]pairValues // values by seat
}

// maxPairBuckets is the largest number of buckets of a round for tables over pairs of
// buckets.
const maxPairBuckets = 256

// holdemFits reports whether the strategies are for limit hold'em with few buckets.
// Without a limit there are showdowns before the river.
func holdemFits(e *Estimator) bool {
	g := e.tree.Game
	if !abstraction.EHSFits(g) || g.Betting != acpc.Limit {
		return false
	}
	for i := range e.tree.Nodes {
		if e.earlyShowdown(&e.tree.Nodes[i]) {
			return false
		}
	}
	return NeedsBuckets(e.known.Index) && NeedsBuckets(e.model.Index)
}

// NeedsBuckets reports whether a strategy knows all raises and has few enough buckets for values
// of all hands on all boards of hold'em. Such values look up the buckets of most hands: fill them
// before, see [policy.Policy.FillBuckets].
func NeedsBuckets(x *policy.Index) bool {
	if !x.Tree.Shape.Betting.All() {
		return false
	}
	for r := flop; r < x.Tree.Game.NumRounds; r++ {
		if x.Buckets.NumBuckets(r) > maxPairBuckets {
			return false
		}
	}
	return true
}

func newHoldem(e *Estimator, threads int, progress func(part float64)) *holdem {
	if progress == nil {
		progress = func(float64) {}
	}
	v := &holdem{Estimator: e, flops: newFlopBuckets(e)}
	progress(0.1)
	deals := sampleDeals(e, threads)
	progress(0.5)
	for seat := range v.games {
		v.games[seat] = newBucketGame(e, seat, deals, threads)
		v.flops.round(v.games[seat].roots[flop].values)
		progress(0.7 + 0.2*float64(seat))
	}
	v.flops.pack(&v.games)
	v.pairs = make([]pair, len(v.flops.classes))
	for seat, game := range v.games {
		v.starts[seat] = make([]float64, len(e.hands.holes))
		for other := range v.starts[seat] {
			t := e.set(new(*table), seat, preflop, [acpc.MaxRounds]card.Set{}, other)
			values := game.roots[preflop].of(0, t.otherBucket)
			for _, h := range t.live {
				v.starts[seat][other] += float64(values[t.own[h]]) / float64(len(t.live))
			}
			v.start[seat] += v.starts[seat][other] / float64(len(e.hands.holes))
		}
		progress(0.9 + 0.1*float64(seat))
	}
	return v
}

func (v *holdem) begin(t *table) (before, after float64) {
	return v.start[t.seat], v.starts[t.seat][t.other]
}

func (v *holdem) open(t *table) view {
	w := &holdemView{holdem: v, table: t, game: v.games[t.seat], segment: -1}
	switch t.round {
	case preflop:
		class := v.flops.class[t.other]
		p := &v.pairs[class]
		p.once.Do(func() { p.values = v.flops.pair(class) })
		w.pair, w.renamed = p.values[t.seat], v.flops.renamed[v.flops.by[t.other]]
	case turn:
		w.rivers = v.allRivers(t)
	}
	return w
}

// holdemView is a betting round of hold'em.
type holdemView struct {
	*holdem
	*table
	game    *bucketGame
	segment int32
	nodes   [][]float64
	pair    pairValues
	renamed []int16 // before the flop: each hand, renamed as the class's hand is
	rivers  []riverCard
}

func (w *holdemView) at(node int32) []float64 {
	// A hand does not leave its segment within a round.
	if w.segment < 0 {
		for k := w.segmentsOf(w.round); ; k++ {
			if node < w.tree.Segments[k].Last {
				w.segment = k
				break
			}
		}
		w.nodes = w.vectors(w.segment)
		w.fill(w.segment, w.nodes, w.leaf)
	}
	return w.nodes[node-w.tree.Segments[w.segment].First]
}

// segmentsOf returns the first segment of a round.
func (s *sides) segmentsOf(round int) int32 {
	for k := range s.tree.Segments {
		if s.tree.Segments[k].Round == round {
			return int32(k)
		}
	}
	panic(fmt.Sprintf("no segment of round %d", round))
}

// leaf values the end of a round.
func (w *holdemView) leaf(dst []float64, node int32) {
	next := w.tree.Nodes[node].First
	switch w.round {
	case preflop:
		values := w.pair[next-w.segmentsOf(flop)]
		for _, h := range w.live {
			dst[h] = values[w.renamed[h]]
		}
	case flop:
		values := w.game.leaves[flop].of(next, w.otherBucket)
		for _, h := range w.live {
			dst[h] = float64(values[w.own[h]])
		}
	case turn:
		clear(dst)
		for _, c := range w.rivers {
			values := w.game.roots[river].of(next, c.other)
			for i, code := range c.codes {
				dst[c.live[i]] += float64(values[code])
			}
		}
		left := float64(len(w.rivers) - 2) // without the player's own cards
		for _, h := range w.live {
			dst[h] /= left
		}
	}
}

func (w *holdemView) deal(node int32, next *table) (before, after []float64) {
	segment := w.tree.Nodes[node].First
	values := w.game.roots[next.round].of(segment, next.otherBucket)
	after = make([]float64, w.width())
	for _, h := range next.live {
		code := next.own[h]
		if next.round == river {
			code = code*numOutcomes + int32(next.outcome[h])
		}
		after[h] = float64(values[code])
	}
	if w.round != flop {
		return w.at(node), after
	}
	before = make([]float64, w.width())
	board := w.board
	cards := w.hands.rest(union(board) | w.hands.holes[w.table.other])
	var live []int32
	for _, c := range cards {
		board[turn] = c.Bit()
		values := w.game.roots[turn].of(segment, int32(w.model.bucket(turn, board, w.hands.holes[w.table.other])))
		live = w.hands.without(live[:0], union(board)|w.hands.holes[w.table.other])
		for _, h := range live {
			before[h] += float64(values[w.known.bucket(turn, board, w.hands.holes[h])])
		}
	}
	for _, h := range w.live {
		before[h] /= float64(len(cards) - 2)
	}
	return before, after
}

// riverCard is a possible river card: the other player's bucket, and the known player's
// live hands with their bucket and outcome in the numbering of bucketGame.
type riverCard struct {
	other int32
	live  []int32
	codes []int32
}

func (v *holdem) allRivers(t *table) []riverCard {
	var all []riverCard
	other := v.hands.holes[t.other]
	for _, c := range v.hands.rest(union(t.board) | other) {
		board := t.board
		board[river] = c.Bit()
		cards := union(board)
		rank := v.tree.Game.HandRanking.Rank(cards | other)
		r := riverCard{other: int32(v.model.bucket(river, board, other)), live: v.hands.without(nil, cards|other)}
		r.codes = make([]int32, len(r.live))
		for i, h := range r.live {
			hole := v.hands.holes[h]
			r.codes[i] = int32(v.known.bucket(river, board, hole))*numOutcomes +
				int32(outcome(v.tree.Game.HandRanking.Rank(cards|hole), rank))
		}
		all = append(all, r)
	}
	return all
}
