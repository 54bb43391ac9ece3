package nim

import "fmt"

// A Move takes sticks from a heap, which is counted from 0.
type Move struct{ Heap, Take uint8 }

// Rules are the rules of a game. The zero value is normal play without a limit.
type Rules struct {
	Misere  bool // the player who takes the last stick loses
	MaxTake int  // the most sticks of a move; 0 is no limit
}

// Check returns an error for rules that are out of range.
func (r Rules) Check() error {
	if r.MaxTake < 0 || r.MaxTake > MaxSize {
		return fmt.Errorf("max-take: %d is not from 1 to %d, nor 0 for no limit", r.MaxTake, MaxSize)
	}
	return nil
}

// Limit returns the largest number of sticks of a move.
func (r Rules) Limit() int {
	if r.MaxTake == 0 {
		return MaxSize
	}
	return r.MaxTake
}

// AppendMoves appends the legal moves, heap by heap, fewest sticks first.
func (r Rules) AppendMoves(h Heaps, moves []Move) []Move {
	for heap := range h.Used() {
		for take := 1; take <= min(h.Size(heap), r.Limit()); take++ {
			moves = append(moves, Move{uint8(heap), uint8(take)})
		}
	}
	return moves
}

// Lost reports, by the XOR rule, whether the player to move loses against best play.
// Without sticks the game is over: the player who would move has lost in normal
// play, and won in misère play.
func (r Rules) Lost(h Heaps) bool {
	if modulus := r.Limit() + 1; modulus <= MaxSize {
		remainders := Heaps(0)
		for heap := range h.Used() {
			remainders |= Heaps(h.Size(heap)%modulus) << (heapBits * heap)
		}
		h = remainders
	}
	const ones = 0x1111111111111111
	if r.Misere && h&^ones == 0 {
		return h.XOR() == 1 // an odd number of ones
	}
	return h.XOR() == 0
}

// Best returns the first move that wins by the XOR rule. If there is none, it returns
// the first legal move and false; if the game is over, that move takes no sticks.
func (r Rules) Best(h Heaps) (best Move, wins bool) {
	var list [MaxHeaps * MaxSize]Move
	for i, m := range r.AppendMoves(h, list[:0]) {
		if r.Lost(h.Take(m)) {
			return m, true
		}
		if i == 0 {
			best = m
		}
	}
	return best, false
}
