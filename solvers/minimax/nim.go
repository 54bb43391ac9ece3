package minimax

import (
	"gamebots/hexproto/nim"
)

var (
	_ Game[nim.Move]            = (*Nim)(nil)
	_ StaticEvaluator[nim.Move] = (*Nim)(nil)
	_ Keyed                     = (*Nim)(nil)
)

// Nim is a position of Nim. At the depth limit it is scored as a draw.
type Nim struct {
	rules nim.Rules
	heaps nim.Heaps
	made  []nim.Move
}

// NewNim returns a position to search.
func NewNim(r nim.Rules, h nim.Heaps) *Nim { return &Nim{rules: r, heaps: h} }

// AppendMoves appends the legal moves, heap by heap, fewest sticks first.
func (n *Nim) AppendMoves(moves []nim.Move) []nim.Move { return n.rules.AppendMoves(n.heaps, moves) }

// Make makes a legal move.
func (n *Nim) Make(m nim.Move) {
	n.heaps = n.heaps.Take(m)
	n.made = append(n.made, m)
}

// Unmake takes back the last move.
func (n *Nim) Unmake() {
	last := len(n.made) - 1
	n.heaps = n.heaps.Put(n.made[last])
	n.made = n.made[:last]
}

// Score returns the result without sticks, and else 0.
func (n *Nim) Score() (Score, bool) { return n.score(n.heaps) }

// ScoreAfter is Score after a move.
func (n *Nim) ScoreAfter(m nim.Move) (Score, bool) { return n.score(n.heaps.Take(m)) }

func (n *Nim) score(h nim.Heaps) (Score, bool) {
	switch {
	case h != 0:
		return 0, false
	case n.rules.Misere:
		return Win, true
	}
	return Loss, true
}

// Key counts the heaps of each size, four bits a size, so that the order of heaps does
// not matter. Sixteen heaps of one size, which no move leads to, have the key of one
// heap of the next size.
func (n *Nim) Key() (key uint64) {
	for h := n.heaps; h != 0; h >>= 4 {
		if size := h & nim.MaxSize; size > 0 {
			key += 1 << (4 * (size - 1))
		}
	}
	return key
}
