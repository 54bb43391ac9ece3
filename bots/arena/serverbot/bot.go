package serverbot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"gamebots/bots/arena"
	"gamebots/hexproto"
	"gamebots/hexproto/client"
	"gamebots/hexproto/game"
	"gamebots/hexproto/server"
	"gamebots/hexproto/server/database"
	"gamebots/hexproto/wire"
)

// Bot is a program that plays at a server of board games. It is started with the
// server's address as its last argument. It must accept challenges, and as many
// games at a time as are played.
//
// A game at a server begins with the empty board, so openings are not supported.
// The methods may be called from any goroutine.
type Bot struct {
	Name    string
	Command []string
	Rules   game.Rules
	// Start limits how long the program may take to connect, or to accept a
	// challenge. The default is a minute.
	Start time.Duration

	mu   sync.Mutex
	conn *connection // nil before the first game
}

var _ interface {
	hexproto.Bot
	hexproto.Checker
} = (*Bot)(nil)

// connection is a running program and the server that it plays at.
type connection struct {
	client *client.Client
	name   string // the program's account at the server
	stop   func() // ends the program, the server and the client

	mu       sync.Mutex
	games    map[string]*engine // running games, by tag
	declined map[string]string  // the reason why a challenge was declined, by tag
	changed  chan struct{}      // closed and replaced when anything changes
	lost     error              // why the connection has ended
	names    chan string        // other accounts in the lobby
}

// patience returns the limit of Start.
func (b *Bot) patience() time.Duration { return cmp.Or(b.Start, time.Minute) }

// connect starts server and program unless they are running.
func (b *Bot) connect(ctx context.Context) (*connection, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.conn != nil && b.conn.failure() == nil {
		return b.conn, nil
	}
	if b.conn != nil {
		b.conn.stop()
		b.conn = nil
	}
	c := &connection{
		games: map[string]*engine{}, declined: map[string]string{}, changed: make(chan struct{}),
		names: make(chan string, 1),
	}
	url, err := c.serve(b.Rules)
	if err != nil {
		return nil, err
	}
	program, err := arena.Start(b.Name, b.Command, url)
	if err != nil {
		c.stop()
		return nil, err
	}
	alive, end := context.WithCancel(context.Background())
	ended, closeServer := make(chan struct{}), c.stop
	c.stop = func() { end(); <-ended; closeServer() }
	go func() {
		defer close(ended)
		if err := program.Wait(alive); err != nil {
			c.fail(err)
		} else {
			c.fail(fmt.Errorf("bot %s has ended", b.Name))
		}
	}()
	limit := time.NewTimer(b.patience())
	defer limit.Stop()
	for err == nil && c.name == "" {
		c.mu.Lock()
		changed := c.changed
		c.mu.Unlock()
		select {
		case c.name = <-c.names:
		case <-changed:
			err = c.failure()
		case <-ctx.Done():
			err = context.Cause(ctx)
		case <-limit.C:
			err = fmt.Errorf("bot %s does not come to the server within %v", b.Name, b.patience())
		}
	}
	if err != nil {
		c.stop()
		return nil, err
	}
	b.conn = c
	return c, nil
}

// Check starts the program and waits until it has connected to the server.
func (b *Bot) Check(ctx context.Context, _ *wire.Game) error {
	_, err := b.connect(ctx)
	return err
}

// Close ends the program and its server. No game may be in progress.
func (b *Bot) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.conn != nil {
		b.conn.stop()
		b.conn = nil
	}
	return nil
}

// host is the name of this process's own account at the server.
const host = "arena"

// serve starts the server, and joins it as host.
func (c *connection) serve(rules game.Rules) (url string, err error) {
	folder, err := os.MkdirTemp("", "gamebots-arena-")
	if err != nil {
		return "", err
	}
	s, err := server.New(server.Config{
		Database: filepath.Join(folder, "games.db"), Rules: []game.Rules{rules}, Open: true, AnyToken: true,
		Loopback: true, Version: host, Sync: database.SyncNormal,
		Limits: server.Limits{
			Rate: 10_000, Burst: 10_000, Games: 1000, Challenges: 1000, Clockless: 1000,
			Memory: 1 << 30, Stored: 1 << 40, Sent: 1 << 40,
		},
	})
	if err != nil {
		return "", errors.Join(err, os.RemoveAll(folder))
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", errors.Join(err, s.Close(), os.RemoveAll(folder))
	}
	ctx, end := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { _ = s.Serve(ctx, l, "", "") })
	address := l.Addr().String()
	c.client = &client.Client{
		URL: "ws://" + address + "/ws", Hello: wire.Hello{Name: host, Bot: true, Agent: host}, Handler: c,
		SaveToken: func(string) error { return nil },
	}
	running.Go(func() {
		if err := c.client.Run(ctx); err != nil {
			c.fail(err)
		}
	})
	c.stop = func() {
		end()
		running.Wait()
		_ = s.Close()
		_ = os.RemoveAll(folder)
	}
	return "http://" + address, nil
}

// fail notes why the connection has ended. The first reason stays.
func (c *connection) fail(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.lost == nil {
		c.lost = err
	}
	c.broadcast()
}

// failure returns why the connection has ended, nil if it has not.
func (c *connection) failure() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lost
}

// broadcast wakes all goroutines that wait for a change. The caller holds the lock.
func (c *connection) broadcast() {
	close(c.changed)
	c.changed = make(chan struct{})
}

// Welcome implements client.Handler.
func (c *connection) Welcome(*wire.Welcome) {
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		// Where it is lost, the next welcome repeats it.
		_, _ = c.client.Call(ctx, &wire.EnterLobby{On: true, Changes: true})
	}()
}

// Lost implements client.Handler. The client connects again.
func (c *connection) Lost(error) {}

// connected passes the names of players on to who waits for them.
func (c *connection) connected(players []wire.Player) {
	for _, p := range players {
		if p.Name != host {
			select {
			case c.names <- p.Name:
			default:
			}
		}
	}
}

// Message implements client.Handler.
func (c *connection) Message(m wire.Message) {
	c.mu.Lock()
	defer c.mu.Unlock()
	defer c.broadcast()
	switch m := m.(type) {
	case *wire.Lobby:
		c.connected(m.Players)
	case *wire.LobbyChanged:
		c.connected(m.Players)
	case *wire.Closed:
		if m.Why != "accepted" {
			c.declined[m.Tag] = fmt.Sprintf("%s: %s %s", m.Why, m.Reason, m.Text)
		}
	case *wire.Game:
		if e := c.games[m.Tag]; e != nil {
			e.id, e.moves, e.result = m.Game, m.Moves, m.Result
		}
	case *wire.Moved:
		for _, e := range c.games {
			if e.id == m.Game {
				e.moves = append(e.moves, m.Moves...)
			}
		}
	case *wire.Over:
		for _, e := range c.games {
			if e.id == m.Game {
				e.result = &m.Result
			}
		}
	}
}
