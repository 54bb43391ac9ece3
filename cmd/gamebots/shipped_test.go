package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gamebots/acpc"
	"gamebots/bots/files"
	"gamebots/configs"
	"gamebots/solvers/strategy"
)

func TestShippedGames(t *testing.T) {
	// The keys that a game needs although the original server does not have
	// them or does not print them well. There must be no warning of others.
	expected := map[string][]string{
		"rhode-island": {"handRanking"},
		"reis-b":       {"numBoardCards"}, // board cards in the first round
		"reis-c":       {"numBoardCards"},
	}
	for _, name := range configs.Games() {
		file, text, err := configs.GameText(name)
		if err != nil {
			t.Error(err)
			continue
		}
		g, warnings, err := acpc.CheckGame(file, text)
		if err != nil {
			t.Error(err)
			continue
		}
		if g.Name != name {
			t.Errorf("%s calls itself %q", name, g.Name)
		}
		var keys []string
		for _, w := range warnings {
			keys = append(keys, w.Key)
		}
		if !slices.Equal(keys, expected[name]) {
			t.Errorf("%s: warnings %v, want only of the keys %v", name, warnings, expected[name])
		}
	}
}

func TestShippedSettings(t *testing.T) {
	settings, err := filepath.Glob("../../configs/*.toml")
	if err != nil || len(settings) == 0 {
		t.Fatalf("no settings in configs: %v", err)
	}
	for _, name := range settings {
		if f := files.Check(name); f.Err != nil {
			t.Error(f.Err)
		}
	}
}

// A strategy that comes with the program is whole, is for the game of its name, and stays
// small enough for the repository.
func TestShippedStrategies(t *testing.T) {
	const most = 20_000_000 // bytes
	files, err := filepath.Glob("../../configs/strategies/*.strategy")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		g, err := configs.Game(strings.TrimSuffix(filepath.Base(file), ".strategy"))
		if err != nil {
			t.Error(err)
			continue
		}
		s, err := strategy.Open(file)
		if err != nil {
			t.Error(err)
			continue
		}
		if err := errors.Join(s.Verify(), s.CheckGame(g.String()), s.Close()); err != nil {
			t.Error(err)
		}
		if info, err := os.Stat(file); err != nil {
			t.Error(err)
		} else if info.Size() > most {
			t.Errorf("%s has %d bytes, more than %d", file, info.Size(), most)
		}
	}
}
