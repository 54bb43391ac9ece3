package spotstudy

import (
	"errors"
	"io"
	"math/rand/v2"
	"strings"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/solvers/policy/browse"
	"gamebots/solvers/resolve/spot"
)

const walkHelp = acpc.TurnHelp + `
  2 takes the second action
  u goes up to the action before, q ends`

// Walk leads a person through the solution of a spot, from a line on. Cards that come next are typed, or drawn.
func Walk(
	s *spot.Solution, line string, readLine func() (string, bool), w io.Writer, show func(*spot.Node) error,
) error {
	var n *spot.Node // nil where a card comes next
	ended := (*spot.LineError)(nil)
	at := func(line *string) (question string, err error) {
		if n, err = s.At(*line); errors.As(err, &ended) && ended.Deals() {
			return "the next card, as in 7s, or nothing for a random one, u or q: ", nil
		}
		if err == nil {
			err = show(n)
		}
		return "action, u, q or ?: ", err
	}
	return browse.Walk(line, readLine, w, walkHelp, at, func(line, typed string) (string, error) {
		if n != nil {
			i, err := n.Turn().Pick(typed)
			if err == nil {
				typed = n.Actions[i].String()
			} else if several := s.Check(line + " " + typed); !strings.Contains(typed, " ") ||
				several != nil && !(errors.As(several, &ended) && ended.Deals()) {
				return line, err
			}
		}
		for draw := typed == ""; draw; draw = errors.As(s.Check(line+" "+typed), &ended) && ended.Step == typed {
			typed = card.Card(rand.IntN(card.DeckSize)).String()
		}
		next := strings.TrimSpace(line + " " + typed)
		err := s.Check(next)
		switch {
		case errors.As(err, &ended) && ended.Deals():
			err = nil
		case errors.As(err, &ended) && ended.Step == "":
			err = errors.New("the hand is over after " + typed)
		}
		return next, err
	})
}
