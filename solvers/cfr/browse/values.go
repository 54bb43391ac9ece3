package browse

import (
	"cmp"
	"slices"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/solvers/cfr/betting"
)

// maxRoundNodes is the number of nodes of the largest last round that is valued. In hold'em
// that takes about a tenth of a second.
const maxRoundNodes = 2000

// valued reports whether the values of a decision are known: of all in a small game, and in
// the last round of a game for two, if it does not have very many raises.
func (s *Strategy) valued(node int32) bool {
	if s.values != nil {
		return true
	}
	g := s.Game()
	if int(s.tree.Nodes[node].Round) < g.NumRounds-1 || g.NumPlayers != 2 || g.NumHoleCards > 2 {
		return false
	}
	segment := s.tree.Segments[s.tree.SegmentOf(node)]
	return segment.Last-segment.First <= maxRoundNodes
}

// A lastRound computes the values of the decisions of two players on a full board, for which
// no cards are to come.
type lastRound struct {
	*boardHands
	player int // whose values are computed
	rank   []int
	order  []int // the hands by ascending rank
}

// newLastRound returns the values of a player on a full board. Hands have one card or two.
func newLastRound(d *boardHands, player int) *lastRound {
	l := &lastRound{boardHands: d, player: player}
	board := card.Set(0)
	for _, b := range d.board.Board {
		board |= b
	}
	for h, hole := range d.holes {
		l.rank = append(l.rank, d.Game().HandRanking.Rank(hole|board))
		l.order = append(l.order, h)
	}
	slices.SortFunc(l.order, func(a, b int) int { return cmp.Compare(l.rank[a], l.rank[b]) })
	return l
}

// actions returns what the player's actions at a decision win: by action and hand, the sum
// over the other player's hands, each weighted by its reach.
func (l *lastRound) actions(node int32, reach []float64) (values [][]float64, err error) {
	n := &l.tree.Nodes[node]
	for child := n.First; child < n.First+int32(n.NumActions); child++ {
		v, err := l.value(child, reach)
		if err != nil {
			return nil, err
		}
		values = append(values, v)
	}
	return values, nil
}

// value returns what the player wins from a node on, by hand.
func (l *lastRound) value(node int32, reach []float64) ([]float64, error) {
	n := &l.tree.Nodes[node]
	if n.Kind == betting.Terminal {
		return l.terminal(&l.tree.Terminals[n.First], reach), nil
	}
	play, err := l.play(node)
	if err != nil {
		return nil, err
	}
	sum := make([]float64, len(l.holes))
	next := reach
	for a := range int(n.NumActions) {
		if int(n.Actor) != l.player {
			next = make([]float64, len(reach))
			for h, r := range reach {
				next[h] = r * play[h][a]
			}
		}
		value, err := l.value(n.First+int32(a), next)
		if err != nil {
			return nil, err
		}
		for h, v := range value {
			if int(n.Actor) == l.player {
				v *= play[h][a]
			}
			sum[h] += v
		}
	}
	return sum, nil
}

// terminal returns what the player wins at the end of a hand.
func (l *lastRound) terminal(pot *acpc.Pot, reach []float64) []float64 {
	// The ranks of a result, from the player's view: a fold needs none.
	amount := func(own, other int) float64 {
		var ranks [acpc.MaxPlayers]int
		ranks[l.player], ranks[1-l.player] = own, other
		return pot.Value(l.player, &ranks)
	}
	win, tie, lose := amount(1, 0), amount(0, 0), amount(0, 1)
	values := make([]float64, len(l.holes))
	all, worse := reachSums{cards: l.cards}, reachSums{cards: l.cards}
	for h, r := range reach {
		all.add(h, r)
	}
	for from := 0; from < len(l.order); {
		to := from
		equal := reachSums{cards: l.cards}
		for ; to < len(l.order) && l.rank[l.order[to]] == l.rank[l.order[from]]; to++ {
			equal.add(l.order[to], reach[l.order[to]])
		}
		for _, h := range l.order[from:to] {
			won := worse.without(h, 0)
			tied := equal.without(h, reach[h])
			lost := all.without(h, reach[h]) - won - tied
			values[h] = win*won + tie*tied + lose*lost
		}
		for _, h := range l.order[from:to] {
			worse.add(h, reach[h])
		}
		from = to
	}
	return values
}

// reachSums adds up the reach of some hands, in all and by card.
type reachSums struct {
	cards [][]card.Card // by hand
	total float64
	with  [card.DeckSize]float64
}

func (s *reachSums) add(h int, reach float64) {
	s.total += reach
	for _, c := range s.cards[h] {
		s.with[c] += reach
	}
}

// without returns the sum over the hands that share no card with one, whose reach in the
// sum is own.
func (s *reachSums) without(h int, own float64) float64 {
	sum := s.total
	for _, c := range s.cards[h] {
		sum -= s.with[c]
	}
	if len(s.cards[h]) == 2 {
		sum += own // it was taken away for both of its cards
	}
	return sum
}
