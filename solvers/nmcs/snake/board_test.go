package snake

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// movesByChecking finds the moves of a path by calls of Check.
func movesByChecking(dimension int, path Sequence) []Move {
	var moves []Move
	used := 0
	for _, m := range path {
		used = max(used, int(m)+1)
	}
	for m := range dimension {
		if m > used {
			break
		}
		if Check(Rules{Dimension: dimension}, append(slices.Clone(path), uint8(m))) == nil {
			moves = append(moves, Move(m))
		}
	}
	return moves
}

// TestMoves compares the moves of boards with those that Check allows, and playouts with draws
// among them.
func TestMoves(t *testing.T) {
	for d := MinDimension; d <= 13; d++ {
		t.Run(fmt.Sprint(d), func(t *testing.T) {
			s := RunKey(1, uint64(d)).Stream(0)
			again := s
			fast := NewBoard(d)
			want := fast.Playout(&s, nil)
			b, path := NewBoard(d), Sequence{}
			for i := 0; ; i++ {
				moves := b.AppendMoves(nil)
				if len(path) < 60 || len(moves) == 0 { // it is quadratic
					if checked := movesByChecking(d, path); !slices.Equal(moves, checked) {
						t.Fatalf("moves %v after %v, want %v", moves, path, checked)
					}
				}
				if len(moves) == 0 {
					break
				}
				m := moves[again.Below(len(moves))]
				if i >= len(want) || want[i] != m {
					t.Fatalf("playout %v, want move %d to be %d", want, i, m)
				}
				b.Play(m)
				path = append(path, uint8(m))
			}
			if len(path) != len(want) || b.Score() != len(path) || fast.Score() != len(path) {
				t.Errorf("length %d of the board, %d of the playout with %d moves, want %d", b.Score(),
					fast.Score(), len(want), len(path))
			}
			if _, err := NewBoardAfter(d, path); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		name     string
		rules    Rules
		sequence string
		fault    string // part of it
		vertex   uint32
	}{
		{"longest in dimension 3", Rules{Dimension: 3}, "0120", "", 0},
		{"longest coil in dimension 3", Rules{Dimension: 3, Coil: true}, "012012", "", 0},
		{"a coil of four", Rules{Dimension: 3, Coil: true}, "0101", "", 0},
		{"turns back", Rules{Dimension: 3}, "011", "on the path already, after edge 1", 1},
		{"touches", Rules{Dimension: 3}, "01201", "touches the path at vertex 0", 4},
		{"touches early", Rules{Dimension: 4}, "0103", "touches the path at vertex 0", 2},
		{"leaves the cube", Rules{Dimension: 3}, "013", "outside of the cube", 11},
		{"not closed", Rules{Dimension: 3, Coil: true}, "0120", "not vertex 0", 6},
		{"closed too early", Rules{Dimension: 4, Coil: true}, "010123", "touches the path at vertex 0", 2},
		{"closed with a chord", Rules{Dimension: 3, Coil: true}, "01021012", "touches the path", 2},
		{"a coil is no snake", Rules{Dimension: 3}, "012012", "touches the path at vertex 0", 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := ParseSequence(c.sequence)
			if err != nil {
				t.Fatal(err)
			}
			err = Check(c.rules, s)
			if c.fault == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			f := (*Fault)(nil)
			if !errors.As(err, &f) || !strings.Contains(err.Error(), c.fault) || f.Vertex != c.vertex {
				t.Errorf("error %v, want one of vertex %d with %q", err, c.vertex, c.fault)
			}
		})
	}
}

// TestRecords checks every snake and coil that was found here, that none of the longest is lost, and that each names
// the commit that found it or recorded it.
func TestRecords(t *testing.T) {
	entries, err := ReadFile("../../../docs/results/snakes.txt")
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile(`, (program of|recorded in) [0-9a-f]{8}$`)
	longest := map[Rules]int{}
	for _, e := range entries {
		if err := Check(e.Rules, e.Sequence); err != nil || !named.MatchString(e.Source) {
			t.Errorf("line %d: source %q: %v", e.Line, e.Source, err)
		}
		longest[e.Rules] = max(longest[e.Rules], len(e.Sequence))
	}
	want := map[Rules]int{
		{Dimension: 8}: 97, {Dimension: 9}: 190, {Dimension: 10}: 376, {Dimension: 11}: 745, {Dimension: 12}: 1472,
		{Dimension: 13}: 2892, {Dimension: 8, Coil: true}: 96, {Dimension: 9, Coil: true}: 188,
		{Dimension: 10, Coil: true}: 370, {Dimension: 11, Coil: true}: 734,
	}
	if len(entries) != 26 || !maps.Equal(longest, want) {
		t.Errorf("%d sequences, the longest %v; want 26, %v", len(entries), longest, want)
	}
}

func TestNewAfterRefuses(t *testing.T) {
	for _, c := range []struct {
		dimension int
		sequence  Sequence
	}{
		{4, Sequence{1, 0}},
		{4, Sequence{0, 1, 0, 1}},
		{2, Sequence{0}},
		{17, Sequence{0}},
	} {
		if b, err := NewBoardAfter(c.dimension, c.sequence); err == nil {
			t.Errorf("a board of dimension %d after %v: %v", c.dimension, c.sequence, b)
		}
	}
}
