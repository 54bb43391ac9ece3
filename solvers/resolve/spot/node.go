package spot

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gamebots/acpc/card"
	"gamebots/acpc/ranges"
	"gamebots/solvers/cfr/abstraction"
)

// A Node is what the players hold and do at a point of a spot.
type Node struct {
	Line  string // as [Solver.At] reads it
	Board []card.Card
	Pot   int // chips in the middle, with the bets of the street
	// Player acts: 0 out of position, 1 in position.
	Player  int
	Actions []Action
	Hands   [2][]Hand // of the players
}

// A Hand is what a player may hold at a Node.
type Hand struct {
	Hole card.Set
	// Weight is that of the range times the probability with which the player's own actions
	// lead here.
	Weight float64
	// Opposing is the sum of the weights of the other player's hands that share no card with it.
	Opposing float64
	// Value is what the hand wins from here on, in chips: its part of the pot less what the
	// player still puts in. Equity is its part of the pot if nobody bets any more, from 0 to 1.
	Value, Equity float64
	// Probabilities and Values are of the actions; nil for the player who does not act.
	Probabilities, Values []float64
}

// point is a point of a spot.
type point struct {
	street, board int
	node          int32
	renaming      abstraction.Renaming // of the suits of the cards as dealt to those of the board
	cards         []card.Card          // as dealt
	put           [2]int               // by the players since the root, in chips
	base          int                  // of it, what each had put in when the street began
}

// A LineError is the error for a line that the spot does not have.
type LineError struct {
	Line string
	Step string // that is not possible, or "" if nobody acts after the line
	// Possible are the steps that are.
	Possible []string
}

func (e *LineError) Error() string {
	if e.Step == "" {
		return fmt.Sprintf("line %q: no player acts there", e.Line)
	}
	return fmt.Sprintf("line %q: %q is not possible", e.Line, e.Step)
}

// Hint says what is possible.
func (e *LineError) Hint() string {
	if len(e.Possible) == 0 {
		return "the hand is over there"
	}
	return "possible: " + strings.Join(e.Possible, ", ")
}

// cardStep are the steps that are possible where a card is dealt.
var cardStep = []string{"a card such as 2c"}

// steps are the steps of a line.
func steps(line string) []string {
	return strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '-' || r == '/' })
}

// cardsOf returns the cards in a line.
func cardsOf(line string) (cards []card.Card) {
	for _, step := range steps(line) {
		if c, err := card.Parse(step); err == nil && len(step) == 2 {
			cards = append(cards, c)
		}
	}
	return cards
}

// find follows a line from the root.
func (s *Solver) find(line string) (p point, err error) {
	p = point{street: s.first, renaming: abstraction.Renaming{0, 1, 2, 3}, cards: slices.Clone(s.spot.Board)}
	for _, step := range steps(line) {
		n := &s.streets[p.street].nodes[p.node]
		if n.kind == deal {
			if c, err := card.Parse(step); err == nil && len(step) == 2 && !slices.Contains(p.cards, c) {
				p = s.afterCard(p, c)
				continue
			}
			return p, &LineError{line, step, cardStep}
		}
		if n.kind == choice {
			return p, &LineError{line, step, nil}
		}
		var possible []string
		found := false
		for a := range int32(n.actions) {
			child := n.first + a
			name := s.streets[p.street].nodes[child].action.String()
			if possible = append(possible, name); strings.EqualFold(name, step) {
				p.act(int(n.actor), s.streets[p.street].nodes[child].action)
				p.node, found = child, true
				break
			}
		}
		if !found {
			return p, &LineError{line, step, possible}
		}
	}
	return p, nil
}

// act counts the chips of an action.
func (p *point) act(player int, a Action) {
	switch a.Kind {
	case Call:
		p.put[player] = p.put[1-player]
	case Bet, Raise:
		p.put[player] = p.base + a.To
	}
}

// afterCard returns the point after a card is dealt.
func (s *Solver) afterCard(p point, c card.Card) point {
	on := s.boards[p.street][p.board]
	renamed := p.renaming.Of(c.Bit())
	for _, d := range on.deals {
		next := s.boards[p.street+1][d.board]
		dealt := next.cards &^ on.cards
		for _, r := range d.renamings {
			if r.Of(dealt) != renamed {
				continue
			}
			segment := s.streets[p.street].nodes[p.node].first
			return point{
				street: p.street + 1, board: d.board, node: s.streets[p.street+1].root(segment),
				renaming: after(p.renaming, inverse(r)), cards: append(slices.Clip(p.cards), c),
				put: p.put, base: p.put[0],
			}
		}
	}
	panic("spot: no board for a card")
}

// Check returns a LineError if a line does not lead to a decision.
func (s *Solver) Check(line string) error {
	_, _, err := s.findDecision(line)
	return err
}

// findDecision is find for a line that leads to a decision.
func (s *Solver) findDecision(line string) (p point, n *node, err error) {
	if p, err = s.find(line); err != nil {
		return p, nil, err
	}
	switch n = &s.streets[p.street].nodes[p.node]; n.kind {
	case decision:
		return p, n, nil
	case deal:
		return p, nil, &LineError{line, "", cardStep}
	}
	return p, nil, &LineError{line, "", nil}
}

// At returns what the players hold and do at a decision: the point that a line leads to.
//
// A line has steps apart by blanks, hyphens or slashes: x checks, c calls, f folds, b60 bets
// 60 chips, r180 raises to 180 chips on the street, and 7s is the next card of the board.
// The empty line is the root.
func (s *Solver) At(line string) (*Node, error) {
	p, n, err := s.findDecision(line)
	if err != nil {
		return nil, err
	}
	st := &s.streets[p.street]
	if err := s.fetch(); err != nil {
		return nil, err
	}
	node := &Node{Line: line, Board: p.cards, Player: int(n.actor), Pot: s.spot.Pot + p.put[0] + p.put[1]}
	for a := range int32(n.actions) {
		node.Actions = append(node.Actions, st.nodes[n.first+a].action)
	}
	for q := range node.Hands {
		c := &capture{street: p.street, board: p.board, node: p.node}
		s.traverse(&pass{mode: average, player: q, capture: c})
		if err := s.Err(); err != nil {
			return nil, err
		}
		node.Hands[q] = s.hands(p, q, c, q == node.Player)
	}
	return node, s.setEquity(node)
}

// hands returns the hands of a player at a node that was captured, with their values.
func (s *Solver) hands(p point, player int, c *capture, acts bool) (all []Hand) {
	b := s.boards[p.street][p.board]
	h := &b.hands[player]
	opposing := s.opposing(b, player, c.reach[1-player])
	undo := inverse(p.renaming)
	stake := float64(s.spot.Pot)/2 + float64(p.put[player])
	worth := func(v float32, i int) float64 {
		if opposing[i] <= 0 {
			return 0
		}
		return float64(v)/(float64(opposing[i])*s.chance(p.street)) + stake
	}
	for i, x := range h.holes {
		hand := Hand{Hole: undo.Of(x.set()), Weight: float64(c.reach[player][i]), Opposing: float64(opposing[i]), Value: worth(c.value[i], i)}
		if acts {
			hand.Values, hand.Probabilities = make([]float64, len(c.children)), make([]float64, len(c.children))
			for a, values := range c.children {
				hand.Values[a] = worth(values[i], i)
				hand.Probabilities[a] = float64(c.sigma[a][i])
			}
		}
		all = append(all, hand)
	}
	slices.SortFunc(all, func(x, y Hand) int { return cmp.Compare(holeOf(y.Hole).index(), holeOf(x.Hole).index()) })
	return all
}

// setEquity sets the equities of the hands of a node, by a spot without chips to bet.
func (s *Solver) setEquity(n *Node) error {
	down := &Spot{Board: n.Board, Pot: 2}
	for p := range n.Hands {
		down.Ranges[p] = new(ranges.Range)
		for _, h := range n.Hands[p] {
			down.Ranges[p].Set(h.Hole, h.Weight)
		}
	}
	e, err := New(down, Options{Algorithm: s.algorithm, Threads: s.threads, Memory: math.MaxInt64})
	if errors.Is(err, ErrNoHands) {
		return nil // nobody reaches the point
	}
	if err != nil {
		return err
	}
	for p := range n.Hands {
		values := e.traverse(&pass{mode: average, player: p})
		place := e.boards[e.first][0].hands[p].places()
		for i := range n.Hands[p] {
			h := &n.Hands[p][i]
			if at := place[holeOf(h.Hole).index()]; at != absent && h.Opposing > 0 {
				h.Equity = (float64(values[at])/h.Opposing + 1) / 2
			}
		}
	}
	return nil
}

// capture keeps what a traversal finds at a decision on a board.
type capture struct {
	street, board int
	node          int32
	reach         [2][]float32
	value         []float32
	children      [][]float32 // the values after each action
	sigma         [][]float32 // the probabilities of the actions, where the player decides
}

// keep copies the vectors of a decision.
func (c *capture) keep(st *street, f *frame, t *batch, b *board, player int) {
	n := &st.nodes[c.node]
	for q := range c.reach {
		width := b.hands[q].width
		c.reach[q] = slices.Clone(f.reach[q][int(n.slot[q])*width:][:width])
	}
	width := b.hands[player].width
	value := func(i int32) []float32 { return slices.Clone(f.value[int(i-t.first)*width:][:width]) }
	c.value = value(c.node)
	for a := n.first; a < n.first+int32(n.actions); a++ {
		c.children = append(c.children, value(a))
		if int(n.actor) == player {
			c.sigma = append(c.sigma, slices.Clone(f.sigma[int(st.nodes[a].slot[player])*width:][:width]))
		}
	}
}

// Summary is the mean over the hands of a player at a node, by their weights and those of
// the other player's hands.
type Summary struct {
	Hands         float64 // the sum of the weights
	Value, Equity float64
	Probabilities []float64 // of the actions, if the player acts
}

// Summary returns the means of a player's hands.
func (n *Node) Summary(player int) (s Summary) {
	if player == n.Player {
		s.Probabilities = make([]float64, len(n.Actions))
	}
	pairs := 0.0
	for _, h := range n.Hands[player] {
		weight := h.Weight * h.Opposing
		s.Hands += h.Weight
		pairs += weight
		s.Value += weight * h.Value
		s.Equity += weight * h.Equity
		for a, p := range h.Probabilities {
			s.Probabilities[a] += weight * p
		}
	}
	if pairs == 0 {
		return s
	}
	s.Value /= pairs
	s.Equity /= pairs
	for a := range s.Probabilities {
		s.Probabilities[a] /= pairs
	}
	return s
}
