package playout

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gamebots/hexproto/havannah"
)

// TestPosition walks through random games beside a board.
func TestPosition(t *testing.T) {
	for seed := range 60 {
		rng := rand.New(rand.NewPCG(uint64(seed), 0))
		board, err := havannah.New(2 + seed%9)
		if err != nil {
			t.Fatal(err)
		}
		p := NewPosition(board)
		var walked []havannah.Move
		for !board.Over() {
			moves := board.AppendMoves(nil)
			if p.Turn() != board.Turn() {
				t.Fatalf("%v to move after %v", p.Turn(), board)
			}
			for _, c := range []havannah.Colour{havannah.White, havannah.Black} {
				wouldBeSame(t, board, p, c)
			}
			m := moves[rng.IntN(len(moves))]
			if err := board.Play(m); err != nil {
				t.Fatal(err)
			}
			if rng.IntN(8) == 0 && !board.Over() {
				p, walked = NewPosition(board), nil
				continue
			}
			walked = append(walked, m)
			p.Reset()
			for _, m := range walked {
				if m == havannah.Swap {
					p.Swap()
				} else {
					p.Play(int(m))
				}
			}
		}
	}
}

// wouldBeSame compares what stones of a colour would do on every empty cell.
func wouldBeSame(t *testing.T, board *havannah.Board, p *Position, c havannah.Colour) {
	t.Helper()
	for at := range board.Grid().NumCells {
		if p.Empty(at) != (board.Stone(at) == havannah.NoColour) || p.Has(c, at) != (board.Stone(at) == c) {
			t.Fatalf("cell %d is not that of %v", at, board)
		}
		if !p.Empty(at) || c != board.Turn() {
			continue
		}
		after := *board
		if err := after.Play(havannah.Move(at)); err != nil {
			t.Fatal(err)
		}
		if got := p.Completes(c, at); got != after.Won() {
			t.Fatalf("%v on %d completes %v, not %v, after %v", c, at, got, after.Won(), board)
		}
		if border := p.Joins(c, at); border.Bridge() != (after.Won()&havannah.Bridge != 0) || border.Fork() != (after.Won()&havannah.Fork != 0) {
			t.Fatalf("%v on %d joins %b after %v", c, at, border, board)
		}
	}
}

// TestRollout replays random games on a board: those with plain rules end where a
// structure is, those with permanent stones go on after rings of others.
func TestRollout(t *testing.T) {
	for _, permanent := range []int{0, 3} {
		ignored := 0
		for number := range uint64(300) {
			board, err := havannah.New(4 + int(number%5))
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range []havannah.Move{0, 7, 9} {
				if err := board.Play(m); err != nil {
					t.Fatal(err)
				}
			}
			p := NewPosition(board)
			root := *board
			winner, plies := p.Rollout(1, number, permanent)
			played := make([]bool, board.Grid().NumCells)
			for ply := range plies {
				at := p.Rolled(ply)
				if played[at] || root.Stone(at) != havannah.NoColour {
					t.Fatalf("cell %d was taken at ply %d", at, ply)
				}
				played[at] = true
				if board.Over() {
					if permanent == 0 || board.Won() != havannah.Ring {
						t.Fatalf("game %d goes on after %v", number, board.Won())
					}
					ignored++
					break // a board plays no further
				}
				if err := board.Play(havannah.Move(at)); err != nil {
					t.Fatal(err)
				}
			}
			if permanent == 0 && winner != board.Winner() {
				t.Errorf("game %d is won by %v, not %v", number, winner, board.Winner())
			}
		}
		if permanent > 0 && ignored == 0 {
			t.Error("every ring counted")
		}
	}
}

// TestPermanent counts the stones of rings that were there before.
func TestPermanent(t *testing.T) {
	grid, err := havannah.GridOf(5)
	if err != nil {
		t.Fatal(err)
	}
	ring := []string{"d4", "d5", "e6", "f6", "f5", "e4"} // around e5
	for _, test := range []struct {
		name string
		old  []string // before the others
		more []string
		want int
	}{
		{"none", nil, ring, 0},
		{"three", ring[:3], ring[3:], 3},
		{"five", ring[:5], ring[5:], 5},
		{"a way around", []string{"d6", "c5", "c4"}, ring, 3},
		{"beside", []string{"d6", "c5"}, ring, 0},
		{"filled", append([]string{"e5"}, ring[:2]...), ring[2:], 2},
		{"the better way", []string{"d4", "d5", "e6", "f7", "g7", "g6", "f5"}, []string{"f6", "e4"}, 7},
	} {
		var s stones
		var before [32]uint32
		for _, text := range slices.Concat(test.old, test.more) {
			m, err := grid.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			c := pack(grid, int(m))
			if won := s.put(c); won != 0 {
				var r rings
				if got := r.permanent(&s, c.slot(), &before); got != test.want {
					t.Errorf("%s: %d permanent stones, not %d", test.name, got, test.want)
				}
			}
			if slices.Contains(test.old, text) {
				before = s.rows
			}
		}
	}
}
