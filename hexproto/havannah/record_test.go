package havannah

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
)

// roundTrips tests that a record's texts are read back as the same record.
func roundTrips(t *testing.T, location string, r *Record) {
	t.Helper()
	text := r.String()
	again, err := ParseRecord(text)
	if err != nil {
		t.Errorf("%s: own text: %v", location, err)
		return
	}
	if got := again.String(); got != text {
		t.Errorf("%s: read back as %s\nwas %s", location, got, text)
	}
	back, err := ParseHGF(r.HGF())
	if err != nil || len(back) != 1 {
		t.Errorf("%s: own HGF: %d games, %v", location, len(back), err)
		return
	}
	again.Tags = slices.DeleteFunc(again.Tags, func(tag Tag) bool { return strings.Contains(tag.Key, "_") })
	if got, want := back[0].String(), again.String(); got != want {
		t.Errorf("%s: HGF is read back as %s\nwas %s", location, got, want)
	}
}

// The records of testdata were made with this program.
func TestSampleRecords(t *testing.T) {
	text, err := os.ReadFile("testdata/records.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		r, err := ParseRecord(line)
		if err != nil {
			t.Error(err)
			continue
		}
		if got := r.String(); got != line {
			t.Errorf("%s\nis read as %s", line, got)
		}
		roundTrips(t, r.Name, r)
	}
}

func TestRecordErrors(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"game side=4 : d4 swap e5 x9", `move 4: "x9": off the board of side 4`},
		{"game side=4 : d4 swap e5 e5", "move 4: e5: the cell is taken"},
		{"game side=4 : d4 e5 swap", "move 3: swap: only the second move"},
		{"game side=4 : d4 !", `move 2: "!": no move`},
		{"side=2 : a1 c3 a2 b1", "move 4: b1: the game is over"},
		{"side=2 : a1 c3 a2 resign", "move 4: resignation: the game is over"},
		{"side=2 : a1 resign c3", `move 2: "resign": no move`},
		{"side=2 winner=black : a1 c3 a2", "winner=black, but the moves make it white"},
		{"side=2 end=ring : a1 c3 a2", "end=ring, but the moves make it bridge"},
		{"side=2 plies=4 : a1 c3 a2", "plies=4, but the moves make it 3"},
		{"side=x :", "side: "},
		{"game : a1", "side: missing"},
		{"game", "no colon"},
		{`"game side=4 :`, "bad quotes"},
		{"game side=4 pw=x pw=y :", "pw: given twice"},
		{"game side=4 pw=x=y :", "pw: "},
	} {
		_, err := ParseRecord(c.line)
		if err == nil || !strings.Contains(err.Error(), c.want) || !errors.Is(err, ErrRecord) {
			t.Errorf("%s: %v, want %s", c.line, err, c.want)
		}
	}
}

func TestParseHGF(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"HGui's swap", "(;FF[4]GM[Havannah]SZ[4];W[d4];B[D4];W[a1])",
			"side=4 winner=unknown end=open plies=3 : d4 swap a1"},
		{"HGui", "(;FF[4]GM[Havannah]SZ[4]PW[A \\] B]PB[c\\:d];W[a1];B[swap]\n;W[g7])",
			`side=4 winner=unknown end=open plies=3 pw="A ] B" pb=c:d : a1 swap g7`},
		{"diameter", "(;SZ[d=9];W[i9])", "side=5 winner=unknown end=open plies=1 : i9"},
		{"main line of variations", "(;SZ[4];W[a1](;B[b1];W[c1](;B[d1])(;B[e7]))(;B[b2]))",
			"side=4 winner=unknown end=open plies=4 : a1 b1 c1 d1"},
		{"LittleGolem", "(;FF[4]EV[null]PB[first]PW[second]SZ[4]RU[LG]RE[B]SO[http://www.littlegolem.com];W[A1];" +
			"B[G1];W[E2];B[resign])",
			"side=4 winner=white end=resign plies=4 ev=null pw=first pb=second so=http://www.littlegolem.com : a1 " +
				"g4 e3 resign"},
		{"LittleGolem, decided elsewhere", "(;SZ[4]RU[LG]RE[B];W[A1])",
			"side=4 winner=unknown end=open plies=1 re=W : a1"},
		{"two games", "(;SZ[2];W[a1])\n(;SZ[2]GN[second game];W[a2])",
			"side=2 winner=unknown end=open plies=1 : a1\n" +
				`"second game" side=2 winner=unknown end=open plies=1 : a2`},
		{"setup", "(;SZ[4]AW[a1][a2]AB[g7]PL[B];B[g6]C[a comment])",
			"side=4 aw=a1,a2 ab=g7 pl=black winner=unknown end=open plies=1 : g6"},
	} {
		records, err := ParseHGF(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var lines []string
		for _, r := range records {
			lines = append(lines, r.String())
			roundTrips(t, c.name, r)
		}
		if got := strings.Join(lines, "\n"); got != c.want {
			t.Errorf("%s: %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestHGFErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "game 1: no game"},
		{"hello", "is where a game should begin"},
		{"(;SZ[4];W[a1]", "the game is not closed"},
		{"(;SZ[4];W[a1", "W: the value is not closed"},
		{"(;SZ[4];W)", "W: no value"},
		{"(;SZ[4];w[a1])", "is not a node"},
		{"()", "no node"},
		{"(;W[a1])", "side: missing"},
		{"(;SZ[99])", "side 99"},
		{"(;SZ[d=8])", `SZ: no side has the diameter "8"`},
		{"(;GM[Hex]SZ[4])", `GM: the game is "Hex"`},
		{"(;SZ[4];W[a1];W[a2])", "move 2: white a2: it is the other player's turn"},
		{"(;SZ[4];B[a1])", "move 1: black a1: it is the other player's turn"},
		{"(;SZ[4];W[a1];W[resign])", "move 2: white resign: it is the other player's turn"},
		{"(;SZ[4];W[a1];B[resign];W[b1])", "move 3: b1: the game is over"},
		{"(;SZ[4];W[a1];B[b9])", `move 2: "b9": off the board`},
		{"(;SZ[4];W[a1];AB[b1])", "after move 1: AB"},
		{"(;SZ[4];W[a1])(;SZ[4];W[x])", "game 2: move 1"},
		{"(;SZ[4])\n\n(;SZ[4];\nW[x])", "line 3: game 2: move 1"},
		{"(;SZ[4])\n(;SZ[4];\nW(", "line 3: game 2: W: no value"},
		{"(;SZ[4]RE[B+fork];W[b2];B[c3];W[c2];B[b3];W[a2];B[b4];W[d2];B[d4];W[e2];B[d5];W[c1])",
			"RE: the result is B+fork, but the moves make it white"},
		{"(;SZ[4]RU[LG]RE[W];W[A1];B[resign])", "RE: the result is B, but the moves make it white"},
		{"(;SZ[4]RE[Draw];W[a1];B[resign])", "RE: the result is Draw, but the moves make it white"},
	} {
		_, err := ParseHGF(c.text)
		if err == nil || !strings.Contains(err.Error(), c.want) || !errors.Is(err, ErrRecord) {
			t.Errorf("%s: %v, want %s", c.text, err, c.want)
		}
	}
}

func FuzzParseRecord(f *testing.F) {
	f.Add(`"a name" side=4 winner=white end=resign plies=3 pw="x y" : d4 swap resign`)
	f.Add("side=4 aw=a1,a2 ab=g7 pl=black : g6")
	f.Fuzz(func(t *testing.T, line string) {
		if r, err := ParseRecord(line); err == nil {
			if again, err := ParseRecord(r.String()); err != nil || again.String() != r.String() {
				t.Errorf("%q is read back as another: %v", r, err)
			}
		}
	})
}

func FuzzParseHGF(f *testing.F) {
	f.Add("(;FF[4]GM[Havannah]SZ[4]PW[A \\] B]RU[LG]RE[B];W[a1];B[swap](;W[G1])(;W[b2]))")
	f.Add("(;SZ[d=9]AW[a1][a2]AB[g7]PL[B];B[resign])")
	f.Fuzz(func(t *testing.T, text string) {
		records, err := ParseHGF(text)
		if err != nil {
			return
		}
		for _, r := range records {
			if again, err := ParseRecord(r.String()); err != nil || again.String() != r.String() {
				t.Errorf("%q is read back as another: %v", r, err)
			}
			if again, err := ParseHGF(r.HGF()); err != nil || again[0].String() != r.String() {
				t.Errorf("%q is read back as another: %v", r.HGF(), err)
			}
		}
	})
}

// A position is that of a record, unless its game is over.
func TestParsePosition(t *testing.T) {
	b, err := ParsePosition("side=4 : d4 swap c2")
	if err != nil || b.String() != "side=4 : d4 swap c2" {
		t.Errorf("%v: %v", b, err)
	}
	for _, text := range []string{
		"side=4 : d4 d4", "side=2 winner=black how=resign : a1", "side=2 : a1 b2 a2 c1 b1 c2 c3",
	} {
		if _, err := ParsePosition(text); err == nil {
			t.Errorf("%s is a position", text)
		}
	}
}
