package acpc_test

import (
	"fmt"

	"gamebots/acpc"
)

const kuhn = `GAMEDEF
limit
numPlayers = 2
numRounds = 1
blind = 1 1
raiseSize = 1
maxRaises = 1
numSuits = 1
numRanks = 3
numHoleCards = 1
numBoardCards = 0
END GAMEDEF
`

// A dealer deals a hand, shows it to the players and applies their actions.
func Example() {
	game, err := acpc.ParseGame("kuhn.game", kuhn)
	if err != nil {
		fmt.Println(err)
		return
	}
	hand := game.NewState(0)
	acpc.NewShuffler(42).Deal(&hand)
	for _, text := range []string{"r", "c"} {
		view := hand.View(hand.Actor())
		fmt.Printf("%s\n", view.Append(nil))
		action, _, err := game.ParseAction(text)
		if err == nil {
			err = hand.Check(action)
		}
		if err != nil {
			fmt.Println(err)
			return
		}
		hand.Apply(action)
	}
	fmt.Printf("%s\n", hand.AppendResult(nil, []string{"Ann", "Ben"}))
	// Output:
	// MATCHSTATE:0:0::Qs|
	// MATCHSTATE:1:0:r:|Ks
	// STATE:0:rc:Qs|Ks:-2|2:Ann|Ben
}

// A player parses a message and lists its legal actions.
func ExampleGame_ParseMatchState() {
	game, err := acpc.ParseGame("kuhn.game", kuhn)
	if err != nil {
		fmt.Println(err)
		return
	}
	view, _, err := game.ParseMatchState("MATCHSTATE:1:7:r:|As")
	if err != nil {
		fmt.Println(err)
		return
	}
	_, _, mayRaise := view.RaiseBounds()
	fmt.Println("my turn:", view.Actor() == view.Viewer)
	fmt.Println("my card:", view.Holes[view.Viewer][0])
	fmt.Println("may fold, may raise:", view.CanFold(), mayRaise)
	// Output:
	// my turn: true
	// my card: As
	// may fold, may raise: true false
}

func ExampleCheckGame() {
	_, warnings, err := acpc.CheckGame("kuhn.game", "numPlayer = 3\n"+kuhn)
	for _, w := range warnings {
		fmt.Println(w)
	}
	fmt.Println(err)
	// Output:
	// kuhn.game:1: numPlayer: unknown key, the line is ignored: numPlayers is meant?
	// <nil>
}
