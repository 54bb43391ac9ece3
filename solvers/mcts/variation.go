package mcts

import "slices"

// Variation returns the moves that both players are expected to make after a move of
// the root, beginning with it. For a proved win or loss, plies is the number of moves
// until the end of the game if the winner hurries and the loser delays, as far as the
// proofs in the tree show. It is 0 if nothing is proved, or if a part of the proof is
// not in the tree. There may be a shorter way to win. The line can end before the game
// does, because the tree has no nodes for the moves that [Candidate.Plies] counts.
func (s *Search) Variation(m Move) (line []Move, plies int) {
	w := s.workers[0]
	p := s.tree.proofsOf(s.tree.root)[m]
	if p == Win || p == Loss {
		line, plies = w.ending(s.tree.root, m)
		slices.Reverse(line)
		return line, plies
	}
	line = []Move{m}
	for at := s.tree.child(s.tree.root, m); at != 0; {
		next, ok := s.tree.expected(at)
		if !ok {
			break
		}
		line = append(line, next)
		at = s.tree.child(at, next)
	}
	return line, 0
}

// expected returns the move of a node that is best by proof, and then by visits. It
// returns false if nothing is known about any.
func (t *tree) expected(node uint32) (best Move, ok bool) {
	best = -1
	counts, proofs := t.stat(node, visits), t.proofsOf(node)
	for m, p := range proofs {
		if p == absent {
			continue
		}
		if best < 0 || p.score() > proofs[best].score() || p == proofs[best] && counts[m] > counts[best] {
			best = Move(m)
		}
	}
	return best, counts[best] > 0 || proofs[best] != Unknown
}

// ending returns the moves to the end of the game, last first, over a proved edge of the
// node at the end of the path, and their number.
func (w *worker) ending(node uint32, m Move) (line []Move, plies int) {
	t := w.s.tree
	child := t.child(node, m)
	if child == 0 {
		w.candidates = w.expander.Candidates(w.path, w.candidates[:0])
		if w.studier != nil {
			w.candidates = w.studier.Study(w.path, w.candidates)
		}
		for _, c := range w.candidates {
			if c.Move == m && c.Proof == t.proofsOf(node)[m] {
				plies = c.Plies
			}
		}
		return []Move{m}, plies
	}
	p := t.nodeProof(child)
	if p != t.proofsOf(node)[m].Other() {
		return []Move{m}, 0 // it was proved elsewhere
	}
	w.path = append(w.path, m)
	defer func() { w.path = w.path[:len(w.path)-1] }()
	known := true
	for reply, q := range t.proofsOf(child) {
		if q != p {
			continue
		}
		l, n := w.ending(child, Move(reply))
		known = known && n > 0
		if better := p == Win && n > 0 && (plies == 0 || n < plies) || p == Loss && n > plies; better || line == nil {
			line, plies = l, n
		}
	}
	if plies == 0 || p == Loss && !known {
		return append(line, m), 0
	}
	return append(line, m), plies + 1
}
