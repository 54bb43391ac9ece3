package nimsolver_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"gamebots/hexproto/nim"
	"gamebots/solvers/nimsolver"
)

// agrees compares a table with the XOR rule, position by position.
func agrees(t *testing.T, table *nimsolver.Table, p nimsolver.Position) {
	t.Helper()
	lost := uint64(0)
	h := nim.Heaps(0)
	for {
		want := p.Rules.Lost(h)
		if table.Lost(h) != want {
			t.Fatalf("%+v: %x is lost: %v, by the rule %v", p, h, !want, want)
		}
		if want {
			lost++
		}
		if h&0xfff == p.Heaps&0xfff { // a part of them is enough for moves
			move, wins := p.Rules.Best(h)
			if r := table.Best(h); h != 0 && (r.Move != move || (r.Value == nimsolver.Win) != wins) ||
				h == 0 && (r.Value == nimsolver.Loss) != want {
				t.Errorf("%+v: %x: %+v, by the rule %v, %v", p, h, r, move, wins)
			}
		}
		heap := 0
		for ; heap < nim.MaxHeaps && h.Size(heap) == p.Heaps.Size(heap); heap++ {
			h &^= 15 << (4 * heap)
		}
		if heap == nim.MaxHeaps {
			break
		}
		h += 1 << (4 * heap)
	}
	if _, n := table.Positions(); n != lost {
		t.Errorf("%+v: %d positions are lost, by the rule %d", p, n, lost)
	}
}

// Known numbers of positions.
var positions = []uint64{2: 8, 48, 384, 3840, 46080, 645120, 10321920}

func TestTableRows(t *testing.T) {
	for n := 1; n <= 7; n++ {
		for _, misere := range []bool{false, true} {
			p := nimsolver.Position{Rules: nim.Rules{Misere: misere}, Heaps: nim.Rows(n)}
			table, err := nimsolver.NewTable(t.Context(), p, 2, nil)
			if err != nil {
				t.Fatal(err)
			}
			if all, _ := table.Positions(); n > 1 && all != positions[n] {
				t.Errorf("%d rows: %d positions, want %d", n, all, positions[n])
			}
			agrees(t, table, p)
		}
	}
}

// Of eight rows one position in sixteen is lost, in normal and misère play.
func TestTableEightRows(t *testing.T) {
	for _, misere := range []bool{false, true} {
		table, err := nimsolver.NewTable(t.Context(),
			nimsolver.Position{Rules: nim.Rules{Misere: misere}, Heaps: nim.Rows(8)}, 2, nil)
		if err != nil {
			t.Fatal(err)
		}
		if all, lost := table.Positions(); all != 10_321_920 || lost != 645_120 {
			t.Errorf("misère %v: %d of %d are lost", misere, lost, all)
		}
		if !table.Lost(nim.Rows(8)) {
			t.Errorf("misère %v: the board is lost for the player to move", misere)
		}
	}
}

func TestTableLimits(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 5))
	for _, board := range []nim.Heaps{0, 0xf, 0x2, 0x30, 0xf0f, 0x1234, 0x12223, 0x11111111, 0x2020103050,
		0x1111111111111111} {
		for limit := range nim.MaxSize + 1 {
			p := nimsolver.Position{Rules: nim.Rules{Misere: rng.IntN(2) == 0, MaxTake: limit}, Heaps: board}
			table, err := nimsolver.NewTable(t.Context(), p, 1+rng.IntN(3), nil)
			if err != nil {
				t.Fatal(err)
			}
			agrees(t, table, p)
		}
	}
}

func TestTableRefuses(t *testing.T) {
	if _, err := nimsolver.NewTable(t.Context(), nimsolver.Position{Heaps: 0xffffffffffffffff}, 1, nil); !errors.Is(err,
		nimsolver.ErrTooLarge) {
		t.Errorf("sixteen full heaps: %v", err)
	}
	if _, err := nimsolver.NewTable(t.Context(), nimsolver.Position{Rules: nim.Rules{MaxTake: 99}}, 1,
		nil); !errors.Is(err, nimsolver.ErrInput) {
		t.Errorf("a limit of 99: %v", err)
	}
	if n, err := nimsolver.TableBytes(nimsolver.Position{Heaps: 0xffffffff}); n != 512<<20 || err != nil {
		t.Errorf("eight full heaps take %d bytes: %v", n, err)
	}
}

func BenchmarkTable(b *testing.B) {
	for threads := 1; threads <= 2; threads++ {
		b.Run(fmt.Sprint(threads, " threads"), func(b *testing.B) {
			for b.Loop() {
				if _, err := nimsolver.NewTable(b.Context(), nimsolver.Position{Heaps: nim.Rows(8)}, threads,
					nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// Ten thousand positions of up to six heaps of fifteen, in normal and misère play.
func TestTableLarge(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 15))
	for _, misere := range []bool{false, true} {
		p := nimsolver.Position{Rules: nim.Rules{Misere: misere}, Heaps: 0xffffff}
		table, err := nimsolver.NewTable(t.Context(), p, 2, nil)
		if err != nil {
			t.Fatal(err)
		}
		for range 10_000 {
			h := nim.Heaps(rng.IntN(1 << 24))
			move, wins := p.Rules.Best(h)
			if r := table.Best(h); h != 0 && (r.Move != move || (r.Value == nimsolver.Win) != wins) {
				t.Fatalf("%+v: %x: %+v, by the rule %v, %v", p, h, r, move, wins)
			}
		}
	}
}

// Every position of boards up to five rows is searched to the end of its game.
func TestSearchToTheEnd(t *testing.T) {
	for _, misere := range []bool{false, true} {
		rules := nim.Rules{Misere: misere}
		for h := nim.Heaps(1); h <= nim.Rows(5); h++ {
			p := nimsolver.Position{Rules: rules, Heaps: h}
			if h.Size(0) > 1 || h.Size(1) > 3 || h.Size(2) > 5 || h.Size(3) > 7 {
				continue
			}
			r, err := nimsolver.Search(t.Context(), p, h.Sticks(), 13)
			move, wins := rules.Best(h)
			if err != nil || r.Move != move || (r.Value == nimsolver.Win) != wins ||
				(r.Value == nimsolver.Loss) == wins {
				t.Fatalf("%+v: %+v, by the rule %v, %v: %v", p, r, move, wins, err)
			}
		}
	}
}

// Progress grows and stays below 1.
func TestTableProgress(t *testing.T) {
	var parts []float64
	progress := func(part float64) { parts = append(parts, part) }
	if _, err := nimsolver.NewTable(t.Context(), nimsolver.Position{Heaps: 0x33_3333_ffff}, 2, progress); err != nil {
		t.Fatal(err)
	}
	if !slices.IsSorted(parts) || len(parts) == 0 || parts[0] != 0 || parts[len(parts)-1] < 0.5 ||
		parts[len(parts)-1] >= 1 {
		t.Errorf("progress %v", parts)
	}
}
