package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"gamebots/hexproto/wire"
	"gamebots/internal/testkit"
)

// TestKilledTournament kills the server and both bots of a tournament at random
// moments, and starts them again. Every game of the tournament must be there
// once, with the moves that it has in an undisturbed tournament: the bots' moves follow
// from the game's number and the turn. So a move that was lost would be played
// again the same; it is found by the bots' logs, in which no move is acknowledged
// twice. It does so without and with a proxy. GAMEBOTS_KILLS=100 plays 100 games
// with 100 kills.
func TestKilledTournament(t *testing.T) {
	t.Parallel()
	kills := 5
	if text := os.Getenv(killsEnv); text != "" {
		var err error
		if kills, err = strconv.Atoi(text); err != nil {
			t.Fatalf("%s: %v", killsEnv, err)
		}
	}
	games := max(kills, 12)
	want, moves := playGames(t, games, nil, nil)
	if len(want) != games {
		t.Fatalf("%d games undisturbed, not %d", len(want), games)
	}
	// The moments are numbers of moves, so that all of them come, however fast the
	// machine is. A kill may cost the log a few of the last acknowledgements.
	random := rand.New(rand.NewPCG(3, uint64(kills)))
	moments := make([]int, kills)
	for i := range moments {
		moments[i] = random.IntN(moves * 4 / 5)
	}
	slices.Sort(moments)
	for _, kind := range []string{"", "nginx", "caddy"} {
		t.Run("proxy="+kind, func(t *testing.T) {
			if kind != "" {
				testkit.SlowOnly(t)
			}
			var p *proxy
			if kind != "" {
				p = startProxy(t, kind, false)
			}
			start := time.Now()
			got, acknowledged := playGames(t, games, moments, p)
			t.Logf("%d kills in %d games of %d moves, of which the bots' logs have %d, took %v", kills, games, moves,
				acknowledged, time.Since(start).Round(time.Millisecond))
			if len(got) != games {
				t.Errorf("%d games with kills, not %d", len(got), games)
			}
			for tag, moves := range want {
				if got[tag] != moves {
					t.Errorf("game %s went\n%s, undisturbed\n%s", tag, got[tag], moves)
				}
			}
		})
	}
}

// playGames plays games at a server. When the bots' logs have as many moves as
// one of the moments says, one of the three processes is killed. It returns moves
// and result of each game by its tag, and the number of moves in the logs. The bots
// come through the proxy, if there is one.
func playGames(t *testing.T, games int, moments []int, p *proxy) (map[string]string, int) {
	t.Helper()
	dir := t.TempDir()
	database := filepath.Join(dir, "games.db")
	address, url, environment, token := "127.0.0.1:"+testkit.FreePort(t), "", os.Environ(), ""
	serve := []string{"gamebots", "serve", "--database", database, "--rate", "200", "--log-level", "error"}
	if p != nil {
		address, url, environment = p.upstream, p.url, append(environment, "SSL_CERT_FILE="+p.cert)
		serve = append(serve, "--public-url", url)
		for _, name := range []string{"anna", "bert"} {
			token = tokenOf(t, name, database)
			if err := os.WriteFile(filepath.Join(dir, name+".token"), []byte(token+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	bot := func(name string, more ...string) []string {
		return append([]string{
			"gamebots", "play", "hex", cmp.Or(url, address), "--bot", "random", "--name", name, "--token-file",
			filepath.Join(dir, name+".token"),
			"--set", "accept.games=100", "--set", "accept.per_player=100", "--set", "accept.pause=0s", "--set",
			"accept.no_clock=true", "--log-level", "debug",
		}, more...)
	}
	commands := [][]string{
		append(serve, "--listen", address),
		bot("anna", "--set", "challenge.enabled=true", "--set", `challenge.opponents=["bert"]`, "--set",
			`challenge.options={"side":6}`,
			"--set", "challenge.seat=first", "--set", "challenge.tag=t", "--set", "challenge.at_once=4",
			"--set", "challenge.pause=20ms",
			"--set", "challenge.max_pause=100ms", "--set", "challenge.games="+strconv.Itoa(games), "--set",
			"challenge.main=10m"),
		bot("bert"),
	}
	running := make([]*exec.Cmd, len(commands))
	ended := make([]chan error, len(commands))
	logs := make([]moveLog, len(commands))
	start := func(i int) {
		self, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(self)
		cmd.Args, cmd.Stderr, cmd.Env = commands[i], &logs[i], environment
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
		logs[i].cut()
	}
	defer func() {
		for i, cmd := range running {
			if cmd != nil {
				kill(i)
			}
		}
	}()
	start(0)
	waitFor(t, address)
	start(2)
	waitFile(t, filepath.Join(dir, "bert.token"))
	start(1)
	waitFile(t, filepath.Join(dir, "anna.token"))
	random := rand.New(rand.NewPCG(4, uint64(len(moments))))
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	late := time.After(time.Duration(300+2*games+4*len(moments)) * time.Second)
	killed := 0
	for over := false; !over; {
		select {
		case err := <-ended[1]:
			ended[1] <- nil // for kill
			if err != nil {
				t.Fatalf("anna: %v: %s", err, logs[1].tail())
			}
			over = true
		case <-tick.C:
			if killed < len(moments) && logs[1].count()+logs[2].count() >= moments[killed] {
				killed++
				// Some fall into the time in which others come back.
				time.Sleep(time.Duration(random.IntN(150)) * time.Millisecond * time.Duration(random.IntN(2)))
				victim := random.IntN(len(commands))
				kill(victim)
				start(victim)
			}
		case <-late:
			t.Fatalf("the tournament does not end: %s%s%s", logs[0].tail(), logs[1].tail(), logs[2].tail())
		}
	}
	if killed != len(moments) {
		t.Errorf("the tournament was over after %d of %d kills", killed, len(moments))
	}
	waitFor(t, address)
	result, record := map[string]string{}, map[played]bool{}
	for _, brief := range fetch[[]wire.Brief](t, "http://"+address+"/records/?limit=1000", token) {
		game := fetch[wire.Game](t, "http://"+address+"/records/"+brief.Game+".json", token)
		text := fmt.Sprint(game.Result.How, " ", game.Result.Winner, ":")
		for i, m := range game.Moves {
			if m.Turn != i {
				t.Errorf("game %s: move %d is of turn %d", brief.Tag, i, m.Turn)
			}
			record[played{game.Game, m.Turn, m.Move}] = true
			text += " " + m.Move
		}
		if result[brief.Tag] != "" {
			t.Errorf("two games %s", brief.Tag)
		}
		result[brief.Tag] = text
	}
	running[1] = nil // it has ended
	kill(2)
	running[2] = nil
	moves := 0
	for i := range logs {
		seen := map[played]bool{}
		for _, m := range logs[i].moves {
			if !record[m] {
				t.Errorf("a move that was acknowledged is lost: %+v", m)
			}
			if seen[m] {
				t.Errorf("a move was acknowledged twice: %+v", m)
			}
			seen[m] = true
			moves++
		}
	}
	return result, moves
}

// played is a move of a game.
type played struct {
	Game string
	Turn int
	Move string
}

// moveLog collects the moves that the log of a bot has as acknowledged, over all
// of its lives.
type moveLog struct {
	mu    sync.Mutex
	rest  []byte // start of an unfinished line
	last  []byte // a few of the other lines
	moves []played
}

func (l *moveLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rest = append(l.rest, p...)
	for {
		line, rest, ok := bytes.Cut(l.rest, []byte("\n"))
		if !ok {
			return len(p), nil
		}
		l.rest = rest
		var m struct {
			played
			Message string
		}
		switch {
		case json.Unmarshal(line, &m) == nil && m.Message == "acknowledged":
			l.moves = append(l.moves, m.played)
		case m.Message != "decided":
			l.last = append(append(l.last, line...), '\n')
			l.last = l.last[max(0, len(l.last)-4000):]
		}
	}
}

// cut drops a line that a kill has cut off.
func (l *moveLog) cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rest = nil
}

func (l *moveLog) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.moves)
}

func (l *moveLog) tail() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return string(l.last)
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

// fetch reads JSON. The token may be "".
func fetch[T any](t *testing.T, url, token string) (v T) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), "GET", url, nil)
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := http.DefaultClient.Do(r)
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
