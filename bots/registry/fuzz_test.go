package registry_test

import (
	"testing"

	"gamebots/bots/registry"
	"gamebots/hexproto/boards"
	"gamebots/internal/usererr"
)

// FuzzParse reads any text as a bot of any game. What is not one is a usage error.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"random", "mcts,simulations=500,seed=7,leaf=4,memory=16", "gtp:./castro --quiet",
		"mcts,name=x,leaf=1e400", "minimax"} {
		f.Add(text)
	}
	games := []string{boards.HavannahName, boards.NimName, boards.MatrixName, "chess"}
	f.Fuzz(func(t *testing.T, text string) {
		for _, rules := range games {
			if _, err := registry.Parse(rules, text, nil); err != nil && !usererr.IsUsage(err) {
				t.Fatalf("%s, %q: %v", rules, text, err)
			}
		}
	})
}
