package configs

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// A strategy beside the program comes before that of a checkout, and only files count.
func TestStrategy(t *testing.T) {
	beside, checkout := t.TempDir(), t.TempDir()
	folders := []string{beside, checkout}
	if _, err := strategyIn(folders, "leduc"); !errors.As(err, new(*NoStrategyError)) {
		t.Errorf("without files: error is %v", err)
	}
	if err := os.Mkdir(filepath.Join(beside, "leduc.strategy"), 0o700); err != nil {
		t.Fatal(err)
	}
	add := func(folder, game string) string {
		file := filepath.Join(folder, game+".strategy")
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	add(checkout, "kuhn")
	for game, want := range map[string]string{"leduc": add(checkout, "leduc"), "kuhn": add(beside, "kuhn")} {
		if got, err := strategyIn(folders, game); got != want || err != nil {
			t.Errorf("%s: %s, %v; want %s", game, got, err, want)
		}
	}
	outside := filepath.Join("..", filepath.Base(beside), "kuhn")
	if _, err := strategyIn([]string{checkout}, outside); err == nil {
		t.Errorf("%s was found outside of the folder", outside)
	}
}

func TestStrategies(t *testing.T) {
	t.Chdir(t.TempDir())
	if got := Strategies(); len(got) > 0 {
		t.Errorf("without files: %q", got)
	}
	folder := filepath.Join("configs", "strategies")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"leduc.strategy", "kuhn.strategy", "unknown.strategy", "README.md"} {
		if err := os.WriteFile(filepath.Join(folder, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got := Strategies(); len(got) != 2 || got[0] != "kuhn" || got[1] != "leduc" {
		t.Errorf("strategies %q", got)
	}
}
