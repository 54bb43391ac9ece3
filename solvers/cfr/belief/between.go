package belief

import (
	"cmp"
	"slices"

	"gamebots/acpc"
	"gamebots/acpc/card"
)

// Between returns what the player in the first position wins from the other one on average in the
// rest of a hand, in chips, from a decision of the last round on. It is exact: it counts all that
// both players do with all of their hands, given by position and number of the hand in [Holes]
// with which probability their actions lead them there.
func Between(players [2]Player, s *acpc.State, reach [2][]float64) (float64, error) {
	g := s.Game()
	board := card.SetOf(s.Board[:g.BoardCards(s.Round())]...)
	r := lastRound{players: players}
	var possible [2][]float64
	for i, hole := range Holes(g) {
		if hole&board != 0 {
			continue
		}
		r.number = append(r.number, i)
		r.holes = append(r.holes, hole)
		r.ranks = append(r.ranks, g.HandRanking.Rank(board|hole))
		for p := range possible {
			possible[p] = append(possible[p], reach[p][i])
		}
	}
	won, err := r.value(s, possible)
	return won / r.pairs(possible, func(int, int) float64 { return 1 }), err
}

// lastRound is the last round of a hand between known players.
type lastRound struct {
	players [2]Player
	// The hands that the board leaves: their numbers, cards and ranks.
	number []int
	holes  []card.Set
	ranks  []int
}

// value returns what the player in the first position wins after a state, summed over all pairs of
// hands with their weights.
func (r *lastRound) value(s *acpc.State, reach [2][]float64) (float64, error) {
	if s.Finished() {
		return r.end(s, reach), nil
	}
	own := s.Actor()
	c, err := r.players[own].Choices(s)
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
		next := reach
		next[own] = after[a]
		x, err := r.value(After(s, action), next)
		if err != nil {
			return 0, err
		}
		sum += x
	}
	return sum, nil
}

// end is value for a finished hand.
func (r *lastRound) end(s *acpc.State, reach [2][]float64) float64 {
	if !s.AtShowdown() {
		return s.Value(0) * r.pairs(reach, func(int, int) float64 { return 1 })
	}
	stake := float64(min(s.Spent(0), s.Spent(1)))
	return stake * r.pairs(reach, func(i, j int) float64 { return float64(cmp.Compare(r.ranks[i], r.ranks[j])) })
}

// pairs returns the sum of a value over all pairs of hands that share no card, with their weights.
func (r *lastRound) pairs(reach [2][]float64, value func(i, j int) float64) (sum float64) {
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
