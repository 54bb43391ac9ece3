package spots

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"

	"gamebots/acpc/card"
	"gamebots/acpc/hand"
	"gamebots/acpc/ranges"
	"gamebots/solvers/resolve/spot"
)

// Practice lets a person play hands of a solved spot against its solution, which judges each decision. The player's
// seats alternate. It is used once.
type Practice struct {
	Solution *spot.Solution
	Out      io.Writer
	ReadLine func() (line string, ok bool) // as of [Walk]
	Random   *rand.Rand
	Hands    int

	played, decisions int
	lost              float64 // chips by all decisions
	left              bool    // the person has ended it
}

const practiceHelp = `  an action's letters or number   plays it
  q                               leaves`

// Play plays the hands, and prints what the person has lost against the solution.
func (p *Practice) Play() error {
	for i := 0; i < p.Hands && !p.left; i++ {
		if err := p.hand(i % 2); err != nil {
			return err
		}
	}
	if p.played == 0 {
		return nil
	}
	_, err := fmt.Fprintf(p.Out, "\nhands %d, decisions %d: they lose %.2f chips a hand, %.2f%% of the pot\n", p.played,
		p.decisions, p.lost/float64(p.played), 100*p.lost/float64(p.played)/float64(p.Solution.Spot().Pot))
	return err
}

// hand plays a hand, in which the person has a seat: 0 out of position, 1 in position.
func (p *Practice) hand(person int) error {
	s := p.Solution.Spot()
	holes := p.deal(s)
	fmt.Fprintf(p.Out, "\nhand %d: you are %s with %v\n", p.played+1, spot.PlayerNames[person], holes[person])
	board, line := slices.Clone(s.Board), ""
	for {
		n, err := p.Solution.At(line)
		ended := (*spot.LineError)(nil)
		switch {
		case errors.As(err, &ended) && ended.Deals() && len(board) < 5:
			c := p.draw(append(board, slices.Collect((holes[0] | holes[1]).All())...))
			board = append(board, c)
			line = strings.TrimSpace(line + " " + c.String())
			continue
		case errors.As(err, &ended):
			p.played++
			p.showdown(line, board, holes, person)
			return nil
		case err != nil:
			return err
		}
		own := slices.IndexFunc(n.Hands[n.Player], func(h spot.Hand) bool { return h.Hole == holes[n.Player] })
		h := &n.Hands[n.Player][own]
		a := 0
		if n.Player != person {
			a = choose(p.Random, h.Probabilities)
			fmt.Fprintf(p.Out, "  the player %s: %v\n", spot.PlayerNames[n.Player], n.Actions[a])
		} else if a = p.ask(n, holes[person]); a < 0 {
			p.left = true
			return nil
		} else {
			p.judge(n, h, a)
		}
		line = strings.TrimSpace(line + " " + n.Actions[a].String())
	}
}

// deal draws the hole cards of both players from their ranges.
func (p *Practice) deal(s *spot.Spot) (holes [2]card.Set) {
	dealt := card.SetOf(s.Board...)
	for {
		for q, r := range s.Ranges {
			holes[q] = p.hole(r, dealt)
		}
		if holes[0]&holes[1] == 0 {
			return holes
		}
	}
}

// hole draws hole cards from a range.
func (p *Practice) hole(r *ranges.Range, dealt card.Set) (hole card.Set) {
	sum := 0.0
	card.Subsets(card.Deck(card.NumSuits, card.NumRanks), 2, func(x card.Set) {
		if w := r.Weight(x); x&dealt == 0 && w > 0 {
			if sum += w; p.Random.Float64()*sum < w {
				hole = x
			}
		}
	})
	return hole
}

// draw draws a card that is not dealt.
func (p *Practice) draw(dealt []card.Card) card.Card {
	for {
		if c := card.Card(p.Random.IntN(card.DeckSize)); !slices.Contains(dealt, c) {
			return c
		}
	}
}

// choose draws an action by probabilities.
func choose(random *rand.Rand, probabilities []float64) int {
	x := random.Float64()
	for a, q := range probabilities {
		if x -= q; x < 0 {
			return a
		}
	}
	return len(probabilities) - 1
}

// ask asks the person for an action of a node, -1 if the person leaves.
func (p *Practice) ask(n *spot.Node, hole card.Set) int {
	var options []string
	for i, a := range n.Actions {
		options = append(options, fmt.Sprintf("%d %v", i+1, a))
	}
	for {
		fmt.Fprintf(p.Out, "  board %v, pot %d, you have %v: %s: ", n.Board, n.Pot, hole, strings.Join(options, ", "))
		text := step(p.ReadLine, p.Out, n)
		if text == "q" {
			return -1
		}
		a := slices.IndexFunc(n.Actions, func(a spot.Action) bool { return strings.EqualFold(a.String(), text) })
		if a >= 0 {
			return a
		}
		fmt.Fprintln(p.Out, "commands:\n"+practiceHelp)
	}
}

// judge prints what the solution says of an action of a hand.
func (p *Practice) judge(n *spot.Node, h *spot.Hand, action int) {
	var items []string
	for a, q := range h.Probabilities {
		if q >= .005 {
			items = append(items, fmt.Sprintf("%v %.0f%%", n.Actions[a], 100*q))
		}
	}
	lost := slices.Max(h.Values) - h.Values[action]
	p.decisions++
	p.lost += lost
	fmt.Fprintf(p.Out, "  the solution plays %s; %v loses %.2f chips\n",
		strings.Join(items, ", "), n.Actions[action], lost)
}

// showdown prints how a hand ends.
func (p *Practice) showdown(line string, board []card.Card, holes [2]card.Set, person int) {
	if strings.HasSuffix(line, "f") {
		fmt.Fprintln(p.Out, "  the hand ends without a showdown")
		return
	}
	for len(board) < 5 { // all-in
		board = append(board, p.draw(append(board, slices.Collect((holes[0]|holes[1]).All())...)))
	}
	rank := func(q int) int { return hand.ACPC.Rank(card.SetOf(board...) | holes[q]) }
	result := "share the pot"
	switch own, other := rank(person), rank(1-person); {
	case own > other:
		result = "win"
	case own < other:
		result = "lose"
	}
	fmt.Fprintf(p.Out, "  showdown on %v: you have %v, the other player %v: you %s\n", board, holes[person],
		holes[1-person], result)
}
