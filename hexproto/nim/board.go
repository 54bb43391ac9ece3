package nim

import (
	"errors"
	"fmt"
)

// A Player is one of the two, or NoPlayer.
type Player uint8

// The players, in the order of their moves.
const (
	First Player = iota
	Second
	NoPlayer
)

// Other returns the opponent.
func (p Player) Other() Player { return p ^ 1 }

func (p Player) String() string { return [...]string{"first", "second", "nobody"}[p] }

// The reasons why a move is not legal.
var (
	ErrOver  = errors.New("the game is over")
	ErrHeap  = errors.New("there is no such heap")
	ErrFew   = errors.New("a move takes one stick at least")
	ErrMany  = errors.New("the heap has fewer sticks")
	ErrLimit = errors.New("the rules allow fewer sticks")
)

// maxMoves is the length of the longest game, of one stick per move.
const maxMoves = MaxHeaps * MaxSize

// A Board is a game of Nim: a position and the moves that led to it. Copying the value
// copies the game. It must be used by one goroutine at a time.
type Board struct {
	rules    Rules
	heaps    Heaps
	numHeaps uint8
	played   uint8
	moves    [maxMoves]Move
}

// New starts a game with heaps of these sizes. Errors name the field that is wrong,
// "heaps" or "max-take".
func New(rules Rules, sizes ...int) (*Board, error) {
	h, err := Pack(sizes...)
	if err != nil {
		return nil, err
	}
	return Start(rules, h, len(sizes))
}

// Start starts a game with the first heaps of h.
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

// Rules returns the rules of the game.
func (b *Board) Rules() Rules { return b.rules }

// Heaps returns the position.
func (b *Board) Heaps() Heaps { return b.heaps }

// NumHeaps returns the number of heaps, including empty ones.
func (b *Board) NumHeaps() int { return int(b.numHeaps) }

// Turn returns the player to move, or who would be if the game is over.
func (b *Board) Turn() Player { return Player(b.played & 1) }

// Over reports whether no stick is left.
func (b *Board) Over() bool { return b.heaps == 0 }

// Winner returns the winner, or Nobody before the end of the game.
func (b *Board) Winner() Player {
	switch {
	case !b.Over():
		return NoPlayer
	case b.rules.Misere:
		return b.Turn()
	}
	return b.Turn().Other()
}

// NumMoves returns the number of moves made and not undone.
func (b *Board) NumMoves() int { return int(b.played) }

// Move returns move i of the game, counted from 0.
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

// Play makes a move. If the move is not legal, Play returns why and changes nothing.
func (b *Board) Play(m Move) error {
	if err := b.Check(m); err != nil {
		return fmt.Errorf("%v: %w", m, err)
	}
	b.moves[b.played] = m
	b.played++
	b.heaps = b.heaps.Take(m)
	return nil
}

// Undo takes back the last move and reports whether there was one.
func (b *Board) Undo() bool {
	if b.played == 0 {
		return false
	}
	b.played--
	b.heaps = b.heaps.Put(b.moves[b.played])
	return true
}

// Lost reports, by the XOR rule, whether the player to move loses against best play.
func (b *Board) Lost() bool { return b.rules.Lost(b.heaps) }
