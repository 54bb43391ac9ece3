package nash

import (
	"encoding/json"
	"testing"

	"gamebots/internal/rng"
	"gamebots/solvers/nash/bimatrix"
)

// dominated returns a game of n by n in which row 1 is best in every column, and
// column 1 is best for both, but only against row 2 are columns 2 and 3 as good as each
// other, if tied: a tie far from the only equilibrium.
func dominated(t *testing.T, n int, tied bool) *bimatrix.Game {
	t.Helper()
	draws := rng.Stream(n)
	a, b := make([][]int64, n), make([][]int64, n)
	for i := range n {
		for range n {
			a[i], b[i] = append(a[i], int64(draws.Uint64()%1000000)), append(b[i], int64(draws.Uint64()%1000000))
		}
	}
	for j := range n {
		a[0][j] += 1000000
	}
	b[0][0] = 2000000
	b[1][1], b[1][2] = 2000000, 2000000
	if !tied {
		b[1][1]++
	}
	return newGame(t, a, b)
}

// planted returns a game of n by n in which the even mixture of the first k rows makes
// k+1 columns best replies, if tied, and else all but one of them.
func planted(t *testing.T, n, k int, tied bool) *bimatrix.Game {
	t.Helper()
	draws := rng.Stream(100*n + k)
	a, b := make([][]int64, n), make([][]int64, n)
	for i := range n {
		for range n {
			a[i], b[i] = append(a[i], int64(draws.Uint64()%1000000)), append(b[i], int64(draws.Uint64()%1000000))
		}
	}
	for j := range k + 1 {
		left := int64(k) * 2000000
		for i := range k - 1 {
			b[i][j] += 1500000
			left -= b[i][j]
		}
		b[k-1][j] = left
	}
	if !tied {
		b[k-1][0]--
	}
	return newGame(t, a, b)
}

func newGame(t *testing.T, a, b [][]int64) *bimatrix.Game {
	t.Helper()
	g, err := bimatrix.New(t.Name(), a, b)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// A single tie is found wherever it is, and its absence is proved.
func TestDegeneracy(t *testing.T) {
	for _, n := range []int{3, 8, 14, 15, 16, 20} {
		for _, tied := range []bool{false, true} {
			want := Nondegenerate
			if tied {
				want = Degenerate
			}
			if r := solved(t, dominated(t, n, tied), Options{}); r.Degeneracy != want || len(r.Equilibria) != 1 {
				t.Errorf("n = %d: %v and %d equilibria, want %v and 1", n, r.Degeneracy, len(r.Equilibria), want)
			}
		}
	}
	for _, n := range []int{6, 11, 16} {
		for k := 2; k < n; k += 4 {
			for _, tied := range []bool{false, true} {
				want := Nondegenerate
				if tied {
					want = Degenerate
				}
				if r := solved(t, planted(t, n, k, tied), Options{}); r.Degeneracy != want {
					t.Errorf("n = %d, %d rows: %v, want %v", n, k, r.Degeneracy, want)
				}
			}
		}
	}
}

// A test that is left out is not an answer, in Go and in JSON.
func TestDegeneracyNotTested(t *testing.T) {
	for name, c := range map[string]struct {
		g    *bimatrix.Game
		o    Options
		want Degeneracy
	}{
		"never":             {dominated(t, 5, true), Options{TestDegeneracy: TestNever}, NotTested},
		"without checks":    {dominated(t, 5, true), Options{SkipChecks: true}, NotTested},
		"too large":         {random(t, 38, 3, 1), Options{}, NotTested},
		"large, on request": {random(t, 38, 3, 1), Options{TestDegeneracy: TestAlways}, Nondegenerate},
		"a degenerate candidate": {newGame(t, [][]int64{{1, 1}, {1, 1}}, [][]int64{{1, 1}, {1, 1}}),
			Options{TestDegeneracy: TestNever}, Degenerate},
	} {
		r := solved(t, c.g, c.o)
		if r.Degeneracy != c.want {
			t.Errorf("%s: %v, want %v", name, r.Degeneracy, c.want)
		}
		text, err := json.Marshal(r.Degeneracy)
		if want := map[Degeneracy]string{NotTested: "null", Nondegenerate: "false",
			Degenerate: "true"}[c.want]; err != nil || string(text) != want {
			t.Errorf("%s: %s in JSON, want %s: %v", name, text, want, err)
		}
	}
}
