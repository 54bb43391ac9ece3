package main

import (
	"path/filepath"
	"slices"
	"testing"

	"gamebots/acpc"
	"gamebots/configs"
)

func TestShippedGames(t *testing.T) {
	// The keys that a game needs although the original server does not have
	// them or does not print them well. There must be no warning of others.
	expected := map[string][]string{
		"rhode-island": {"handRanking"},
		"reis-b":       {"numBoardCards"}, // in the first round
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
	files, err := filepath.Glob("../../configs/*.toml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no settings in configs: %v", err)
	}
	for _, file := range files {
		if f := check(file); f.err != nil {
			t.Error(f.err)
		}
	}
}
