package equilibria

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/big"
	"slices"
	"strings"
	"testing"

	"gamebots/internal/rng"
	"gamebots/solvers/nash"
	"gamebots/solvers/nash/game"
)

// The pure and the symmetric equilibria are those among all of a random game, which is symmetric if the seed is even.
func TestFind(t *testing.T) {
	for seed := range uint64(16) {
		draws := rng.Stream(seed)
		const n = 5
		a, b := make([][]int64, n), make([][]int64, n)
		for i := range n {
			a[i], b[i] = make([]int64, n), make([]int64, n)
		}
		for i := range n {
			for j := range n {
				a[i][j] = int64(draws.IntN(1000))
				b[j][i] = a[i][j]
			}
		}
		b[0][1] += int64(seed % 2)
		g, err := game.New("", a, b)
		if err != nil {
			t.Fatal(err)
		}
		all, err := nash.Solve(t.Context(), g, nash.Options{})
		if err != nil {
			t.Fatal(err)
		}
		pure, same := 0, 0
		for _, e := range all.Equilibria {
			rows, cols := e.Supports()
			if len(rows) == 1 && len(cols) == 1 {
				pure++
			}
			if slices.EqualFunc(e.X, e.Y, func(x, y *big.Rat) bool { return x.Cmp(y) == 0 }) {
				same++
			}
		}
		for _, c := range []struct {
			spec Spec
			want int
		}{{Spec{Pure: true}, pure}, {Spec{Symmetric: true}, same}, {Spec{}, len(all.Equilibria)}} {
			spec, want := c.spec, c.want
			answer, err := Find(t.Context(), g, spec)
			if spec.Symmetric && seed%2 == 1 {
				if !errors.Is(err, ErrNotSymmetric) {
					t.Errorf("seed %d is not symmetric: %v", seed, err)
				}
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			var text bytes.Buffer
			var got struct {
				Count    int
				Complete bool
			}
			err = errors.Join(answer.WriteJSON(&text), json.Unmarshal(text.Bytes(), &got))
			if err != nil || got.Count != want || !got.Complete || spec.Symmetric && got.Count%2 == 0 {
				t.Errorf("seed %d, %+v: %d equilibria, want %d: %v", seed, spec, got.Count, want, err)
			}
		}
	}
}

// Where infinitely many symmetric equilibria are, the answer says that the game is degenerate.
func TestSymmetricDegenerate(t *testing.T) {
	flat := [][]int64{{0, 0}, {0, 0}}
	g, err := game.New("", flat, flat)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := Find(t.Context(), g, Spec{Symmetric: true})
	if err != nil {
		t.Fatal(err)
	}
	var text, written strings.Builder
	if err := errors.Join(answer.WriteText(&text), answer.WriteJSON(&written)); err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(text.String(), "the game is degenerate, and there may be infinitely many\n") ||
		!strings.HasSuffix(written.String(), `"complete":false,"degenerate":true}`+"\n") {
		t.Errorf("%s%s", &text, &written)
	}
}

// Strategies without names are numbers, and names with blanks are in quotes, whatever the search.
func TestNames(t *testing.T) {
	g, err := game.Read("names.nfg", []byte(`NFG 1 R "names" { "" "" } { { "" "" } { "x y" "" } }
		1 1 0 0 0 0 2 2`))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		spec Spec
		want string
	}{
		{Spec{}, `equilibrium 2: rows 1 2, columns "x y" 2, payoffs 2/3 and 2/3, index -1`},
		{Spec{Pure: true}, `pure equilibrium 1: 1 "x y", payoffs 1 1`},
	} {
		answer, err := Find(t.Context(), g, c.spec)
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		if err := answer.WriteText(&text); err != nil || !strings.Contains(text.String(), c.want+"\n") {
			t.Errorf("%+v: %v\n%swant %s", c.spec, err, &text, c.want)
		}
	}
}

// A list that may not be whole has no sum of indices.
func TestJSONIncomplete(t *testing.T) {
	g, err := game.Generate(game.Recipe{Family: "BattleOfTheSexes"})
	if err != nil {
		t.Fatal(err)
	}
	r, err := nash.Solve(t.Context(), g, nash.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for complete, want := range map[bool]string{
		true:  `"count":3,"complete":true,"degenerate":false,"index_sum":1,"verified":true,`,
		false: `"count":3,"complete":false,"degenerate":false,"index_sum":null,"verified":true,`,
	} {
		r.Complete = complete
		var text bytes.Buffer
		err := Matrices{Game: g, Result: r}.WriteJSON(&text)
		if err != nil || !strings.Contains(text.String(), want) {
			t.Errorf("%s, want %s: %v", &text, want, err)
		}
	}
}
