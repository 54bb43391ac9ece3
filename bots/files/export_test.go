package files

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"gamebots/acpc/dealer"
	"gamebots/acpc/history"
	"gamebots/bots/arena"
	"gamebots/bots/arena/store"
	"gamebots/bots/arena/tournament"
	"gamebots/bots/grid"
	"gamebots/configs"
	"gamebots/hexproto"
	"gamebots/hexproto/boards"
	"gamebots/hexproto/game"
	"gamebots/internal/usererr"
)

// played plays a run of two players.
func played(t *testing.T, settings configs.Arena) (*store.Store, *arena.Run) {
	t.Helper()
	ctx := context.Background()
	players := &tournament.Players{
		Rules: []game.Rules{boards.Nim{}},
		Bot:   func(configs.Engine) (hexproto.Bot, error) { return nil, errors.New("no bot of boards") },
	}
	t.Cleanup(players.Close)
	settings.Players = []configs.Entry{{Name: "a,b", Kind: "random"}, {Name: "c", Kind: "raise"}}
	plan, err := players.Plan(&settings)
	if err != nil {
		t.Fatal(err)
	}
	db, err := store.Open(ctx, filepath.Join(t.TempDir(), "x.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	run, err := db.Begin(ctx, plan, "test", false)
	if err != nil {
		t.Fatal(err)
	}
	if err := (&tournament.Tournament{Store: db, Run: run,
		Grid: &grid.Local{Kinds: players.Kinds(), Threads: 2}}).Play(ctx); err != nil {
		t.Fatal(err)
	}
	return db, run
}

// A log is one that the dealer could have written; tables have a line a player and
// hand, and names with commas in quotes.
func TestHands(t *testing.T) {
	settings := configs.DefaultArena()
	settings.Run.Name, settings.Run.Game, settings.Run.Shard, settings.Poker.Deals = "pair", "leduc", 20, 50
	db, run := played(t, settings)
	text := map[Format]string{}
	for _, format := range []Format{ACPC, PHH, CSV, JSONL} {
		var out bytes.Buffer
		n, err := Export(context.Background(), &out, db, run, nil, format)
		if err != nil || n != 100 {
			t.Fatalf("%s: %d hands, %v", format, n, err)
		}
		text[format] = out.String()
	}
	game, err := run.Plan.Acpc()
	if err != nil {
		t.Fatal(err)
	}
	matches, err := dealer.Replay("pair.log", strings.NewReader(text[ACPC]), game)
	if err != nil || len(matches) != 6 || matches[5].Name != "pair-table0-part2-order1" || matches[5].Hands != 10 {
		t.Errorf("%+v, %v", matches, err)
	}
	if n := strings.Count(text[CSV], "\n"); n != 201 ||
		!strings.HasPrefix(text[CSV], history.CSVHeader) || !strings.Contains(text[CSV], `,"a,b",`) {
		t.Errorf("%d lines of a table", n)
	}
	if n := strings.Count(text[JSONL], "\n"); n != 100 {
		t.Errorf("%d lines of JSON", n)
	}
	phh := history.NewPHHReader(strings.NewReader(text[PHH]), "pair.phhs")
	var again []byte
	for range 100 {
		h, err := phh.Next()
		if err != nil {
			t.Fatal(err)
		}
		again = h.AppendLog(again)
	}
	if string(again) != text[ACPC] {
		t.Error("the log of the hand histories is another one")
	}
	if _, err := Export(context.Background(), &bytes.Buffer{}, db, run, nil, HGF); err == nil ||
		err.Error() != "run pair is of poker games, which are not written as hgf" ||
		usererr.Hint(err) != "acpc, phh, csv and jsonl are for poker" {
		t.Errorf("poker as HGF: %v", err)
	}
}
