package files_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gamebots/bots/files"
	"gamebots/internal/usererr"
	"gamebots/solvers/hexnet"
	"gamebots/solvers/strategy"
)

// Every file is of one kind, by its name or by how it begins.
func TestKinds(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, test := range []struct{ name, text, kind, want string }{
		{"leduc", "", "game", "2 players, limit, 6-card deck, 2 suits"},
		{"a.toml", "[bot]\nkind = \"call\"\ngame = \"leduc\"\n", "settings", "settings of "},
		{"b.toml", "[bot]\nkidn = \"call\"\n", "settings", "!kidn"},
		{"ten.snake", "snake 2 2 01\n", "snakes", "snake of 2 in dimension 2"},
		{"any", "# comment\ncoil 2 4 01\n", "snakes", "!any: line 2"},
		{"a.strategy", "", "strategy", "!cut short"},
		{"damaged", strategy.Magic, "strategy", "!damaged"},
		{"a.net", "no network", "network", "!a.net"},
		{"cards.buckets", "no buckets", "buckets", "!not a file of buckets"},
		{"a.log", "# name/game/hands/seed m kuhn 1 0\nSTATE:0:rf:Qs|Ks:1|-1:B|C\n", "game", "!a.log is a dealer's log"},
		{"b.log", "STATE:0:rf:Qs|Ks:1|-1:B|C\n", "game", "!b.log is a dealer's log"},
		{"none", "", "game", "!none: neither a file nor a shipped game"},
	} {
		if test.text != "" || filepath.Ext(test.name) == ".strategy" {
			if err := os.WriteFile(test.name, []byte(test.text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		f := files.Check(test.name)
		got, want := f.Summary, test.want
		if why, bad := strings.CutPrefix(want, "!"); bad {
			want = why
			if f.Err == nil {
				t.Errorf("%s can be used: %s", test.name, got)
				continue
			}
			got = f.Err.Error()
		} else if f.Err != nil {
			t.Errorf("%s: %v", test.name, f.Err)
			continue
		}
		if f.File != test.name || f.Kind != test.kind || !strings.Contains(got, want) {
			t.Errorf("%s is %q: %s, want %q: %s", test.name, f.Kind, got, test.kind, want)
		}
	}
}

// Binary files of the program are no records of games.
func TestCheckRecord(t *testing.T) {
	t.Chdir(t.TempDir())
	for text, hint := range map[string]string{
		strategy.Magic: "gamebots show", hexnet.Magic: "gamebots check", "STATE:0:rf:Qs|Ks:1|-1:B|C\n": "",
	} {
		if err := os.WriteFile("file", []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		err := files.CheckRecord("file")
		if (err != nil) != (hint != "") || err != nil && !strings.Contains(usererr.Hint(err), hint) {
			t.Errorf("%q: %v, want a hint of %q", text, err, hint)
		}
	}
	if err := files.CheckRecord("none"); err != nil {
		t.Errorf("no file: %v", err)
	}
}
