package mccfr

import (
	"math/bits"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/abstraction"
)

// views finds what a player's view of the cards means: the bucket of a round,
// and the rank at showdown. Small games have them in tables.
type views struct {
	rules   *acpc.Game
	buckets cfr.Buckets
	deck    []card.Card
	// bucket has a table by round, rank one of the last round, over all views:
	// places are numbers of the sets of cards in mixed radix.
	bucket [][]int32
	rank   []int32
}

// view is what one player knows of the cards at the end: the hole cards, and
// what every round put on the table, as sets and as their numbers.
type view struct {
	cards abstraction.Deal
	hole  int
	board [acpc.MaxRounds]int
}

// maxViews is the size of the largest table. Its 4 MiB stay in a typical
// second-level cache; larger ones would gain little.
const maxViews = 1 << 20

func newViews(rules *acpc.Game, buckets cfr.Buckets) views {
	v := views{rules: rules, buckets: buckets, deck: rules.Deck()}
	size := v.sets(rules.NumHoleCards)
	for r := range rules.NumRounds {
		size *= v.sets(int(rules.NumBoardCards[r]))
		if size > maxViews {
			return v
		}
	}
	v.rank = make([]int32, size)
	for r := range rules.NumRounds {
		v.bucket = append(v.bucket, nil)
		v.each(r, func(w *view) {
			v.bucket[r] = append(v.bucket[r], int32(buckets.Bucket(r, w.cards)))
		}, func() { v.bucket[r] = append(v.bucket[r], -1) })
	}
	v.rank = v.rank[:0]
	last := rules.NumRounds - 1
	v.each(last, func(w *view) { v.rank = append(v.rank, v.strength(w)) }, func() { v.rank = append(v.rank, -1) })
	return v
}

// sets returns the number of sets of k cards of the deck.
func (v *views) sets(k int) int { return choose[len(v.deck)][k] }

// each calls found for all views up to a round in the order of their places,
// and clash where cards of a place are dealt twice.
func (v *views) each(round int, found func(*view), clash func()) {
	var w view
	var deal func(r int, used card.Set, clashes bool)
	deal = func(r int, used card.Set, clashes bool) {
		if r > round {
			if clashes {
				clash()
			} else {
				found(&w)
			}
			return
		}
		v.subsets(int(v.rules.NumBoardCards[r]), func(s card.Set) {
			w.cards.Board[r] = s
			deal(r+1, used|s, clashes || s&used != 0)
		})
	}
	v.subsets(v.rules.NumHoleCards, func(s card.Set) {
		w.cards.Hole = s
		deal(0, s, false)
	})
}

// subsets calls f with all sets of k cards in the order of their numbers.
func (v *views) subsets(k int, f func(card.Set)) {
	if k == 0 {
		f(0)
		return
	}
	for s := uint64(1)<<k - 1; s < 1<<len(v.deck); {
		set := card.Set(0)
		for left := s; left != 0; left &= left - 1 {
			set |= v.deck[bits.TrailingZeros64(left)].Bit()
		}
		f(set)
		// The next larger number with as many bits.
		low := s & -s
		high := s + low
		s = high | (s^high)>>2/low
	}
}

// place returns where a view up to a round is in the tables.
func (v *views) place(round int, w *view) int {
	at := w.hole
	for r := range round + 1 {
		if k := v.rules.NumBoardCards[r]; k > 0 {
			at = at*v.sets(int(k)) + w.board[r]
		}
	}
	return at
}

// bucketOf returns the bucket of a round that a view is in.
func (v *views) bucketOf(round int, w *view) int {
	if v.bucket != nil {
		return int(v.bucket[round][v.place(round, w)])
	}
	d := abstraction.Deal{Hole: w.cards.Hole}
	copy(d.Board[:], w.cards.Board[:round+1])
	return v.buckets.Bucket(round, d)
}

// rankOf returns the rank at showdown of a view.
func (v *views) rankOf(w *view) int32 {
	if v.rank != nil {
		return v.rank[v.place(v.rules.NumRounds-1, w)]
	}
	return v.strength(w)
}

func (v *views) strength(w *view) int32 {
	s := w.cards.Hole
	for _, b := range w.cards.Board {
		s |= b
	}
	return int32(v.rules.HandRanking.Rank(s))
}

// hand is a set of cards being drawn.
type hand struct {
	cards [acpc.MaxBoardCards]uint8 // places in the deck, upwards
	n     int
}

func (h *hand) add(place uint8) {
	i := h.n
	for ; i > 0 && h.cards[i-1] > place; i-- {
		h.cards[i] = h.cards[i-1]
	}
	h.cards[i] = place
	h.n++
}

// number returns the place of the set among all of its size: in the order of
// their highest cards, then the next ones.
func (h *hand) number() int {
	k := 0
	for i, c := range h.cards[:h.n] {
		k += choose[c][i+1]
	}
	return k
}

func (v *views) set(h *hand) (s card.Set) {
	for _, c := range h.cards[:h.n] {
		s |= v.deck[c].Bit()
	}
	return s
}

// draw takes k cards that are not in used, a set of places in the deck.
func (v *views) draw(random *stream, used *uint64, k int) (card.Set, int) {
	var h hand
	for h.n < k {
		if c := random.below(len(v.deck)); *used>>c&1 == 0 {
			*used |= 1 << c
			h.add(uint8(c))
		}
	}
	return v.set(&h), h.number()
}

// choose[n][k] is the number of ways to choose k of n.
var choose = func() (c [card.DeckSize + 1][acpc.MaxBoardCards + 1]int) {
	for n := range c {
		c[n][0] = 1
		for k := 1; k < len(c[n]) && n > 0; k++ {
			c[n][k] = c[n-1][k-1] + c[n-1][k]
		}
	}
	return c
}()

// deal is all cards of a hand, by what they mean.
type deal struct {
	*Game
	rows [acpc.MaxPlayers][acpc.MaxRounds]int // by player and round, where the bucket's row starts
	rank [acpc.MaxPlayers]int32
	best []players // see winners
}

func newDeal(g *Game) deal { return deal{Game: g, best: newBest(g.Rules.NumPlayers)} }

// newBest returns what winners sets, in cache lines of its own: deals of other
// threads are made at the same time.
func newBest(n int) []players { return make([]players, 1<<n, max(1<<n, 128)) }

// draw deals anew.
func (d *deal) draw(random *stream) {
	var w view
	used := uint64(0)
	v := &d.views
	for r := range d.Rules.NumRounds {
		w.cards.Board[r], w.board[r] = v.draw(random, &used, int(d.Rules.NumBoardCards[r]))
	}
	for p := range d.Rules.NumPlayers {
		w.cards.Hole, w.hole = v.draw(random, &used, d.Rules.NumHoleCards)
		for r := range d.Rules.NumRounds {
			d.rows[p][r] = d.Game.rows[r][p].of(v.bucketOf(r, &w))
		}
		d.rank[p] = v.rankOf(&w)
	}
	winners(d.best, &d.rank)
}
