package tty

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/solvers/policy/browse"
)

const walkHelp = acpc.TurnHelp + `, and so does the number of an action
  b CARDS sets the board, as in b AhKs2d, u goes up to the action before, q ends`

// Walk shows a strategy point by point, as the commands of a person lead from one to the next, until there are no more.
// Each point is shown by show. readLine returns the next command, and false at the end.
func Walk(
	s *browse.Strategy, start browse.Point, readLine func() (string, bool), w io.Writer, show func(*browse.Node) error,
) error {
	points := []browse.Point{start} // the way to the last one
	for len(points) > 0 {
		p := &points[len(points)-1]
		node, err := s.At(*p)
		if errors.As(err, new(*browse.BoardError)) {
			if err := p.DrawBoard(rand.New(rand.NewPCG(rand.Uint64(), 0))); err != nil {
				return err
			}
			fmt.Fprintln(w, "the board is drawn at random; b CARDS sets another")
			node, err = s.At(*p)
		}
		if err != nil {
			return err
		}
		if err := show(node); err != nil {
			return err
		}
		points = nextPoint(readLine, w, points, node)
	}
	return nil
}

// nextPoint reads commands until one leads from the last of some points, with its node, to
// another, and returns the points up to that. It returns none at the end.
func nextPoint(readLine func() (string, bool), w io.Writer, points []browse.Point, n *browse.Node) []browse.Point {
	before, p := points[:len(points)-1], points[len(points)-1]
	for {
		fmt.Fprint(w, "action, b CARDS, u, q or ?: ")
		line, ok := readLine()
		if !ok {
			fmt.Fprintln(w)
			return nil
		}
		line = strings.TrimSpace(line)
		cards, isBoard := strings.CutPrefix(line, "b ")
		_, notCards := card.ParseSet(strings.ReplaceAll(cards, "/", ""))
		var err error
		switch {
		case line == "q":
			return nil
		case line == "u" && len(before) > 0:
			return before
		case line == "?":
			err = errors.New(walkHelp)
		case isBoard && notCards == nil:
			if err = p.SetBoard(cards); err == nil {
				return append(before, p)
			}
			p = points[len(points)-1]
		default:
			var next browse.Point
			if next, err = follow(p, n, line); err == nil {
				return append(points, next)
			}
		}
		fmt.Fprintln(w, err)
	}
}

// follow returns the point after an action of a node. The error is for the user.
func follow(p browse.Point, n *browse.Node, typed string) (browse.Point, error) {
	turn := p.Hand.Turn()
	for _, a := range n.Actions {
		turn.Choices = append(turn.Choices, p.Hand.Choice(a.Action))
	}
	i, err := turn.Pick(typed)
	if err != nil {
		i = slices.IndexFunc(n.Actions, func(a browse.Action) bool { return strings.EqualFold(typed, a.Text) })
	}
	switch {
	case i < 0:
		return p, err
	case n.Actions[i].Over:
		return p, fmt.Errorf("%s ends the hand", n.Actions[i].Name)
	}
	p.Hand.Apply(n.Actions[i].Action)
	return p, nil
}
