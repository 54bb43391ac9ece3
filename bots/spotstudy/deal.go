package spotstudy

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"

	"gamebots/acpc/card"
	"gamebots/acpc/hand"
	"gamebots/acpc/ranges"
	"gamebots/solvers/resolve/spot"
)

// deal is a hand of a solved spot that a person plays against its solution. What the solution does and the cards
// follow from the random numbers.
type deal struct {
	random *rand.Rand
	person int // seat: 0 out of position, 1 in position
	holes  [2]card.Set
	board  spot.Board
	line   string
}

// mostDraws is how often hole cards are drawn that share a card. Weights may make all others as rare as one likes.
const mostDraws = 1000

// newDeal draws the hole cards of both players from their ranges.
func newDeal(s *spot.Spot, random *rand.Rand, person int) (*deal, error) {
	d := &deal{random: random, person: person, board: slices.Clone(s.Board)}
	for range mostDraws {
		for q, r := range s.Ranges {
			d.holes[q] = d.hole(r)
		}
		if d.holes[0] != 0 && d.holes[0]&d.holes[1] == 0 {
			return d, nil
		}
	}
	return nil, errors.New("the hands of the two ranges nearly always share a card: none can be dealt")
}

// hole draws hole cards from a range.
func (d *deal) hole(r *ranges.Range) (hole card.Set) {
	dealt, sum := card.SetOf(d.board...), 0.0
	card.Subsets(card.Deck(card.NumSuits, card.NumRanks), 2, func(x card.Set) {
		if w := r.Weight(x); x&dealt == 0 && w > 0 {
			if sum += w; d.random.Float64()*sum < w {
				hole = x
			}
		}
	})
	return hole
}

// draw deals the next card of the board.
func (d *deal) draw() card.Card {
	for {
		c := card.Card(d.random.IntN(card.DeckSize))
		if (card.SetOf(d.board...)|d.holes[0]|d.holes[1])&card.SetOf(c) == 0 {
			d.board = append(d.board, c)
			return c
		}
	}
}

// next deals cards and plays the other player's actions, of which it tells, up to a decision of the person, and
// returns it with the person's hand there. There is none at the end of the hand. At is that of the solution.
func (d *deal) next(at func(line string) (*spot.Node, error), told func(n *spot.Node, action int)) (
	*spot.Node, *spot.Hand, error,
) {
	for {
		n, err := at(d.line)
		ended := (*spot.LineError)(nil)
		switch {
		case errors.As(err, &ended) && ended.Deals() && len(d.board) < 5:
			d.step(d.draw().String())
			continue
		case errors.As(err, &ended):
			return nil, nil, nil
		case err != nil:
			return nil, nil, err
		}
		own := slices.IndexFunc(n.Hands[n.Player], func(h spot.Hand) bool { return h.Hole == d.holes[n.Player] })
		h := &n.Hands[n.Player][own]
		if n.Player == d.person {
			return n, h, nil
		}
		a := d.choose(h.Probabilities)
		told(n, a)
		d.act(n, a)
	}
}

// act plays an action of a node.
func (d *deal) act(n *spot.Node, action int) { d.step(n.Actions[action].String()) }

func (d *deal) step(text string) { d.line = strings.TrimSpace(d.line + " " + text) }

// choose draws an action by probabilities.
func (d *deal) choose(probabilities []float64) int {
	x := d.random.Float64()
	for a, q := range probabilities {
		if x -= q; x < 0 {
			return a
		}
	}
	return len(probabilities) - 1
}

// lostBy returns how many chips less than the best action one of a hand wins.
func lostBy(h *spot.Hand, action int) float64 { return slices.Max(h.Values) - h.Values[action] }

// folded is the result of a hand without a showdown.
const folded = "fold"

// end deals the rest of the board of a hand that is over, and returns what the person does at the showdown: win, lose
// or share the pot.
func (d *deal) end() string {
	if strings.HasSuffix(d.line, "f") {
		return folded
	}
	for len(d.board) < 5 { // all-in
		d.draw()
	}
	rank := func(q int) int { return hand.ACPC.Rank(card.SetOf(d.board...) | d.holes[q]) }
	switch own, other := rank(d.person), rank(1-d.person); {
	case own > other:
		return "win"
	case own < other:
		return "lose"
	}
	return "share the pot"
}
