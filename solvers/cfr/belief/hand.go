package belief

import (
	"gamebots/acpc"
	"gamebots/acpc/card"
)

// Hand is a hand of two players as an observer, one of them, sees it. It is used by one
// goroutine.
type Hand struct {
	// State is the hand so far, with all cards, of which the observer sees its own and the
	// board so far.
	State acpc.State
	// Observer is its position.
	Observer int
	// Range is the probability of each hand of the other player, in the order of [Holes].
	Range []float64
	// Equity is what the observer's hand wins from each at a showdown (see [Equities.Of]).
	Equity []float64
	// Corrections are the control variates so far.
	Corrections Corrections

	equities *Equities
	round    int // of the board that the observer sees
}

// Corrections are the control variates of a hand in chips of the observer, by round: of the
// board cards that were dealt in it, and of the player's actions. Each has the expectation
// zero.
type Corrections struct{ Deal, Actions [acpc.MaxRounds]float64 }

// Begin starts to follow a hand, given all of its cards, before the first action.
func Begin(e *Equities, s acpc.State, observer int) *Hand {
	h := &Hand{State: s, Observer: observer, Range: make([]float64, len(e.holes)), equities: e}
	own := h.hole(observer)
	for i, hole := range e.holes {
		if hole&own == 0 {
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
func (h *Hand) Dealt() int { return h.equities.number[h.hole(1-h.Observer)] }

// see shows the observer the board of a round.
func (h *Hand) see(round int) {
	board := card.SetOf(h.State.Board[:h.equities.game.BoardCards(round)]...)
	h.round = round
	for i, hole := range h.equities.holes {
		if hole&board != 0 {
			h.Range[i] = 0
		}
	}
	h.normalise()
	h.Equity = h.equities.Of(h.hole(h.Observer), board, round)
}

// normalise lets the range sum to one.
func (h *Hand) normalise() {
	total := 0.0
	for _, p := range h.Range {
		total += p
	}
	for i := range h.Range {
		h.Range[i] /= total
	}
}

// Deal shows the observer the boards up to a round.
func (h *Hand) Deal(round int) {
	for h.round < round {
		exact, before := h.equities.exact(h.round), h.Showdown(&h.State)
		h.see(h.round + 1)
		if exact {
			h.Corrections.Deal[h.round] = before - h.Showdown(&h.State)
		}
	}
}

// Showdown returns what the observer wins on average over the range and over the boards to
// come if the players put in no more than in s. Before a deal this is the mean over those
// after it.
func (h *Hand) Showdown(s *acpc.State) float64 {
	sum := 0.0
	for i, p := range h.Range {
		sum += float64(p * h.Equity[i])
	}
	return Stake(s) * sum
}

// Stake returns what a showdown of two players wins or loses.
func Stake(s *acpc.State) float64 { return float64(min(s.Spent(0), s.Spent(1))) }

// After returns the state after an action.
func After(s *acpc.State, a acpc.Action) *acpc.State {
	next := *s
	next.Apply(a)
	return &next
}

// call is the action that checks, too.
var call = acpc.Action{Type: acpc.Call}

// Act applies an action of the player, one of its choices, corrects it, and updates the
// range by it.
func (h *Hand) Act(c Choices, chosen int) {
	mean := 0.0
	for a, action := range c.Actions {
		p, value := h.considered(action, c.Probability[a])
		mean += value
		if a == chosen {
			mean -= value / p
		}
	}
	h.Corrections.Actions[h.State.Round()] += mean
	for i, p := range c.Probability[chosen] {
		h.Range[i] *= p
	}
	h.normalise()
	h.State.Apply(c.Actions[chosen])
}

// considered returns how probable an action of the player is, and its value for the observer
// times this probability. The observer calls or folds, whichever is better.
func (h *Hand) considered(a acpc.Action, probability []float64) (p, value float64) {
	shown := 0.0
	for i, x := range h.Range {
		taken := float64(x * probability[i])
		p += taken
		shown += float64(taken * h.Equity[i])
	}
	s := After(&h.State, a)
	if s.Finished() && !s.AtShowdown() {
		return p, p * s.Value(h.Observer)
	}
	if s.Finished() || s.Actor() != h.Observer || s.Round() != h.State.Round() {
		return p, Stake(s) * shown
	}
	value = Stake(After(s, call)) * shown
	if s.CanFold() {
		value = max(value, -p*float64(s.Spent(h.Observer)))
	}
	return p, value
}

// Finish deals the rest of the board to players at a showdown, and returns what the
// observer wins on average over the range.
func (h *Hand) Finish() float64 {
	if !h.State.AtShowdown() {
		return h.State.Value(h.Observer)
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
