package spots

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/solvers/resolve/spot"
)

const walkHelp = acpc.TurnHelp + `, and so does the number of an action
  u goes up to the action before, q ends`

// Walk leads a person through the solution of a spot, from a line on. Cards that come next are typed, or drawn.
func Walk(
	s *spot.Solution, line string, readLine func() (string, bool), w io.Writer, show func(*spot.Node) error,
) error {
	lines, shown := []string{line}, -1 // the way to the last one
	for len(lines) > 0 {
		line := lines[len(lines)-1]
		again := shown == len(lines)
		shown = len(lines)
		ended := (*spot.LineError)(nil)
		n, err := s.At(line)
		prompt := "action, u, q or ?: "
		switch {
		case errors.As(err, &ended) && ended.Deals():
			prompt = "the next card, as in 7s, or nothing for a random one, u or q: "
		case err != nil:
			return err
		case !again: // the last command was one
			if err := show(n); err != nil {
				return err
			}
		}
		fmt.Fprint(w, prompt)
		typed, ok := readLine()
		if !ok {
			fmt.Fprintln(w)
			return nil
		}
		typed = strings.TrimSpace(typed)
		for draw := n == nil && typed == ""; draw; {
			typed = card.Card(rand.IntN(card.DeckSize)).String()
			draw = errors.As(s.Check(line+" "+typed), &ended) && ended.Step == typed
		}
		lines = follows(s, w, lines, n, typed)
	}
	return nil
}

// follows returns the lines after what a person types, which may be u or q. There is no node where a card comes next.
func follows(s *spot.Solution, w io.Writer, lines []string, n *spot.Node, typed string) []string {
	switch {
	case typed == "q":
		return nil
	case typed == "u" && len(lines) > 1:
		return lines[:len(lines)-1]
	case typed == "" || typed == "?" || typed == "u":
		fmt.Fprintln(w, walkHelp)
		return lines
	}
	if n != nil {
		i, err := n.Turn().Pick(typed)
		if err != nil {
			fmt.Fprintln(w, err)
			return lines
		}
		typed = n.Actions[i].String()
	}
	next := strings.TrimSpace(lines[len(lines)-1] + " " + typed)
	err := s.Check(next)
	if e := (*spot.LineError)(nil); err == nil || errors.As(err, &e) && e.Deals() {
		return append(lines, next)
	} else if errors.As(err, &e) && e.Step == "" {
		fmt.Fprintln(w, "the hand is over after "+typed)
	} else {
		fmt.Fprintln(w, err)
	}
	return lines
}
