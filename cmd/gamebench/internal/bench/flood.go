package bench

import (
	"context"
	"encoding/json"
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
)

// floods are what hostile clients do while an honest one measures its round trips. The
// server is on the same machine.
var floods = []struct {
	name string
	run  func(ctx context.Context, f *flood)
}{
	{"no flood", func(context.Context, *flood) {}},
	{"2,000 slow heads", func(ctx context.Context, f *flood) { f.slow(ctx, "GET / HTTP/1.1\r\nX-") }},
	{"2,000 slow bodies", func(ctx context.Context, f *flood) {
		f.slow(ctx, "POST / HTTP/1.1\r\nHost: "+f.host+"\r\nContent-Length: 100\r\n\r\nx")
	}},
	{"wrong tokens, 64 connections", func(ctx context.Context, f *flood) {
		f.clients(ctx, 64, "", func(i int) wire.Message {
			return &wire.Hello{Version: wire.Version, Token: fmt.Sprint("gb_", i)}
		})
	}},
	{"watch, 16 connections", func(ctx context.Context, f *flood) {
		f.clients(ctx, 16, f.eve, func(int) wire.Message { return &wire.Watch{Game: f.game} })
	}},
	{"analyse, 16 connections", func(ctx context.Context, f *flood) {
		f.clients(ctx, 16, f.eve, func(i int) wire.Message { return &wire.Analyse{Game: f.game, Turn: i % 8} })
	}},
}

// floodTime is how long each flood lasts.
const floodTime = 10 * time.Second

// flood is a server under attack.
type flood struct {
	host, url string // addresses of plain requests and of the websocket
	eve       string // the token of the attacker
	game      string // a game that the attacker has played
}

func benchFlood(ctx context.Context, emit func(Row)) error {
	return onServer(ctx, database.SyncFull, func(address string, _ int) error {
		return newFlood(address).bench(ctx, floodTime, emit)
	})
}

// newFlood returns a flood of the server at the address of a websocket.
func newFlood(address string) *flood {
	return &flood{url: address, host: strings.TrimSuffix(strings.TrimPrefix(address, "ws://"), "/ws")}
}

// bench measures during each flood, for a time.
func (f *flood) bench(ctx context.Context, each time.Duration, emit func(Row)) error {
	if err := f.play(); err != nil {
		return err
	}
	honest, _, err := f.join("honest", "")
	if err != nil {
		return err
	}
	defer honest.Close()
	for _, attack := range floods {
		under, end := context.WithTimeout(ctx, each)
		var attackers sync.WaitGroup
		attackers.Go(func() { attack.run(under, f) })
		trips, health, err := f.measure(under, honest)
		end()
		attackers.Wait()
		if err != nil {
			return fmt.Errorf("%s: %w", attack.name, err)
		}
		for _, r := range []Row{
			{Metric: "round trip, median", Value: share(trips, 0.5)},
			{Metric: "round trip, p99", Value: share(trips, 0.99)},
			{Metric: "healthz, longest", Value: share(health, 1)},
		} {
			r.Case, r.Threads, r.Unit = attack.name, runtime.NumCPU(), "ms"
			emit(r)
		}
	}
	return nil
}

// share returns the time in ms that a share of all did not exceed. It sorts them.
func share(all []time.Duration, of float64) float64 {
	slices.Sort(all)
	return float64(all[int(of*float64(len(all)-1))].Microseconds()) / 1000
}

// join opens a connection of an account, a new one if there is no token.
func (f *flood) join(name, token string) (*websocket.Conn, *wire.Welcome, error) {
	ws, _, err := websocket.DefaultDialer.Dial(f.url, nil)
	if err != nil {
		return nil, nil, err
	}
	var w wire.Welcome
	if err := ask(ws, &wire.Hello{Version: wire.Version, Name: name, Token: token}, &w); err != nil {
		ws.Close()
		return nil, nil, err
	}
	return ws, &w, nil
}

// ask sends a message and reads its answer into a value.
func ask(ws *websocket.Conn, m wire.Message, into any) error {
	frame, err := wire.Encode(1, m)
	if err != nil {
		return err
	}
	if err := ws.WriteMessage(websocket.TextMessage, frame); err != nil {
		return err
	}
	for {
		ws.SetReadDeadline(time.Now().Add(time.Minute))
		_, text, err := ws.ReadMessage()
		if err != nil {
			return err
		}
		var head struct{ ID uint64 }
		if err := json.Unmarshal(text, &head); err != nil || head.ID == 1 {
			return json.Unmarshal(text, into)
		}
	}
}

// play has the attacker begin a game, which all may watch.
func (f *flood) play() error {
	ws, w, err := f.join("attacker", "")
	if err != nil {
		return err
	}
	defer ws.Close()
	f.eve = w.Token
	var ack wire.Ack
	if err := ask(ws, &wire.Challenge{Rules: boards.HavannahName, To: "random", Seat: "first"}, &ack); err != nil {
		return err
	}
	f.game = ack.Game
	return ask(ws, &wire.Play{Game: f.game, Turn: 0, Move: "a1"}, &ack)
}

// measure has an honest client ask to leave the lobby, ten times a second, and ask whether
// the server is healthy.
func (f *flood) measure(ctx context.Context, ws *websocket.Conn) (trips, health []time.Duration, err error) {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		start := time.Now()
		var ack wire.Ack
		if err := ask(ws, &wire.EnterLobby{}, &ack); err != nil {
			return nil, nil, err
		}
		trips = append(trips, time.Since(start))
		start = time.Now()
		r, err := http.Get("http://" + f.host + "/healthz")
		if err != nil {
			return nil, nil, err
		}
		_, err = io.Copy(io.Discard, r.Body)
		if r.Body.Close(); err != nil {
			return nil, nil, err
		}
		health = append(health, time.Since(start))
		select {
		case <-ctx.Done():
			return trips, health, nil
		case <-tick.C:
		}
	}
}

// slow opens connections with a request that does not end.
func (f *flood) slow(ctx context.Context, text string) {
	var dialer net.Dialer
	for range 2000 {
		c, err := dialer.DialContext(ctx, "tcp", f.host)
		if err != nil {
			continue
		}
		defer c.Close()
		_, _ = io.WriteString(c, text) // the server may have closed it
	}
	<-ctx.Done()
}

// clients sends messages over connections as fast as answers come, and connects again
// when they are closed.
func (f *flood) clients(ctx context.Context, n int, token string, message func(i int) wire.Message) {
	var all sync.WaitGroup
	for range n {
		all.Go(func() {
			var ws *websocket.Conn
			for i := 0; ctx.Err() == nil; i++ {
				var err error
				if ws == nil && token != "" {
					ws, _, err = f.join("", token)
				} else if ws == nil {
					ws, _, err = websocket.DefaultDialer.DialContext(ctx, f.url, nil)
				}
				if err == nil {
					conn := ws // ws may be given up while the function below runs
					stop := context.AfterFunc(ctx, func() { conn.Close() })
					var answer json.RawMessage
					err = ask(ws, message(i), &answer)
					stop()
				}
				if err != nil && ws != nil {
					ws.Close()
					ws = nil
				}
			}
			if ws != nil {
				ws.Close()
			}
		})
	}
	all.Wait()
}
