package agent

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/bots/poker"
	"gamebots/solvers/evaluate/belief"
	"gamebots/solvers/policy"
)

// An Answerer answers questions about a strategy.
type Answerer interface {
	Answer(ctx context.Context, q *Question) (*Answer, error)
}

// Serve answers the questions of r, a line each, until they end. A question that cannot be answered gets an answer with
// an error. A line that is no JSON is a match state, or else the history of an extensive game.
func Serve(ctx context.Context, r io.Reader, w io.Writer, by Answerer) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		if context.Cause(ctx) != nil {
			break
		}
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		var a *Answer
		q, err := readQuestion(lines.Text())
		if err == nil {
			a, err = by.Answer(ctx, q)
		}
		if err != nil {
			a = &Answer{Error: err.Error()}
		}
		a.ID = q.ID
		if err := json.NewEncoder(w).Encode(a); err != nil {
			return err
		}
	}
	return errors.Join(context.Cause(ctx), lines.Err())
}

// readQuestion reads a line. The question is never nil.
func readQuestion(line string) (*Question, error) {
	q := new(Question)
	switch line = strings.TrimSpace(line); {
	case strings.HasPrefix(line, "{"):
		if err := json.Unmarshal([]byte(line), q); err != nil {
			return q, fmt.Errorf("not a question: %w", err)
		}
	case strings.HasPrefix(line, "MATCHSTATE:"):
		q.State = line
	default:
		q.History = strings.Fields(line)
	}
	return q, nil
}

// Strategy answers questions about a strategy of poker as it is played.
type Strategy struct {
	Name   string
	Policy *policy.Policy
	Style  poker.Style
	Player belief.Player // what it does with all hands, after raises that it does not know, too
	Solves bool          // the player solves rounds in play, and is asked about single hands, too
}

// Answer implements [Answerer].
func (s *Strategy) Answer(ctx context.Context, q *Question) (*Answer, error) {
	g := s.Policy.Tree.Game
	if q.Protocol != "" {
		asked, err := acpc.ParseGame(q.Game, q.Definition)
		if err == nil {
			err = s.Policy.CheckGame(asked)
		}
		return &Answer{Name: s.Name}, err
	}
	m, _, err := g.ParseMatchState(q.State)
	switch {
	case q.State == "":
		return nil, errors.New(`"state" is missing: want a match state, as in "MATCHSTATE:0:0:cr:AsKd|"`)
	case err != nil:
		return nil, err
	case m.Finished():
		return nil, errors.New("the hand is over")
	}
	m.Viewer = m.Actor() // whoever has seen the state, the player to act is asked about
	if q.Hands != nil {
		return s.hands(ctx, &m.State, q.Hands)
	}
	hand := Hands{card.SetOf(m.Holes[m.Viewer][:g.NumHoleCards]...).String()}
	if _, err := numbersOf(&m.State, hand); err != nil {
		return nil, fmt.Errorf("the cards of position %d, who is to act, are missing or on the board", m.Viewer)
	}
	choices, err := s.Policy.Choices(nil, &m.State)
	switch {
	case s.Solves, errors.Is(err, policy.ErrOffTree):
		return s.hands(ctx, &m.State, hand)
	case err != nil:
		return nil, err
	}
	s.Style.Apply(choices)
	a := &Answer{Probabilities: Rows{policy.AppendProbabilities[float64](nil, choices)}}
	for _, c := range choices {
		a.Actions = append(a.Actions, c.Action.String())
	}
	return a, nil
}

// numbersOf returns the numbers in [belief.Holes] of hands that must be possible in a state.
func numbersOf(s *acpc.State, hands Hands) (of []int, err error) {
	board, number := boardOf(s), map[card.Set]int{}
	for i, hole := range belief.Holes(s.Game()) {
		number[hole] = i
	}
	for _, hand := range hands {
		set, err := card.ParseSet(hand)
		i, ok := number[set]
		if err != nil || !ok || set&board != 0 {
			return nil, fmt.Errorf("hand %q: want %d cards of the game that are not on the board", hand,
				s.Game().NumHoleCards)
		}
		of = append(of, i)
	}
	return of, nil
}

// hands answers for some hands.
func (s *Strategy) hands(ctx context.Context, state *acpc.State, hands Hands) (*Answer, error) {
	a := &Answer{}
	if slices.Equal(hands, AllHands) {
		hands, _ = possible(state)
		a.Hands = hands
	}
	numbers, err := numbersOf(state, hands)
	if err != nil {
		return nil, err
	}
	choices, err := s.Player.Choices(ctx, state)
	if err != nil {
		return nil, err
	}
	for _, action := range choices.Actions {
		a.Actions = append(a.Actions, action.String())
	}
	for _, i := range numbers {
		row := choices.Of(i)
		if !slices.ContainsFunc(row, func(p float64) bool { return p > 0 }) {
			row = nil
		}
		a.Probabilities = append(a.Probabilities, row)
	}
	return a, nil
}
