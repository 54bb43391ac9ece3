package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"gamebots/hexproto/wire"
)

// TestKilledTournament kills the server and both bots of a tournament at random
// moments, and starts them again. Every game of the tournament must be there
// once, with the moves that it has when nobody disturbs it: the bots' moves follow
// from the game's number and the turn. GAMEBOTS_KILLS=100 plays 100 games with 100
// kills.
func TestKilledTournament(t *testing.T) {
	kills := 5
	if text := os.Getenv(killsEnv); text != "" {
		var err error
		if kills, err = strconv.Atoi(text); err != nil {
			t.Fatalf("%s: %v", killsEnv, err)
		}
	}
	games := max(kills, 12)
	want := tournament(t, games, 0)
	got := tournament(t, games, kills)
	if len(want) != games || len(got) != games {
		t.Fatalf("%d games undisturbed, %d with kills, not %d", len(want), len(got), games)
	}
	for tag, moves := range want {
		if got[tag] != moves {
			t.Errorf("game %s went\n%s, undisturbed\n%s", tag, got[tag], moves)
		}
	}
}

// tournament plays a number of games, kills so often, and returns moves and
// result of each game by its tag.
func tournament(t *testing.T, games, kills int) map[string]string {
	t.Helper()
	dir := t.TempDir()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	bot := func(name string, more ...string) []string {
		return append([]string{
			"gamebots", "play", "hex", address, "--bot", "random", "--name", name, "--token-file", filepath.Join(dir, name+".token"),
			"--set", "accept.games=100", "--set", "accept.per_player=100", "--set", "accept.pause=0s", "--set", "accept.no_clock=true", "--log-level", "error",
		}, more...)
	}
	commands := [][]string{
		{"gamebots", "serve", "--listen", address, "--database", filepath.Join(dir, "games.db"), "--rate", "200", "--log-level", "error"},
		bot("anna", "--set", "challenge.enabled=true", "--set", `challenge.opponents=["bert"]`, "--set", `challenge.options={"side":6}`,
			"--set", "challenge.seat=first", "--set", "challenge.tag=t", "--set", "challenge.at_once=4", "--set", "challenge.pause=20ms",
			"--set", "challenge.max_pause=100ms", "--set", "challenge.games="+strconv.Itoa(games), "--set", "challenge.main=10m"),
		bot("bert"),
	}
	running := make([]*exec.Cmd, len(commands))
	ended := make([]chan error, len(commands))
	said := make([]bytes.Buffer, len(commands))
	start := func(i int) {
		self, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(self)
		cmd.Args, cmd.Stderr = commands[i], &said[i]
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() { done <- cmd.Wait() }()
		running[i], ended[i] = cmd, done
	}
	kill := func(i int) {
		running[i].Process.Kill()
		<-ended[i]
	}
	start(0)
	waitFor(t, address)
	start(2)
	waitFile(t, filepath.Join(dir, "bert.token"))
	start(1)
	waitFile(t, filepath.Join(dir, "anna.token"))
	random := rand.New(rand.NewPCG(3, uint64(kills)))
	killed, most := 0, kills
	late := time.After(time.Duration(60+2*games+4*kills) * time.Second)
	for over := false; !over; {
		pause := time.Hour
		if killed < most {
			pause = time.Duration(random.IntN(150)) * time.Millisecond
		}
		select {
		case err := <-ended[1]:
			if err != nil {
				t.Fatalf("anna: %v: %s", err, said[1].String())
			}
			ended[1] <- nil // for kill
			over = true
		case <-time.After(pause):
			killed++
			victim := random.IntN(len(commands))
			kill(victim)
			start(victim)
		case <-late:
			t.Fatalf("the tournament does not end: %s%s%s", said[0].String(), said[1].String(), said[2].String())
		}
	}
	if killed < most {
		t.Logf("the tournament was over after %d of %d kills", killed, most)
		if killed == 0 {
			t.Error("nobody was killed")
		}
	}
	waitFor(t, address)
	result := map[string]string{}
	for _, brief := range fetch[[]wire.Brief](t, "http://"+address+"/records/?limit=1000") {
		game := fetch[wire.Game](t, "http://"+address+"/records/"+brief.Game+".json")
		text := fmt.Sprint(game.Result.How, " ", game.Result.Winner, ":")
		for i, m := range game.Moves {
			if m.Turn != i {
				t.Errorf("game %s: move %d is of turn %d", brief.Tag, i, m.Turn)
			}
			text += " " + m.Move
		}
		if result[brief.Tag] != "" {
			t.Errorf("two games %s", brief.Tag)
		}
		result[brief.Tag] = text
	}
	for _, i := range []int{2, 1, 0} {
		kill(i)
	}
	return result
}

// waitFor waits until a server answers.
func waitFor(t *testing.T, address string) {
	t.Helper()
	for range 400 {
		if resp, err := http.Get("http://" + address + "/healthz"); err == nil {
			resp.Body.Close()
			return
		}
		time.Sleep(25 * time.Millisecond)
	}
	t.Fatal("the server does not come")
}

// waitFile waits for a file.
func waitFile(t *testing.T, path string) {
	t.Helper()
	for range 400 {
		if info, err := os.Stat(path); err == nil && info.Size() > 0 {
			return
		}
		time.Sleep(25 * time.Millisecond)
	}
	t.Fatalf("%s does not come", path)
}

func fetch[T any](t *testing.T, url string) (v T) {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatalf("%s: %s: %v", url, text, err)
	}
	return v
}
