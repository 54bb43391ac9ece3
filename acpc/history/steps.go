package history

import "gamebots/acpc"

// Step is one action of a hand.
type Step struct {
	Round    int
	Position int
	Action   acpc.Action
	// To is the number of chips that the position has put in over the whole hand, and
	// Bet the part of it that belongs to the round's betting: blinds do, antes do not.
	// Both are after the action.
	To, Bet int32
	// Pot is the number of chips in the pot after the action.
	Pot int64
	// LowersBet marks a raise after which the bet to match is smaller than before.
	LowersBet bool
}

// Steps returns the hand's actions in order, replayed by the rules of the original
// dealer.
func (h *Hand) Steps() []Step {
	g := *h.Game()
	g.UnderRaise = true
	s := g.NewState(h.HandID)
	ante := g.Ante()
	steps := make([]Step, 0, h.NumActions())
	for round := range h.Round() + 1 {
		start := [acpc.MaxPlayers]int32{} // chips put in before the round
		for p := range g.NumPlayers {
			start[p] = s.Spent(p)
			if round == 0 {
				start[p] = ante
			}
		}
		for _, a := range h.Actions(round) {
			p, before := s.Actor(), s.MaxSpent()
			s.Apply(a)
			step := Step{Round: round, Position: p, Action: a, To: s.Spent(p), Bet: s.Spent(p) - start[p],
				Pot: s.Pot().Chips(), LowersBet: a.Type == acpc.Raise && s.MaxSpent() <= before}
			steps = append(steps, step)
		}
	}
	return steps
}
