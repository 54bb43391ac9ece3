package aivat

import (
	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/solvers/cfr/betting"
)

// exact is the value function of small games: the values of all hands at all nodes on
// all boards, with both strategies played against each other.
type exact struct {
	*Estimator
	rounds map[exactKey]*exactRound
	// start is the mean value of the first position, by seat.
	start [2]float64
}

type exactKey struct {
	seat, other int
	board       [acpc.MaxRounds]card.Set
}

// exactRound is one betting round after all earlier ones.
type exactRound struct {
	*exact
	*table
	first int32       // node of the round
	value [][]float64 // values by node, counted from first, and hand
	next  []*exactRound
	root  float64 // first round only: the mean value of its first position
}

// maxExactValues is the largest number of values of an exact value function.
const maxExactValues = 1 << 26

func newExact(e *Estimator) *exact {
	g := e.tree.Game
	x := &exact{Estimator: e, rounds: map[exactKey]*exactRound{}}
	for seat := range 2 {
		starts := 0
		for other, hole := range e.hands.holes {
			card.Subsets(e.hands.rest(hole), int(g.NumBoardCards[0]), func(s card.Set) {
				r := x.build(seat, other, 0, [acpc.MaxRounds]card.Set{s})
				root := r.at(e.tree.Segments[0].First)
				for _, h := range r.live {
					r.root += root[h] / float64(len(r.live))
				}
				x.start[seat] += r.root
				starts++
			})
		}
		x.start[seat] /= float64(starts)
	}
	return x
}

// exactSize returns the number of values of a game's exact value function.
func (e *Estimator) exactSize() float64 {
	g := e.tree.Game
	n := len(e.hands.deck) - g.NumHoleCards
	boards, total := 2*float64(len(e.hands.holes)), 0.0
	for r := range g.NumRounds {
		for k := range int(g.NumBoardCards[r]) {
			boards *= float64(n) / float64(k+1)
			n--
		}
		nodes := 0
		for i := range e.tree.Nodes {
			if int(e.tree.Nodes[i].Round) == r {
				nodes++
			}
		}
		total += boards * float64(nodes) * float64(len(e.hands.holes))
	}
	return total
}

// build values a round and all later ones.
func (x *exact) build(seat, other, round int, board [acpc.MaxRounds]card.Set) *exactRound {
	g := x.tree.Game
	r := &exactRound{exact: x, first: -1}
	x.set(&r.table, seat, round, board, other)
	x.rounds[exactKey{seat, other, board}] = r
	if round+1 < g.NumRounds {
		card.Subsets(x.hands.rest(union(board)|x.hands.holes[other]), int(g.NumBoardCards[round+1]), func(s card.Set) {
			next := board
			next[round+1] = s
			r.next = append(r.next, x.build(seat, other, round+1, next))
		})
	}
	for i := range x.tree.Segments {
		s := &x.tree.Segments[i]
		if s.Round != round {
			continue
		}
		if r.first < 0 {
			r.first = s.First
		}
		for range s.Last - s.First {
			r.value = append(r.value, make([]float64, len(x.hands.holes)))
		}
		r.fill(int32(i), r.value[s.First-r.first:], r.leaf)
	}
	return r
}

// leaf values the end of the round: the mean over the next boards, which are equally
// likely for each hand that they leave possible.
func (r *exactRound) leaf(dst []float64, node int32) {
	clear(dst)
	counts := make([]float64, len(dst))
	for _, next := range r.next {
		var v []float64
		if n := &r.tree.Nodes[node]; n.Kind == betting.Deal {
			v = next.at(r.tree.Segments[n.First].First)
		} else {
			v = next.showdown(node)
		}
		for _, h := range next.live {
			dst[h] += v[h]
			counts[h]++
		}
	}
	for _, h := range r.live {
		dst[h] /= counts[h]
	}
}

// showdown values a showdown of an earlier round.
func (r *exactRound) showdown(node int32) []float64 {
	v := make([]float64, r.width())
	if r.round == r.tree.Game.NumRounds-1 {
		r.terminal(v, r.tree.Nodes[node].First)
	} else {
		r.leaf(v, node)
	}
	return v
}

func (x *exact) begin(t *table) (before, after float64) { return x.start[t.seat], x.of(t).root }

func (x *exact) open(t *table) view { return x.of(t) }

func (x *exact) of(t *table) *exactRound { return x.rounds[exactKey{t.seat, t.other, t.board}] }

func (r *exactRound) at(node int32) []float64 { return r.value[node-r.first] }

func (r *exactRound) deal(node int32, next *table) (before, after []float64) {
	to := r.of(next)
	if n := &r.tree.Nodes[node]; n.Kind == betting.Deal {
		return r.at(node), to.at(r.tree.Segments[n.First].First)
	}
	return r.at(node), to.showdown(node)
}
