package acpc

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// leducText is a definition without anything to warn of.
const leducText = `GAMEDEF
limit
numPlayers = 2
numRounds = 2
blind = 1 1
raiseSize = 2 4
maxRaises = 2 2
numSuits = 2
numRanks = 3
numHoleCards = 1
numBoardCards = 0 1
END GAMEDEF
`

// leducWith returns leducText with one line, which begins with key, replaced.
func leducWith(key, line string) string {
	lines := strings.Split(leducText, "\n")
	i := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, key) })
	lines[i] = line
	return strings.Join(lines, "\n")
}

func TestGameError(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"out of range", leducWith("numRounds", "numRounds = 5"), "x.game:4: numRounds: invalid number of rounds: 5"},
		{"missing key", leducWith("blind", ""), "x.game: blind: only read 0 blinds, need 2"},
		{"plural", leducWith("blind", "blinds = 1 1"), "x.game:5: blind: only read 0 blinds, need 2"},
		{"later line counts", "blind = 1 1\n" + leducWith("blind", "blind = 1"),
			"x.game:6: blind: only read 1 blinds, need 2"},
		{"five players without stacks", leducWith("numPlayers", "numPlayers = 5"),
			"x.game: stack: only read 4 stack sizes, need 5"},
		{"board past the array", strings.NewReplacer("numRanks = 3", "numRanks = 13", "= 0 1",
			"= 4 4").Replace(leducText),
			"x.game:11: numBoardCards: 8 board cards, at most 7 fit: the original server writes the others over its " +
				"memory, here the game is not played"},
		{"fifth raise size", leducWith("raiseSize", "raiseSize = 2 4 6 8 10"),
			"x.game:6: raiseSize: 5 raise sizes, at most 4 fit: the original server writes the others over limit or " +
				"nolimit, numPlayers and what follows"},
		{"sixth raise size", leducWith("raiseSize", "raiseSize = 2 4 6 8 1 1"),
			"x.game:4: numRounds: invalid number of rounds: 0"},
		{"unknown ranking", leducWith("numHoleCards", "handRanking = razz"),
			`x.game:10: handRanking: hand ranking "razz" is not one of acpc, threeCard`},
		{"no ranking", leducWith("numHoleCards", "handRanking ="),
			`x.game:10: handRanking: hand ranking "" is not one of acpc, threeCard`},
		{"two cards of three", leducWith("maxRaises", "handRanking = threecard"),
			"x.game:7: handRanking: threeCard ranks three cards, a hand of this game has 2"},
		{"nothing", "", "x.game: numRounds: invalid number of rounds: 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := ParseGame("x.game", c.text)
			var gameErr *GameError
			if !errors.As(err, &gameErr) || err.Error() != c.want {
				t.Errorf("error %v, want %s", err, c.want)
			}
		})
	}
}

func TestGameWarnings(t *testing.T) {
	long := "# " + strings.Repeat("x", MaxLine-2)
	for _, c := range []struct{ name, text, want string }{
		{"none", leducText, ""},
		{"without frame, CRLF, comments", strings.ReplaceAll("# leduc\n\n \n"+leducWith("END", ""), "\n", "\r\n"), ""},
		{"unknown key", "foo = 3\n" + leducText, "x.game:1: foo: unknown key, the line is ignored"},
		{"bytes that a terminal obeys", "\x1b]0;x\a\x9b = 3\n" + leducText,
			`x.game:1: "\x1b]0;x\a\x9b": unknown key, the line is ignored`},
		{"long key", strings.Repeat("x", 999) + "\n" + leducText,
			"x.game:1: " + strings.Repeat("x", 40) + "...: unknown key, the line is ignored"},
		{"misspelt key", "numPlayer = 3\n" + leducText,
			"x.game:1: numPlayer: unknown key, the line is ignored: numPlayers is meant?"},
		{"misspelt end", strings.Replace(leducText, "END ", "END  ", 1),
			"x.game:12: END  GAMEDEF: unknown key, the line is ignored: END GAMEDEF is meant?"},
		{"leading blank", " numPlayers = 3\n" + leducText,
			"x.game:1: numPlayers: the line is ignored: it begins with a blank"},
		{"letters after a key", leducWith("limit", "limits"), `x.game:2: limit: "s" is not read`},
		{"text after the values", leducWith("numRanks", "numRanks = 3.9"), `x.game:9: numRanks: ".9" is not read`},
		{"comment after the values", leducWith("numRanks", "numRanks = 3 # Q K A"), ""},
		{"wrapped", leducWith("maxRaises", "maxRaises = 300 -1"),
			"x.game:7: 300 is read as 44\nx.game:7: -1 is read as 255"},
		{"wrapped chips", leducWith("blind", "blind = 4294967297 1"), "x.game:5: 4294967297 is read as 1"},
		{"duplicate", "numRounds = 1\n" + leducText, "x.game:5: numRounds: overrides line 1"},
		{"limit after nolimit", "nolimit\n" + leducText, "x.game:3: limit: overrides line 1"},
		{"text after the end", leducText + "\n# fine\nnumRounds = 3\nmore\n",
			"x.game:15: text after END GAMEDEF is not read"},
		{"long line", long + "limit\n" + leducText,
			"x.game:1: the line is longer than 4095 bytes: the rest counts as another line\n" +
				"x.game:3: limit: overrides line 1"},
		{"short list", leducWith("maxRaises", "maxRaises = 2"), "x.game:7: maxRaises: 1 values for 2 rounds"},
		{"long list", leducWith("numBoardCards", "numBoardCards = 0 1 1"),
			"x.game:11: numBoardCards: 3 values for 2 rounds"},
		{"fifth raise size", leducWith("raiseSize", "raiseSize = 2 4 6 8 1"),
			"x.game:6: raiseSize: 5 raise sizes, at most 4 fit: the original server writes the others over limit or " +
				"nolimit, numPlayers and what follows\n" +
				"x.game:6: raiseSize: 5 values for 2 rounds\n" +
				"x.game: stack: a no-limit game without stacks: raises up to 2147483647 chips are legal"},
		{"our key", leducWith("maxRaises", "handRanking = acpc"),
			"x.game:7: handRanking: the original server ignores this key"},
		{"no blinds", leducWith("blind", "blind = 0 0"),
			"x.game:5: blind: nobody has to put chips in: the original server aborts when all check"},
		{"negative blind", leducWith("blind", "blind = 1 -1"), "x.game:5: blind: the blind of player 2 is negative"},
		{"all-in from the blinds", leducWith("maxRaises", "stack = 1 1"),
			"x.game:7: stack: all players are all-in from the blinds: the original server hangs, here the hand is " +
				"over at once"},
		{"unequal stacks", leducWith("maxRaises", "stack = 9 19"),
			"x.game:7: stack: stacks differ in a limit game: in the original server the raise of a short stack " +
				"lowers the bet and chips may vanish, here it is not legal"},
		{"board past the array", strings.NewReplacer("Ranks = 3", "Ranks = 13", "= 0 1", "= 4 4").Replace(leducText),
			"x.game:11: numBoardCards: 8 board cards, at most 7 fit: the original server writes the others over its " +
				"memory, here the game is not played\n" +
				"x.game:11: numBoardCards: board cards in the first round look like hole cards in a match state: " +
				"only the last player can read it"},
		{"raise of nothing", leducWith("raiseSize", "raiseSize = 2 0"),
			"x.game:6: raiseSize: a raise in round 2 adds 0 chips"},
		{"board card at once", leducWith("numBoardCards", "numBoardCards = 1 0"),
			"x.game:11: numBoardCards: board cards in the first round look like hole cards in a match state: only " +
				"the last player can read it"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, warnings, err := CheckGame("x.game", c.text)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, w := range warnings {
				got = append(got, w.String())
			}
			if strings.Join(got, "\n") != c.want {
				t.Errorf("warnings\n%s\nwant\n%s", strings.Join(got, "\n"), c.want)
			}
		})
	}
}

// TestManyWarnings has a file that is no definition.
func TestManyWarnings(t *testing.T) {
	_, warnings, _ := CheckGame("x.game", strings.Repeat("?\n", 1000))
	if n := len(warnings); n != maxWarnings+1 || warnings[n-1].String() != "x.game: 950 more warnings" {
		t.Errorf("%d warnings, the last is %v", n, warnings[n-1])
	}
}

// TestOverwritten has definitions that make the original server overwrite some of
// its fields, and what it printed of each. They are played as it plays them or not
// at all.
func TestOverwritten(t *testing.T) {
	wide := strings.NewReplacer("Suits = 2", "Suits = 4", "Ranks = 3", "Ranks = 13").Replace(leducText)
	for _, c := range []struct {
		name, text, want string
		played, original bool
		betting          Betting // as the original server plays it
	}{
		{"same kind", leducWith("raiseSize", "raiseSize = 2 4 6 8 0"), leducText, true, true, Limit},
		{"no kind", leducWith("raiseSize", "raiseSize = 2 4 6 8 10"), leducWith("raiseSize", "-"), false, true, Limit},
		{"other kind", leducWith("raiseSize", "raiseSize = 2 4 6 8 1"),
			strings.Replace(leducWith("raiseSize", "-"), "limit", "nolimit", 1), false, true, NoLimit},
		{"kind read later", "raiseSize = 2 4 6 8 1\n" + leducWith("raiseSize", "-"), leducText, false, true, Limit},
		{"everything", "limit\nblind = 1 1\nnumPlayers = 3\nnumBoardCards = 1 1 1 1\n" +
			"raiseSize = 2 4 6 8 1 16843010 33620226 67241221 16842754 7\n",
			"GAMEDEF\nnolimit\nnumPlayers = 2\nnumRounds = 1\nblind = 1 1\nmaxRaises = 1\nnumSuits = 2\n" +
				"numRanks = 4\nnumHoleCards = 2\nnumBoardCards = 0\nEND GAMEDEF\n", false, true, NoLimit},
		{"board", strings.Replace(wide, "= 0 1", "= 4 4", 1), strings.Replace(wide, "= 0 1", "= 4 4", 1), false, false,
			Limit},
		{"wrapped board", strings.Replace(wide, "= 0 1", "= 0 300", 1), strings.Replace(wide, "= 0 1", "= 0 44", 1),
			false, false, Limit},
	} {
		t.Run(c.name, func(t *testing.T) {
			g, warnings, err := CheckGame("x.game", c.text)
			want := strings.Replace(c.want, "-\n", "", 1)
			if err != nil || g.String() != want || len(warnings) == 0 {
				t.Fatalf("understood as\n%v, want\n%s; warnings %v, error %v", g, want, warnings, err)
			}
			if _, err := ParseGame("x.game", c.text); (err == nil) != c.played {
				t.Errorf("for play: error %v", err)
			}
			g, err = ParseOriginal("x.game", c.text)
			if (err == nil) != c.original || err == nil && (g.Betting != c.betting || !g.UnderRaise) {
				t.Errorf("as the original plays it: %v, error %v", g, err)
			}
		})
	}
}

// TestShippedGames compares the parsed games of configs/games, and
// the warnings about them, to testdata.
func TestShippedGames(t *testing.T) {
	files, err := filepath.Glob("../configs/games/*.game")
	if err != nil || len(files) == 0 {
		t.Fatalf("no shipped games: %v", err)
	}
	var report strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		g, warnings, err := CheckGame(filepath.Base(file), string(text))
		if err != nil {
			t.Fatal(err)
		}
		again, err := ParseGame(file, g.String())
		if err != nil || *again != *g {
			t.Errorf("%s reads back as %v: %v", file, again, err)
		}
		fmt.Fprintf(&report, "# %s\n%v", g.Name, g)
		for _, w := range warnings {
			fmt.Fprintf(&report, "# %v\n", w)
		}
	}
	golden(t, "games.txt", report.String())
}
