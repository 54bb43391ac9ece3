package registry_test

import (
	"fmt"
	"strings"
	"testing"

	"gamebots/bots/havannahbot"
	"gamebots/bots/registry"
	"gamebots/hexproto"
	"gamebots/hexproto/boards"
	"gamebots/internal/usererr"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"random":                   "random",
		"mcts,name=strong,leaf=20": "strong",
		"gtp:./castro --quiet":     "./castro --quiet",
		"gtp:./castro -v,name=old": "old",
	} {
		s, err := registry.Parse(boards.HavannahName, text, nil)
		if err != nil || s.Name != want {
			t.Errorf("%s: name %q, error %v", text, s.Name, err)
		}
		if strings.HasPrefix(text, "gtp:") && (s.Command[0] != "./castro" || strings.Contains(s.Command[1], ",")) {
			t.Errorf("%s: command %q", text, s.Command)
		}
	}
	for _, text := range []string{"mcts,", "mcts,simulations", "mcts,simulations=-1", "mcts,rave=1",
		"mcts,leaf=20000", "mcts,kind=x", "gtp:",
		"random,leaf=7", "gumbel,leaf=2", "playouts,simulations=5", "mcts,playouts=8", "random,=3"} {
		if _, err := registry.Parse(boards.HavannahName, text, nil); !usererr.IsUsage(err) {
			t.Errorf("%s: error %v", text, err)
		}
	}
	if _, err := registry.Parse(boards.HavannahName, "mcts", []string{"boardsize 5"}); !usererr.IsUsage(err) {
		t.Errorf("setup commands for a bot of this program: error %v", err)
	}
}

func ExampleParse() {
	settings, err := registry.Parse(boards.HavannahName, "mcts,simulations=500,seed=7,leaf=4,memory=16", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	bot, err := settings.Bot()
	if err != nil {
		fmt.Println(err)
		return
	}
	search := bot.(hexproto.PlayerBot).Player.(havannahbot.MCTS)
	fmt.Println(search.Simulations, search.Seed, search.Search.Playouts, search.Memory>>20)
	// Output: 500 7 4 16
}
