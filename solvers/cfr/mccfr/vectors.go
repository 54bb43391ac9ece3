package mccfr

import (
	"slices"

	"gamebots/acpc"
	"gamebots/acpc/card"
)

// vectors walks by the samplings that go through all actions. On a sampled board
// every player has either one sampled hand, or as a vector all hands that the
// board leaves. Hands that share a card never meet, so it does no harm that one
// player's sampled cards are among all the hands of another.
type vectors struct {
	*worker
	ownAll, othersAll bool // who has all hands: the traversing player, the others

	holes []held // all sets of hole cards, in the order of their numbers
	pool  []held // the hands of this deal: all of them by rank, then sampled ones
	all   int    // how many of the pool are not sampled
	first [acpc.MaxPlayers]int
	// reach is how likely the others come to the decision that is visited, by
	// hand; for the traversing player it has only the right length.
	reach [acpc.MaxPlayers][]float32
	// buckets are those that hands of the pool are in, by round, and place is
	// where in them the bucket of each hand is.
	buckets, place [acpc.MaxRounds][]int32

	// What sort works with.
	order    []uint64
	unsorted []held

	ranks [acpc.MaxPlayers]int32
	best  []players
	ones  []float32
	stack []float32
}

// held is the hole cards of a player with what the board makes of them.
type held struct {
	view
	rank int32
}

func newVectors(w *worker, ownAll, othersAll bool) *vectors {
	v := &vectors{worker: w, ownAll: ownAll, othersAll: othersAll, best: newBest(w.Rules.NumPlayers)}
	winners(v.best, &v.ranks)
	if ownAll || othersAll {
		w.views.subsets(w.Rules.NumHoleCards, func(s card.Set) {
			h := held{view: view{hole: len(v.holes)}}
			h.cards.Hole = s
			v.holes = append(v.holes, h)
		})
	}
	return v
}

func (v *vectors) walk() {
	v.deal()
	v.visit(0, v.stack)
}

// deal samples the board, and the hands of those who have only one.
func (v *vectors) deal() {
	used, board := uint64(0), view{}
	cards := card.Set(0)
	for r := range v.Rules.NumRounds {
		board.cards.Board[r], board.board[r] = v.views.draw(&v.random, &used, int(v.Rules.NumBoardCards[r]))
		cards |= board.cards.Board[r]
	}
	v.pool = v.pool[:0]
	for i := range v.holes {
		if hole := v.holes[i].cards.Hole; hole&cards == 0 {
			v.hold(board, hole, v.holes[i].hole)
		}
	}
	v.all = len(v.pool)
	v.sort()
	for len(v.ones) < max(1, v.all) {
		v.ones = append(v.ones, 1)
	}
	for p := range v.Rules.NumPlayers {
		v.first[p], v.reach[p] = 0, v.ones[:v.all]
		if p == v.player && !v.ownAll || p != v.player && !v.othersAll {
			v.first[p], v.reach[p] = len(v.pool), v.ones[:1]
			hole, number := v.views.draw(&v.random, &used, v.Rules.NumHoleCards)
			v.hold(board, hole, number)
		}
	}
	for r := range v.Rules.NumRounds {
		v.place[r] = v.place[r][:0]
		for i := range v.pool {
			v.place[r] = append(v.place[r], int32(v.views.bucketOf(r, &v.pool[i].view)))
		}
		v.buckets[r] = append(v.buckets[r][:0], v.place[r]...)
		slices.Sort(v.buckets[r])
		v.buckets[r] = slices.Compact(v.buckets[r])
		for i, b := range v.place[r] {
			at, _ := slices.BinarySearch(v.buckets[r], b)
			v.place[r][i] = int32(at)
		}
	}
	// A decision takes its value, and for each action at most a strategy, what
	// to add to the regrets, and another value or reach.
	if need := (v.depth + 1) * (2 + 3*v.widest) * len(v.pool); need > len(v.stack) {
		v.stack = make([]float32, need)
	}
}

// sort brings the pool into the order of ranks, and equals into that of their
// numbers, in which they are.
func (v *vectors) sort() {
	v.order, v.unsorted = v.order[:0], append(v.unsorted[:0], v.pool...)
	for i := range v.pool {
		v.order = append(v.order, uint64(v.pool[i].rank)<<32|uint64(i)) // ranks are at least 0
	}
	slices.Sort(v.order)
	for i, x := range v.order {
		v.pool[i] = v.unsorted[uint32(x)]
	}
}

// hold adds a hand to the pool.
func (v *vectors) hold(board view, hole card.Set, number int) {
	h := held{view: board}
	h.cards.Hole, h.hole = hole, number
	h.rank = v.views.rankOf(&h.view)
	v.pool = append(v.pool, h)
}

// visit sets the first items of the stack to the values of what a child is, by
// hand of the player: the sum over the others' hands, each weighted with the
// product of their reach. It uses the rest of the stack.
func (v *vectors) visit(i int32, stack []float32) {
	value, stack := stack[:len(v.reach[v.player])], stack[len(v.reach[v.player]):]
	if i < 0 {
		v.end(value, ^i)
		return
	}
	n := &v.nodes[i]
	if int(n.actor) == v.player {
		v.visitOwn(n, value, stack)
	} else {
		v.visitOther(n, value, stack)
	}
}

// entry returns where the entries of a bucket at a decision start.
func (v *vectors) entry(n *node, bucket int32) int {
	return v.rows[n.round][n.actor].of(int(bucket)) + int(n.row)
}

// strategies sets sigma to the strategies at a decision, by bucket of the pool
// and action.
func (v *vectors) strategies(n *node, sigma []float32) {
	actions := int(n.actions)
	for i, bucket := range v.buckets[n.round] {
		match(sigma[i*actions:][:actions], v.regret[v.entry(n, bucket):][:actions])
	}
}

// visitOwn goes through a decision of the player and updates its regrets.
func (v *vectors) visitOwn(n *node, value, stack []float32) {
	actions, hands := int(n.actions), len(value)
	entries := len(v.buckets[n.round]) * actions
	sigma, stack := stack[:entries], stack[entries:]
	gain, stack := stack[:entries], stack[entries:]
	place := v.place[n.round][v.first[v.player]:][:hands]
	v.strategies(n, sigma)
	clear(value)
	for a, child := range v.children[v.action(n):][:actions] {
		v.visit(child, stack[a*hands:])
		for h, x := range stack[a*hands:][:hands] {
			value[h] += float32(sigma[int(place[h])*actions+a] * x)
		}
	}
	clear(gain)
	for a := range actions {
		for h, x := range stack[a*hands:][:hands] {
			gain[int(place[h])*actions+a] += x - value[h]
		}
	}
	for i, bucket := range v.buckets[n.round] {
		v.addRegrets(v.entry(n, bucket), gain[i*actions:][:actions], 0)
	}
}

// visitOther goes through a decision of another player, and updates its average
// if that player is the next.
func (v *vectors) visitOther(n *node, value, stack []float32) {
	actor, actions := int(n.actor), int(n.actions)
	reach := v.reach[actor]
	buckets := v.buckets[n.round]
	sigma, stack := stack[:len(buckets)*actions], stack[len(buckets)*actions:]
	place := v.place[n.round][v.first[actor]:][:len(reach)]
	v.strategies(n, sigma)
	if actor == v.next {
		sum := stack[:len(buckets)]
		clear(sum)
		for h, x := range reach {
			sum[place[h]] += x
		}
		for i, bucket := range buckets {
			v.addStrategy(v.entry(n, bucket), sigma[i*actions:][:actions], sum[i])
		}
	}
	after, stack := stack[:len(reach)], stack[len(reach):]
	v.reach[actor] = after
	clear(value)
	for a, child := range v.children[v.action(n):][:actions] {
		for h, x := range reach {
			after[h] = x * sigma[int(place[h])*actions+a]
		}
		v.visit(child, stack)
		for h, x := range stack[:len(value)] {
			value[h] += x
		}
	}
	v.reach[actor] = reach
}
