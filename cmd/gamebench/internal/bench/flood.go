package bench

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"gamebots/hexproto/boards"
	"gamebots/hexproto/server/database"
	"gamebots/hexproto/wire"

	"github.com/gorilla/websocket"
	"golang.org/x/time/rate"
)

// flood is a server under attack.
type flood struct {
	host, url string // addresses of plain requests and of the websocket
	pid       int    // the server's process
	eve       string // the token of the attacker
	game      string // a game that the attacker has played
	many      string // the token of an account with many games
	manyGames int
	others    [8]string // tokens of other hostile accounts
}

// attack is what hostile clients do while honest ones measure. The server is on the same machine;
// on Linux the hostile threads have the lowest priority, so that it is the server's work that costs.
type attack struct {
	name        string
	connections int
	request     string                              // a plain request that does not end; or else
	token       func(f *flood, client int) string   // each connection signs in by a token and
	message     func(f *flood, s sent) wire.Message // sends messages, or if nil signs in again and again
}

// sent is what a connection of an attack has done so far.
type sent struct {
	client, messages int
	refused          bool     // the last message
	open             []string // challenges
}

var attacks = []attack{
	{name: "no flood"},
	{name: "2,000 slow heads", connections: 2000, request: "GET / HTTP/1.1\r\nX-"},
	{name: "2,000 slow bodies", connections: 2000,
		request: "POST / HTTP/1.1\r\nHost: HOST\r\nContent-Length: 100\r\n\r\nx"},
	{name: "wrong tokens, 64 connections", connections: 64, token: func(*flood, int) string { return rand.Text() }},
	{name: "sign-ins, 16 connections", connections: 16, token: asEve},
	{name: "sign-ins with many games, 16 connections", connections: 16,
		token: func(f *flood, _ int) string { return f.many }},
	{name: "analyses of 8 accounts", connections: 16, token: asOther, message: analyse},
	{name: "watch, 16 connections", connections: 16, token: asEve,
		message: func(f *flood, _ sent) wire.Message { return &wire.Watch{Game: f.game} }},
	{name: "analyse, 16 connections", connections: 16, token: asEve, message: analyse},
	{name: "enter_lobby, 16 connections", connections: 16, token: asEve,
		message: func(*flood, sent) wire.Message { return &wire.EnterLobby{On: true} }},
	{name: "large challenges, 16 connections", connections: 16, token: asEve,
		message: func(_ *flood, s sent) wire.Message { return costlyChallenge(s, 30) }},
	{name: "challenges and cancels, 16 connections", connections: 16, token: asEve,
		message: func(_ *flood, s sent) wire.Message {
			if len(s.open) > 0 {
				return &wire.Cancel{Challenge: s.open[0]}
			}
			return &wire.Challenge{Rules: boards.NimName}
		}},
	// They hold as many games and challenges as they may, and replace one challenge after the other.
	{name: "a full lobby, 4 accounts", connections: 4, token: asOther,
		message: func(_ *flood, s sent) wire.Message {
			switch {
			case s.messages < 100:
				return &wire.Challenge{Rules: boards.HavannahName, To: "random", Seat: "first"}
			case s.refused && len(s.open) > 0:
				return &wire.Cancel{Challenge: s.open[0]}
			}
			return costlyChallenge(s, 4)
		}},
}

func asEve(f *flood, _ int) string        { return f.eve }
func asOther(f *flood, client int) string { return f.others[client%len(f.others)] }

func analyse(f *flood, s sent) wire.Message { return &wire.Analyse{Game: f.game, Turn: s.messages % 8} }

// costlyChallenge is to a matrix game whose text takes long to read. Each is another one.
func costlyChallenge(s sent, actions int) wire.Message {
	text := fmt.Sprintf("NFG 1 R \"%d-%d\" { \"row\" \"column\" } { %d %d }\n\n", s.client, s.messages, actions,
		actions) + strings.Repeat("1e-280 ", 2*actions*actions)
	options, err := json.Marshal(boards.MatrixOptions{Game: text, Rounds: 10})
	if err != nil {
		panic(err) // plain values have no error
	}
	return &wire.Challenge{Rules: boards.MatrixName, Options: options}
}

// floodLoad is what honest clients play meanwhile: moves of all games for the time of a flood.
var floodLoad = hexprotoLoad{connections: 200, games: 100, side: 13, turns: 20, every: 500 * time.Millisecond}

func benchFlood(ctx context.Context, emit func(Row)) error {
	return onServer(ctx, database.SyncFull, func(s served) error {
		return newFlood(s.address, s.pid).bench(ctx, floodLoad, emit)
	})
}

// newFlood returns a flood of the server in a process, at the address of a websocket.
func newFlood(address string, pid int) *flood {
	host := strings.TrimSuffix(strings.TrimPrefix(address, "ws://"), "/ws")
	return &flood{pid: pid, url: address, host: host, manyGames: 200}
}

// bench measures a load during each flood.
func (f *flood) bench(ctx context.Context, load hexprotoLoad, emit func(Row)) error {
	if err := f.prepare(ctx); err != nil {
		return err
	}
	clients, end, err := load.dial(ctx, f.url)
	if err != nil {
		return err
	}
	defer end()
	maker, _, err := signIn(ctx, websocket.DefaultDialer, f.url, wire.Hello{Name: "maker"})
	if err != nil {
		return err
	}
	defer maker.Close()
	reader, token, err := signIn(ctx, websocket.DefaultDialer, f.url, wire.Hello{Name: "reader"})
	if err != nil {
		return err
	}
	reader.Close()
	for _, a := range attacks {
		games, err := load.begin(clients)
		if err != nil {
			return err
		}
		before := processorTime(f.pid)
		under, end := context.WithCancel(ctx)
		var others sync.WaitGroup
		for client := range a.connections {
			others.Go(func() { a.run(under, f, client) })
		}
		g := guest{f: f, maker: maker, reader: token}
		greeted := make(chan bool)
		others.Go(func() { g.visit(under, sync.OnceFunc(func() { close(greeted) })) })
		others.Go(func() { g.follow(under) })
		err = load.play(ctx, clients, games)
		<-greeted // a short load ends before that
		end()
		others.Wait()
		if err = errors.Join(err, g.err); err != nil {
			return fmt.Errorf("%s: %w", a.name, err)
		}
		took := processorTime(f.pid) - before
		moves := acks(clients)
		for _, r := range []Row{
			{Metric: "move, median", Value: share(moves, 0.5), Unit: "ms"},
			{Metric: "move, p99", Value: share(moves, 0.99), Unit: "ms"},
			{Metric: "server, processor time", Value: took.Seconds(), Unit: "s"},
			{Metric: "healthz, longest", Value: share(g.health, 1), Unit: "ms"},
			{Metric: "lobby change, longest", Value: share(g.changes, 1), Unit: "ms"},
			{Metric: "lobby message, largest", Value: float64(g.largest), Unit: "bytes"},
			{Metric: "lobby, cut off", Value: float64(g.cut), Unit: "times"},
		} {
			r.Case, r.Threads = a.name, runtime.NumCPU()
			emit(r)
		}
	}
	return nil
}

// share returns the time in ms that a share of all did not exceed. It sorts them.
func share(all []time.Duration, of float64) float64 {
	slices.Sort(all)
	if len(all) == 0 {
		return 0
	}
	return float64(all[int(of*float64(len(all)-1))].Microseconds()) / 1000
}

// prepare makes the hostile accounts. The attacker begins a game, which all may watch, and then many with another one.
func (f *flood) prepare(ctx context.Context) error {
	join := func(name string) (ws *websocket.Conn, token string, err error) {
		return signIn(ctx, websocket.DefaultDialer, f.url, wire.Hello{Name: name})
	}
	for i := range f.others {
		ws, token, err := join(fmt.Sprintf("other-%d", i))
		if err != nil {
			return err
		}
		ws.Close()
		f.others[i] = token
	}
	eve, token, err := join("attacker")
	if err != nil {
		return err
	}
	defer eve.Close()
	f.eve = token
	a, err := ask(eve, &wire.Challenge{Rules: boards.HavannahName, To: "random", Seat: "first"})
	if err != nil {
		return err
	}
	f.game = a.Game
	if _, err := ask(eve, &wire.Play{Game: f.game, Turn: 0, Move: "a1"}); err != nil {
		return err
	}
	many, token, err := join("many")
	if err != nil {
		return err
	}
	defer many.Close()
	f.many = token
	for range f.manyGames {
		time.Sleep(time.Second / 20) // two messages of each are within the rate
		c := &wire.Challenge{Rules: boards.HavannahName, Seat: "first", Clock: wire.Clock{Main: 3600000}}
		made, err := ask(many, c)
		begun, err2 := ask(eve, &wire.Accept{Challenge: made.Challenge})
		_, err3 := ask(many, &wire.Play{Game: begun.Game, Turn: 0, Move: "a1"})
		_, err4 := ask(eve, &wire.Play{Game: begun.Game, Turn: 1, Move: "b2"})
		if err := errors.Join(err, err2, err3, err4); err != nil {
			return err
		}
	}
	return nil
}

// run attacks over one connection as fast as answers come, and connects again when it is closed.
func (a attack) run(ctx context.Context, f *flood, client int) {
	for ctx.Err() == nil && a.request != "" {
		if c, err := new(net.Dialer).DialContext(ctx, "tcp", f.host); err == nil {
			_, _ = io.WriteString(c, strings.ReplaceAll(a.request, "HOST", f.host)) // the server may have closed it
			<-ctx.Done()
			c.Close()
		}
	}
	lowPriority()
	for s := (sent{client: client}); ctx.Err() == nil; {
		ws, _, err := signIn(ctx, websocket.DefaultDialer, f.url,
			wire.Hello{Token: a.token(f, client), Views: a.message == nil})
		if err != nil {
			continue
		}
		stop := context.AfterFunc(ctx, func() { ws.Close() })
		for a.message != nil && err == nil {
			m, got := a.message(f, s), answer{}
			got, err = ask(ws, m)
			s.messages++
			if _, cancels := m.(*wire.Cancel); cancels {
				s.open = s.open[1:]
			} else if got.Challenge != "" {
				s.open = append(s.open, got.Challenge)
			}
			s.refused = got.Code != ""
		}
		stop()
		ws.Close()
	}
}

// guest is an honest guest of a server. A connection makes a challenge each second, and
// another one, over a slow line, follows the lobby until it is there.
type guest struct {
	f      *flood
	maker  *websocket.Conn
	reader string // the token of the one that follows

	mu   sync.Mutex
	tag  []byte // tag of the challenge that the lobby is to show
	came chan bool

	health  []time.Duration // times of answers of /healthz
	changes []time.Duration // times from challenges until the lobby had them
	largest int             // bytes of the largest message
	cut     int             // times that the connection in the lobby was cut off
	err     error
}

const (
	slowLine   = 1_250_000       // the line of the guest in the lobby, in bytes a second: 10 Mbit/s
	lastChange = 5 * time.Second // how long the guest waits for a change
)

// line is a connection that delivers its bytes slowly.
type line struct {
	net.Conn
	limit *rate.Limiter
}

func (l *line) Read(b []byte) (int, error) {
	n, err := l.Conn.Read(b[:min(len(b), l.limit.Burst())])
	if n > 0 {
		_ = l.limit.WaitN(context.Background(), n) // n is never above the burst
	}
	return n, err
}

// visit visits until the context ends. It calls greeted after the first visit, whatever came of it.
func (g *guest) visit(ctx context.Context, greeted func()) {
	defer greeted()
	for tick := time.NewTicker(time.Second); ; {
		start := time.Now()
		if err := g.healthy(ctx); err != nil {
			if ctx.Err() == nil {
				g.err = err
			}
			return
		}
		g.health = append(g.health, time.Since(start))
		tag, came := rand.Text(), make(chan bool)
		g.mu.Lock()
		g.tag, g.came = []byte(tag), came
		g.mu.Unlock()
		start = time.Now()
		a, err := ask(g.maker, &wire.Challenge{Rules: boards.HavannahName, Tag: tag})
		if g.err = err; err != nil {
			return
		}
		select {
		case <-came:
		case <-time.After(lastChange):
		case <-ctx.Done():
		}
		greeted()
		if took := time.Since(start); ctx.Err() == nil || len(g.changes) == 0 {
			g.changes = append(g.changes, took)
		}
		if _, g.err = ask(g.maker, &wire.Cancel{Challenge: a.Challenge}); g.err != nil {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// healthy asks whether the server is.
func (g *guest) healthy(ctx context.Context) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+g.f.host+"/healthz", nil)
	if err != nil {
		return err
	}
	r, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, r.Body)
	return errors.Join(err, r.Body.Close())
}

// follow reads the lobby over a slow line until the context ends, and enters again whenever it is cut off.
func (g *guest) follow(ctx context.Context) {
	slow := websocket.Dialer{NetDialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := new(net.Dialer).DialContext(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &line{c, rate.NewLimiter(slowLine, 16<<10)}, c.(*net.TCPConn).SetReadBuffer(64 << 10)
	}}
	for ctx.Err() == nil {
		ws, _, err := signIn(ctx, &slow, g.f.url, wire.Hello{Token: g.reader})
		if err != nil {
			time.Sleep(100 * time.Millisecond)
		} else {
			stop := context.AfterFunc(ctx, func() { ws.Close() })
			frame, err := wire.Encode(0, &wire.EnterLobby{On: true, Changes: true})
			if err == nil {
				err = ws.WriteMessage(websocket.TextMessage, frame)
			}
			for err == nil {
				if _, frame, err = ws.ReadMessage(); err == nil {
					g.read(frame)
				}
			}
			stop()
			ws.Close()
		}
		if ctx.Err() == nil {
			g.cut++
		}
	}
}

// read looks for the tag in a message of the lobby.
func (g *guest) read(frame []byte) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.largest = max(g.largest, len(frame))
	if g.came != nil && bytes.Contains(frame, g.tag) {
		close(g.came)
		g.came = nil
	}
}
