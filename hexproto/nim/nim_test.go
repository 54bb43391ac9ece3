package nim

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gamebots/hexproto/internal/gametest"
)

var someRules = []Rules{
	{}, {Misere: true}, {MaxTake: 1}, {MaxTake: 3}, {Misere: true, MaxTake: 1}, {Misere: true, MaxTake: 2},
	{MaxTake: 15},
}

func newBoard(t testing.TB, r Rules, sizes ...int) *Board {
	t.Helper()
	b, err := New(r, sizes...)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestBattery(t *testing.T) {
	for _, sizes := range [][]int{
		{1}, {0, 2, 0}, {1, 3, 5, 7}, {15, 0, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1},
	} {
		for _, r := range someRules {
			for n := Colon; n <= OpenSpiel; n++ {
				t.Run(fmt.Sprint(sizes, r, n), func(t *testing.T) {
					gametest.Rules[*Board, Move]{
						New:    func() *Board { return newBoard(t, r, sizes...) },
						Format: func(_ *Board, m Move) string { return n.Format(m) },
						Parse:  func(_ *Board, text string) (Move, error) { return n.Parse(text) },
						Result: func(b *Board) string {
							return fmt.Sprint(b.Turn(), b.Winner(), b.NumMoves(), b.Heaps(), b.NumHeaps(), b.Rules(),
								b.Lost())
						},
						BadMoves: []string{
							"", " ", ":", "1:", ":1", "0:1", "1:0", "1:16", "17:1", "01:1", "1:01", "-1:1", "1:-1",
							"256:1", "1:257",
							"pile:0, take:1;", "pile:1, take:0;", "pile:1, take:1", "pile:1,take:1;", "240", "-1",
							"99999999999999999999", "é",
						},
						BadTexts: []string{
							"", ":", "x", "heaps=1;2", "heaps= :", "heaps=; :", "heaps=0 :", "heaps=16 :", "heaps=-1 :",
							"heaps=x :",
							"heaps=1;2 heaps=1 :", "heaps=1;2 play=fair :", "heaps=1;2 max-take=16 :",
							"heaps=1;2 max-take=x :",
							"heaps=1;2 : 3:1", "heaps=1;2 : 1:2", "heaps=1;2 max-take=1 : 2:2",
							"heaps=1;2 : 1:1 2:2 2:1",
							"heaps=1;2 winner=first :", "heaps=1 winner=second : 1:1", "heaps=1;2 plies=1 :",
							"heaps=1;2 colour=red :",
							"heaps=1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1 :", "play=misere :",
						},
					}.Run(t, max(2, 10-len(sizes)))
				})
			}
		}
	}
}

// The XOR rule against the definition: a position is lost if no move leads to a
// lost one.
func TestXORRule(t *testing.T) {
	for _, c := range []struct {
		size, heaps int // all positions of that many heaps up to that size
	}{{15, 2}, {7, 4}, {4, 5}, {2, 7}, {1, 12}} {
		for _, misere := range []bool{false, true} {
			for limit := range MaxSize + 1 {
				testXORRule(t, Rules{misere, limit}, c.size, c.heaps)
			}
		}
	}
}

func testXORRule(t *testing.T, r Rules, size, heaps int) {
	t.Helper()
	sizes := make([]int, heaps)
	lost := map[Heaps]bool{}
	for {
		h, err := Pack(sizes...)
		if err != nil {
			t.Fatal(err)
		}
		moves := r.AppendMoves(h, nil)
		i := slices.IndexFunc(moves, func(m Move) bool { return lost[h.Take(m)] })
		lost[h] = i < 0 && (h != 0 || !r.Misere)
		if r.Lost(h) != lost[h] {
			t.Fatalf("%v: %s: lost is %v by the rule, %v by definition", r, h.Format(heaps, ";"), r.Lost(h), lost[h])
		}
		best, wins := r.Best(h)
		switch {
		case wins != (i >= 0), wins && best != moves[i], !wins && h != 0 && best != moves[0], h == 0 && best.Take != 0:
			t.Fatalf("%v: %s: best move %v, wins %v", r, h.Format(heaps, ";"), best, wins)
		}
		// The next position. Moves always lead to earlier ones.
		for i = 0; i < heaps && sizes[i] == size; i++ {
			sizes[i] = 0
		}
		if i == heaps {
			return
		}
		sizes[i]++
	}
}

func TestHeaps(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		sizes := make([]int, 1+rng.IntN(MaxHeaps))
		xor, sum, used := 0, 0, 0
		for i := range sizes {
			sizes[i] = rng.IntN(MaxSize + 1)
			xor ^= sizes[i]
			sum += sizes[i]
			if sizes[i] > 0 {
				used = i + 1
			}
		}
		h, err := Pack(sizes...)
		if err != nil {
			t.Fatal(err)
		}
		if h.XOR() != xor || h.Sticks() != sum || h.Used() != used {
			t.Errorf("%v: XOR %d, %d sticks, %d used", sizes, h.XOR(), h.Sticks(), h.Used())
		}
		for _, sep := range []string{";", ",", " ; "} {
			text := h.Format(len(sizes), sep)
			if back, n, err := ParseHeaps(text); err != nil || back != h || n != len(sizes) {
				t.Errorf("%s is read as %x, %d heaps, %v", text, back, n, err)
			}
		}
	}
}

func TestRows(t *testing.T) {
	for n := 1; n <= 8; n++ {
		if got, want := Rows(n).Format(n, ";"), "1;3;5;7;9;11;13;15"; !strings.HasPrefix(want, got) ||
			Rows(n).Used() != n {
			t.Errorf("%d rows are %s", n, got)
		}
	}
}

func TestHeapErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "heaps: there is none"},
		{" ", "heaps: there is none"},
		{"1;2;x", `heaps: "x" of heap 3 is not a number`},
		{"1;;2", `heaps: "" of heap 2 is not a number`},
		{"1,2;3", `heaps: "1,2" of heap 1`},
		{"1;16", "heaps: size 16 of heap 2 is not from 0 to 15"},
		{"-1", "heaps: size -1 of heap 1"},
		{"9999999999999999999999", "heaps: size 9999999999999999999999 of heap 1"},
		{strings.Repeat("1,", 17), "heaps: there are more than 16"},
	} {
		_, _, err := ParseHeaps(c.text)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %s", c.text, err, c.want)
		}
	}
	for _, c := range []struct {
		rules Rules
		sizes []int
		want  string
	}{
		{Rules{}, nil, "heaps: there is none"},
		{Rules{}, []int{0, 0}, "heaps: all are empty"},
		{Rules{}, make([]int, 17), "heaps: 17 are more than 16"},
		{Rules{MaxTake: -1}, []int{1}, "max-take: -1"},
		{Rules{MaxTake: 16}, []int{1}, "max-take: 16"},
	} {
		_, err := New(c.rules, c.sizes...)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v %v: %v, want %s", c.rules, c.sizes, err, c.want)
		}
	}
	if _, err := Start(Rules{}, 0x100, 2); err == nil {
		t.Error("two heaps of three were taken")
	}
}

func TestMoveErrors(t *testing.T) {
	b := newBoard(t, Rules{MaxTake: 3}, 1, 5)
	for _, c := range []struct {
		move Move
		want error
	}{
		{Move{2, 1}, ErrHeap}, {Move{255, 255}, ErrHeap}, {Move{0, 0}, ErrFew}, {Move{0, 2}, ErrMany},
		{Move{1, 4}, ErrLimit},
	} {
		if err := b.Play(c.move); !errors.Is(err, c.want) {
			t.Errorf("%v: %v, want %v", c.move, err, c.want)
		}
	}
}

func FuzzParseHeaps(f *testing.F) {
	for _, text := range []string{"1;3;5;7", "15", "0,0,1", "1;", "-1", ";"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		h, n, err := ParseHeaps(text)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "heaps: ") {
				t.Errorf("%q: %v does not name the field", text, err)
			}
			return
		}
		if back, m, err := ParseHeaps(h.Format(n, ";")); err != nil || back != h || m != n {
			t.Errorf("%q is %x of %d, then %x of %d: %v", text, h, n, back, m, err)
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, r := range someRules {
		b := newBoard(f, r, 1, 3, 5)
		for !b.Over() {
			f.Add(b.String())
			if err := b.Play(b.AppendMoves(nil)[0]); err != nil {
				f.Fatal(err)
			}
		}
		f.Add(b.String())
	}
	f.Fuzz(func(t *testing.T, text string) {
		b, err := Parse(text)
		if err != nil {
			if !errors.Is(err, ErrRecord) {
				t.Errorf("%q: %v", text, err)
			}
			return
		}
		if back, err := Parse(b.String()); err != nil || *back != *b {
			t.Errorf("%q is %v, read back as %v: %v", text, b, back, err)
		}
	})
}

func FuzzMove(f *testing.F) {
	for _, text := range []string{"1:2", "pile:1, take:2;", "7", "1:", "pile:, take:;"} {
		f.Add(text)
	}
	b := newBoard(f, Rules{}, 15, 1, 2)
	f.Fuzz(func(t *testing.T, text string) {
		for n := Colon; n <= OpenSpiel; n++ {
			m, err := n.Parse(text)
			if err != nil || b.Check(m) != nil {
				continue
			}
			if got := n.Format(m); got != text {
				t.Errorf("%v: %q is %v, which is %q", n, text, m, got)
			}
		}
	})
}
