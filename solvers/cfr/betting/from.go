package betting

import "gamebots/acpc"

// From returns the subtree from the start of a segment on. Its game has the rounds from there on,
// and its first round deals the whole board so far. It forgets no betting from there on.
func (t *Tree) From(segment int) *Tree {
	start := t.Segments[segment].Round
	out := &Tree{Game: gameFrom(t.Game, start), Shape: Shape{Betting: t.Shape.Betting.Remembering(), Complete: true},
		Terminals: t.Terminals}
	c := &out.Shape.Counts
	listed, from := []int32{int32(segment)}, []int32{-1} // segments, and the deals that lead to them
	for i := 0; i < len(listed); i++ {
		s := t.Segments[listed[i]]
		first, round := int32(len(out.Nodes)), s.Round-start
		for _, n := range t.Nodes[s.First:s.Last] {
			n.Round = uint8(round)
			switch n.Kind {
			case Decision:
				n.First += first - s.First
				c.Decisions[round]++
				c.Actions[round] += int(n.NumActions)
			case Terminal:
				c.Terminals++
			case Deal:
				listed, from = append(listed, n.First), append(from, int32(len(out.Nodes)))
				n.First = int32(len(listed) - 1)
			}
			out.Nodes = append(out.Nodes, n)
		}
		out.Segments = append(out.Segments,
			Segment{Round: round, First: first, Last: int32(len(out.Nodes)), From: from[i]})
		c.Segments[round]++
		c.Widest[round] = max(c.Widest[round], int(s.Last-s.First))
	}
	c.Nodes = len(out.Nodes)
	return out
}

// gameFrom returns a game without the rounds before one.
func gameFrom(g *acpc.Game, round int) *acpc.Game {
	rest := *g
	rest.NumRounds -= round
	for r := range rest.NumRounds { // nothing looks at the rounds after these
		rest.RaiseSize[r], rest.FirstPlayer[r] = g.RaiseSize[round+r], g.FirstPlayer[round+r]
		rest.MaxRaises[r], rest.NumBoardCards[r] = g.MaxRaises[round+r], g.NumBoardCards[round+r]
	}
	rest.NumBoardCards[0] = uint8(g.BoardCards(round))
	return &rest
}

// Parent returns the node before a node: the deal that leads to the root of a segment, or
// -1 at the start of a hand.
func (t *Tree) Parent(node int32) int32 {
	s := &t.Segments[t.SegmentOf(node)]
	if node == s.First {
		return s.From
	}
	parent := node - 1 // children come after their parents, in the same order
	for n := &t.Nodes[parent]; n.Kind != Decision || n.First > node; n = &t.Nodes[parent] {
		parent--
	}
	return parent
}
