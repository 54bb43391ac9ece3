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
	"strings"
	"sync"
	"time"

	"gamebots/cmd/internal/cli"
	"gamebots/hexproto/boards"
	"gamebots/hexproto/havannah"
	"gamebots/hexproto/server/database"
	"gamebots/hexproto/wire"
	"gamebots/internal/memory"
	"gamebots/internal/parallel"

	"github.com/gorilla/websocket"
	"golang.org/x/sync/errgroup"
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

// loadClient is a connection of the load. The server answers its moves in order.
type loadClient struct {
	*hexClient
	mu   sync.Mutex
	sent time.Time
	acks []time.Duration
	game chan string
}

// run loads a server that commits to the disk, and then one that commits to the
// operating system.
func (l hexprotoLoad) run(ctx context.Context, emit func(Row)) error {
	for _, sync := range []database.Sync{database.SyncFull, database.SyncNormal} {
		if err := onServer(ctx, sync, func(address string, pid int) error {
			return l.load(ctx, address, pid, sync, emit)
		}); err != nil {
			return err
		}
	}
	return nil
}

// dial opens the connections of a load until the context ends.
func (l hexprotoLoad) dial(ctx context.Context, address string) ([]*loadClient, error) {
	clients := make([]*loadClient, l.connections)
	err := parallel.Try(dialsAtOnce, len(clients), func(i int) (err error) {
		c := &loadClient{game: make(chan string, 1)}
		clients[i] = c
		c.hexClient, err = dialHex(ctx, address, wire.Hello{Name: fmt.Sprintf("client%d", i)}, c.hear)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("%d connections, which need twice as many open files: %w", l.connections, err)
	}
	return clients, nil
}

// hear takes the times of acknowledgements, and accepts all challenges.
func (c *loadClient) hear(to *hexClient, _ []byte, a answer) {
	switch {
	case a.Type == "ack" && a.ID == moved:
		c.mu.Lock()
		c.acks = append(c.acks, time.Since(c.sent))
		c.mu.Unlock()
	case a.Type == "challenged":
		_ = to.say(0, &wire.Accept{Challenge: a.Challenge}) // an error shows as a game that does not begin
	case a.Type == "game":
		select {
		case c.game <- a.Game:
		default:
		}
	}
}

// begin begins the games of a load, each of two clients that follow each other.
func (l hexprotoLoad) begin(clients []*loadClient) (games []string, err error) {
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
func acks(clients []*loadClient) (all []time.Duration) {
	for _, c := range clients {
		c.mu.Lock()
		all = append(all, c.acks...)
		c.acks = nil
		c.mu.Unlock()
	}
	return all
}

// load loads a server.
func (l hexprotoLoad) load(ctx context.Context, address string, pid int, sync database.Sync, emit func(Row)) error {
	ctx, end := context.WithCancel(ctx)
	defer end()
	clients, err := l.dial(ctx, address)
	if err != nil {
		return err
	}
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
		figure{"ack, longest", share(moves, 1), "ms"},
		figure{"memory, peak", float64(memory.Peak(pid)) / (1 << 20), "MiB"})
	return nil
}

// onServer starts a server with a database of its own and more flags, does some work with the address of its
// websocket and its process, and ends it.
func onServer(
	ctx context.Context, sync database.Sync, work func(address string, pid int) error, more ...string,
) (err error) {
	program, err := cli.Beside(product)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "hexproto")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	args := append([]string{"serve", "--listen", "127.0.0.1:0", "--log-level", "error", "--sync", string(sync),
		"--database", filepath.Join(dir, "games.db")}, more...)
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
	return work(address, server.Process.Pid)
}

// play plays all games at the same pace, each from a random moment on.
func (l hexprotoLoad) play(ctx context.Context, clients []*loadClient, games []string) error {
	grid, err := havannah.GridOf(l.side)
	if err != nil {
		return err
	}
	var all errgroup.Group
	for i, id := range games {
		all.Go(func() error {
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
				if err := c.say(moved,
					&wire.Play{Game: id, Turn: turn, Move: grid.Format(havannah.Move(order[turn]))}); err != nil {
					return err
				}
				select {
				case <-tick.C:
				case <-ctx.Done():
					return ctx.Err()
				}
			}
			return nil
		})
	}
	return all.Wait()
}

// The ids of messages whose answers count.
const (
	asked = 1 + iota
	moved
)

// hexClient is a connection with an account.
type hexClient struct {
	ws      *websocket.Conn
	token   string // token of a new account
	write   sync.Mutex
	answers chan answer // to what was asked; closed at the end of the connection
}

// answer is what a benchmark reads of a message of the server.
type answer struct {
	Type, Token, Game, Challenge string
	ID                           uint64
}

// frugal opens connections of which a process can have thousands.
var frugal = websocket.Dialer{ReadBufferSize: 1024, WriteBufferSize: 1024}

// dialHex opens a connection until the context ends, and says hello. What comes unasked is passed to hear,
// unless that is nil.
func dialHex(
	ctx context.Context, address string, hello wire.Hello, hear func(c *hexClient, frame []byte, a answer),
) (*hexClient, error) {
	ws, _, err := frugal.DialContext(ctx, address, nil)
	if err != nil {
		return nil, err
	}
	context.AfterFunc(ctx, func() { ws.Close() })
	c := &hexClient{ws: ws, answers: make(chan answer, 1)}
	go func() {
		defer close(c.answers)
		for {
			_, frame, err := ws.ReadMessage()
			if err != nil {
				return
			}
			var a answer
			if json.Unmarshal(frame, &a) == nil && a.ID == asked {
				c.answers <- a
			} else if hear != nil {
				hear(c, frame, a)
			}
		}
	}()
	hello.Version = wire.Version
	a, err := c.ask(&hello)
	c.token = a.Token
	return c, err
}

// ask sends a message and waits for its answer.
func (c *hexClient) ask(m wire.Message) (answer, error) {
	if err := c.say(asked, m); err != nil {
		return answer{}, err
	}
	a, ok := <-c.answers
	if !ok {
		return a, errors.New("the connection ended before an answer")
	}
	return a, nil
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
