package bench

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"gamebots/cmd/internal/cli"
	"gamebots/hexproto/boards"
	"gamebots/hexproto/havannah"
	"gamebots/hexproto/server/database"
	"gamebots/hexproto/wire"
	"gamebots/internal/parallel"

	"github.com/gorilla/websocket"
)

// hexprotoLoad is a load of a server: games of Havannah with clients at a steady pace, and
// all connections that do not play watch one game each. Clients and server are on one
// machine, which needs twice as many open files as there are connections.
type hexprotoLoad struct {
	connections, games int
	side               int           // side of the board
	turns              int           // turns of each game
	every              time.Duration // time between two moves of a game
}

var fullHexproto = hexprotoLoad{connections: 5000, games: 1000, side: 10, turns: 20, every: time.Second}

// dialsAtOnce is the number of clients that connect or challenge at the same time.
const dialsAtOnce = 64

// hexClient is a connection of the load. The server answers its moves in order.
type hexClient struct {
	ws    *websocket.Conn
	write sync.Mutex
	mu    sync.Mutex
	sent  time.Time
	acks  []time.Duration
	game  chan string
}

// run loads a server that commits to the disk, and then one that commits to the
// operating system.
func (l hexprotoLoad) run(ctx context.Context, emit func(Row)) error {
	for _, sync := range []database.Sync{database.SyncFull, database.SyncNormal} {
		if err := onServer(ctx, sync, func(s served) error {
			return l.load(ctx, s.address, s.pid, sync, emit)
		}); err != nil {
			return err
		}
	}
	return nil
}

// dial opens the connections of a load. End closes them.
func (l hexprotoLoad) dial(ctx context.Context, address string) (clients []*hexClient, end func(), err error) {
	clients = make([]*hexClient, l.connections)
	err = parallel.Try(dialsAtOnce, len(clients), func(i int) (err error) {
		clients[i], err = dialHex(ctx, address, fmt.Sprintf("client%d", i))
		return err
	})
	end = func() {
		for _, c := range clients {
			if c != nil {
				c.ws.Close()
			}
		}
	}
	if err != nil {
		end()
		return nil, nil, fmt.Errorf("%d connections, which need twice as many open files: %w", l.connections, err)
	}
	return clients, end, nil
}

// begin begins the games of a load, each of two clients that follow each other.
func (l hexprotoLoad) begin(clients []*hexClient) (games []string, err error) {
	games = make([]string, l.games)
	return games, parallel.Try(dialsAtOnce, l.games, func(i int) error {
		if err := clients[2*i].say(0,
			&wire.Challenge{Rules: boards.HavannahName, Options: boards.HavannahOptions{Side: l.side}.JSON(),
				Seat: "first", To: fmt.Sprintf("client%d", 2*i+1), Clock: wire.Clock{Main: 3600000}}); err != nil {
			return err
		}
		games[i] = <-clients[2*i].game
		return nil
	})
}

// acks returns how long the acknowledgements of moves took since the last call.
func acks(clients []*hexClient) (all []time.Duration) {
	for _, c := range clients {
		c.mu.Lock()
		all = append(all, c.acks...)
		c.acks = nil
		c.mu.Unlock()
	}
	return all
}

// load loads a server.
func (l hexprotoLoad) load(ctx context.Context, address string, pid string, sync database.Sync, emit func(Row)) error {
	clients, end, err := l.dial(ctx, address)
	if err != nil {
		return err
	}
	defer end()
	games, err := l.begin(clients)
	if err != nil {
		return err
	}
	for i := 2 * l.games; i < len(clients); i++ {
		if err := clients[i].say(0, &wire.Watch{Game: games[i%l.games]}); err != nil {
			return err
		}
	}
	start := time.Now()
	if err := l.play(ctx, clients, games); err != nil {
		return err
	}
	took := time.Since(start)
	moves := acks(clients)
	if len(moves) != l.games*l.turns {
		return fmt.Errorf("%d moves were acknowledged, not %d", len(moves), l.games*l.turns)
	}
	emitAll(emit, Row{Case: fmt.Sprintf("%d connections, %d games", l.connections, l.games),
		Variant: "sync " + string(sync), Threads: runtime.NumCPU()},
		figure{"moves", float64(len(moves)) / took.Seconds(), "moves/s"},
		figure{"ack, median", share(moves, 0.5), "ms"}, figure{"ack, p99", share(moves, 0.99), "ms"},
		figure{"ack, longest", share(moves, 1), "ms"}, figure{"memory, peak", peakMemory(pid) / 1024, "MiB"})
	return nil
}

// served is a server that runs for a benchmark.
type served struct {
	address string // address of its websocket
	pid     string
}

// onServer starts this program as a server with a database of its own and settings, does some work
// with it, and ends it.
func onServer(ctx context.Context, sync database.Sync, work func(served) error, settings ...string) (err error) {
	program, err := cli.Beside(product)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "hexproto")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	args := []string{
		"serve", "--listen", "127.0.0.1:0", "--log-level", "error", "--database", filepath.Join(dir, "games.db"),
		"--sync", string(sync),
	}
	for _, s := range settings {
		args = append(args, "--set", s)
	}
	server := exec.CommandContext(ctx, program, args...)
	server.Stderr = os.Stderr
	out, err := server.StdoutPipe()
	if err != nil {
		return err
	}
	if err := server.Start(); err != nil {
		return err
	}
	defer func() { _, _ = server.Process.Kill(), server.Wait() }()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return err
	}
	address := "ws" + strings.TrimPrefix(strings.TrimSpace(line), "http") + "/ws"
	return work(served{address, strconv.Itoa(server.Process.Pid)})
}

// play plays all games at the same pace, each from a random moment on.
func (l hexprotoLoad) play(ctx context.Context, clients []*hexClient, games []string) error {
	grid, err := havannah.GridOf(l.side)
	if err != nil {
		return err
	}
	errs := make(chan error, len(games))
	for i, id := range games {
		go func() {
			rng := rand.New(rand.NewPCG(1, uint64(i)))
			order := rng.Perm(grid.NumCells)
			time.Sleep(time.Duration(rng.Int64N(int64(l.every))))
			tick := time.NewTicker(l.every)
			defer tick.Stop()
			for turn := range l.turns {
				c := clients[2*i+turn%2]
				c.mu.Lock()
				c.sent = time.Now()
				c.mu.Unlock()
				if err := c.say(1,
					&wire.Play{Game: id, Turn: turn, Move: grid.Format(havannah.Move(order[turn]))}); err != nil {
					errs <- err
					return
				}
				select {
				case <-tick.C:
				case <-ctx.Done():
					errs <- ctx.Err()
					return
				}
			}
			errs <- nil
		}()
	}
	for range games {
		err = errors.Join(err, <-errs)
	}
	return err
}

// signIn opens a connection and says hello. The token is that of a new account, or "".
func signIn(ctx context.Context, d *websocket.Dialer, address string, hello wire.Hello) (
	ws *websocket.Conn, token string, err error,
) {
	if ws, _, err = d.DialContext(ctx, address, nil); err != nil {
		return nil, "", err
	}
	defer context.AfterFunc(ctx, func() { ws.Close() })()
	hello.Version = wire.Version
	a, err := ask(ws, &hello)
	if err = errors.Join(err, ws.SetReadDeadline(time.Time{})); err != nil {
		ws.Close()
		return nil, "", err
	}
	return ws, a.Token, nil
}

// frugal opens connections of which a process can have thousands.
var frugal = websocket.Dialer{ReadBufferSize: 1024, WriteBufferSize: 1024}

// answer is an answer of the server.
type answer struct {
	Type, Token, Game, Challenge string
	ID                           uint64
}

// ask sends a message and waits for its answer.
func ask(ws *websocket.Conn, m wire.Message) (a answer, err error) {
	frame, err := wire.Encode(1, m)
	if err == nil {
		err = ws.WriteMessage(websocket.TextMessage, frame)
	}
	for err == nil {
		ws.SetReadDeadline(time.Now().Add(time.Minute))
		if _, frame, err = ws.ReadMessage(); err == nil {
			a = answer{}
			if err := json.Unmarshal(frame, &a); a.ID == 1 {
				return a, err
			}
		}
	}
	return a, err
}

// dialHex opens a connection with a new account, which accepts all challenges.
func dialHex(ctx context.Context, address, name string) (*hexClient, error) {
	ws, _, err := signIn(ctx, &frugal, address, wire.Hello{Name: name})
	if err != nil {
		return nil, err
	}
	c := &hexClient{ws: ws, game: make(chan string, 1)}
	go c.read()
	return c, nil
}

func (c *hexClient) say(id uint64, m wire.Message) error {
	frame, err := wire.Encode(id, m)
	if err != nil {
		return err
	}
	c.write.Lock()
	defer c.write.Unlock()
	return c.ws.WriteMessage(websocket.TextMessage, frame)
}

func (c *hexClient) read() {
	for {
		_, frame, err := c.ws.ReadMessage()
		if err != nil {
			return
		}
		at := time.Now()
		var m answer
		if json.Unmarshal(frame, &m) != nil {
			continue
		}
		switch {
		case m.Type == "ack" && m.ID == 1:
			c.mu.Lock()
			c.acks = append(c.acks, at.Sub(c.sent))
			c.mu.Unlock()
		case m.Type == "challenged":
			_ = c.say(0, &wire.Accept{Challenge: m.Challenge}) // an error shows as a game that does not begin
		case m.Type == "game":
			select {
			case c.game <- m.Game:
			default:
			}
		}
	}
}
