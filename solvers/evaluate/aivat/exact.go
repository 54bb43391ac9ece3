package aivat

import (
	"cmp"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/solvers/cfr/betting"
)

// The outcomes of a showdown for the known player.
const (
	loses = iota
	ties
	wins
	numOutcomes
)

// sides are the two players' strategies and the betting tree that they share.
type sides struct {
	tree         *betting.Tree
	known, model *Strategy
	// payoff is, by terminal node and seat, the winnings of the known player with each
	// outcome. Without a showdown they are the same.
	payoff [][2][numOutcomes]float64
}

func newSides(known, model *Strategy) *sides {
	s := &sides{tree: known.Tree, known: known, model: model,
		payoff: make([][2][numOutcomes]float64, len(known.Tree.Terminals))}
	for i := range s.payoff {
		for seat := range 2 {
			for outcome := range numOutcomes {
				ranks := [acpc.MaxPlayers]int{1, 1}
				ranks[seat] = outcome
				s.payoff[i][seat][outcome] = s.tree.Terminals[i].Value(seat, &ranks)
			}
		}
	}
	return s
}

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

// exactRound is one betting round after all earlier ones, for all hands that the known player may hold, given the other
// player's hand and the board.
type exactRound struct {
	*exact
	seat  int // seat of the known player
	round int
	board [acpc.MaxRounds]card.Set
	other int // the other player's hand

	live        []int32 // the hands that are possible, ascending
	own         []int32 // bucket by hand, of those that are live
	otherBucket int32
	outcome     []uint8 // outcome by hand; in the last round only

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
	g, cards := x.tree.Game, union(board)
	r := &exactRound{exact: x, seat: seat, round: round, board: board, other: other, first: -1,
		live: x.hands.without(nil, cards|x.hands.holes[other]), own: make([]int32, len(x.hands.holes)),
		otherBucket: int32(x.model.bucket(round, board, x.hands.holes[other]))}
	x.rounds[exactKey{seat, other, board}] = r
	for _, h := range r.live {
		r.own[h] = int32(x.known.bucket(round, board, x.hands.holes[h]))
	}
	if round+1 < g.NumRounds {
		card.Subsets(x.hands.rest(cards|x.hands.holes[other]), int(g.NumBoardCards[round+1]), func(s card.Set) {
			next := board
			next[round+1] = s
			r.next = append(r.next, x.build(seat, other, round+1, next))
		})
	} else {
		r.outcome = make([]uint8, len(x.hands.holes))
		rank := g.HandRanking.Rank(cards | x.hands.holes[other])
		for _, h := range r.live {
			r.outcome[h] = uint8(1 + cmp.Compare(g.HandRanking.Rank(cards|x.hands.holes[h]), rank))
		}
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
		r.fill(int32(i), r.value[s.First-r.first:])
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
	v := make([]float64, len(r.own))
	if r.round == r.tree.Game.NumRounds-1 {
		r.terminal(v, r.tree.Nodes[node].First)
	} else {
		r.leaf(v, node)
	}
	return v
}

// earlyShowdown reports whether a node ends the hand with a showdown before the last
// cards are dealt.
func (s *sides) earlyShowdown(n *betting.Node) bool {
	return n.Kind == betting.Terminal && int(n.Round) < s.tree.Game.NumRounds-1 && s.tree.Terminals[n.First].Showdown()
}

// fill computes the values of all hands at the nodes of a segment under both
// strategies. values is by node, counted from the segment's firsr.
func (r *exactRound) fill(segment int32, values [][]float64) {
	s := &r.tree.Segments[segment]
	for i := s.Last - 1; i >= s.First; i-- {
		n, v := &r.tree.Nodes[i], values[i-s.First]
		switch {
		case n.Kind == betting.Deal || r.earlyShowdown(n):
			r.leaf(v, i)
			continue
		case n.Kind == betting.Terminal:
			r.terminal(v, n.First)
			continue
		}
		children := values[n.First-s.First:][:n.NumActions]
		for _, h := range r.live {
			v[h] = 0
		}
		for a, child := range children {
			if int(n.Actor) == r.seat {
				p := r.known.of(i, a)
				for _, h := range r.live {
					v[h] += p[r.own[h]] * child[h]
				}
				continue
			}
			p := r.model.of(i, a)[r.otherBucket]
			for _, h := range r.live {
				v[h] += p * child[h]
			}
		}
	}
}

// terminal sets v to the payoffs of the hands at a terminal node.
func (r *exactRound) terminal(v []float64, terminal int32) {
	payoff := &r.payoff[terminal][r.seat]
	if r.outcome == nil {
		for _, h := range r.live {
			v[h] = payoff[0]
		}
		return
	}
	for _, h := range r.live {
		v[h] = payoff[r.outcome[h]]
	}
}

func (r *exactRound) at(node int32) []float64 { return r.value[node-r.first] }

// deal returns the values at a node where the round ends with the board of another one, which may be a later one than
// the next.
func (r *exactRound) deal(node int32, to *exactRound) []float64 {
	if n := &r.tree.Nodes[node]; n.Kind == betting.Deal {
		return to.at(r.tree.Segments[n.First].First)
	}
	return to.showdown(node)
}
