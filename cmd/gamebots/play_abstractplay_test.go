package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"gamebots/bots/sites/abstractplay/abstractplaytest"
	"gamebots/internal/testkit"
)

// abstractPlayBot is a bot at a stand-in for Abstract Play, as a process that is killed and started again.
type abstractPlayBot struct {
	t      *testing.T
	site   *abstractplaytest.Site
	server *httptest.Server
	folder string

	mu      sync.Mutex
	process *exec.Cmd
	starts  int
	stderr  bytes.Buffer // only to be read when no process runs
}

// newAbstractPlayBot returns a bot that does not run yet.
func newAbstractPlayBot(t *testing.T) *abstractPlayBot {
	b := &abstractPlayBot{t: t, folder: t.TempDir()}
	address := testkit.FreeAddress(t)
	b.site = abstractplaytest.NewSite("http://" + address + "/hook")
	b.server = httptest.NewServer(b.site)
	t.Cleanup(b.server.Close)
	if err := os.WriteFile(filepath.Join(b.folder, "secret"), []byte(b.site.Secret), 0o600); err != nil {
		t.Fatal(err)
	}
	settings := fmt.Sprintf("[site]\nclient_id = %q\nsecret_file = \"secret\"\nscope = %q\ntoken_url = %q\n"+
		"query_url = %q\nkey_url = %q\n[webhook]\nlisten = %q\n[accept]\ngames = 100\nper_player = 100\n"+
		"[engine]\nkind = \"random\"\n",
		b.site.ClientID, abstractplaytest.Scope, b.server.URL+abstractplaytest.TokenPath,
		b.server.URL+abstractplaytest.QueryPath, b.server.URL+abstractplaytest.KeyPath, address)
	if err := os.WriteFile(filepath.Join(b.folder, "bot.toml"), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	return b
}

// start starts the bot and returns once it listens. Each time it has another seed.
func (b *abstractPlayBot) start() (ended chan error) {
	b.t.Helper()
	self, err := os.Executable()
	if err != nil {
		b.t.Fatal(err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.starts++
	cmd := exec.CommandContext(b.t.Context(), self)
	// Under this name the test program is gamebots.
	cmd.Args = []string{"gamebots", "play", "abstractplay", "--config", "bot.toml", "--set",
		fmt.Sprint("engine.seed=", b.starts)}
	cmd.Dir, cmd.Stderr = b.folder, &b.stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		b.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.t.Fatal(err)
	}
	if line, err := bufio.NewReader(stdout).ReadString('\n'); err != nil || !strings.HasPrefix(line, "http://") {
		b.t.Fatalf("%q: %v: %s", line, err, &b.stderr)
	}
	b.process, ended = cmd, make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	return ended
}

// kill kills the bot that runs, as kill -9 does.
func (b *abstractPlayBot) kill() {
	b.mu.Lock()
	defer b.mu.Unlock()
	_ = b.process.Process.Kill() // it may have been killed already
}

// A bot that is killed between any two steps goes on: all games are finished, and no position is answered by two moves,
// though each start of the bot would choose others. Requests that got no 202 are made again here; at the site an
// administrator does that.
func TestKilledAbstractPlay(t *testing.T) {
	testkit.SlowOnly(t)
	b := newAbstractPlayBot(t)
	var mu sync.Mutex
	random := rand.New(rand.NewPCG(7, 7))
	kills := map[string]int{}
	kill := func(point string) bool {
		mu.Lock()
		defer mu.Unlock()
		if kills[point] >= 8 || random.IntN(8) > 0 {
			return false
		}
		kills[point]++
		b.kill()
		return true
	}
	sent := map[string]string{} // the move that was sent first, by the game and its number of moves
	taken := map[string]bool{}  // moves that the site has, by the game
	b.site.OnQuery = func(w http.ResponseWriter, r *http.Request) bool {
		body, err := io.ReadAll(r.Body)
		var m struct{ GameID, Move string }
		if err != nil || json.Unmarshal(body, &m) != nil {
			return false
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		position := fmt.Sprint(m.GameID, b.site.NumMoves(m.GameID))
		mu.Lock()
		if first, ok := sent[position]; ok && first != m.Move && !taken[m.GameID+m.Move] {
			t.Errorf("%s is sent after %s for one position", m.Move, first)
		} else if !taken[m.GameID+m.Move] {
			sent[position] = m.Move
		}
		mu.Unlock()
		return kill("before a move is read")
	}
	b.site.OnMoved = func(_ http.ResponseWriter, g *abstractplaytest.Game) bool {
		mu.Lock()
		taken[g.ID+g.Last()] = true
		mu.Unlock()
		if !kill("before the answer to a move") {
			return false
		}
		go b.site.GoOn(g)
		return true
	}
	b.site.OnAsked = func(g *abstractplaytest.Game, status int) {
		if status == http.StatusAccepted {
			kill("after a 202")
			return
		}
		time.Sleep(20 * time.Millisecond) // the bot is being started
		b.site.Ask(g)
	}
	ended := b.start()
	var games []*abstractplaytest.Game
	for i := range 12 {
		g, err := b.site.Play(i%2, i%4 == 2, uint64(i), [][]string{{"size-4"}, {"size-6"}}[i/6]...)
		if err != nil {
			t.Fatal(err)
		}
		games = append(games, g)
	}
	all := make(chan struct{})
	go func() {
		for _, g := range games {
			<-g.Done
		}
		close(all)
	}()
	for playing := true; playing; {
		select {
		case <-ended:
			ended = b.start()
		case <-all:
			playing = false
		case <-time.After(2 * time.Minute):
			b.kill()
			<-ended
			t.Fatalf("the games are not over: %s", &b.stderr)
		}
	}
	b.kill()
	<-ended
	for _, refusal := range b.site.Refused { // what it has sent before it was killed it sends again
		if !strings.Contains(refusal, "turn") && !strings.Contains(refusal, "taken") &&
			!strings.Contains(refusal, "no game") {
			t.Error(refusal)
		}
	}
	t.Logf("%d starts, killed %v, %d moves sent twice", b.starts, kills, len(b.site.Refused))
	if len(kills) != 3 || b.starts < 10 {
		t.Errorf("%d starts, killed %v: too few", b.starts, kills)
	}
}

// What cannot be is said before the bot listens, with a hint.
func TestAbstractPlayErrors(t *testing.T) {
	b := newAbstractPlayBot(t)
	key := filepath.Join(b.folder, "no.key")
	if err := os.WriteFile(key, []byte("<html>"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir(b.folder)
	t.Setenv(abstractPlaySecret, "")
	for _, c := range []struct{ line, want string }{
		{"--client-id=", "the bot has no id at the site"},
		{"--secret-file=", "hint: give --secret-file FILE"},
		{"--secret-file none", "no such file"},
		{"--set site.client_id=other", "invalid_client"},
		{"--set site.key_file=no.key", "no.key: it is not a public key"},
		{"--set site.key_file=new.key --set site.key_url=" + b.server.URL + "/none", "HTTP status 404"},
		{"--listen 127.0.0.1", "--listen wants an address"},
		{"--state none/state.json", "--state"},
		{"--bot grandmaster", `engine.kind: "grandmaster" is not one of`},
		{"--net none", "none"},
		{"more", "unexpected argument"},
	} {
		var out bytes.Buffer
		args := append(strings.Fields("play abstractplay --config bot.toml"), strings.Split(c.line, " ")...)
		if status := run(t.Context(), args, io.Discard, &out); status == 0 || !strings.Contains(out.String(), c.want) ||
			strings.Contains(out.String(), b.site.Secret) {
			t.Errorf("%s: %d: %s, want %q", c.line, status, &out, c.want)
		}
	}
}
