package belief

import (
	"gamebots/acpc"
	"gamebots/acpc/card"
)

// Hand is a hand in which one player's cards are not seen: the others, who know how that player
// plays, see theirs and the board. Values are what the others win together, which the player
// loses. It is used by one goroutine.
type Hand struct {
	// State is the hand so far, with all cards.
	State acpc.State
	// Player is the position of the player whose cards are not seen.
	Player int
	// Range is the probability of each hand of the player, in the order of [Holes].
	Range []float64
	// Corrections are the control variates so far.
	Corrections Corrections

	equities *Equities
	dead     card.Set // the hole cards of the others
	round    int      // round of the board that is seen
	equity   map[positions][]float64
	taken    []float64 // scratch of considered
}

// Corrections are the control variates of a hand in chips of the others, by round: of the
// board cards that were dealt in it, and of the player's actions. Each has the expectation
// zero.
type Corrections struct{ Deal, Actions [acpc.MaxRounds]float64 }

// Begin starts to follow a hand, given all of its cards, before the first action. Player is the
// position of the player whose cards are not seen.
func Begin(e *Equities, s acpc.State, player int) *Hand {
	h := &Hand{State: s, Player: player, Range: make([]float64, len(e.holes)), equities: e,
		taken: make([]float64, len(e.holes))}
	for q := range e.game.NumPlayers {
		if q != player {
			h.dead |= h.hole(q)
		}
	}
	for i, hole := range e.holes {
		if hole&h.dead == 0 {
			h.Range[i] = 1
		}
	}
	h.see(0)
	return h
}

func (h *Hand) hole(position int) card.Set {
	return card.SetOf(h.State.Holes[position][:h.equities.game.NumHoleCards]...)
}

// Dealt returns the number of the hand that the player was dealt.
func (h *Hand) Dealt() int { return h.equities.number[h.hole(h.Player)] }

// board returns the board that is seen.
func (h *Hand) board() card.Set {
	return card.SetOf(h.State.Board[:h.equities.game.BoardCards(h.round)]...)
}

// see shows the board of a round.
func (h *Hand) see(round int) {
	h.round = round
	board := h.board()
	for i, hole := range h.equities.holes {
		if hole&board != 0 {
			h.Range[i] = 0
		}
	}
	h.normalise()
	h.equity = map[positions][]float64{}
}

// equityOf returns what rivals win from each hand of the player (see [Equities.Of]).
func (h *Hand) equityOf(rivals positions) []float64 {
	equity, ok := h.equity[rivals]
	if !ok {
		var holes []card.Set
		for q := range h.equities.game.NumPlayers {
			if rivals.has(q) {
				holes = append(holes, h.hole(q))
			}
		}
		equity = h.equities.Of(holes, h.dead, h.board(), h.round)
		h.equity[rivals] = equity
	}
	return equity
}

// normalise lets the range sum to one, unless no hand is left in it.
func (h *Hand) normalise() {
	total := 0.0
	for _, p := range h.Range {
		total += p
	}
	for i := range h.Range {
		if total > 0 {
			h.Range[i] /= total
		}
	}
}

// Deal shows the boards up to a round.
func (h *Hand) Deal(round int) {
	for h.round < round {
		exact, before := h.equities.exact(h.round), h.Showdown(&h.State)
		h.see(h.round + 1)
		if exact {
			h.Corrections.Deal[h.round] = before - h.Showdown(&h.State)
		}
	}
}

// Showdown returns what the others win on average over the range and over the boards to
// come if the players put in no more than in s. Before a deal this is the mean over those
// after it.
func (h *Hand) Showdown(s *acpc.State) float64 { return h.ShowdownWith(h.Range, s) }

// ShowdownWith is Showdown with other probabilities of the player's hands. If they do not sum to
// one, the value is multiplied by their sum.
func (h *Hand) ShowdownWith(probability []float64, s *acpc.State) float64 {
	all := 0.0
	for _, p := range probability {
		all += p
	}
	if s.Folded(h.Player) {
		return all * float64(s.Spent(h.Player))
	}
	won := 0.0
	for pot := range potsOf(s, h.Player) {
		if pot.rivals == 0 { // the player takes it
			won += float64(all * (pot.own - pot.total))
			continue
		}
		equity, sum := h.equityOf(pot.rivals), 0.0
		for i, p := range probability {
			sum += float64(p * equity[i])
		}
		won += float64(all*(pot.own-pot.total/2)) + float64(pot.total/2*sum)
	}
	return won
}

// After returns the state after an action.
func After(s *acpc.State, a acpc.Action) *acpc.State {
	next := *s
	next.Apply(a)
	return &next
}

var (
	call = acpc.Action{Type: acpc.Call} // checks, too
	fold = acpc.Action{Type: acpc.Fold}
)

// Act applies an action of the player, one of its choices, corrects it, and updates the
// range by it. An action that no hand of the range takes is not corrected, and leaves the range.
func (h *Hand) Act(c Choices, chosen int) {
	mean, taken := 0.0, 0.0
	for a, action := range c.Actions {
		p, value := h.considered(action, c.Probability[a])
		mean += value
		if a == chosen && p > 0 {
			mean -= value / p
			taken = p
		}
	}
	if taken > 0 {
		h.Corrections.Actions[h.State.Round()] += mean
		for i, p := range c.Probability[chosen] {
			h.Range[i] *= p
		}
		h.normalise()
	}
	h.State.Apply(c.Actions[chosen])
}

// considered returns how probable an action of the player is, and its value times this
// probability. The others who are to act call, and the last of them folds if that is better.
func (h *Hand) considered(a acpc.Action, probability []float64) (p, value float64) {
	for i, x := range h.Range {
		h.taken[i] = x * probability[i]
		p += h.taken[i]
	}
	s, last := Called(After(&h.State, a), h.State.Round())
	value = h.ShowdownWith(h.taken, s)
	if last != nil && last.CanFold() {
		value = max(value, h.ShowdownWith(h.taken, After(last, fold)))
	}
	return p, value
}

// Called returns the state after all calls of those who are to act in a round, and the one
// before the last of these calls, nil if there is none.
func Called(s *acpc.State, round int) (called, last *acpc.State) {
	for !s.Finished() && s.Round() == round {
		s, last = After(s, call), s
	}
	return s, last
}

// Finish deals the rest of the board to the player at a showdown, and returns what the
// others win on average over the range.
func (h *Hand) Finish() float64 {
	if !h.State.AtShowdown() || h.State.Folded(h.Player) {
		return -h.State.Value(h.Player)
	}
	h.Deal(h.equities.game.NumRounds - 1)
	return h.Showdown(&h.State)
}

// Sum returns the sum of all corrections.
func (c *Corrections) Sum() float64 {
	sum := 0.0
	for r := range acpc.MaxRounds {
		sum += c.Deal[r] + c.Actions[r]
	}
	return sum
}
