package bench

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"gamebots/hexproto/boards"
	"gamebots/hexproto/server/database"
	"gamebots/hexproto/wire"
)

// flood is a server under attack.
type flood struct {
	url   string // address of the websocket
	token string // token of the attacker
	game  string // a game that the attacker has played
}

// attack is what hostile clients do while honest ones measure. The server is on the same machine;
// on Linux the hostile threads have the lowest priority, so that it is the server's work that costs.
type attack struct {
	name        string
	connections int
	stranger    bool                              // each connection signs in by a wrong token
	message     func(f flood, n int) wire.Message // message n, or if nil connections sign in again and again
}

var attacks = []attack{
	{name: "no flood"},
	{name: "wrong tokens", connections: 64, stranger: true},
	{name: "sign-ins", connections: 16},
	{name: "watch", connections: 16, message: func(f flood, _ int) wire.Message { return &wire.Watch{Game: f.game} }},
	{name: "analyse", connections: 16,
		message: func(f flood, n int) wire.Message { return &wire.Analyse{Game: f.game, Turn: n % 8} }},
	{name: "enter_lobby", connections: 16,
		message: func(flood, int) wire.Message { return &wire.EnterLobby{On: true} }},
	{name: "large challenges", connections: 16,
		message: func(flood, int) wire.Message { return costlyChallenge() }},
}

// costlyChallenge is to a matrix game whose text takes long to read. Each is another one.
func costlyChallenge() wire.Message {
	const actions = 30
	text := fmt.Sprintf("NFG 1 R %q { \"row\" \"column\" } { %d %d }\n\n", rand.Text(), actions, actions) +
		strings.Repeat("1e-280 ", 2*actions*actions)
	options, err := json.Marshal(boards.MatrixOptions{Game: text, Rounds: 10})
	if err != nil {
		panic(err) // plain values have no error
	}
	return &wire.Challenge{Rules: boards.MatrixName, Options: options}
}

// floodLoad is what honest clients play meanwhile: moves of all games for the time of a flood.
var floodLoad = hexprotoLoad{connections: 200, games: 100, side: 13, turns: 20, every: 500 * time.Millisecond}

func benchFlood(ctx context.Context, emit func(Row)) error {
	return onServer(ctx, database.SyncFull, func(address string, _ int) error {
		return floodLoad.underFloods(ctx, address, emit)
	})
}

// underFloods measures a load of the server at the address of a websocket during each flood.
func (l hexprotoLoad) underFloods(ctx context.Context, url string, emit func(Row)) error {
	ctx, end := context.WithCancel(ctx)
	defer end()
	clients, err := l.dial(ctx, url)
	if err != nil {
		return err
	}
	g := guest{health: "http" + strings.TrimSuffix(strings.TrimPrefix(url, "ws"), "/ws") + "/healthz",
		lobby: make(chan []byte, 1024)}
	if g.maker, err = dialHex(ctx, url, wire.Hello{Name: "maker"}, nil); err != nil {
		return err
	}
	follow := func(_ *hexClient, frame []byte, _ answer) { g.lobby <- frame }
	if reader, err := dialHex(ctx, url, wire.Hello{Name: "reader"}, follow); err != nil {
		return err
	} else if err := reader.say(0, &wire.EnterLobby{On: true, Changes: true}); err != nil {
		return err
	}
	attacker, err := dialHex(ctx, url, wire.Hello{Name: "attacker"}, nil)
	if err != nil {
		return err
	}
	begun, err := attacker.ask(&wire.Challenge{Rules: boards.HavannahName, To: "random", Seat: "first"})
	if err != nil {
		return err
	}
	f := flood{url, attacker.token, begun.Game}
	if _, err := attacker.ask(&wire.Play{Game: f.game, Turn: 0, Move: "a1"}); err != nil {
		return err
	}
	for _, a := range attacks {
		games, err := l.begin(clients)
		if err != nil {
			return err
		}
		under, end := context.WithCancel(ctx)
		var hostile sync.WaitGroup
		for range a.connections {
			hostile.Go(func() { a.run(under, f) })
		}
		visited := make(chan visits, 1)
		go func() { visited <- g.visit(under) }()
		err = l.play(ctx, clients, games)
		end()
		v := <-visited
		hostile.Wait()
		if err = errors.Join(err, v.err); err != nil {
			return fmt.Errorf("%s: %w", a.name, err)
		}
		moves := acks(clients)
		emitAll(emit, Row{Case: a.name, Threads: runtime.NumCPU()},
			figure{"move, median", share(moves, 0.5), "ms"}, figure{"move, p99", share(moves, 0.99), "ms"},
			figure{"healthz, longest", share(v.health, 1), "ms"},
			figure{"lobby change, longest", share(v.changes, 1), "ms"},
			figure{"lobby message, largest", float64(v.largest), "bytes"})
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

// run attacks over one connection as fast as answers come, and connects again when it is closed.
func (a attack) run(ctx context.Context, f flood) {
	lowPriority()
	for ctx.Err() == nil {
		token := f.token
		if a.stranger {
			token = rand.Text()
		}
		until, end := context.WithCancel(ctx)
		c, err := dialHex(until, f.url, wire.Hello{Token: token, Views: a.message == nil}, nil)
		for n := 0; a.message != nil && err == nil; n++ {
			_, err = c.ask(a.message(f, n))
		}
		end()
	}
}

// guest is an honest guest of a server, who makes a challenge each second, and looks when the lobby has it.
type guest struct {
	health string      // the address that says whether the server is well
	maker  *hexClient  // makes challenges
	lobby  chan []byte // messages of the lobby
}

// visits are what a guest has seen.
type visits struct {
	health  []time.Duration // times of answers of /healthz
	changes []time.Duration // times from challenges until the lobby had them
	largest int             // bytes of the largest message
	err     error
}

const lastChange = 5 // how many seconds the guest waits for a change

// visit visits until the context ends, and at least until the lobby has had one challenge.
func (g *guest) visit(ctx context.Context) (v visits) {
	var done <-chan struct{} // nil during the first visit
	for tick := time.NewTicker(time.Second); ; done = ctx.Done() {
		start := time.Now()
		answer, err := http.Get(g.health)
		if err == nil {
			_, err = io.Copy(io.Discard, answer.Body)
			err = errors.Join(err, answer.Body.Close())
		}
		v.health = append(v.health, time.Since(start))
		tag, seen := rand.Text(), false
		start = time.Now()
		made, err2 := g.maker.ask(&wire.Challenge{Rules: boards.HavannahName, Tag: tag})
		if v.err = errors.Join(err, err2); v.err != nil {
			return v
		}
		for ticks := 0; ticks == 0 || !seen && ticks < lastChange; {
			select {
			case frame := <-g.lobby:
				v.largest = max(v.largest, len(frame))
				if !seen && bytes.Contains(frame, []byte(tag)) {
					seen, done = true, ctx.Done()
					v.changes = append(v.changes, time.Since(start))
				}
			case <-tick.C:
				ticks++
			case <-done:
				ticks = lastChange
			}
		}
		if !seen && (ctx.Err() == nil || len(v.changes) == 0) {
			v.changes = append(v.changes, time.Since(start))
		}
		if _, v.err = g.maker.ask(&wire.Cancel{Challenge: made.Challenge}); v.err != nil || ctx.Err() != nil {
			return v
		}
	}
}
