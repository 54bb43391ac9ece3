package nash

import (
	"embed"
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gamebots/internal/testkit"
	"gamebots/solvers/nash/bimatrix"
)

// A reference is a game with the results of other programs.
type reference struct {
	Name, File  string
	A, B        [][]int64
	Degenerate  bool
	NashSubsets int `json:"nash_subsets"`
	Components  int
	IndexSum    *int `json:"index_sum"`
	Equilibria  []struct {
		X, Y               []string
		Payoff1, Payoff2   string
		Support1, Support2 []int
		Index              *int
	}
}

// TestReferenceNash solves every game for which there is a reference, from its
// matrices and from its file, and compares all that is said of it.
func TestReferenceNash(t *testing.T) {
	for _, file := range testkit.ReferenceFiles(t, "nash/*.json") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var all struct{ Games []reference }
		if err := json.Unmarshal(text, &all); err != nil || len(all.Games) == 0 {
			t.Fatalf("%s: %d games: %v", file, len(all.Games), err)
		}
		for _, ref := range all.Games {
			t.Run(ref.Name, func(t *testing.T) { compareReference(t, filepath.Dir(file), &ref) })
		}
	}
}

func compareReference(t *testing.T, folder string, ref *reference) {
	g, err := bimatrix.New(ref.Name, ref.A, ref.B)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(ref.File))); err == nil {
		read, err := bimatrix.Read(ref.File, text)
		if err != nil {
			t.Fatal(err)
		}
		if string(read.NFG()) != string(g.NFG()) {
			t.Errorf("%s differs from the game's matrices", ref.File)
		}
	}
	r, err := Solve(t.Context(), g, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !r.Verified || (r.Degeneracy == Degenerate) != ref.Degenerate || r.Degeneracy == NotTested ||
		len(r.Equilibria) != len(ref.Equilibria) {
		t.Fatalf("%d equilibria, want %d; degenerate %v, want %v; %q", len(r.Equilibria), len(ref.Equilibria),
			r.Degeneracy, ref.Degenerate, r.Problem)
	}
	if g.Rows <= 8 && g.Cols <= 8 {
		if other := solved(t, g, Options{Method: Nguyen}); !equal(other.Equilibria, r.Equilibria) ||
			other.Degeneracy != r.Degeneracy {
			t.Errorf("by supports %d equilibria, degenerate %v", len(other.Equilibria), other.Degeneracy)
		}
	}
	structure, err := r.Structure(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(structure.Subsets) != ref.NashSubsets || structure.Components != ref.Components {
		t.Errorf("%d maximal Nash subsets, want %d; %d components, want %d",
			len(structure.Subsets), ref.NashSubsets, structure.Components, ref.Components)
	}
	for i, want := range ref.Equilibria {
		got := r.Equilibria[i]
		index := 0
		if want.Index != nil {
			index = *want.Index
		}
		if !same(got.X, want.X) || !same(got.Y, want.Y) ||
			!same(got.Payoffs[:], []string{want.Payoff1, want.Payoff2}) || got.Index != index {
			t.Errorf("equilibrium %d is %v %v with %v and index %d, want %+v", i, got.X, got.Y, got.Payoffs, got.Index,
				want)
		}
	}
}

func same(got []*big.Rat, want []string) bool {
	for i, x := range got {
		if x.RatString() != want[i] {
			return false
		}
	}
	return len(got) == len(want)
}

//go:embed testdata/reported
var reported embed.FS

// The games of docs/nash-reported.md have as many equilibria as it says.
func TestReported(t *testing.T) {
	for name, want := range map[string]struct {
		equilibria int
		degeneracy Degeneracy
	}{
		"nashpy-39": {4, Degenerate}, "nashpy-41": {1, Degenerate}, "nashpy-60": {1, Degenerate},
		"nashpy-64": {3, Nondegenerate},
		"nashpy-67": {1, Nondegenerate}, "nashpy-76": {3, Degenerate}, "nashpy-82": {8, Degenerate},
		"nashpy-222": {2, Degenerate},
		"nashpy-231": {1, Degenerate}, "quantecon-326": {3, Degenerate}, "beyond-2-63": {3, Nondegenerate},
	} {
		t.Run(name, func(t *testing.T) {
			text, err := reported.ReadFile("testdata/reported/" + name + ".lrs")
			if err != nil {
				t.Fatal(err)
			}
			g, err := bimatrix.Read(name+".lrs", text)
			if err != nil {
				t.Fatal(err)
			}
			r := solved(t, g, Options{})
			if len(r.Equilibria) != want.equilibria || r.Degeneracy != want.degeneracy {
				t.Errorf("%d equilibria, %v, want %d, %v", len(r.Equilibria), r.Degeneracy, want.equilibria,
					want.degeneracy)
			}
			lrsnash, err := exec.LookPath("lrsnash")
			if err != nil {
				return // it is optional
			}
			file := filepath.Join(t.TempDir(), name+".lrs")
			if err := os.WriteFile(file, text, 0o600); err != nil {
				t.Fatal(err)
			}
			out, err := exec.Command(lrsnash, file).Output()
			if want := fmt.Sprintf("Number of equilibria found: %d\n", want.equilibria); err != nil ||
				!strings.Contains(string(out), want) {
				t.Errorf("lrsnash prints %s: %v", out, err)
			}
		})
	}
}
