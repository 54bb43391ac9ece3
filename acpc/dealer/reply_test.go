package dealer

import (
	"strings"
	"testing"
	"testing/synctest"
)

const (
	badState   = "WARNING: bad state format in response\n"
	unasked    = "WARNING: ignoring un-requested response\n"
	badAction  = "WARNING: bad action format in response, changed to call\n"
	badChoice  = "WARNING: invalid action, changed to call\n"
	calledDown = "cc/cc"
)

// TestReactions sends one odd answer on the first turn of a hand of no-limit
// Leduc (seat 0, who has the small blind) and calls from then on.
func TestReactions(t *testing.T) {
	tests := []struct {
		name     string
		text     string // {} stands for the state
		betting  string
		warnings string
	}{
		{"call", "{}:c\r\n", calledDown, ""},
		{"newline alone", "{}:c\n", calledDown, ""},
		{"check and upper case", "{}:K\r\n", calledDown, ""},
		{"bet", "{}:B300\r\n", "r300c/cc", ""},
		{"raise with spaces and trailing text", "{}:r  300 junk\r\n", "r300c/cc", ""},
		{"comments first", "# one\r\n;two\r\n{}:c\r\n", calledDown, ""},
		{"zero byte after the action", "{}:r300\x00junk\r\n", "r300c/cc", ""},

		{"raise too small", "{}:r1\r\n", "r200c/cc", "WARNING: raise of 1 increased to 200\n"},
		{"raise negative", "{}:r-5\r\n", "r200c/cc", "WARNING: raise of -5 increased to 200\n"},
		{"raise too large", "{}:r9999\r\n", "r1200c/", "WARNING: raise of 9999 decreased to 1200\n"},
		{"raise beyond 32 bits", "{}:r99999999999\r\n", "r1200c/", "WARNING: raise of 1215752191 decreased to 1200\n"},
		{"raise without a size", "{}:r\r\n", calledDown, badAction},
		{"no action", "{}\r\n", calledDown, badAction},
		{"empty action", "{}:\r\n", calledDown, badChoice},
		{"unknown letter", "{}:x\r\n", calledDown, badChoice},

		{"nonsense first", "hello\r\n{}:c\r\n", calledDown, badState},
		{"empty line first", "\r\n{}:c\r\n", calledDown, badState},
		{"lower-case header first", "matchstate:0:0::Ks|:c\r\n{}:c\r\n", calledDown, badState},
		{"oversize line first", strings.Repeat("X", 5000) + "\r\n{}:c\r\n", calledDown, badState + badState},
		{"another hand first", "MATCHSTATE:0:7::Ks|:c\r\n{}:c\r\n", calledDown, unasked},
		{"another moment first", "MATCHSTATE:0:0:r200:Ks|:c\r\n{}:c\r\n", calledDown, unasked},
		{"another round first", "MATCHSTATE:0:0:cc/:Ks|/Qh:c\r\n{}:c\r\n", calledDown, unasked},
		{"another position first", "MATCHSTATE:1:0::|Ks:c\r\n{}:c\r\n", calledDown, unasked},
		{"other cards first", "MATCHSTATE:0:0::As|:r300\r\n{}:c\r\n", calledDown, unasked},
		{"an answer twice", "{}:c\r\n{}:c\r\n", calledDown, unasked},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := leduc()
				got := serve(t.Context(), newMatch(g, 1), answering(g, tt.text), answering(g))
				if got.err != nil {
					t.Fatal(got.err)
				}
				mustBe(t, "warnings", got.errors, tt.warnings)
				mustBe(t, "betting", betting(got.log)[0], tt.betting)
			})
		})
	}
}

// TestIllegalActions plays letters that are well formed but not legal.
func TestIllegalActions(t *testing.T) {
	tests := []struct {
		name         string
		seat0, seat1 []string
		betting      string
		warnings     string
	}{
		{"fold with nothing to call", []string{"{}:f\r\n"}, nil, "cc", badChoice},
		{"raise over the cap", []string{"{}:r\r\n"}, []string{"{}:r\r\n"}, "rc", badChoice},
		{"limit raise with a size", []string{"{}:r20\r\n"}, nil, "rc", ""},
		{"cards of others invented", nil, []string{"MATCHSTATE:1:0:c:As|Ks:r\r\n"}, "crc", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := kuhn()
				got := serve(t.Context(), newMatch(g, 1), answering(g, tt.seat0...), answering(g, tt.seat1...))
				if got.err != nil {
					t.Fatal(got.err)
				}
				mustBe(t, "warnings", got.errors, tt.warnings)
				mustBe(t, "betting", betting(got.log)[0], tt.betting)
			})
		})
	}
}
