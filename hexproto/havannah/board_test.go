package havannah

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gamebots/hexproto/internal/gametest"
)

func TestBattery(t *testing.T) {
	for side := MinSide; side <= MaxSide; side++ {
		for n := HGui; n <= AbstractPlay; n++ {
			if n != HGui && side > 5 && side < MaxSide {
				continue // games are long, and notations differ by the side alone
			}
			t.Run(fmt.Sprint(side, " ", n), func(t *testing.T) {
				gametest.Rules[*Board, Move]{
					New:    func() *Board { return newBoard(t, side) },
					Format: n.Format,
					Parse:  n.Parse,
					Result: func(b *Board) string {
						return fmt.Sprint(b.Turn(), b.Winner(), b.Won(), b.WinningCells(), b.NumMoves(), b.Text(nil))
					},
					BadMoves: []string{
						"", " ", "swap", "a", "a0", "z1", "a01", "a999", "a1 ", "999", "-1", "1,", ",1", "25,25", "ä1",
						"é",
					},
					BadTexts: []string{
						"", ":", "x", "side=4", "side=1 :", "side=14 :", "side= :", "side=4 side=4 :",
						"side=4 : a1 a1", "side=4 : a5", "side=4 : swap", "side=4 : a1 b1 swap", "side=4 : resign a1",
						"side=4 winner=white :", "side=4 plies=1 :", "side=4 aw=a1 :", "side=4 aw=a1 pl=white :",
						`side=4 pw="x :`, "side=4 ring :", "side=4 =x :", "side=4 a=b=c :",
						"side=4 : a1 g7 a2 g6 a3 g5 a4 g4", // over with the bridge a1 a4
					},
				}.Run(t, 20/side)
			})
		}
	}
}

func newBoard(t testing.TB, side int) *Board {
	t.Helper()
	b, err := New(side)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Random games of every side against a referee that knows the rules only as the
// manual words them.
func TestStructures(t *testing.T) {
	seen := map[Structures]int{}
	for side := MinSide; side <= MaxSide; side++ {
		rng := rand.New(rand.NewPCG(uint64(side), 1))
		for range 2000 / (side * side) {
			b := newBoard(t, side)
			for !b.Over() {
				moves := b.AppendMoves(nil)
				if err := b.Play(moves[rng.IntN(len(moves))]); err != nil {
					t.Fatal(err)
				}
				want := referee(b)
				if b.Won() != want[b.Turn().Other()] || want[b.Turn()] != 0 {
					t.Fatalf("%v: %v, the referee says %v", b, b.Won(), want)
				}
			}
			seen[b.Won()]++
		}
	}
	for _, s := range []Structures{Ring, Bridge, Fork, Bridge | Fork} {
		if seen[s] == 0 {
			t.Errorf("no game ended with %v", s)
		}
	}
}

// referee returns the structures of both colours by flooding.
func referee(b *Board) (won [Black + 1]Structures) {
	g := b.Grid()
	for c := White; c <= Black; c++ {
		of := func(cell int) bool { return b.Stone(cell) == c }
		for _, group := range areas(g, of) {
			var border Border
			for _, cell := range group {
				border |= g.Border(cell)
			}
			if border.Bridge() {
				won[c] |= Bridge
			}
			if border.Fork() {
				won[c] |= Fork
			}
		}
		// Around an area of other cells that does not reach the border is a ring.
		for _, area := range areas(g, func(cell int) bool { return !of(cell) }) {
			if !slices.ContainsFunc(area, func(cell int) bool { return g.Border(cell) != 0 }) {
				won[c] |= Ring
			}
		}
		for cell := range g.NumCells {
			full := of(cell)
			for d := range NumNear {
				near := g.Near(cell, d)
				full = full && near < g.NumCells && of(near)
			}
			if full {
				won[c] |= Ring
			}
		}
	}
	return won
}

// areas returns the connected sets of the cells for which in is true.
func areas(g *Grid, in func(cell int) bool) (all [][]int) {
	seen := make([]bool, g.NumCells)
	for cell := range g.NumCells {
		if !in(cell) || seen[cell] {
			continue
		}
		seen[cell] = true
		area := []int{cell}
		for i := 0; i < len(area); i++ {
			for d := range NumNear {
				if near := g.Near(area[i], d); near < g.NumCells && in(near) && !seen[near] {
					seen[near] = true
					area = append(area, near)
				}
			}
		}
		all = append(all, area)
	}
	return all
}

func TestGrid(t *testing.T) {
	for side := MinSide; side <= MaxSide; side++ {
		g, err := GridOf(side)
		if err != nil {
			t.Fatal(err)
		}
		if g.NumCells != 3*side*(side-1)+1 {
			t.Errorf("side %d has %d cells", side, g.NumCells)
		}
		count := map[Border]int{}
		for cell := range g.NumCells {
			count[g.Border(cell)]++
			for d := range NumNear {
				if near := g.Near(cell, d); near < g.NumCells && g.Near(near, (d+3)%NumNear) != cell {
					t.Errorf("side %d: directions of %d and %d", side, cell, near)
				}
			}
		}
		for i := range 6 {
			if count[1<<i] != 1 || count[1<<(6+i)] != side-2 {
				t.Errorf("side %d: corner %d has %d cells, edge %d has %d", side, i, count[1<<i], i, count[1<<(6+i)])
			}
		}
	}
	for _, side := range []int{-1, 1, 14} {
		if _, err := GridOf(side); err == nil {
			t.Errorf("there is a grid of side %d", side)
		}
	}
}

func TestPlayErrors(t *testing.T) {
	for _, c := range []struct {
		game, move string
		want       error
	}{
		{"side=4 :", "swap", ErrSwap},
		{"side=4 : d4 swap", "swap", ErrSwap},
		{"side=4 : d4 e5", "swap", ErrSwap},
		{"side=4 : d4", "d4", ErrTaken},
		{"side=4 : d4 swap", "d4", ErrTaken},
		{"side=4 aw=d4 pl=black :", "d4", ErrTaken},
		{"side=2 : a1 c3 a2", "b1", ErrOver},
	} {
		var b Board
		if err := b.UnmarshalText([]byte(c.game)); err != nil {
			t.Fatal(err)
		}
		m, err := b.Grid().Parse(c.move)
		if err != nil {
			t.Fatal(err)
		}
		if err := b.Play(m); !errors.Is(err, c.want) || !strings.HasPrefix(err.Error(), c.move) {
			t.Errorf("%s: %s: %v, want %v", c.game, c.move, err, c.want)
		}
	}
	b := newBoard(t, 4)
	if err := b.PlayAs(Black, 0); !errors.Is(err, ErrTurn) {
		t.Errorf("black moves first: %v", err)
	}
	if err := b.Play(37); !errors.Is(err, ErrOff) {
		t.Errorf("cell 37 of 37: %v", err)
	}
	if _, err := b.Grid().Parse("a5"); !errors.Is(err, ErrOff) {
		t.Errorf("a5: %v", err)
	}
}

func TestSetup(t *testing.T) {
	for _, c := range []struct {
		head, want string // want is the result, or part of the error
	}{
		{"aw=d4 pl=black", "none none"},
		{"ab=d4 pl=white", "none none"},
		{"aw=d4,a1 ab=e5,f6 pl=black", "none none"},
		{"aw=a1,a2,a3,a4 ab=g7,g6,g5 pl=black", "white bridge"},
		{"aw=c3,c4,d5,e5,e4,d3 ab=a1,a2,b2,g4,g5 pl=black", "white ring"},
		{"aw=c3,c4,d3,d4,d5,e4,e5 ab=a1,a2,b2,g4,g5,a4 pl=black", "white ring"},
		{"aw=a1,a2,a3,a4,d4 ab=g7,g6,g5,f6,b5 pl=white", "is to move and has a bridge"},
		{"aw=a1,a2,a3,a4,g7,g6,g5,g4 ab=b1,b2,b3,f3,f4,f5,d4 pl=black", "before its last stone"},
		{"aw=d4 pl=white", "1 white and 0 black stones with white to move"},
		{"pl=black", "0 white and 0 black stones with black to move"},
		{"aw=d4 ab=d4 pl=white", "stone d4: the cell is taken"},
		{"aw=d4,e9 ab=d5 pl=black", `aw: "e9": off the board`},
		{"aw=swap pl=black", "aw: "},
		{"aw=d4 pl=red", "pl: "},
		{"aw=d4", "pl: "},
	} {
		r, err := ParseRecord("side=4 " + c.head + " :")
		if err != nil {
			if !strings.Contains(err.Error(), c.want) || !errors.Is(err, ErrRecord) {
				t.Errorf("%s: %v, want %s", c.head, err, c.want)
			}
			continue
		}
		b := &r.Board
		if got := fmt.Sprint(b.Winner(), " ", b.Won()); got != c.want {
			t.Errorf("%s: %s, want %s", c.head, got, c.want)
		}
		if again, err := ParseRecord(b.String()); err != nil || again.Board.Text(nil) != b.Text(nil) {
			t.Errorf("%s: %s is read back as another: %v", c.head, b, err)
		}
	}
}
