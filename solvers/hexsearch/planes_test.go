package hexsearch_test

import (
	"slices"
	"testing"

	"gamebots/hexproto/havannah"
	"gamebots/internal/rng"
	"gamebots/solvers/hexnet"
	"gamebots/solvers/hexsearch"
	"gamebots/solvers/playout"
)

// randomBoard returns a board after some random moves that do not end the game.
func randomBoard(t *testing.T, side, moves int, seed uint64) *havannah.Board {
	t.Helper()
	stream := rng.Stream(seed)
	for {
		b, err := havannah.New(side)
		if err != nil {
			t.Fatal(err)
		}
		for range moves {
			legal := b.AppendMoves(nil)
			if err := b.Play(legal[stream.IntN(len(legal))]); err != nil {
				t.Fatal(err)
			}
			if b.Over() {
				break
			}
		}
		if !b.Over() {
			return b
		}
	}
}

// The planes of own and other stones, winning cells and the last stone are those of the
// board, which knows nothing of playouts.
func TestPlanesDescribeTheBoard(t *testing.T) {
	const (
		own, other, empty, ownWins, otherWins = 0, 1, 2, 3, 4
		last                                  = 11
	)
	winning := 0
	for seed := range uint64(60) {
		b := randomBoard(t, 4, 2+int(seed%26), seed)
		g := b.Grid()
		planes := hexsearch.NewEncoder(g).Append(nil, playout.NewPosition(b))
		if len(planes) != g.NumCells*hexnet.Planes {
			t.Fatalf("%d bytes", len(planes))
		}
		for cell := range g.NumCells {
			want := [hexnet.Planes]bool{}
			switch b.Stone(cell) {
			case b.Turn():
				want[own] = true
			case havannah.NoColour:
				want[empty] = true
				want[ownWins] = wins(*b, cell)
				want[otherWins] = winsAfterPass(*b, cell)
			default:
				want[other] = true
			}
			if b.Move(b.NumMoves()-1) == havannah.Move(cell) {
				want[last] = true
			}
			for _, plane := range []int{own, other, empty, ownWins, otherWins, last} {
				if got := planes[cell*hexnet.Planes+plane] == hexnet.Unit; got != want[plane] {
					t.Fatalf("seed %d: plane %d of %s is %v\n%s", seed, plane, g.Format(havannah.Move(cell)), got,
						b.Text(nil))
				}
			}
			if want[ownWins] || want[otherWins] {
				winning++
			}
		}
	}
	if winning == 0 {
		t.Error("no winning cell was seen")
	}
}

// wins reports whether a stone of the player to move wins on a cell.
func wins(b havannah.Board, cell int) bool { return b.Play(havannah.Move(cell)) == nil && b.Won() != 0 }

// winsAfterPass reports whether a stone of the opponent wins on a cell, after a stone
// elsewhere that does not end the game.
func winsAfterPass(b havannah.Board, cell int) bool {
	for elsewhere := range b.Grid().NumCells {
		after := b
		if elsewhere != cell && after.Play(havannah.Move(elsewhere)) == nil && !after.Over() {
			return wins(after, cell)
		}
	}
	return false
}

// The network sees a turned board as the turned planes.
func TestPlanesTurnWithTheBoard(t *testing.T) {
	for seed := range uint64(24) {
		b := randomBoard(t, 5, 1+int(seed), seed)
		g := b.Grid()
		encoder := hexsearch.NewEncoder(g)
		planes := encoder.Append(nil, playout.NewPosition(b))
		image := func(cell int) int { return g.Image(cell, int(seed)%havannah.NumSymmetries) }
		turned, err := havannah.New(5)
		if err != nil {
			t.Fatal(err)
		}
		for i := range b.NumMoves() {
			m := b.Move(i)
			if m != havannah.Swap {
				m = havannah.Move(image(int(m)))
			}
			if err := turned.Play(m); err != nil {
				t.Fatal(err)
			}
		}
		want := make([]uint8, len(planes))
		for cell := range g.NumCells {
			copy(want[image(cell)*hexnet.Planes:], planes[cell*hexnet.Planes:][:hexnet.Planes])
		}
		if got := encoder.Append(nil, playout.NewPosition(turned)); !slices.Equal(got, want) {
			t.Fatalf("seed %d: the planes of the turned board differ from the turned planes\n%s", seed, b.Text(nil))
		}
	}
}
