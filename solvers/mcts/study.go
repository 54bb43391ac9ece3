package mcts

// dueForStudy reports whether a branch brings its edge to the number of simulations at
// which the node behind it is studied.
func (s *Search) dueForStudy(node uint32, b branch) bool {
	n := int(s.tree.stat(node, visits)[b.move])
	return s.opts.ProofAfter > 0 && n >= s.opts.ProofAfter && n-b.count < s.opts.ProofAfter
}

// study sets the proofs that the Studier finds for the node at the end of the path,
// unless its move is forced.
func (w *worker) study(node uint32) {
	t := w.s.tree
	if w.studier == nil || t.nodes[node].numMoves == 1 {
		return
	}
	w.candidates = w.studier.Study(w.path, w.candidates[:0])
	for _, c := range w.candidates {
		if t.proofsOf(node)[c.Move] == Unknown {
			t.setProof(node, c.Move, c.Proof)
		}
	}
}

// studyRoot studies the root, and looks up the positions after its moves in the proof
// table.
func (s *Search) studyRoot() {
	w, root := s.workers[0], s.tree.root
	w.study(root)
	if s.proofs == nil {
		return
	}
	for m, p := range s.tree.proofsOf(root) {
		if p == Unknown {
			w.path = append(w.path[:0], Move(m))
			if _, p := w.lookUpProof(); p != Unknown {
				s.tree.setProof(root, Move(m), p.other())
			}
		}
	}
	w.path = w.path[:0]
}
