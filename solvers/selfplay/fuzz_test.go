package selfplay

import (
	"bytes"
	"testing"

	"gamebots/hexproto/havannah"
	"gamebots/internal/rng"
)

// FuzzRestore restores games and learns from recorded positions of any contents: they are
// refused, or the game goes on.
func FuzzRestore(f *testing.F) {
	f.Add([]byte{0, 1, 2}, []byte{1, 2, 0}, uint16(1))
	f.Add([]byte{9}, bytes.Repeat([]byte{2}, 19), uint16(40))
	g, err := havannah.GridOf(3)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, moves, cells []byte, last uint16) {
		var s savedGame
		for _, m := range moves {
			s.Moves = append(s.Moves, uint16(int16(int8(m))))
		}
		if game := newGame(g, 1); game.restore(&s) == nil && len(s.Moves) > 0 && game.board.Over() {
			t.Errorf("a game that is over goes on")
		}
		w := newWindow(g.NumCells, 1)
		w.add(&sample{Cells: cells, Last: last, Reply: none})
		random := rng.Stream(1)
		_ = newBatch(g, w, 1, 1).draw(w, &random)
	})
}
