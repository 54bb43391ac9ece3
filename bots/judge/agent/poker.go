package agent

import (
	"context"
	"fmt"
	"strings"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/bots/poker"
	"gamebots/solvers/evaluate/belief"
)

// pokerQuestion returns the question about the hand of a match state.
func pokerQuestion(m *acpc.MatchState) *Question {
	q := &Question{State: string(m.Append(nil))}
	if m.CanFold() {
		q.Legal = append(q.Legal, acpc.Action{Type: acpc.Fold}.String())
	}
	q.Legal = append(q.Legal, acpc.Action{Type: acpc.Call}.String())
	minTo, maxTo, raises := m.RaiseBounds()
	switch {
	case raises && m.Game().Betting == acpc.NoLimit:
		q.RaiseTo = []int32{minTo, maxTo}
	case raises:
		q.Legal = append(q.Legal, acpc.Action{Type: acpc.Raise}.String())
	}
	return q
}

// withoutHole returns a match state of the player to act without its hole cards.
func withoutHole(m *acpc.MatchState) string {
	var hole []byte
	for _, c := range m.Holes[m.Viewer][:m.Game().NumHoleCards] {
		hole = c.Append(hole)
	}
	text := string(m.Append(nil))
	cards := strings.LastIndexByte(text, ':')
	return text[:cards] + strings.Replace(text[cards:], string(hole), "", 1)
}

// boardOf returns the cards on the board.
func boardOf(s *acpc.State) card.Set { return card.SetOf(s.Board[:s.Game().BoardCards(s.Round())]...) }

// possible returns the hands that a board leaves possible, and their numbers in [belief.Holes].
func possible(s *acpc.State) (hands Hands, numbers []int) {
	board := boardOf(s)
	for i, hole := range belief.Holes(s.Game()) {
		if hole&board == 0 {
			hands, numbers = append(hands, hole.String()), append(numbers, i)
		}
	}
	return hands, numbers
}

// actions returns the actions of an answer in a state.
func (a *Answer) actions(s *acpc.State) ([]acpc.Action, error) {
	var actions []acpc.Action
	for _, text := range a.Actions {
		action, n, err := s.Game().ParseAction(text)
		if err == nil && (n != len(text) || action.String() != text) {
			err = acpc.ErrUnknownAction
		}
		if err == nil {
			err = s.Check(action)
		}
		if err != nil {
			return nil, fmt.Errorf("action %q: %w", text, err)
		}
		actions = append(actions, action)
	}
	return actions, nil
}

// ask asks a question about a state of poker.
func (a *Agent) ask(ctx context.Context, q *Question, s *acpc.State) (*Answer, []acpc.Action, error) {
	answer, err := a.Ask(ctx, q)
	if err != nil {
		return nil, nil, err
	}
	actions, err := answer.actions(s)
	if err != nil {
		return nil, nil, &AnswerError{q.ID, err}
	}
	return answer, actions, nil
}

// Choices asks for all hands at once: an Agent is a [belief.Player], also for several goroutines.
func (a *Agent) Choices(ctx context.Context, s *acpc.State) (c belief.Choices, err error) {
	m := s.View(s.Actor())
	q := pokerQuestion(&m)
	q.State = withoutHole(&m)
	var numbers []int
	q.Hands, numbers = possible(s)
	answer, actions, err := a.ask(ctx, q, s)
	if err != nil {
		return c, err
	}
	c.Actions = actions
	for k := range c.Actions {
		row := make([]float64, card.Combinations(len(s.Game().Deck()), s.Game().NumHoleCards))
		for i, hand := range numbers {
			if p := answer.Probabilities.of(i); p != nil {
				row[hand] = p[k]
			}
		}
		c.Probability = append(c.Probability, row)
	}
	return c, nil
}

// Seat returns a player that draws the actions of an agent by a seed, each for the hand that it holds.
func (a *Agent) Seat(seed uint64) acpc.Player { return &seat{a, seed} }

type seat struct {
	agent *Agent
	seed  uint64
}

// Act implements [acpc.Player].
func (p *seat) Act(ctx context.Context, m *acpc.MatchState) (acpc.Action, error) {
	answer, actions, err := p.agent.ask(ctx, pokerQuestion(m), &m.State)
	if err != nil {
		return acpc.Action{}, err
	}
	// A poker.PolicyPlayer of the same seed, at the same table, must not draw the same numbers.
	return poker.DrawBy(^p.seed, m, actions, answer.Probabilities.of(0)), nil
}
