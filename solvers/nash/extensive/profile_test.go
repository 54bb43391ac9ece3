package extensive_test

import (
	"encoding/json"
	"math/big"
	"strings"
	"testing"

	"gamebots/solvers/nash/extensive"
)

// matching is matching pennies in two versions, in which the second player's sets have the same name.
const matching = `EFG 2 R "" { "a" "b" }
p "" 1 1 "first" { "h" "t" } 0
p "" 2 1 "same" { "h" "t" } 0
t "" 1 "" { 1 -1 } t "" 2 "" { -1 1 }
p "" 2 2 "same" { "h" "t" } 0
t "" 2 t "" 1`

// A profile is read back as it was written, as fractions and as floats.
func TestProfileFile(t *testing.T) {
	g, err := extensive.Read("", []byte(matching))
	if err != nil {
		t.Fatal(err)
	}
	third := big.NewRat(1, 3)
	rest := big.NewRat(2, 3)
	r := extensive.Report{Game: g, Source: "matching.efg", Profile: extensive.Profile{{third, rest}, {rest, third},
		{third, rest}}}
	for _, r.Exact = range []bool{true, false} {
		text, err := json.Marshal(r.JSON())
		if err != nil || !strings.HasPrefix(string(text), extensive.ProfileMagic) {
			t.Fatalf("%s: %v", text, err)
		}
		s, err := extensive.ReadProfile("p.json", text)
		if err != nil || s.Source != "matching.efg" {
			t.Fatalf("%v: %v", s, err)
		}
		got, err := s.Of(g)
		if err != nil || g.Check(got) != nil {
			t.Fatalf("%v: %v", got, err)
		}
		for i := range got {
			for a, x := range got[i] {
				y, _ := x.Float64()
				if r.Exact && x.Cmp(r.Profile[i][a]) != 0 || y != []float64{1. / 3, 2. / 3}[(i+a)%2] {
					t.Errorf("set %d, action %d: %v, want %v", i, a, x, r.Profile[i][a])
				}
			}
		}
	}
}

// What is no profile of a game is refused, and the error says why.
func TestProfileErrors(t *testing.T) {
	g, err := extensive.Read("", []byte(matching))
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"":                  "not a profile in JSON",
		"{}":                `no "strategies"`,
		`{"strategies":[]}`: "no strategy for information set first of a",
		`{"strategies":[{"player":0,"set":"last","probabilities":[1,0]}]}`:                   "the game has none",
		`{"strategies":[{"player":-1,"number":1,"probabilities":[1,0]}]}`:                    "the game has none",
		`{"strategies":[{"player":1,"set":"same","probabilities":[1,0]}]}`:                   "several have the name",
		`{"strategies":[{"player":0,"set":"first","probabilities":[1]}]}`:                    "1 probabilities of 2",
		`{"strategies":[{"player":0,"set":"first","probabilities":["x",0]}]}`:                `"x" is not a prob`,
		`{"strategies":[{"player":0,"set":"first","probabilities":[0.5,0.4]}]}`:              "add up to 9/10",
		`{"strategies":[{"player":0,"set":"first","probabilities":[1.5,-0.5]}]}`:             "a probability of -1/2",
		`{"strategies":[{"player":0,"set":"first","actions":["t","h"],"probabilities":[]}]}`: "its actions are",
		`{"strategies":[{"player":0,"set":"first","probabilities":[1,0]},` +
			`{"player":0,"number":1,"probabilities":[1,0]}]}`: "there twice",
	} {
		s, err := extensive.ReadProfile("p.json", []byte(text))
		if err == nil {
			_, err = s.Of(g)
		}
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "p.json") {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
	}
}
