package playout

import (
	"math/rand/v2"
	"testing"

	"gamebots/hexproto/havannah"
)

// TestPosition compares positions with boards in random games.
func TestPosition(t *testing.T) {
	for seed := range 60 {
		rng := rand.New(rand.NewPCG(uint64(seed), 0))
		board, err := havannah.New(2 + seed%9)
		if err != nil {
			t.Fatal(err)
		}
		p := NewPosition(board)
		var path []havannah.Move
		for !board.Over() {
			moves := board.AppendMoves(nil)
			if p.Turn() != board.Turn() {
				t.Fatalf("%v to move after %v", p.Turn(), board)
			}
			for _, c := range []havannah.Colour{havannah.White, havannah.Black} {
				sameProbes(t, board, p, c)
			}
			sameEmptyCells(t, p)
			m := moves[rng.IntN(len(moves))]
			if err := board.Play(m); err != nil {
				t.Fatal(err)
			}
			if rng.IntN(8) == 0 && !board.Over() {
				p.SetRoot(board)
				path = nil
				continue
			}
			path = append(path, m)
			p.Reset()
			for _, m := range path {
				if m == havannah.Swap {
					p.Swap()
				} else {
					p.Play(int(m))
				}
			}
		}
	}
}

// sameProbes compares the effects of stones of a colour on all empty cells.
func sameProbes(t *testing.T, board *havannah.Board, p *Position, c havannah.Colour) {
	t.Helper()
	for at := range board.Grid().NumCells {
		if p.IsEmpty(at) != (board.Stone(at) == havannah.NoColour) || p.HasStone(c, at) != (board.Stone(at) == c) {
			t.Fatalf("cell %d is not that of %v", at, board)
		}
		if !p.IsEmpty(at) || c != board.Turn() {
			continue
		}
		after := *board
		if err := after.Play(havannah.Move(at)); err != nil {
			t.Fatal(err)
		}
		won, border, beside := p.Probe(c, at)
		if won != after.Won() {
			t.Fatalf("%v on %d completes %v, not %v, after %v", c, at, won, after.Won(), board)
		}
		if border.Bridge() != (after.Won()&havannah.Bridge != 0) || border.Fork() != (after.Won()&havannah.Fork != 0) {
			t.Fatalf("%v on %d joins %b after %v", c, at, border, board)
		}
		for d := range havannah.NumNear {
			if near := board.Grid().Near(at, d); near < board.Grid().NumCells && board.Stone(near) == c {
				beside--
			}
		}
		if beside != 0 {
			t.Fatalf("%v on %d has %d more beside it after %v", c, at, beside, board)
		}
	}
}

// sameEmptyCells compares the list of empty cells with probes of each cell.
func sameEmptyCells(t *testing.T, p *Position) {
	t.Helper()
	empty := p.EmptyCells(nil)
	for at := range p.Grid().NumCells {
		if !p.IsEmpty(at) {
			continue
		}
		_, _, mine := p.Probe(p.Turn(), at)
		_, _, theirs := p.Probe(p.Turn().Other(), at)
		if want := (EmptyCell{int16(at), mine > 0, theirs > 0}); len(empty) == 0 || empty[0] != want {
			t.Fatalf("%v, not %v first", empty, want)
		}
		empty = empty[1:]
	}
	if len(empty) > 0 {
		t.Fatalf("%v are not empty", empty)
	}
}

// TestRollout replays rollouts on a board, up to the first ring that does not count
// because too few permanent stones are beside the stone that closes it.
func TestRollout(t *testing.T) {
	for _, permanent := range []int{0, 2} {
		counted, ignored := 0, 0
		for number := range uint64(400) {
			root := randomBoard(t, number)
			board := *root
			p := NewPosition(root)
			winner, plies := p.Rollout(1, number, permanent)
			for ply := range plies {
				at := p.RolloutMove(ply)
				mover := board.Turn()
				if err := board.Play(havannah.Move(at)); err != nil {
					t.Fatalf("ply %d: %v", ply, err)
				}
				if !board.Over() {
					continue
				}
				beside := 0
				for d := range havannah.NumNear {
					if near := root.Grid().Near(at, d); near < root.Grid().NumCells && root.Stone(near) == mover {
						beside++
					}
				}
				counts := board.Won() != havannah.Ring || beside >= permanent
				if last := ply == plies-1; counts && (!last || winner != board.Winner()) ||
					!counts && last && winner != havannah.NoColour {
					t.Fatalf("game %d ends at ply %d of %d, won by %v, with %v beside %d stones", number, ply, plies,
						winner, board.Won(), beside)
				}
				if board.Won() == havannah.Ring && counts {
					counted++
				}
				if !counts {
					ignored++
				}
				break // a board plays no further
			}
		}
		if counted == 0 || (ignored == 0) != (permanent == 0) {
			t.Errorf("%d permanent stones: %d rings counted, %d did not", permanent, counted, ignored)
		}
	}
}

// randomBoard returns a board of side 4 to 8 on which a third of the cells have
// stones and the game is not over.
func randomBoard(t *testing.T, seed uint64) *havannah.Board {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 0))
	for {
		b, err := havannah.New(4 + int(seed%5))
		if err != nil {
			t.Fatal(err)
		}
		for b.NumMoves() < b.Grid().NumCells/3 && !b.Over() {
			if at := rng.IntN(b.Grid().NumCells); b.Stone(at) == havannah.NoColour {
				if err := b.Play(havannah.Move(at)); err != nil {
					t.Fatal(err)
				}
			}
		}
		if !b.Over() {
			return b
		}
	}
}
