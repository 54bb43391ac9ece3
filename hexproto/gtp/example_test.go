package gtp_test

import (
	"context"
	"fmt"
	"io"
	"log"

	"gamebots/bots/havannahbot"
	"gamebots/bots/proc"
	"gamebots/hexproto/boards"
	"gamebots/hexproto/gtp"
)

// A controller and an engine talk over two pipes.
func Example() {
	engine := &proc.Engine{
		Rules: boards.Havannah{}, Bot: havannahbot.Bot(havannahbot.Random{Seed: 1}), Program: "gamebots", Release: "1",
	}
	if err := engine.Start(nil); err != nil {
		log.Fatal(err)
	}
	commands, in := io.Pipe()
	out, answers := io.Pipe()
	go func() {
		answers.CloseWithError(gtp.Serve(context.Background(), engine, commands, answers))
	}()

	c := gtp.NewController(in, out)
	defer in.Close()
	defer c.Close()
	for _, command := range [][]string{
		{"name"}, {"boardsize", "4"}, {"play", "white", "a1"}, {"play", "black", "swap"}, {"history"},
		{"genmove", "black"}, {"quit"},
	} {
		answer, err := c.Ask(context.Background(), command...)
		fmt.Printf("%s: %q %v\n", command[0], answer, err)
	}
	// Output:
	// name: "gamebots" <nil>
	// boardsize: "" <nil>
	// play: "" <nil>
	// play: "" <nil>
	// history: "white a1\nblack swap" <nil>
	// genmove: "" gtp: genmove black: it is not the turn of black
	// quit: "" <nil>
}
