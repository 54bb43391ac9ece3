package sites

import (
	"strings"
	"testing"

	"gamebots/acpc/history"
	"gamebots/acpc/money"
	"gamebots/configs"
)

// The result of a match says how much lost hands could change it, each by up to 200 big blinds.
func TestWriteText(t *testing.T) {
	game, err := configs.Game("holdem-nolimit-2p")
	if err != nil {
		t.Fatal(err)
	}
	unit := money.MB
	format, err := unit.In(game)
	if err != nil {
		t.Fatal(err)
	}
	w := Winnings{Lost: 1}
	h := history.Hand{Values: []float64{100, -100}, Before: []string{SiteScore(-12.5), "# luck"}}
	for range 999 {
		w.Count(&h, 0)
		if w.Won.N == 998 {
			h.Before = nil // a hand without a score
		}
	}
	var text strings.Builder
	if err := w.WriteText(&text, "Slumbot", float64(game.Stack[0]), format); err != nil {
		t.Fatal(err)
	}
	const want = "999 hands against Slumbot, and 1 hand lost to failures\nwon 1000 mb ± 0 mb a hand\n" +
		"without luck, by the site's AIVAT score, -125 mb ± 0 mb a hand in 998 hands\n" +
		"between 799 mb and 1199 mb a hand, whatever the lost hands would have won\n"
	if text.String() != want {
		t.Errorf("%s\nwant\n%s", text.String(), want)
	}
}
