package nash

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"gamebots/solvers/nash/bimatrix"
)

// The pure equilibria are those among all of a random game.
func TestFind(t *testing.T) {
	for seed := range uint64(16) {
		g := random(t, 5, 5, seed)
		all, err := Find(t.Context(), g, Options{})
		if err != nil {
			t.Fatal(err)
		}
		pure := 0
		for _, e := range all.Result.Equilibria {
			rows, cols := e.Supports()
			if len(rows) == 1 && len(cols) == 1 {
				pure++
			}
		}
		for _, c := range []struct {
			want   int
			result any
		}{{pure, FindPure(g).JSON()}, {len(all.Result.Equilibria), all.JSON()}} {
			var got struct {
				Count    int
				Complete bool
			}
			text, err := json.Marshal(c.result)
			err = errors.Join(err, json.Unmarshal(text, &got))
			if err != nil || got.Count != c.want || !got.Complete {
				t.Errorf("seed %d: %d equilibria, want %d: %v", seed, got.Count, c.want, err)
			}
		}
	}
}

// Strategies without names are numbers, and names with blanks are in quotes, whatever the search.
func TestNames(t *testing.T) {
	g, err := bimatrix.Read("names.nfg", []byte(`NFG 1 R "names" { "" "" } { { "" "" } { "x y" "" } }
		1 1 0 0 0 0 2 2`))
	if err != nil {
		t.Fatal(err)
	}
	all, err := Find(t.Context(), g, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for want, write := range map[string]func(io.Writer) error{
		`equilibrium 2: rows 1 2, columns "x y" 2, payoffs 2/3 and 2/3, index -1`: all.WriteText,
		`pure equilibrium 1: 1 "x y", payoffs 1 1`:                                FindPure(g).WriteText,
	} {
		var text strings.Builder
		if err := write(&text); err != nil || !strings.Contains(text.String(), want+"\n") {
			t.Errorf("%v\n%swant %s", err, &text, want)
		}
	}
}

// A list that may not be whole has no sum of indices.
func TestJSONIncomplete(t *testing.T) {
	g, err := bimatrix.Generate(bimatrix.Recipe{Family: "BattleOfTheSexes"})
	if err != nil {
		t.Fatal(err)
	}
	r, err := Solve(t.Context(), g, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for complete, want := range map[bool]string{
		true:  `"count":3,"complete":true,"degenerate":false,"index_sum":1,"verified":true,`,
		false: `"count":3,"complete":false,"degenerate":false,"index_sum":null,"verified":true,`,
	} {
		r.Complete = complete
		text, err := json.Marshal((&Found{Game: g, Result: r}).JSON())
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s, want %s: %v", text, want, err)
		}
	}
}
