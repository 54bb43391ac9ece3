package history

import "gamebots/acpc"

// Step is one action of a hand.
type Step struct {
	Round    int
	Position int
	Action   acpc.Action
	// To is what the position has put in after it, over the whole hand, and Bet
	// the part of it that counts in the round: blinds do, antes do not.
	To, Bet int32
	// Pot is what all have put in after it.
	Pot int64
	// Lowers marks a raise after which there is less to match than before.
	Lowers bool
}

// Steps returns the hand's actions in order. They are replayed as the original
// dealer plays them.
func (h *Hand) Steps() []Step {
	g := *h.Game()
	g.UnderRaise = true
	s := g.NewState(h.HandID)
	ante := anteOf(&g)
	steps := make([]Step, 0, h.NumActions())
	for round := range h.Round() + 1 {
		start := [acpc.MaxPlayers]int32{} // what is put in already when the round begins
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
				Lowers: a.Type == acpc.Raise && s.MaxSpent() <= before}
			for q := range g.NumPlayers {
				step.Pot += int64(s.Spent(q))
			}
			steps = append(steps, step)
		}
	}
	return steps
}

// anteOf returns what all put in alike before a hand begins, which PHH calls an
// ante, or 0 where there are blinds.
func anteOf(g *acpc.Game) int32 {
	for _, b := range g.Blind[:g.NumPlayers] {
		if b != g.Blind[0] {
			return 0
		}
	}
	return max(0, g.Blind[0])
}
