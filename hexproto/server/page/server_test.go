package page_test

import (
	"context"
	"net"
	"path/filepath"
	"testing"

	"gamebots/bots/havannahbot"
	"gamebots/bots/matrixbot"
	"gamebots/bots/nimbot"
	"gamebots/hexproto/boards"
	"gamebots/hexproto/game"
	"gamebots/hexproto/server"
	"gamebots/hexproto/server/engines"
	"gamebots/hexproto/server/page"
	"gamebots/internal/testkit"
)

// testServer is a game server with a page, that can be restarted.
type testServer struct {
	*testing.T
	cfg     server.Config
	server  *server.Server // the server that runs
	address string
	begin   func() // instead of a server in this process
	stop    func()
}

func newServer(t *testing.T, open bool) *testServer {
	t.Helper()
	return newServerWith(t, open, func(*server.Config) {})
}

// newServerWith is newServer with a change of its settings.
func newServerWith(t *testing.T, open bool, change func(*server.Config)) *testServer {
	t.Helper()
	h := &testServer{T: t, address: testkit.FreeAddress(t), cfg: server.Config{
		Database: filepath.Join(t.TempDir(), "games.db"),
		Rules:    []game.Rules{havannahbot.Rules{Simulations: 2000}, boards.Nim{}, matrixbot.Rules},
		Bots: []engines.Bot{
			{Name: "random", Rules: []string{boards.HavannahName}, Bot: havannahbot.Bot(havannahbot.Random{}),
				About: "Makes any legal move.", Ratings: map[string]int{boards.HavannahName: 400}},
			{Name: "xor", Rules: []string{boards.NimName}, Bot: nimbot.Bot(nimbot.XOR{}),
				About: "Knows the rule that wins, and makes no mistake."},
			{Name: "equilibrium", Rules: []string{boards.MatrixName}, Bot: matrixbot.Bot(matrixbot.Equilibrium{})},
		},
		Page: page.Handler(), Version: "gamebots test", Open: open, Loopback: true,
	}}
	change(&h.cfg)
	h.start()
	t.Cleanup(func() { h.stop() })
	return h
}

// start starts the server, on the same port as before if it ran before.
func (h *testServer) start() {
	h.Helper()
	if h.begin != nil {
		h.begin()
		return
	}
	s, err := server.New(h.cfg)
	if err != nil {
		h.Fatal(err)
	}
	h.server = s
	l, err := new(net.ListenConfig).Listen(h.Context(), "tcp", h.address)
	if err != nil {
		h.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx, l, "", "") }()
	h.stop = func() {
		cancel()
		<-served
		if err := s.Close(); err != nil {
			h.Error(err)
		}
		h.stop = func() {}
	}
}

func (h *testServer) url() string { return "http://" + h.address + "/" }
