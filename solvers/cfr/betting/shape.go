package betting

import "gamebots/acpc"

// Shape is the size of a betting tree.
type Shape struct {
	Counts
	// Betting is the action abstraction that was counted.
	Betting Actions
	// Complete is false where counting stopped early. All counts are then lower
	// bounds.
	Complete bool
}

// Counts counts parts of a betting tree. Arrays are by round.
type Counts struct {
	Nodes, Terminals int
	Segments         [acpc.MaxRounds]int
	// Decisions and Actions count the decision nodes and their actions.
	Decisions, Actions [acpc.MaxRounds]int
	// Widest is the number of nodes of the largest segment.
	Widest [acpc.MaxRounds]int
}

// add adds the counts of another part.
func (c *Counts) add(d *Counts) {
	c.Nodes += d.Nodes
	c.Terminals += d.Terminals
	for r := range acpc.MaxRounds {
		c.Segments[r] += d.Segments[r]
		c.Decisions[r] += d.Decisions[r]
		c.Actions[r] += d.Actions[r]
		c.Widest[r] = max(c.Widest[r], d.Widest[r])
	}
}

// roundNodes returns the number of nodes of a round: the roots of its segments, and a
// node for each action.
func (c *Counts) roundNodes(round int) int { return c.Segments[round] + c.Actions[round] }

// ShapeOf counts the betting sequences of a game with these actions, up to a limit of
// nodes. Every standing is counted once, so that trees of billions of nodes take
// milliseconds if many sequences lead to the same standing, as in limit games. Counting
// also stops after some seconds' work.
func (a Actions) ShapeOf(g *acpc.Game, limit int) Shape {
	c := counter{actions: a, line: NewLine(g, a), limit: limit, known: make(map[Entrance]int32),
		entered: make(map[Entrance]bool)}
	root := c.count(0, 0)
	root.enter(0)
	root.add(&c.later)
	return Shape{Counts: root.Counts, Betting: a, Complete: !c.stopped && root.Nodes <= limit}
}

const (
	// maxKnown bounds the subtrees that are remembered, which take about 400 bytes each.
	maxKnown = 1 << 19
	// maxPlayed bounds the actions that are played for counting. FCPA of hold'em for six with
	// 100 big blinds needs 7 million.
	maxPlayed = 1 << 23
)

// counter counts the nodes of a betting tree.
type counter struct {
	actions Actions
	line    *Line
	limit   int
	// known has the number of a subtree by its root, a decision. Neither has pointers, which the
	// garbage collector would follow.
	known    map[Entrance]int32
	subtrees []subtree
	// Of forgetful abstractions: where rounds were entered, and the segments that begin there.
	// The size of a subtree is then only that of its segment.
	entered map[Entrance]bool
	later   Counts
	played  int
	stopped bool
}

// subtree is the size of a part of a tree.
type subtree struct {
	Counts
	here int // nodes of the segment that the root is in
}

// enter makes the root of the subtree the root of a segment.
func (s *subtree) enter(round int) {
	s.Segments[round]++
	s.Widest[round] = max(s.Widest[round], s.here)
}

// count returns the size of the tree from the state at depth on, whose node is in a
// segment of a round.
func (c *counter) count(depth, round int) subtree {
	state := c.line.State(depth)
	s := subtree{Counts{Nodes: 1}, 1}
	switch {
	case state.Round() > round:
		counted := &s.Counts
		if c.actions.forgetful {
			entrance := c.line.Entrance(depth, round+1)
			if c.entered[entrance] {
				return s
			}
			c.entered[entrance] = true
			counted = &c.later
		}
		next := c.count(depth, round+1)
		next.enter(round + 1)
		counted.add(&next.Counts)
		return s
	case state.Finished():
		s.Terminals = 1
		return s
	}
	root := Entrance{standing: state.Standing(), in: c.line.in[depth]}
	if c.actions.forgetful {
		root = c.line.within(depth, round)
	}
	if known, ok := c.known[root]; ok {
		return c.subtrees[known]
	}
	s.Decisions[round] = 1
	for a := range c.line.Legal(depth) {
		c.line.Play(depth, a)
		c.played++
		child := c.count(depth+1, round)
		s.Actions[round]++
		s.here += child.here
		s.add(&child.Counts)
		if c.stopped = c.stopped || s.Nodes > c.limit || c.played > maxPlayed; c.stopped {
			return s
		}
	}
	// Where dead money is forgotten, few standings come again before the round is entered from elsewhere.
	if len(c.known) < maxKnown && !c.actions.deadMoney {
		c.known[root] = int32(len(c.subtrees))
		c.subtrees = append(c.subtrees, s)
	}
	return s
}
