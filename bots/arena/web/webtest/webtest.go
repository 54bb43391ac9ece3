// Package webtest plays small runs of the arena, for tests only.
package webtest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"gamebots/bots/arena/store"
	"gamebots/bots/arena/tournament"
	"gamebots/bots/grid"
	havannahbot "gamebots/bots/havannah"
	"gamebots/bots/nim"
	"gamebots/configs"
	"gamebots/hexproto"
	"gamebots/hexproto/boards"
	"gamebots/hexproto/game"
)

// Rules are those of the board games that runs may be of.
var Rules = []game.Rules{boards.Havannah{}, boards.Nim{}}

// Settings of runs.
const (
	Leduc = "[run]\nname = 'leduc-3'\ngame = 'leduc'\nshard = 50\n[poker]\ndeals = 200\n" +
		"[[player]]\nname = 'raise'\nkind = 'raise'\n[[player]]\nname = 'call'\nkind = 'call'\n[[player]]\nname = " +
		"'chance'\nkind = 'random'\n"
	Holdem3 = "[run]\nname = 'three'\ngame = 'holdem-nolimit-3p'\nshard = 10\n[poker]\ndeals = 20\n" +
		"[[player]]\nname = 'dice'\nkind = 'random'\nseed = 4\n[[player]]\nname = 'call'\nkind = " +
		"'call'\n[[player]]\nname = 'chance'\nkind = 'random'\n"
	Havannah = "[run]\nname = 'havannah'\ngame = 'havannah'\n[board]\nopenings = 3\noptions = '{\"side\":4}'\n" +
		"[[player]]\nname = 'chance'\nkind = 'random'\n[[player]]\nname = 'dice'\nkind = 'random'\nseed = 3\n"
	Nim = "[run]\nname = 'nim'\ngame = 'nim'\n[board]\nopenings = 2\n" +
		"[[player]]\nname = 'perfect'\nkind = 'xor'\n[[player]]\nname = 'chance'\nkind = 'random'\n"
)

// Play plays a run into a database, at most some shards of it unless shards is 0.
func Play(t testing.TB, database, text string, shards int) {
	t.Helper()
	if err := play(t, database, text, shards); err != nil {
		t.Fatal(err)
	}
}

func play(t testing.TB, database, text string, shards int) (err error) {
	file := filepath.Join(t.TempDir(), "run.toml")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		return err
	}
	settings := configs.DefaultArena()
	if err := configs.Load(file, &settings, nil); err != nil {
		return err
	}
	players := &tournament.Players{
		Rules: Rules,
		Bot: func(e configs.Engine) (hexproto.Bot, error) {
			switch e.Kind {
			case "random":
				return hexproto.ByRules{
					boards.HavannahName: havannahbot.Random{Seed: e.Seed}, boards.NimName: nim.Random{Seed: e.Seed},
				}, nil
			case "xor":
				return nim.XOR{Seed: e.Seed}, nil
			}
			return nil, fmt.Errorf("no bot is called %s", e.Kind)
		},
		Memory: func() int64 { return 1 << 30 },
	}
	defer players.Close()
	plan, err := players.Plan(&settings)
	if err != nil {
		return err
	}
	db, err := store.Open(t.Context(), database)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	run, err := db.Begin(t.Context(), plan, "test", true)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	enough := errors.New("enough")
	tournament := &tournament.Tournament{Store: db, Run: run, Grid: &grid.Local{Kinds: players.Kinds(), Threads: 1},
		OnProgress: func(p *tournament.Progress) {
			if shards > 0 && p.Stored >= shards {
				cancel(enough)
			}
		}}
	if err := tournament.Play(ctx); err != nil && !errors.Is(err, enough) && !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}
