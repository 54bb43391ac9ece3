package records

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
// Longer is better, and so is more room: vertices that are neither on the path nor beside it,
// which the path may use later, and those beside one of its vertices alone, which a change may
// set free. A change for the worse is accepted at random, as in simulated annealing. A device
// makes the same changes, with a warp for each walk: see cudalib/snakegpu/walk.cu.

// walk is a snake or a coil on its walk.
type walk struct {
	path     []uint16 // vertices; the last one of a coil is adjacent to the first one, or to its image
	longest  []uint16 // the longest path so far
	rotation rotation // makes the path a coil
	stream   nmcs.Stream
	work     nmcs.Work // changes tried, and vertices entered by their searches
}

// A change tries these lengths of the part that it cuts out, in edges, and this much work.
const (
	minWindow  = 3   // between two vertices that stay
	maxPart    = 60  // there or at an end
	endPercent = 20  // percentage of changes at an end
	maxEntered = 300 // vertices, by a search
	maxTrail   = 256 // vertices of a part

	// An edge is worth as much as this room. A change that makes the path worth 2n or 2n+1
	// less is accepted with probability 2^-n.
	edgeWorth = 10

	// No path has more than maxShorter edges less than the longest. In an empty cube a short
	// path would otherwise get shorter, as it leaves more room.
	maxShorter = 8
)

// newWalk returns a walk from a sequence, which has the rotation.
func newWalk(s cube.Sequence, coil bool, turns rotation, stream nmcs.Stream) *walk {
	path := s.Vertices()
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

// found returns the longest snake or coil of the walk.
func (w *walk) found(r cube.Rules) cube.Sequence {
	return sequence(w.rotation.whole(w.longest), r.Coil)
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
	near  []uint8 // for each vertex: itself and its neighbours on the path, and nearGoal
	room  int     // two for each vertex, less those of the path that it is near to, but not below 0
	trail [maxTrail]uint16
	left  [maxTrail]uint16 // moves to try from each vertex of the trail, as bits
	gates int              // neighbours that can still be entered of the goal, which the trail is to reach
}

// Marks are more than the number of vertices that a vertex can be near to.
const (
	nearGoal  = 64  // mark of the neighbours of the goal
	neverFree = 128 // mark of vertices that would touch their own copies
)

func newWalker(w *walk, r cube.Rules) *walker {
	k := &walker{walk: w, rules: r, near: make([]uint8, r.Vertices()), room: 2 * r.Vertices()}
	for v := range k.near {
		if w.rotation.meets(uint16(v)) {
			k.near[v] = neverFree
			k.room -= 2
		}
	}
	for _, v := range w.path {
		k.enter(v)
	}
	return k
}

// change makes changes of a walk, as many as changes says, or fewer if the context is done.
func (w *walk) change(ctx context.Context, r cube.Rules, changes int) {
	k := newWalker(w, r)
	for i := 0; i < changes && (i&1023 != 0 || ctx.Err() == nil); i++ {
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
		from = last - 1 - k.stream.Below(min(maxPart, last))
	case last < minWindow:
		return
	default:
		edges := minWindow + k.stream.Below(min(maxPart, last)-minWindow+1)
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

// worth returns the worth of the path if the part that changes has n vertices.
func (k *walker) worth(n int) int { return edgeWorth*n + k.room/k.rotation.copies() }

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

// search returns another part, of at least least vertices, that begins with the same one as the old
// part and makes the path worth about as much, or nil if it finds none. The part is valid until the
// next search.
func (k *walker) search(old []uint16, least, worth int, window bool) []uint16 {
	k.trail[0] = old[0]
	at := 0
	for entered := 1; ; entered++ {
		moves, closing := k.enter(k.trail[at])
		part := k.trail[:at+1]
		if closing != 0 {
			part = append(part, k.trail[at]^1<<k.draw(closing))
		} else if k.gates == 0 {
			moves = 0
		}
		whole := closing != 0 || !window && moves == 0
		found := whole && len(part) >= least && !slices.Equal(part, old) && k.accepts(worth-k.worthOf(part, at+1))
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

// worthOf returns the worth of the path with a part inserted. The first entered vertices of the
// part are entered: all of them, or all but the last one.
func (k *walker) worthOf(part []uint16, entered int) int {
	if entered == len(part) {
		return k.worth(entered)
	}
	k.enter(part[entered])
	worth := k.worth(len(part))
	k.leave(part[entered])
	return worth
}

// accepts draws whether a change is accepted that makes the path worth less.
func (k *walker) accepts(less int) bool {
	return less < 2 || bits.LeadingZeros32(k.stream.Uint32()) >= less/2
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
	k.near[v]++
	room := k.room - below(k.near[v], 3)
	for m := range k.rules.Dimension {
		near := &k.near[v^1<<m]
		*near++
		switch room -= below(*near, 3); *near {
		case 1:
			moves |= 1 << m
		case nearGoal + 2:
			closing |= 1 << m
			k.gates--
		}
	}
	k.room = room
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
	k.near[v]--
	room := k.room + below(k.near[v], 2)
	for m := range k.rules.Dimension {
		near := &k.near[v^1<<m]
		*near--
		if room += below(*near, 2); *near == nearGoal+1 {
			k.gates++
		}
	}
	k.room = room
}

// below returns 1 if a vertex is near to fewer than n vertices of the path, else 0: without a branch,
// which would often be predicted wrongly.
func below(near uint8, n uint32) int { return int((uint32(near&^nearGoal) - n) >> 31) }

// draw draws one of several moves, given as bits.
func (k *walker) draw(moves uint16) int {
	for skip := k.stream.Below(bits.OnesCount16(moves)); skip > 0; skip-- {
		moves &= moves - 1
	}
	return bits.TrailingZeros16(moves)
}
