package mcts

import "math"

// adviceWeight is the weight of an adviser's value beside the mean of the simulations that
// a move has had before.
const adviceWeight = 0.5

// advise asks for an opinion about the node at the end of the path.
func (w *worker) advise(node uint32) {
	t := w.s.tree
	info := &t.nodes[node]
	if w.adviser == nil || info.advised || info.numMoves == 1 {
		return
	}
	info.advised = true
	var v float32
	var ok bool
	if w.candidates, v, ok = w.adviser.Advise(w.path, w.candidates[:0]); !ok {
		return
	}
	priors := t.stat(node, prior)
	for _, c := range w.candidates {
		priors[c.Move] += c.Prior
		t.updateValue(node, c.Move, w.s.rave)
	}
	if node == t.root {
		return
	}
	// The value of the move to the node, as a prior that fades with its visits.
	parent, m := info.parent, info.move
	if n := t.stat(parent, visits)[m]; n > 0 {
		mean := t.stat(parent, score)[m] / n
		t.stat(parent, prior)[m] += float32(adviceWeight * (1 - v - mean) * float32(math.Sqrt(float64(n)+1)))
		t.updateValue(parent, m, w.s.rave)
	}
}

// adviseRoot asks for an opinion about the root.
func (s *Search) adviseRoot() { s.workers[0].advise(s.tree.root) }
