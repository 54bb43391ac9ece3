package spots

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
	"strings"

	"gamebots/acpc/card"
	"gamebots/solvers/resolve/spot"
)

const walkHelp = `  an action's letters or number   follows it
  u                               goes up to the action before
  q                               ends`

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
		var next string
		switch n, err := s.At(line); {
		case errors.As(err, &ended) && ended.Deals():
			fmt.Fprint(w, "the next card, as in 7s, or nothing for a random one, u or q: ")
			next = step(readLine, w, nil)
			if next == "" {
				next = card.Card(rand.IntN(card.DeckSize)).String()
				for errors.As(s.Check(line+" "+next), &ended) && ended.Step == next {
					next = card.Card(rand.IntN(card.DeckSize)).String()
				}
			}
		case err != nil:
			return err
		default:
			if again { // the last command was none
			} else if err := show(n); err != nil {
				return err
			}
			fmt.Fprint(w, "action, u, q or ?: ")
			next = step(readLine, w, n)
		}
		lines = follows(s, w, lines, next)
	}
	return nil
}

// step reads a step of a line: at a node, a number stands for the action.
func step(readLine func() (string, bool), w io.Writer, n *spot.Node) string {
	line, ok := readLine()
	if !ok {
		fmt.Fprintln(w)
		return "q"
	}
	line = strings.TrimSpace(line)
	if i, err := strconv.Atoi(line); n != nil && err == nil && i >= 1 && i <= len(n.Actions) {
		return n.Actions[i-1].String()
	}
	return line
}

// follows returns the lines after a step, which may be u or q.
func follows(s *spot.Solution, w io.Writer, lines []string, step string) []string {
	switch {
	case step == "q":
		return nil
	case step == "u" && len(lines) > 1:
		return lines[:len(lines)-1]
	case step == "" || step == "?" || step == "u":
		fmt.Fprintln(w, "commands:\n"+walkHelp)
		return lines
	}
	next := strings.TrimSpace(lines[len(lines)-1] + " " + step)
	err := s.Check(next)
	if e := (*spot.LineError)(nil); err == nil || errors.As(err, &e) && e.Deals() {
		return append(lines, next)
	} else if errors.As(err, &e) && e.Step == "" {
		fmt.Fprintln(w, "the hand is over after "+step)
	} else {
		fmt.Fprintln(w, err)
	}
	if e := (*spot.LineError)(nil); errors.As(err, &e) && e.Step != "" {
		fmt.Fprintln(w, e.Hint())
	}
	return lines
}
