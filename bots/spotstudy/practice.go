package spotstudy

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/solvers/policy/browse"
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

const practiceHelp = acpc.TurnHelp + `
  2 takes the second action
  q leaves`

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
	d, err := newDeal(p.Solution.Spot(), p.Random, person)
	if err != nil {
		return err
	}
	fmt.Fprintf(p.Out, "\nhand %d: you are %s with %v\n", p.played+1, spot.PlayerNames[person], d.holes[person])
	for {
		n, h, err := d.next(p.Solution.At, func(n *spot.Node, action int) {
			fmt.Fprintf(p.Out, "  the player %s: %v\n", spot.PlayerNames[n.Player], n.Actions[action])
		})
		if err != nil {
			return err
		}
		if n == nil {
			p.played++
			p.showdown(d)
			return nil
		}
		a := p.ask(n, h.Hole)
		if p.left = a < 0; p.left {
			return nil
		}
		p.judge(n, h, a)
		d.act(n, a)
	}
}

// ask asks the person for an action of a node, -1 if the person leaves.
func (p *Practice) ask(n *spot.Node, hole card.Set) int {
	var options []string
	for i, a := range n.Actions {
		options = append(options, fmt.Sprintf("%d %v", i+1, a))
	}
	for {
		fmt.Fprintf(p.Out, "  board %v, pot %d, you have %v: %s: ", n.Board, n.Pot, hole, strings.Join(options, ", "))
		text, ok := p.ReadLine()
		a, err := n.Turn().Pick(text)
		switch {
		case !ok || browse.Quits(text):
			return -1
		case err == nil:
			return a
		case strings.TrimSpace(text) == "?":
			err = errors.New(practiceHelp)
		}
		fmt.Fprintln(p.Out, err)
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
	lost := lostBy(h, action)
	p.decisions++
	p.lost += lost
	fmt.Fprintf(p.Out, "  the solution plays %s; %v loses %.2f chips\n",
		strings.Join(items, ", "), n.Actions[action], lost)
}

// showdown prints how a hand ends.
func (p *Practice) showdown(d *deal) {
	result := d.end()
	if result == folded {
		fmt.Fprintln(p.Out, "  the hand ends without a showdown")
		return
	}
	fmt.Fprintf(p.Out, "  showdown on %v: you have %v, the other player %v: you %s\n", d.board, d.holes[d.person],
		d.holes[1-d.person], result)
}
