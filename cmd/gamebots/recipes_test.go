package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gamebots/acpc"
	"gamebots/configs"
	"gamebots/internal/usererr"
)

// The commands that hints name train in little memory, and docs/training.md has them.
func TestRecipes(t *testing.T) {
	page, err := os.ReadFile("../../docs/training.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range configs.Games() {
		g, err := configs.Game(name)
		if err != nil {
			t.Fatal(err)
		}
		command := trainCommand(g, name)
		if !bytes.Contains(page, []byte("`"+command+"`")) {
			t.Errorf("docs/training.md lacks %s", command)
		}
		if bytes := dryRun(t, command); bytes == 0 || bytes > 3<<30 {
			t.Errorf("%s needs %d bytes", command, bytes)
		}
	}
}

// dryRun returns the memory of a training by a command, as --dry-run prints it.
func dryRun(t *testing.T, command string) (size int64) {
	t.Helper()
	var out, log bytes.Buffer
	root := newRoot()
	root.SetArgs(append(strings.Fields(command)[1:], "--dry-run", "--json"))
	root.SetOut(&out)
	root.SetErr(&log)
	var printed struct{ Bytes int64 }
	if err := errors.Join(root.ExecuteContext(t.Context()), json.Unmarshal(out.Bytes(), &printed)); err != nil {
		t.Errorf("%s: %v %s", command, err, &log)
	}
	return printed.Bytes
}

// A game is known by its rules: whatever its file is called, its strategy is found, and the hint names a
// command for it that works.
func TestGameByItsRules(t *testing.T) {
	folder := t.TempDir()
	file := func(shipped, name string, change func(*acpc.Game)) (*acpc.Game, string) {
		g, err := configs.Game(shipped)
		if err != nil {
			t.Fatal(err)
		}
		change(g)
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(g.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		g, err = configs.Game(path)
		if err != nil {
			t.Fatal(err)
		}
		return g, path
	}
	as := func(*acpc.Game) {}
	g, path := file("holdem-limit-2p", "holdem.limit.2p.reverse_blinds.game", as)
	normal := func(g *acpc.Game) { // "normal blinds" name the same seats the other way round
		g.Blind[0], g.Blind[1] = g.Blind[1], g.Blind[0]
		for r := range g.FirstPlayer {
			g.FirstPlayer[r] = 1 - g.FirstPlayer[r]
		}
	}
	h, _ := file("holdem-limit-2p", "normal_blinds.game", normal)
	if name, same := configs.ShippedGame(g), configs.ShippedGame(h); name != "holdem-limit-2p" || same != name {
		t.Errorf("%s is %q, with normal blinds %q", path, name, same)
	}
	const six = "--abstraction quick --actions six-handed --set forget=dead-money --algorithm robust-external " +
		"--set no-response --time 1h"
	for _, test := range []struct {
		shipped string
		change  func(*acpc.Game)
		flags   string
	}{
		{"holdem-limit-3p", as, "--abstraction quick --set forget=betting --set no-response --time 10m"},
		{"holdem-nolimit-6p", as, six},
		{"holdem-nolimit-6p", func(g *acpc.Game) { g.NumPlayers = 5 },
			six},
		{"holdem-limit-3p", func(g *acpc.Game) { g.Blind[0] *= 2 },
			"--abstraction quick --set forget=betting --set no-response --time 10m"},
		{"holdem-nolimit-2p-100bb", normal, "--abstraction quick --actions blueprint --time 10m"},
		{"holdem-nolimit-2p", func(g *acpc.Game) { g.Stack[1] = 15000 },
			"--abstraction quick --actions blueprint --time 10m"},
		{"leduc", func(g *acpc.Game) { g.NumRanks = 5 }, ""},
	} {
		g, path := file(test.shipped, "my own.game", test.change)
		_, err := shippedStrategy(g, path)
		want := strings.Join(strings.Fields("gamebots train '"+path+"' "+test.flags+" -o FILE makes one"), " ")
		if configs.HasBetterRecipe(g) {
			want += ", gamebots train '" + path + "' --as-shipped a better one"
		}
		if hint := usererr.Hint(err); hint != want {
			t.Errorf("%s: hint %q, want %q", test.shipped, hint, want)
		}
	}
}
