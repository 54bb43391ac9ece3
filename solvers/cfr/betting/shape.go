package betting

import "gamebots/acpc"

// Shape is the size of a betting tree.
type Shape struct {
	Nodes, Segments, Terminals int
	// Decisions and Actions count the decision nodes and their actions by
	// round.
	Decisions, Actions [acpc.MaxRounds]int
	// Widest is the number of nodes of the largest segment of each round.
	Widest [acpc.MaxRounds]int
	// Betting is the action abstraction that was counted.
	Betting Actions
	// Complete is false where counting stopped early. All counts are then lower
	// bounds.
	Complete bool
}

// ShapeOf counts the betting sequences of a game with these actions, up to a
// limit of nodes. A million nodes take about a tenth of a second.
func (a Actions) ShapeOf(g *acpc.Game, limit int) Shape {
	s := Shape{Betting: a}
	s.segment(newLine(g), 0, 0, limit)
	s.Complete = s.Nodes <= limit
	return s
}

// segment adds the segment of a round that starts with the state at depth.
func (s *Shape) segment(l line, depth, round, limit int) {
	s.Segments++
	s.Widest[round] = max(s.Widest[round], s.count(l, depth, round, limit))
}

// count adds the node of the state at depth, which is in a segment of a round,
// and its subtree. It returns how many of these nodes are in that segment.
func (s *Shape) count(l line, depth, round, limit int) int {
	state := &l[depth]
	s.Nodes++
	switch {
	case state.Round() > round:
		s.segment(l, depth, round+1, limit)
		return 1
	case state.Finished():
		s.Terminals++
		return 1
	}
	s.Decisions[round]++
	nodes := 1
	for a := range s.Betting.Legal(state) {
		if s.Nodes > limit {
			break
		}
		s.Actions[round]++
		l.play(depth, a)
		nodes += s.count(l, depth+1, round, limit)
	}
	return nodes
}

// line holds the states along one betting sequence: one before each action and
// one after the last. A traversal that reuses a line does not allocate a state,
// which is large, for every node.
type line []acpc.State

func newLine(g *acpc.Game) line {
	l := make(line, acpc.MaxRounds*acpc.MaxActions+1)
	l[0] = g.NewState(0)
	return l
}

// play sets the state that follows the one at depth.
func (l line) play(depth int, a acpc.Action) {
	l[depth+1] = l[depth]
	l[depth+1].Apply(a)
}
