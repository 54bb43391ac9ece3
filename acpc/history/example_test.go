package history_test

import (
	"fmt"
	"io"
	"strings"

	"gamebots/acpc/history"
	"gamebots/configs"
)

// A dealer's log becomes a file of the poker hand history format.
func ExamplePHHWriter() {
	const log = `# name/game/hands/seed example kuhn.game 1 42
STATE:0:crc:Qs|Ks:-2|2:Alice|Bob
SCORE:-2|2:Alice|Bob
`
	game, err := configs.Game("kuhn")
	if err != nil {
		fmt.Println(err)
		return
	}
	var w history.PHHWriter
	var phh []byte
	in := history.NewLogReader(strings.NewReader(log), "example.log", game)
	for {
		h, err := in.Next()
		if err == io.EOF {
			break
		}
		if err == nil {
			phh, err = w.Append(phh, h)
		}
		if err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Printf("%s", phh)
	// Output:
	// [1]
	// _acpc_before = ["# name/game/hands/seed example kuhn.game 1 42"]
	// variant = "ACPC"
	// antes = [1, 1]
	// blinds_or_straddles = [0, 0]
	// starting_stacks = [inf, inf]
	// actions = [
	//   "d dh p1 Qs",
	//   "d dh p2 Ks",
	//   "p1 cc",
	//   "p2 cbr 1",
	//   "p1 cc",
	//   "p2 sm Ks",
	//   "p1 sm Qs",
	// ]
	// hand = 0
	// players = ["Alice", "Bob"]
	// _acpc_game = """
	// GAMEDEF
	// limit
	// numPlayers = 2
	// numRounds = 1
	// blind = 1 1
	// raiseSize = 1
	// maxRaises = 1
	// numSuits = 1
	// numRanks = 3
	// numHoleCards = 1
	// numBoardCards = 0
	// END GAMEDEF
	// """
	// _acpc_after = ["SCORE:-2|2:Alice|Bob"]
}
