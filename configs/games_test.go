package configs

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestGameText(t *testing.T) {
	for _, name := range Games() {
		file, text, err := GameText(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if file != name+".game" || !strings.Contains(text, "numPlayers") {
			t.Errorf("%s: file %q with text %q", name, file, text)
		}
		if title := GameTitle(name); title == "" || len(title) > 80 {
			t.Errorf("%s: title %q, want a few words", name, title)
		}
	}
	path := filepath.Join(t.TempDir(), "own.game")
	if err := os.WriteFile(path, []byte("GAMEDEF\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if file, text, err := GameText(path); file != path || text != "GAMEDEF\n" || err != nil {
		t.Errorf("GameText(%q) = %q, %q, %v", path, file, text, err)
	}
}

// TestNoText reads folders, devices and files that are too large or binary.
func TestNoText(t *testing.T) {
	large, binary := filepath.Join(t.TempDir(), "large"), filepath.Join(t.TempDir(), "binary")
	if err := os.WriteFile(large, bytes.Repeat([]byte("#\n"), maxText), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(binary, []byte("limit\n\x00"), 0o644); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		t.TempDir(): "not a regular file",
		os.DevNull:  "not a regular file",
		large:       "larger than 1048576 bytes",
		binary:      "not a text: byte 7 is zero",
	} {
		if _, _, err := GameText(path); err == nil || !strings.HasSuffix(err.Error(), path+": "+want) {
			t.Errorf("game %s: error %v, want %s", path, err, want)
		}
		p := DefaultPoker()
		if err := Load(path, &p, nil); err == nil || !strings.HasSuffix(err.Error(), path+": "+want) {
			t.Errorf("settings %s: error %v, want %s", path, err, want)
		}
	}
}

func TestUnknownGame(t *testing.T) {
	if !slices.Contains(Games(), "kuhn") {
		t.Fatalf("kuhn is not among the shipped games %v", Games())
	}
	for name, want := range map[string]string{
		"khun":                                "did you mean kuhn? the shipped games are ",
		"KUHN":                                "did you mean kuhn? ",
		"absent/kuhn.game":                    "did you mean kuhn? ",
		"holdem.limit.2p.reverse_blinds.game": "did you mean holdem-limit-2p? ",
		"holdem.nolimit.3p.game":              "did you mean holdem-nolimit-3p? ",
		"kuhn.limit.3p.game":                  "did you mean kuhn-3p? ",
		"bridge-for-friends":                  "the shipped games are ",
	} {
		_, _, err := GameText(name)
		var unknown *UnknownGameError
		if !errors.As(err, &unknown) {
			t.Errorf("%s: error %v is not an UnknownGameError", name, err)
		} else if !strings.HasPrefix(unknown.Hint(), want) {
			t.Errorf("%s: hint %q does not start with %q", name, unknown.Hint(), want)
		}
	}
	if _, _, err := GameText("../../go"); err == nil {
		t.Error("a name reaches outside the games")
	}
}
