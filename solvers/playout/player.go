package playout

import "gamebots/hexproto/havannah"

// Start is a position after a move, from which playouts start. It is immutable, so threads
// can share it.
type Start struct {
	move uint32
	game *game
	over bool                // the move ended the game
	won  havannah.Structures // structures that it completed
}

// NewStart returns the position after a move. The error is that of an illegal move.
func NewStart(b *havannah.Board, m havannah.Move) (*Start, error) {
	after := *b
	if err := after.Play(m); err != nil {
		return nil, err
	}
	s := &Start{move: uint32(m), over: after.Over(), won: after.Won()}
	if m == havannah.Swap {
		s.move = uint32(b.Grid().NumCells)
	}
	if !s.over {
		s.game = newGame(&after)
	}
	return s, nil
}

// Player plays on the CPU. It is used by one goroutine at a time.
type Player struct {
	game  game
	start *Start
}

// Play plays the playouts with the numbers first to first+n-1 and counts their results.
func (p *Player) Play(s *Start, seed, first, n uint64) (t Tally) {
	if s.over {
		t.count(1, s.won, n)
		return t
	}
	if p.start != s {
		p.game, p.start = *s.game, s
	}
	r := stream{seed: seed, move: s.move}
	for i := range n {
		r.playout = first + i
		p.game.reset(s.game)
		plies, won := p.game.play(&r)
		t.count(1+plies, won, 1)
	}
	return t
}
