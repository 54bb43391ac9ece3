package main

import (
	"os"
	"path/filepath"
	"testing"

	"gamebots/internal/usererr"
)

// The flags of package acpc describe an entry.
func TestPackageEntry(t *testing.T) {
	readme := filepath.Join(t.TempDir(), "README")
	if err := os.WriteFile(readme, []byte("read me"), 0o644); err != nil {
		t.Fatal(err)
	}
	f := packageFlags{readme: readme, program: "gamebots.arm", set: []string{"bot.purify=true"}}
	e, err := f.entry("folder/mine.strategy")
	if err != nil || e.Name != "mine" || e.Program != "gamebots.arm" || e.Readme != "read me" ||
		!e.Settings.Bot.Purify ||
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
	if _, err := (&packageFlags{readme: "none"}).entry("mine.strategy"); err == nil {
		t.Error("a README that there is not is accepted")
	}
}

// Without a check there is no verdict that --json could print, and nothing is made.
func TestPackageWithoutVerdict(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "bot")
	err := (&packageFlags{asJSON: true}).makeAndCheck(newPackageACPC(), "leduc.strategy", dir)
	if !usererr.IsUsage(err) {
		t.Errorf("--json with --hands 0: %v", err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("the folder was made")
	}
}
