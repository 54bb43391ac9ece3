package client_test

import (
	"context"
	"fmt"
	"sync"

	"gamebots/acpc"
	"gamebots/acpc/client"
	"gamebots/acpc/dealer"
	"gamebots/configs"
)

// raiser raises whenever that is legal, and calls otherwise.
type raiser struct{}

func (raiser) Act(_ context.Context, m *acpc.MatchState) (acpc.Action, error) {
	if size, _, ok := m.RaiseBounds(); ok {
		return acpc.Action{Type: acpc.Raise, Size: size}, nil
	}
	return acpc.Action{Type: acpc.Call}, nil
}

// Two clients play a match at a dealer on this machine.
func ExampleClient_Play() {
	game, err := configs.Game("leduc")
	if err != nil {
		fmt.Println(err)
		return
	}
	lobby, err := dealer.Listen("127.0.0.1", 0, 0) // two free ports
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	var players sync.WaitGroup
	for seat, addr := range lobby.Addrs() {
		players.Go(func() {
			conn, err := client.Dial(ctx, addr, 0)
			if err != nil {
				fmt.Println(err)
				return
			}
			c := client.Client{Game: game, Player: raiser{}}
			if seat == 0 {
				c.OnResult = func(hand uint32, position int, value float64) {
					fmt.Printf("hand %d: %+.0f chips in position %d\n", hand, value, position)
				}
			}
			if err := c.Play(ctx, conn); err != nil {
				fmt.Println(err)
			}
		})
	}
	match := dealer.Match{
		Name: "example", Game: game, GameFile: "leduc.game",
		Hands: 3, Seed: 1, Names: []string{"Alice", "Bob"}, Limits: dealer.DefaultLimits,
	}
	score, err := match.Host(ctx, lobby, dealer.Record{})
	players.Wait()
	fmt.Println(score, err)
	// Output:
	// hand 0: +0 chips in position 0
	// hand 1: -13 chips in position 1
	// hand 2: +13 chips in position 0
	// [0 0] <nil>
}
