package submission_test

import (
	"fmt"

	"gamebots/bots/submission"
	"gamebots/configs"
)

func ExampleFolderName() {
	for _, name := range []string{"holdem-limit-2p", "holdem-limit-3p", "leduc"} {
		game, err := configs.Game(name)
		if err != nil {
			fmt.Println(err)
			return
		}
		folder, hands := submission.FolderName(game)
		fmt.Printf("%s: folder %q, %d hands a match\n", name, folder, hands)
	}
	// Output:
	// holdem-limit-2p: folder "submission_2pl", 3000 hands a match
	// holdem-limit-3p: folder "submission_3pl", 1000 hands a match
	// leduc: folder "", 3000 hands a match
}
