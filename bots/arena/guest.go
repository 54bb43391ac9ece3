package arena

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

	"gamebots/hexproto"
	"gamebots/hexproto/game"
	"gamebots/hexproto/server"
	"gamebots/hexproto/wire"
)

// Guest is a program that plays at a server of board games (docs/hexproto.md), as
// a bot of this process. It is started once, with the address of a server of its
// own on loopback, and challenged to a game there for each that it is to play. It
// must accept challenges, of as many games as are played at a time.
//
// A game at a server begins with the empty board: openings are not for guests.
type Guest struct {
	Name    string
	Command []string
	Rules   game.Rules
	// Start is how long the program may take to come, or to accept a challenge; 0
	// is a minute.
	Start time.Duration

	mu    sync.Mutex
	visit *visit
}

var _ interface {
	hexproto.Bot
	hexproto.Checker
} = (*Guest)(nil)

// visit is a guest that has come, and the server that it came to.
type visit struct {
	client *hexproto.Client
	name   string // the program's at the server
	stop   func() // ends the program, the server and the client

	mu    sync.Mutex
	games map[string]*guestGame // by tag
	said  map[string]string     // why a challenge was declined, by tag
	wake  chan struct{}         // closed and made anew when anything changes
	gone  error                 // why the program is no longer there
	names chan string           // of players who come
}

// patience is how long a guest may take to come, or to accept.
func (g *Guest) patience() time.Duration { return cmp.Or(g.Start, time.Minute) }

// come starts server and program, if they are not there.
func (g *Guest) come(ctx context.Context) (*visit, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.visit != nil && g.visit.failure() == nil {
		return g.visit, nil
	}
	if g.visit != nil {
		g.visit.stop()
		g.visit = nil
	}
	v := &visit{games: map[string]*guestGame{}, said: map[string]string{}, wake: make(chan struct{}), names: make(chan string, 1)}
	url, err := v.open(g)
	if err != nil {
		return nil, err
	}
	program, err := launch(Bot{Name: g.Name, Command: g.Command}, url)
	if err != nil {
		v.stop()
		return nil, err
	}
	alive, end := context.WithCancel(context.Background())
	closed, closeServer := make(chan struct{}), v.stop
	v.stop = func() { end(); <-closed; closeServer() }
	go func() {
		defer close(closed)
		if err := program.wait(alive); err != nil {
			v.leave(err)
		} else {
			v.leave(fmt.Errorf("bot %s has ended", g.Name))
		}
	}()
	limit := time.NewTimer(g.patience())
	defer limit.Stop()
	for err == nil && v.name == "" {
		v.mu.Lock()
		wake := v.wake
		v.mu.Unlock()
		select {
		case v.name = <-v.names:
		case <-wake:
			err = v.failure()
		case <-ctx.Done():
			err = context.Cause(ctx)
		case <-limit.C:
			err = fmt.Errorf("bot %s does not come to the server within %v", g.Name, g.patience())
		}
	}
	if err != nil {
		v.stop()
		return nil, err
	}
	g.visit = v
	return v, nil
}

// Check has the program come to the server, where it stays.
func (g *Guest) Check(ctx context.Context, _ *wire.Game) error {
	_, err := g.come(ctx)
	return err
}

// Close ends the program and its server. No game may be going on.
func (g *Guest) Close() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.visit != nil {
		g.visit.stop()
		g.visit = nil
	}
	return nil
}

// host is the name of our own account.
const host = "arena"

// open starts the server, and joins it.
func (v *visit) open(g *Guest) (url string, err error) {
	folder, err := os.MkdirTemp("", "gamebots-arena-")
	if err != nil {
		return "", err
	}
	s, err := server.New(server.Config{
		Database: filepath.Join(folder, "games.db"), Rules: []game.Rules{g.Rules}, Open: true, AnyToken: true, Loopback: true, Version: host,
		Limits: server.Limits{Rate: 10_000, Burst: 10_000, Games: 1000, Challenges: 1000},
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
	v.client = &hexproto.Client{URL: "ws://" + address + "/ws", Hello: wire.Hello{Name: host, Bot: true, Agent: host}, Handler: v, Keep: func(string) error { return nil }}
	running.Go(func() {
		if err := v.client.Run(ctx); err != nil {
			v.leave(err)
		}
	})
	v.stop = func() {
		end()
		running.Wait()
		_ = s.Close()
		_ = os.RemoveAll(folder)
	}
	return "http://" + address, nil
}

// leave notes that the guest is no longer there.
func (v *visit) leave(err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.gone == nil {
		v.gone = err
	}
	v.changed()
}

func (v *visit) failure() error {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.gone
}

// changed wakes all who wait. It holds the lock.
func (v *visit) changed() {
	close(v.wake)
	v.wake = make(chan struct{})
}

// Welcome implements hexproto.Handler.
func (v *visit) Welcome(*wire.Welcome) {
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		_, _ = v.client.Call(ctx, &wire.EnterLobby{On: true}) // a lost one comes with the next welcome
	}()
}

// Lost implements hexproto.Handler.
func (v *visit) Lost(error) {}

// Message implements hexproto.Handler.
func (v *visit) Message(m wire.Message) {
	v.mu.Lock()
	defer v.mu.Unlock()
	defer v.changed()
	switch m := m.(type) {
	case *wire.Lobby:
		for _, p := range m.Players {
			if p.Name != host {
				select {
				case v.names <- p.Name:
				default:
				}
			}
		}
	case *wire.Closed:
		if m.Why != "accepted" {
			v.said[m.Tag] = fmt.Sprintf("%s: %s %s", m.Why, m.Reason, m.Text)
		}
	case *wire.Game:
		if g := v.games[m.Tag]; g != nil {
			g.id, g.moves, g.result = m.Game, m.Moves, m.Result
		}
	case *wire.Moved:
		for _, g := range v.games {
			if g.id == m.Game {
				g.moves = append(g.moves, m.Moves...)
			}
		}
	case *wire.Over:
		for _, g := range v.games {
			if g.id == m.Game {
				g.result = &m.Result
			}
		}
	}
}
