package belief

import (
	"cmp"
	"context"
	"slices"

	"gamebots/acpc"
	"gamebots/acpc/card"
)

// Between returns what the player in the first position wins from the other one on average in the
// rest of a hand, in chips, from a decision on. It counts all that both players do with all of
// their hands, given by position and number of the hand in [Holes] with which probability their
// actions lead them there. The cards that are still dealt are those of the state. In the last round
// that is exact, and before it the mean over all such cards, equally likely, is.
func Between(ctx context.Context, players [2]Player, s *acpc.State, reach [2][]float64) (float64, error) {
	r := newRest(players, s)
	var possible [2][]float64
	for p := range possible {
		for _, i := range r.number {
			possible[p] = append(possible[p], reach[p][i])
		}
	}
	pairs := r.pairs(possible, func(int, int) float64 { return 1 })
	if pairs == 0 { // no hands are left
		return 0, nil
	}
	won, err := r.value(ctx, s, possible)
	return won / pairs, err
}

// restOfHand is the remainder of a hand between known players.
type restOfHand struct {
	players [2]Player
	// The hands that the board of the first round leaves: their numbers, cards and ranks on the
	// board of the last round.
	number []int
	holes  []card.Set
	ranks  []int
}

func newRest(players [2]Player, s *acpc.State) *restOfHand {
	g := s.Game()
	board := card.SetOf(s.Board[:g.BoardCards(s.Round())]...)
	last := card.SetOf(s.Board[:g.BoardCards(g.NumRounds-1)]...)
	r := &restOfHand{players: players}
	for i, hole := range Holes(g) {
		if hole&board != 0 {
			continue
		}
		rank := 0
		if hole&last == 0 {
			rank = g.HandRanking.Rank(last | hole)
		}
		r.number, r.holes, r.ranks = append(r.number, i), append(r.holes, hole), append(r.ranks, rank)
	}
	return r
}

// value returns what the player in the first position wins after a state, summed over all pairs of
// hands with their weights.
func (r *restOfHand) value(ctx context.Context, s *acpc.State, reach [2][]float64) (float64, error) {
	if s.Finished() {
		return r.end(s, reach), nil
	}
	own := s.Actor()
	c, err := r.players[own].Choices(ctx, s)
	if err != nil {
		return 0, err
	}
	// The choices are valid until the next call.
	after := make([][]float64, len(c.Actions))
	for a, row := range c.Probability {
		for i, x := range reach[own] {
			after[a] = append(after[a], float64(x*row[r.number[i]]))
		}
	}
	sum := 0.0
	for a, action := range c.Actions {
		if !slices.ContainsFunc(after[a], func(x float64) bool { return x > 0 }) {
			continue
		}
		next, to := reach, After(s, action)
		next[own] = after[a]
		x, err := r.value(ctx, to, r.deal(s, to.Round(), next))
		if err != nil {
			return 0, err
		}
		sum += x
	}
	return sum, nil
}

// deal returns the reach of the hands once the board of a round is dealt after a state. Hands with
// its cards are gone. The others count for as much more as the cards are rarer when all possible
// ones are equally likely than when those of both players are known.
func (r *restOfHand) deal(s *acpc.State, round int, reach [2][]float64) [2][]float64 {
	g := s.Game()
	from, to := g.BoardCards(s.Round()), g.BoardCards(round)
	if from == to {
		return reach
	}
	dealt, more := card.SetOf(s.Board[from:to]...), 1.0
	for known := from; known < to; known++ {
		left := float64(g.NumSuits*g.NumRanks - known)
		more *= left / (left - float64(g.NumPlayers*g.NumHoleCards))
	}
	for p, x := range reach {
		reach[p] = make([]float64, len(x))
		for i := range x {
			if r.holes[i]&dealt == 0 {
				reach[p][i] = x[i]
			}
		}
	}
	for i := range reach[0] {
		reach[0][i] *= more
	}
	return reach
}

// end is value for a finished hand.
func (r *restOfHand) end(s *acpc.State, reach [2][]float64) float64 {
	if !s.AtShowdown() {
		return s.Value(0) * r.pairs(reach, func(int, int) float64 { return 1 })
	}
	stake := float64(min(s.Spent(0), s.Spent(1)))
	reach = r.deal(s, s.Game().NumRounds-1, reach)
	return stake * r.pairs(reach, func(i, j int) float64 { return float64(cmp.Compare(r.ranks[i], r.ranks[j])) })
}

// pairs returns the sum of a value over all pairs of hands that share no card, with their weights.
func (r *restOfHand) pairs(reach [2][]float64, value func(i, j int) float64) (sum float64) {
	for i, x := range reach[0] {
		if x == 0 {
			continue
		}
		row := 0.0
		for j, y := range reach[1] {
			if r.holes[i]&r.holes[j] == 0 {
				row += float64(y * value(i, j))
			}
		}
		sum += float64(x * row)
	}
	return sum
}
