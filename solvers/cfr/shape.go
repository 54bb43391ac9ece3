package cfr

import (
	"iter"

	"gamebots/acpc"
)

// Shape is the size of a betting tree.
type Shape struct {
	Nodes, Segments, Ends int
	// Decisions and Actions count the decision nodes and their actions by
	// round.
	Decisions, Actions [acpc.MaxRounds]int
	// Complete is false where counting stopped early, and all counts are lower
	// bounds.
	Complete bool
}

// ShapeOf counts the betting sequences of a game, up to a limit of nodes. It
// takes about a tenth of a second for a million.
func ShapeOf(g *acpc.Game, limit int) Shape {
	s := Shape{Segments: 1}
	s.count(newLine(g), 0, 0, limit)
	s.Complete = s.Nodes <= limit
	return s
}

// count adds the hand at the depth of a line, met in a segment of a round, and
// all that follow it.
func (s *Shape) count(l line, depth, round, limit int) {
	state := &l[depth]
	for s.Nodes++; state.Round() > round; s.Nodes++ {
		s.Segments++
		round++
	}
	if state.Finished() {
		s.Ends++
		return
	}
	s.Decisions[round]++
	for a := range legal(state) {
		if s.Nodes > limit {
			return
		}
		s.Actions[round]++
		l.play(depth, a)
		s.count(l, depth+1, round, limit)
	}
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

// legal yields the actions at a decision in the order fold, call, raises
// upwards. As in the original server nobody may fold with nothing to call.
func legal(state *acpc.State) iter.Seq[acpc.Action] {
	return func(yield func(acpc.Action) bool) {
		if state.CanFold() && !yield(acpc.Action{Type: acpc.Fold}) || !yield(acpc.Action{Type: acpc.Call}) {
			return
		}
		if low, high, ok := state.RaiseBounds(); ok {
			for size := low; size <= high; size++ {
				if !yield(acpc.Action{Type: acpc.Raise, Size: size}) {
					return
				}
			}
		}
	}
}
