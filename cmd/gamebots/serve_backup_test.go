//go:build unix

package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gamebots/hexproto/server/database"
	"gamebots/hexproto/wire"

	"github.com/gorilla/websocket"
)

// serving starts a server on a database, with an address of its own. It returns the process and the
// address of the websocket.
func serving(t *testing.T, database string) (*exec.Cmd, string) {
	t.Helper()
	serve := commandOf(t, "serve", "--log-level", "warn", "--listen", "127.0.0.1:0", "--database", database)
	out, err := serve.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	serve.Stderr = t.Output()
	if err := serve.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = serve.Process.Kill(), serve.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	_, address, _ := strings.Cut(strings.TrimSpace(line), "http://")
	return serve, "ws://" + strings.TrimSuffix(address, "/") + "/ws"
}

// player is a client that plays against the server's bot.
type player struct {
	t     *testing.T
	ws    *websocket.Conn
	id    uint64
	token string
}

func newPlayer(t *testing.T, url, token string) *player {
	t.Helper()
	ws, _, err := websocket.DefaultDialer.Dial(url, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ws.Close() })
	p := &player{t: t, ws: ws, token: token}
	hello := &wire.Hello{Version: wire.Version, Token: token, Views: true}
	if token == "" {
		hello.Name = "ada"
	}
	if w, ok := p.ask(hello).(*wire.Welcome); !ok {
		t.Fatal("no welcome")
	} else if token == "" {
		p.token = w.Token
	}
	return p
}

// ask returns the answer to a message, nil if the connection ends before. It waits where the answer is that this is
// too fast: on a busy machine what an account is sent and asks comes in bursts.
func (p *player) ask(m wire.Message) wire.Message {
	for {
		answer := p.askOnce(m)
		if e, refused := answer.(*wire.Error); !refused || e.Code != wire.TooFast {
			return answer
		}
		time.Sleep(100 * time.Millisecond)
	}
}

func (p *player) askOnce(m wire.Message) wire.Message {
	p.id++
	frame, err := wire.Encode(p.id, m)
	if err == nil {
		err = p.ws.WriteMessage(websocket.TextMessage, frame)
	}
	for err == nil {
		p.ws.SetReadDeadline(time.Now().Add(time.Minute))
		var text []byte
		if _, text, err = p.ws.ReadMessage(); err == nil {
			if id, answer, _ := wire.FromServer.Decode(text); id == p.id {
				return answer
			}
		}
	}
	return nil
}

// play plays games until a channel is closed. It returns the moves that were acknowledged, by game and turn.
func (p *player) play(stop <-chan struct{}) map[string]map[int]string {
	acknowledged := map[string]map[int]string{}
	for {
		answer := p.ask(&wire.Challenge{
			Rules: "havannah", To: "random", Seat: "first", Options: json.RawMessage(`{"side":8}`),
		})
		ack, ok := answer.(*wire.Ack)
		if answer == nil { // the server has ended
			return acknowledged
		}
		if !ok {
			p.t.Errorf("no game but %+v", answer)
			return acknowledged
		}
		made := map[int]string{}
		acknowledged[ack.Game] = made
		for {
			answer := p.ask(&wire.Watch{Game: ack.Game})
			g, ok := answer.(*wire.Game)
			if answer == nil {
				return acknowledged
			}
			if !ok {
				p.t.Errorf("no state but %+v", answer)
				return acknowledged
			}
			if g.Result != nil {
				break
			}
			select {
			case <-stop:
				return acknowledged
			case <-time.After(5 * time.Millisecond):
			}
			if !slices.Contains(g.ToMove, g.You) {
				continue
			}
			move := g.View.Legal[g.Turn%len(g.View.Legal)]
			if _, ok := p.ask(&wire.Play{Game: g.Game, Turn: g.Turn, Move: move}).(*wire.Ack); ok {
				made[g.Turn] = move
			}
		}
	}
}

// No form of the command replaces a database that is in use, and no second server uses it: all moves that
// were acknowledged meanwhile are there when the server is started again.
func TestBackupOfServedDatabase(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	tokenOf(t, "bob", at("other.db"))
	serve, url := serving(t, at("games.db"))
	err := errors.Join(os.Symlink(at("games.db"), at("soft.db")), os.Link(at("games.db"), at("hard.db")))
	if err != nil {
		t.Fatal(err)
	}
	ada := newPlayer(t, url, "")
	stop, played := make(chan struct{}), make(chan map[string]map[int]string)
	go func() { played <- ada.play(stop) }()

	refused := func(words string, args ...string) {
		t.Helper()
		out, err := commandOf(t, args...).CombinedOutput()
		if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) || exit.ExitCode() != 1 ||
			!strings.Contains(string(out), words) || !strings.Contains(string(out), "hint: ") {
			t.Errorf("gamebots %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	for _, c := range []struct{ from, to, words string }{
		{"games.db", "games.db", "it is the database"},
		{"games.db", "soft.db", "it is the database"},
		{"games.db", "hard.db", "it is the database"},
		{"soft.db", "games.db", "it is the database"},
		{"hard.db", "games.db", "it is the database"},
		{"other.db", "games.db", "uses it as its database"},
		{"other.db", "soft.db", "uses it as its database"},
		{"other.db", "hard.db", "uses it as its database"},
		{"other.db", "games.db-wal", "it is a part of the database"},
		{"other.db", "games.db-journal", "it is a part of the database"},
		{"hard.db", "copy.db", "uses it by another name"},
	} {
		refused(c.words, "serve", "backup", at(c.to), "--force", "--database", at(c.from))
	}
	if err := os.WriteFile(at("hard.db-wal"), nil, 0o600); err != nil { // as an earlier server may have left
		t.Fatal(err)
	}
	refused("uses it by another name", "serve", "backup", at("copy.db"), "--database", at("hard.db"))
	for _, name := range []string{"games.db", "soft.db", "hard.db"} {
		refused("another server uses it", "serve", "--listen", "127.0.0.1:0", "--database", at(name))
	}
	copied := commandOf(t, "serve", "backup", at("copy.db"), "--database", at("soft.db"))
	if out, err := copied.CombinedOutput(); err != nil {
		t.Errorf("a backup by a symbolic link: %v, %s", err, out)
	}
	close(stop)
	acknowledged := <-played
	serve.Process.Kill()
	serve.Wait()

	hasAll(t, at("games.db"), ada, acknowledged)
}

// A database that another program has open by another name of the file is neither copied nor served: its last changes
// are in the log beside that name. So it is if the file is moved, or mounted elsewhere, which tests may not do.
func TestBackupOfMountedDatabase(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	tokenOf(t, "ada", at("games.db"))
	open := func(name string) func() error {
		db, err := database.OpenBeside(at(name))
		if err == nil {
			_, err = db.Exec(`UPDATE accounts SET bot = bot`)
		}
		if err != nil {
			t.Fatal(err)
		}
		return db.Close
	}
	closed := open("games.db")
	if err := os.Rename(at("games.db"), at("moved.db")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		words string
		args  []string
	}{
		{"uses it by another name", []string{"serve", "backup", at("copy.db"), "--database", at("moved.db")}},
		{"another server uses it", []string{"serve", "--listen", "127.0.0.1:0", "--database", at("moved.db")}},
	} {
		if out, code := output(t, c.args...); code != 1 || !strings.Contains(out, c.words) {
			t.Errorf("%d, %s", code, out)
		}
	}
	if err := errors.Join(os.Rename(at("moved.db"), at("games.db")), closed()); err != nil {
		t.Fatal(err)
	}
	// Who has it open by this name is in the way of neither.
	closed = open("games.db")
	if out, code := output(t, "serve", "backup", at("copy.db"), "--database", at("games.db")); code != 0 {
		t.Errorf("%d, %s", code, out)
	}
	serve, _ := serving(t, at("games.db"))
	if err := errors.Join(closed(), serve.Process.Kill()); err != nil {
		t.Error(err)
	}
	_ = serve.Wait()
}

// hasAll checks that a database has the acknowledged moves of a player, of whom there are some.
func hasAll(t *testing.T, database string, p *player, acknowledged map[string]map[int]string) {
	t.Helper()
	serve, url := serving(t, database)
	defer func() { _, _ = serve.Process.Kill(), serve.Wait() }()
	p = newPlayer(t, url, p.token)
	moves := 0
	for id, made := range acknowledged {
		g, ok := p.ask(&wire.Watch{Game: id}).(*wire.Game)
		if !ok {
			t.Fatalf("game %s is lost", id)
		}
		for turn, move := range made {
			if !slices.ContainsFunc(g.Moves, func(m wire.Move) bool { return m.Turn == turn && m.Move == move }) {
				t.Errorf("game %s has lost move %s of turn %d", id, move, turn)
			}
			moves++
		}
	}
	if moves == 0 {
		t.Error("no move was made")
	}
	t.Log(fmt.Sprint(moves, " moves in ", len(acknowledged), " games"))
}

// A copy does not get the name of a database whose server was killed: SQLite would add the log that it
// left to the copy, and damage it. Nor is anything of that database lost.
func TestBackupBesideOldLog(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	tokenOf(t, "bob", at("other.db"))
	serve, url := serving(t, at("games.db"))
	ada := newPlayer(t, url, "")
	serve.Process.Kill()
	serve.Wait()
	backup := commandOf(t, "serve", "backup", at("games.db"), "--force", "--database", at("other.db"))
	out, err := backup.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "the log beside it") || !strings.Contains(string(out), "hint: ") {
		t.Errorf("%v, %s", err, out)
	}
	_, url = serving(t, at("games.db"))
	newPlayer(t, url, ada.token)
}
