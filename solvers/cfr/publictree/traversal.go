package publictree

import (
	"gamebots/acpc"
	"gamebots/internal/parallel"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
)

// Frame holds the vectors of one segment during a traversal, each as wide as the
// block of boards that is traversed. The segments of the last round, almost all of
// a game, share one frame a worker. A segment of an earlier round has a frame of
// its own, over all boards, because it waits for the segments after it between the
// way down and the way up.
type Frame[F Float] struct {
	Block    abstraction.BoardRange
	Width    int                  // width of the block
	Stride   int                  // distance between the entries of two actions in the round
	Reach    []F                  // a vector for each player at the root, then one a node
	Value    []F                  // one a node
	Sigma    []F                  // training only: one a node, the probability of going there
	Unpacked [2][]F               // training only: memory for entries of a decision
	best     []F                  // evaluation only: one a node, the value of the best response
	terminal [acpc.MaxPlayers][]F // the players' reach at a terminal node
	scratch  []F                  // memory for terminal values and means
}

func newFrame[F Float](players, nodes, width, stride int, mode traversalMode) *Frame[F] {
	f := &Frame[F]{
		Stride: stride,
		Reach:  make([]F, (players+nodes)*width),
		Value:  make([]F, nodes*width),
	}
	if mode == training {
		f.Sigma = make([]F, nodes*width)
	} else {
		f.best = make([]F, nodes*width)
	}
	return f
}

// frameVectors is how many vectors a frame has for each node.
const frameVectors = 3

// Vector returns one of some vectors of the frame.
func (f *Frame[F]) Vector(of []F, i int32) []F { return of[int(i)*f.Width:][:f.Width] }

// traversalMode is the purpose of a traversal. It decides which vectors it has.
type traversalMode uint8

const (
	training   traversalMode = iota // has the players' strategies
	evaluation                      // has the values of best responses
)

// Traversal goes over a game's public tree: down for the reach of every sequence,
// up for its values. Its user sets the work at decisions.
type Traversal[F Float] struct {
	*Layout
	terminals terminalValues[F]
	weights   [][]F // abstraction.Round.Weight by round
	threads   int

	// frames are of the segments before the last round. rootValue and rootBest are
	// the values at the root of each segment.
	frames              []*Frame[F]
	rootValue, rootBest [][]F
	workers             []*Frame[F]

	// Player is the one whose values are computed. Down and Up visit one decision: a node, which
	// is the local one of its segment.
	Player   int
	Down, Up func(f *Frame[F], node int32, n *betting.Node, local int32)
	// The steps of Traverse, bound once so that an iteration allocates little.
	first, tasks                      int32
	descendTask, lastTask, ascendTask func(worker, task int)
}

// NewTraversal returns a traversal for training, without values of best responses.
func NewTraversal[F Float](l *Layout, threads int) *Traversal[F] {
	return newTraversal[F](l, threads, training)
}

func newTraversal[F Float](l *Layout, threads int, mode traversalMode) *Traversal[F] {
	terminals := newTerminals[F](l.Tree.Terminals, l.Cards, l.cardLists)
	w := &Traversal[F]{Layout: l, terminals: terminals, threads: max(1, threads)}
	players, last := l.Tree.Game.NumPlayers, l.Tree.Game.NumRounds-1
	for r := range l.Cards.Rounds {
		weights := make([]F, l.Cards.Rounds[r].Stride)
		for i, x := range l.Cards.Rounds[r].Weight {
			weights[i] = F(x)
		}
		w.weights = append(w.weights, weights)
	}
	stride := l.Cards.Rounds[last].Stride
	scratch := w.terminals.Scratch()
	for r := range last {
		for i := range l.Cards.Rounds[r].Boards {
			scratch = max(scratch, int(l.Cards.Rounds[r].Boards[i].Num))
		}
	}
	w.rootValue = make([][]F, len(l.Tree.Segments))
	w.rootBest = make([][]F, len(l.Tree.Segments))
	for k, s := range l.Tree.Segments {
		if s.Round == last {
			w.rootValue[k] = make([]F, stride)
			if mode != training {
				w.rootBest[k] = make([]F, stride)
			}
			continue
		}
		width := l.Cards.Rounds[s.Round].Stride
		f := newFrame[F](players, int(s.Last-s.First), width, width, mode)
		f.Block, f.Width, f.scratch = l.blocks[s.Round][0], width, make([]F, scratch)
		w.frames = append(w.frames, f)
		w.rootValue[k] = f.Value[:width]
		if mode != training {
			w.rootBest[k] = f.best[:width]
		}
	}
	width := 0
	for _, block := range l.blocks[last] {
		width = max(width, block.Width())
	}
	for range w.threads {
		f := newFrame[F](players, l.widest[last], width, stride, mode)
		f.scratch = make([]F, scratch)
		w.workers = append(w.workers, f)
	}
	w.descendTask = func(_, task int) { w.descend(w.frames[int(w.first)+task], w.first+int32(task)) }
	w.ascendTask = func(_, task int) { w.ascend(w.frames[int(w.first)+task], w.first+int32(task)) }
	w.lastTask = func(worker, task int) {
		blocks := l.blocks[last]
		f, segment := w.workers[worker], w.first+int32(task/len(blocks))
		f.Block = blocks[task%len(blocks)]
		f.Width = f.Block.Width()
		w.descend(f, segment)
		w.ascend(f, segment)
		copy(w.rootValue[segment][f.Block.First:], f.Value[:f.Width])
		if f.best != nil {
			copy(w.rootBest[segment][f.Block.First:], f.best[:f.Width])
		}
	}
	return w
}

// Traverse goes over the whole tree for a player.
func (w *Traversal[F]) Traverse(player int) {
	w.Player = player
	last := w.Tree.Game.NumRounds - 1
	w.descendTo(last)
	w.first, w.tasks = w.firstSegment[last], (w.firstSegment[last+1]-w.firstSegment[last])*int32(len(w.blocks[last]))
	w.each(w.lastTask)
	w.ascendFrom(last)
}

// RootValues returns the values of the player's buckets at the root, which the next traversal changes.
func (w *Traversal[F]) RootValues() []F { return w.rootValue[0] }

// descendTo goes down the rounds before one.
func (w *Traversal[F]) descendTo(round int) {
	for r := range round {
		w.first, w.tasks = w.firstSegment[r], w.firstSegment[r+1]-w.firstSegment[r]
		w.each(w.descendTask)
	}
}

// ascendFrom goes up the rounds before one.
func (w *Traversal[F]) ascendFrom(round int) {
	for r := round - 1; r >= 0; r-- {
		w.first, w.tasks = w.firstSegment[r], w.firstSegment[r+1]-w.firstSegment[r]
		w.each(w.ascendTask)
	}
}

// each does all tasks of a step. Tasks write to places of their own, so the
// number of threads changes nothing in the results.
func (w *Traversal[F]) each(do func(worker, task int)) {
	parallel.For(w.threads, int(w.tasks), do)
}

// descend computes the reach of a segment's nodes.
func (w *Traversal[F]) descend(f *Frame[F], segment int32) {
	s := &w.Tree.Segments[segment]
	w.enter(f, segment)
	for i := s.First; i < s.Last; i++ {
		if n := &w.Tree.Nodes[i]; n.Kind == betting.Decision {
			w.Down(f, i, n, i-s.First)
		}
	}
}

// enter sets the players' reach at the root of a segment: that at the end of the
// segment before, for the hands that the new board cards leave possible.
func (w *Traversal[F]) enter(f *Frame[F], segment int32) {
	s := &w.Tree.Segments[segment]
	round := &w.Cards.Rounds[s.Round]
	boards := round.Boards[f.Block.FirstBoard:f.Block.LastBoard]
	from := s.From
	for p := range w.Tree.Game.NumPlayers {
		to := f.Vector(f.Reach, int32(p))
		clear(to)
		var source []F
		if from >= 0 {
			before := w.frames[w.parentSegment[segment]]
			source = before.Vector(before.Reach, w.ReachVector(from, p))
		}
		for i := range boards {
			b := &boards[i]
			to := to[int(b.First)-f.Block.First:][:b.Num]
			if from < 0 {
				for h := range to {
					to[h] = w.rootReach(p, int(b.First)+h)
				}
				continue
			}
			for h, up := range round.Up[b.First:][:b.Num] {
				to[h] = source[up]
			}
		}
	}
}

// rootReach returns the reach of a player's bucket at the root of the tree.
func (w *Traversal[F]) rootReach(player, bucket int) F {
	if w.Ranges == nil {
		return 1
	}
	return F(w.Ranges[player][bucket])
}

// ascend computes the values of a segment's nodes, the last ones first.
func (w *Traversal[F]) ascend(f *Frame[F], segment int32) {
	s := &w.Tree.Segments[segment]
	for i := s.Last - 1; i >= s.First; i-- {
		n, local := &w.Tree.Nodes[i], i-s.First
		switch n.Kind {
		case betting.Decision:
			w.Up(f, i, n, local)
		case betting.Terminal:
			for p := range w.Tree.Game.NumPlayers {
				f.terminal[p] = f.Vector(f.Reach, w.ReachVector(i, p))
			}
			v := f.Vector(f.Value, local)
			w.terminals.Value(v, n.First, w.Player, s.Round, f.Block, &f.terminal, f.scratch)
			if f.best != nil {
				copy(f.Vector(f.best, local), v)
			}
		case betting.Deal:
			w.average(f.Vector(f.Value, local), w.rootValue[n.First], s.Round+1, f.scratch)
			if f.best != nil {
				w.average(f.Vector(f.best, local), w.rootBest[n.First], s.Round+1, f.scratch)
			}
		}
	}
}

// average sets v, over the buckets of the round before, to the means of the values
// of a round's buckets. Each is a sum of partial sums.
func (w *Traversal[F]) average(v, values []F, round int, scratch []F) {
	clear(v)
	weights, next := w.weights[round], &w.Cards.Rounds[round]
	for _, part := range w.partialSums[round] {
		b := &w.Cards.Rounds[round-1].Boards[next.Boards[part.FirstBoard].Parent]
		v := v[b.First:][:b.Num]
		sums := scratch[:len(v)]
		clear(sums)
		for i := part.First; i < part.Last; i++ {
			if weights[i] > 0 { // no padding
				sums[next.Up[i]-b.First] += F(weights[i] * values[i])
			}
		}
		for h, x := range sums {
			v[h] += x
		}
	}
}
