package nim

import (
	"errors"
	"fmt"
)

// Player is one of the two.
type Player uint8

// The players, in the order of their moves, and neither of them.
const (
	First Player = iota
	Second
	Nobody
)

// Other returns the opponent.
func (p Player) Other() Player { return p ^ 1 }

func (p Player) String() string { return [...]string{"first", "second", "nobody"}[p] }

// The reasons why a move is not possible.
var (
	ErrOver  = errors.New("the game is over")
	ErrHeap  = errors.New("there is no such heap")
	ErrFew   = errors.New("a move takes one stick at least")
	ErrMany  = errors.New("the heap has fewer sticks")
	ErrLimit = errors.New("the rules allow fewer sticks")
	ErrTurn  = errors.New("it is the other player's turn")
)

// maxMoves is the longest game: it takes one stick a move.
const maxMoves = MaxHeaps * MaxSize

// Board is a game of Nim: a position and the moves that led to it. It is a plain
// value; copying it copies the game. It is used by one goroutine at a time.
type Board struct {
	rules    Rules
	heaps    Heaps
	numHeaps uint8
	played   uint8
	moves    [maxMoves]Move
}

// New returns the start of a game with heaps of some sizes. Errors name the
// field that is wrong, "heaps" or "max-take".
func New(rules Rules, sizes ...int) (*Board, error) {
	h, err := Pack(sizes...)
	if err != nil {
		return nil, err
	}
	return Start(rules, h, len(sizes))
}

// Start returns the start of a game with the first heaps of h.
func Start(rules Rules, h Heaps, heaps int) (*Board, error) {
	if err := rules.Check(); err != nil {
		return nil, err
	}
	switch {
	case h == 0:
		return nil, errors.New("heaps: all are empty")
	case heaps < h.Used() || heaps > MaxHeaps:
		return nil, fmt.Errorf("heaps: %d are not from %d to %d", heaps, h.Used(), MaxHeaps)
	}
	return &Board{rules: rules, heaps: h, numHeaps: uint8(heaps)}, nil
}

// Rules returns how is played.
func (b *Board) Rules() Rules { return b.rules }

// Heaps returns the position.
func (b *Board) Heaps() Heaps { return b.heaps }

// NumHeaps returns how many heaps there are, empty ones too.
func (b *Board) NumHeaps() int { return int(b.numHeaps) }

// Turn returns the player to move; once the game is over, who would be.
func (b *Board) Turn() Player { return Player(b.played & 1) }

// Over says whether no stick is left.
func (b *Board) Over() bool { return b.heaps == 0 }

// Winner returns who has won, or Nobody while the game runs.
func (b *Board) Winner() Player {
	switch {
	case !b.Over():
		return Nobody
	case b.rules.Misere:
		return b.Turn()
	}
	return b.Turn().Other()
}

// NumMoves returns how many moves were made and not taken back.
func (b *Board) NumMoves() int { return int(b.played) }

// Move returns the move made as the i-th, from 0.
func (b *Board) Move(i int) Move { return b.moves[i] }

// AppendMoves appends the legal moves, heap by heap, fewest sticks first.
func (b *Board) AppendMoves(moves []Move) []Move { return b.rules.AppendMoves(b.heaps, moves) }

// Check returns why a move is not legal, or nil.
func (b *Board) Check(m Move) error {
	switch {
	case b.Over():
		return ErrOver
	case m.Heap >= b.numHeaps:
		return fmt.Errorf("%w of %d", ErrHeap, b.numHeaps)
	case m.Take == 0:
		return ErrFew
	case int(m.Take) > b.heaps.Size(int(m.Heap)):
		return fmt.Errorf("%w: %d", ErrMany, b.heaps.Size(int(m.Heap)))
	case int(m.Take) > b.rules.Limit():
		return fmt.Errorf("%w: %d", ErrLimit, b.rules.Limit())
	}
	return nil
}

// Play makes a move, or returns why it is not legal and changes nothing.
func (b *Board) Play(m Move) error {
	if err := b.Check(m); err != nil {
		return fmt.Errorf("%v: %w", m, err)
	}
	b.moves[b.played] = m
	b.played++
	b.heaps = b.heaps.Take(m)
	return nil
}

// PlayAs makes a move of one of the players.
func (b *Board) PlayAs(p Player, m Move) error {
	if p != b.Turn() {
		return fmt.Errorf("%v %v: %w", p, m, ErrTurn)
	}
	return b.Play(m)
}

// Undo takes the last move back, and says whether there was one.
func (b *Board) Undo() bool {
	if b.played == 0 {
		return false
	}
	b.played--
	b.heaps = b.heaps.Put(b.moves[b.played])
	return true
}

// Lost says by the XOR rule whether the player to move loses against best play.
func (b *Board) Lost() bool { return b.rules.Lost(b.heaps) }
