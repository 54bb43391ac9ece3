package mccfr

import (
	"slices"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/solvers/cfr/mccfr/internal/tree"
)

// vectors traverses by the samplings that try all actions: chance sampling and the
// three of public chance sampling. On a sampled board every player has either one
// sampled hand, or a vector of all hands that the board leaves. Hands that share a
// card never meet, so one player's sampled cards may be among the hands in
// another's vector.
type vectors struct {
	*worker
	ownAll, othersAll bool // who has all hands: the traversing player, the others

	allHoles []holding // all sets of hole cards, in the order of their numbers
	pool     []holding // the hands of this deal: all of them by rank, then the sampled ones
	all      int       // how many hands of the pool are not sampled
	first    [acpc.MaxPlayers]int
	// reach is by hand the others' probability of playing to the node that is
	// visited. For the traversing player it has only the right length.
	reach [acpc.MaxPlayers][]float32
	// buckets has, by round, the buckets of the pool's hands in ascending order;
	// bucketIndex, by hand, the index of its bucket there.
	buckets, bucketIndex [acpc.MaxRounds][]int32

	// Scratch memory of sort.
	order    []uint64
	unsorted []holding

	ranks [acpc.MaxPlayers]int32
	best  []tree.PlayerSet
	ones  []float32
	stack []float32
}

// holding is the hole cards of a player and their showdown rank on the board.
type holding struct {
	tree.View
	rank int32
}

// newVectors returns a traverser for Chance, SelfPublic, OpponentPublic or Public.
func newVectors(w *worker, s Sampling) *vectors {
	v := &vectors{
		worker: w,
		ownAll: s == OpponentPublic || s == Public, othersAll: s == SelfPublic || s == Public,
		best: tree.NewBestHands(w.Rules.NumPlayers),
	}
	tree.BestHands(v.best, &v.ranks)
	if s != Chance {
		w.Cards.Subsets(w.Rules.NumHoleCards, func(s card.Set) {
			h := holding{View: tree.View{Hole: len(v.allHoles)}}
			h.Cards.Hole = s
			v.allHoles = append(v.allHoles, h)
		})
	}
	return v
}

func (v *vectors) run() {
	v.deal()
	v.visit(0, v.stack)
}

// deal samples the board, and the hands of the players who have only one.
func (v *vectors) deal() {
	used, board := uint64(0), tree.View{}
	cards := card.Set(0)
	for r := range v.Rules.NumRounds {
		board.Cards.Board[r], board.Board[r] = v.Cards.Draw(&v.random, &used, int(v.Rules.NumBoardCards[r]))
		cards |= board.Cards.Board[r]
	}
	v.pool = v.pool[:0]
	for i := range v.allHoles {
		if hole := v.allHoles[i].Cards.Hole; hole&cards == 0 {
			v.addHolding(board, hole, v.allHoles[i].Hole)
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
			hole, number := v.Cards.Draw(&v.random, &used, v.Rules.NumHoleCards)
			v.addHolding(board, hole, number)
		}
	}
	for r := range v.Rules.NumRounds {
		v.bucketIndex[r] = v.bucketIndex[r][:0]
		for i := range v.pool {
			v.bucketIndex[r] = append(v.bucketIndex[r], int32(v.Cards.Bucket(r, &v.pool[i].View)))
		}
		v.buckets[r] = append(v.buckets[r][:0], v.bucketIndex[r]...)
		slices.Sort(v.buckets[r])
		v.buckets[r] = slices.Compact(v.buckets[r])
		for i, b := range v.bucketIndex[r] {
			at, _ := slices.BinarySearch(v.buckets[r], b)
			v.bucketIndex[r][i] = int32(at)
		}
	}
	// A decision takes its value, and for each action at most a strategy, a regret
	// update, and another value or reach.
	if need := (v.Depth + 1) * (2 + 3*v.MaxActions) * len(v.pool); need > len(v.stack) {
		v.stack = make([]float32, need)
	}
}

// sort orders the pool by rank. Hands of the same rank stay in the order of their
// numbers.
func (v *vectors) sort() {
	v.order, v.unsorted = v.order[:0], append(v.unsorted[:0], v.pool...)
	for i := range v.pool {
		v.order = append(v.order, uint64(v.pool[i].rank)<<32|uint64(i)) // ranks are not negative
	}
	slices.Sort(v.order)
	for i, x := range v.order {
		v.pool[i] = v.unsorted[uint32(x)]
	}
}

// addHolding adds a hand to the pool.
func (v *vectors) addHolding(board tree.View, hole card.Set, number int) {
	h := holding{View: board}
	h.Cards.Hole, h.Hole = hole, number
	h.rank = v.Cards.Rank(&h.View)
	v.pool = append(v.pool, h)
}

// visit sets the first items of the stack to the values of a child, by hand of the
// player: the sum over the others' hands, each weighted with the product of their
// reach. It uses the rest of the stack.
func (v *vectors) visit(i int32, stack []float32) {
	value, stack := stack[:len(v.reach[v.player])], stack[len(v.reach[v.player]):]
	if i < 0 {
		v.terminalValues(value, ^i)
		return
	}
	n := &v.Nodes[i]
	if int(n.Actor) == v.player {
		v.visitOwn(n, value, stack)
	} else {
		v.visitOther(n, value, stack)
	}
}

// entry returns the first entry of a bucket at a decision.
func (v *vectors) entry(n *tree.Node, bucket int32) int {
	return v.Rows[n.Round][n.Actor].Of(int(bucket)) + int(n.Offset)
}

// strategies sets sigma to the strategies at a decision, by index of the bucket
// and action.
func (v *vectors) strategies(n *tree.Node, sigma []float32) {
	actions := int(n.Actions)
	for i, bucket := range v.buckets[n.Round] {
		v.match(sigma[i*actions:][:actions], v.entry(n, bucket))
	}
}

// visitOwn visits a decision of the player and updates its regrets.
func (v *vectors) visitOwn(n *tree.Node, value, stack []float32) {
	actions, hands := int(n.Actions), len(value)
	entries := len(v.buckets[n.Round]) * actions
	sigma, stack := stack[:entries], stack[entries:]
	gain, stack := stack[:entries], stack[entries:]
	index := v.bucketIndex[n.Round][v.first[v.player]:][:hands]
	v.strategies(n, sigma)
	clear(value)
	for a, child := range v.ChildrenOf(n) {
		v.visit(child, stack[a*hands:])
		for h, x := range stack[a*hands:][:hands] {
			value[h] += float32(sigma[int(index[h])*actions+a] * x)
		}
	}
	clear(gain)
	for a := range actions {
		for h, x := range stack[a*hands:][:hands] {
			gain[int(index[h])*actions+a] += x - value[h]
		}
	}
	for i, bucket := range v.buckets[n.Round] {
		v.updateRegrets(v.entry(n, bucket), gain[i*actions:][:actions], 0)
	}
}

// visitOther visits a decision of another player, and updates its strategy sums if
// that is the next player.
func (v *vectors) visitOther(n *tree.Node, value, stack []float32) {
	actor, actions := int(n.Actor), int(n.Actions)
	reach := v.reach[actor]
	buckets := v.buckets[n.Round]
	sigma, stack := stack[:len(buckets)*actions], stack[len(buckets)*actions:]
	index := v.bucketIndex[n.Round][v.first[actor]:][:len(reach)]
	v.strategies(n, sigma)
	if actor == v.next {
		sum := stack[:len(buckets)]
		clear(sum)
		for h, x := range reach {
			sum[index[h]] += x
		}
		for i, bucket := range buckets {
			v.updateStrategy(v.entry(n, bucket), sigma[i*actions:][:actions], sum[i])
		}
	}
	after, stack := stack[:len(reach)], stack[len(reach):]
	v.reach[actor] = after
	clear(value)
	for a, child := range v.ChildrenOf(n) {
		for h, x := range reach {
			after[h] = x * sigma[int(index[h])*actions+a]
		}
		v.visit(child, stack)
		for h, x := range stack[:len(value)] {
			value[h] += x
		}
	}
	v.reach[actor] = reach
}
