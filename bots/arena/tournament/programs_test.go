package tournament

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gamebots/acpc"
	"gamebots/acpc/client"
	"gamebots/bots/grid"
	"gamebots/bots/poker"
	"gamebots/configs"
)

// bot plays leduc at a dealer's.
func bot(kind string, address []string) int {
	player, err := poker.NewOpponent(kind, 0)
	if err == nil {
		_, text, _ := configs.GameText("leduc")
		var game *acpc.Game
		var conn net.Conn
		if game, err = acpc.ParseGame("leduc", text); err == nil {
			conn, err = client.Dial(context.Background(), net.JoinHostPort(address[0], address[1]), 0)
		}
		if err == nil {
			err = (&client.Client{Game: game, Player: player}).Play(context.Background(), conn)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// Programs play over TCP, to the bytes of the same players in process, and nothing
// is left of them, also where one fails.
func TestPrograms(t *testing.T) {
	const text = `run = {name = "a", game = "leduc", shard = 10, format = "match"}
poker = {deals = 60}
player = [{name = "a", kind = %s}, {name = "b", kind = "random"}]
`
	program := func(kind string) string {
		return fmt.Sprintf(`"program", command = ["env", "%s=%s", %q]`, botEnv, kind, os.Args[0])
	}
	results := func(kind string, want error) string {
		h := testPlayers()
		defer h.Close()
		db, run := begin(t, h, fmt.Sprintf(text, kind))
		defer db.Close()
		err := (&Tournament{Store: db, Run: run, Grid: &grid.Local{Kinds: h.Kinds(), Threads: 2}}).Play(t.Context())
		if dead := (*grid.FailedJobsError)(nil); want == nil && err != nil || want != nil && !errors.As(err, &dead) {
			t.Fatalf("%s: error %v", kind, err)
		}
		if want != nil {
			failed, e := db.FailedShards(t.Context(), run)
			if e != nil || len(failed) != 6 || !strings.Contains(failed[5].Error, `opponent "none"`) {
				t.Errorf("failed %+v, %v", failed, e)
			}
		}
		return content(t, db, run)
	}
	inside := results(`"raise"`, nil)
	before := openFiles(t)
	if got := results(program("raise"), nil); got != inside {
		t.Errorf("a program comes to\n%s\nin process to\n%s", got, inside)
	}
	results(program("none"), errors.New("no such bot"))
	if after := openFiles(t); after > before {
		t.Errorf("%d files are open, were %d", after, before)
	}
}

// A worker that runs no programs of others refuses the shards of a plan that has some, in
// whatever form, and plays those that it was told to trust.
func TestUntrustedPlan(t *testing.T) {
	const poker, board = "leduc", "nim"
	ran := filepath.Join(t.TempDir(), "ran")
	for _, c := range []struct {
		game   string
		player configs.Entry
	}{
		{poker, configs.Entry{Kind: kindProgram, Command: []string{"touch", ran}}},
		{board, configs.Entry{Kind: "gtp", Command: []string{"touch", ran}}},
	} {
		h := testPlayers()
		h.Programs = false
		run, err := h.Plan(settings(t, fmt.Sprintf(`run = {name = "a", game = %q, shard = 1, format = "match"}
player = [{name = "b", kind = "random"}, {name = "a", kind = "random"}]
`, c.game)))
		if err != nil {
			t.Fatal(err)
		}
		c.player.Name = "a"
		run.Players[1] = c.player
		shared, err := bundle(run, false)
		if err != nil {
			t.Fatal(err)
		}
		job := grid.Job{Run: "a", Kind: Kind, Shared: shared}
		if _, err = h.Play(t.Context(), job); !errors.As(err, new(*grid.UnwillingError)) ||
			!strings.Contains(err.Error(), "player a:") {
			t.Errorf("%+v: %v", c, err)
		}
		if _, err := os.Stat(ran); err == nil {
			t.Fatalf("%+v: the program ran", c)
		}
		if err := h.Trust(run); err != nil {
			t.Fatal(err)
		}
		_, text, _, err := unbundle(shared)
		if err == nil {
			err = h.allowed(text, run)
		}
		if err != nil {
			t.Errorf("%+v: a trusted plan: %v", c, err)
		}
		h.Close()
	}
}

// openFiles is how many files this process has open, 0 where the system does not
// tell.
func openFiles(t *testing.T) int {
	t.Helper()
	files, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return 0
	}
	return len(files)
}
