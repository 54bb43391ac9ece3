package spotstudy

import (
	"io"
	"path/filepath"
	"strings"
	"testing"

	"gamebots/acpc/ranges"
	"gamebots/solvers/cfr"
	"gamebots/solvers/resolve/spot"
)

// solved returns a turn that was solved, and saved and opened again.
func solved(t *testing.T) *spot.Solution {
	t.Helper()
	s := &spot.Spot{Pot: 100, Stack: 300}
	var err error
	if s.Board, err = spot.ParseBoard("Qs7h2h5c"); err != nil {
		t.Fatal(err)
	}
	for p, text := range []string{"QQ,AhJh,KsTs,98s", "77,AQ,JhTh"} {
		if s.Ranges[p], err = ranges.Parse(text); err != nil {
			t.Fatal(err)
		}
	}
	if s.Menu.Bets, err = spot.ParseBets("50,a", false); err != nil {
		t.Fatal(err)
	}
	solver, err := spot.New(s, spot.Options{Algorithm: cfr.Algorithms[0], Threads: 1, Memory: 1 << 24})
	if err != nil {
		t.Fatal(err)
	}
	solver.Solve(t.Context(), spot.Limits{Iterations: 50}, func(float64) {})
	file := filepath.Join(t.TempDir(), "spot")
	if err := solver.Save(file, 1); err != nil {
		t.Fatal(err)
	}
	opened, err := spot.OpenSaved(file, 1, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { opened.Close() })
	return opened
}

// typed returns a function that reads lines.
func typed(lines ...string) func() (string, bool) {
	return func() (string, bool) {
		if len(lines) == 0 {
			return "", false
		}
		line := lines[0]
		lines = lines[1:]
		return line, true
	}
}

// Several steps of a line may be typed at once.
func TestWalkSteps(t *testing.T) {
	var shown []string
	show := func(n *spot.Node) error { shown = append(shown, n.Line); return nil }
	if err := Walk(solved(t), "", typed("x x", "9d", "x b50", "x b7", "QUIT"), io.Discard, show); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(shown, ","); got != ",x x 9d,x x 9d x b50" {
		t.Errorf("shown %q", got)
	}
}

// A walk follows actions and cards to the river, goes back, says what is not possible, and ends with its input.
func TestWalk(t *testing.T) {
	var out strings.Builder
	var shown []string
	show := func(n *spot.Node) error { shown = append(shown, n.Line); return nil }
	commands := "1,b7,?,k,Qs,9d,½ pot,f,u,u,u,u,r 50,call,"
	if err := Walk(solved(t), "", typed(strings.Split(commands, ",")...), &out, show); err != nil {
		t.Fatal(err)
	}
	want := ",x,x x 9d,x x 9d b50,x x 9d,x,,b50,b50 c "
	if got := strings.Join(shown, ","); !strings.HasPrefix(got, want) || len(got) != len(want)+2 {
		t.Errorf("shown %q, want %q and a card", got, want)
	}
	for _, part := range []string{
		`"b7" is not possible`, "possible: x, b50, b300", "u goes up", "the hand is over after f",
		`"Qs" is not possible`, "the next card",
	} {
		if !strings.Contains(out.String(), part) {
			t.Errorf("%s\nwithout %q", &out, part)
		}
	}
	if err := Walk(solved(t), "b7", typed("q"), io.Discard, show); err == nil {
		t.Error("a walk begins at a line that is not there")
	}
}
