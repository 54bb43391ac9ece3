package cfr

import (
	"sync"
	"sync/atomic"

	"gamebots/acpc"
	"gamebots/solvers/cfr/betting"
)

// frame holds the vectors of one segment while it is walked, each as wide as
// the part of the round's boards that is walked. Segments of the last round,
// almost all of a game, share one frame a worker; a segment of an earlier
// round has a frame of its own, over all boards, because it waits for the
// segments after it between the way down and the way up.
type frame[F float] struct {
	in     part
	width  int
	stride int                  // of the round: distance between the entries of two actions
	reach  []F                  // a vector for each player at the root, then one a node
	value  []F                  // one a node
	sigma  []F                  // training only: one a node, the probability of going there
	best   []F                  // evaluation only: one a node, the value of the best response
	at     [acpc.MaxPlayers][]F // the players' reach at the end that is valued
	sums   []F                  // scratch for its ends, and for means
	rooms  [2][]F               // for a decision's numbers of 16 bits
}

// unpack returns room for the numbers of a decision, if they are of 16 bits.
func (f *frame[F]) unpack(half bool, r row) *[2][]F {
	for i := range f.rooms {
		if n := r.actions * r.width; half && len(f.rooms[i]) < n {
			f.rooms[i] = make([]F, n)
		}
	}
	return &f.rooms
}

func newFrame[F float](players, nodes, width, stride int, training bool) *frame[F] {
	f := &frame[F]{
		stride: stride,
		reach:  make([]F, (players+nodes)*width),
		value:  make([]F, nodes*width),
	}
	if training {
		f.sigma = make([]F, nodes*width)
	} else {
		f.best = make([]F, nodes*width)
	}
	return f
}

// frameVectors is how many vectors a frame has for each node.
const frameVectors = 3

func vector[F float](of []F, i int32, width int) []F { return of[int(i)*width:][:width] }

// walk goes over a game's public tree: down for the reach of every sequence, up
// for its values. What is done at decisions is up to its user.
type walk[F float] struct {
	*Layout
	ends    ends[F]
	weights [][]F // by round, abstraction.Round.Weight
	threads int

	// frames are of the segments before the last round, and rootValue, rootBest
	// the values at the root of each segment of the last.
	frames              []*frame[F]
	rootValue, rootBest [][]F
	workers             []*frame[F]
	// given are, by segment, means of the last round's values that somebody else
	// computed: of the values, then of the best ones. Nil where nobody did.
	given [][]F

	// down and up visit one decision, player's values being asked for.
	player   int
	down, up func(f *frame[F], node int32, n *betting.Node, local int32)
	// The steps of traverse, bound once so that an iteration allocates nothing.
	first, tasks                int32
	descendTask, lastTask, rise func(worker, task int)
}

func newWalk[F float](l *Layout, threads int, training bool) *walk[F] {
	return newWalkOver[F](l, threads, training, false)
}

// newWalkOver returns a walk. One that never holds the values of more than one
// segment of the last round is narrow.
func newWalkOver[F float](l *Layout, threads int, training, narrow bool) *walk[F] {
	w := &walk[F]{Layout: l, ends: newEnds[F](l), threads: max(1, threads)}
	players, last := l.Tree.Game.NumPlayers, l.Tree.Game.NumRounds-1
	for r := range l.Cards.Rounds {
		weights := make([]F, l.Cards.Rounds[r].Stride)
		for i, x := range l.Cards.Rounds[r].Weight {
			weights[i] = F(x)
		}
		w.weights = append(w.weights, weights)
	}
	stride := l.Cards.Rounds[last].Stride
	scratch := w.ends.scratch()
	for r := range last {
		for i := range l.Cards.Rounds[r].Boards {
			scratch = max(scratch, int(l.Cards.Rounds[r].Boards[i].Num))
		}
	}
	w.rootValue = make([][]F, len(l.Tree.Segments))
	w.rootBest = make([][]F, len(l.Tree.Segments))
	for k, s := range l.Tree.Segments {
		if first := l.rounds[last]; s.Round == last && narrow && int32(k) > first {
			w.rootValue[k], w.rootBest[k] = w.rootValue[first], w.rootBest[first]
			continue
		}
		if s.Round == last {
			w.rootValue[k] = make([]F, stride)
			if !training {
				w.rootBest[k] = make([]F, stride)
			}
			continue
		}
		width := l.Cards.Rounds[s.Round].Stride
		f := newFrame[F](players, int(s.Last-s.First), width, width, training)
		f.in, f.width, f.sums = l.parts[s.Round][0], width, make([]F, scratch)
		w.frames = append(w.frames, f)
		w.rootValue[k] = f.value[:width]
		if !training {
			w.rootBest[k] = f.best[:width]
		}
	}
	width := 0
	for _, in := range l.parts[last] {
		width = max(width, in.width())
	}
	for range w.threads {
		f := newFrame[F](players, l.widest[last], width, stride, training)
		f.sums = make([]F, scratch)
		w.workers = append(w.workers, f)
	}
	w.descendTask = func(_, task int) { w.descend(w.frames[int(w.first)+task], w.first+int32(task)) }
	w.rise = func(_, task int) { w.ascend(w.frames[int(w.first)+task], w.first+int32(task)) }
	w.lastTask = func(worker, task int) {
		parts := l.parts[last]
		f, segment := w.workers[worker], w.first+int32(task/len(parts))
		f.in = parts[task%len(parts)]
		f.width = f.in.width()
		w.descend(f, segment)
		w.ascend(f, segment)
		copy(w.rootValue[segment][f.in.first:], f.value[:f.width])
		if f.best != nil {
			copy(w.rootBest[segment][f.in.first:], f.best[:f.width])
		}
	}
	return w
}

// traverse walks the whole tree for a player.
func (w *walk[F]) traverse(player int) {
	w.player = player
	last := w.Tree.Game.NumRounds - 1
	w.descendTo(last)
	w.first, w.tasks = w.rounds[last], (w.rounds[last+1]-w.rounds[last])*int32(len(w.parts[last]))
	w.each(w.lastTask)
	w.ascendFrom(last)
}

// descendTo walks down the rounds before one.
func (w *walk[F]) descendTo(round int) {
	for r := range round {
		w.first, w.tasks = w.rounds[r], w.rounds[r+1]-w.rounds[r]
		w.each(w.descendTask)
	}
}

// ascendFrom walks up the rounds before one.
func (w *walk[F]) ascendFrom(round int) {
	for r := round - 1; r >= 0; r-- {
		w.first, w.tasks = w.rounds[r], w.rounds[r+1]-w.rounds[r]
		w.each(w.rise)
	}
}

// each does all tasks of a step. Tasks write to places of their own, so the
// number of threads changes nothing in the results.
func (w *walk[F]) each(do func(worker, task int)) {
	tasks := int(w.tasks)
	if w.threads == 1 || tasks == 1 {
		for task := range tasks {
			do(0, task)
		}
		return
	}
	var next atomic.Int64
	var group sync.WaitGroup
	for worker := range min(w.threads, tasks) {
		group.Go(func() {
			for {
				task := int(next.Add(1)) - 1
				if task >= tasks {
					return
				}
				do(worker, task)
			}
		})
	}
	group.Wait()
}

// descend computes the reach of a segment's nodes.
func (w *walk[F]) descend(f *frame[F], segment int32) {
	s := &w.Tree.Segments[segment]
	w.enter(f, segment)
	for i := s.First; i < s.Last; i++ {
		if n := &w.Tree.Nodes[i]; n.Kind == betting.Decision {
			w.down(f, i, n, i-s.First)
		}
	}
}

// enter sets the players' reach at the root of a segment: what it was where
// the segment before ended, for the hands that the new cards leave.
func (w *walk[F]) enter(f *frame[F], segment int32) {
	s := &w.Tree.Segments[segment]
	round := &w.Cards.Rounds[s.Round]
	boards := round.Boards[f.in.firstBoard:f.in.lastBoard]
	from := w.Tree.Nodes[s.First].Parent
	for p := range w.Tree.Game.NumPlayers {
		to := vector(f.reach, int32(p), f.width)
		clear(to)
		var source []F
		if from >= 0 {
			before := w.frames[w.before[segment]]
			source = vector(before.reach, w.slot(from, p), before.width)
		}
		for i := range boards {
			b := &boards[i]
			to := to[int(b.First)-f.in.first:][:b.Num]
			if from < 0 {
				for h := range to {
					to[h] = 1
				}
				continue
			}
			for h, up := range round.Up[b.First:][:b.Num] {
				to[h] = source[up]
			}
		}
	}
}

// ascend computes the values of a segment's nodes, the last ones first.
func (w *walk[F]) ascend(f *frame[F], segment int32) {
	s := &w.Tree.Segments[segment]
	for i := s.Last - 1; i >= s.First; i-- {
		n, local := &w.Tree.Nodes[i], i-s.First
		switch n.Kind {
		case betting.Decision:
			w.up(f, i, n, local)
		case betting.Terminal:
			for p := range w.Tree.Game.NumPlayers {
				f.at[p] = vector(f.reach, w.slot(i, p), f.width)
			}
			v := vector(f.value, local, f.width)
			w.ends.value(v, n.First, w.player, s.Round, f.in, &f.at, f.sums)
			if f.best != nil {
				copy(vector(f.best, local, f.width), v)
			}
		case betting.Deal:
			if w.given != nil && s.Round+1 == w.Tree.Game.NumRounds-1 {
				means := w.given[n.First]
				copy(vector(f.value, local, f.width), means)
				copy(vector(f.best, local, f.width), means[f.width:])
				continue
			}
			w.average(vector(f.value, local, f.width), w.rootValue[n.First], s.Round+1, f.sums)
			if f.best != nil {
				w.average(vector(f.best, local, f.width), w.rootBest[n.First], s.Round+1, f.sums)
			}
		}
	}
}

// average sets v, over the buckets before a round, to the mean of the values
// that the buckets of the round have: the sum over shares of their boards.
func (w *walk[F]) average(v, values []F, round int, scratch []F) {
	clear(v)
	weights, next := w.weights[round], &w.Cards.Rounds[round]
	for _, share := range w.shares[round] {
		b := &w.Cards.Rounds[round-1].Boards[next.Boards[share.firstBoard].Parent]
		v := v[b.First:][:b.Num]
		sums := scratch[:len(v)]
		clear(sums)
		for i := share.first; i < share.last; i++ {
			if weights[i] > 0 { // no padding
				sums[next.Up[i]-b.First] += F(weights[i] * values[i])
			}
		}
		for h, x := range sums {
			v[h] += x
		}
	}
}

// rootMean returns the mean over all deals of the values at the root.
func rootMean[F float](l *Layout, values []F) float64 {
	sum := 0.0
	for i, x := range l.Cards.Rounds[0].Weight {
		sum += float64(x * float64(values[i]))
	}
	return sum
}
