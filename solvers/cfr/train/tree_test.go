package train_test

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gamebots/solvers/cfr/tabular"
	"gamebots/solvers/cfr/train"
	"gamebots/solvers/nash/extensive"
)

// dice returns a training of a small game of dice into a file.
func dice(t *testing.T, file, algorithm string, iterations uint64) train.Job {
	t.Helper()
	g, err := extensive.Named("liars-dice-3")
	if err != nil {
		t.Fatal(err)
	}
	s, err := train.Description{Algorithm: algorithm}.TreeSpec(&train.Tree{Game: g, Source: "liars-dice-3"})
	if err != nil {
		t.Fatal(err)
	}
	j := train.Job{Spec: s, File: filepath.Join(t.TempDir(), file)}
	j.Goal.Iterations = iterations
	return j
}

// An extensive game is trained with a curve, goes on from its checkpoint as if it had never ended, and its strategies
// are read back.
func TestTree(t *testing.T) {
	for _, algorithm := range []string{"", "cfr+", "external"} {
		whole := dice(t, "whole.json", algorithm, 500)
		want, err := train.Run(t.Context(), whole)
		if err != nil {
			t.Fatal(err)
		}
		parts := dice(t, "parts.json", algorithm, 200)
		parts.Curve = filepath.Join(t.TempDir(), "curve.csv")
		if _, err := train.Run(t.Context(), parts); err != nil {
			t.Fatal(err)
		}
		parts.Goal.Iterations = 500
		got, err := train.Run(t.Context(), parts)
		if err != nil || *got.Exploitability != *want.Exploitability || got.Unit != train.Payoffs ||
			len(got.Curve) != len(want.Curve)+1 { // one at the first end
			t.Errorf("%s: %+v, want %+v: %v", algorithm, got, want, err)
		}
		if most := map[string]float64{"external": .2}[algorithm] + .002; *got.Exploitability > most ||
			math.Abs(got.Values[0]-1./9) > most {
			t.Errorf("%s: exploitability %v, value %v", algorithm, *got.Exploitability, got.Values)
		}
		curve, err := os.ReadFile(parts.Curve)
		if err != nil || !strings.HasPrefix(string(curve), "iterations,seconds,exploitability,current_exploitability,"+
			"value1,value2\n1,") {
			t.Errorf("%s: the curve is %s: %v", algorithm, curve, err)
		}
		text, err := os.ReadFile(parts.File)
		if err != nil {
			t.Fatal(err)
		}
		stored, err := extensive.ReadProfile(parts.File, text)
		if err != nil || stored.Source != "liars-dice-3" || stored.Iterations != 500 {
			t.Fatalf("%s: %v, %v", algorithm, stored, err)
		}
		profile, err := stored.Of(parts.Tree.Game)
		if err != nil {
			t.Fatal(err)
		}
		q, err := parts.Tree.Sequences()
		if err != nil {
			t.Fatal(err)
		}
		if _, gains := tabular.Evaluate(q, profile); math.Abs((gains[0]+gains[1])/2-*got.Exploitability) > 1e-15 {
			t.Errorf("%s: the file's strategies have gains %v, want a mean of %v", algorithm, gains,
				*got.Exploitability)
		}
	}
}

// A target ends a training, a missed one is an error, and a training of another game is not continued.
func TestTreeTargets(t *testing.T) {
	j := dice(t, "dice.json", "", 0)
	j.Goal.Exploitability = 1e-4
	r, err := train.Run(t.Context(), j)
	if err != nil || *r.Exploitability > 1e-4 || r.Iterations < 10 || r.Iterations > 1000 {
		t.Errorf("%+v: %v", r, err)
	}
	missed := dice(t, "missed.json", "cfr", 10)
	missed.Goal.Exploitability = 1e-4
	if _, err := train.Run(t.Context(), missed); !errors.As(err, new(*train.TargetError)) ||
		strings.Contains(err.Error(), "chips") {
		t.Errorf("a missed target: %v", err)
	}
	other, err := extensive.Named("goofspiel-3")
	if err != nil {
		t.Fatal(err)
	}
	j.Tree = &train.Tree{Game: other, Source: "liars-dice-3"}
	if _, err := train.Run(t.Context(), j); err == nil || !strings.Contains(err.Error(), "other training") &&
		!strings.Contains(err.Error(), "another training") {
		t.Errorf("another game: %v", err)
	}
	if j.File = filepath.Join(t.TempDir(), "text"); os.WriteFile(j.File, []byte("text"), 0o666) != nil {
		t.Fatal("no file")
	}
	if _, err := train.Run(t.Context(), j); err == nil {
		t.Error("a file that is not a profile is replaced")
	}
}

// What is only for poker is refused, with the field that it is about.
func TestTreeRefuses(t *testing.T) {
	tree := &train.Tree{Game: dice(t, "", "", 1).Tree.Game}
	for field, d := range map[train.Field]train.Description{
		train.FieldAlgorithm:       {Algorithm: "recursive"},
		train.FieldStorage:         {Bits: 16},
		train.FieldCards:           {Cards: "quick"},
		train.FieldActions:         {Actions: "fcpa"},
		train.FieldOpponent:        {OpponentCards: "none"},
		train.FieldOpponentActions: {OpponentActions: "fca"},
	} {
		_, err := d.TreeSpec(tree)
		if e, ok := errors.AsType[*train.Error](err); !ok || e.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
	for _, algorithm := range []string{"robust-external", "linear-external", "pcs+", "cfr/16", "external/16",
		"external(64)"} {
		if _, err := (train.Description{Algorithm: algorithm}).TreeSpec(tree); err == nil {
			t.Errorf("%s trains an extensive game", algorithm)
		}
	}
	for _, text := range []string{"1mb", "0", "x", "inf"} {
		if _, err := train.ParseTarget(nil, text); err == nil {
			t.Errorf("%s is a target", text)
		}
	}
}

// Results for more than two players are NashConv.
func TestTreeOfThree(t *testing.T) {
	g, err := extensive.Read("three.efg", []byte(`EFG 2 R "" { "a" "b" "c" }
p "" 1 1 "" { "l" "r" } 0
p "" 2 1 "" { "l" "r" } 0
p "" 3 1 "" { "l" "r" } 0
t "" 1 "" { 3 0 0 } t "" 2 "" { 0 1 1 }
t "" 3 "" { 0 2 0 }
t "" 4 "" { 1 1 1 }`))
	if err != nil {
		t.Fatal(err)
	}
	j := train.Job{Spec: train.Spec{Tree: &train.Tree{Game: g}}, File: filepath.Join(t.TempDir(), "three.json")}
	j.Goal.Iterations = 500
	r, err := train.Run(t.Context(), j)
	if err != nil || r.Exploitability != nil || r.NashConv == nil || *r.NashConv > 1e-3 {
		text, _ := json.Marshal(r)
		t.Errorf("%s: %v", text, err)
	}
}
