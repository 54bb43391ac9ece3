package lbr

import (
	"errors"
	"slices"

	"gamebots/acpc"
	"gamebots/acpc/card"
)

// hand is a hand that the response plays against a player.
type hand struct {
	*Judge
	player   Player
	draw     func(probability []float64) int
	state    acpc.State // with all cards; the response sees its own and the board's so far
	position int        // of the response
	dealt    int        // the number of the player's hand

	round  int // of the cards that the response sees
	board  card.Set
	reach  []float64 // the player's range: the probability of each hand
	equity []float64 // of the response's hand against each
	// corrections is the sum of the control variates.
	corrections float64
}

// errNoAction is the error for a player that does nothing with its hand.
var errNoAction = errors.New("the player takes no action with its hand")

// begin starts a hand in which the player's actions are drawn by draw.
func (j *Judge) begin(p Player, s acpc.State, position int, draw func(probability []float64) int) *hand {
	h := &hand{Judge: j, player: p, draw: draw, state: s, position: position, round: -1}
	h.dealt = j.equities.number[h.hole(1-position)]
	own := h.hole(position)
	h.reach = make([]float64, len(j.equities.holes))
	for i, hole := range j.equities.holes {
		if hole&own == 0 {
			h.reach[i] = 1
		}
	}
	h.see(0)
	return h
}

func (h *hand) hole(position int) card.Set {
	return card.SetOf(h.state.Holes[position][:h.equities.game.NumHoleCards]...)
}

// see shows the response the board of a round.
func (h *hand) see(round int) {
	g := h.equities.game
	h.round, h.board = round, card.SetOf(h.state.Board[:g.BoardCards(round)]...)
	total := 0.0
	for i, hole := range h.equities.holes {
		if hole&h.board != 0 {
			h.reach[i] = 0
		}
		total += h.reach[i]
	}
	for i := range h.reach {
		h.reach[i] /= total
	}
	h.equity = h.equities.of(h.hole(h.position), h.board, round)
}

// play plays the hand to its end, and deals all of the board to players who are all-in.
func (h *hand) play() error {
	for !h.state.Finished() {
		h.deal(h.state.Round())
		if h.state.Actor() == h.position {
			a, err := h.decide()
			if err != nil {
				return err
			}
			h.state.Apply(a)
		} else if err := h.answer(); err != nil {
			return err
		}
	}
	if h.state.AtShowdown() {
		h.deal(h.equities.game.NumRounds - 1)
	}
	return nil
}

// deal shows the response the boards up to a round. The mean of a showdown's value after the
// deal is the value before it.
func (h *hand) deal(round int) {
	for h.round < round {
		exact, before := h.equities.exact(h.round), h.showdown(&h.state)
		h.see(h.round + 1)
		if exact {
			h.corrections += before - h.showdown(&h.state)
		}
	}
}

// estimate returns what the response wins in the finished hand, without much of the luck.
func (h *hand) estimate() float64 {
	won := h.state.Value(h.position)
	if h.state.AtShowdown() {
		won = h.showdown(&h.state)
	}
	return won + h.corrections
}

// showdown returns what the response wins on average over the range if no more chips are put in.
func (h *hand) showdown(s *acpc.State) float64 {
	return stake(s) * dot(h.reach, h.equity)
}

// stake returns what a showdown of two players wins or loses.
func stake(s *acpc.State) float64 { return float64(min(s.Spent(0), s.Spent(1))) }

// dot returns the sum of products. Conversions keep products and sums apart, so that all
// machines give the same bits.
func dot(a, b []float64) float64 {
	sum := 0.0
	for i, x := range a {
		sum += float64(x * b[i])
	}
	return sum
}

// after returns the state after an action.
func after(s *acpc.State, a acpc.Action) *acpc.State {
	next := *s
	next.Apply(a)
	return &next
}

var (
	fold = acpc.Action{Type: acpc.Fold}
	call = acpc.Action{Type: acpc.Call}
)

// decide returns the action of the response.
func (h *hand) decide() (acpc.Action, error) {
	s := &h.state
	if h.options.CallOnly[s.Round()] {
		return call, nil
	}
	best, value := call, h.showdown(after(s, call))
	if folded := -float64(s.Spent(h.position)); s.CanFold() && folded >= value {
		best, value = fold, folded
	}
	for raise := range h.options.Menu.raises(s) {
		raised := after(s, raise)
		x, err := h.raised(raised)
		if err != nil {
			return best, err
		}
		if x > value {
			best, value = raise, x
		}
	}
	return best, nil
}

// raised returns the value of a state after a raise of the response: the player folds, or calls.
func (h *hand) raised(s *acpc.State) (float64, error) {
	c, err := h.player.Choices(s)
	if err != nil {
		return 0, err
	}
	called := stake(after(s, call))
	folds := slices.Index(c.Actions, fold)
	if folds < 0 {
		return called * dot(h.reach, h.equity), nil
	}
	folded, shown := 0.0, 0.0
	for i, p := range h.reach {
		out := float64(p * c.Probability[folds][i])
		folded += out
		shown += float64((p - out) * h.equity[i])
	}
	return float64(folded*float64(s.Spent(1-h.position))) + float64(called*shown), nil
}

// answer draws an action of the player, corrects it, and updates the range by it.
func (h *hand) answer() error {
	c, err := h.player.Choices(&h.state)
	if err != nil {
		return err
	}
	own := make([]float64, len(c.Actions)) // with the hand that was dealt
	for a, probability := range c.Probability {
		own[a] = probability[h.dealt]
	}
	chosen := h.draw(own)
	if chosen < 0 {
		return errNoAction
	}
	mean := 0.0
	for a, action := range c.Actions {
		p, x := h.considered(action, c.Probability[a])
		mean += x
		if a == chosen {
			h.corrections -= x / p
		}
	}
	h.corrections += mean
	total := 0.0
	for i, p := range c.Probability[chosen] {
		h.reach[i] *= p
		total += h.reach[i]
	}
	for i := range h.reach {
		h.reach[i] /= total
	}
	h.state.Apply(c.Actions[chosen])
	return nil
}

// considered returns how probable an action of the player is, and the value for the response
// of what it would do then without a raise, times this probability.
func (h *hand) considered(a acpc.Action, probability []float64) (p, value float64) {
	shown := 0.0
	for i, reach := range h.reach {
		taken := float64(reach * probability[i])
		p += taken
		shown += float64(taken * h.equity[i])
	}
	s := after(&h.state, a)
	if s.Finished() && !s.AtShowdown() {
		return p, float64(p * s.Value(h.position))
	}
	if s.Finished() || s.Actor() != h.position || s.Round() != h.state.Round() {
		return p, float64(stake(s) * shown)
	}
	called := float64(stake(after(s, call)) * shown)
	if s.CanFold() {
		called = max(called, -float64(p*float64(s.Spent(h.position))))
	}
	return p, called
}
