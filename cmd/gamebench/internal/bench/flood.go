package bench

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
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

// floods are what hostile clients do while honest ones measure. The server is on the same machine;
// on Linux the hostile threads have the lowest priority, so that it is the server's work that costs.
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
		f.clients(ctx, 64, "", func(int, int) wire.Message {
			return &wire.Hello{Version: wire.Version, Token: rand.Text()}
		})
	}},
	{"sign-ins, 16 connections", func(ctx context.Context, f *flood) {
		f.clients(ctx, 16, "", func(int, int) wire.Message {
			return &wire.Hello{Version: wire.Version, Token: f.eve, Views: true}
		})
	}},
	{"sign-ins with many games, 16 connections", func(ctx context.Context, f *flood) {
		f.clients(ctx, 16, "", func(int, int) wire.Message {
			return &wire.Hello{Version: wire.Version, Token: f.many, Views: true}
		})
	}},
	{"analyses of 8 accounts", func(ctx context.Context, f *flood) {
		var all sync.WaitGroup
		for i := range 8 {
			ws, w, err := f.join(fmt.Sprintf("analyst-%d-%s", i, rand.Text()[:8]), "")
			if err != nil {
				return
			}
			ws.Close()
			all.Go(func() {
				f.clients(ctx, 2, w.Token, func(_, i int) wire.Message {
					return &wire.Analyse{Game: f.game, Turn: i % 8}
				})
			})
		}
		all.Wait()
	}},
	{"watch, 16 connections", func(ctx context.Context, f *flood) {
		f.clients(ctx, 16, f.eve, func(int, int) wire.Message { return &wire.Watch{Game: f.game} })
	}},
	{"analyse, 16 connections", func(ctx context.Context, f *flood) {
		f.clients(ctx, 16, f.eve, func(_, i int) wire.Message { return &wire.Analyse{Game: f.game, Turn: i % 8} })
	}},
	{"enter_lobby, 16 connections", func(ctx context.Context, f *flood) {
		f.clients(ctx, 16, f.eve, func(int, int) wire.Message { return &wire.EnterLobby{On: true} })
	}},
	{"large challenges, 16 connections", func(ctx context.Context, f *flood) {
		f.clients(ctx, 16, f.eve, func(client, i int) wire.Message {
			return &wire.Challenge{Rules: boards.MatrixName, Options: costlyGame(client, i, 30)}
		})
	}},
	{"challenges and cancels, 16 connections", func(ctx context.Context, f *flood) {
		f.clients(ctx, 16, f.eve, func(_, i int) wire.Message {
			if i%2 == 0 {
				return &wire.Challenge{Rules: boards.NimName}
			}
			return &wire.Cancel{Challenge: "last"}
		})
	}},
	{"a full lobby, 4 accounts", func(ctx context.Context, f *flood) { f.fillLobby(ctx) }},
}

// costlyGame returns the options of a matrix game whose text takes long to read. Each is another one.
func costlyGame(client, i, actions int) json.RawMessage {
	return textGame(fmt.Sprintf("%d-%d", client, i), actions, "1e-280 ")
}

// textGame returns the options of a matrix game as a text, all of whose payoffs are the same.
func textGame(name string, actions int, payoff string) json.RawMessage {
	text := fmt.Sprintf("NFG 1 R %q { \"row\" \"column\" } { %d %d }\n\n", name, actions, actions) +
		strings.Repeat(payoff, 2*actions*actions)
	options, err := json.Marshal(boards.MatrixOptions{Game: text, Rounds: 10})
	if err != nil {
		panic(err) // plain values have no error
	}
	return options
}

// floodLoad is what honest clients play meanwhile: moves of all games for the time of a flood.
var floodLoad = hexprotoLoad{connections: 200, games: 100, side: 13, turns: 20, every: 500 * time.Millisecond}

// flood is a server under attack.
type flood struct {
	host, url string // addresses of plain requests and of the websocket
	pid       int    // the server's process
	eve       string // the token of the attacker
	many      string // the token of an account with many games
	manyGames int
	game      string // a game that the attacker has played
}

func benchFlood(ctx context.Context, emit func(Row)) error {
	if err := onServer(ctx, database.SyncFull, func(s served) error {
		return newFlood(s.address, s.pid).bench(ctx, floodLoad, emit)
	}); err != nil {
		return err
	}
	return onServer(ctx, database.SyncFull, func(s served) error { return hoarders.run(ctx, s, emit) })
}

// newFlood returns a flood of the server in a process, at the address of a websocket.
func newFlood(address string, pid int) *flood {
	host := strings.TrimSuffix(strings.TrimPrefix(address, "ws://"), "/ws")
	return &flood{pid: pid, url: address, host: host, manyGames: 200}
}

// bench measures a load during each flood.
func (f *flood) bench(ctx context.Context, load hexprotoLoad, emit func(Row)) error {
	if err := f.play(); err != nil {
		return err
	}
	clients, end, err := load.dial(f.url)
	if err != nil {
		return err
	}
	defer end()
	guest, err := newGuest(f)
	if err != nil {
		return err
	}
	defer guest.close()
	for _, attack := range floods {
		games, err := load.begin(clients)
		if err != nil {
			return err
		}
		before := processorTime(f.pid)
		under, end := context.WithCancel(ctx)
		var others sync.WaitGroup
		others.Go(func() { attack.run(under, f) })
		var visit visited
		greeted := make(chan bool)
		others.Go(func() { visit = guest.visit(under, sync.OnceFunc(func() { close(greeted) })) })
		err = load.play(ctx, clients, games)
		<-greeted // a short load ends before that
		end()
		others.Wait()
		if err = errors.Join(err, visit.err); err != nil {
			return fmt.Errorf("%s: %w", attack.name, err)
		}
		took := processorTime(f.pid) - before
		moves := acks(clients)
		for _, r := range []Row{
			{Metric: "move, median", Value: share(moves, 0.5), Unit: "ms"},
			{Metric: "move, p99", Value: share(moves, 0.99), Unit: "ms"},
			{Metric: "server, processor time", Value: took.Seconds(), Unit: "s"},
			{Metric: "healthz, longest", Value: share(visit.health, 1), Unit: "ms"},
			{Metric: "lobby change, longest", Value: share(visit.changes, 1), Unit: "ms"},
			{Metric: "lobby message, largest", Value: float64(visit.largest), Unit: "bytes"},
			{Metric: "lobby, cut off", Value: float64(visit.cut), Unit: "times"},
		} {
			r.Case, r.Threads = attack.name, runtime.NumCPU()
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
	if err := ask(ws, &wire.Play{Game: f.game, Turn: 0, Move: "a1"}, &ack); err != nil {
		return err
	}
	return f.playMany(ws)
}

// playMany has another account begin many games with the attacker, who is connected.
func (f *flood) playMany(eve *websocket.Conn) error {
	ws, w, err := f.join("many", "")
	if err != nil {
		return err
	}
	defer ws.Close()
	f.many = w.Token
	for range f.manyGames {
		time.Sleep(time.Second / 20) // two messages of each are within the rate
		var made, begun wire.Ack
		c := &wire.Challenge{Rules: boards.HavannahName, Seat: "first", Clock: wire.Clock{Main: 3600000}}
		if err := errors.Join(ask(ws, c, &made), ask(eve, &wire.Accept{Challenge: made.Challenge}, &begun),
			ask(ws, &wire.Play{Game: begun.Game, Turn: 0, Move: "a1"}, &made),
			ask(eve, &wire.Play{Game: begun.Game, Turn: 1, Move: "b2"}, &made)); err != nil {
			return err
		}
	}
	return nil
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
// when they are closed. A client's message that cancels has the id of its last challenge filled in.
func (f *flood) clients(ctx context.Context, n int, token string, message func(client, i int) wire.Message) {
	var all sync.WaitGroup
	for client := range n {
		all.Go(func() {
			lowPriority()
			var ws *websocket.Conn
			var ack wire.Ack
			for i := 0; ctx.Err() == nil; i++ {
				var err error
				if ws == nil && token != "" {
					ws, _, err = f.join("", token)
				} else if ws == nil {
					ws, _, err = websocket.DefaultDialer.DialContext(ctx, f.url, nil)
				}
				if err == nil {
					m := message(client, i)
					if c, ok := m.(*wire.Cancel); ok {
						c.Challenge = ack.Challenge
					}
					conn := ws // ws may be given up while the function below runs
					stop := context.AfterFunc(ctx, func() { conn.Close() })
					ack = wire.Ack{}
					err = ask(ws, m, &ack)
					stop()
					if _, ok := m.(*wire.Hello); ok && err == nil {
						err = errSignedIn
					}
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

// errSignedIn has a client that has signed in connect again.
var errSignedIn = errors.New("signed in")

// fillLobby has four accounts hold as many games and open challenges as they may, and replaces one
// challenge after the other.
func (f *flood) fillLobby(ctx context.Context) {
	lowPriority()
	var conns [4]*websocket.Conn
	for i := range conns {
		var err error
		if conns[i], _, err = f.join(fmt.Sprintf("hostile-%d-%s", i, rand.Text()[:8]), ""); err != nil {
			return
		}
		defer conns[i].Close()
	}
	var open []string
	for i := 0; ctx.Err() == nil; i++ {
		maker, other := conns[i%4], conns[(i+1)%4]
		var ack wire.Ack
		if ask(maker, &wire.Challenge{Rules: boards.MatrixName, Options: costlyGame(0, i, 4)}, &ack) != nil {
			return
		}
		var begun wire.Ack
		switch {
		case ack.Challenge == "": // refused
			time.Sleep(20 * time.Millisecond)
		case i < 400 && i%4%2 == 0:
			_ = ask(other, &wire.Accept{Challenge: ack.Challenge}, &begun)
		default:
			open = append(open, ack.Challenge)
		}
		if len(open) > 151 || ack.Challenge == "" && len(open) > 0 {
			for _, ws := range conns { // it is that of one of them
				_ = ask(ws, &wire.Cancel{Challenge: open[0]}, &begun)
			}
			open = open[1:]
		}
	}
}
