package bimatrix

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// The forms of a game that are all the same one.
var sameGame = []string{
	"NFG 1 R \"t\" { \"a\" \"b\" } { 2 3 }\n\n1 2 3 4 5 6 7 8 9 10 11 1/2\n",
	"NFG 1 D \"t\" { \"a\" \"b\" } { { \"u\" \"d\" } { \"x\" \"y\" \"z\" } }\n\"a comment\"\n1 2 3 4 5 6 7 8 9 1e1 " +
		"11.0 0.5\n",
	"NFG 1 R \"t\" { \"a\" \"b\" } { 2 3 } \"\" { { \"\" 1, 2 } { \"o\" 3 4 } { \"\" 5, 6 } { \"\" 7, 8 } " +
		"{ \"\" 9, 10 } { \"\" 11, 1/2 } } 1 2 3 4 5 6",
	"\ufeff2 3\r\n1 5 9\r\n3 7 11\r\n2 6 10\r\n4 8 1/2",
	"2 3\n\n1 5 9\n3 7 11\n\n2 6 10\n4 8 1/2\n",
	"2 3 1 5 9 3 7 11\n2 6\n10 4 8 1/2",
}

func TestReadForms(t *testing.T) {
	want, err := Read("first", []byte(sameGame[0]))
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range sameGame {
		g, err := Read("game", []byte(text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if string(g.LRS()) != string(want.LRS()) {
			t.Errorf("%s is read as\n%s\nwant\n%s", text, g.LRS(), want.LRS())
		}
		for _, written := range [][]byte{g.NFG(), g.LRS()} {
			again, err := Read("again", written)
			if err != nil || string(again.LRS()) != string(want.LRS()) {
				t.Errorf("%s is written as %s: %v", text, written, err)
			}
		}
	}
}

// Text that is no game is refused with the line and column of the mistake.
func TestReadErrors(t *testing.T) {
	head := "NFG 1 R \"t\" { \"a\" \"b\" } "
	for text, want := range map[string]string{
		"": "f:1:1: a game begins with NFG, or with two numbers of strategies, not with the end " +
			"of the file",
		"EFG 2 R":     "f:1:1: a game begins with NFG",
		"NFG 2 R":     "f:1:5: version 1",
		"NFG 1 Q":     "f:1:7: R or D",
		"NFG 1 R t":   "f:1:9: a title in quotes",
		"NFG 1 R \"t": "f:1:9: a quote that does not end",
		"NFG 1 R \"t\" { \"a\" \"b\" \"c\" } { 2 2 2 } 1": "f:1:23: a third player: " + ErrPlayers.Error(),
		head + "{ 2 }":                                  "f:1:29: the number of strategies of player 2",
		head + "{ 0 2 } 1":                              "f:1:27: player 1 has 0 strategies",
		head + "{ 2 65 } 1":                             "f:1:29: player 2 has 65 strategies",
		head + "{ 99999999999999999999 2 }":             "f:1:27: the number of strategies",
		head + "{ { } { \"x\" } }":                      "f:1:27: player 1 has 0",
		head + "{ 1 1 }\n1 NaN":                         "f:2:3: a payoff of player 2: \"NaN\": not a number",
		head + "{ 1 1 }\n1 Inf":                         "f:2:3: a payoff of player 2: \"Inf\": not a number",
		head + "{ 1 1 }\n1 1/0":                         "f:2:3: a payoff of player 2: \"1/0\": a denominator of 0",
		head + "{ 1 1 }\n1 1e999999999":                 "f:2:3: a payoff of player 2: \"1e999999999\": an overflow",
		head + "{ 1 1 }\n1 1e-301":                      "f:2:3: a payoff of player 2: \"1e-301\": an overflow",
		head + "{ 1 1 }\n1 " + strings.Repeat("9", 301): "f:2:3: a payoff of player 2",
		head + "{ 1 1 }\n1 0x10":                        "f:2:3: a payoff of player 2: \"0x10\": not a number",
		head + "{ 1 2 }\n1 2 3": "f:2:6: a payoff of player 2 is needed, not the end of the " +
			"file",
		head + "{ 1 1 }\n1 2 3":               "f:2:5: \"3\" after the last payoff",
		head + "{ 1 1 } { { \"\" 1 2 3 } } 1": "f:1:44: an outcome of 2 players",
		head + "{ 1 1 } { { \"\" 1 2 } }\n2":  "f:2:1: a number of an outcome, 0 to 1, is needed, not \"2\"",
		"2 2\n1 2\n3\n1 2\n3 4\n": "f:6:1: payoff 2 in row 2 of player 2 is needed, not the " +
			"end of the file",
		"2 2\n1 2 3 1/0\n1 2 3 4\n": "f:2:7: payoff 2 in row 2 of player 1: \"1/0\": a denominator of 0",
		"2 2\n1 2\n3 x\n1 2\n3 4\n": "f:3:3: payoff 2 in row 2 of player 1: \"x\": not a number",
		"2 2\n1 2\n3 4\n": "f:4:1: payoff 1 in row 1 of player 2 is needed, not the " +
			"end of the file",
		"0 2\n":                    "f:1:1: player 1 has 0 strategies",
		"2 99999999999999999999\n": "f:1:3: player 2 has 99999999999999999999 strategies",
		"2 2 1 1 1 1 1 1 1 1 1":    "f:1:21: \"1\" after the last payoff",
	} {
		_, err := Read("f", []byte(text))
		located := (*SyntaxError)(nil)
		if !errors.As(err, &located) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// Names that would change a terminal are shown in Go's quotes.
func TestNames(t *testing.T) {
	text := "NFG 1 R \"\" { \"a\" \"b\" } { { \"\x1b[31mred\" \"größer\" } { \"x\" } } 1 2 3 4"
	g, err := Read("f", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if got := g.Names(0, []int{0, 1}); got != `"\x1b[31mred" größer` {
		t.Errorf("%q", got)
	}
	if again, err := Read("f", g.NFG()); err != nil || again.Strategies[0][0] != "\x1b[31mred" {
		t.Errorf("%s: %v", g.NFG(), err)
	}
}

// Games of one player, and of more strategies than can be solved.
func TestReadLarge(t *testing.T) {
	one, err := ReadLarge("f", []byte(`NFG 1 R "" { "a" } { { "x" "y" } } 1 2`))
	if err != nil || one.Check() != nil || one.Rows != 2 || one.Cols != 1 || one.Names(0, []int{1}) != "y" ||
		one.Players[1] != "nobody" || one.A[1].RatString() != "2" || one.B[1].Sign() != 0 {
		t.Errorf("a game of one player is read as %+v: %v", one, err)
	}
	long := "NFG 1 R \"\" { \"a\" \"b\" } { 1 65 }" + strings.Repeat(" 1 2", 65)
	if g, err := ReadLarge("f", []byte(long)); err != nil || g.Cols != 65 || g.B[64].RatString() != "2" {
		t.Errorf("65 strategies: %v", err)
	}
	head := "NFG 1 R \"\" "
	for text, want := range map[string]string{
		head + `{ } { } `:                        "f:1:14: no players",
		head + `{ "a" "b" } { 99999 99999 } 1 1`: "f:1:32: more than 262144 combinations of strategies",
		head + `{ "a" "b" } { 1 9999999 } 1 1`:   "f:1:28: player 2 has 9999999 strategies, 1 to 262144 can be",
	} {
		if _, err := ReadLarge("f", []byte(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// What check says of a game, by the definitions.
func TestProperties(t *testing.T) {
	for _, c := range []struct {
		name                   string
		a, b                   [][]int64
		symmetric, sum, tied   bool
		rowReplies, colReplies string
	}{
		{"chicken", [][]int64{{0, -1}, {1, -10}}, [][]int64{{0, 1}, {-1, -10}}, true, false, false,
			"[false true true false]", "[false true true false]"},
		{"pennies", [][]int64{{1, -1}, {-1, 1}}, [][]int64{{-1, 1}, {1, -1}}, false, true, false,
			"[true false false true]", "[false true true false]"},
		{"a tie of rows", [][]int64{{2, 0, 1}, {2, 1, 0}}, [][]int64{{1, 2, 3}, {3, 2, 1}}, false, false, true,
			"[true false true true true false]", "[false false true true false false]"},
	} {
		g, err := New(c.name, c.a, c.b)
		if err != nil {
			t.Fatal(err)
		}
		rows, cols := fmt.Sprint(g.BestReplies(0)), fmt.Sprint(g.BestReplies(1))
		if g.Symmetric() != c.symmetric || g.ConstantSum() != c.sum || g.TiedReplies() != c.tied ||
			rows != c.rowReplies || cols != c.colReplies {
			t.Errorf("%s: symmetric %v, constant sum %v, tied %v, replies %s and %s", c.name, g.Symmetric(),
				g.ConstantSum(), g.TiedReplies(), rows, cols)
		}
	}
}

// FuzzRead reads anything without a panic, and a game that it accepts it writes
// as the same game.
func FuzzRead(f *testing.F) {
	for _, text := range sameGame {
		f.Add([]byte(text))
	}
	f.Add([]byte("NFG 1 R \"a\\\"\\\\\" { \"\" \"\" } { 1 1 } -1/3 +.5"))
	f.Add([]byte("NFG 1 D \"t\" { \"a\" } { { \"x\" \"y\" } } \"\" { { \"o\" 1 } { \"p\" 0.5 } } 1 2"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if n, err := ReadLarge("f", text); err == nil {
			again, err := ReadLarge("again", n.NFG())
			if err != nil || string(again.NFG()) != string(n.NFG()) {
				t.Fatalf("%q is written as %q: %v", text, n.NFG(), err)
			}
		} else if !errors.As(err, new(*SyntaxError)) {
			t.Fatalf("error without a place: %v", err)
		}
		g, err := Read("f", text)
		if err != nil {
			if !errors.As(err, new(*SyntaxError)) {
				t.Fatalf("error without a place: %v", err)
			}
			return
		}
		for _, written := range [][]byte{g.NFG(), g.LRS()} {
			again, err := Read("again", written)
			if err != nil || string(again.LRS()) != string(g.LRS()) {
				t.Fatalf("%q is written as %q: %v", text, written, err)
			}
		}
	})
}
