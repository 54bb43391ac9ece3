package equilibria

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"gamebots/solvers/nash"
	"gamebots/solvers/nash/game"
)

// Each method and kind of game has its search, and all searches of a game find as many equilibria.
func TestFind(t *testing.T) {
	two := []int{3}
	three := []int{2, 2, 2}
	for _, c := range []struct {
		name  string
		sizes []int
		spec  Spec
		want  Search
	}{
		{"two players", two, Spec{}, ByMatrices},
		{"a method of two", two, Spec{Method: Method(nash.Support)}, ByMatrices},
		{"three players", three, Spec{}, ByDivision},
		{"pairs of two", two, Spec{Method: Polymatrix}, ByPairs},
		{"pairs of three", three, Spec{Method: Polymatrix}, ByPairs},
		{"one of two", two, Spec{Method: GlobalNewton}, ByPath},
		{"one of three", three, Spec{Method: Logit}, ByPath},
		{"pure", three, Spec{Pure: true}, ByCells},
	} {
		g, err := game.GenerateFor(game.Recipe{Family: "PolymatrixGame", Seed: 4}, c.sizes...)
		if err != nil {
			t.Fatal(err)
		}
		c.spec.Threads = 1
		if got := c.spec.Search(len(g.Sizes)); got != c.want {
			t.Errorf("%s: search %d, want %d", c.name, got, c.want)
		}
		answer, err := Find(t.Context(), g, c.spec)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var text bytes.Buffer
		var got struct{ Count int }
		if err := errors.Join(answer.WriteJSON(&text), json.Unmarshal(text.Bytes(), &got)); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		whole, err := Find(t.Context(), g, Spec{Method: Polymatrix, Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		all := len(whole.(pairs).result.Equilibria)
		if one := c.want == ByPath; one && got.Count != 1 || !one && c.want != ByCells && got.Count != all ||
			got.Count > all {
			t.Errorf("%s: %d equilibria of %d", c.name, got.Count, all)
		}
	}
}

// A game for which a method is not made is refused.
func TestFindRefuses(t *testing.T) {
	g, err := game.GenerateFor(game.Recipe{Family: "RandomGame", Seed: 1}, 2, 2, 2)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Find(t.Context(), g, Spec{Method: Polymatrix}); !errors.Is(err, ErrNotPolymatrix) {
		t.Errorf("by pairs: %v", err)
	}
	if _, err := Find(t.Context(), g, Spec{Symmetric: true}); !errors.Is(err, ErrNotSymmetric) {
		t.Errorf("symmetric: %v", err)
	}
	for _, name := range []string{"auto", "lemke-howson", "polymatrix", "global-newton", "logit"} {
		if m, err := ParseMethod(name); err != nil || string(m) != name {
			t.Errorf("%s is %s: %v", name, m, err)
		}
	}
	if m, err := ParseMethod("guess"); err == nil {
		t.Errorf("guess is %s", m)
	}
}

// Strategies without names are numbers, and names with blanks are in quotes, whatever the search.
func TestNames(t *testing.T) {
	g, err := game.ReadNormalForm("names.nfg", []byte(`NFG 1 R "names" { "" "" } { { "" "" } { "x y" "" } }
		1 1 0 0 0 0 2 2`))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		spec Spec
		want string
	}{
		{Spec{Method: Auto}, `equilibrium 2: rows 1 2, columns "x y" 2, payoffs 2/3 and 2/3, index -1`},
		{Spec{Method: Auto, Pure: true}, `pure equilibrium 1: 1 "x y", payoffs 1 1`},
		{Spec{Method: Polymatrix}, `  player 2: "x y" 2 (2/3, 1/3)`},
		{Spec{Method: GlobalNewton}, `  player 2: 2 (0, 1)`},
	} {
		c.spec.Threads = 1
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
