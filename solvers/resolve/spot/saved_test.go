package spot

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gamebots/solvers/resolve/spot/internal/layout"
	"gamebots/solvers/strategy"
)

// saveSpot solves a spot and returns the solver and its saved solution.
func saveSpot(t *testing.T, s *Spot, iterations int) (*Solver, *Solution) {
	t.Helper()
	solver := testSolver(t, s, "dcfr", 0, 2)
	solver.rotated = 0 // as on the rivers with which it is compared
	for range iterations {
		solver.Step()
	}
	file := filepath.Join(t.TempDir(), "spot")
	if err := solver.Save(file, solver.Solution().Exploitability()); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(file); err != nil || info.Size() > solver.SavedBytes()+10_000 {
		t.Errorf("%d bytes, at most %d were stated", info.Size(), solver.SavedBytes())
	}
	opened, err := OpenSaved(file, 2, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { opened.Close() })
	return solver, opened
}

// savedSpots are a flop whose clubs and diamonds are alike, with donks and a lock, a turn and a river.
func savedSpots(t *testing.T) map[string]*Spot {
	flop := testSpot(t, "Qs7h2h", "QQ,AhJh,KsTs,AcKc,AdKd", "77,AhQh,JhTh,KJs", 100, 400, "60", "a")
	flop.Menu.RaiseCap, flop.Menu.Donks = 2, [layout.NumStreets]Sizes{{}, {{PotSize, .3}}, {{PotSize, .4}}}
	flop.Rake = Rake{.05, 10}
	turn := testSpot(t, "Qs7h2h5c", "QQ,AhJh,KsTs,98s", "77,AQ,JhTh,6h5h:0.3", 100, 300, "50,a", "a")
	turn.Locks = []Lock{{Line: "x", Hands: nil}, {Line: "x x 9d x", Hands: nil}}
	river := testSpot(t, "Qs7h2h5c5d", "QQ,AhJh,KsTs,98s", "77,AQ,JhTh,6h5h:0.3", 100, 300, "50,a", "a")
	return map[string]*Spot{"flop": flop, "turn": turn, "river": river}
}

// What is read from a file is what its solver has found, on streets that the file has; what follows on a river has
// nearly the same values.
func TestSaved(t *testing.T) {
	lines := map[string][]string{
		"flop":  {"", "x", "x b60", "b60", "b60 c 7s", "x b60 c 3c", "x b60 c 3d x", "x x 9s b60"},
		"turn":  {"", "x", "b50", "x b50 r300"},
		"river": {"", "x", "b50"},
	}
	rivers := map[string][]string{
		"flop": {"x b60 c 3d x x 3c", "x b60 c 3d x b132 c 9d", "x x 9s x x 2c x"}, "turn": {"x x 9d", "b50 c 2s x"},
	}
	for name, s := range savedSpots(t) {
		solver, opened := saveSpot(t, s, map[string]int{"flop": 60, "turn": 300, "river": 300}[name])
		want, got := solver.Solution().Evaluate(), opened.Evaluate()
		if x := want.Exploitability(); math.Abs(got.Exploitability()-x) > 1e-3 || x > 3 {
			t.Errorf("%s: exploitability %g, solved to %g", name, got.Exploitability(), x)
		}
		for p := range 2 {
			if math.Abs(want.Values[p]-got.Values[p]) > .05 {
				t.Errorf("%s: values %v, want %v", name, got.Values, want.Values)
			}
		}
		for _, line := range lines[name] {
			sameNodes(t, name, mustAt(t, opened, line), mustAt(t, solver.Solution(), line), .05)
			strategy, err := opened.Strategy(line)
			if err != nil || len(strategy.Actions) < 2 {
				t.Errorf("%s %q: strategy %+v: %v", name, line, strategy, err)
			}
		}
		for _, line := range rivers[name] {
			read, solved := mustAt(t, opened, line), mustAt(t, solver.Solution(), line)
			if read.Line != line || read.Pot != solved.Pot || read.Player != solved.Player || read.Put != solved.Put ||
				len(read.Actions) != len(solved.Actions) || math.Abs(read.Reached-solved.Reached) > .01 {
				t.Errorf("%s %q: %+v, want %+v", name, line, read, solved)
			}
			for p := range 2 { // the same ranges come to the river, and play there is solved
				a, b := read.Summary(p), solved.Summary(p)
				if math.Abs(a.Value-b.Value) > .03*float64(solved.Pot) ||
					!strings.HasSuffix(line, "x") && math.Abs(a.Equity-b.Equity) > 1e-3 {
					t.Errorf("%s %q: player %d has %+v, want %+v", name, line, p, a, b)
				}
			}
		}
	}
}

func mustAt(t *testing.T, s *Solution, line string) *Node {
	t.Helper()
	n, err := s.At(line)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// sameNodes compares two nodes: probabilities and weights to a thousandth, values to some chips.
func sameNodes(t *testing.T, name string, got, want *Node, chips float64) {
	t.Helper()
	if got.Pot != want.Pot || got.Put != want.Put || got.AllIn != want.AllIn || got.Player != want.Player ||
		math.Abs(got.Reached-want.Reached) > 1e-3 {
		t.Errorf("%s %q: %+v, want %+v", name, want.Line, got, want)
	}
	for p := range want.Hands {
		for i, w := range want.Hands[p] {
			g := got.Hands[p][i]
			if g.Hole != w.Hole || math.Abs(g.Weight-w.Weight) > 1e-3 || math.Abs(g.Value-w.Value) > chips ||
				math.Abs(g.Equity-w.Equity) > 1e-3 {
				t.Errorf("%s %q: %v %+v, want %+v", name, want.Line, w.Hole, g, w)
			}
			for a := range w.Probabilities {
				if math.Abs(g.Probabilities[a]-w.Probabilities[a]) > 1e-3 || math.Abs(g.Values[a]-w.Values[a]) > chips {
					t.Errorf("%s %q: %v %+v, want %+v", name, want.Line, w.Hole, g, w)
				}
			}
		}
	}
}

// Lines that a saved spot does not have say what is possible, on all streets.
func TestSavedLines(t *testing.T) {
	_, opened := saveSpot(t, savedSpots(t)["turn"], 20)
	for line, want := range map[string]string{
		"1/2 pot b7": "possible: f, c, r300",
		"b7":         "possible: x, b50, b300", "x x": "possible: a card such as 2c", "x 9d": "possible: x, b50, b300",
		"x x Qs": "possible: a card such as 2c", "x x 9d b7": "possible: x, b50, b300",
		"x b300 c 9d": "the hand is over there", "x b300 c": "possible: a card such as 2c",
		"x x 9d x b50 f": "the hand is over there",
	} {
		err := opened.Check(line)
		if e := (*LineError)(nil); !errors.As(err, &e) || e.Hint() != want {
			t.Errorf("%q: %v, %+v", line, err, e)
		}
		if _, at := opened.At(line); at == nil || at.Error() != err.Error() {
			t.Errorf("%q: %v, and of At %v", line, err, at)
		}
	}
}

// A river is not solved for longer than there is time, and once there is, it is as if it had been solved at once.
func TestSavedUntil(t *testing.T) {
	solver, opened := saveSpot(t, savedSpots(t)["turn"], 20)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	opened.Until(ctx)
	const line = "x x 9d"
	for range 2 {
		if _, err := opened.At(line); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
	if n := mustAt(t, opened, "x"); n.Pot != 100 {
		t.Errorf("what is in the file: %+v", n)
	}
	opened.Until(t.Context())
	file := filepath.Join(t.TempDir(), "again")
	if err := solver.Save(file, 0); err != nil {
		t.Fatal(err)
	}
	again, err := OpenSaved(file, 2, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	sameNodes(t, "turn", mustAt(t, opened, line), mustAt(t, again, line), 0)
}

// Spots of solving at the table have no file.
func TestSaveRefused(t *testing.T) {
	s := savedSpots(t)["river"]
	s.Lines = [][]Action{{{Kind: Check}}}
	err := testSolver(t, s, "dcfr", 0, 1).Save(filepath.Join(t.TempDir(), "s"), 0)
	if !errors.Is(err, errors.ErrUnsupported) {
		t.Error(err)
	}
}

// A block of the root that is damaged is an error that names the file once.
func TestSavedDamaged(t *testing.T) {
	file := filepath.Join(t.TempDir(), "spot")
	solver := testSolver(t, savedSpots(t)["river"], "dcfr", 10, 1)
	if err := solver.Save(file, solver.Solution().Exploitability()); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)-1] ^= 1
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = OpenSaved(file, 1, 1<<30)
	if !errors.Is(err, strategy.ErrCorrupt) || strings.Count(err.Error(), file) != 1 {
		t.Error(err)
	}
}

// FuzzOpenSaved opens files with whole checksums and any text of a spot. Each is refused, or read at its root.
func FuzzOpenSaved(f *testing.F) {
	for _, s := range []string{
		`{"board":"Qs7h2h5c5d","pot":10,"stack":20,"ranges":["AA","KK"],"menu":{}}`,
		`{"board":"Qs7h2h5c","pot":10,"stack":4194304,"ranges":["AA,AKs","KK"],
			"menu":{"Bets":[[[],[{"Kind":0,"Value":1e300}],[]],[[],[],[]]],"AddAllIn":-1,"Merge":-5}}`,
		`{"board":"Qs7h2h","pot":1,"stack":4194304,"ranges":["random","random"],
			"menu":{"Bets":[[[{"Kind":2,"Value":1}],[{"Kind":2,"Value":1}],[{"Kind":2,"Value":1}]],
				[[{"Kind":2,"Value":1}],[{"Kind":2,"Value":1}],[{"Kind":2,"Value":1}]]]}}`,
		`{"board":"","pot":-1}`, `null`, `{`, `{"locks":[{"hands":{"Ah":{}}}]}`,
	} {
		f.Add(s, uint16(100))
	}
	f.Add(`{"board":"Qs7h2h5c5d","pot":10,"ranges":["AA","KK"],"menu":{}}`, uint16(0))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text string, n uint16) {
		file := filepath.Join(dir, "spot")
		write := func(n uint64) error {
			m := strategy.Meta{Game: savedGame, GameText: text}
			return strategy.Write(file, m, n, func([]float32, uint64) error { return nil })
		}
		if err := write(uint64(n)); err != nil {
			t.Skip()
		}
		opened, err := OpenSaved(file, 1, 1<<30)
		if err != nil {
			if !errors.Is(err, strategy.ErrCorrupt) || !strings.HasPrefix(err.Error(), file) {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		defer opened.Close()
		if _, err := opened.At(""); err != nil && !errors.As(err, new(*LineError)) {
			t.Fatalf("%q: %v", text, err)
		}
	})
}

// A spot reads as it was written, with its locks.
func TestText(t *testing.T) {
	s := savedSpots(t)["flop"]
	s.Locks = []Lock{{Line: "x", Hands: nil}}
	text, err := s.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	again := new(Spot)
	if err := again.UnmarshalText(text); err != nil {
		t.Fatal(err)
	}
	if second, err := again.MarshalText(); err != nil || !bytes.Equal(second, text) || !json.Valid(text) {
		t.Errorf("%s\n%s: %v", text, second, err)
	}
}

// The rivers of a file are solved in the memory that there may be.
func TestSavedMemory(t *testing.T) {
	_, opened := saveSpot(t, savedSpots(t)["turn"], 10)
	opened.saved.riverMemory = 1000
	var short *MemoryError
	for range 10 {
		if _, err := opened.At("x x 2c"); !errors.As(err, &short) || short.Limit != 1000 || short.Need <= 1000 {
			t.Fatalf("in 1000 bytes: %v", err)
		}
	}
	opened.saved.riverMemory = short.Need
	if _, err := opened.At("x x 2c"); err != nil {
		t.Error(err)
	}
}
