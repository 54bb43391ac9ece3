package aivat

import (
	"slices"

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

// table is one betting round of a hand, for all hands that the known player may hold,
// given the other player's hand and the board.
type table struct {
	*sides
	seat  int // seat of the known player
	round int
	board [acpc.MaxRounds]card.Set
	other int // the other player's hand

	live        []int32 // the hands that are possible, ascending
	own         []int32 // bucket by hand, of those that are live
	otherBucket int32
	outcome     []uint8 // outcome by hand; in the last round only

	values [][]float64 // scratch of fill
}

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

// set sets up a table, and reuses that of an earlier hand if there is one.
func (e *Estimator) set(at **table, seat, round int, board [acpc.MaxRounds]card.Set, other int) *table {
	if *at == nil {
		*at = &table{sides: e.sides, own: make([]int32, len(e.hands.holes))}
	}
	t := *at
	t.seat, t.round, t.board, t.other = seat, round, board, other
	cards := union(board)
	t.live = e.hands.without(t.live[:0], cards|e.hands.holes[other])
	for _, x := range t.live {
		t.own[x] = int32(e.known.bucket(round, board, e.hands.holes[x]))
	}
	t.otherBucket = int32(e.model.bucket(round, board, e.hands.holes[other]))
	if round == e.tree.Game.NumRounds-1 {
		if t.outcome == nil {
			t.outcome = make([]uint8, len(e.hands.holes))
		}
		rank := e.tree.Game.HandRanking.Rank(cards | e.hands.holes[other])
		for _, x := range t.live {
			t.outcome[x] = outcome(e.tree.Game.HandRanking.Rank(cards|e.hands.holes[x]), rank)
		}
	}
	return t
}

// outcome compares the known player's rank with the other's.
func outcome(own, other int) uint8 {
	switch {
	case own < other:
		return loses
	case own > other:
		return wins
	}
	return ties
}

// earlyShowdown reports whether a node ends the hand with a showdown before the last
// cards are dealt.
func (s *sides) earlyShowdown(n *betting.Node) bool {
	return n.Kind == betting.Terminal && int(n.Round) < s.tree.Game.NumRounds-1 && s.tree.Terminals[n.First].Showdown()
}

// width returns the length of vectors: the number of hands.
func (t *table) width() int { return len(t.own) }

// fill computes the values of all hands at the nodes of a segment under both
// strategies. leaf values nodes that are not decided in this round: deals and early
// showdowns. values is by node, counted from the segment's first.
func (t *table) fill(segment int32, values [][]float64, leaf func(dst []float64, node int32)) {
	s := &t.tree.Segments[segment]
	for i := s.Last - 1; i >= s.First; i-- {
		n, v := &t.tree.Nodes[i], values[i-s.First]
		switch {
		case n.Kind == betting.Deal || t.earlyShowdown(n):
			leaf(v, i)
			continue
		case n.Kind == betting.Terminal:
			t.terminal(v, n.First)
			continue
		}
		children := values[n.First-s.First:][:n.NumActions]
		for _, h := range t.live {
			v[h] = 0
		}
		for a, child := range children {
			if int(n.Actor) == t.seat {
				p := t.known.of(i, a)
				for _, h := range t.live {
					v[h] += p[t.own[h]] * child[h]
				}
				continue
			}
			p := t.model.of(i, a)[t.otherBucket]
			for _, h := range t.live {
				v[h] += p * child[h]
			}
		}
	}
}

// terminal sets v to the payoffs of the hands at a terminal node.
func (t *table) terminal(v []float64, terminal int32) {
	payoff := &t.payoff[terminal][t.seat]
	if t.outcome == nil {
		for _, h := range t.live {
			v[h] = payoff[0]
		}
		return
	}
	for _, h := range t.live {
		v[h] = payoff[t.outcome[h]]
	}
}

// vectors returns a vector for each node of a segment, with any contents.
func (t *table) vectors(segment int32) [][]float64 {
	s := &t.tree.Segments[segment]
	for len(t.values) < int(s.Last-s.First) {
		t.values = append(t.values, make([]float64, t.width()))
	}
	return t.values
}

// hands are all combinations of hole cards of a game, by number.
type hands struct {
	deck   []card.Card
	holes  []card.Set
	number map[card.Set]int
}

func newHands(g *acpc.Game) *hands {
	h := &hands{deck: g.Deck(), number: map[card.Set]int{}}
	card.Subsets(h.deck, g.NumHoleCards, func(s card.Set) {
		h.number[s] = len(h.holes)
		h.holes = append(h.holes, s)
	})
	return h
}

// rest returns the cards that are not in used.
func (h *hands) rest(used card.Set) []card.Card {
	return slices.DeleteFunc(slices.Clone(h.deck), used.Has)
}

// without returns the hands that share no card with used, in their order.
func (h *hands) without(dst []int32, used card.Set) []int32 {
	for i, hole := range h.holes {
		if hole&used == 0 {
			dst = append(dst, int32(i))
		}
	}
	return dst
}

// union returns the cards of a board.
func union(board [acpc.MaxRounds]card.Set) card.Set {
	return board[0] | board[1] | board[2] | board[3]
}
