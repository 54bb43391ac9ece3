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

const walkHelp = acpc.TurnHelp + `
  2 takes the second action
  b CARDS sets the board, as in b AhKs2d, u goes up to the action before, q ends`

// Walk shows a strategy point by point, as the commands of a person lead from one to the next, until there are no more.
// Each point is shown by show. readLine returns the next command, and false at the end.
func Walk(
	s *browse.Strategy, start browse.Point, readLine func() (string, bool), w io.Writer, show func(*browse.Node) error,
) error {
	var node *browse.Node
	at := func(p *browse.Point) (question string, err error) {
		node, err = s.At(*p)
		if errors.As(err, new(*browse.BoardError)) {
			if err := p.DrawBoard(rand.New(rand.NewPCG(rand.Uint64(), 0))); err != nil {
				return "", err
			}
			fmt.Fprintln(w, "the board is drawn at random; b CARDS sets another")
			node, err = s.At(*p)
		}
		if err == nil {
			err = show(node)
		}
		return "action, b CARDS, u, q or ?: ", err
	}
	return browse.Walk(start, readLine, w, walkHelp, at, func(p browse.Point, typed string) (browse.Point, error) {
		cards, isBoard := strings.CutPrefix(typed, "b ")
		if _, err := card.ParseSet(strings.ReplaceAll(cards, "/", "")); isBoard && err == nil {
			err := p.SetBoard(cards)
			return p, err
		}
		return follow(p, node, typed)
	})
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
