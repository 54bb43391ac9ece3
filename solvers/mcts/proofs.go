package mcts

import "slices"

// proofTable is a hash table of proved positions, which other moves may lead to. A new
// entry replaces an older one in its slot.
type proofTable struct {
	entries  []uint64 // a key whose last two bits are replaced by the proof plus one
	nodeKeys []uint64 // keys of the tree's nodes
}

const keyBits = ^uint64(3)

// newProofTable allocates about some bytes for entries, and the keys of a tree's nodes.
func newProofTable(bytes, nodes int) *proofTable {
	return &proofTable{make([]uint64, max(1, bytes/8)), make([]uint64, nodes)}
}

func (t *proofTable) slot(key uint64) *uint64 { return &t.entries[key>>2%uint64(len(t.entries))] }

// lookUp returns the proof of a position, Unknown for the key 0.
func (t *proofTable) lookUp(key uint64) Proof {
	if e := *t.slot(key); key != 0 && e&keyBits == key&keyBits {
		return Proof(e&3) - 1
	}
	return Unknown
}

// add adds entries. The result does not depend on their order, which it changes.
func (t *proofTable) add(entries []uint64) {
	slices.Sort(entries)
	for _, e := range entries {
		*t.slot(e) = e
	}
}

// lookUpProof returns the key of the position at the end of the path, and its proof.
func (w *worker) lookUpProof() (key uint64, p Proof) {
	if w.keyer == nil {
		return 0, Unknown
	}
	key = w.keyer.Key(w.path)
	return key, w.s.proofs.lookUp(key)
}

// noteProof notes that a node was proved, for mergeProofs.
func (w *worker) noteProof(node uint32, p Proof) {
	if w.keyer == nil {
		return
	}
	if key := w.s.proofs.nodeKeys[node]; key != 0 {
		w.proved = append(w.proved, key&keyBits|uint64(p+1))
	}
}

// mergeProofs adds the proofs that the workers noted during a batch to the table. No worker sees a
// proof of the same batch, so that their order does not matter.
func (s *Search) mergeProofs() {
	proved := s.workers[0].proved
	for _, w := range s.workers[1:] {
		proved = append(proved, w.proved...)
		w.proved = w.proved[:0]
	}
	s.proofs.add(proved)
	s.workers[0].proved = proved[:0]
}

// due reports whether a branch brings its edge to after simulations, if after is not 0.
func (s *Search) due(node uint32, b branch, after int) bool {
	n := int(s.tree.stat(node, visits)[b.move])
	return after > 0 && n >= after && n-b.count < after
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
				s.tree.setProof(root, Move(m), p.Other())
			}
		}
	}
	w.path = w.path[:0]
}

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
