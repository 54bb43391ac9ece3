package store_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"gamebots/bots/arena"
	"gamebots/bots/arena/store"
	"gamebots/configs"
)

// A result is stored once. A run that was interrupted is continued with resume.
func ExampleStore() {
	folder, _ := os.MkdirTemp("", "store")
	defer os.RemoveAll(folder)
	ctx := context.Background()
	db, err := store.Open(ctx, filepath.Join(folder, "arena.db"))
	check(err)
	defer db.Close()

	p := &arena.Plan{Name: "first", Kind: arena.Board, Game: "nim", Units: 2, Shard: 1, Orders: arena.Orders(2, true),
		Tables: [][]int{{0, 1}}, Players: []configs.Entry{{Name: "A"}, {Name: "B"}}}
	run, err := db.Begin(ctx, p, "v1", false)
	check(err)
	games, err := arena.PackBoardGames([]arena.GameRecord{{Number: 0, Score: 1}, {Number: 1, Score: 1}}) // A won both
	check(err)
	result := &arena.Result{
		Tally: arena.Tally{Units: 1, Games: 2, Scores: []arena.Score{{Sum: 1, Square: 1, Wins: 2}, {Losses: 2}}},
		Games: games,
	}
	for range 2 {
		fresh, err := db.Put(ctx, run, 0, result)
		fmt.Println("new:", fresh, err)
	}
	run, err = db.Begin(ctx, p, "v1", true)
	check(err)
	fmt.Println(run.Stored, "of", run.Shards(), "shards")
	// Output:
	// new: true <nil>
	// new: false <nil>
	// 1 of 2 shards
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
