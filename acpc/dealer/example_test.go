package dealer_test

import (
	"context"
	"fmt"
	"os"

	"gamebots/acpc"
	"gamebots/acpc/dealer"
)

type caller struct{}

func (caller) Act(context.Context, *acpc.MatchState) (acpc.Action, error) {
	return acpc.Action{Type: acpc.Call}, nil
}

// A match in process, with the log that a dealer keeps of it.
func ExampleMatch_Play() {
	game, err := acpc.ParseGame("kuhn.game", `limit
numPlayers = 2
numRounds = 1
stack = 2 2
blind = 1 1
raiseSize = 1
maxRaises = 1
numSuits = 1
numRanks = 3
numHoleCards = 1
numBoardCards = 0
`)
	if err != nil {
		fmt.Println(err)
		return
	}
	match := dealer.Match{
		Name: "example", Game: game, GameFile: "kuhn.game",
		Hands: 3, Seed: 42, Names: []string{"Alice", "Bob"}, Limits: dealer.DefaultLimits,
	}
	os.Stdout.Write(match.AppendHeader(nil))
	score, err := match.Play(context.Background(), []acpc.Player{caller{}, caller{}}, func(s *acpc.State) error {
		_, err := os.Stdout.Write(match.AppendHand(nil, s))
		return err
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	os.Stdout.Write(match.AppendScore(nil, score))
	// Output:
	// # name/game/hands/seed example kuhn.game 3 42
	// #--t_response 600000
	// #--t_hand 600000
	// #--t_per_hand 7000
	// STATE:0:cc:Qs|Ks:-1|1:Alice|Bob
	// STATE:1:cc:Ks|Qs:1|-1:Bob|Alice
	// STATE:2:cc:Qs|Ks:-1|1:Alice|Bob
	// SCORE:-3|3:Alice|Bob
}
