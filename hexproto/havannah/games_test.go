package havannah_test

import (
	"errors"
	"strings"
	"testing"

	"gamebots/hexproto/havannah"
)

// The same game in all forms.
func TestParseGames(t *testing.T) {
	const want = "side=4 winner=white end=resign plies=4 : d4 swap a1 resign"
	for form, text := range map[string]string{
		"HGF":    "(;GM[Havannah]SZ[4];W[d4];B[swap];W[a1];B[resign])",
		"record": "# a comment\n\nside=4 : d4 swap a1 resign\n",
		"GTP": "name\n1 boardsize 4\r\nclear_board\nplay w D4\n7 play black swap\nplay white b2\n" +
			"undo\nplay white a1\nplay b resign\n",
		"a log of GTP": "boardsize 4\n=\n\ngenmove white\n= d4\n\ngenmove b\n=2 swap\n\ngenmove w\n? busy\n\n= x\n" +
			"play white a1\n=\nplay b resign # no hope\n",
	} {
		records, err := havannah.ParseGames(text)
		if err != nil || len(records) != 1 || records[0].String() != want {
			t.Errorf("%s: %v, %v", form, records, err)
		}
	}
	if records, err := havannah.ParseGames("side=4 : a1\nside=3 :\n"); err != nil || len(records) != 2 {
		t.Errorf("two lines: %v, %v", records, err)
	}
}

func TestParseGamesRefused(t *testing.T) {
	for text, want := range map[string]string{
		"":                              "no game",
		"# nothing\n":                   "no game",
		"side=4 : a1\nside=4 : a1 a1":   "line 2: broken record: move 2: a1: the cell is taken",
		"boardsize 99":                  "line 1: ",
		"boardsize four":                "line 1: ",
		"boardsize 4\nplay green a1":    `line 2: "green" is no colour`,
		"boardsize 4\nplay b a1":        "line 2: ",
		"boardsize 4\nplay":             "line 2: ",
		"boardsize 4\nundo":             "line 2: there is no move to take back",
		"(;SZ[4];W[a1]":                 "the game is not closed",
		"boardsize 4\nplay w a1 \nplay": "line 3: ",
	} {
		_, err := havannah.ParseGames(text)
		if !errors.Is(err, havannah.ErrRecord) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func FuzzParseGames(f *testing.F) {
	f.Add("1 boardsize 4\nplay w a1\n=\ngenmove b\n= swap\nundo\n")
	f.Add("(;SZ[4];W[a1])")
	f.Add("side=4 : a1")
	f.Fuzz(func(t *testing.T, text string) {
		records, err := havannah.ParseGames(text)
		if (err == nil) != (len(records) > 0) {
			t.Errorf("%d games, %v", len(records), err)
		}
	})
}
