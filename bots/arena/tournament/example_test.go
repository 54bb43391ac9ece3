package tournament_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"gamebots/acpc/money"
	"gamebots/bots/arena"
	"gamebots/bots/arena/store"
	"gamebots/bots/arena/tournament"
	"gamebots/bots/grid"
	"gamebots/configs"
)

// Two players of Kuhn poker play 100 deals from both seats. Raise wins the ante of every hand.
func ExampleTournament() {
	settings := configs.DefaultArena()
	settings.Run.Name, settings.Run.Game, settings.Poker.Deals = "first", "kuhn", 100
	settings.Players = []configs.Entry{{Name: "R", Kind: "raise"}, {Name: "F", Kind: "fold"}}

	folder, _ := os.MkdirTemp("", "arena")
	defer os.RemoveAll(folder)
	ctx := context.Background()
	db, err := store.Open(ctx, filepath.Join(folder, "arena.db"))
	check(err)
	defer db.Close()

	players := &tournament.Players{}
	defer players.Close()
	p, err := players.Plan(&settings)
	check(err)
	run, err := db.Begin(ctx, p, "v1", false)
	check(err)
	t := tournament.Tournament{Store: db, Run: run, Grid: &grid.Local{Kinds: players.Kinds(), Threads: 2}}
	check(t.Play(ctx))

	results, err := db.Tallies(ctx, run)
	check(err)
	game, err := p.Acpc()
	check(err)
	table := tournament.NewCrossTable(run, arena.Sum(run, results), money.UsualIn(game))
	for _, s := range table.Players {
		fmt.Printf("%s: %+.0f %s in %d hands\n", s.Name, s.Mean, table.Unit, s.Games)
	}
	// Output:
	// R: +1000 mb a hand in 200 hands
	// F: -1000 mb a hand in 200 hands
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
