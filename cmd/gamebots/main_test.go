package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gamebots/acpc/dealer"
	"gamebots/acpc/money"
	"gamebots/cmd/internal/cli"
	"gamebots/cmd/internal/cli/clitest"
	"gamebots/configs"
	"gamebots/internal/testkit"
	"gamebots/solvers/cfr/checkpoint"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// run executes one command line and returns the exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	return cli.Run(ctx, newRoot(), args, stdout, stderr)
}

// checkpointEnv is the environment variable of programs that tests start which has the time of the first checkpoint.
const checkpointEnv = "GAMEBOTS_TEST_CHECKPOINT"

func TestMain(m *testing.M) {
	if first, err := time.ParseDuration(os.Getenv(checkpointEnv)); err == nil {
		checkpoint.First = first
	}
	testscript.Main(m, map[string]func(){"gamebots": main})
}

// scriptCommands are the commands of scripts. The tests of a site add one that starts its stand-in.
var scriptCommands = map[string]func(ts *testscript.TestScript, neg bool, args []string){"status": clitest.Status}

// The scripts show the program as a user sees it: each is a few command lines
// and their output. $ROOT is the folder of the module, and $PORT a port that is free. Lines that begin with [slow] are
// for the second tier.
func TestScripts(t *testing.T) {
	t.Parallel()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	scripts, err := filepath.Glob("testdata/script/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	// The long ones come first, and none of them is left alone at the end.
	slices.SortFunc(scripts, func(a, b string) int { return cmp.Compare(size(t, b), size(t, a)) })
	testscript.Run(t, testscript.Params{
		Files:               scripts,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       *update,
		Condition: func(condition string) (bool, error) {
			if condition != "slow" {
				return false, fmt.Errorf("there is no condition %q", condition)
			}
			return testkit.SlowEnabled(), nil
		},
		Setup: func(env *testscript.Env) error {
			env.Setenv("ROOT", root)
			env.Setenv("PORT", testkit.FreePort(t))
			return nil
		},
		Cmds: scriptCommands,
	})
}

// size returns the size of a file.
func size(t *testing.T, file string) int64 {
	t.Helper()
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// Two bots meet at a dealer over TCP, and each reports the result that the dealer has
// counted. Off a terminal their logs are JSON. One expects more hands than it gets, and
// the other draws a seed.
func TestPlayACPC(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	game, err := configs.Game("leduc")
	if err != nil {
		t.Fatal(err)
	}
	match := &dealer.Match{
		Name: "m", Game: game, Hands: 200, Seed: 5, Names: []string{"random", "call"}, Limits: dealer.DefaultLimits,
	}
	lobby, err := dealer.Listen("127.0.0.1", 0, 0)
	if err != nil {
		t.Fatal(err)
	}

	type result struct {
		code           int
		stdout, stderr bytes.Buffer
	}
	results := make([]chan *result, len(match.Names))
	for seat, addr := range lobby.Addrs() {
		host, port, err := net.SplitHostPort(addr)
		if err != nil {
			t.Fatal(err)
		}
		results[seat] = make(chan *result, 1)
		go func() {
			r := &result{}
			more := [][]string{{"--seed", "3", "--hands", "201"}, {"--hands", "200"}}[seat]
			r.code = run(ctx,
				append([]string{"play", "acpc", host, port, "--bot", match.Names[seat], "--game", "leduc"}, more...),
				&r.stdout, &r.stderr)
			results[seat] <- r
		}()
	}
	conns, err := lobby.Accept(ctx, -1)
	if err != nil {
		t.Fatal(err)
	}
	score, err := match.Serve(ctx, conns, dealer.Record{})
	if err != nil {
		t.Fatal(err)
	}
	for seat, done := range results {
		r := <-done
		want := resultLine(200, score[seat], money.UsualIn(game))
		short := strings.Contains(r.stderr.String(),
			"gamebots: error: the dealer closed the connection after 200 of 201 hands")
		if r.code != []int{cli.ExitFailed, cli.ExitDone}[seat] || short != (seat == 0) || r.stdout.String() != want {
			t.Errorf("seat %d: exit status %d, printed %q, want %q; log:\n%s", seat, r.code, &r.stdout, want, &r.stderr)
		}
		var seated struct {
			Message, Game, Bot string
			Seed               uint64
		}
		if err := json.NewDecoder(&r.stderr).Decode(&seated); err != nil || seated.Message != "seated" ||
			seated.Game != "leduc" || seated.Bot != match.Names[seat] || (seated.Seed == 3) != (seat == 0) {
			t.Errorf("seat %d: first log line %+v: %v", seat, seated, err)
		}
	}
}

// A bot that waits for a hand leaves when it is told to.
func TestPlayStops(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	host, port, err := net.SplitHostPort(listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	ctx, interrupt := context.WithCancel(t.Context())
	go func() {
		defer interrupt()
		conn, err := listener.Accept()
		if err != nil {
			t.Error(err)
			return
		}
		// Its version has come, so that it waits for the first hand now. The
		// connection stays open.
		if _, err := conn.Read(make([]byte, 64)); err != nil {
			t.Error(err)
		}
	}()
	var stdout, stderr bytes.Buffer
	code := run(ctx, []string{"play", "acpc", host, port, "--bot", "call", "--game", "kuhn"}, &stdout, &stderr)
	if code != cli.ExitFailed || !strings.Contains(stderr.String(), "gamebots: error: interrupted") {
		t.Errorf("exit status %d with %q", code, &stderr)
	}
}
