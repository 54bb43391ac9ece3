package main

import (
	"os"
	"testing"

	"gamebots/internal/usererr"
)

// The flags of package acpc describe an entry.
func TestPackageEntry(t *testing.T) {
	f := packageFlags{program: "gamebots.arm", set: []string{"bot.purify=false"}}
	e, err := f.entry("folder/mine.strategy")
	if err != nil || e.Name != "mine" || e.Program != "gamebots.arm" || e.Settings.Bot.Purify ||
		e.Strategy != "folder/mine.strategy" {
		t.Errorf("%+v: %v", e, err)
	}
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	other, err := (&packageFlags{name: "bot"}).entry("mine.strategy")
	if err != nil || other.Name != "bot" || other.Program != own || other.Settings.Bot.Seed == e.Settings.Bot.Seed {
		t.Errorf("%+v: %v", other, err)
	}
	if _, err := (&packageFlags{set: []string{"bot.purfy=true"}}).entry("mine.strategy"); !usererr.IsUsage(err) {
		t.Errorf("a misspelt key: %v", err)
	}
}
