package server_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"os"
	"path/filepath"

	"gamebots/bots/havannahbot"
	"gamebots/hexproto/boards"
	"gamebots/hexproto/game"
	"gamebots/hexproto/server"
	"gamebots/hexproto/server/engines"
)

// A server has rules, bots and a database, on which it resumes its games.
func Example() {
	folder, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	config := server.Config{
		Database: filepath.Join(folder, "games.db"), Open: true, Loopback: true,
		Rules: []game.Rules{havannahbot.Rules{}},
		Bots: []engines.Bot{
			{Name: "playouts", Rules: []string{boards.HavannahName}, Bot: havannahbot.Bot(havannahbot.Playouts{})},
		},
	}
	s, err := server.New(config)
	if err != nil {
		log.Fatal(err)
	}
	_, err = server.New(config)
	fmt.Println("a second server:", errors.As(err, new(*server.InUseError)))

	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel() // a program would serve until it is asked to end
	fmt.Println(s.Serve(ctx, l, "", ""), s.Close())
	// Output:
	// a second server: true
	// <nil> <nil>
}
