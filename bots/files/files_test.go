package files_test

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gamebots/bots/files"
	"gamebots/internal/usererr"
	"gamebots/solvers/cfr/checkpoint"
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
		{"recall.efg", "EFG 2 R \"r\" { \"a\" }" +
			"p \"\" 1 1 \"\" { \"x\" } 0 p \"\" 1 1 0 t \"\" 1 \"\" { 2 }",
			"extensive game", "extensive game \"r\": 1 player, 3 nodes, 1 subgame"},
		{"any game", "EFG 2 R \"\" { \"a\" \"b\" } t \"\" 0", "extensive game", "2 players, 1 node, 0 subgames"},
		{"a.efg", "EFG 2 R", "extensive game", "!a.efg:1:8: a title in quotes is needed"},
		{"a.nfg", "NFG 1 R \"\" { \"\" \"b\" } { 2 2 } 1 1 0 0 1 0 2 2", "game in normal form",
			"2 players, 2 x 2 strategies"},
		{"a.lrs", "1 2\n1 2\n3 1/0\n", "game in normal form", "!a.lrs:3:3: payoff 2 in row 1 of player 2"},
		{"a.hgf", "(;SZ[2];W[a1])(;SZ[2];W[a2])", "records of Havannah", "2 games of Havannah"},
		{"b.hgf", "(;SZ[4];W[a1]", "records of Havannah", "!b.hgf: broken record: line 1: game 1"},
		{"a.log", "# name/game/hands/seed m kuhn 1 0\nSTATE:0:rf:Qs|Ks:1|-1:B|C\n", "dealer's log",
			"!the hand was played otherwise"},
		{"b.log", "STATE:0:rf:Qs|Ks:1|-1:B|C\n", "dealer's log", "!b.log: it has no header with the seed of the cards"},
		{"a.json", `{"game":"kuhn","iterations":7,"method":"cfr+","strategies":[{"player":0,"set":"K"}]}`, "profile",
			"profile of kuhn, 1 information set, 7 iterations of cfr+"},
		{"liars-dice-3.profile.json", `{"game":"x"}`, "profile", "!liars-dice-3.profile.json is not a profile"},
		{"a.db", "SQLite format 3\x00", "database", "!a.db is a database"},
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

// Checkpoints of spots and of algorithms that version 0.2.0 had cannot be used.
func TestGoneCheckpoints(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.checkpoint")
	for want, m := range map[string]strategy.Meta{
		"of spots went with 0.3.0":       {Game: "solved spot", GameText: "{}"},
		`"outcome" went with 0.3.0`:      {Game: "leduc", Algorithm: "outcome"},
		`"linear-public" went with 0.3.`: {Game: "leduc", Algorithm: "linear-public(64)/16"},
	} {
		if err := checkpoint.Write(path, checkpoint.Meta{Meta: m}, nothing{}); err != nil {
			t.Fatal(err)
		}
		if f := files.Check(path); f.Err == nil || !strings.Contains(f.Err.Error(), want) {
			t.Errorf("%+v, want %s", f, want)
		}
	}
}

// nothing is an empty state.
type nothing struct{}

func (nothing) WriteState(io.Writer) error { return nil }
func (nothing) ReadState(io.Reader) error  { return nil }
