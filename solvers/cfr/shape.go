package cfr

import "gamebots/acpc"

// Shape is the size of a betting tree.
type Shape struct {
	Nodes, Segments, Ends int
	// Decisions and Actions count the decision nodes and their actions by
	// round.
	Decisions, Actions [acpc.MaxRounds]int
	// Widest is the number of nodes of the largest segment of each round.
	Widest [acpc.MaxRounds]int
	// Betting says which raises were counted.
	Betting Actions
	// Complete is false where counting stopped early, and all counts are lower
	// bounds.
	Complete bool
}

// ShapeOf counts the betting sequences of a game with all raises, up to a limit
// of nodes. It takes about a tenth of a second for a million.
func ShapeOf(g *acpc.Game, limit int) Shape { return Actions{}.ShapeOf(g, limit) }

// ShapeOf counts the betting sequences of a game with these actions, up to a
// limit of nodes.
func (a Actions) ShapeOf(g *acpc.Game, limit int) Shape {
	s := Shape{Betting: a}
	s.segment(newLine(g), 0, 0, limit)
	s.Complete = s.Nodes <= limit
	return s
}

// segment adds the segment in which the hand at the depth of a line is played
// on in a round.
func (s *Shape) segment(l line, depth, round, limit int) {
	s.Segments++
	s.Widest[round] = max(s.Widest[round], s.count(l, depth, round, limit))
}

// count adds the hand at the depth of a line, met in a segment of a round, and
// all that follow it, and returns how many of them are in that segment.
func (s *Shape) count(l line, depth, round, limit int) int {
	state := &l[depth]
	s.Nodes++
	switch {
	case state.Round() > round:
		s.segment(l, depth, round+1, limit)
		return 1
	case state.Finished():
		s.Ends++
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

// line is the hand along one betting sequence, a state before each action and
// after the last. Going through all sequences it saves a large state on the
// heap for every one.
type line []acpc.State

func newLine(g *acpc.Game) line {
	l := make(line, acpc.MaxRounds*acpc.MaxActions+1)
	l[0] = g.NewState(0)
	return l
}

// play sets the state after the one at depth.
func (l line) play(depth int, a acpc.Action) {
	l[depth+1] = l[depth]
	l[depth+1].Apply(a)
}
