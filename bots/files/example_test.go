package files_test

import (
	"fmt"

	"gamebots/bots/files"
)

func ExampleCheck() {
	for _, name := range []string{"kuhn", "../../configs/nim.toml", "../../README.md"} {
		f := files.Check(name)
		fmt.Printf("%s: %s %v\n", f.Kind, f.Summary, f.Err)
	}
	// Output:
	// game: 2 players, limit, 3-card deck, 1 suit, hole cards 1, board cards by round 0 <nil>
	// settings: settings of a board-game bot <nil>
	// game:  ../../README.md is no file that is read here: a game definition has GAMEDEF or numRounds
}
