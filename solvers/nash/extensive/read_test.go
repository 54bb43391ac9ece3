package extensive

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"gamebots/solvers/nash/internal/syntax"
)

// poker is Myerson's: Alice bets that her card is high.
const poker = `EFG 2 R "Poker" { "Alice" "Bob" } "Myerson (1991)"
c "" 1 "" { "King" 1/2 "Queen" 1/2 } 0
p "" 1 1 "king" { "Raise" "Fold" } 0
p "" 2 1 "" { "Meet" "Pass" } 0
t "" 1 "Alice wins big" { 2, -2 }
t "" 2 "Alice wins" { 1, -1 }
t "" 4 "Bob wins" { -1, 1 }
p "" 1 2 "queen" { "Raise" "Fold" } 0
p "" 2 1 "" { "Meet" "Pass" } 0
t "" 3 "Bob wins big" { -2, 2 }
t "" 2 "Alice wins" { 1, -1 }
t "" 4
`

func read(t *testing.T, text string) *Game {
	t.Helper()
	g, err := Read("game", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// All forms of a description, and all of a node, are read, and written in one form.
func TestReadForms(t *testing.T) {
	want := string(read(t, poker).EFG())
	for name, text := range map[string]string{
		"written":          want,
		"byte order mark":  "\ufeff" + want,
		"decimals":         strings.ReplaceAll(poker, "1/2", "0.50"),
		"exponents":        strings.ReplaceAll(poker, "1/2", "5e-1"),
		"D":                strings.Replace(poker, "EFG 2 R", "EFG 2 D", 1),
		"without commas":   strings.ReplaceAll(poker, ",", ""),
		"one line":         strings.ReplaceAll(poker, "\n", " "),
		"no spaces":        strings.ReplaceAll(strings.ReplaceAll(poker, "{ ", "{"), " }", "}"),
		"repeated outcome": strings.Replace(poker, "t \"\" 4\n", "t \"\" 4 \"Bob wins\" { -1, 1 }\n", 1),
		"set not repeated": strings.Replace(poker, "p \"\" 2 1 \"\" { \"Meet\" \"Pass\" } 0\nt \"\" 3",
			"p \"\" 2 1 0\nt \"\" 3", 1),
		"other numbers": strings.ReplaceAll(strings.ReplaceAll(poker, "p \"\" 2 1", "p \"\" 2 77"), "t \"\" 4",
			"t \"\" 99"),
	} {
		if got := string(read(t, text).EFG()); got != want {
			t.Errorf("%s: read as\n%s\nwant\n%s", name, got, want)
		}
	}
	if !strings.HasSuffix(want, "t \"\" 4 \"Bob wins big\" { -2, 2 }\nt \"\" 2\nt \"\" 3\n") {
		t.Errorf("written as\n%s", want)
	}
}

// Text that is no game is refused with the line and column of the mistake.
func TestReadErrors(t *testing.T) {
	head := "EFG 2 R \"t\" { \"a\" \"b\" }\n"
	for text, want := range map[string]string{
		"":                  "f:1:1: an extensive game begins with EFG, not the end of the file",
		"NFG 1 R":           "f:1:1: an extensive game begins with EFG",
		"EFG 1 R":           "f:1:5: version 2 is needed",
		"EFG 2 X":           "f:1:7: R or D is needed",
		"EFG 2 R \"t":       "f:1:9: a quote that does not end",
		"EFG 2 R \"t\" { }": "f:1:15: no players",
		"EFG 2 R \"t\" {" + strings.Repeat(` "p"`, 17) + "}": "f:1:79: more than 16 players",
		head:                                     "f:2:1: a node of kind c, p or t is needed, not the end of the file",
		head + `x "" 1`:                          "f:2:1: a node of kind c, p or t is needed, not \"x\"",
		head + `t 1`:                             "f:2:3: a node's name in quotes is needed",
		head + `p "" 3 1 "" { "x" } 0`:           "f:2:6: a player's number, 1 to 2, is needed, not \"3\"",
		head + `p "" 0 1 "" { "x" } 0`:           "f:2:6: a player's number",
		head + `p "" 1 0 "" { "x" } 0`:           "f:2:8: the number of an information set",
		head + `p "" 1 99999999999 "" { "x" } 0`: "f:2:8: the number of an information set",
		head + `p "" 1 1 0`:                      "f:2:8: information set 1 was not described before",
		head + `p "" 1 1 "" { } 0`:               "f:2:15: an information set without actions",
		head + `p "" 1 1 "" { "x" } 0`:           "f:2:22: a node of kind c, p or t is needed, not the end of the file",
		head + `p "" 1 1 "" { "x" } 0 p "" 1 1 "" { "y" } 0`: "f:2:32: information set 1 was described otherwise " +
			"before",
		head + `c "" 1 "" { "x" 1/2 "y" 1/3 } 0`: "f:2:11: probabilities add up to 5/6, not to 1",
		head + `c "" 1 "" { "x" -1 "y" 2 } 0`:    "f:2:11: a probability of -1",
		head + `c "" 1 "" { "x" } 0`:             "f:2:17: a probability: \"}\": not a number",
		head + `t "" 1`:                          "f:2:6: outcome 1 was not described before",
		head + `t "" 0 "" { 1 2 }`:               "f:2:8: outcome 0 has no name and no payoffs",
		head + `t "" 1 "" { 1 }`:                 "f:2:15: a payoff of player 2: \"}\": not a number",
		head + `t "" 1 "" { 1 2 3 }`: "f:2:17: an outcome of 2 players ends with a brace, " +
			"not \"3\"",
		head + `t "" 1 "" { 1 1/0 }`: "f:2:15: a payoff of player 2: \"1/0\": a " +
			"denominator of 0",
		head + `t "" 0 t "" 0`: "f:2:8: \"t\" after the last node",
		head + `p "" 1 1 "" { "x" } 1 "" { 1 2 } t "" 1 "" {1 3}`: "f:2:41: outcome 1 was described otherwise before",
	} {
		_, err := Read("f", []byte(text))
		if located := (*syntax.Error)(nil); !errors.As(err, &located) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// A file that describes a large information set once, and refers to it often, takes no
// more memory than its nodes.
func TestReadWideSets(t *testing.T) {
	text := `EFG 2 R "" { "a" } p "" 1 1 "" {` + strings.Repeat(` "x"`, 1<<15) + " } 0" +
		strings.Repeat(` p "" 1 1 0`, 1<<15)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := Read("f", []byte(text)); err == nil {
		t.Fatal("a tree without leaves is read")
	}
	runtime.ReadMemStats(&after)
	if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 100<<20 {
		t.Errorf("%d bytes for a text of %d", allocated, len(text))
	}
}

// FuzzRead reads anything without a panic, and writes a game that it accepts as the same
// game.
func FuzzRead(f *testing.F) {
	f.Add([]byte(poker))
	f.Add([]byte(`EFG 2 R "" { "a\"\\" "" } p "" 1 7 "" { "" "x" } 3 "" { 1/3 -.5 } t "" 3 t "" 0`))
	f.Fuzz(func(t *testing.T, text []byte) {
		g, err := Read("f", text)
		if err != nil {
			if !errors.As(err, new(*syntax.Error)) {
				t.Fatalf("error without a place: %v", err)
			}
			return
		}
		written := g.EFG()
		again, err := Read("again", written)
		if err != nil || string(again.EFG()) != string(written) ||
			fmt.Sprint(again.Subgames()) != fmt.Sprint(g.Subgames()) {
			t.Fatalf("%q is written as %q: %v", text, written, err)
		}
		if q, err := g.Sequences(); err == nil {
			if f, err := q.NormalForm(); err == nil && f.Check() != nil {
				t.Fatal(f.Check())
			}
		}
	})
}
