package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gamebots/configs"

	"github.com/spf13/pflag"
)

func TestBotSettings(t *testing.T) {
	for _, test := range []struct {
		args string
		want string // part of the error; "" for none
		fits func(configs.Bot) bool
	}{
		{"--bot random --game leduc --seed 7", "", func(b configs.Bot) bool {
			return b.Kind == "random" && b.Game == "leduc" && b.Seed == 7
		}},
		{"--strategy leduc.strategy", "", func(b configs.Bot) bool { return b.Purify }},
		{"--strategy leduc.strategy --purify=false", "", func(b configs.Bot) bool {
			return b.Kind == "strategy" && b.Strategy == "leduc.strategy" && !b.Purify && b.Seed > 0
		}},
		{"--set bot.kind=call --strategy leduc.strategy", "", func(b configs.Bot) bool { return b.Kind == "strategy" }},
		{"--game holdem-nolimit-2p --solve 300 --solve-from turn --solve-time 2s", "", func(b configs.Bot) bool {
			return b.Solve == 300 && b.SolveFrom == "turn" && b.SolveTime.Seconds() == 2
		}},
		{"--strategy leduc.strategy --bot random", "--strategy and --bot cannot be combined", nil},
		{"--bot random --purify", "--purify has no effect on --bot", nil},
		{"--set bot.kind=clal", "the nearest is call", nil},
	} {
		flags := pflag.NewFlagSet("play", pflag.ContinueOnError)
		addBotFlags(flags)
		flags.String("game", "", "")
		if err := flags.Parse(strings.Fields(test.args)); err != nil {
			t.Fatal(err)
		}
		s, err := botSettings(flags)
		switch {
		case test.want == "" && (err != nil || !test.fits(s.Bot)):
			t.Errorf("%s: %+v, %v", test.args, s.Bot, err)
		case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
			t.Errorf("%s: error %v, want %q", test.args, err, test.want)
		}
	}
}

// A token goes into a new file of its owner's, never over one that is there.
func TestCreateToken(t *testing.T) {
	file := filepath.Join(t.TempDir(), "bot.token")
	if err := createToken(file, "gb_own"); err != nil {
		t.Fatal(err)
	}
	if err := createToken(file, "gb_evil"); !errors.Is(err, fs.ErrExist) {
		t.Errorf("an existing file: %v", err)
	}
	text, err := os.ReadFile(file)
	if err != nil || string(text) != "gb_own\n" {
		t.Errorf("the file has %q, %v", text, err)
	}
}
