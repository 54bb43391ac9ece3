package main

import (
	"strings"
	"testing"

	"gamebots/acpc/money"
	"gamebots/bots/slumbot"
	"gamebots/configs"
)

// The result of a match says how much lost hands could change it, each by up to 200 big blinds.
func TestPrintSlumbot(t *testing.T) {
	game, err := configs.Game(slumbotGame)
	if err != nil {
		t.Fatal(err)
	}
	unit := money.MB
	format, err := unit.In(game)
	if err != nil {
		t.Fatal(err)
	}
	m := slumbot.Match{Game: game, Lost: 1}
	for range 999 {
		m.Won.Add(100)
	}
	var text strings.Builder
	if err := printSlumbot(&text, &m, format); err != nil {
		t.Fatal(err)
	}
	const want = "999 hands against Slumbot, and 1 hand lost to failures\nwon 1000 mb ± 0 mb a hand\n" +
		"between 799 mb and 1199 mb a hand, whatever the lost hands would have won\n"
	if text.String() != want {
		t.Errorf("%s\nwant\n%s", text.String(), want)
	}
}
