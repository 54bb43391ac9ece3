package sites

import (
	"strings"
	"testing"

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
	for range 999 {
		w.Won.Add(100)
	}
	var text strings.Builder
	if err := w.WriteText(&text, "Slumbot", float64(game.Stack[0]), format); err != nil {
		t.Fatal(err)
	}
	const want = "999 hands against Slumbot, and 1 hand lost to failures\nwon 1000 mb ± 0 mb a hand\n" +
		"between 799 mb and 1199 mb a hand, whatever the lost hands would have won\n"
	if text.String() != want {
		t.Errorf("%s\nwant\n%s", text.String(), want)
	}
}
