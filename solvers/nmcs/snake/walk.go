package snake

import (
	"context"
	"math/bits"
	"slices"

	"gamebots/solvers/nmcs"
	"gamebots/solvers/nmcs/snake/cube"
)

// A walk changes a snake or a coil a little at a time, and goes on from most changes that do not
// make it worse. Most snakes of a length are connected by such changes to many others, and some
// of these can be made longer. A change cuts out a part, and searches depth first, in random
// order, for another one between the same two vertices, or from one vertex on if the part was
// an end.
//
// Longer is better, and so are more free vertices, those that are neither on the path nor
// beside it: the path may use them later. A change for the worse is accepted at random, as in
// simulated annealing. A device makes the same changes, with a warp for each walk: see
// kernels/snake/walk.cu.

// walk is a snake or a coil on its walk.
type walk struct {
	path     []uint16 // vertices; the last one of a coil is adjacent to the first one, or to its image
	longest  []uint16 // the longest path so far
	rotation rotation // which makes the path a coil
	stream   nmcs.Stream
	work     nmcs.Work // changes tried, and vertices entered by their searches
}

// A change tries these lengths of the part that it cuts out, in edges, and this much work.
const (
	minWindow  = 3 // between two vertices that stay
	maxWindow  = 60
	maxEnd     = 90  // at an end
	endPercent = 20  // of changes
	maxEntered = 300 // vertices, by a search
	maxTrail   = 256 // vertices of a part

	// An edge is worth as much as this number of free vertices. A change that makes the path
	// worth n free vertices less is accepted with probability 2^-n.
	edgeWorth = 5

	// No path has more than maxShorter edges less than the longest. In an empty cube a short
	// path would otherwise get shorter, as it leaves more vertices free.
	maxShorter = 4
)

// newWalk returns a walk from a sequence, which has the rotation.
func newWalk(s cube.Sequence, coil bool, turns rotation, stream nmcs.Stream) *walk {
	path := vertices(s)
	if coil {
		path = path[:len(s)/turns.copies()]
	}
	return &walk{path: path, longest: slices.Clone(path), rotation: turns, stream: stream}
}

// sequence returns a path as a sequence in canonical form.
func sequence(path []uint16, coil bool) cube.Sequence {
	if coil {
		path = append(slices.Clone(path), path[0])
	}
	var s cube.Sequence
	for i, v := range path[1:] {
		s = append(s, edge(v, path[i]))
	}
	return s.Canonical()
}

// rotate makes a random vertex of a coil its first one, so that windows may lie across the old
// one.
func (w *walk) rotate() {
	at := w.stream.Below(len(w.path))
	path := slices.Clone(w.path[at:])
	for _, v := range w.path[:at] {
		path = append(path, w.rotation.turn(v))
	}
	w.path = path
}

// walker makes the changes of a walk.
type walker struct {
	*walk
	rules cube.Rules
	near  []uint8 // by vertex: itself and its neighbours on the path, and nearGoal
	free  int     // vertices with nothing near
	trail [maxTrail]uint16
	left  [maxTrail]uint16 // by vertex of the trail: moves to try, as bits
	gates int              // neighbours that can still be entered of the goal, which the trail is to reach
}

// Marks are more than the number of vertices that a vertex can be near to.
const (
	nearGoal  = 64  // of the neighbours of the goal
	neverFree = 128 // of vertices that would touch their own copies
)

func newWalker(w *walk, r cube.Rules) *walker {
	k := &walker{walk: w, rules: r, near: make([]uint8, r.Vertices()), free: r.Vertices()}
	for v := range k.near {
		if w.rotation.meets(uint16(v)) {
			k.near[v] = neverFree
			k.free--
		}
	}
	for _, v := range w.path {
		k.enter(v)
	}
	return k
}

// change makes a number of changes of a walk, or fewer if the context is done.
func (w *walk) change(ctx context.Context, r cube.Rules, changes int) {
	k := newWalker(w, r)
	for i := 0; i < changes && !stopped(ctx, i); i++ {
		k.change()
	}
}

// change tries a change.
func (k *walker) change() {
	k.work.Playouts++
	last := len(k.path) - 1
	from, to := 0, last+1 // the part: its first vertex stays, as does the one after it
	window := k.rules.Coil || k.stream.Below(100) >= endPercent
	switch {
	case !window:
		if k.stream.Below(2) == 0 {
			slices.Reverse(k.path)
		}
		from = last - 1 - k.stream.Below(min(maxEnd, last))
	case last < minWindow:
		return
	default:
		edges := minWindow + k.stream.Below(min(maxWindow, last)-minWindow+1)
		from = k.stream.Below(last - edges + 1)
		to = from + edges
	}
	old := k.path[from:to]
	worth, least := k.worth(len(old)), len(k.longest)-maxShorter-(len(k.path)-len(old))
	for _, v := range old {
		k.leave(v)
	}
	k.gates = 1 // an end has no goal that could be blocked
	if window {
		k.aim(k.path[to])
	}
	part := k.search(old, least, worth, window)
	if window {
		k.unaim(k.path[to])
	}
	if part == nil {
		part = old
	}
	for _, v := range part {
		k.enter(v)
	}
	k.path = slices.Replace(k.path, from, to, part...)
	if len(k.path) > len(k.longest) {
		k.longest = append(k.longest[:0], k.path...)
	}
}

// worth returns the worth of the path in free vertices, if the part that changes has a number
// of vertices.
func (k *walker) worth(vertices int) int { return edgeWorth*vertices + k.free/k.rotation.copies() }

// aim makes a vertex the goal, and unaim undoes it.
func (k *walker) aim(goal uint16) {
	k.gates = 0
	for m := range k.rules.Dimension {
		near := &k.near[goal^1<<m]
		if *near |= nearGoal; *near == nearGoal+1 {
			k.gates++
		}
	}
}

func (k *walker) unaim(goal uint16) {
	for m := range k.rules.Dimension {
		k.near[goal^1<<m] &^= nearGoal
	}
}

// search returns another part, of at least a number of vertices, that begins with the same one as
// the old part and makes the path worth about as much, or nil if it finds none. The part is valid
// until the next search.
func (k *walker) search(old []uint16, least, worth int, window bool) []uint16 {
	k.trail[0] = old[0]
	at := 0
	for entered := 1; ; entered++ {
		moves, closing := k.enter(k.trail[at])
		part := k.trail[:at+1]
		blocked := 0 // free vertices beside the last one, if that is not entered
		if closing != 0 {
			v := k.trail[at] ^ 1<<k.draw(closing)
			part, blocked = append(part, v), k.freeBeside(v)
		} else if k.gates == 0 {
			moves = 0
		}
		whole := closing != 0 || !window && moves == 0
		found := whole && len(part) >= least && !slices.Equal(part, old) && k.accepts(worth-k.worth(len(part))+blocked)
		exhausted := found || entered == maxEntered || at == maxTrail-2
		for k.left[at] = moves; k.left[at] == 0 || exhausted; at-- {
			k.leave(k.trail[at])
			if at == 0 {
				k.work.Steps += uint64(entered)
				if found {
					return part
				}
				return nil
			}
		}
		m := k.draw(k.left[at])
		k.left[at] &^= 1 << m
		k.trail[at+1] = k.trail[at] ^ 1<<m
		at++
	}
}

// accepts draws whether a change is accepted that makes the path worth less by a number of
// free vertices.
func (k *walker) accepts(less int) bool {
	return less <= 0 || bits.LeadingZeros32(k.stream.Uint32()) >= less
}

// enter puts a vertex on the path, and its copies. It returns the moves from there that touch
// nothing, and those that touch the goal alone.
func (k *walker) enter(v uint16) (moves, closing uint16) {
	for _, images := range k.rotation {
		k.enterOne(images[v])
	}
	return k.enterOne(v)
}

func (k *walker) enterOne(v uint16) (moves, closing uint16) {
	if k.near[v]++; k.near[v] == 1 {
		k.free--
	}
	for m := range k.rules.Dimension {
		near := &k.near[v^1<<m]
		switch *near++; *near {
		case 1:
			moves |= 1 << m
			k.free--
		case nearGoal + 2:
			closing |= 1 << m
			k.gates--
		}
	}
	return moves, closing
}

// leave undoes enter.
func (k *walker) leave(v uint16) {
	k.leaveOne(v)
	for _, images := range k.rotation {
		k.leaveOne(images[v])
	}
}

func (k *walker) leaveOne(v uint16) {
	if k.near[v]--; k.near[v] == 0 {
		k.free++
	}
	for m := range k.rules.Dimension {
		near := &k.near[v^1<<m]
		switch *near--; *near {
		case 0:
			k.free++
		case nearGoal + 1:
			k.gates++
		}
	}
}

// freeBeside returns the number of free vertices beside a vertex.
func (k *walker) freeBeside(v uint16) int {
	n := 0
	for m := range k.rules.Dimension {
		if k.near[v^1<<m] == 0 {
			n++
		}
	}
	return n
}

// draw draws one of several moves, given as bits.
func (k *walker) draw(moves uint16) int {
	for skip := k.stream.Below(bits.OnesCount16(moves)); skip > 0; skip-- {
		moves &= moves - 1
	}
	return bits.TrailingZeros16(moves)
}
