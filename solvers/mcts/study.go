package mcts

import "slices"

// known remembers positions that were proved, for when other moves lead to them. A
// newer one takes the place of an older.
type known struct {
	places []uint64 // a key but for its last two bits, which are the proof and one
	keys   []uint64 // of the tree's nodes
}

const keyBits = ^uint64(3)

// newKnown returns room for some positions in about so many bytes, beside a tree's
// nodes.
func newKnown(bytes, nodes int) *known {
	return &known{make([]uint64, max(1, bytes/8)), make([]uint64, nodes)}
}

func (k *known) place(key uint64) *uint64 { return &k.places[key>>2%uint64(len(k.places))] }

// proof returns what is known of a position.
func (k *known) proof(key uint64) Proof {
	if e := *k.place(key); key != 0 && e&keyBits == key&keyBits {
		return Proof(e&3) - 1
	}
	return Unknown
}

// add adds positions that were proved, in whatever order they come.
func (k *known) add(entries []uint64) {
	slices.Sort(entries)
	for _, e := range entries {
		*k.place(e) = e
	}
}

// recall returns the key of the position where the path ends, and what is known of it.
func (h *hand) recall() (key uint64, p Proof) {
	if h.keyer == nil {
		return 0, Unknown
	}
	key = h.keyer.Key(h.path)
	return key, h.s.known.proof(key)
}

// remember notes that a node was proved.
func (h *hand) remember(i uint32, p Proof) {
	if h.keyer == nil {
		return
	}
	if key := h.s.known.keys[i]; key != 0 {
		h.proved = append(h.proved, key&keyBits|uint64(p+1))
	}
}

// learn adds what the hands noted. Until then no hand sees it, so that it does not
// matter which of them was first.
func (s *Search) learn() {
	proved := s.hands[0].proved
	for _, h := range s.hands[1:] {
		proved = append(proved, h.proved...)
		h.proved = h.proved[:0]
	}
	s.known.add(proved)
	s.hands[0].proved = proved[:0]
}

// attracts says whether simulations over an edge are those by which there are enough
// for the node behind it to be studied.
func (s *Search) attracts(at uint32, b branch) bool {
	n := int(s.tree.of(at, visits)[b.move])
	return s.opts.Study > 0 && n >= s.opts.Study && n-b.count < s.opts.Study
}

// lookAt studies a node where the path ends, unless its move is forced.
func (h *hand) lookAt(i uint32) {
	t := h.s.tree
	if h.study == nil || t.about[i].numMoves == 1 {
		return
	}
	h.moves = h.study.Study(h.path, h.moves[:0])
	for _, c := range h.moves {
		if t.proofsOf(i)[c.Move] == Unknown {
			t.prove(i, c.Move, c.Proof)
		}
	}
}

// lookAtRoot studies the root, and proves its moves after which the position is known.
func (s *Search) lookAtRoot() {
	h, root := s.hands[0], s.tree.root
	h.lookAt(root)
	if s.known == nil {
		return
	}
	for m, p := range s.tree.proofsOf(root) {
		if p == Unknown {
			h.path = append(h.path[:0], Move(m))
			if _, p := h.recall(); p != Unknown {
				s.tree.prove(root, Move(m), p.other())
			}
		}
	}
	h.path = h.path[:0]
}
