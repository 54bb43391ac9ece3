package spot

import (
	"cmp"
	"slices"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/resolve/spot/internal/layout"
)

// A Node is what the players hold and do at a point of a spot.
type Node struct {
	Line  string // as [Solution.At] reads it
	Board Board
	Pot   int // chips in the middle, with the bets of the street
	// Put is what each player has put in on the street, and AllIn what that is after going all-in.
	Put   [2]int
	AllIn int
	// Player acts: 0 out of position, 1 in position.
	Player  int
	Actions []Action
	Hands   [2][]Hand // hands by player
	// Reached is the part of the hands with this board in which the players come to the point, from 0
	// to 1. The play at points that are hardly reached is hardly solved.
	Reached float64
}

// Turn returns what the player who acts has to decide, with a choice for each action.
func (n *Node) Turn() *acpc.Turn {
	return turn(n.Actions, n.Pot, n.Put[n.Player], n.Put[1-n.Player], n.AllIn)
}

// A Hand is what a player may hold at a Node.
type Hand struct {
	Hole card.Set
	// Weight is that of the range times the probability with which the player's own actions
	// lead here.
	Weight float64
	// Opposing is the sum of the weights of the other player's hands that share no card with it. If it is 0, the hand
	// has no value and no equity, and these are 0.
	Opposing float64
	// Value is what the hand wins from here on, in chips: its part of the pot less what the
	// player still puts in. Equity is its part of the pot if nobody bets any more, from 0 to 1.
	Value, Equity float64
	// Probabilities and Values are of the actions; nil for the player who does not act.
	Probabilities, Values []float64
}

// Check returns a LineError if a line does not lead to a decision.
func (s *Solution) Check(line string) error {
	r, rest, err := s.beyond(line)
	if r != nil {
		return r.full(r.Solution().Check(rest))
	}
	if err == nil {
		_, _, err = s.findDecision(line)
	}
	return err
}

// At returns what the players hold and do at a decision: the point that a line leads to.
//
// A line has steps apart by blanks, hyphens or slashes: x checks, c calls, f folds, b60 bets
// 60 chips, r180 raises to 180 chips on the street, and 7s is the next card of the board.
// The empty line is the root.
func (s *Solution) At(line string) (*Node, error) {
	if r, rest, err := s.beyond(line); r != nil || err != nil {
		return s.atRiver(line, r, rest, err)
	}
	node, err := s.node(line)
	if err != nil {
		return nil, err
	}
	s.setEquity(node)
	return node, nil
}

// node is At without equities.
func (s *Solution) node(line string) (*Node, error) {
	p, n, err := s.findDecision(line)
	if err != nil {
		return nil, err
	}
	captures, err := s.captures(&p)
	if err != nil {
		return nil, err
	}
	node := &Node{Line: line, Board: p.cards, Player: int(n.Actor), Pot: s.spot.Pot + p.put[0] + p.put[1],
		Put: [2]int{p.put[0] - p.base, p.put[1] - p.base}, AllIn: s.spot.Stack - p.base}
	for a := range int32(n.Actions) {
		node.Actions = append(node.Actions, s.taken[p.street][n.First+a])
	}
	for q, c := range captures {
		node.Hands[q] = s.hands(p, q, c, q == node.Player)
	}
	node.Reached = s.reached(node)
	return node, nil
}

// reached returns what Node.Reached is.
func (s *Solution) reached(n *Node) float64 {
	come, all := 0.0, 0.0
	for _, x := range n.Hands[0] {
		come += x.Weight * x.Opposing
		opposing := 0.0
		for _, y := range n.Hands[1] {
			if x.Hole&y.Hole == 0 {
				opposing += s.spot.Ranges[1].Weight(y.Hole)
			}
		}
		all += s.spot.Ranges[0].Weight(x.Hole) * opposing
	}
	if all == 0 {
		return 0
	}
	return come / all
}

// hands returns the hands of a player at a node that was captured, with their values.
func (s *Solution) hands(p point, player int, c *capture, acts bool) (all []Hand) {
	b := s.Boards[p.street][p.board]
	h := &b.Hands[player]
	opposing := opposing(b, player, c.reach[1-player])
	undo := inverse(p.renaming)
	worth := func(v float32, i int) float64 { return s.worth(v, opposing[i], p.street, p.put[player]) }
	for i, x := range h.Holes {
		hand := Hand{
			Hole: undo.Of(x.Set()), Weight: float64(c.reach[player][i]), Opposing: float64(opposing[i]),
			Value: worth(c.value[i], i),
		}
		if acts {
			hand.Values, hand.Probabilities = make([]float64, len(c.children)), make([]float64, len(c.children))
			for a, values := range c.children {
				hand.Values[a] = worth(values[i], i)
				hand.Probabilities[a] = float64(c.sigma[a][i])
			}
		}
		all = append(all, hand)
	}
	slices.SortFunc(all, func(x, y Hand) int {
		return cmp.Compare(layout.HoleOf(y.Hole).Index(), layout.HoleOf(x.Hole).Index())
	})
	return all
}

// setEquity sets the equities of the hands of a node, by a spot without chips to bet.
func (s *Solution) setEquity(n *Node) {
	e := s.checkedDown(n.Board)
	for p := range n.Hands {
		place := e.Root().Hands[p].Places()
		clear(e.reach[p])
		for _, h := range n.Hands[p] {
			e.reach[p][place[layout.HoleOf(h.Hole).Index()]] = float32(h.Weight)
		}
	}
	for p := range n.Hands {
		values := e.traverse(&pass{Pass: layout.Pass{Purpose: layout.Average, Player: p}})
		place := e.Root().Hands[p].Places()
		for i := range n.Hands[p] {
			if h := &n.Hands[p][i]; h.Opposing > 0 {
				h.Equity = (float64(values[place[layout.HoleOf(h.Hole).Index()]])/h.Opposing + 1) / 2
			}
		}
	}
}

// checkedDown returns a traversal without bets from a board on. It keeps the last one.
func (s *Solution) checkedDown(board []card.Card) *traversal {
	cards := card.SetOf(board...)
	if e := s.down; e != nil && e.Root().Cards == cards {
		return e
	}
	symmetries := abstraction.Renamings()[:1]
	if cards == s.Root().Cards { // where the hands of all nodes have them
		symmetries = s.Root().Symmetries
	}
	down := &Spot{Board: board, Pot: 2, Ranges: s.spot.Ranges}
	streets, taken, _ := newTree(down, layout.River, MaxNodes) // no error with one node on each street
	boards := s.Boards
	if cards != s.Root().Cards || len(boards[layout.River]) == 0 { // without rivers, as of a file
		boards = layout.NewBoards(cards, layout.River, s.spot.mayHave, symmetries, s.threads)
	}
	t := &table{down, layout.New(down.first(), streets, boards, down.payoffs), taken}
	e := &traversal{table: t, threads: s.threads, ones: slices.Repeat([]float32{1}, t.Widest)}
	e.setReach()
	e.allocate()
	s.down = e
	return e
}

// capture keeps what a traversal finds at a decision on a board.
type capture struct {
	layout.NodeKey
	reach    [2][]float32
	value    []float32
	children [][]float32 // the values after each action
	sigma    [][]float32 // the probabilities of the actions, where the player decides
}

// keep copies the vectors of a decision.
func (c *capture) keep(st *layout.Street, f *frame, t *layout.Batch, b *layout.Board, player int) {
	n := &st.Nodes[c.Node]
	for q := range c.reach {
		width := b.Hands[q].Width
		c.reach[q] = slices.Clone(f.reach[q][int(n.Slot[q])*width:][:width])
	}
	width := b.Hands[player].Width
	value := func(i int32) []float32 { return slices.Clone(f.value[int(i-t.First)*width:][:width]) }
	c.value = value(c.Node)
	for a := n.First; a < n.First+int32(n.Actions); a++ {
		c.children = append(c.children, value(a))
		if int(n.Actor) == player {
			c.sigma = append(c.sigma, slices.Clone(f.sigma[int(st.Nodes[a].Slot[player])*width:][:width]))
		}
	}
}

// Summary is the mean over the hands of a player at a node, by their weights and those of
// the other player's hands.
type Summary struct {
	Hands         float64 // the sum of the weights
	Value, Equity float64
	Probabilities []float64 // probabilities of the actions, if the player acts
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
