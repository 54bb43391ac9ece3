package extensive

import (
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"gamebots/solvers/nash/bimatrix"
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
		head + `p "" 1 1 { "x" } 0`:              "f:2:10: a name is needed before the actions of information set 1",
		head + `c "" 1 { "x" 1 } 0`:              "f:2:8: a name is needed before the actions of information set 1",
		head + `t "" 1 { 1 2 }`:                  "f:2:8: a name is needed before the payoffs of outcome 1",
		head + `p "" 1 1 "" { } 0`:               "f:2:15: an information set without actions",
		head + `p "" 1 1 "" { "x" } 0`:           "f:2:22: a node of kind c, p or t is needed, not the end of the file",
		head + `p "" 1 1 "" { "x" } 0 p "" 1 1 "" { "y" } 0`: "f:2:32: information set 1 was described otherwise " +
			"before",
		head + `c "" 1 "" { "x" 1/2 "y" 1/3 } 0`: "f:2:11: probabilities add up to 5/6, not to 1",
		head + `c "" 1 "" { "x" 0.666666 "y" 0.333333 } 0`: "f:2:11: probabilities add up to 999999/1000000, not " +
			"to 1; fractions are written as 1/3, and decimals need ten digits",
		head + `c "" 1 "" { "x" -1 "y" 2 } 0`: "f:2:11: a probability of -1",
		head + `c "" 1 "" { "x" } 0`:          "f:2:17: a probability: \"}\": not a number",
		head + `t "" 1`:                       "f:2:6: outcome 1 was not described before",
		head + `t "" 0 "" { 1 2 }`:            "f:2:8: outcome 0 has no name and no payoffs",
		head + `t "" 1 "" { 1 }`:              "f:2:15: a payoff of player 2: \"}\": not a number",
		head + `t "" 1 "" { 1 2 3 }`: "f:2:17: an outcome of 2 players ends with a brace, " +
			"not \"3\"",
		head + `t "" 1 "" { 1 1/0 }`: "f:2:15: a payoff of player 2: \"1/0\": a " +
			"denominator of 0",
		head + `t "" 0 t "" 0`: "f:2:8: \"t\" after the last node",
		head + `p "" 1 1 "" { "x" } 1 "" { 1 2 } t "" 1 "" {1 3}`: "f:2:41: outcome 1 was described otherwise before",
	} {
		_, err := Read("f", []byte(text))
		if located := (*bimatrix.SyntaxError)(nil); !errors.As(err, &located) || !strings.HasPrefix(err.Error(), want) {
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
			if !errors.As(err, new(*bimatrix.SyntaxError)) {
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
		if f, err := g.NormalForm(); err == nil && (len(f.A) != f.Rows*f.Cols || len(f.B) != len(f.A)) {
			t.Fatalf("%d and %d payoffs of %d by %d strategies", len(f.A), len(f.B), f.Rows, f.Cols)
		}
	})
}

// chance returns a game of one move of chance with some probabilities.
func chance(probabilities ...string) string {
	text := `EFG 2 R "" { "a" "b" } c "" 1 "" {`
	for _, p := range probabilities {
		text += ` "" ` + p
	}
	return text + " } 0" + strings.Repeat(` t "" 0`, len(probabilities))
}

// Decimals that stand for fractions are read as these, and sums that are nearly 1 become 1.
func TestRounded(t *testing.T) {
	third, sixth := "0.3333333333333333", "0.1666666666666667"
	for _, c := range []struct {
		probabilities []string
		want, warning string
	}{
		{[]string{third, third, third}, "1/3 1/3 1/3", "f:1:34: rounded probabilities are read as 1/3, 1/3, 1/3"},
		{[]string{sixth, sixth, sixth, sixth, sixth, sixth}, "1/6 1/6 1/6 1/6 1/6 1/6", "1/6, 1/6, 1/6, 1/6, 1/6, 1/6"},
		{[]string{sixth, third, "0.5000000000000000"}, "1/6 1/3 1/2", "1/6, 1/3, 1/2"},
		{[]string{"0.6666666666666667", third, "0.0000000000000000"}, "2/3 1/3 0", "2/3, 1/3, 0"},
		{[]string{"0.6666666666666666", "3.333333333333333e-1"}, "2/3 1/3", "2/3, 1/3"},
		{[]string{"1/3", "0.3333333333", "3333333333E-10"}, "1/3 1/3 1/3", "1/3, 1/3, 1/3"},
		{[]string{"0.5", "0.1428571428571", "0.3571428571429"}, "0.5 0.1428571428571 0.3571428571429", ""},
		{[]string{"0.3333", "0.6667"}, "3333/10000 6667/10000", ""},
		{[]string{"0.25", "75e-2", "0"}, "1/4 3/4 0", ""},
		{[]string{"0.1234567890123456", "0.8765432109876544"}, "0.1234567890123456 0.8765432109876544", ""},
		{[]string{"0.1", "0.90000000005"}, "2000000000/20000000001 18000000001/20000000001",
			"whose sum differs from 1 by 5e-11, are divided by it"},
		{[]string{"1/2", "499999999999/1000000000000"}, "500000000000/999999999999 499999999999/999999999999", "1e-12"},
	} {
		g, err := Read("f", []byte(chance(c.probabilities...)))
		if err != nil {
			t.Errorf("%v: %v", c.probabilities, err)
			continue
		}
		warning := ""
		if g.Warning != nil {
			warning = g.Warning.String()
		}
		if c.warning == "" && warning != "" || !strings.Contains(warning, c.warning) {
			t.Errorf("%v: warning %q, want %q", c.probabilities, warning, c.warning)
		}
		sum := new(big.Rat)
		for i, text := range strings.Fields(c.want) {
			want, _ := new(big.Rat).SetString(text)
			got := g.Sets[0].Probabilities[i]
			if sum.Add(sum, got); got.Cmp(want) != 0 {
				t.Errorf("%v: probability %d is %v, want %s", c.probabilities, i, got, text)
			}
		}
		if sum.Cmp(one) != 0 {
			t.Errorf("%v: the sum is %v", c.probabilities, sum)
		}
	}
	for _, wrong := range [][]string{
		{"0.3333333333333333", "0.3333333333333333", "0.3333333333333333", "0.000000002"},
		{"0.333333333", "0.333333333", "0.333333333"},
		{"0.33", "0.33", "0.33"},
		{"-0.3333333333333333", "0.3333333333333333", "0.9999999999999999"},
		{"0", "0.0"},
	} {
		if g, err := Read("f", []byte(chance(wrong...))); err == nil {
			t.Errorf("%v is read as %v", wrong, g.Sets[0].Probabilities)
		}
	}
}

// Fractions survive each way of printing them, within the precision that was printed.
func TestRoundedFractions(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		want := make([]*big.Rat, 2+random.IntN(8))
		parts, all := make([]int64, len(want)), int64(0)
		for i := range parts {
			parts[i] = random.Int64N(100)
			all += parts[i]
		}
		parts[0] += btoi64(all == 0)
		all += btoi64(all == 0)
		for i, n := range parts {
			want[i] = big.NewRat(n, all)
		}
		for _, format := range []string{"%.16f", "%.17f", "%v", "%.12f", "%.16e"} {
			var texts []string
			for _, p := range want {
				x, _ := p.Float64()
				texts = append(texts, fmt.Sprintf(format, x))
			}
			g, err := Read("f", []byte(chance(texts...)))
			if err != nil {
				t.Fatalf("%s: %v", texts, err)
			}
			got := g.Sets[0].Probabilities
			if !sameNumbers(got, want) && !(format == "%.12f" && g.Warning == nil) {
				t.Fatalf("%s is read as %v, want %v", texts, got, want)
			}
		}
	}
}

func btoi64(x bool) int64 { return int64(btoi(x)) }
