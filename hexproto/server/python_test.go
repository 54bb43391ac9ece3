package server_test

import (
	"fmt"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gamebots/hexproto/server"
	"gamebots/hexproto/wire"
	"gamebots/internal/testkit"
)

const pythonClient = "../../examples/hexbot/hexbot.py"

// The client in Python plays a game to its end while its server is started again in the middle. The
// test is its opponent.
func TestPythonClient(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3")
	}
	database, address := filepath.Join(t.TempDir(), "games.db"), testkit.FreeAddress(t)
	serve := func() (*testServer, func()) {
		h := open(t, database, func(c *server.Config) { c.Bots, c.Limits.FirstMove = nil, time.Hour })
		l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		web := &http.Server{Handler: h.Handler()}
		served := make(chan error, 1)
		go func() { served <- web.Serve(l) }()
		return h, func() {
			h.end()
			web.Close()
			<-served
		}
	}
	h, end := serve()
	opponent := join(t, h, "random")
	var out, log strings.Builder
	client := exec.CommandContext(t.Context(), python, pythonClient, "http://"+address)
	client.Stdout, client.Stderr = &out, &log
	if err := client.Start(); err != nil {
		t.Fatal(err)
	}
	id := opponent.must(&wire.Accept{Challenge: want[wire.Challenged](opponent).Challenge}).Game
	moves := 0
	for {
		g := opponent.state(id)
		if g.Result != nil {
			break
		}
		if !slices.Contains(g.ToMove, g.You) {
			want[wire.Moved](opponent)
			continue
		}
		if moves++; moves == 3 {
			end()
			h, end = serve()
			token := opponent.token
			opponent = dial(t, h)
			opponent.greet(&wire.Hello{Version: wire.Version, Token: token, Views: true})
		}
		opponent.must(&wire.Play{Game: id, Turn: g.Turn, Move: g.View.Legal[0]})
	}
	defer end()
	err = client.Wait()
	g := opponent.state(id)
	outcome := map[int]string{g.You: "lost", 1 - g.You: "won", -1: "drawn"}[g.Result.Winner]
	if want := fmt.Sprintf("%s: %s by %s\n", id, outcome, g.Result.How); err != nil || out.String() != want ||
		log.Len() == 0 {
		t.Errorf("%v: it prints %q, want %q, and logs %q", err, out.String(), want, log.String())
	}
}
