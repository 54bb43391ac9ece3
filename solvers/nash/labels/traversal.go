package labels

import "gamebots/solvers/nash/bimatrix"

// A traversal visits subtrees depth first. It belongs to one goroutine.
type traversal struct {
	*Space
	stack [][2]*tableau // tableaus of each depth
	path  []decision    // to the current node
	stats Stats

	candidate func(rows, cols uint64) // called with the supports of a leaf
	// handOver is called before branching at a node, with the path to the second
	// branch. It reports whether the caller takes that branch over.
	handOver func(second []decision) bool
	done     func(depth int) // called where a branch ends
	failed   bool            // a simplex search cycled, or the caller wants no more
}

func newTraversal(s *Space) *traversal { return &traversal{Space: s} }

// at returns the tableaux of a depth.
func (tr *traversal) at(depth int) *[2]*tableau {
	for len(tr.stack) <= depth {
		var pair [2]*tableau
		for side, root := range tr.root {
			pair[side] = newTableau(len(root.rowVar), len(root.colVar), root.probe)
		}
		tr.stack = append(tr.stack, pair)
	}
	return &tr.stack[depth]
}

// visit traverses the subtree below a path of decisions.
func (tr *traversal) visit(path []decision) {
	pair := tr.at(0)
	for side := range pair {
		pair[side].copyFrom(tr.root[side])
	}
	tr.path = append(tr.path[:0], path...)
	var labels, inQ Set
	counted := tr.stats // work on the way there is not counted again
	changed := bothSides
	for i, d := range path {
		possible := tr.decide(pair, changed, &labels, &inQ)
		if i == len(path)-1 {
			tr.stats = counted
		}
		if !possible || !tr.force(pair, d, &labels, &inQ) {
			tr.done(len(path))
			return
		}
		changed = 1 << d.side()
	}
	tr.node(0, changed, labels, inQ)
}

// force carries out a decision and reports whether the face is not empty.
func (tr *traversal) force(pair *[2]*tableau, d decision, labels, inQ *Set) bool {
	labels.Add(d.label())
	if d.side() == SideQ {
		inQ.Add(d.label())
	}
	switch pair[d.side()].force(d.label(), &tr.stats.Pivots) {
	case empty:
		return false
	case ambiguous:
		tr.stats.Ambiguous++
	case cycling:
		tr.failed = true
	}
	return !tr.failed
}

// bothSides is a set of sides.
const bothSides = 1<<SideP | 1<<SideQ

// decide gives each label whose variable cannot be 0 on one side to the other side,
// and drops the rows of these variables. It reports whether both faces are not empty.
// Only sides that have changed since the last call can have such rows.
func (tr *traversal) decide(pair *[2]*tableau, changed int, labels, inQ *Set) bool {
	for changed != 0 {
		for side, t := range pair {
			if changed>>side&1 == 0 {
				continue
			}
			changed &^= 1 << side
			for r := t.rows - 1; r >= 0; r-- {
				if t.slackOf(r) <= 0 {
					continue
				}
				v := t.rowVar[r]
				t.drop(r)
				if !labels.Has(v) {
					changed |= bothSides &^ (1 << side)
					d := decision(v)
					if side == SideP {
						d |= decisionQ
					}
					if !tr.force(pair, d, labels, inQ) {
						return false
					}
				}
			}
		}
	}
	return true
}

// node traverses the subtree of the faces at a depth; changed is the set of sides
// that the last decision changed.
func (tr *traversal) node(depth, changed int, labels, inQ Set) {
	for !tr.failed {
		pair := tr.at(depth)
		tr.stats.Nodes++
		if !tr.decide(pair, changed, &labels, &inQ) {
			break
		}
		label, found := tr.choose(pair, labels)
		if !found {
			tr.candidate(tr.supports(inQ))
			break
		}
		length := len(tr.path)
		if !tr.handOver(append(tr.path, decision(label)|decisionQ)) {
			below := tr.at(depth + 1)
			pair = tr.at(depth)
			for side := range below {
				below[side].copyFrom(pair[side])
			}
			l, q := labels, inQ
			tr.path = append(tr.path, decision(label)|decisionQ)
			if tr.force(below, decision(label)|decisionQ, &l, &q) {
				tr.node(depth+1, 1<<SideQ, l, q)
			} else {
				tr.done(len(tr.path))
			}
			tr.path = tr.path[:length]
		}
		if tr.failed {
			break
		}
		// The first branch, done last, needs no copy.
		tr.path = append(tr.path, decision(label))
		if !tr.force(pair, decision(label), &labels, &inQ) {
			break
		}
		changed = 1 << SideP
	}
	tr.done(len(tr.path))
}

// choose returns the label to branch over: the one whose variables are farthest from
// 0 on the two faces, relative to the sum of the entries that could bring them there.
func (tr *traversal) choose(pair *[2]*tableau, labels Set) (label uint8, found bool) {
	var scores [2][2 * bimatrix.MaxStrategies]float64
	for side, t := range pair {
		for r := range t.rows {
			row := t.row(r)
			down := 1e-9
			for _, x := range row[first:] {
				down += max(x, 0)
			}
			scores[side][t.rowVar[r]] = row[constant] / down
		}
	}
	best := -1.0
	for l := range uint8(tr.labels) {
		if labels.Has(l) {
			continue
		}
		score := scores[SideP][l] + scores[SideQ][l]
		if tr.order == ByProduct {
			score = (scores[SideP][l] + 0.01) * (scores[SideQ][l] + 0.01)
		}
		if score > best {
			best, label, found = score, l, true
		}
	}
	return label, found
}
