// Acpcbot takes a seat at a dealer of the Annual Computer Poker Competition and plays Leduc poker: it calls, and raises
// with the highest card. A match against itself, in three terminals:
//
//	gamebots dealer demo leduc 100 1 me you       # prints two ports
//	go run ./examples/acpcbot localhost:PORT1
//	go run ./examples/acpcbot localhost:PORT2
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"os/signal"
	"time"

	"gamebots/acpc"
	"gamebots/acpc/client"
	"gamebots/configs"
)

// caller calls, and raises with the highest card.
type caller struct{ game *acpc.Game }

func (p caller) Act(_ context.Context, m *acpc.MatchState) (acpc.Action, error) {
	raise := acpc.Action{Type: acpc.Raise}
	hole := m.Holes[m.Viewer][0]
	if hole.Rank() == p.game.Deck()[len(p.game.Deck())-1].Rank() && m.Check(raise) == nil {
		return raise, nil
	}
	return acpc.Action{Type: acpc.Call}, nil
}

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: acpcbot HOST:PORT")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	game, err := configs.Game("leduc")
	if err != nil {
		log.Fatal(err)
	}
	conn, err := client.Dial(ctx, os.Args[1], 10*time.Second)
	if err != nil {
		log.Fatal(err)
	}
	hands, won := 0, 0.0
	bot := client.Client{Game: game, Player: caller{game}, OnResult: func(_ uint32, _ int, value float64) {
		hands++
		won += value
	}}
	if err := bot.Play(ctx, conn); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d hands, %+.0f chips\n", hands, won)
}
