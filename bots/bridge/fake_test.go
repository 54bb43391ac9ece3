package bridge

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"gamebots/configs"
	"gamebots/hexproto"
	"gamebots/hexproto/client"
	"gamebots/hexproto/wire"

	"github.com/gorilla/websocket"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience is how long a test waits for an event.
const patience = 2 * time.Minute

// fake is a server that a test controls, and that records all messages.
type fake struct {
	t     *testing.T
	web   *httptest.Server
	heard chan heard

	mu      sync.Mutex
	ws      *websocket.Conn
	greets  int
	running []*wire.Game // games whose states follow a welcome
	deaf    bool         // reads nothing and answers no ping
	refuse  []int        // statuses for the next attempts
}

// heard is a message of the bridge.
type heard struct {
	id uint64
	m  wire.Message
}

func newFake(t *testing.T) *fake {
	f := &fake{t: t, heard: make(chan heard, 10000)}
	f.web = httptest.NewServer(http.HandlerFunc(f.serve))
	t.Cleanup(func() {
		f.cut()
		f.web.Close()
	})
	return f
}

func (f *fake) serve(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	if len(f.refuse) > 0 {
		status := f.refuse[0]
		f.refuse = f.refuse[1:]
		f.mu.Unlock()
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(status)
		return
	}
	f.mu.Unlock()
	up := websocket.Upgrader{}
	ws, err := up.Upgrade(w, r, nil)
	if err != nil {
		return
	}
	defer ws.Close()
	for {
		_, frame, err := ws.ReadMessage()
		if err != nil {
			return
		}
		id, m, err := wire.FromClient.Decode(frame)
		if err != nil {
			f.t.Errorf("the bridge says %s: %v", frame, err)
			return
		}
		f.mu.Lock()
		deaf := f.deaf
		if _, ok := m.(*wire.Hello); ok {
			f.ws = ws
			f.greets++
			f.deaf, deaf = false, false
			f.welcome()
		}
		if ping, ok := m.(*wire.Ping); ok && !deaf {
			f.write(0, &wire.Pong{At: ping.At, Now: time.Now().UnixMilli()})
		}
		f.mu.Unlock()
		switch m.(type) {
		case *wire.Hello, *wire.Ping:
		default:
			f.heard <- heard{id, m}
		}
	}
}

func (f *fake) welcome() {
	w := &wire.Welcome{
		Version: 1, You: wire.Player{Name: "bot", Bot: true, Rating: 1500}, Now: time.Now().UnixMilli(),
		Games: []string{}, Rules: []wire.Rules{},
		Limits: wire.Limits{Rate: 1000, Burst: 1000},
	}
	for _, g := range f.running {
		w.Games = append(w.Games, g.Game)
	}
	f.write(1, w)
	for _, g := range f.running {
		f.write(0, g)
	}
}

// write writes with the lock held.
func (f *fake) write(id uint64, m wire.Message) {
	frame, err := wire.Encode(id, m)
	if err != nil {
		f.t.Error(err)
	}
	if f.ws != nil {
		f.ws.SetWriteDeadline(time.Now().Add(patience))
		f.ws.WriteMessage(websocket.TextMessage, frame)
	}
}

func (f *fake) say(m wire.Message) { f.answer(0, m) }

func (f *fake) answer(id uint64, m wire.Message) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.write(id, m)
}

// cut ends the connection without a word.
func (f *fake) cut() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ws != nil {
		f.ws.NetConn().Close()
		f.ws = nil
	}
}

// play sets the games that run, and says so where there is a connection.
func (f *fake) play(games ...*wire.Game) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.running = games
	for _, g := range games {
		f.write(0, g)
	}
}

// next returns the bridge's next message of a type; others are passed over.
func next[M any](f *fake) (uint64, *M) {
	f.t.Helper()
	late := time.After(patience)
	for {
		select {
		case h := <-f.heard:
			if m, ok := any(h.m).(*M); ok {
				return h.id, m
			}
		case <-late:
			f.t.Fatalf("the bridge never sends %T", *new(M))
		}
	}
}

// take returns the next message.
func take[T any](t *testing.T, from <-chan T) T {
	t.Helper()
	select {
	case v := <-from:
		return v
	case <-time.After(patience):
		t.Fatalf("no %T comes", *new(T))
		panic("unreachable")
	}
}

// silence fails if the bridge sends a message of a type within a moment.
func silence[M any](f *fake, moment time.Duration) {
	f.t.Helper()
	late := time.After(moment)
	for {
		select {
		case h := <-f.heard:
			if m, ok := any(h.m).(*M); ok {
				f.t.Fatalf("the bridge sends %+v", m)
			}
		case <-late:
			return
		}
	}
}

// greeted waits for n hellos.
func (f *fake) greeted(n int) {
	f.t.Helper()
	for start := time.Now(); time.Since(start) < patience; time.Sleep(time.Millisecond) {
		f.mu.Lock()
		greets := f.greets
		f.mu.Unlock()
		if greets >= n {
			return
		}
	}
	f.t.Fatalf("the bridge did not come %d times", n)
}

// stub is a bot whose engines a test controls.
type stub struct {
	mu      sync.Mutex
	opened  int
	closed  int
	asked   int
	budgets []hexproto.Budget
	open    func() error
	decide  func(ctx context.Context, g *wire.Game) (hexproto.Decision, error)
}

func (s *stub) Open(context.Context, *wire.Game, int) (hexproto.Engine, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.opened++
	if s.open != nil {
		if err := s.open(); err != nil {
			return nil, err
		}
	}
	e := &stubEngine{stub: s, gone: make(chan struct{})}
	return e, nil
}

type stubEngine struct {
	*stub
	gone chan struct{}
	once sync.Once
}

func (e *stubEngine) Decide(ctx context.Context, g *wire.Game, b hexproto.Budget) (hexproto.Decision, error) {
	e.mu.Lock()
	e.asked++
	e.budgets = append(e.budgets, b)
	decide := e.decide
	e.mu.Unlock()
	if decide == nil {
		return hexproto.Decision{Move: "a1"}, nil
	}
	return decide(context.WithValue(ctx, goneKey{}, e.gone), g)
}

type goneKey struct{}

func (e *stubEngine) Close() error {
	e.mu.Lock()
	e.closed++
	e.mu.Unlock()
	e.once.Do(func() { close(e.gone) })
	return nil
}

// counts returns how often engines were opened and asked.
func (s *stub) counts() (opened, asked, closed int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.opened, s.asked, s.closed
}

// until waits for a signal as long as the engine is to think: a test that fails
// gives none.
func until(ctx context.Context, signal <-chan struct{}) {
	select {
	case <-signal:
	case <-ctx.Done():
	}
}

// settings are a bot's with little patience.
func settings() configs.BoardBot {
	s := configs.DefaultBoardBot()
	s.Accept.Pause, s.Accept.NoClock = 0, true
	s.Accept.PerPlayer = 1000
	s.Challenge.Pause, s.Challenge.MaxPause = time.Millisecond, 50*time.Millisecond
	return s
}

// bridgeTo runs a bridge until the test ends.
func bridgeTo(t *testing.T, url string, bot hexproto.Bot, s configs.BoardBot) *Bridge {
	t.Helper()
	b := newBridge(t, url, bot, s)
	run(t, b)
	return b
}

// newBridge returns a bridge that is as patient as the test: a machine that stands
// still for a moment does not end its connection, and no message is lost.
func newBridge(t *testing.T, url string, bot hexproto.Bot, s configs.BoardBot) *Bridge {
	c := &client.Client{
		URL: "ws" + strings.TrimPrefix(url, "http") + "/ws", Hello: wire.Hello{Token: "x"}, Timeout: patience,
	}
	return New(c, bot, s, testLog(t))
}

// running is how many games a bridge plays.
func (b *Bridge) running() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.games)
}

func run(t *testing.T, b *Bridge) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- b.Run(ctx, ctx) }()
	t.Cleanup(func() {
		cancel()
		select {
		case err := <-ended:
			if err != nil {
				t.Error(err)
			}
		case <-time.After(patience):
			text := make([]byte, 1<<20)
			t.Errorf("the bridge does not end\n%s", text[:runtime.Stack(text, true)])
		}
	})
}

// state is a game of the bot, which has seat 0, after some moves.
func state(id string, moves ...string) *wire.Game {
	g := &wire.Game{
		Game: id, Rules: "havannah", Options: json.RawMessage(`{"side":8}`), You: 0, Turn: len(moves),
		ToMove: []int{len(moves) % 2},
		Seats:  []wire.Player{{Name: "bot", Bot: true}, {Name: "ada"}}, Moves: []wire.Move{},
	}
	for i, m := range moves {
		g.Moves = append(g.Moves, wire.Move{Turn: i, Seat: i % 2, Move: m})
	}
	return g
}

func challenge(id, from string) *wire.Challenged {
	return &wire.Challenged{
		Challenge: id, From: wire.Player{Name: from, Rating: 1500}, To: "bot", Rules: "havannah",
		Options: json.RawMessage(`{"side":8}`), Clock: wire.Clock{Main: 60000},
	}
}

func testLog(t *testing.T) *slog.Logger { return slog.New(slog.NewTextHandler(t.Output(), nil)) }
