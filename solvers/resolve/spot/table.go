package spot

import (
	"fmt"
	"slices"
	"strings"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/acpc/ranges"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/resolve/spot/internal/layout"
)

// table is a spot as it is played: its layout, and the actions that lead to the nodes.
type table struct {
	spot *Spot
	*layout.Layout
	taken [layout.NumStreets][]Action
}

// newTable returns the table of the streets up to a last one, with at most so many nodes.
func newTable(s *Spot, last, nodes, threads int) (*table, error) {
	streets, taken, err := newTree(s, last, nodes)
	if err != nil {
		return nil, err
	}
	return &table{s, layout.New(s.first(), streets, s.boards(last, threads), s.payoffs), taken}, nil
}

// boards lists the boards of the streets up to a last one.
func (s *Spot) boards(last, threads int) [layout.NumStreets][]*layout.Board {
	first := card.SetOf(s.Board...)
	return layout.NewBoards(first, last, s.mayHave, s.symmetries(first), threads)
}

// mayHave reports whether a player may have hole cards: in its range, or because it has an offer.
func (s *Spot) mayHave(player int, hole card.Set) bool {
	return s.Ranges[player].Weight(hole) > 0 || s.Offer.has(player, hole)
}

// payoffs returns what the players win at an end beyond half of the pot at the root, times
// the probability of the cards.
func (s *Spot) payoffs(n *layout.Node, chance float64) (both layout.Payoffs) {
	stake := float64(s.Pot)/2 + float64(n.Put)
	rake := s.Rake.of(s.Pot + 2*int(n.Put))
	win, tie, lose := stake-rake, -rake/2, -stake
	if n.Kind == layout.Showdown {
		pays := layout.Payoff{
			Worse: float32((win - tie) * chance), NotBetter: float32((tie - lose) * chance),
			All: float32(lose * chance),
		}
		return layout.Payoffs{pays, pays}
	}
	both[n.Actor].All, both[1-n.Actor].All = float32(lose*chance), float32(win*chance)
	return both
}

// Decisions returns the number of decisions of the betting, without the cards.
func (t *table) Decisions() (n int) {
	for k := range t.Streets {
		for i := range t.Streets[k].Nodes {
			if t.Streets[k].Nodes[i].Kind == layout.Decision {
				n++
			}
		}
	}
	return n
}

// point is a point of a spot.
type point struct {
	street, board int
	node          int32
	renaming      abstraction.Renaming // leads from the suits as dealt to those of the board
	cards         []card.Card          // as dealt
	put           [2]int               // chips that each player has put in since the root
	base          int                  // chips of put when the street began
	way           []layout.NodeKey     // nodes before it, if it was found by a line
}

// key returns the node of a point.
func (p *point) key() layout.NodeKey {
	return layout.NodeKey{Street: p.street, Board: p.board, Node: p.node}
}

// A LineError is the error for a line that the spot does not have.
type LineError struct {
	Line string
	Step string // impossible step, or "" if nobody acts after the line
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

// Deals reports whether a card comes next after the line.
func (e *LineError) Deals() bool { return e.Step == "" && slices.Equal(e.Possible, cardStep) }

// cardStep are the steps that are possible where a card is dealt.
var cardStep = []string{"a card such as 2c"}

// cardsOf returns the cards in a line.
func cardsOf(line string) (cards []card.Card) {
	for _, step := range acpc.Steps(line) {
		if c, err := card.Parse(step); err == nil && len(step) == 2 {
			cards = append(cards, c)
		}
	}
	return cards
}

// find follows a line from the root.
func (t *table) find(line string) (p point, err error) {
	p = point{street: t.First, renaming: abstraction.Renaming{0, 1, 2, 3}, cards: slices.Clone(t.spot.Board)}
	for _, step := range acpc.Steps(line) {
		n, way := &t.Streets[p.street].Nodes[p.node], append(p.way, p.key())
		possible := t.possible(&p)
		a := t.pick(&p, n, step)
		switch c, err := card.Parse(step); {
		case n.Kind == layout.Deal && err == nil && len(step) == 2 && !slices.Contains(p.cards, c):
			p = t.afterCard(p, c)
		case n.Kind == layout.Decision && a >= 0:
			p.node = n.First + int32(a)
			p.act(int(n.Actor), t.taken[p.street][p.node])
		default:
			return p, &LineError{line, step, possible}
		}
		p.way = way
	}
	return p, nil
}

// pick returns the number of the action that a step is at a decision, as people type it; -1 if it is none.
func (t *table) pick(p *point, n *layout.Node, step string) int {
	if n.Kind != layout.Decision {
		return -1
	}
	own, other := p.put[n.Actor]-p.base, p.put[1-n.Actor]-p.base
	taken := t.taken[p.street][n.First:][:n.Actions]
	turn := turn(taken, t.spot.Pot+p.put[0]+p.put[1], own, other, t.spot.Stack-p.base)
	c, err := turn.Read(step)
	if err != nil {
		return -1
	}
	return slices.Index(turn.Choices, c)
}

// possible returns the steps that are possible at a point.
func (t *table) possible(p *point) (all []string) {
	switch n := &t.Streets[p.street].Nodes[p.node]; n.Kind {
	case layout.Decision:
		for a := range int32(n.Actions) {
			all = append(all, t.taken[p.street][n.First+a].String())
		}
	case layout.Deal:
		all = cardStep
	}
	return all
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
func (t *table) afterCard(p point, c card.Card) point {
	on := t.Boards[p.street][p.board]
	renamed := p.renaming.Of(c.Bit())
	for _, d := range on.Deals {
		next := t.Boards[p.street+1][d.Board]
		dealt := next.Cards &^ on.Cards
		for _, r := range d.Renamings {
			if r.Of(dealt) != renamed {
				continue
			}
			segment := t.Streets[p.street].Nodes[p.node].First
			return point{
				street: p.street + 1, board: d.Board, node: t.Streets[p.street+1].Root(segment),
				renaming: after(p.renaming, inverse(r)), cards: append(slices.Clip(p.cards), c),
				put: p.put, base: p.put[0],
			}
		}
	}
	panic("spot: no board for a card")
}

// findDecision is find for a line that leads to a decision.
func (t *table) findDecision(line string) (p point, n *layout.Node, err error) {
	if p, err = t.find(line); err != nil {
		return p, nil, err
	}
	switch n = &t.Streets[p.street].Nodes[p.node]; n.Kind {
	case layout.Decision:
		return p, n, nil
	case layout.Deal:
		return p, nil, &LineError{line, "", cardStep}
	}
	return p, nil, &LineError{line, "", nil}
}

// symmetries returns the renamings of suits that leave the board, the ranges, the locks and the
// offer of a spot as they are, the identity first.
func (s *Spot) symmetries(board card.Set) (all []abstraction.Renaming) {
	renamings := abstraction.Renamings()
	all = renamings[:1:1]
	for _, r := range renamings[1:] {
		locks := func(l Lock) bool { return !l.invariant(cardsOf(l.Line), r) }
		if r.Of(board) == board && invariant(s.Ranges[0], r) && invariant(s.Ranges[1], r) &&
			!slices.ContainsFunc(s.Locks, locks) && s.invariantOffer(r) {
			all = append(all, r)
		}
	}
	return all
}

// invariant reports whether a renaming leaves a range as it is.
func invariant(r *ranges.Range, renaming abstraction.Renaming) bool {
	for high := range uint8(card.DeckSize) {
		for low := range high {
			if set := (layout.Hole{high, low}).Set(); r.Weight(set) != r.Weight(renaming.Of(set)) {
				return false
			}
		}
	}
	return true
}

// inverse returns the renaming that undoes another.
func inverse(r abstraction.Renaming) (undo abstraction.Renaming) {
	for suit, to := range r {
		undo[to] = uint8(suit)
	}
	return undo
}

// after returns the renaming that does one and then another.
func after(first, then abstraction.Renaming) (both abstraction.Renaming) {
	for suit, to := range first {
		both[suit] = then[to]
	}
	return both
}
