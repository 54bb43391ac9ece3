package spotstudy

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"gamebots/configs"
	"gamebots/solvers/resolve/spot"
)

// Every shipped spot can be laid out: flops, turns and rivers.
func TestShippedSpots(t *testing.T) {
	var streets [6]int
	for _, name := range configs.Spots() {
		_, err := configs.LoadSpot(name, nil, func(c *configs.Spot) error {
			s, err := FromSettings(c)
			if err == nil {
				streets[len(s.Board)]++
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
	if streets[3] < 3 || streets[4] < 4 || streets[5] < 3 {
		t.Errorf("%d flops, %d turns, %d rivers", streets[3], streets[4], streets[5])
	}
}

// An error in a notation names the file, the line and the key.
// TestDonks are those of bets, none, or some.
func TestDonks(t *testing.T) {
	for text, want := range map[string]string{
		"as bets": "<nil>", "": "[]", " ": "[]", "turn:": "[]", "turn: 50": "[{0 0.5}]", "river:": "<nil>",
	} {
		c := configs.DefaultSpot()
		c.Spot, c.Bets.Donks = configs.SpotStart{Board: "QsJh2h", Pot: 100, Stack: 300}, text
		s, err := FromSettings(&c)
		if err != nil {
			t.Fatal(err)
		}
		got := fmt.Sprint([]spot.Size(s.Menu.Donks[1]))
		if s.Menu.Donks[1] == nil {
			got = "<nil>"
		}
		if got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

func TestSpotErrors(t *testing.T) {
	start := "[spot]\nboard = \"QsJh2h\"\npot = 10\nstack = 20\n"
	for text, key := range map[string]string{
		start + "[ranges]\noop = \"AKx\"\n": "ranges.oop", start + "[ranges]\nip = \"22+:2\"\n": "ranges.ip",
		start + "[bets]\nbets = \"2x\"\n": "bets.bets", start + "[bets]\nraises = \"z\"\n": "bets.raises",
		start + "[bets]\ndonks = \"z\"\n": "bets.donks",
		"[spot]\nboard = \"QsJh\"\n":      "spot.board", "[spot]\nboard = \"QsJhXx\"\n": "spot.board",
		"[spot]\nboard = \"QsJh2h\"\npot = 0\n":                     "spot.pot",
		"[spot]\nboard = \"QsJh2h\"\npot = 1\nstack = 9999999999\n": "spot.stack",
		start + "[solve]\nbits = 8\n":                               "solve.bits",
	} {
		file := filepath.Join(t.TempDir(), "spot.toml")
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := configs.LoadSpot(file, nil, func(c *configs.Spot) error { _, err := FromSettings(c); return err })
		if e := (*configs.Error)(nil); !errors.As(err, &e) || e.Key != key || e.File != file || e.Line == 0 {
			t.Errorf("%s\n%v, want an error in %s", text, err, key)
		}
	}
	if _, err := FromSettings(&configs.Spot{}); errors.As(err, new(*spot.FieldError)) || err == nil {
		t.Errorf("%v, want a configs.Error", err)
	}
}
