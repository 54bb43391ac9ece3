package main

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"gamebots/bots/arena/store"
	"gamebots/cmd/internal/cli"
	"gamebots/internal/testkit"
)

// TestKilledArena kills a run of the arena at random moments and goes on with it.
// The stored results must be, byte by byte, those of an undisturbed run:
// every hand once. GAMEBOTS_KILLS=600 takes some ten minutes: then the run has
// workers and a server of its own, and each of the four processes is killed.
func TestKilledArena(t *testing.T) {
	kills, alone := 8, true
	if text := os.Getenv(killsEnv); text != "" {
		var err error
		if kills, err = strconv.Atoi(text); err != nil {
			t.Fatalf("%s: %v", killsEnv, err)
		}
		alone = false
	}
	shards := 6 * max(25, 40*kills/6)
	folder := t.TempDir()
	settings := filepath.Join(folder, "arena.toml")
	text := fmt.Sprintf(`
run = {name = "killed", game = "leduc", shard = 20, seed = 3}
poker = {deals = %d}
player = [
	{name = "cfr", kind = "trained", iterations = 20},
	{name = "random", kind = "random"},
	{name = "raise", kind = "raise"},
	{name = "other", kind = "random", seed = 9},
]`, 20*shards/6)
	if err := os.WriteFile(settings, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	whole := filepath.Join(folder, "whole.db")
	var stderr bytes.Buffer
	if code := run(t.Context(), []string{"arena", "run", settings, "--database", whole, "--json"}, new(bytes.Buffer),
		&stderr); code != cli.ExitDone {
		t.Fatalf("undisturbed: exit status %d: %s", code, &stderr)
	}
	want, count := stored(t, whole)
	if count != shards {
		t.Fatalf("undisturbed %d shards are stored, not %d", count, shards)
	}

	random := rand.New(rand.NewPCG(5, uint64(kills)))
	moments := make([]int, kills) // numbers of stored shards
	for i := range moments {
		moments[i] = random.IntN(shards * 9 / 10)
	}
	slices.Sort(moments)
	database := filepath.Join(folder, "killed.db")
	crowd := &crowd{t: t, commands: [][]string{
		{"gamebots", "arena", "run", settings, "--database", database, "--resume", "--log-level", "error",
			"--threads", "1"},
	}}
	if !alone {
		t.Setenv("HOME", folder) // folder where tokens are kept
		t.Setenv("XDG_CONFIG_HOME", folder)
		address := testkit.FreeAddress(t)
		url := "nats://" + address
		crowd.commands[0] = append(crowd.commands[0], "--nats", url, "--nats-own", "0")
		worker := []string{"gamebots", "grid", "work", "--nats", url, "--jobs", "1", "--log-level", "error"}
		crowd.commands = append(crowd.commands,
			[]string{"gamebots", "grid", "serve", "--listen", address, "--store", filepath.Join(folder, "grid"),
				"--log-level", "error"}, worker, worker)
	}
	defer crowd.end()
	for i := range crowd.commands {
		crowd.start(i)
	}
	late := time.After(time.Duration(300+3*kills) * time.Second)
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	start, killed := time.Now(), 0
	for {
		select {
		case err := <-crowd.ended[0]:
			if err == nil {
				crowd.ended[0] <- nil // for end
				got, count := stored(t, database)
				t.Logf("%d kills in %v", killed, time.Since(start).Round(time.Millisecond))
				if killed != kills {
					t.Errorf("the run was over after %d of %d kills", killed, kills)
				}
				if count != shards || got != want {
					t.Errorf("%d of %d shards are stored, their bytes differ: %v", count, shards, got != want)
				}
				return
			}
			if alone {
				t.Fatalf("the run: %v: %s", err, crowd.said[0].String())
			}
			// Its server was away for too long: it is started again, as people do.
			time.Sleep(100 * time.Millisecond)
			crowd.start(0)
		case <-tick.C:
			if killed < kills && arenaProgress(database) >= moments[killed] {
				killed++
				time.Sleep(time.Duration(random.IntN(30)) * time.Millisecond)
				victim := random.IntN(len(crowd.commands))
				crowd.kill(victim)
				crowd.start(victim)
			}
		case <-late:
			t.Fatalf("the run does not end: %d shards after %d kills: %s", arenaProgress(database),
				killed, crowd.said[0].String())
		}
	}
}

// stored returns all that a run has come to, as text, and how many shards that is.
func stored(t *testing.T, database string) (text string, shards int) {
	t.Helper()
	db, err := store.OpenReadOnly(t.Context(), database)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	r, err := db.Run(t.Context(), "killed")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%+v, ended %v\n", *r.Plan, !r.Ended.IsZero())
	for x, err := range db.Results(t.Context(), r) {
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%d %+v %x\n", x.Number, x.Tally, x.Packed)
	}
	return b.String(), r.Stored
}

// arenaProgress is how many shards are stored by now.
func arenaProgress(database string) int {
	db, err := store.OpenReadOnly(context.Background(), database)
	if err != nil {
		return -1 // not there yet
	}
	defer db.Close()
	r, err := db.Run(context.Background(), "killed")
	if err != nil {
		return -1
	}
	return r.Stored
}

// crowd are processes of this program.
type crowd struct {
	t        *testing.T
	commands [][]string
	running  [4]*exec.Cmd
	ended    [4]chan error
	said     [4]*bytes.Buffer // on standard error
}

func (c *crowd) start(i int) {
	c.t.Helper()
	self, err := os.Executable()
	if err != nil {
		c.t.Fatal(err)
	}
	cmd := exec.Command(self)
	c.said[i] = new(bytes.Buffer)
	cmd.Args, cmd.Stderr = c.commands[i], c.said[i]
	if err := cmd.Start(); err != nil {
		c.t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	c.running[i], c.ended[i] = cmd, done
}

// kill kills a process and waits for its end.
func (c *crowd) kill(i int) {
	c.running[i].Process.Kill()
	<-c.ended[i]
}

func (c *crowd) end() {
	for i, cmd := range c.running {
		if cmd != nil {
			c.kill(i)
		}
	}
}
