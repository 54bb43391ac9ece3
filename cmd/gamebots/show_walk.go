package main

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
	"strings"

	"gamebots/solvers/cfr/browse"
)

const walkHelp = `  an action's letters or number   goes on with it
  b CARDS                         sets the board, as in b AhKs2d
  u                               goes up to the action before
  q                               ends`

// walkThrough shows a strategy point by point and reads a command a line.
func (f *showFlags) walkThrough(readLine func() (string, bool), w io.Writer, s *browse.Strategy, start browse.Point) error {
	points := []browse.Point{start}
	for {
		p := &points[len(points)-1]
		node, err := s.At(*p)
		if errors.As(err, new(*browse.BoardError)) {
			p.DrawBoard(rand.New(rand.NewPCG(rand.Uint64(), 0)))
			fmt.Fprintln(w, "the board is drawn at random; b CARDS sets another")
			node, err = s.At(*p)
		}
		if err != nil {
			return err
		}
		if err := f.printText(w, node); err != nil {
			return err
		}
		for again := true; again; {
			fmt.Fprint(w, "action, b CARDS, u, q or ?: ")
			line, ok := readLine()
			if !ok {
				_, err := fmt.Fprintln(w)
				return err
			}
			word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
			again = false
			switch {
			case word == "q":
				return nil
			case word == "u" && len(points) > 1:
				points = points[:len(points)-1]
			case word == "b":
				board := *p
				if err := board.SetBoard(strings.TrimSpace(rest)); err != nil {
					fmt.Fprintln(w, err)
					again = true
					break
				}
				*p = board
			default:
				next, why := follow(p, node, word)
				if why != "" {
					fmt.Fprintln(w, why)
					again = true
					break
				}
				points = append(points, next)
			}
		}
	}
}

// follow returns the point after an action of a node, or why there is none.
func follow(p *browse.Point, n *browse.Node, word string) (next browse.Point, why string) {
	number, _ := strconv.Atoi(word)
	for i, a := range n.Actions {
		if !strings.EqualFold(word, a.Text) && number != i+1 {
			continue
		}
		if a.Over {
			return next, fmt.Sprintf("%s ends the hand", a.Name)
		}
		next = *p
		next.Hand.Apply(a.Action)
		return next, ""
	}
	return next, "commands:\n" + walkHelp
}
