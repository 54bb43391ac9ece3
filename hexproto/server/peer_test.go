package server_test

import (
	"cmp"
	"encoding/json"
	"log/slog"
	"net"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gamebots/bots/havannahbot"
	"gamebots/hexproto/game"
	"gamebots/hexproto/server"
	"gamebots/hexproto/server/engines"
	"gamebots/hexproto/wire"

	"github.com/gorilla/websocket"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience is how long a test waits for an event, on a busy machine too; it fails after it.
const patience = 2 * time.Minute

// testServer is a server with its address.
type testServer struct {
	*server.Server
	url string // address of the websocket
	web *httptest.Server
	end func()
}

// open starts a server on a database. Change may be nil.
func open(t *testing.T, database string, change func(*server.Config)) *testServer {
	t.Helper()
	cfg := server.Config{
		Database: database, Open: true, Loopback: true, Version: "test",
		Rules: []game.Rules{havannahbot.Rules{}},
		Bots: []engines.Bot{
			{Name: "random", Rules: []string{"havannah"}, Bot: havannahbot.Bot(havannahbot.Random{})},
			{Name: "playouts", Rules: []string{"havannah"}, Bot: havannahbot.Bot(havannahbot.Playouts{Games: 16})},
		},
		Log: slog.New(slog.NewTextHandler(t.Output(), nil)),
	}
	if change != nil {
		change(&cfg)
	}
	s, err := server.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(s.Handler())
	h := &testServer{Server: s, url: "ws" + strings.TrimPrefix(web.URL, "http") + "/ws", web: web}
	ended := false
	h.end = func() {
		if ended {
			return
		}
		ended = true
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		web.Close()
	}
	t.Cleanup(h.end)
	return h
}

func start(t *testing.T, change func(*server.Config)) *testServer {
	t.Helper()
	return open(t, filepath.Join(t.TempDir(), "games.db"), change)
}

// peer is a client that the test controls.
type peer struct {
	t     *testing.T
	ws    *websocket.Conn
	name  string
	token string
	ids   uint64
	heard []wire.Message // received and not asked for yet
	hello *wire.Welcome
	tap   func(frame []byte) // gets all frames, unless it is nil
}

func dial(t *testing.T, h *testServer) *peer {
	t.Helper()
	ws, _, err := websocket.DefaultDialer.Dial(h.url, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ws.Close() })
	return &peer{t: t, ws: ws}
}

// join makes an account and a connection.
func join(t *testing.T, h *testServer, name string) *peer {
	t.Helper()
	p := dial(t, h)
	p.name = name
	p.greet(&wire.Hello{Version: wire.Version, Name: name, Views: true})
	p.token = p.hello.Token
	return p
}

// again is another connection of a peer's account.
func (p *peer) again(h *testServer) *peer {
	p.t.Helper()
	q := dial(p.t, h)
	q.name, q.token = p.name, p.token
	q.greet(&wire.Hello{Version: wire.Version, Token: p.token})
	return q
}

func (p *peer) greet(m *wire.Hello) {
	p.t.Helper()
	p.send(m)
	p.hello = want[wire.Welcome](p)
}

func (p *peer) send(m wire.Message) uint64 {
	p.t.Helper()
	p.ids++
	frame, err := wire.Encode(p.ids, m)
	if err != nil {
		p.t.Fatal(err)
	}
	p.raw(websocket.TextMessage, frame)
	return p.ids
}

func (p *peer) raw(kind int, frame []byte) {
	p.t.Helper()
	if err := p.ws.WriteMessage(kind, frame); err != nil {
		p.t.Fatalf("%s: %v", p.name, err)
	}
}

// next returns the next message and its id.
func (p *peer) next() (uint64, wire.Message, error) {
	p.ws.SetReadDeadline(time.Now().Add(patience))
	_, frame, err := p.ws.ReadMessage()
	if err != nil {
		return 0, nil, err
	}
	if p.tap != nil {
		p.tap(frame)
	}
	return wire.FromServer.Decode(frame)
}

// want returns the next message of a type; others are kept for later.
func want[M any](p *peer) *M {
	p.t.Helper()
	for i, m := range p.heard {
		if m, ok := any(m).(*M); ok {
			p.heard = slices.Delete(p.heard, i, i+1)
			return m
		}
	}
	for {
		_, m, err := p.next()
		if err != nil {
			p.t.Fatalf("%s waits for %T: %v, heard %+v", p.name, *new(M), err, p.heard)
		}
		if m, ok := any(m).(*M); ok {
			return m
		}
		p.heard = append(p.heard, m)
	}
}

// ask sends a message and returns its answer, an ack or an error.
func (p *peer) ask(m wire.Message) (*wire.Ack, *wire.Error) {
	p.t.Helper()
	return p.answer(p.send(m))
}

// answer waits for the answer to a message, an ack or an error.
func (p *peer) answer(id uint64) (*wire.Ack, *wire.Error) {
	p.t.Helper()
	for {
		of, m, err := p.next()
		if err != nil {
			p.t.Fatalf("%s: no answer to message %d: %v", p.name, id, err)
		}
		if of == id {
			ack, _ := m.(*wire.Ack)
			e, _ := m.(*wire.Error)
			if ack == nil && e == nil {
				p.t.Fatalf("%s: answered by %+v", p.name, m)
			}
			return ack, e
		}
		p.heard = append(p.heard, m)
	}
}

// must wants an ack, refused an error of a code.
func (p *peer) must(m wire.Message) *wire.Ack {
	p.t.Helper()
	ack, e := p.ask(m)
	if e != nil {
		p.t.Fatalf("%s: %+v: %v", p.name, m, e)
	}
	return ack
}

func (p *peer) refused(m wire.Message, code string) *wire.Error {
	p.t.Helper()
	_, e := p.ask(m)
	if e == nil || e.Code != code {
		p.t.Fatalf("%s: %+v: %v, want an error %s", p.name, m, e, code)
	}
	return e
}

// state asks for a game.
func (p *peer) state(game string) *wire.Game {
	p.t.Helper()
	id := p.send(&wire.Watch{Game: game})
	for {
		of, m, err := p.next()
		if err != nil {
			p.t.Fatalf("%s: no state: %v", p.name, err)
		}
		if g, ok := m.(*wire.Game); ok && of == id {
			return g
		}
		p.heard = append(p.heard, m)
	}
}

// closed waits for the end of the connection and returns its code.
func (p *peer) closed() int {
	p.t.Helper()
	for {
		_, _, err := p.next()
		if e := (*websocket.CloseError)(nil); err != nil {
			if errorsAs(err, &e) {
				return e.Code
			}
			if n, ok := err.(net.Error); ok && n.Timeout() {
				p.t.Fatalf("%s: still connected", p.name)
			}
			return websocket.CloseAbnormalClosure
		}
	}
}

// minute is the shortest clock of rated games.
var minute = wire.Clock{Main: 60_000}

// rating are the turns without which a rated game does not count.
var rating = []string{"a1", "b2", "c3", "d4"}

// rate plays them.
func rate(game string, players ...*peer) {
	for turn, move := range rating {
		players[turn%2].must(&wire.Play{Game: game, Turn: turn, Move: move})
	}
}

// sit starts a game of two peers. The first has the first move.
func sit(t *testing.T, a, b *peer, c wire.Challenge) string {
	t.Helper()
	c.Rules, c.Seat, c.To = "havannah", "first", b.name
	if c.Rated {
		c.Clock = cmp.Or(c.Clock, minute)
	}
	if c.Options == nil {
		c.Options = json.RawMessage(`{"side":3}`)
		if c.Rated {
			c.Options = json.RawMessage(`{"side":5}`)
		}
	}
	a.must(&c)
	id := b.must(&wire.Accept{Challenge: want[wire.Challenged](b).Challenge}).Game
	for seat, p := range []*peer{a, b} {
		if g := want[wire.Game](p); g.Game != id || g.You != seat {
			t.Fatalf("%s is sent %+v", p.name, g)
		}
	}
	return id
}
