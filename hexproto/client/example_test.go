package client_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"

	"gamebots/bots/nimbot"
	"gamebots/hexproto/boards"
	"gamebots/hexproto/client"
	"gamebots/hexproto/game"
	"gamebots/hexproto/server"
	"gamebots/hexproto/server/engines"
	"gamebots/hexproto/wire"
)

// player passes on the messages that the example waits for.
type player struct {
	welcome chan *wire.Welcome
	over    chan *wire.Over
}

func (p player) Welcome(m *wire.Welcome) { p.welcome <- m }
func (p player) Lost(err error)          { log.Print(err) }
func (p player) Message(m wire.Message) {
	if over, ok := m.(*wire.Over); ok {
		p.over <- over
	}
}

// A client plays one game against a bot of a server.
func Example() {
	folder, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	s, err := server.New(server.Config{
		Database: filepath.Join(folder, "games.db"), Open: true, Loopback: true,
		Rules: []game.Rules{boards.Nim{}},
		Bots:  []engines.Bot{{Name: "xor", Rules: []string{boards.NimName}, Bot: nimbot.Bot(nimbot.XOR{})}},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	web := httptest.NewServer(s.Handler())
	defer web.Close()

	p := player{make(chan *wire.Welcome, 1), make(chan *wire.Over, 1)}
	c := &client.Client{
		URL:       "ws" + strings.TrimPrefix(web.URL, "http") + "/ws",
		Hello:     wire.Hello{Name: "ada"},
		Handler:   p,
		SaveToken: func(string) error { return nil },
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- c.Run(ctx) }()

	fmt.Println("connected as", (<-p.welcome).You.Name)
	answer, err := c.Call(ctx, &wire.Challenge{
		Rules: boards.NimName, Options: json.RawMessage(`{"heaps":[3],"misere":false}`), Seat: "first", To: "xor",
	})
	if err != nil {
		log.Fatal(err)
	}
	if _, err := c.Call(ctx, &wire.Play{Game: answer.(*wire.Ack).Game, Turn: 0, Move: "pile:1, take:3;"}); err != nil {
		log.Fatal(err)
	}
	result := (<-p.over).Result
	fmt.Println("winner: seat", result.Winner, "by", result.How)
	cancel()
	fmt.Println(<-ended)
	// Output:
	// connected as ada
	// winner: seat 0 by last
	// <nil>
}
